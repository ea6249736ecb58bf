// Figures of other libraries to compare with, from comma-separated files with the columns type (C2C, R2C, Z2Z), nx (the
// contiguous dimension), ny, nz, perhaps batch (1 where there is no such column), and one whose name contains "vkfft"
// and ends in "_ms".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "twiddle/transform.hpp"

namespace twiddle::bench {

struct BaselineRow {
  std::string type;
  std::vector<std::size_t> lengths;  // row-major, without leading dimensions of 1
  std::size_t batch = 1;
  std::optional<double> milliseconds;  // nothing where the library refused
};

// Throws std::runtime_error where the file cannot be read or lacks a column.
[[nodiscard]] std::vector<BaselineRow> read_baseline(const std::string& file);

class Baseline {
 public:
  // Earlier files take precedence.
  explicit Baseline(const std::vector<std::string>& files);

  // Bytes read and written per second (each element counted once each way), in 1e9, of the complex-to-complex transform
  // of this shape, whatever its batch.
  [[nodiscard]] std::optional<double> gigabytes_per_second(const Transform& transform) const;

 private:
  std::vector<BaselineRow> rows_;
};

}  // namespace twiddle::bench
