// The reference: one axis after the other, line by line.
#include "verify/reference.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <numeric>
#include <stdexcept>

namespace twiddle::verify {
namespace {

bool is_transformed(const Transform& transform, std::size_t axis) {
  return transform.axes.empty() || std::ranges::find(transform.axes, axis) != transform.axes.end();
}

std::size_t last_transformed(const Transform& transform) {
  return transform.axes.empty() ? transform.lengths.size() - 1 : *std::ranges::max_element(transform.axes);
}

bool is_sine(Kind kind) { return kind == Kind::dst1 || kind == Kind::dst2 || kind == Kind::dst3 || kind == Kind::dst4; }

// Transforms lines, and keeps what is needed for each length.
class Lines {
 public:
  LongFourier& of_length(std::size_t length) { return fouriers_.try_emplace(length, length).first->second; }

  void complex(std::vector<Value>& line, bool inverse) {
    LongFourier& fourier = of_length(line.size());
    inverse ? fourier.inverse(line) : fourier.forward(line);
  }

  // The frequencies 0..n/2 of a real line become the line.
  void complex_to_real(std::vector<Value>& line, std::size_t n) {
    std::vector<Value> all(n);
    for (std::size_t k = 0; k < n; ++k) all[k] = k <= n / 2 ? line[k] : std::conj(line[n - k]);
    all[0] = all[0].real();
    if (n % 2 == 0) all[n / 2] = all[n / 2].real();
    complex(all, true);
    line = std::move(all);
    for (Value& value : line) value = value.real();
  }

  void real_to_real(std::vector<Value>& line, Kind kind, bool orthogonal) {
    const std::size_t n = line.size();
    const long double root2 = std::numbers::sqrt2_v<long double>;
    if (orthogonal && kind == Kind::dct1) line[0] *= root2, line[n - 1] *= root2;
    if (orthogonal && kind == Kind::dct3) line[0] *= root2;
    if (orthogonal && kind == Kind::dst3) line[n - 1] *= root2;
    std::vector<Value> extended = extend(line, kind);
    complex(extended, false);
    for (std::size_t k = 0; k < n; ++k) {
      const Value value = extended[frequency(kind, k)];
      line[k] = kind == Kind::dht ? value.real() - value.imag() : is_sine(kind) ? -value.imag() : value.real();
    }
    if (orthogonal && kind == Kind::dct1) line[0] /= root2, line[n - 1] /= root2;
    if (orthogonal && kind == Kind::dct2) line[0] /= root2;
    if (orthogonal && kind == Kind::dst2) line[n - 1] /= root2;
  }

 private:
  // One period of the even or odd sequence whose Fourier transform is the definition of `kind`.
  static std::vector<Value> extend(const std::vector<Value>& line, Kind kind) {
    const std::size_t n = line.size();
    if (kind == Kind::dht) return line;
    std::vector<Value> period_values(period(kind, n));
    const auto place = [&](std::size_t at, const Value& value) {
      const std::size_t mirrored = (period_values.size() - at) % period_values.size();
      period_values[at] = value;
      period_values[mirrored] = is_sine(kind) ? -value : value;
    };
    for (std::size_t j = 0; j < n; ++j) {
      switch (kind) {
        case Kind::dct1:
        case Kind::dct3:
          place(j, line[j]);
          break;
        case Kind::dst1:
          place(j + 1, line[j]);
          break;
        case Kind::dst3:
          place(j + 1, j + 1 == n ? line[j] / 2.0L : line[j]);  // the last counts once in the definition
          break;
        default:
          place(2 * j + 1, line[j]);
      }
    }
    return period_values;
  }

  // Where result k of `kind` stands in the transform of the period.
  static std::size_t frequency(Kind kind, std::size_t k) {
    switch (kind) {
      case Kind::dst1:
      case Kind::dst2:
        return k + 1;
      case Kind::dct3:
      case Kind::dst3:
      case Kind::dct4:
      case Kind::dst4:
        return 2 * k + 1;
      default:
        return k;
    }
  }

