// Reading and writing the text of measured choices.
#include "tune/choice_book.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "tune/record_text.hpp"
#include "twiddle/error.hpp"

namespace twiddle::tuning {
namespace {

using Json = nlohmann::ordered_json;

constexpr int choices_version = 1;

constexpr std::array uses{plan::LineUse::rows, plan::LineUse::mapped_rows, plan::LineUse::columns,
                          plan::LineUse::convolved_rows, plan::LineUse::convolved_columns};
constexpr std::array filter_counts{plan::FilterCount::one, plan::FilterCount::few, plan::FilterCount::many};
constexpr std::array precisions{Precision::float32, Precision::float64, Precision::extended};

// The value whose name the field holds.
template <class Values>
auto named(const Json& line, const char* field, const Values& values) {
  const auto text = line.at(field).get<std::string>();
  for (const auto value : values) {
    if (to_string(value) == text) return value;
  }
  std::string names;
  for (const auto value : values) names += fmt::format("{}{}", names.empty() ? "" : ", ", to_string(value));
  throw InvalidArgument(fmt::format("\"{}\" is \"{}\"; expected one of {}", field, text, names));
}

// A whole number, `fallback` where the field is missing.
template <class Number>
Number number(const Json& value, const char* field) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<Number>::max()) {
    throw InvalidArgument(fmt::format("\"{}\" is {}; expected a whole number up to {}", field, value.dump(),
                                      std::numeric_limits<Number>::max()));
  }
  return value.get<Number>();
}

template <class Number>
Number number(const Json& line, const char* field, std::optional<Number> fallback) {
  if (!line.contains(field) && fallback) return *fallback;
  return number<Number>(line.at(field), field);
}

std::vector<unsigned> radices_of(const Json& choice) {
  std::vector<unsigned> radices;
  for (const Json& radix : list(choice, "radices")) radices.push_back(number<unsigned>(radix, "radices"));
  return radices;
}

Json to_json(const plan::LineKey& key, const plan::LineChoice& choice) {
  Json line = {{"length", key.length}, {"use", to_string(key.use)}, {"precision", to_string(key.arithmetic)}};
  if (choice.columns != 0) {
    line["columns"] = choice.columns;
    return line;
  }
  line["radices"] = choice.stage.radices;
  if (choice.stage.items == 0) {
    if (choice.stage.transforms != 0) line["transforms"] = choice.stage.transforms;
    return line;
  }
  line["items"] = choice.stage.items;
  line["transforms"] = choice.stage.transforms;
  line["registers"] = choice.stage.registers;
  line["parts_apart"] = choice.stage.split;
  line["vector"] = choice.stage.vector;
  return line;
}

std::pair<plan::LineKey, plan::LineChoice> line_of(const Json& line) {
  const plan::LineKey key{number<std::uint64_t>(line, "length", {}), named(line, "use", uses),
                          named(line, "precision", precisions)};
  plan::LineChoice choice;
  choice.columns = number<std::uint64_t>(line, "columns", 0);
  if (choice.columns != 0) return {key, choice};
  choice.stage.radices = radices_of(line);
  choice.stage.items = number<std::uint32_t>(line, "items", 0);
  choice.stage.transforms = number<std::uint32_t>(line, "transforms", 0);
  choice.stage.registers = number<std::uint32_t>(line, "registers", 0);
  choice.stage.split = line.value("parts_apart", false);
  choice.stage.vector = number<std::uint32_t>(line, "vector", 1);
  return {key, choice};
}

Json to_json(const plan::BankKey& key, const plan::BankChoice& choice) {
  Json bank = {{"taps", key.taps},
               {"filters", to_string(key.filters)},
               {"complex", key.complex},
               {"precision", to_string(key.precision)},
               {"segment", choice.segment}};
  if (choice.partitioned) bank["partitioned"] = true;
  if (choice.radices.empty()) return bank;
  bank["radices"] = choice.radices;
  bank["items"] = choice.items;
  bank["registers"] = choice.registers;
  bank["groups"] = choice.groups;
  bank["root_step"] = choice.root_step;
  return bank;
}

std::pair<plan::BankKey, plan::BankChoice> bank_of(const Json& bank) {
  const plan::BankKey key{number<std::uint64_t>(bank, "taps", {}), named(bank, "filters", filter_counts),
                          bank.at("complex").get<bool>(), named(bank, "precision", precisions)};
  plan::BankChoice choice;
  choice.segment = number<std::uint64_t>(bank, "segment", {});
  choice.partitioned = bank.value("partitioned", false);
  if (!bank.contains("radices")) return {key, choice};
  choice.radices = radices_of(bank);
  choice.items = number<std::uint32_t>(bank, "items", {});
  choice.registers = number<std::uint32_t>(bank, "registers", 0);
  choice.groups = number<std::uint32_t>(bank, "groups", 0);
  choice.root_step = number<std::uint32_t>(bank, "root_step", 0);
  return {key, choice};
}

// Files of before have the SIMD library's names of the host's targets.
std::string target_of(const Json& device) {
  const std::string target = device.value("target", "");
  if (target == "AVX3") return "AVX-512";
  return target == "SCALAR" ? "plain" : target;
}

// `entries` in a list, each on a line of its own: what changed shows in a comparison.
template <class Entries>
std::string list_text(const Entries& entries) {
  std::string text;
  for (const auto& [key, choice] : entries) text += (text.empty() ? "\n  " : ",\n  ") + to_json(key, choice).dump();
  return "[" + text + "]";
}

}  // namespace

DeviceIdentity identity_of(const DeviceInfo& info) {
  return {std::string(to_string(info.backend)), info.name, info.backend == BackendKind::host ? info.driver : ""};
}

std::string print_choice_book(const ChoiceBook& book) {
  std::string text = fmt::format("{{\"format\": \"twiddle choices\", \"version\": {}, \"devices\": [", choices_version);
  const char* device_separator = "\n";
  for (const auto& [identity, table] : book) {
    text += fmt::format("{}{{\"backend\": {}, \"name\": {}, \"target\": {}, \"lines\": {}", device_separator,
                        Json(identity.backend).dump(), Json(identity.name).dump(), Json(identity.target).dump(),
                        list_text(table.lines()));
    device_separator = ",\n";
    if (!table.banks().empty()) text += ", \"banks\": " + list_text(table.banks());
    text += "}";
  }
  return text + "]}\n";
}

ChoiceBook parse_choice_book(std::string_view text) {
  return parse_records(text, "choices", choices_version, [](const Json& json, std::string& where) {
    ChoiceBook book;
    for (const Json& device : list(json, "devices")) {
      const DeviceIdentity identity{device.at("backend").get<std::string>(), device.at("name").get<std::string>(),
                                    target_of(device)};
      plan::ChoiceTable& table = book[identity];
      where = identity.name;
      for (const Json& line : list(device, "lines")) {
        where = fmt::format("{}, choice {}", identity.name, table.lines().size() + 1);
        auto [key, choice] = line_of(line);
        table.set(key, std::move(choice));
      }
      if (!device.contains("banks")) continue;
      for (const Json& bank : list(device, "banks")) {
        where = fmt::format("{}, bank {}", identity.name, table.banks().size() + 1);
        auto [key, choice] = bank_of(bank);
        table.set(key, std::move(choice));
      }
    }
    return book;
  });
}

}  // namespace twiddle::tuning
