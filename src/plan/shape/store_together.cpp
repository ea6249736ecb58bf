// A table of the lines that gain.
#include "plan/shape/store_together.hpp"

#include <algorithm>
#include <vector>

#include "plan/choice/choice_table.hpp"
#include "plan/shape/measured_device.hpp"
#include "plan/shape/shape.hpp"

namespace twiddle::plan {
namespace {

struct Line {
  std::uint64_t length;
  Precision precision;
  bool beyond_cache = false;  // where the cache holds them, they take up to 1.12 times as long
};

// An H200 through CUDA, batches of 512 MiB, in the shapes of measured_rows.cpp: those that take 0.98 of the time or
// less (docs/cuda-shapes.md).
const std::vector<Line>& lines() {
  constexpr auto f32 = Precision::float32;
  constexpr auto f64 = Precision::float64;
  static const std::vector<Line> table{
      {60, f32},  {121, f32},      {127, f32}, {360, f32},      {74, f32},  {82, f32},  {86, f32},        {123, f32},
      {129, f32}, {60, f64, true}, {61, f64},  {81, f64, true}, {121, f64}, {127, f64}, {169, f64, true}, {243, f64}};
  return table;
}

}  // namespace

bool may_store_together(const Stage& stage, const KernelShape& shape) {
  return is_one_run(stage) && stage.radices.size() > 1 && !stage.bank && !stage.direct && !stage.returns &&
         shape.exchange == KernelShape::Exchange::complex && shape.exchange_rounds == 1 && shape.vector == 1 &&
         shape.groups_per_transform == 1 && !shape.prefetch && !shape.stage_through_local &&
         shape.load == KernelShape::Lanes::elements && shape.store == KernelShape::Lanes::elements;
}

bool prefers_stores_together(const Stage& stage, const KernelShape& shape, const DeviceLimits& limits) {
  if (!is_like_measured_card(limits) || !keeps_plain_complex(stage) || !may_store_together(stage, shape)) return false;
  if (tuned_choice(stage.length, LineUse::rows, limits) != nullptr) return false;
  return std::any_of(lines().begin(), lines().end(), [&](const Line& line) {
    return line.length == stage.length && line.precision == stage.precision &&
           (!line.beyond_cache || is_beyond_cache(stage));
  });
}

}  // namespace twiddle::plan
