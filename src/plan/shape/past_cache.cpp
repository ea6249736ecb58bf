// Which kernels store past the cache: those with tables that results would push out of it.
#include "plan/shape/past_cache.hpp"

#include "plan/device/limits.hpp"

namespace twiddle::plan {
namespace {

using Lanes = KernelShape::Lanes;

// The shortest lines that take less time so, of each sort: an H200 through CUDA, forward, batches of 512 MiB
// (docs/cuda-shapes.md). Shorter ones have tables that stay in the cache anyway, and take up to 1.03 times as long.
constexpr std::uint64_t shortest_double_rows = 1200;
constexpr std::uint64_t shortest_double_columns = 1000;
constexpr std::uint64_t shortest_double_columns_with_twiddle = 100;
constexpr std::uint64_t shortest_rows = 15000;
constexpr std::uint64_t shortest_mapped_rows = 500;      // reals, whose spectra take tables of their own
constexpr std::uint64_t shortest_returning_rows = 2000;  // multiplied by a table, and transformed back

// The one of these that takes longer, 1.036 times.
constexpr std::uint64_t slower_double_row = 6561;

// Of local memory, which leaves a unit's cache the less: half of what the H200 has, as plans of doubles see it.
constexpr std::size_t measured_memory = nvidia_cuda_local_memory / 2;

// Groups for each compute unit. Measured were some hundred and more.
constexpr std::uint64_t fewest_turns = 4;

bool is_measured_sort(const Stage& stage, const KernelShape& shape) {
  const bool plain_results =
      stage.output_storage.form == Storage::Form::interleaved && stage.output_storage.precision == stage.precision;
  return plain_results && stage.radices.size() > 1 && !stage.convolution && !stage.bank && !stage.direct &&
         !stage.load_map && !stage.shared_map && !stage.load_hook && !stage.store_hook && shape.vector == 1 &&
         shape.groups_per_transform == 1 && !shape.stage_through_local;
}

}  // namespace

bool stores_past_cache(const Stage& stage, const KernelShape& shape, const DeviceLimits& limits) {
  const bool like_measured = limits.local_memory >= measured_memory && limits.strategy == Strategy{};
  const std::uint64_t groups = launch_transforms(stage) / shape.transforms_per_group;
  if (!like_measured || groups < fewest_turns * limits.compute_units || !is_measured_sort(stage, shape)) return false;
  const bool wide = stage.precision == Precision::float64;
  if (shape.store == Lanes::elements) {
    const std::uint64_t single = stage.store_map ? shortest_mapped_rows
                                 : stage.returns ? shortest_returning_rows
                                                 : shortest_rows;
    if (shape.load != Lanes::elements || (wide && stage.length == slower_double_row)) return false;
    return stage.length >= (wide ? shortest_double_rows : single);
  }
  if (!wide) return false;
  if (shape.load == Lanes::elements) return stage.length >= shortest_double_rows;
  return stage.length >= (stage.twiddle ? shortest_double_columns_with_twiddle : shortest_double_columns);
}

}  // namespace twiddle::plan
