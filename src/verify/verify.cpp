// Verification against the reference.
#include "verify/verify.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <numeric>
#include <optional>

#include "plan/lower/view.hpp"
#include "twiddle/error.hpp"
#include "twiddle/plan.hpp"
#include "verify/bound.hpp"
#include "verify/known_spectrum.hpp"
#include "verify/memory.hpp"
#include "verify/properties.hpp"
#include "verify/random.hpp"
#include "verify/reference.hpp"
#include "verify/reference_hook.hpp"

namespace twiddle::verify {
namespace {

constexpr std::byte around{0xff};  // a NaN in every precision

std::uint64_t elements(const std::vector<std::uint64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
}

// Both memories of one execution; in place there is only the first.
struct Memories {
  std::vector<std::byte> input;
  std::vector<std::byte> output;
  bool in_place = false;

  Memories(const Problem& problem, const plan::Sides& sides) : in_place(problem.placement == Placement::in_place) {
    const std::size_t written_bytes = plan::memory_bytes(sides.written);
    input.assign(std::max(plan::memory_bytes(sides.read), in_place ? written_bytes : 0), around);
    if (!in_place) output.assign(written_bytes, around);
  }

  void run(const Execute& execute) { execute(input, results()); }
  std::vector<std::byte>& results() { return in_place ? input : output; }
};

std::string as_text(const Value& value) {
  return fmt::format("({:.9g}, {:.9g})", static_cast<double>(value.real()), static_cast<double>(value.imag()));
}

// Of what is written, also what is not stored of the lines that are there.
plan::View whole_lines(const Problem& problem, const plan::View& written, const std::vector<std::uint64_t>& full) {
  plan::View lines = written;
  for (const std::size_t axis : transformed_axes(problem.transform)) lines.extents[axis + 1] = full[axis + 1];
  return lines;
}

void apply(const ReferenceHook& hook, const plan::View& view, const std::vector<std::uint64_t>& full,
           std::vector<Value>& values) {
  for_each_element(view, full, [&](std::size_t index, std::int64_t position) {
    values[index] = hook.apply(values[index], position);
  });
}

// Half precision ends at 65504, and what is nearer to the next number of its spacing, or beyond, is infinite.
constexpr long double first_infinite_half = 65520;

// Without the parts that the format makes infinite.
Value in_range(const Value& value, Precision precision) {
  if (precision != Precision::float16) return value;
  const auto part = [](long double x) { return std::abs(x) < first_infinite_half ? x : 0; };
  return {part(value.real()), part(value.imag())};
}

// Infinity is right where the result is beyond the range, or so near to its end that an error decides; a number is not
// where it is clearly beyond.
long double distance(long double actual, long double expected, Precision precision) {
  constexpr long double spread = 1 + 0x1p-9L;
  const long double magnitude = std::abs(expected);
  if (precision != Precision::float16) return actual - expected;
  const bool same_sign = std::signbit(actual) == std::signbit(expected);
  if (std::isinf(actual) && same_sign && magnitude * spread >= first_infinite_half) return 0;
  if (std::isfinite(actual) && magnitude >= first_infinite_half * spread) return HUGE_VALL;
  return actual - expected;
}

// The norm of as many results of average size as are stored: those that are wanted may be few, and small by chance. The
// average is over the lines that are there, since beyond the extents of axes that are not transformed there is nothing.
long double norm_of_average(const Problem& problem, const plan::View& written, const std::vector<std::uint64_t>& full,
                            const std::vector<Value>& expected) {
  const plan::View lines = whole_lines(problem, written, full);
  long double sum = 0;
  for_each_element(lines, full, [&](std::size_t index, std::int64_t) {
    sum += std::norm(in_range(expected[index], problem.transform.precision));
  });
  return std::sqrt(sum * static_cast<long double>(elements(written.extents)) /
                   static_cast<long double>(elements(lines.extents)));
}

// Compares results with what they should be, both in the full shape of what is written.
class Comparison {
 public:
  Comparison(const Problem& problem, const plan::View& written, ConstBytes memory, std::vector<Value> expected,
             const Strategy& strategy) {
    const auto full = full_shape(problem, true);
    norm_ = norm_of_average(problem, written, full, expected);
    if (const auto& hook = problem.transform.store_hook) {
      const ReferenceHook reference = reference_hook(*hook);
      apply(reference, whole_lines(problem, written, full), full, expected);
      // What is beyond the range of halves before a hook may be within it behind.
      const bool ends = problem.transform.precision == Precision::float16;
      if (!reference.linear || ends) norm_ = norm_of_average(problem, written, full, expected);
    }
    const Precision precision = problem.transform.precision;
    long double difference = 0;
    long double stored = 0;
    for_each_element(written, full, [&](std::size_t index, std::int64_t position) {
      const Value actual = load(memory, written.storage, position);
      const long double squared = std::norm(Value(distance(actual.real(), expected[index].real(), precision),
                                                  distance(actual.imag(), expected[index].imag(), precision)));
      difference += squared;
      stored_.push_back(in_range(expected[index], precision));
      stored += std::norm(stored_.back());
      if (worst_ && !(squared > worst_distance_) && !std::isnan(squared)) return;
      if (worst_ && std::isnan(worst_distance_)) return;
      worst_ = index;
      worst_distance_ = squared;
      worst_actual_ = actual;
    });
    norm_ = std::max(norm_, std::sqrt(stored));  // few results may be large by chance as well, with errors to match
    error_ = static_cast<double>(norm_ == 0 ? std::sqrt(difference) : std::sqrt(difference) / norm_);
    bound_ = error_bound(problem, stored_, norm_, strategy);
    worst_expected_ = expected[*worst_];
    shape_ = full;
  }

