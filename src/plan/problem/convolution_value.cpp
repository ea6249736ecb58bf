// Checks and sizes of the public Convolution value.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "plan/convolution/filter_bank.hpp"
#include "twiddle/convolution.hpp"
#include "twiddle/error.hpp"
#include "twiddle/hook.hpp"

namespace twiddle {
namespace {

constexpr std::size_t largest_dimensions = 3;
// Elements that can be addressed, with room for sums of a few lengths.
constexpr std::size_t most_elements = std::numeric_limits<std::ptrdiff_t>::max() / (16 * sizeof(double));

std::size_t checked_product(std::size_t first, std::size_t second, const std::vector<std::size_t>& lengths,
                            const char* name) {
  std::size_t product = 1;
  std::vector<std::size_t> factors{first, second};
  factors.insert(factors.end(), lengths.begin(), lengths.end());
  for (const std::size_t factor : factors) {
    if (factor != 0 && product > most_elements / factor) {
      throw InvalidArgument(fmt::format("the {} of {} have more than {} elements, which cannot be addressed", name,
                                        fmt::join(factors, " x "), most_elements));
    }
    product *= factor;
  }
  return product;
}

void check_positive(const std::vector<std::size_t>& lengths, const char* name) {
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
    if (lengths[axis] == 0) {
      throw InvalidArgument(
          fmt::format("the {} is empty: its length along axis {} is 0; expected at least 1", name, axis));
    }
  }
}

void check_lengths(const Convolution& convolution) {
  const std::size_t rank = convolution.signal_lengths.size();
  if (rank == 0 || rank > largest_dimensions) {
    throw InvalidArgument(
        fmt::format("a signal of {} dimensions was given; expected 1 to {}", rank, largest_dimensions));
  }
  if (convolution.kernel_lengths.size() != rank) {
    throw InvalidArgument(fmt::format("the kernel has {} dimension(s); expected {}, as many as the signal",
                                      convolution.kernel_lengths.size(), rank));
  }
  check_positive(convolution.signal_lengths, "signal");
  check_positive(convolution.kernel_lengths, "kernel");
  if (convolution.signals == 0) throw InvalidArgument("0 signals were given; expected at least 1");
  if (convolution.filters == 0) throw InvalidArgument("0 filters were given; expected at least 1");
  if (convolution.mode != Convolution::Mode::valid) return;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (convolution.kernel_lengths[axis] > convolution.signal_lengths[axis]) {
      throw InvalidArgument(fmt::format(
          "the kernel has {} samples along axis {}, more than the signal's {}; mode valid expects at most as many (or "
          "use mode full or same)",
          convolution.kernel_lengths[axis], axis, convolution.signal_lengths[axis]));
    }
  }
}

void check_past(const Convolution& convolution) {
  if (convolution.past.empty()) return;
  if (convolution.mode != Convolution::Mode::same) {
    throw InvalidArgument(fmt::format("samples of the past were given with mode {}; expected mode same, or none",
                                      to_string(convolution.mode)));
  }
  if (convolution.past.size() != convolution.signal_lengths.size()) {
    throw InvalidArgument(fmt::format("samples of the past were given for {} axes; expected {}, or none",
                                      convolution.past.size(), convolution.signal_lengths.size()));
  }
  for (const std::int64_t past : convolution.past) {
    if (past > static_cast<std::int64_t>(most_elements) || past < -static_cast<std::int64_t>(most_elements)) {
      throw InvalidArgument(fmt::format("{} samples of the past were given; expected at most {}", past, most_elements));
    }
  }
}

void check_post(const Convolution& convolution) {
  const PostProcessing& post = convolution.post;
  if (post.decimation == 0 || post.decimation > most_elements) {
    throw InvalidArgument(
        fmt::format("a decimation of {} was given; expected 1 to {}", post.decimation, most_elements));
  }
  if (plan::interbins(post.function) && post.decimation != 1) {
    throw InvalidArgument(fmt::format("a decimation of {} was given with interbinning; expected 1", post.decimation));
  }
  if (post.maximum && convolution.complex && !plan::makes_reals(post.function)) {
    throw InvalidArgument(
        fmt::format("the maximum of complex outputs was asked for (function {}); expected a function "
                    "that makes real numbers of them, such as power",
                    to_string(post.function)));
  }
}

