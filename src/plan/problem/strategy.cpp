// Strategies as text, and which contradict themselves.
#include "twiddle/strategy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <vector>

#include "plan/shape/vectors.hpp"
#include "twiddle/error.hpp"

namespace twiddle {
namespace {

constexpr std::uint32_t largest_block = 64;
constexpr std::uint32_t most_elements_per_item = 64;

// One field as text. `read` returns false for text that it does not accept.
struct Field {
  std::string_view name;
  std::string accepted;  // "one of all, 4, 2"
  std::function<bool(std::string_view text, Strategy& strategy)> read;
  std::function<std::string(const Strategy& strategy)> write;
};

// `names` are those of the enumeration's values in their order.
template <class Value>
Field word(std::string_view name, Value Strategy::*member, std::vector<std::string_view> names) {
  return {name, fmt::format("one of {}", fmt::join(names, ", ")),
          [=](std::string_view text, Strategy& strategy) {
            const auto found = std::find(names.begin(), names.end(), text);
            if (found == names.end()) return false;
            strategy.*member = static_cast<Value>(found - names.begin());
            return true;
          },
          [=](const Strategy& strategy) { return std::string(names.at(static_cast<std::size_t>(strategy.*member))); }};
}

template <class Number>
Field number(std::string_view name, Number Strategy::*member) {
  return {name, "a whole number, 0 for what is chosen",
          [=](std::string_view text, Strategy& strategy) {
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), strategy.*member);
            return error == std::errc{} && end == text.data() + text.size();
          },
          [=](const Strategy& strategy) { return fmt::to_string(strategy.*member); }};
}

const std::vector<Field>& fields() {
  static const std::vector<Field> all{
      word("radices", &Strategy::radices, {"all", "4", "2"}),
      word("twiddles", &Strategy::twiddles, {"merged", "separate"}),
      word("reversal", &Strategy::reversal, {"self-sorting", "separate"}),
      word("staging", &Strategy::staging, {"chosen", "on-chip", "memory"}),
      word("launches", &Strategy::launches, {"one", "rows"}),
      word("transposes", &Strategy::transposes, {"none", "host", "elementwise", "blocked", "in-place"}),
      number("block", &Strategy::block),
      number("group", &Strategy::group),
      number("elements", &Strategy::elements),
      number("vector", &Strategy::vector),
      word("exchange", &Strategy::exchange, {"chosen", "complex", "split"}),
      word("algorithm", &Strategy::algorithm, {"chosen", "direct", "fft"}),
      word("parts", &Strategy::parts, {"interleaved", "planar"}),
      number("segment", &Strategy::segment),
  };
  return all;
}

std::string field_names() {
  std::vector<std::string_view> names;
  for (const Field& field : fields()) names.push_back(field.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

[[noreturn]] void refuse(const Strategy& strategy, std::string_view why) {
  throw InvalidArgument(fmt::format("strategy {}: {}", describe(strategy), why));
}

}  // namespace

Strategy parse_strategy(std::string_view text) {
  Strategy strategy;
  if (text.empty() || text == "default") return strategy;
  std::vector<std::string_view> seen;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    const std::size_t equals = part.find('=');
    const std::string_view name = part.substr(0, equals);
    const auto field = std::find_if(fields().begin(), fields().end(), [&](const Field& f) { return f.name == name; });
    if (equals == std::string_view::npos || field == fields().end()) {
      throw InvalidArgument(
          fmt::format("'{}' in strategy '{}' is no choice; expected NAME=VALUE with one of the names {}", part, text,
                      field_names()));
    }
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
      throw InvalidArgument(fmt::format("strategy '{}' says {} twice; expected each choice once", text, name));
    }
    seen.push_back(name);
    const std::string_view value = part.substr(equals + 1);
    if (!field->read(value, strategy)) {
      throw InvalidArgument(
          fmt::format("{} is '{}' in strategy '{}'; expected {}", name, value, text, field->accepted));
    }
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  validate(strategy);
  return strategy;
}

std::string describe(const Strategy& strategy) {
  const Strategy usual;
  std::vector<std::string> parts;
  for (const Field& field : fields()) {
    const std::string value = field.write(strategy);
    if (value != field.write(usual)) parts.push_back(fmt::format("{}={}", field.name, value));
  }
  return parts.empty() ? "default" : fmt::format("{}", fmt::join(parts, ","));
}

void validate(const Strategy& strategy) {
  const bool apart =
      strategy.twiddles == Strategy::Twiddles::separate || strategy.reversal == Strategy::DigitReversal::separate;
  if (apart && strategy.staging == Strategy::Staging::on_chip) {
    refuse(strategy, "passes of their own go through memory; expected staging=memory or chosen");
  }
  const bool blocks =
      strategy.transposes == Strategy::Transposes::blocked || strategy.transposes == Strategy::Transposes::in_place;
  if (strategy.block != 0 && !blocks) refuse(strategy, "only transposes=blocked and in-place have blocks");
  if (strategy.block > largest_block) refuse(strategy, fmt::format("block is at most {}", largest_block));
  if (strategy.elements > most_elements_per_item)
    refuse(strategy, fmt::format("elements is at most {}", most_elements_per_item));
  if (strategy.vector > plan::widest_vector) {
    refuse(strategy, "kernels move 1 or 2 complex numbers at once; expected vector=1 or 2, or 0 for what is chosen");
  }
  const bool passes = apart || strategy.radices != Strategy::Radices::all ||
                      strategy.staging != Strategy::Staging::chosen || strategy.elements != 0 ||
                      strategy.exchange != Strategy::Exchange::chosen;
  if (strategy.algorithm == Strategy::Algorithm::direct && passes) {
    refuse(strategy, "a direct sum has no passes; expected no choices of theirs beside algorithm=direct");
  }
}

}  // namespace twiddle
