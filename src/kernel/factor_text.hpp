// The sequences that elements are multiplied by, in kernels: as tables, or of turns that many elements have, as
// products of two roots of unity from short ones, since a table would be a multiple of the data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kernel/line_map_text.hpp"
#include "plan/lower/element_rules.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::kernel {

struct FactorLayout {
  std::uint32_t values = 0;           // where the sequence begins in the constants
  std::optional<RootTables> roots{};  // instead
};

// Appends the tables of a sequence, for kernels that compute in `precision`.
[[nodiscard]] FactorLayout lay_out_factor(const plan::Factor& factor, Precision precision, Tables& tables);

// The value at position `at`, a name.
[[nodiscard]] std::string factor_at(const plan::Factor& factor, const FactorLayout& layout, Precision precision);

}  // namespace twiddle::kernel