void check_hook(const Convolution& convolution) {
  if (!convolution.store_hook) return;
  const PostProcessing& post = convolution.post;
  if (post.maximum) {
    throw InvalidArgument("a hook on the results was given beside their maximum; expected one of the two");
  }
  const Hook& hook = *convolution.store_hook;
  if (!plan::reads_neighbours(hook)) return;
  if (hook.left > Hook::most_neighbours || hook.right > Hook::most_neighbours - hook.left) {
    throw InvalidArgument(
        fmt::format("a hook that reads {} results before and {} behind each was given; expected at "
                    "most {} together",
                    hook.left, hook.right, Hook::most_neighbours));
  }
  const plan::Halo taken = plan::halo_of(post.function, nullptr);
  if (taken.left + taken.right > 0) {
    throw InvalidArgument(
        fmt::format("a hook that reads neighbouring results was given beside the function {}, which "
                    "does so itself; expected none, power or magnitude",
                    to_string(post.function)));
  }
}

}  // namespace

std::optional<std::uint64_t> boundary_source(Boundary boundary, std::int64_t position, std::uint64_t length) {
  const auto n = static_cast<std::int64_t>(length);
  if (position >= 0 && position < n) return static_cast<std::uint64_t>(position);
  const auto modulo = [position](std::int64_t period) { return (position % period + period) % period; };
  switch (boundary) {
    case Boundary::zero:
      break;
    case Boundary::periodic:
      return static_cast<std::uint64_t>(modulo(n));
    case Boundary::reflect: {
      const std::int64_t turned = modulo(2 * n);
      return static_cast<std::uint64_t>(turned < n ? turned : 2 * n - 1 - turned);
    }
    case Boundary::nearest:
      return position < 0 ? 0 : length - 1;
  }
  return std::nullopt;
}

void validate(const Convolution& convolution) {
  if (convolution.precision != Precision::float32 && convolution.precision != Precision::float64) {
    throw InvalidArgument(fmt::format("convolutions of precision {} were asked for; expected f32 or f64",
                                      to_string(convolution.precision)));
  }
  check_lengths(convolution);
  check_past(convolution);
  if (convolution.segment > most_elements) {
    throw InvalidArgument(
        fmt::format("segments of {} points were asked for; expected at most {}", convolution.segment, most_elements));
  }
  (void)checked_product(convolution.filters, convolution.segment, {}, "spectra of filters");
  check_post(convolution);
  check_hook(convolution);
  (void)signal_elements(convolution);
  (void)filter_elements(convolution);
  (void)output_elements(convolution);
  std::vector<std::size_t> spread;  // at least what the whole method transforms
  for (std::size_t axis = 0; axis < convolution.signal_lengths.size(); ++axis) {
    spread.push_back(convolution.signal_lengths[axis] + convolution.kernel_lengths[axis]);
  }
  (void)checked_product(convolution.filters, 1, spread, "spectra of filters");
}

std::vector<std::int64_t> default_past(const Convolution& convolution) {
  std::vector<std::int64_t> result;
  for (const std::size_t length : convolution.kernel_lengths) {
    const auto taps = static_cast<std::int64_t>(length);
    const bool later =
        convolution.operation == Convolution::Operation::convolve && convolution.boundary != Boundary::zero;
    switch (convolution.mode) {
      case Convolution::Mode::full:
        result.push_back(taps - 1);
        break;
      case Convolution::Mode::valid:
        result.push_back(0);
        break;
      case Convolution::Mode::same:
        result.push_back((later ? taps - 1 : taps) / 2);
        break;
    }
  }
  return result;
}

