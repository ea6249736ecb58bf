// A look at a TIFF's tags before it is decoded.
#pragma once

#include <string>

namespace twiddle::tool {

// GraphicsMagick rescales floating-point samples silently, so the kind of the samples must be known before. Returns the
// bits of a sample; throws FileError unless these are unsigned integers of at most 16 bits.
[[nodiscard]] unsigned check_tiff_header(const std::string& path, const std::string& bytes);

}  // namespace twiddle::tool
