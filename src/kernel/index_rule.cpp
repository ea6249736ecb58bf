// Fits progressions to a table, range by range.
#include "kernel/index_rule.hpp"

#include <fmt/format.h>

namespace twiddle::kernel {
namespace {

constexpr std::size_t most_ranges = 5;

struct Progression {  // start + step * position, for positions from `begin`
  std::size_t begin = 0;
  std::int64_t start = 0;
  std::int64_t step = 0;
};

// `no_index` is a constant, never a part of a progression.
std::vector<Progression> fit(const std::vector<std::uint32_t>& indices) {
  std::vector<Progression> ranges;
  std::size_t k = 0;
  while (k < indices.size() && ranges.size() <= most_ranges) {
    Progression range{k, indices[k], 0};
    const bool none = indices[k] == no_index;
    const bool grows = !none && k + 1 < indices.size() && indices[k + 1] != no_index;
    if (grows) range.step = static_cast<std::int64_t>(indices[k + 1]) - indices[k];
    range.start -= range.step * static_cast<std::int64_t>(k);
    while (k < indices.size() && (indices[k] == no_index) == none &&
           range.start + range.step * static_cast<std::int64_t>(k) == indices[k]) {
      ++k;
    }
    ranges.push_back(range);
  }
  return ranges;
}

// Unsigned arithmetic wraps around and comes back.
std::string text(const Progression& range, const char* position) {
  const auto start = static_cast<std::uint32_t>(range.start);
  if (range.step == 0) return fmt::format("{}u", start);
  const std::string product = range.step == 1 || range.step == -1
                                  ? std::string(position)
                                  : fmt::format("{} * {}u", position, range.step < 0 ? -range.step : range.step);
  if (start == 0 && range.step > 0) return product;
  return fmt::format("{}u {} {}", start, range.step < 0 ? "-" : "+", product);
}

std::string text(const std::vector<Progression>& ranges) {
  std::string expression = text(ranges.back(), "element");
  for (std::size_t i = ranges.size() - 1; i-- > 0;) {
    expression = fmt::format("element < {} ? {} : {}", ranges[i + 1].begin, text(ranges[i], "element"), expression);
  }
  return expression;
}

}  // namespace

std::optional<std::string> index_expression(const std::vector<std::uint32_t>& indices) {
  const std::vector<Progression> ranges = fit(indices);
  if (ranges.size() < most_ranges) return text(ranges);
  std::vector<std::uint32_t> even;
  std::vector<std::uint32_t> odd;
  for (std::size_t k = 0; k < indices.size(); ++k) (k % 2 == 0 ? even : odd).push_back(indices[k]);
  const auto evens = fit(even);
  const auto odds = fit(odd);
  if (evens.size() == 1 && odds.size() == 1) {
    return fmt::format("element % 2 == 0 ? {} : {}", text(evens[0], "(element / 2)"), text(odds[0], "(element / 2)"));
  }
  if (ranges.size() == most_ranges) return text(ranges);
  return std::nullopt;
}

}  // namespace twiddle::kernel
