// Complex lines somewhat longer than those of short_rows.hpp, for tiles only: alone they are done faster in two passes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/host/short_rows.hpp"

namespace twiddle::backend::host {

// Null where there is none of the length.
template <class T>
[[nodiscard]] ShortRowsFunction<T> find_longer_rows(std::size_t length, std::int64_t targets);
template <>
ShortRowsFunction<float> find_longer_rows<float>(std::size_t length, std::int64_t targets);
template <>
ShortRowsFunction<double> find_longer_rows<double>(std::size_t length, std::int64_t targets);
template <>
ShortRowsFunction<long double> find_longer_rows<long double>(std::size_t length, std::int64_t targets);

}  // namespace twiddle::backend::host
