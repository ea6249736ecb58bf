// One level of a partitioned convolution: spectra of the latest segments, products with those of the filters'
// partitions.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "apps/stream_state.hpp"
#include "backend/host/spectrum_products.hpp"
#include "plan/convolution/stream_levels.hpp"
#include "twiddle/convolution_stream.hpp"
#include "twiddle/plan.hpp"

namespace twiddle::apps {

// T: float or double. Samples are one or, where the settings are complex, two of them.
template <class T>
class StreamLevelWorker {
 public:
  // `filters`: [filter][sample].
  StreamLevelWorker(const Device& device, const StreamSettings& settings, const plan::StreamLevel& level,
                    std::span<const T> filters, std::int64_t simd_targets);

  [[nodiscard]] const plan::StreamLevel& level() const { return level_; }

  // Where the caller puts the latest segments, [signal][segment], before run().
  [[nodiscard]] std::span<T> segments() { return segments_; }

  // The block of results [signal][filter] that begin at sample count * block + offset of the results, where `count` is
  // how often this ran before. Row r is at result(r) until the next call. Samples that are not finite, which transforms
  // would spread over the block and those after it, are taken for zeros.
  void run();
  // Whether there may have been such samples among the last segments.
  [[nodiscard]] bool hid_samples() const { return hid_samples_; }
  [[nodiscard]] std::span<const T> result(std::size_t row) const;

  [[nodiscard]] std::uint64_t count() const { return count_; }
  void reset();
  // Scalars that save() writes beside the count.
  [[nodiscard]] std::size_t line_size() const { return line_.size(); }
  void save(StateWriter& writer) const;
  void restore(StateReader& reader);

 private:
  void transform_filters(std::span<const T> filters);
  void transform_segments(std::span<T> spectra);

  StreamSettings settings_;
  plan::StreamLevel level_;
  std::size_t scalars_;  // of a sample
  std::size_t bins_;     // complex numbers of a spectrum
  backend::host::AddProducts<T> add_products_;
  std::shared_ptr<const Plan> forward_;
  std::shared_ptr<const Plan> inverse_;  // the same where there is one filter
  std::vector<T> segments_;
  std::vector<T> spectra_;  // [partition][filter][bin], of the filters
  std::vector<T> line_;     // [segment modulo partitions][signal][bin], of the signals
  std::vector<T> sums_;     // [signal][filter][bin]
  std::vector<T> results_;  // [signal][filter][segment]
  std::uint64_t count_ = 0;
  bool hid_samples_ = false;
};

}  // namespace twiddle::apps
