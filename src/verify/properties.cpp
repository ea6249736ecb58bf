// Linearity, impulse and shift.
#include "verify/properties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "plan/lower/view.hpp"
#include "verify/bound.hpp"
#include "verify/definition.hpp"
#include "verify/memory.hpp"
#include "verify/reference.hpp"

namespace twiddle::verify {
namespace {

using Index = std::vector<std::uint64_t>;

// A number in (-1, 1) that every precision holds exactly, as it does the sum of two. Their mean is zero: the sum of
// millions would be beyond the range of halves else.
long double grid_value(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t mixed = seed * 0x9e3779b97f4a7c15u + index * 0xd1342543de82ef95u + 1;  // SplitMix64's finish follows
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  mixed ^= mixed >> 31;
  return static_cast<long double>(2 * static_cast<int>(mixed >> 56) - 255) / 256;
}

Value random_value(std::uint64_t seed, std::uint64_t index) {
  return {grid_value(seed, 2 * index), grid_value(seed, 2 * index + 1)};
}

// Writes the place of an index into `at`, which is used again and again: arrays here are large.
void find_place(std::uint64_t index, const Index& shape, Index& at) {
  at.resize(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; index /= shape[d]) at[d] = index % shape[d];
}

std::uint64_t index_of(const Index& at, const Index& shape) {
  std::uint64_t index = 0;
  for (std::size_t d = 0; d < at.size(); ++d) index = index * shape[d] + at[d];
  return index;
}

class Properties {
 public:
  Properties(const Problem& problem, std::uint64_t seed, const Execute& execute)
      : problem_(problem),
        seed_(seed),
        execute_(execute),
        sides_(plan::sides_of(problem.transform, problem.direction, problem.placement)),
        read_shape_(full_shape(problem, false)),
        written_shape_(full_shape(problem, true)) {}

  Outcome verify() {
    Outcome outcome{.bound = 3 * (arithmetic_bound(problem_) + half_rounding())};
    const auto check = [&](const char* property, double error) {
      outcome.error = std::max(outcome.error, error);
      if (error <= outcome.bound) return;
      outcome.error = error;  // also where it is NaN
      if (outcome.complaint.empty()) outcome.complaint = fmt::format("{}: the error is {:.3g}", property, error);
    };
    check("linearity", linearity());
    if (!reads_overlap()) {
      check("impulse", impulse());
      if (shifts()) check("shift", shift());
    }
    outcome.within = outcome.complaint.empty();
    return outcome;
  }

 private:
  using Input = std::function<Value(std::uint64_t)>;
  using Memory = std::vector<std::byte>;

  [[nodiscard]] bool of_halves() const { return problem_.transform.precision == Precision::float16; }
  [[nodiscard]] double half_rounding() const { return of_halves() ? 0x1p-11 : 0; }

  // What inputs are multiplied by, a power of two, so that results that are `size` beside the scale are about one:
  // halves below 2^-14 have fewer digits, and at last none. At most so much that sums of a few are no infinities.
  [[nodiscard]] long double height(long double size) const {
    constexpr long double most = 0x1p12L;
    const long double result = size * std::abs(expected_scale(problem_));
    if (!of_halves() || result == 0) return 1;
    return std::exp2(std::round(std::log2(std::clamp(1 / result, 1.0L, most))));
  }

  // Numbers of random signs, of which each result is a sum.
  [[nodiscard]] Input random_input(std::uint64_t seed) const {
    std::uint64_t summed = 1;
    for (const std::size_t axis : transformed_axes(problem_.transform)) summed *= problem_.transform.lengths[axis];
    return [seed, factor = height(std::sqrt(static_cast<long double>(summed)))](std::uint64_t index) {
      return factor * random_value(seed, index);
    };
  }

  Memory input_of(const Input& value) const {
    std::size_t bytes = plan::memory_bytes(sides_.read);
    if (problem_.placement == Placement::in_place) bytes = std::max(bytes, plan::memory_bytes(sides_.written));
    Memory memory(bytes, std::byte{0xff});
    for_each_element(sides_.read, read_shape_, [&](std::size_t index, std::int64_t position) {
      store(memory, sides_.read.storage, position, value(index));
    });
    return memory;
  }

  Memory run(const Input& value) const {
    Memory input = input_of(value);
    if (problem_.placement == Placement::in_place) {
      execute_(input, input);
      return input;
    }
    Memory output(plan::memory_bytes(sides_.written), std::byte{0xff});
    execute_(input, output);
    return output;
  }

  // The distance of `actual` from `expected(index, position)`, relative to the latter.
  double distance(const Memory& actual, const std::function<Value(std::uint64_t, std::int64_t)>& expected) const {
    long double difference = 0, norm = 0;
    for_each_element(sides_.written, written_shape_, [&](std::size_t index, std::int64_t position) {
      const Value value = expected(index, position);
      difference += std::norm(load(actual, sides_.written.storage, position) - value);
      norm += std::norm(value);
    });
    return static_cast<double>(std::sqrt(norm == 0 ? difference : difference / norm));
  }

