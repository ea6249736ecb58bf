// What was measured.
#include "plan/shape/rows_together.hpp"

#include "plan/shape/measured_device.hpp"
#include "plan/shape/shape.hpp"

namespace twiddle::plan {
namespace {

// An H200 through CUDA, 2026-11-30, batches of 512 MiB, of 16 to 128 rows (docs/cuda-shapes.md). Groups of shorter ones
// have too few bytes on their way.
std::uint32_t floats_together(std::uint64_t points, bool mapped) { return points >= (mapped ? 4 : 5) ? 32 : 0; }

std::uint32_t doubles_together(std::uint64_t points) {
  if (points < 3) return 0;
  return points < 6 ? 32 : points < 23 ? 16 : 24;
}

constexpr std::uint64_t longest = 32;

}  // namespace

std::uint32_t rows_together(const Stage& stage, const DeviceLimits& limits) {
  if (!is_like_measured_card(limits) || !is_beyond_cache(stage) || stage.length > longest) return 0;
  if (stage.precision == Precision::float64) return doubles_together(stage.length);
  return floats_together(stage.length, stage.load_map || stage.store_map);
}

}  // namespace twiddle::plan
