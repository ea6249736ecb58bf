// Convolution of signals that arrive piece by piece and may never end: samples go in, results come out as soon as they
// are settled. The working memory does not depend on the length of the signal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include "twiddle/device.hpp"
#include "twiddle/plan.hpp"
#include "twiddle/transform.hpp"

namespace twiddle {

// What is convolved: each of `signals` signals with each of `filters` filters of `filter_length` samples, in one
// dimension.
struct StreamSettings {
  std::size_t filter_length = 0;
  std::size_t filters = 1;
  std::size_t signals = 1;
  Precision precision = Precision::float32;  // or float64
  bool complex = false;                      // samples, filters and results
  // Results follow at most block - 1 samples behind; small blocks cost more arithmetic. 0: chosen for throughput.
  std::size_t block = 0;
  bool operator==(const StreamSettings&) const = default;
};

// y[n] = sum_m h[m] x[n - m], as convolution in mode full gives it: n = 0 ... samples + filter_length - 2, with zeros
// before the first sample and behind the last. A correlation is the convolution with the filter turned around and,
// where complex, conjugated. The filter is cut into partitions, the first of them of one block, later ones larger (W.
// G. Gardner, Efficient convolution without input-output delay, 1995; F. Wefers, Partitioned convolution algorithms for
// real-time auralization, 2015). Equal samples give equal bits, however they are divided into pieces. The results that a
// sample touches which is not finite are not a number; the others are as if it were zero. Not to be used by two threads
// at once.
class ConvolutionStream {
 public:
  // `filters`: [filter][sample], scalars or complex numbers of the settings' precision. Throws InvalidArgument for
  // settings that make no sense and for filters of another size, Unsupported for other devices than the host.
  template <std::ranges::contiguous_range Filters>
  ConvolutionStream(const Device& device, const StreamSettings& settings, const Filters& filters)
      : ConvolutionStream(device, settings, precision_of<std::ranges::range_value_t<Filters>>,
                          std::as_bytes(std::span(filters))) {}
  // For types that are known at run time only.
  ConvolutionStream(const Device& device, const StreamSettings& settings, Precision precision,
                    std::span<const std::byte> filters);
  ~ConvolutionStream();
  ConvolutionStream(ConvolutionStream&&) noexcept;
  ConvolutionStream& operator=(ConvolutionStream&&) noexcept;

  // The settings, with the block that was chosen.
  [[nodiscard]] const StreamSettings& settings() const;

  // Any number of samples of every signal: [signal][sample]. Throws InvalidArgument after finish().
  template <std::ranges::contiguous_range Samples>
  void push(const Samples& samples) {
    push_bytes(precision_of<std::ranges::range_value_t<Samples>>, std::as_bytes(std::span(samples)));
  }
  void push_bytes(Precision precision, std::span<const std::byte> samples);

  // No more samples: makes the rest of the results available, filter_length - 1 beyond the last sample (none at all
  // where there was no sample).
  void finish();

  // Results of every signal and filter that can be taken.
  [[nodiscard]] std::size_t available() const;

  // The next results, as many as `results` has room for: [signal][filter][result]. Throws InvalidArgument where they
  // are not available.
  template <std::ranges::contiguous_range Results>
  void pop(Results&& results) {
    pop_bytes(precision_of<std::ranges::range_value_t<Results>>, std::as_writable_bytes(std::span(results)));
  }
  void pop_bytes(Precision precision, std::span<std::byte> results);

  // Back to the state before the first sample.
  void reset();

  // Everything that later results depend on, and results that were not taken. A stream of equal settings and filters
  // (on the same machine and version) goes on from it as this one would. restore() throws InvalidArgument for what was
  // saved by another and for bytes that are not whole; the stream is then as it was.
  [[nodiscard]] std::vector<std::byte> save() const;
  void restore(std::span<const std::byte> state);

  // The partitions, for people: "block 256: 3 x 256, 2 x 1024".
  [[nodiscard]] std::string describe() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace twiddle