  double linearity() const {
    const Input first = random_input(seed_);
    const Input second = random_input(seed_ + 1);
    const Memory a = run(first);
    const Memory b = run(second);
    const Memory sum = run([&](std::uint64_t index) { return first(index) + second(index); });
    return distance(sum, [&](std::uint64_t, std::int64_t position) {
      return load(a, sides_.written.storage, position) + load(b, sides_.written.storage, position);
    });
  }

  // Whether one place in memory is more than one element of what is read: then no single element can be set.
  [[nodiscard]] bool reads_overlap() const {
    const std::vector<bool> used = scalars_of(sides_.read, plan::memory_bytes(sides_.read));
    const std::uint64_t scalars_of_element = sides_.read.storage.form == plan::Storage::Form::real ? 1 : 2;
    return static_cast<std::uint64_t>(std::ranges::count(used, true)) !=
           plan::element_count(sides_.read) * scalars_of_element;
  }

  // Ones, or so much, at the same place of every array; the results are products of coefficients.
  double impulse() const {
    Index place(read_shape_.size());
    for (std::size_t d = 1; d < place.size(); ++d)
      place[d] = (2 * sides_.read.extents[d] + 1) / 3 % sides_.read.extents[d];
    const std::uint64_t place_index = index_of(place, read_shape_);
    const std::uint64_t array =
        std::accumulate(read_shape_.begin() + 1, read_shape_.end(), std::uint64_t{1}, std::multiplies<>());
    const long double one = height(1);
    const Memory result = run([&](std::uint64_t index) { return Value(index % array == place_index ? one : 0); });
    std::vector<std::vector<Value>> coefficients;
    for (std::size_t d = 1; d < place.size(); ++d) coefficients.push_back(coefficients_along(d, place[d]));
    const long double scale = one * expected_scale(problem_);
    const bool real = sides_.written.storage.form == plan::Storage::Form::real;
    return distance(result, [&, at = Index()](std::uint64_t index, std::int64_t) mutable {
      find_place(index, written_shape_, at);
      Value value = scale;
      for (std::size_t d = 1; d < at.size(); ++d) value *= coefficients[d - 1][at[d]];
      return real ? Value(value.real()) : value;
    });
  }

  [[nodiscard]] std::vector<Value> coefficients_along(std::size_t d, std::uint64_t j) const {
    const Transform& transform = problem_.transform;
    const auto axes = transformed_axes(transform);
    std::vector<Value> values(written_shape_[d]);
    if (std::ranges::find(axes, d - 1) == axes.end()) {
      values.at(j) = 1;
      return values;
    }
    const bool inverse = problem_.direction == Direction::inverse;
    const std::uint64_t n = transform.lengths[d - 1];
    for (std::size_t k = 0; k < values.size(); ++k) {
      values[k] =
          coefficient(executed_kind(problem_), n, j, k, inverse, transform.normalization == Normalization::ortho);
      if (transform.kind == Kind::r2c && inverse && d - 1 == axes.back() && j > 0 && 2 * j < n) values[k] *= 2;
    }
    return values;
  }

  [[nodiscard]] bool shifts() const {
    const Kind kind = problem_.transform.kind;
    const bool forward = problem_.direction == Direction::forward;
    return (kind == Kind::c2c || (kind == Kind::r2c && forward)) && sides_.read.extents == read_shape_;
  }

  double shift() const {
    const auto axes = transformed_axes(problem_.transform);
    const auto offset_of = [](std::uint64_t length) { return (length + 1) / 3; };
    const Input input = random_input(seed_);
    const Memory straight = run(input);
    const Memory moved = run([&, at = Index()](std::uint64_t index) mutable {
      find_place(index, read_shape_, at);
      for (const std::size_t axis : axes) {
        const std::uint64_t length = read_shape_[axis + 1];
        at[axis + 1] = (at[axis + 1] + length - offset_of(length)) % length;
      }
      return input(index_of(at, read_shape_));
    });
    std::vector<std::vector<Value>> phases;
    for (const std::size_t axis : axes) {
      const std::uint64_t length = problem_.transform.lengths[axis];
      std::vector<Value> turns(length);
      for (std::uint64_t k = 0; k < length; ++k) {
        turns[k] =
            coefficient(Kind::c2c, length, offset_of(length), k, problem_.direction == Direction::inverse, false);
      }
      phases.push_back(std::move(turns));
    }
    return distance(moved, [&, at = Index()](std::uint64_t index, std::int64_t position) mutable {
      find_place(index, written_shape_, at);
      Value value = load(straight, sides_.written.storage, position);
      for (std::size_t i = 0; i < axes.size(); ++i) value *= phases[i][at[axes[i] + 1]];
      return value;
    });
  }

  const Problem& problem_;
  std::uint64_t seed_;
  const Execute& execute_;
  plan::Sides sides_;
  Index read_shape_;
  Index written_shape_;
};

}  // namespace

Outcome verify_properties(const Problem& problem, std::uint64_t seed, const Execute& execute) {
  return Properties(problem, seed, execute).verify();
}

}  // namespace twiddle::verify
