// Lines of all algorithms as parts of one stage each, and where these leave frequencies.
#include "plan/lower/leaves.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <variant>

namespace twiddle::plan {

std::optional<Leaf> chip_leaf(const LineRecipe& line) {
  if (const auto* stockham = std::get_if<Stockham>(&line.algorithm)) {
    return Leaf{.length = line.length, .radices = stockham->radices, .to_spectrum = stockham->to_spectrum};
  }
  if (const auto* convolved = std::get_if<Convolved>(&line.algorithm)) {
    return Leaf{line.length, convolved->radices, convolved->convolution};
  }
  const auto* staged = std::get_if<Staged>(&line.algorithm);
  if (staged && staged->radices.size() == 1 && staged->reversal != Strategy::DigitReversal::separate) {
    return Leaf{.length = line.length, .radices = staged->radices};
  }
  return std::nullopt;
}

bool has_two_parts(const LineRecipe& line) {
  const auto* parts = std::get_if<FourStep>(&line.algorithm);
  return parts != nullptr && chip_leaf(*parts->columns) && chip_leaf(*parts->rows);
}

std::vector<Leaf> leaves(const LineRecipe& line) {
  if (auto leaf = chip_leaf(line)) return {std::move(*leaf)};
  if (const auto* staged = std::get_if<Staged>(&line.algorithm)) {
    std::vector<Leaf> parts;
    for (unsigned radix : staged->radices) parts.push_back({radix, {radix}});
    return parts;
  }
  if (const auto* four_step = std::get_if<FourStep>(&line.algorithm)) {
    std::vector<Leaf> parts = leaves(*four_step->columns);
    for (Leaf& part : leaves(*four_step->rows)) parts.push_back(std::move(part));
    return parts;
  }
  if (std::holds_alternative<Direct>(line.algorithm)) return {{line.length, {}, {}, true}};
  return {};
}

std::vector<Leaf> leaves_from_plainest(const LineRecipe& line) {
  constexpr std::size_t shortest = 60;
  const auto cost = [](const Leaf& part) {
    const std::uint64_t largest = part.radices.empty() ? part.length : std::ranges::max(part.radices);
    return std::tuple(part.length < shortest, part.convolution.has_value(), largest);
  };
  const auto kept = [](const Leaf& part) {
    return static_cast<double>(part.length / 2 + 1) / static_cast<double>(part.length);
  };
  std::vector<Leaf> parts = leaves(line);
  const bool staged = std::holds_alternative<Staged>(line.algorithm);
  std::iter_swap(parts.begin(),
                 staged ? std::ranges::min_element(parts, {}, kept) : std::ranges::min_element(parts, {}, cost));
  return parts;
}

std::vector<ReversedDigit> reversed_digits(const LineRecipe& line) {
  std::vector<ReversedDigit> digits;
  std::uint64_t below = line.length;
  std::uint64_t done = 1;
  for (const Leaf& part : leaves(line)) {
    below /= part.length;
    digits.push_back({part.length, static_cast<std::int64_t>(below), static_cast<std::int64_t>(done)});
    done *= part.length;
  }
  return digits;
}

}  // namespace twiddle::plan
