// Reading baselines.
#include "baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

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

std::vector<BaselineRow> read_baseline(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  if (!std::getline(stream, line)) throw std::runtime_error(fmt::format("cannot read {}", file));
  const std::vector<std::string> names = split(line);
  const auto named = [&](const char* name) {
    return column(names, file, name, [name](const std::string& candidate) { return candidate == name; });
  };
  const std::size_t type = named("type");
  const auto batch = std::find(names.begin(), names.end(), "batch") - names.begin();
  const std::size_t time = column(names, file, "vkfft..._ms", [](const std::string& candidate) {
    return candidate.find("vkfft") != std::string::npos && candidate.ends_with("_ms");
  });
  const std::size_t sizes[] = {named("nz"), named("ny"), named("nx")};
  std::vector<BaselineRow> rows;
  while (std::getline(stream, line)) {
    const std::vector<std::string> fields = split(line);
    if (fields.size() < names.size()) continue;
    BaselineRow row{fields[type], {}, 1, {}};
    for (const std::size_t size : sizes) {
      const std::size_t length = std::stoull(fields[size]);
      if (length > 1 || !row.lengths.empty()) row.lengths.push_back(length);
    }
    if (static_cast<std::size_t>(batch) < names.size())
      row.batch = std::stoull(fields[static_cast<std::size_t>(batch)]);
    if (std::stod(fields[time]) > 0) row.milliseconds = std::stod(fields[time]);
    rows.push_back(std::move(row));
  }
  return rows;
}

Baseline::Baseline(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    for (BaselineRow& row : read_baseline(file)) rows_.push_back(std::move(row));
  }
}

std::optional<double> Baseline::gigabytes_per_second(const Transform& transform) const {
  for (const BaselineRow& row : rows_) {
    if (row.type != "C2C" || row.lengths != transform.lengths || !row.milliseconds) continue;
    const auto elements = static_cast<double>(row.batch * array_elements(transform));
    return 2e-6 * sizeof(std::complex<float>) * elements / *row.milliseconds;
  }
  return std::nullopt;
}

}  // namespace twiddle::bench
