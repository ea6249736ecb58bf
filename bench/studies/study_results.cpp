// Samples as lines of a file.
#include "study_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace twiddle::studies {
namespace {

constexpr const char* header = "study,device,version,effort,part,x,series,us,us_low,us_high,complaint";

std::string effort_of(const Identity& identity) { return identity.quick ? "quick" : "full"; }

Identity identity_of(const bench::CsvLine& line) { return {line[1], line[2], line[3] == "quick"}; }

// How the notes about a device begin.
std::string fact_prefix(const Identity& identity) { return fmt::format("{}; ", identity.device); }

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
    : identity_(std::move(identity)), file_(open(file)) {
  for (const bench::CsvLine& line : file_.lines()) {
    const Sample sample = sample_of(line, file);
    if (identity_of(line) == identity_) known_.emplace_back(line[0], sample);
  }
}

std::vector<Identity> StudyResults::identities(const std::string& file) {
  std::vector<Identity> found;
  const bench::CsvFile results = open(file);
  for (const bench::CsvLine& line : results.lines()) {
    Identity identity = identity_of(line);
    if (std::ranges::find(found, identity) == found.end()) found.push_back(std::move(identity));
  }
  return found;
}

std::vector<Sample> StudyResults::find(const Study& study, const Trial& trial) const {
  std::vector<Sample> samples = find(study);
  std::erase_if(samples, [&](const Sample& sample) { return sample.part != trial.part || sample.x != trial.x; });
  return samples;
}

std::vector<Sample> StudyResults::find(const Study& study) const {
  std::vector<Sample> samples;
  for (const auto& [name, sample] : known_) {
    if (name == study.name) samples.push_back(sample);
  }
  return samples;
}

void StudyResults::add(const Study& study, const std::vector<Sample>& samples) {
  std::vector<bench::CsvLine> lines;
  for (const Sample& sample : samples) {
    const bench::Spread& time = sample.microseconds;
    std::string complaint = sample.complaint;
    std::ranges::replace(complaint, '\n', ' ');
    lines.push_back({study.name, identity_.device, identity_.version, effort_of(identity_), sample.part,
                     fmt::format("{:.17g}", sample.x), sample.series, fmt::format("{:.6g}", time.median),
                     fmt::format("{:.6g}", time.low), fmt::format("{:.6g}", time.high), complaint});
    known_.emplace_back(study.name, sample_of(lines.back(), file_.file()));
  }
  file_.append(lines);
}

void StudyResults::add_fact(const std::string& name, const std::string& value) {
  file_.note(fmt::format("{}{}: {}", fact_prefix(identity_), name, value));
}

std::vector<std::pair<std::string, std::string>> StudyResults::facts() const {
  std::map<std::string, std::string> latest;
  std::vector<std::string> order;
  const std::string prefix = fact_prefix(identity_);
  for (const std::string& note : file_.notes()) {
    const std::size_t colon = note.find(": ", std::min(note.size(), prefix.size()));
    if (!note.starts_with(prefix) || colon == std::string::npos) continue;
    const std::string name = note.substr(prefix.size(), colon - prefix.size());
    if (latest.insert_or_assign(name, note.substr(colon + 2)).second) order.push_back(name);
  }
  std::vector<std::pair<std::string, std::string>> facts;
  for (const std::string& name : order) facts.emplace_back(name, latest[name]);
  return facts;
}

}  // namespace twiddle::studies
