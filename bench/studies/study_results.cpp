// Samples as lines of a file.
#include "study_results.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace twiddle::studies {
namespace {

constexpr const char* header = "study,device,version,effort,part,x,series,us,us_low,us_high,complaint";

std::string effort_of(const Identity& identity) { return identity.quick ? "quick" : "full"; }

bench::CsvFile open(const std::string& file) {
  try {
    return {file, header};
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("{}; remove the file to measure anew", error.what()));
  }
}

Sample sample_of(const bench::CsvLine& line, const std::string& file) {
  try {
    const auto number = [&](std::size_t column) { return bench::csv_number(line[column], file); };
    return {line[4], number(5), line[6], {number(7), number(8), number(9)}, line[10]};
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("{}; remove the file to measure anew", error.what()));
  }
}

}  // namespace

StudyResults::StudyResults(const std::string& file, Identity identity)
    : identity_{bench::csv_field(identity.device), bench::csv_field(identity.version), identity.quick},
      file_(open(file)) {
  for (const bench::CsvLine& line : file_.lines()) {
    const Sample sample = sample_of(line, file);
    if (line[1] == identity_.device && line[2] == identity_.version && line[3] == effort_of(identity_)) {
      known_.emplace_back(line[0], sample);
    }
  }
}

std::vector<Sample> StudyResults::find(const Study& study, const Trial& trial) const {
  std::vector<Sample> samples;
  for (const auto& [name, sample] : known_) {
    if (name != study.name || sample.part != bench::csv_field(trial.part) || sample.x != trial.x) continue;
    samples.push_back(sample);
    samples.back().part = trial.part;
  }
  return samples;
}

void StudyResults::add(const Study& study, const std::vector<Sample>& samples) {
  std::vector<bench::CsvLine> lines;
  for (const Sample& sample : samples) {
    const bench::Spread& time = sample.microseconds;
    lines.push_back({study.name, identity_.device, identity_.version, effort_of(identity_), sample.part,
                     fmt::format("{:.17g}", sample.x), sample.series, fmt::format("{:.6g}", time.median),
                     fmt::format("{:.6g}", time.low), fmt::format("{:.6g}", time.high), sample.complaint});
    for (std::string& field : lines.back()) field = bench::csv_field(std::move(field));
    known_.emplace_back(study.name, sample_of(lines.back(), file_.file()));
  }
  file_.append(lines);
}

}  // namespace twiddle::studies
