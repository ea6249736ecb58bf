// Signals through filters piece by piece, in memory that does not depend on the signal's length.

#include <algorithm>

#include "extended_signal.hpp"
#include "signal_problem.hpp"
#include "twiddle/convolution_stream.hpp"

namespace twiddle::tool {
namespace {

constexpr std::size_t piece_scalars = std::size_t{1} << 18;  // that are read at a time

// One stream for all rows, or one for each channel.
class Streams {
 public:
  Streams(const Device& device, const Convolution& convolution, Pairing pairing, std::span<const std::byte> filters)
      : precision_(convolution.precision), element_(element_bytes({convolution.precision, convolution.complex})) {
    const auto [each, count] = separate(convolution, pairing);
    StreamSettings settings{.filter_length = convolution.kernel_lengths[0], .precision = convolution.precision};
    settings.complex = convolution.complex;
    settings.signals = each.signals;
    settings.filters = each.filters;
    rows_ = settings.signals * settings.filters;
    const std::size_t bytes = filters.size() / count;
    for (std::size_t i = 0; i < count; ++i) {
      streams_.emplace_back(device, settings, precision_, filters.subspan(i * bytes, bytes));
    }
  }

  [[nodiscard]] std::size_t rows() const { return rows_ * streams_.size(); }
  [[nodiscard]] std::size_t available() const { return streams_[0].available(); }
  [[nodiscard]] std::string describe() const { return streams_[0].describe(); }

  void push(std::span<const std::byte> samples) {
    const std::size_t bytes = samples.size() / streams_.size();
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      streams_[i].push_bytes(precision_, samples.subspan(i * bytes, bytes));
    }
  }
  void finish() {
    for (ConvolutionStream& stream : streams_) stream.finish();
  }
  std::span<const std::byte> pop(std::size_t count) {
    const std::size_t bytes = rows_ * count * element_;
    results_.resize(streams_.size() * bytes);
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      streams_[i].pop_bytes(precision_, std::span(results_).subspan(i * bytes, bytes));
    }
    return results_;
  }

 private:
  Precision precision_;
  std::size_t element_;
  std::size_t rows_ = 1;  // of a stream's results
  std::vector<ConvolutionStream> streams_;
  std::vector<std::byte> results_;
};

// The signal from M - 1 samples before the first output's own on, so that every output is a settled sum of M products.
void run_streams(const Convolution& convolution, ExtendedSignal signal, Streams& streams, SignalSink& sink,
                 const std::function<void(double)>& progress) {
  const auto length = static_cast<std::int64_t>(convolution.kernel_lengths[0]);
  const std::int64_t first = length - 1 - default_past(convolution)[0];
  const auto count = static_cast<std::int64_t>(convolved_lengths(convolution)[0]);
  const std::int64_t begin = first - (length - 1);
  const std::int64_t end = first + count;
  auto unsettled = static_cast<std::size_t>(length - 1);
  auto left = static_cast<std::size_t>(count);
  const auto drain = [&] {
    const std::size_t skipped = std::min(unsettled, streams.available());
    if (skipped != 0) static_cast<void>(streams.pop(skipped));
    unsettled -= skipped;
    const std::size_t some = std::min(left, streams.available());
    if (some != 0) sink.write(streams.pop(some), some);
    left -= some;
  };
  const auto piece = static_cast<std::int64_t>(
      std::max<std::size_t>(1024, piece_scalars / std::max(convolution.signals, streams.rows())));
  for (std::int64_t at = begin; at < end; at += piece) {
    streams.push(signal.read(at, std::min(end, at + piece)));
    drain();
    progress(static_cast<double>(at - begin) / static_cast<double>(end - begin));
  }
  streams.finish();
  drain();
}

}  // namespace

std::string stream_signal(const SignalConvolutionOptions& options, const SignalProblem& problem, SignalSink& sink,
                          const std::function<void(double)>& progress) {
  const std::vector<std::byte> filters = read_filters(*problem.filters, problem.type, options.gain, options.correlate);
  Streams streams(problem.device, problem.convolution, problem.pairing, filters);
  run_streams(problem.convolution, ExtendedSignal(*problem.signal, options.boundary, problem.type), streams, sink,
              progress);
  return streams.describe();
}

}  // namespace twiddle::tool
