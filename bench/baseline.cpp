// Reading baselines.
#include "baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace twiddle::bench {
namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  return fields;
}

template <typename Predicate>
std::size_t column(const std::vector<std::string>& names, const std::string& file, const char* what, Predicate is_it) {
  const auto found = std::find_if(names.begin(), names.end(), is_it);
  if (found == names.end()) throw std::runtime_error(fmt::format("{} has no column {}", file, what));
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

Baseline::Baseline(const std::vector<std::string>& files) {
  for (const std::string& file : files) read(file);
}

void Baseline::read(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  if (!std::getline(stream, line)) throw std::runtime_error(fmt::format("cannot read {}", file));
  const std::vector<std::string> names = split(line);
  const auto named = [&](const char* name) {
    return column(names, file, name, [name](const std::string& candidate) { return candidate == name; });
  };
  const std::size_t type = named("type");
  const std::size_t batch = named("batch");
  const std::size_t time = column(names, file, "vkfft..._ms", [](const std::string& candidate) {
    return candidate.find("vkfft") != std::string::npos && candidate.ends_with("_ms");
  });
  const std::size_t sizes[] = {named("nz"), named("ny"), named("nx")};
  while (std::getline(stream, line)) {
    const std::vector<std::string> fields = split(line);
    if (fields.size() < names.size() || fields[type] != "C2C" || std::stod(fields[time]) <= 0) continue;
    Row row;
    double elements = std::stod(fields[batch]);
    for (const std::size_t size : sizes) {
      const std::size_t length = std::stoull(fields[size]);
      elements *= static_cast<double>(length);
      if (length > 1 || !row.lengths.empty()) row.lengths.push_back(length);
    }
    row.gigabytes_per_second = 16.0 * elements / std::stod(fields[time]) * 1e-6;
    rows_.push_back(row);
  }
}

std::optional<double> Baseline::gigabytes_per_second(const Transform& transform) const {
  const auto found =
      std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.lengths == transform.lengths; });
  if (found == rows_.end()) return std::nullopt;
  return found->gigabytes_per_second;
}

}  // namespace twiddle::bench
