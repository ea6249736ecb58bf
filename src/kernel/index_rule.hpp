// Tables of indices as arithmetic, where that is what they are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace twiddle::kernel {

inline constexpr std::uint32_t no_index = ~std::uint32_t{0};

// An expression in the variable `element` (unsigned) that gives indices[element] for every element: up to five ranges
// in each of which indices are an arithmetic progression, or one progression for even and one for odd elements. Nothing
// for other tables.
[[nodiscard]] std::optional<std::string> index_expression(const std::vector<std::uint32_t>& indices);

}  // namespace twiddle::kernel
