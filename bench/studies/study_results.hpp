// Samples kept in a file, so that an interrupted run goes on where it stopped.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "csv_file.hpp"
#include "study.hpp"

namespace twiddle::studies {

// What samples must agree in to be taken for each other.
struct Identity {
  std::string device;   // "opencl:0 (AMD EPYC 9B14, 3.1)"
  std::string version;  // of twiddle
  bool quick = false;
  bool operator==(const Identity&) const = default;
};

class StudyResults {
 public:
  // Reads the file's samples of the identity; others stay in it. An empty name: nothing is kept. Throws
  // std::runtime_error for a damaged file, saying what is wrong and what helps.
  StudyResults(const std::string& file, Identity identity);

  // Those that a file has samples of, in order of their first.
  [[nodiscard]] static std::vector<Identity> identities(const std::string& file);

  // Nothing where the trial was not measured.
  [[nodiscard]] std::vector<Sample> find(const Study& study, const Trial& trial) const;
  [[nodiscard]] std::vector<Sample> find(const Study& study) const;  // of all trials

  // In one piece: a trial is there as a whole or not at all. It is found again as it stands in the file, rounded.
  void add(const Study& study, const std::vector<Sample>& samples);

  // What is to be known of the device and the run; of one name the latest counts.
  void add_fact(const std::string& name, const std::string& value);
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> facts() const;

 private:
  Identity identity_;
  bench::CsvFile file_;
  std::vector<std::pair<std::string, Sample>> known_;  // by name of the study
};

}  // namespace twiddle::studies
