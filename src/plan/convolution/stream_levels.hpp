// How a filter is cut into partitions for convolution of a stream.
#pragma once

#include <cstddef>
#include <vector>

#include "twiddle/transform.hpp"

namespace twiddle::plan {

// Partitions of equal length, one after the other. Whenever `block` samples have arrived, they and those before them,
// `segment` in all, are transformed once.
struct StreamLevel {
  std::size_t block = 0;
  std::size_t segment = 0;    // at least block + the partitions' length - 1
  std::size_t offset = 0;     // of the first partition in the filter
  std::size_t partition = 0;  // samples of a partition; the last one may have fewer
  std::size_t partitions = 0;
  bool operator==(const StreamLevel&) const = default;
};

// Levels whose blocks grow, the first with `block`, so that each finishes in time: offset >= its block - `block`. They
// cover the filter without gaps, at the least cost by a model. With block = 0 a single partition and the best block for
// it.
[[nodiscard]] std::vector<StreamLevel> choose_stream_levels(std::size_t filter_length, std::size_t filters,
                                                            std::size_t block, bool complex);

}  // namespace twiddle::plan