  std::map<std::size_t, LongFourier> fouriers_;
};

// Replaces every line along dimension `d` by `make(line)`, which may have another length.
void along(std::vector<Value>& values, std::vector<std::uint64_t>& shape, std::size_t d,
           const std::function<void(std::vector<Value>&)>& make, std::size_t made_length) {
  const std::size_t length = shape[d];
  const std::size_t inner = std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(d) + 1, shape.end(),
                                            std::size_t{1}, std::multiplies<>());
  const std::size_t outer = values.size() / length / inner;
  std::vector<Value> result(outer * made_length * inner);
  std::vector<Value> line;
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t i = 0; i < inner; ++i) {
      line.resize(length);
      for (std::size_t j = 0; j < length; ++j) line[j] = values[(o * length + j) * inner + i];
      make(line);
      for (std::size_t j = 0; j < made_length; ++j) result[(o * made_length + j) * inner + i] = line[j];
    }
  }
  values = std::move(result);
  shape[d] = made_length;
}

}  // namespace

Kind executed_kind(const Problem& problem) {
  const Kind kind = problem.transform.kind;
  return problem.direction == Direction::forward ? kind : inverse_kind(kind);
}

std::size_t period(Kind kind, std::size_t n) {
  switch (kind) {
    case Kind::dct1:
      return 2 * (n - 1);
    case Kind::dst1:
      return 2 * (n + 1);
    case Kind::dct2:
    case Kind::dct3:
    case Kind::dst2:
    case Kind::dst3:
      return 4 * n;
    case Kind::dct4:
    case Kind::dst4:
      return 8 * n;
    default:
      return n;
  }
}

std::vector<std::uint64_t> full_shape(const Problem& problem, bool written) {
  std::vector<std::uint64_t> shape{problem.transform.batch};
  shape.insert(shape.end(), problem.transform.lengths.begin(), problem.transform.lengths.end());
  const bool frequencies = written == (problem.direction == Direction::forward);
  if (problem.transform.kind == Kind::r2c && frequencies) {
    std::uint64_t& last = shape[last_transformed(problem.transform) + 1];
    last = last / 2 + 1;
  }
  return shape;
}

long double expected_scale(const Problem& problem) {
  const Transform& transform = problem.transform;
  const bool forward = problem.direction == Direction::forward;
  const long double factor = forward ? transform.forward_factor : transform.inverse_factor;
  long double points = 1;
  for (std::size_t axis = 0; axis < transform.lengths.size(); ++axis) {
    if (!is_transformed(transform, axis)) continue;
    const auto n = static_cast<long double>(transform.lengths[axis]);
    switch (transform.kind) {
      case Kind::c2c:
      case Kind::r2c:
      case Kind::dht:
        points *= n;
        break;
      case Kind::dct1:
        points *= 2 * (n - 1);
        break;
      case Kind::dst1:
        points *= 2 * (n + 1);
        break;
      default:
        points *= 2 * n;
    }
  }
  switch (transform.normalization) {
    case Normalization::backward:
      return forward ? factor : factor / points;
    case Normalization::ortho:
      return factor / std::sqrt(points);
    case Normalization::forward:
      return forward ? factor / points : factor;
    case Normalization::none:
      return factor;
  }
  throw std::logic_error("unknown normalization");
}

std::vector<Value> reference_transform(const Problem& problem, std::vector<Value> values) {
  const Transform& transform = problem.transform;
  const Kind kind = executed_kind(problem);
  const bool inverse = problem.direction == Direction::inverse;
  const bool orthogonal = transform.normalization == Normalization::ortho;
  const std::size_t last = last_transformed(transform);
  std::vector<std::uint64_t> shape = full_shape(problem, false);
  Lines lines;
  for (std::size_t axis = 0; axis < transform.lengths.size(); ++axis) {
    if (!is_transformed(transform, axis) || (kind == Kind::r2c && inverse && axis == last)) continue;
    const std::size_t length = transform.lengths[axis];
    if (kind == Kind::c2c || kind == Kind::r2c) {
      along(
          values, shape, axis + 1, [&](std::vector<Value>& line) { lines.complex(line, inverse); }, length);
    } else {
      const auto make = [&](std::vector<Value>& line) { lines.real_to_real(line, kind, orthogonal); };
      along(values, shape, axis + 1, make, length);
    }
  }
  if (kind == Kind::r2c) {
    const std::size_t length = transform.lengths[last];
    const auto make = [&](std::vector<Value>& line) {
      inverse ? lines.complex_to_real(line, length) : line.resize(length / 2 + 1);
    };
    along(values, shape, last + 1, make, inverse ? length : length / 2 + 1);
  }
  const long double scale = expected_scale(problem);
  for (Value& value : values) value *= scale;
  return values;
}

}  // namespace twiddle::verify
