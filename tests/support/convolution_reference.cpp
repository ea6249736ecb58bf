// The definition, output by output.
#include "support/convolution_reference.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include "twiddle/hook.hpp"

namespace twiddle::test {
namespace {

using Function = PostProcessing::Function;
using Index = std::array<std::int64_t, 3>;

// Lengths of up to three dimensions, 1 where there are fewer, in front.
Index three(const std::vector<std::size_t>& lengths) {
  Index result{1, 1, 1};
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    result[3 - lengths.size() + i] = static_cast<std::int64_t>(lengths[i]);
  }
  return result;
}

class Reference {
 public:
  Reference(const Convolution& convolution, const std::vector<LongComplex>& signals,
            const std::vector<LongComplex>& filters)
      : convolution_(convolution),
        signals_(signals),
        filters_(filters),
        signal_(three(convolution.signal_lengths)),
        kernel_(three(convolution.kernel_lengths)),
        convolved_(three(convolved_lengths(convolution))) {
    const auto past = convolution.past.empty() ? default_past(convolution) : convolution.past;
    for (std::size_t i = 0; i < past.size(); ++i) past_[3 - past.size() + i] = past[i];
  }

  // y of output (i, j, k), which may lie beside the outputs.
  LongComplex value(std::size_t signal, std::size_t filter, const Index& output) const {
    LongComplex sum = 0;
    Index m{};
    for (m[0] = 0; m[0] < kernel_[0]; ++m[0]) {
      for (m[1] = 0; m[1] < kernel_[1]; ++m[1]) {
        for (m[2] = 0; m[2] < kernel_[2]; ++m[2]) sum += tap(filter, m) * sample(signal, output, m);
      }
    }
    return sum;
  }

  std::vector<LongComplex> outputs(std::size_t signal, std::size_t filter) const {
    std::vector<LongComplex> result;
    const std::uint64_t line = signal * convolution_.filters + filter;
    const auto step = static_cast<std::int64_t>(convolution_.post.decimation);
    Index i{};
    for (i[0] = 0; i[0] < convolved_[0]; ++i[0]) {
      for (i[1] = 0; i[1] < convolved_[1]; ++i[1]) {
        for (i[2] = 0; i[2] < convolved_[2]; i[2] += step) append(signal, filter, i, result);
      }
    }
    const Hook* const hook = convolution_.store_hook.get();
    if (hook == nullptr) return result;
    const auto width = static_cast<std::int64_t>(output_lengths(convolution_).back());
    for (std::size_t at = 0; at < result.size(); ++at) {
      const std::uint64_t index = line * result.size() + at;
      if (hook->left + hook->right == 0) {
        result[at] = LongComplex(hook->function(std::complex<double>(result[at]), index));
        continue;
      }
      const auto row = static_cast<std::int64_t>(at) / width;
      std::vector<std::complex<double>> neighbours;
      for (std::size_t d = 0; d <= hook->left + hook->right; ++d) {
        const std::int64_t shift = static_cast<std::int64_t>(d) - static_cast<std::int64_t>(hook->left);
        std::vector<LongComplex> made;
        append(signal, filter,
               {row / convolved_[1], row % convolved_[1], static_cast<std::int64_t>(at) % width * step + shift}, made);
        neighbours.emplace_back(made.at(0));
      }
      result[at] = LongComplex(hook->neighbour_function(neighbours.data() + hook->left, index));
    }
    return result;
  }

 private:
  LongComplex tap(std::size_t filter, Index m) const {
    const bool reversed = convolution_.operation == Convolution::Operation::correlate;
    std::int64_t at = static_cast<std::int64_t>(filter);
    for (std::size_t d = 0; d < 3; ++d) at = at * kernel_[d] + (reversed ? kernel_[d] - 1 - m[d] : m[d]);
    const LongComplex value = filters_.at(static_cast<std::size_t>(at));
    return reversed ? std::conj(value) : value;
  }

  LongComplex sample(std::size_t signal, const Index& output, const Index& m) const {
    std::int64_t at = static_cast<std::int64_t>(signal);
    for (std::size_t d = 0; d < 3; ++d) {
      const bool there = d + convolution_.signal_lengths.size() >= 3;
      const std::int64_t position = there ? output[d] + kernel_[d] - 1 - past_[d] - m[d] : 0;
      const auto source = boundary_source(convolution_.boundary, position, static_cast<std::uint64_t>(signal_[d]));
      if (!source) return 0;
      at = at * signal_[d] + static_cast<std::int64_t>(*source);
    }
    return signals_.at(static_cast<std::size_t>(at));
  }

  void append(std::size_t signal, std::size_t filter, const Index& i, std::vector<LongComplex>& result) const {
    const auto y = [&](std::int64_t shift) { return value(signal, filter, {i[0], i[1], i[2] + shift}); };
    constexpr long double pi = std::numbers::pi_v<long double>;
    switch (convolution_.post.function) {
      case Function::none:
        result.push_back(y(0));
        break;
      case Function::power:
        result.push_back(std::norm(y(0)));
        break;
      case Function::magnitude:
        result.push_back(std::abs(y(0)));
        break;
      case Function::derivative:
        result.push_back((y(1) - y(-1)) / 2.0L);
        break;
      case Function::interbin_pi_4:
        result.insert(result.end(), {std::norm(y(0)), pi * pi / 16 * std::norm(y(0) - y(1))});
        break;
      case Function::interbin_2_pi:
        result.insert(result.end(), {std::norm(y(0)), 4 / (pi * pi) * std::norm(y(0) - y(1))});
        break;
    }
  }

