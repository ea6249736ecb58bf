// Samples kept in a file, so that an interrupted run goes on where it stopped.
#pragma once

#include <string>
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

  // Nothing where the trial was not measured.
  [[nodiscard]] std::vector<Sample> find(const Study& study, const Trial& trial) const;

  // In one piece: a trial is there as a whole or not at all. It is found again as it stands in the file, rounded.
  void add(const Study& study, const std::vector<Sample>& samples);

 private:
  Identity identity_;
  bench::CsvFile file_;
  std::vector<std::pair<std::string, Sample>> known_;  // by name of the study
};

}  // namespace twiddle::studies
