// Signals through filters by plans: by any method, on any device, with post-processing. Long signals of one dimension
// go in pieces, so that memory does not depend on their length.
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "extended_signal.hpp"
#include "plan/convolution/filter_bank.hpp"
#include "signal_problem.hpp"
#include "twiddle/convolution_plan.hpp"
#include "twiddle/workspace.hpp"

namespace twiddle::tool {
namespace {

constexpr std::size_t piece_elements = std::size_t{1} << 22;  // of all rows of a piece, at least

// The method and why; its passes are more than a reader of results wants to know.
std::string method_of(const ConvolutionPlan& plan) {
  const std::string description = plan.describe();
  const std::size_t begin = std::min(description.find("method: "), description.size());
  std::string method = description.substr(begin, description.find('\n', begin) - begin);
  if (method.ends_with("of:")) method.erase(method.find_last_of(",;"));  // a list of what was compared follows there
  return method;
}

// One plan for all rows, or one for each channel.
class Plans {
 public:
  Plans(const SignalProblem& problem, Convolution convolution, const std::vector<std::byte>& filters) {
    const auto [each, count] = separate(std::move(convolution), problem.pairing);
    const Workspace workspace(problem.device);
    for (std::size_t i = 0; i < count; ++i) {
      ConvolutionPlan& plan = plans_.emplace_back(workspace, each);
      plan.set_filters_bytes(std::span(filters).subspan(i * plan.filter_bytes(), plan.filter_bytes()));
    }
    results_.resize(count * plans_[0].output_bytes());
  }

  [[nodiscard]] std::string method() const { return method_of(plans_[0]); }

  // [row][result] of [row][sample].
  std::span<const std::byte> run(std::span<const std::byte> samples) {
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      const ConvolutionPlan& plan = plans_[i];
      plan.execute_bytes(samples.subspan(i * plan.signal_bytes(), plan.signal_bytes()),
                         std::span(results_).subspan(i * plan.output_bytes(), plan.output_bytes()));
    }
    return results_;
  }

 private:
  std::vector<ConvolutionPlan> plans_;
  std::vector<std::byte> results_;
};

// Results that functions of neighbours need on either side of a line.
std::size_t neighbours(PostProcessing::Function function) {
  const plan::Halo halo = plan::halo_of(function, nullptr);
  return std::max(halo.left, halo.right);
}

// Every piece is a convolution in mode valid of the samples that its results need, those beyond the signal's ends
// included; with a few results more on both sides where these need neighbours. The last one reads on beyond the end.
class Pieces {
 public:
  Pieces(const SignalConvolutionOptions& options, const SignalProblem& problem, std::size_t results)
      : whole_(problem.convolution),
        step_(whole_.post.decimation),
        beside_((neighbours(whole_.post.function) + step_ - 1) / step_ * step_),
        results_((results + step_ - 1) / step_ * step_),
        signal_(*problem.signal, options.boundary, problem.type),
        element_(element_bytes({whole_.precision, has_complex_output(whole_)})),
        plans_(problem, piece(), read_filters(*problem.filters, problem.type, options.gain, false)) {}

  std::string run(SignalSink& sink, const std::function<void(double)>& progress) {
    const std::size_t count = convolved_lengths(whole_)[0];
    const auto taps = static_cast<std::int64_t>(whole_.kernel_lengths[0]);
    const std::int64_t start = -default_past(whole_)[0] - static_cast<std::int64_t>(beside_);
    for (std::size_t at = 0; at < count; at += results_) {
      const std::int64_t begin = start + static_cast<std::int64_t>(at);
      const std::int64_t end = begin + static_cast<std::int64_t>(results_ + 2 * beside_) + taps - 1;
      const std::size_t results = std::min(results_, count - at);
      write(plans_.run(signal_.read(begin, end)), results, sink);
      progress(static_cast<double>(at + results) / static_cast<double>(count));
    }
    return plans_.method() + ", in pieces";
  }

 private:
  [[nodiscard]] Convolution piece() const {
    Convolution convolution = whole_;
    convolution.signal_lengths = {results_ + 2 * beside_ + whole_.kernel_lengths[0] - 1};
    convolution.mode = Convolution::Mode::valid;
    convolution.boundary = Boundary::zero;
    return convolution;
  }

  // What is stored of so many results.
  [[nodiscard]] std::size_t stored(std::size_t results) const {
    return plan::stored_outputs(whole_.post.function, step_, results);
  }

  void write(std::span<const std::byte> all, std::size_t results, SignalSink& sink) {
    const std::size_t row = stored(results_ + 2 * beside_) * element_;
    const std::size_t kept = stored(results) * element_;
    const std::size_t skipped = stored(beside_) * element_;
    own_.resize(all.size() / row * kept);
    for (std::size_t i = 0; i < all.size() / row; ++i) {
      std::memcpy(own_.data() + i * kept, all.data() + i * row + skipped, kept);
    }
    sink.write(own_, stored(results));
  }

  const Convolution& whole_;
  std::size_t step_;
  std::size_t beside_;   // results on either side that are not kept
  std::size_t results_;  // of a piece, before what is stored of them
  ExtendedSignal signal_;
  std::size_t element_;
  Plans plans_;
  std::vector<std::byte> own_;
};

}  // namespace

std::string plan_signal(const SignalConvolutionOptions& options, const SignalProblem& problem, SignalSink& sink,
                        const std::function<void(double)>& progress) {
  const Convolution& convolution = problem.convolution;
  const std::size_t piece =
      std::max(8 * convolution.kernel_lengths[0], piece_elements / (convolution.signals * (1 + convolution.filters)));
  if (convolution.signal_lengths.size() == 1 && convolved_lengths(convolution)[0] > piece) {
    return Pieces(options, problem, piece).run(sink, progress);
  }
  SignalSource& source = *problem.signal;
  std::vector<std::byte> signal(source.rows() * source.samples() * element_bytes(problem.type));
  source.read(0, source.samples(), problem.type, signal);
  Plans plans(problem, convolution, read_filters(*problem.filters, problem.type, options.gain, false));
  sink.write(plans.run(signal), output_lengths(convolution).back());
  return plans.method();
}

}  // namespace twiddle::tool
