// A signal that goes on beyond both ends as a boundary says.
#pragma once

#include <cstdint>
#include <vector>

#include "signal_files.hpp"
#include "twiddle/convolution.hpp"

namespace twiddle::tool {

class ExtendedSignal {
 public:
  // Samples are converted to `type`. The source must live longer.
  ExtendedSignal(SignalSource& source, Boundary boundary, ElementType type)
      : source_(source), boundary_(boundary), type_(type) {}

  // Samples begin <= n < end, which may lie anywhere, of every row: [row][sample].
  [[nodiscard]] std::span<const std::byte> read(std::int64_t begin, std::int64_t end);

 private:
  // The part within or on one side of the signal that begins at `begin`.
  void read_run(std::int64_t first, std::int64_t begin, std::int64_t end, std::size_t count);

  SignalSource& source_;
  Boundary boundary_;
  ElementType type_;
  std::vector<std::byte> samples_;
  std::vector<std::byte> piece_;
};

}  // namespace twiddle::tool
