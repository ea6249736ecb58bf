// Figures of another library to compare with, from comma-separated files with the columns type, nx (the contiguous
// dimension), ny, nz, batch and one whose name contains "vkfft" and ends in "_ms".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "twiddle/transform.hpp"

namespace twiddle::bench {

class Baseline {
 public:
  // Throws std::runtime_error where a file cannot be read or lacks a column. Earlier files take precedence.
  explicit Baseline(const std::vector<std::string>& files);

  // Bytes read and written per second (each element counted once each way), in 1e9, of the complex-to-complex transform
  // of this shape, whatever its batch.
  [[nodiscard]] std::optional<double> gigabytes_per_second(const Transform& transform) const;

 private:
  struct Row {
    std::vector<std::size_t> lengths;
    double gigabytes_per_second;
  };
  void read(const std::string& file);

  std::vector<Row> rows_;
};

}  // namespace twiddle::bench
