// Which cache bundles have to fit into, as measured.
#include "backend/host/bundle_width.hpp"

#include <algorithm>
#include <complex>
#include <cstdint>

#include "backend/host/aligned_array.hpp"
#include "backend/host/pass.hpp"
#include "backend/host/scalar_stage.hpp"
#include "backend/host/stage_loops.hpp"

namespace twiddle::backend::host {
namespace {

constexpr std::size_t widest_bundle = 512;  // bytes of interleaved elements: 64 of float

// Elements so many bytes apart, or a multiple, fall onto few sets of the first-level cache.
constexpr std::int64_t bytes_of_conflict = 1024;
// Beside a core's cache of at most so many bytes bundles of such elements fill no more than twice the first-level cache
// where all data is at most so many times the core's cache: 0.81 to 0.94 of the time of wide ones (an EPYC, Zen 3), but
// up to 1.16 beyond, and 1.6 where maps are made element by element. Beside a large one (two Xeons, 2 MiB)
// they take 0.81 to 0.99 of the time, from memory 0.7 to 1.4, with maps 1.07 to 1.27.
constexpr std::size_t small_core_cache = std::size_t{512} << 10;
constexpr std::uint64_t little_data = 8;

bool holds_little(const plan::Stage& stage, std::size_t complex_bytes, std::size_t core_cache) {
  return core_cache <= small_core_cache &&
         plan::transform_count(stage) * stage.length * complex_bytes <= little_data * core_cache;
}

}  // namespace

template <class T>
bool share_sets(std::int64_t stride) {
  return stride * static_cast<std::int64_t>(sizeof(T)) % bytes_of_conflict == 0;
}

template <class T>
std::size_t bundle_lanes(const plan::Stage& stage, std::size_t lane_loop, const WorkerOptions& options) {
  constexpr std::size_t complex_bytes = sizeof(std::complex<T>);
  const std::size_t narrow = std::max<std::size_t>(vector_lanes<T>(options.targets), cache_line / complex_bytes);
  if (lane_loop == StageLoops::no_loop) return narrow;
  const plan::Loop& loop = stage.loops[lane_loop];
  const auto adjacent = [](const plan::Storage& storage, std::int64_t lane_stride) {
    return lane_stride == (is_interleaved(storage, storage.precision) ? 2 : 1);
  };
  const bool adjacent_input = adjacent(stage.input_storage, loop.input_stride);
  const bool adjacent_output = adjacent(stage.output_storage, loop.output_stride);
  if (!adjacent_input && !adjacent_output) return narrow;
  const auto idles = [&](std::size_t lanes) { return plan::transform_count(stage) < 4 * lanes * options.threads; };
  // Passes go from one array to another.
  const auto fits = [&](std::size_t lanes, std::size_t cache) {
    return 2 * stage.length * lanes * complex_bytes <= cache;
  };
  const bool tuned = stage.shape.transforms_per_group > 1;
  // Results that become rows follow each other whatever the width; caches serve pieces of two lines as well as longer
  // ones, and of one where passes would leave the first-level cache; memory does not.
  if (!adjacent_output && !options.from_memory && !tuned) {
    const std::size_t pieces = std::max<std::size_t>(narrow, 2 * cache_line / complex_bytes);
    return idles(pieces) || !fits(pieces, options.first_cache) ? narrow : pieces;
  }
  const std::int64_t stride = adjacent_input ? stage.input_stride : stage.output_stride;
  std::size_t room = options.first_cache;
  if (share_sets<T>(stride)) {
    const bool mapped = stage.load_map || stage.store_map;
    const bool narrower =
        options.large_core_cache() ? !options.from_memory : holds_little(stage, complex_bytes, options.core_cache);
    room = narrower && !mapped ? 2 * room : options.core_cache;
  }
  std::size_t lanes = widest_bundle / complex_bytes;
  if (tuned) lanes = std::min<std::size_t>(lanes, stage.shape.transforms_per_group);
  const auto too_wide = [&] { return !fits(lanes, room) || lanes >= 2 * loop.count || idles(lanes); };
  while (lanes > narrow && too_wide()) lanes /= 2;
  return std::max(lanes, narrow);
}

template bool share_sets<float>(std::int64_t);
template bool share_sets<double>(std::int64_t);
template bool share_sets<long double>(std::int64_t);
template std::size_t bundle_lanes<float>(const plan::Stage&, std::size_t, const WorkerOptions&);
template std::size_t bundle_lanes<double>(const plan::Stage&, std::size_t, const WorkerOptions&);
template std::size_t bundle_lanes<long double>(const plan::Stage&, std::size_t, const WorkerOptions&);

}  // namespace twiddle::backend::host
