// What the texts of choices and profiles have in common: a name and a version before what they hold.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "twiddle/error.hpp"

namespace twiddle::tuning {

// The field's list: a scalar would count as a list of one, and null as an empty one. Throws InvalidArgument for both.
inline const nlohmann::ordered_json& list(const nlohmann::ordered_json& record, const char* field) {
  const auto& entries = record.at(field);
  if (entries.is_array()) return entries;
  throw InvalidArgument(fmt::format("\"{}\" is {}; expected a list", field, entries.dump()));
}

// Calls `read` with the text as JSON, whose "format" and "version" are checked, and with a string in which it says
// where it is. Throws InvalidArgument, saying where, for whatever is wrong: "these are no WHAT of twiddle's: ...".
template <class Read>
auto parse_records(std::string_view text, std::string_view what, int version, const Read& read) {
  using Json = nlohmann::ordered_json;
  std::string where = "the beginning";
  const auto fail = [&](const char* reason) {
    return InvalidArgument(fmt::format("these are no {} of twiddle's: at {}: {}", what, where, reason));
  };
  try {
    const Json json = Json::parse(text);
    const std::string format = fmt::format("twiddle {}", what);
    if (json.at("format") != format) {
      throw InvalidArgument(fmt::format("\"format\" is {}; expected \"{}\"", json["format"].dump(), format));
    }
    if (json.at("version") != version) {
      throw InvalidArgument(fmt::format("\"version\" is {}; expected {}", json["version"].dump(), version));
    }
    return read(json, where);
  } catch (const nlohmann::json::exception& error) {
    throw fail(error.what());
  } catch (const InvalidArgument& error) {
    throw fail(error.what());
  }
}

}  // namespace twiddle::tuning
