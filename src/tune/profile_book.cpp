// Reading and writing the text of device profiles.
#include "tune/profile_book.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "tune/record_text.hpp"
#include "twiddle/error.hpp"

namespace twiddle::tuning {
namespace {

using Json = nlohmann::ordered_json;

constexpr int profiles_version = 1;

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

// The fields of a profile, in the order in which they are written.
constexpr std::pair<const char*, double plan::DeviceProfile::*> number_fields[] = {
    {"wait_seconds", &plan::DeviceProfile::wait_seconds},
    {"cached_strided_slowdown", &plan::DeviceProfile::cached_strided_slowdown},
    {"strided_slowdown", &plan::DeviceProfile::strided_slowdown},
    {"long_strided_slowdown", &plan::DeviceProfile::long_strided_slowdown},
    {"aligned_strided_slowdown", &plan::DeviceProfile::aligned_strided_slowdown},
    {"double_slowdown", &plan::DeviceProfile::double_slowdown},
    {"short_slowdown", &plan::DeviceProfile::short_slowdown},
    {"many_short_slowdown", &plan::DeviceProfile::many_short_slowdown},
    {"shortest_slowdown", &plan::DeviceProfile::shortest_slowdown},
    {"row_mapping", &plan::DeviceProfile::row_mapping},
    {"column_mapping", &plan::DeviceProfile::column_mapping},
};
constexpr std::pair<const char*, plan::SizeCurve plan::DeviceProfile::*> curve_fields[] = {
    {"stage", &plan::DeviceProfile::stage},
    {"line", &plan::DeviceProfile::line},
    {"after_writing", &plan::DeviceProfile::after_writing},
    {"to_device", &plan::DeviceProfile::to_device},
    {"from_device", &plan::DeviceProfile::from_device},
};

// Of what is measured, and how: what other versions measured in other ways is measured anew.
constexpr int revision = 2;
bool is_of_other_revision(const Json& device) { return !device.contains("revision") || device["revision"] != revision; }

plan::DeviceProfile read_profile(const Json& device) {
  plan::DeviceProfile profile;
  for (const auto& [name, number] : number_fields) profile.*number = device.at(name).get<double>();
  for (const auto& [name, curve] : curve_fields) profile.*curve = curve_of(device, name);
  validate(profile);
  return profile;
}

}  // namespace

ProfileKey profile_key_of(const DeviceInfo& info) {
  return {std::string(to_string(info.backend)), info.name, info.driver, info.limits.compute_units};
}

std::string print_profile_book(const ProfileBook& book) {
  std::string text =
      fmt::format("{{\"format\": \"twiddle profiles\", \"version\": {}, \"devices\": [", profiles_version);
  const char* separator = "\n";
  for (const auto& [key, profile] : book) {
    const Json names = {{"backend", key.backend},
                        {"name", key.name},
                        {"driver", key.driver},
                        {"units", key.units},
                        {"revision", revision}};
    Json numbers;
    for (const auto& [name, number] : number_fields) numbers[name] = profile.*number;
    const std::string name_text = names.dump();
    const std::string number_text = numbers.dump();
    text += fmt::format("{}{},\n {}", separator, std::string_view(name_text).substr(0, name_text.size() - 1),
                        std::string_view(number_text).substr(1, number_text.size() - 2));
    for (const auto& [name, curve] : curve_fields) text += fmt::format(",\n \"{}\":{}", name, print(profile.*curve));
    text += '}';
    separator = ",\n";
  }
  return text + "]}\n";
}

ProfileBook parse_profile_book(std::string_view text) {
  return parse_records(text, "profiles", profiles_version, [](const Json& json, std::string& where) {
    ProfileBook book;
    std::size_t position = 0;
    for (const Json& device : list(json, "devices")) {
      where = fmt::format("device {}", ++position);
      if (device.is_object() && is_of_other_revision(device)) continue;
      const ProfileKey key{device.at("backend").get<std::string>(), device.at("name").get<std::string>(),
                           device.at("driver").get<std::string>(), device.at("units").get<std::size_t>()};
      where = key.name;
      book[key] = read_profile(device);
    }
    return book;
  });
}

}  // namespace twiddle::tuning
