// The interpreter's results beside the reference's.
#include "support/lowered_problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "plan/lower/lower.hpp"
#include "plan/lower/view.hpp"
#include "plan/recipe/recipe.hpp"
#include "support/stage_interpreter.hpp"
#include "verify/memory.hpp"
#include "verify/random.hpp"
#include "verify/reference.hpp"
#include "verify/reference_hook.hpp"

namespace twiddle::test {
namespace {

using plan::Storage;
using plan::View;

// The scalars of an element of a view: its real part and, unless it is real, its imaginary part.
std::vector<std::size_t> scalars(const Storage& storage, std::int64_t position) {
  const auto at = static_cast<std::size_t>(storage.form == Storage::Form::interleaved ? 2 * position : position);
  if (storage.form == Storage::Form::real) return {at};
  if (storage.form == Storage::Form::interleaved) return {at, at + 1};
  return {at, static_cast<std::size_t>(position + storage.imaginary_offset)};
}

std::size_t scalar_count(const View& view) {
  return plan::memory_bytes(view) / plan::scalar_bytes(view.storage.precision);
}

class Check {
 public:
  Check(Problem problem, const DeviceLimits& limits, std::uint64_t seed, std::optional<std::uint64_t> most_scratch)
      : problem_(std::move(problem)),
        limits_(limits),
        most_scratch_(most_scratch),
        sides_(plan::sides_of(problem_.transform, problem_.direction, problem_.placement)) {
    verify::Random random(seed);
    const bool in_place = problem_.placement == Placement::in_place;
    const std::size_t written = scalar_count(sides_.written);
    input_.resize(in_place ? std::max(scalar_count(sides_.read), written) : scalar_count(sides_.read));
    for (long double& value : input_) value = random.uniform();
    output_.assign(written, 7);
  }

  void run() const {
    const Transform& transform = problem_.transform;
    const plan::Program program = plan::lower(plan::make_recipe(transform, limits_), transform, problem_.direction,
                                              problem_.placement, limits_, most_scratch_);
    const std::vector<long double> before = problem_.placement == Placement::in_place ? input_ : output_;
    const ScalarMemory after =
        interpret(program, problem_.placement, ScalarMemory(input_), ScalarMemory(output_), transform.overwrite_input);
    compare(before, after.values);
  }

 private:
  std::vector<verify::Value> expected() const {
    const std::vector<std::uint64_t> full = verify::full_shape(problem_, false);
    std::size_t count = 1;
    for (const std::uint64_t extent : full) count *= extent;
    std::vector<verify::Value> values(count);
    verify::for_each_element(sides_.read, full, [&](std::size_t index, std::int64_t position) {
      const auto at = scalars(sides_.read.storage, position);
      values[index] = {input_[at[0]], at.size() > 1 ? input_[at[1]] : 0};
      if (const auto& hook = problem_.transform.load_hook) {
        values[index] = verify::reference_hook(*hook).apply(values[index], position);
      }
    });
    std::vector<verify::Value> results = verify::reference_transform(problem_, std::move(values));
    if (const auto& hook = problem_.transform.store_hook) {
      const auto apply = verify::reference_hook(*hook).apply;
      verify::for_each_element(
          sides_.written, verify::full_shape(problem_, true),
          [&](std::size_t index, std::int64_t position) { results[index] = apply(results[index], position); });
    }
    return results;
  }

  void compare(const std::vector<long double>& before, const std::vector<long double>& after) const {
    const std::vector<verify::Value> right = expected();
    std::vector<bool> written(after.size(), false);
    long double difference = 0, norm = 0;
    const auto full = verify::full_shape(problem_, true);
    verify::for_each_element(sides_.written, full, [&](std::size_t index, std::int64_t position) {
      const auto at = scalars(sides_.written.storage, position);
      const std::array<long double, 2> parts{right[index].real(), right[index].imag()};
      for (std::size_t part = 0; part < at.size(); ++part) {
        written[at[part]] = true;
        difference += std::norm(after[at[part]] - parts[part]);
        norm += std::norm(parts[part]);
      }
    });
    EXPECT_LE(std::sqrt(difference), 1e-14L * std::sqrt(norm));  // scales and chirps of length are double
    if (problem_.placement == Placement::in_place) return;       // what was read may be overwritten
    for (std::size_t i = 0; i < after.size(); ++i) {
      if (written[i]) continue;
      ASSERT_EQ(after[i], before[i]) << "scalar " << i << " is not part of the result";
    }
  }

  Problem problem_;
  DeviceLimits limits_;
  std::optional<std::uint64_t> most_scratch_;
  plan::Sides sides_;
  std::vector<long double> input_;
  std::vector<long double> output_;
};

}  // namespace

void check_lowering(const Problem& problem, const DeviceLimits& limits, std::uint64_t seed,
                    std::optional<std::uint64_t> most_scratch) {
  Check(problem, limits, seed, most_scratch).run();
}

}  // namespace twiddle::test