  [[nodiscard]] double error() const { return error_; }
  [[nodiscard]] double bound() const { return bound_; }
  [[nodiscard]] bool good() const { return error_ <= bound_; }  // false for NaN

  [[nodiscard]] std::string complaint() const {
    std::vector<std::uint64_t> at(shape_.size());
    std::uint64_t rest = *worst_;
    for (std::size_t d = at.size(); d-- > 0; rest /= shape_[d]) at[d] = rest % shape_[d];
    const std::string where = fmt::format("element {} (batch first): {}, expected {}", fmt::join(at, ","),
                                          as_text(worst_actual_), as_text(worst_expected_));
    const bool finite = std::isfinite(worst_actual_.real()) && std::isfinite(worst_actual_.imag());
    if (!std::isfinite(error_) && finite) return "not every result beyond the range is infinite, such as " + where;
    if (!std::isfinite(error_)) return "not every result is a finite number, such as " + where;
    return fmt::format("the error is {:.3g}, more than {:.3g}; most at {}", error_, bound_, where);
  }

 private:
  std::vector<std::uint64_t> shape_;
  std::vector<Value> stored_;
  long double norm_ = 0;
  double error_ = 0;
  double bound_ = 0;
  std::optional<std::size_t> worst_;
  long double worst_distance_ = 0;
  Value worst_actual_;
  Value worst_expected_;
};

// What must be as before: everything but results, and input that may serve as working memory.
std::string changes(const Problem& problem, const plan::Sides& sides, const Memories& before, const Memories& after) {
  const Precision precision = problem.transform.precision;
  const auto outside = [](std::vector<bool> scalars) {
    scalars.flip();
    return scalars;
  };
  if (before.in_place) {
    std::vector<bool> used = scalars_of(sides.read, before.input.size());
    const std::vector<bool> written = scalars_of(sides.written, before.input.size());
    for (std::size_t i = 0; i < used.size(); ++i) used[i] = used[i] || written[i];
    return same_bits(before.input, after.input, precision, outside(used)) ? "" : "memory around the elements changed";
  }
  std::vector<bool> kept(before.input.size() / plan::scalar_bytes(precision), true);
  if (problem.transform.overwrite_input) kept = outside(scalars_of(sides.read, before.input.size()));
  if (!same_bits(before.input, after.input, precision, kept)) {
    return problem.transform.overwrite_input ? "memory around the input changed" : "the input changed";
  }
  const std::vector<bool> gaps = outside(scalars_of(sides.written, before.output.size()));
  return same_bits(before.output, after.output, precision, gaps) ? "" : "memory around the output changed";
}

}  // namespace

Outcome verify_execution(const Problem& problem, std::uint64_t seed, const Execute& first, const Execute& second,
                         const Strategy& strategy) {
  const plan::Sides sides = plan::sides_of(problem.transform, problem.direction, problem.placement);
  const std::vector<std::uint64_t> read_shape = full_shape(problem, false);
  if (std::max(elements(read_shape), elements(full_shape(problem, true))) > most_referred_elements) {
    if (problem.transform.load_hook || problem.transform.store_hook) {
      throw Unsupported(
          fmt::format("{}: problems of more than {} elements are verified without a reference, and so "
                      "without hooks",
                      to_string(problem), most_referred_elements));
    }
    return verify_properties(problem, seed, first);
  }
  Memories before(problem, sides);
  Random random(seed);
  for_each_element(sides.read, sides.read.extents, [&](std::size_t, std::int64_t position) {
    const long double real = random.uniform();
    store(before.input, sides.read.storage, position, {real, random.uniform()});
  });
  std::vector<Value> values = load_array(before.input, sides.read, read_shape);
  if (const auto& hook = problem.transform.load_hook) apply(reference_hook(*hook), sides.read, read_shape, values);
  const std::vector<Value> expected = reference_transform(problem, std::move(values));

  Memories after = before;
  after.run(first);
  Memories again = before;
  again.run(second);

  const Comparison comparison(problem, sides.written, after.results(), expected, strategy);
  Outcome outcome{.error = comparison.error(), .bound = comparison.bound()};
  const auto complaint = [&]() -> std::string {
    if (!comparison.good()) return comparison.complaint();
    if (std::string change = changes(problem, sides, before, after); !change.empty()) return change;
    const std::vector<bool> results = scalars_of(sides.written, after.results().size());
    if (!same_bits(after.results(), again.results(), problem.transform.precision, results)) {
      return "a second execution, from buffers of the device, gives other bits";
    }
    if (const std::string change = changes(problem, sides, before, again); !change.empty()) {
      return change + " when executed from buffers of the device";
    }
    return "";
  };
  outcome.complaint = complaint();
  outcome.within = outcome.complaint.empty();
  return outcome;
}

Outcome verify(const Device& device, const Problem& problem, std::uint64_t seed) {
  const std::uint64_t most = std::max(elements(full_shape(problem, false)), elements(full_shape(problem, true)));
  if (most > most_referred_elements && KnownSpectrum::serves(problem)) {
    return verify_known_spectrum(device, problem, seed);
  }
  const Plan plan(device, problem.transform);
  const plan::Sides sides = plan::sides_of(problem.transform, problem.direction, problem.placement);
  const std::size_t input_bytes = plan.input_bytes(problem.direction, problem.placement);
  const std::size_t output_bytes = plan.output_bytes(problem.direction, problem.placement);
  if (input_bytes != plan::memory_bytes(sides.read) || output_bytes != plan::memory_bytes(sides.written)) {
    return {.complaint = fmt::format("the plan asks for {} and {} bytes; expected {} and {}", input_bytes, output_bytes,
                                     plan::memory_bytes(sides.read), plan::memory_bytes(sides.written))};
  }
  const auto from_host = [&](Bytes input, Bytes output) {
    if (input.data() == output.data()) return plan.execute_bytes(problem.direction, output);
    plan.execute_bytes(problem.direction, input, output);
  };
  const auto from_buffers = [&](Bytes input, Bytes output) {
    Buffer source(device, input.size());
    source.write_bytes(input);
    if (input.data() == output.data()) {
      plan.execute(problem.direction, source);
      return source.read_bytes(output);
    }
    Buffer result(device, output.size());
    result.write_bytes(output);
    plan.execute(problem.direction, source, result);
    result.read_bytes(output);
    source.read_bytes(input);  // so that a change of it is seen
  };
  return verify_execution(problem, seed, from_host, from_buffers, device.limits().strategy);
}

}  // namespace twiddle::verify
