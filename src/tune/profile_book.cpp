// Reading and writing the text of device profiles.
#include "tune/profile_book.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tune/record_text.hpp"
#include "twiddle/error.hpp"

namespace twiddle::tuning {
namespace {

using Json = nlohmann::ordered_json;

constexpr int format_version = 1;

std::string print(const plan::SizeCurve& curve) {
  Json points = Json::array();
  for (const auto& [bytes, seconds] : curve.points()) points.push_back(Json::array({bytes, seconds}));
  return points.dump();
}

plan::SizeCurve curve_of(const Json& device, const char* field) {
  std::vector<plan::SizeCurve::Point> points;
  for (const Json& point : list(device, field)) {
    if (!point.is_array() || point.size() != 2 || !point[0].is_number_unsigned() || !point[1].is_number()) {
      throw InvalidArgument(fmt::format("\"{}\" holds {}; expected pairs of bytes and seconds", field, point.dump()));
    }
    points.push_back({point[0].get<std::uint64_t>(), point[1].get<double>()});
  }
  return plan::SizeCurve(std::move(points));
}

// What older versions measured is measured anew.
bool is_older(const Json& device) { return !device.contains("aligned_strided_slowdown"); }

plan::DeviceProfile profile_of(const Json& device) {
  plan::DeviceProfile profile;
  profile.wait_seconds = device.at("wait_seconds").get<double>();
  profile.cached_strided_slowdown = device.at("cached_strided_slowdown").get<double>();
  profile.strided_slowdown = device.at("strided_slowdown").get<double>();
  profile.long_strided_slowdown = device.at("long_strided_slowdown").get<double>();
  profile.aligned_strided_slowdown = device.at("aligned_strided_slowdown").get<double>();
  profile.double_slowdown = device.at("double_slowdown").get<double>();
  profile.short_slowdown = device.at("short_slowdown").get<double>();
  profile.many_short_slowdown = device.at("many_short_slowdown").get<double>();
  profile.shortest_slowdown = device.at("shortest_slowdown").get<double>();
  profile.row_mapping = device.at("row_mapping").get<double>();
  profile.column_mapping = device.at("column_mapping").get<double>();
  profile.stage = curve_of(device, "stage");
  profile.line = curve_of(device, "line");
  profile.after_writing = curve_of(device, "after_writing");
  profile.to_device = curve_of(device, "to_device");
  profile.from_device = curve_of(device, "from_device");
  validate(profile);
  return profile;
}

}  // namespace

ProfileKey profile_key_of(const DeviceInfo& info) {
  return {std::string(to_string(info.backend)), info.name, info.driver, info.limits.compute_units};
}

std::string print_profile_book(const ProfileBook& book) {
  std::string text = fmt::format("{{\"format\": \"twiddle profiles\", \"version\": {}, \"devices\": [", format_version);
  const char* separator = "\n";
  for (const auto& [key, profile] : book) {
    const Json names = {{"backend", key.backend}, {"name", key.name}, {"driver", key.driver}, {"units", key.units}};
    const Json numbers = {{"wait_seconds", profile.wait_seconds},
                          {"cached_strided_slowdown", profile.cached_strided_slowdown},
                          {"strided_slowdown", profile.strided_slowdown},
                          {"long_strided_slowdown", profile.long_strided_slowdown},
                          {"aligned_strided_slowdown", profile.aligned_strided_slowdown},
                          {"double_slowdown", profile.double_slowdown},
                          {"short_slowdown", profile.short_slowdown},
                          {"many_short_slowdown", profile.many_short_slowdown},
                          {"shortest_slowdown", profile.shortest_slowdown},
                          {"row_mapping", profile.row_mapping},
                          {"column_mapping", profile.column_mapping}};
    const std::string name_text = names.dump();
    const std::string number_text = numbers.dump();
    text += fmt::format(
        "{}{},\n {},\n \"stage\":{},\n \"line\":{},\n \"after_writing\":{},\n \"to_device\":{},\n \"from_device\":{}}}",
        separator, std::string_view(name_text).substr(0, name_text.size() - 1),
        std::string_view(number_text).substr(1, number_text.size() - 2), print(profile.stage), print(profile.line),
        print(profile.after_writing), print(profile.to_device), print(profile.from_device));
    separator = ",\n";
  }
  return text + "]}\n";
}

ProfileBook parse_profile_book(std::string_view text) {
  return parse_records(text, "profiles", format_version, [](const Json& json, std::string& where) {
    ProfileBook book;
    std::size_t position = 0;
    for (const Json& device : list(json, "devices")) {
      where = fmt::format("device {}", ++position);
      if (device.is_object() && is_older(device)) continue;
      const ProfileKey key{device.at("backend").get<std::string>(), device.at("name").get<std::string>(),
                           device.at("driver").get<std::string>(), device.at("units").get<std::size_t>()};
      where = key.name;
      book[key] = profile_of(device);
    }
    return book;
  });
}

}  // namespace twiddle::tuning
