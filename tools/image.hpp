// Pictures as plain numbers, read and written through GraphicsMagick without any conversion of colours or gamma.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace twiddle::tool {

using Samples = std::vector<std::uint16_t>;  // height x width, row-major

// A grey or RGB picture. All samples lie in 0..maximum().
struct Image {
  std::size_t height = 0;
  std::size_t width = 0;
  unsigned depth = 8;               // 8 or 16 bits a sample
  std::vector<Samples> channels{};  // 1 (grey) or 3 (red, green, blue)
  Samples alpha{};                  // empty where the picture has none; 0 is transparent

  [[nodiscard]] std::size_t pixels() const { return height * width; }
  [[nodiscard]] unsigned maximum() const { return (1U << depth) - 1; }
};

// "512 x 512, RGB with alpha, 8 bit" (width first, as is usual for pictures).
[[nodiscard]] std::string describe(const Image& image);

// Reads PGM, PPM (also their text forms), PNG, TIFF (first page) or JPEG, recognised by content, not by name. Samples
// of fewer than 8 bits are widened to 8, of 9..15 bits to 16. A colour picture whose channels are all equal is grey.
// Throws FileError for anything missing, damaged, truncated, absurdly large, or neither grey nor RGB.
[[nodiscard]] Image read_image(const std::string& path);

// The format comes from the name's extension; throws UsageError where that is none of the five.
void check_image_name(const std::string& path);

// Writes with the picture's depth (JPEG: 8 bits). Throws UsageError for a colour picture as PGM, FileError otherwise.
// Returns a note on what the format could not hold ("JPEG holds 8 bits a sample"), or nothing.
[[nodiscard]] std::string write_image(const std::string& path, const Image& image);

}  // namespace twiddle::tool
