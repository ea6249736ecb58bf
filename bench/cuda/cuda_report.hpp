// What a CUDA contest prints and keeps.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "cuda_contest.hpp"

namespace twiddle::bench {

class CudaReport {
 public:
  // Prints the device, its copy rate and the libraries with their versions, and begins the file, if one is named. The
  // file has a note beginning with '#', then comma-separated values: the problem, then twiddle's ms, spread and error,
  // GB/s, the fraction of the copy rate, and of each peer its ms, spread and error and its time over twiddle's, empty
  // where it was not timed. Throws std::runtime_error where the file cannot be written.
  CudaReport(const Device& device, const CudaContest& contest, std::size_t rounds, const std::string& csv);

  void add(const CudaResult& result);

 private:
  std::ofstream csv_;
};

// The problems of such a file (its first column), or of any text that has one in each line, perhaps before a comma;
// lines that begin with '#' and the line of names are skipped. Throws std::runtime_error where the file cannot be read.
[[nodiscard]] std::vector<Problem> read_problems(const std::string& file);

}  // namespace twiddle::bench
