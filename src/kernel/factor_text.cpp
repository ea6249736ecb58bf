// Tables of factors, and expressions that read them.
#include "kernel/factor_text.hpp"

#include <fmt/format.h>

#include <complex>

#include "plan/numbers/tables.hpp"

namespace twiddle::kernel {
namespace {

using plan::Factor;
using Sequence = Factor::Sequence;

bool has_eighths(const Factor& factor) {
  return factor.sequence == Sequence::eighth_turns || factor.sequence == Sequence::alternating_eighth_turns;
}

bool is_half_turn(const Factor& factor) {
  return factor.sequence == Sequence::half_turn || factor.sequence == Sequence::odd_half_turn;
}

// Longer sequences of turns are products.
bool is_product(const Factor& factor) {
  constexpr std::uint64_t longest_table = 1024;
  const bool turns = factor.sequence == Sequence::quarter_points || factor.sequence == Sequence::quarter_turn ||
                     factor.sequence == Sequence::half_spectrum_turn || is_half_turn(factor);
  return turns && factor.count() > longest_table;
}

// Of a turn: coarse[b] * fine[a] for position a + b * fine_count.
RootTables add_roots(const Factor& factor, Tables& tables) {
  const bool between = factor.sequence == Sequence::quarter_points;
  const std::uint64_t step = between ? 8 : 1;
  const std::uint64_t order = (is_half_turn(factor) ? 2 : 4) * factor.length * step;
  std::complex<long double> weight(factor.of_half_spectrum() ? 2 : 1);
  if (factor.sequence == Sequence::odd_half_turn) weight = {0, 1};
  const auto add = [&](std::uint64_t turn, const std::complex<long double>& times) {
    const std::complex<long double> root = times * plan::root_of_unity(turn, order);
    tables.constants.push_back(factor.direction == Direction::forward ? root : std::conj(root));
  };
  RootTables roots;
  roots.fine_count = fine_entries(factor.count());
  roots.fine = static_cast<std::uint32_t>(tables.constants.size());
  for (std::uint64_t a = 0; a < roots.fine_count; ++a) add(a * step + (between ? 1 : 0), 1);
  roots.coarse = static_cast<std::uint32_t>(tables.constants.size());
  for (std::uint64_t b = 0; b * roots.fine_count < factor.count(); ++b) add(b * roots.fine_count * step, weight);
  return roots;
}

}  // namespace

FactorLayout lay_out_factor(const Factor& factor, Precision precision, Tables& tables) {
  if (is_product(factor)) return {0, add_roots(factor, tables)};
  const FactorLayout layout{static_cast<std::uint32_t>(tables.constants.size()), {}};
  if (has_eighths(factor)) {
    for (std::uint64_t k = 0; k < 8; ++k) tables.constants.push_back(plan::root_of_unity(k, 8));
    return layout;
  }
  const auto add = [&](const auto& values) {
    tables.constants.reserve(tables.constants.size() + values.size());
    for (const auto& value : values) tables.constants.emplace_back(value);
  };
  // For floats, doubles are exact enough; long doubles take several times as long.
  if (precision == Precision::float32) {
    add(plan::factor_values<double>(factor));
  } else {
    add(plan::factor_values<long double>(factor));
  }
  return layout;
}

std::string factor_at(const Factor& factor, const FactorLayout& layout, Precision precision) {
  if (layout.roots) {
    const RootTables& roots = *layout.roots;
    const std::string product = fmt::format("multiply(constants[{} + at % {}], constants[{} + at / {}])", roots.fine,
                                            roots.fine_count, roots.coarse, roots.fine_count);
    const bool plain = factor.sequence == Sequence::quarter_points || factor.sequence == Sequence::half_turn ||
                       (factor.sequence == Sequence::quarter_turn && factor.first_weight == 1);
    if (plain) return product;
    return fmt::format("(at == 0 ? TW_MAKE({}, 0) : {})", literal(static_cast<double>(factor.first_weight), precision),
                       product);
  }
  if (!has_eighths(factor)) return fmt::format("constants[{} + at]", layout.values);
  // Positions beyond the middle count from the end; what wraps around is a multiple of 8 turns.
  const std::uint64_t middle = factor.length / 2;
  const bool alternating = factor.sequence == Sequence::alternating_eighth_turns;
  const std::uint64_t step = (2 * factor.length + (alternating ? 4 : 0)) % 8;
  const std::uint64_t first = 1 + (alternating ? 4 * middle : 0);
  const std::uint64_t beyond = first - step * factor.length;
  return fmt::format("constants[{} + (at * {} + (at > {} ? {} : {})) % 8]", layout.values, step, middle, beyond % 8,
                     first % 8);
}

}  // namespace twiddle::kernel