  const Convolution& convolution_;
  const std::vector<LongComplex>& signals_;
  const std::vector<LongComplex>& filters_;
  Index signal_;
  Index kernel_;
  Index convolved_;
  Index past_{};
};

}  // namespace

std::vector<LongComplex> convolution_reference(const Convolution& convolution, const std::vector<LongComplex>& signals,
                                               const std::vector<LongComplex>& filters) {
  const Reference reference(convolution, signals, filters);
  std::vector<LongComplex> result, indices;
  for (std::size_t signal = 0; signal < convolution.signals; ++signal) {
    std::vector<LongComplex> largest, winners;
    for (std::size_t filter = 0; filter < convolution.filters; ++filter) {
      const std::vector<LongComplex> outputs = reference.outputs(signal, filter);
      if (!convolution.post.maximum) {
        result.insert(result.end(), outputs.begin(), outputs.end());
        continue;
      }
      if (filter == 0) {
        largest = outputs;
        winners.assign(outputs.size(), 0);
      }
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i].real() <= largest[i].real()) continue;
        largest[i] = outputs[i];
        winners[i] = static_cast<long double>(filter);
      }
    }
    result.insert(result.end(), largest.begin(), largest.end());
    indices.insert(indices.end(), winners.begin(), winners.end());
  }
  result.insert(result.end(), indices.begin(), indices.end());
  return result;
}

Convolution random_convolution(std::uint64_t seed, std::size_t dimensions) {
  std::mt19937_64 random(seed);
  const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::size_t most = dimensions == 1 ? 400 : dimensions == 2 ? 40 : 12;
  Convolution convolution;
  for (std::size_t d = 0; d < dimensions; ++d) {
    convolution.signal_lengths.push_back(1 + below(below(2) == 0 ? most : most / 4));
    convolution.kernel_lengths.push_back(1 + below(below(2) == 0 ? most / 2 : most / 8));
  }
  convolution.signals = 1 + below(3);
  convolution.filters = 1 + below(4);
  convolution.precision = below(3) == 0 ? Precision::float64 : Precision::float32;
  convolution.complex = below(2) == 0;
  convolution.operation = below(3) == 0 ? Convolution::Operation::correlate : Convolution::Operation::convolve;
  convolution.mode = static_cast<Convolution::Mode>(below(3));
  convolution.boundary = static_cast<Boundary>(below(2) == 0 ? 0 : below(4));
  for (std::size_t d = 0; d < dimensions && convolution.mode == Convolution::Mode::valid; ++d) {
    convolution.kernel_lengths[d] = std::min(convolution.kernel_lengths[d], convolution.signal_lengths[d]);
  }
  for (std::size_t d = 0; d < dimensions && convolution.mode == Convolution::Mode::same && seed % 2 == 0; ++d) {
    const auto taps = convolution.kernel_lengths[d];
    convolution.past.push_back(static_cast<std::int64_t>(below(taps + 6)) - 3);
  }
  if (below(2) == 0) return convolution;
  convolution.post.function = static_cast<Function>(below(6));
  const bool interbinned = convolution.post.function >= Function::interbin_pi_4;
  if (!interbinned && below(3) == 0) convolution.post.decimation = 1 + below(5);
  const bool real = !has_complex_output(convolution);
  convolution.post.maximum = real && below(2) == 0;
  return convolution;
}

std::shared_ptr<const Hook> neighbour_hook(std::size_t left, std::size_t right) {
  auto hook = std::make_shared<Hook>();
  hook->left = left;
  hook->right = right;
  hook->parameters = {0.5, static_cast<double>(left)};
  hook->source =
      "TW_REAL weight = 1;\n"
      "for (int d = -(int)parameters[1]; d <= " +
      std::to_string(right) +
      "; ++d) {\n"
      "  if (d != 0) value = TW_MAKE(value.x + weight * neighbours[d].x, value.y + weight * neighbours[d].y);\n"
      "  weight = 1 - parameters[0] * weight;\n}\n"
      "if (index % 3 == 1) value.x = -value.x;";
  hook->neighbour_function = [left, right](const std::complex<double>* neighbours, std::uint64_t index) {
    std::complex<double> value = neighbours[0];
    double weight = 1;
    for (auto d = -static_cast<std::ptrdiff_t>(left); d <= static_cast<std::ptrdiff_t>(right); ++d) {
      if (d != 0) value += weight * neighbours[d];
      weight = 1 - 0.5 * weight;
    }
    return index % 3 == 1 ? std::complex<double>(-value.real(), value.imag()) : value;
  };
  return hook;
}

std::vector<LongComplex> random_values(std::size_t count, bool complex, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto value = [&random] { return static_cast<float>(static_cast<double>(random() >> 40) * 0x1p-23 - 1); };
  std::vector<LongComplex> result(count);
  for (LongComplex& element : result) {
    const float real = value();
    element = {real, complex ? value() : 0.0F};
  }
  return result;
}

}  // namespace twiddle::test