std::vector<std::size_t> convolved_lengths(const Convolution& convolution) {
  std::vector<std::size_t> result = convolution.signal_lengths;
  for (std::size_t axis = 0; axis < result.size(); ++axis) {
    if (convolution.mode == Convolution::Mode::full) result[axis] += convolution.kernel_lengths[axis] - 1;
    if (convolution.mode == Convolution::Mode::valid) result[axis] -= convolution.kernel_lengths[axis] - 1;
  }
  return result;
}

std::vector<std::size_t> output_lengths(const Convolution& convolution) {
  std::vector<std::size_t> result = convolved_lengths(convolution);
  const PostProcessing& post = convolution.post;
  result.back() = plan::stored_outputs(post.function, post.decimation, result.back());
  return result;
}

bool has_complex_output(const Convolution& convolution) {
  return convolution.complex && !plan::makes_reals(convolution.post.function);
}

std::size_t signal_elements(const Convolution& convolution) {
  return checked_product(convolution.signals, 1, convolution.signal_lengths, "signals");
}

std::size_t filter_elements(const Convolution& convolution) {
  return checked_product(convolution.filters, 1, convolution.kernel_lengths, "filters");
}

std::size_t output_elements(const Convolution& convolution) {
  return checked_product(convolution.signals, convolution.post.maximum ? 2 : convolution.filters,
                         output_lengths(convolution), "results");
}

std::string_view to_string(Boundary boundary) {
  switch (boundary) {
    case Boundary::zero:
      return "zero";
    case Boundary::periodic:
      return "periodic";
    case Boundary::reflect:
      return "reflect";
    case Boundary::nearest:
      break;
  }
  return "nearest";
}

std::string_view to_string(Convolution::Mode mode) {
  switch (mode) {
    case Convolution::Mode::full:
      return "full";
    case Convolution::Mode::same:
      return "same";
    case Convolution::Mode::valid:
      break;
  }
  return "valid";
}

std::string_view to_string(Convolution::Method method) {
  switch (method) {
    case Convolution::Method::automatic:
      return "automatic";
    case Convolution::Method::direct:
      return "direct";
    case Convolution::Method::separable:
      return "separable";
    case Convolution::Method::whole:
      return "whole";
    case Convolution::Method::overlap_save:
      break;
  }
  return "overlap-save";
}

std::string_view to_string(PostProcessing::Function function) {
  switch (function) {
    case PostProcessing::Function::none:
      return "none";
    case PostProcessing::Function::power:
      return "power";
    case PostProcessing::Function::magnitude:
      return "magnitude";
    case PostProcessing::Function::derivative:
      return "derivative";
    case PostProcessing::Function::interbin_pi_4:
      return "interbin-pi/4";
    case PostProcessing::Function::interbin_2_pi:
      break;
  }
  return "interbin-2/pi";
}

std::string to_string(const Convolution& convolution) {
  std::string text = fmt::format("{} {} {}, {} x {} with {} x {}, mode {}, boundary {}",
                                 convolution.operation == Convolution::Operation::convolve ? "convolve" : "correlate",
                                 to_string(convolution.precision), convolution.complex ? "complex" : "real",
                                 convolution.signals, fmt::join(convolution.signal_lengths, "x"), convolution.filters,
                                 fmt::join(convolution.kernel_lengths, "x"), to_string(convolution.mode),
                                 to_string(convolution.boundary));
  if (!convolution.past.empty()) text += fmt::format(", past {}", fmt::join(convolution.past, ","));
  if (convolution.method != Convolution::Method::automatic) text += fmt::format(", {}", to_string(convolution.method));
  if (convolution.segment != 0) text += fmt::format(", segments of {}", convolution.segment);
  const PostProcessing& post = convolution.post;
  if (post.function != PostProcessing::Function::none) text += fmt::format(", {}", to_string(post.function));
  if (post.maximum) text += ", maximum";
  if (post.decimation != 1) text += fmt::format(", 1 of {}", post.decimation);
  if (convolution.store_hook) text += ", hook";
  return text;
}

}  // namespace twiddle
