// What meets what in a convolution of files, and how the result lies in a file.
#include "signal_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "errors.hpp"

namespace twiddle::tool {
namespace {

Pairing pairing_of(const SignalConvolutionOptions& options, const SignalSource& signal, const SignalSource& filters) {
  if (!signal.sound()) return Pairing::every_filter;
  if (filters.sound() && filters.sound()->rate != signal.sound()->rate) {
    throw FileError(
        fmt::format("'{}' has {} samples a second, but '{}' has {}: convert one of them to the other's rate",
                    options.signal, signal.sound()->rate, options.filters, filters.sound()->rate));
  }
  if (signal.rows() == 1 || filters.rows() == 1) return Pairing::every_filter;
  if (signal.rows() == filters.rows()) return Pairing::channel_by_channel;
  throw FileError(fmt::format("'{}' has {} channels and '{}' {}; expected as many, or one of either", options.signal,
                              signal.rows(), options.filters, filters.rows()));
}

template <class Scalar>
void scale_scalars(std::span<std::byte> bytes, double gain) {
  const std::span scalars(reinterpret_cast<Scalar*>(bytes.data()), bytes.size() / sizeof(Scalar));
  for (Scalar& scalar : scalars) scalar = static_cast<Scalar>(scalar * gain);
}

template <class Scalar>
void turn_around(std::span<std::byte> bytes, std::size_t length, bool complex) {
  const std::size_t width = complex ? 2 : 1;
  auto* const scalars = reinterpret_cast<Scalar*>(bytes.data());
  for (std::size_t row = 0; row < bytes.size() / sizeof(Scalar) / width / length; ++row) {
    Scalar* const line = scalars + row * length * width;
    std::reverse(line, line + length * width);
    for (std::size_t i = 0; complex && i < length; ++i) {  // reversed, pairs stand the other way round
      std::swap(line[2 * i], line[2 * i + 1]);
      line[2 * i + 1] = -line[2 * i + 1];
    }
  }
}

Convolution describe_problem(const SignalConvolutionOptions& options, const SignalSource& signal,
                             const SignalSource& filters, ElementType type) {
  Convolution convolution{.signal_lengths = signal.lengths(), .kernel_lengths = filters.lengths()};
  convolution.signals = signal.rows();
  convolution.filters = filters.rows();
  convolution.precision = type.precision;
  convolution.complex = type.complex;
  convolution.operation = options.correlate ? Convolution::Operation::correlate : Convolution::Operation::convolve;
  convolution.mode = options.mode;
  convolution.boundary = options.boundary;
  convolution.method = options.method;
  convolution.post = options.post;
  validate(convolution);
  return convolution;
}

}  // namespace

Separate separate(Convolution convolution, Pairing pairing) {
  if (pairing == Pairing::every_filter) return {std::move(convolution), 1};
  const std::size_t channels = convolution.signals;
  convolution.signals = convolution.filters = 1;
  return {std::move(convolution), channels};
}

std::vector<std::byte> read_filters(SignalSource& source, ElementType type, double gain, bool turned_around) {
  std::vector<std::byte> filters(source.rows() * source.samples() * element_bytes(type));
  source.read(0, source.samples(), type, filters);
  with_scalar_of(type.precision, [&](auto scalar) {
    using Scalar = decltype(scalar);
    if constexpr (std::is_floating_point_v<Scalar>) {
      scale_scalars<Scalar>(filters, gain);
      if (turned_around) turn_around<Scalar>(filters, source.samples(), type.complex);
    }
  });
  return filters;
}

SignalProblem make_problem(const SignalConvolutionOptions& options) {
  SignalProblem problem{.signal = open_signal(options.signal, options.dimensions),
                        .filters = open_signal(options.filters, options.dimensions)};
  SignalSource& signal = *problem.signal;
  SignalSource& filters = *problem.filters;
  problem.type = {std::max(signal.type().precision, filters.type().precision),
                  signal.type().complex || filters.type().complex};
  problem.pairing = pairing_of(options, signal, filters);
  problem.convolution = describe_problem(options, signal, filters, problem.type);
  if (!options.compute.device.empty()) {
    problem.device = open_device(options.compute.device, problem.convolution);
  }
  const bool is_plain =
      options.post == PostProcessing{} && options.method == Convolution::Method::automatic && options.dimensions == 1;
  problem.streamed = is_plain && problem.device.info().backend == BackendKind::host;
  return problem;
}

SignalShape output_shape(const SignalProblem& problem, bool npy) {
  const Convolution& convolution = problem.convolution;
  const bool maximum = convolution.post.maximum;
  SignalShape result{.type = {convolution.precision, has_complex_output(convolution)},
                     .sound = problem.signal->sound()};
  if (maximum) result.shape.push_back(2);
  if (!npy || problem.pairing == Pairing::channel_by_channel) {
    const bool paired = problem.pairing == Pairing::channel_by_channel;
    const std::size_t rows = convolution.signals * (paired || maximum ? 1 : convolution.filters);
    if (rows > 1) result.shape.push_back(rows);
  } else {
    if (problem.signal->has_rows()) result.shape.push_back(convolution.signals);
    if (problem.filters->has_rows() && !maximum) result.shape.push_back(convolution.filters);
  }
  const std::vector<std::size_t> lengths = output_lengths(convolution);
  result.shape.insert(result.shape.end(), lengths.begin(), lengths.end());
  return result;
}

}  // namespace twiddle::tool
