// Which worker suits a stage.
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <type_traits>

#include "backend/host/contiguous_line.hpp"
#include "backend/host/memory_access.hpp"
#include "backend/host/pass.hpp"
#include "backend/host/real_line.hpp"
#include "backend/host/settings.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"
#include "plan/recipe/host_radices.hpp"
#include "plan/recipe/host_vectors.hpp"

namespace twiddle::backend::host {
namespace {

constexpr std::size_t narrowest_vector = 32;  // bytes: narrower ones gain nothing
constexpr std::size_t longest_narrow = 6;     // vectors of the row, where narrower ones do not fit it either

// Elements of a map that is a stage, from which on its lines are made one after the other however many there are.
constexpr std::size_t shortest_map = 1024;

// Scalars from an element to the next where they are adjacent.
std::int64_t unit(const plan::Storage& storage) { return is_interleaved(storage, storage.precision) ? 2 : 1; }

bool is_contiguous(const plan::Stage& stage) {
  return stage.input_stride == unit(stage.input_storage) && stage.output_stride == unit(stage.output_storage);
}

// Whether the lanes of a vector would find neither elements nor lines side by side, or less than half of them lines
// that are: `lane_loop` suits them best.
bool lies_apart(const plan::Stage& stage, std::size_t lane_loop, std::uint64_t vector) {
  const auto has_neighbours = [&](const plan::Storage& storage, std::int64_t plan::Loop::*stride) {
    return lane_loop != StageLoops::no_loop && 2 * stage.loops[lane_loop].count >= vector &&
           stage.loops[lane_loop].*stride == unit(storage);
  };
  return !is_contiguous(stage) && !has_neighbours(stage.input_storage, &plan::Loop::input_stride) &&
         !has_neighbours(stage.output_storage, &plan::Loop::output_stride);
}

// Whether there is a map that single lines only know element by element.
bool element_map(const std::optional<plan::LineMap>& map) {
  return map && !is_half_spectrum(map) && !has_packed_ends(map);
}

// Whether real parts are adjacent to each other, and so are imaginary ones.
bool are_planes(const plan::Storage& storage, std::int64_t stride) {
  return storage.form == plan::Storage::Form::planar && stride == 1;
}

// Whether rows of such numbers, on either side, take less time as interleaved ones (an EPYC, Zen 4): few of them; to 16
// points 0.2 to 0.9, even ones to 32 0.5 to 0.9, and those that do not go side by side anyway 0.6 to 0.97, of reals 0.4
// to 0.7. Others take 0.9 to 1.6 in the caches, odd reals to 2.5; complex ones from memory, of more than 32 points, 0.6
// to 1.0. To a quarter of the core's cache, but where planes are read and complex numbers stored, which take 1.02
// to 1.18 above 8 KiB.
template <class T>
bool are_planes_to_gather(const plan::Stage& stage, bool few, const WorkerOptions& options) {
  constexpr std::uint64_t shortest = 16;
  constexpr std::uint64_t longest_packed = 32;
  constexpr std::size_t longest_read = 8192;
  constexpr std::size_t longest_halved = 2048;
  const bool read = are_planes(stage.input_storage, stage.input_stride);
  const bool stored = are_planes(stage.output_storage, stage.output_stride);
  const bool halved = is_half_spectrum(stage.load_map) || is_half_spectrum(stage.store_map);
  const bool odd_reals = real_side(stage) != RealSide::none;
  const std::size_t bytes = 2 * stage.length * sizeof(T);
  const bool to_complex = read && !stored && !halved && !odd_reals;
  if (!(read || stored) || bytes > (to_complex ? longest_read : options.core_cache / 4)) return false;
  if (stage.length <= shortest || (few && (!odd_reals || stage.convolution))) return true;
  if (stage.convolution || odd_reals) return false;
  if (halved) {
    const bool pays = read || vector_lanes<T>(options.targets) * sizeof(T) == plan::long_vector_bytes;
    const bool few_bytes = stage.length >= longest_packed && bytes <= longest_halved;
    return stage.length >= plan::host_shortest_row || (options.streamed && few_bytes && pays);
  }
  const bool packed = stage.length <= longest_packed;
  if (options.streamed) return !packed || stage.length % 2 == 0;
  return stage.length % 2 == 0 && (packed || stage.length >= plan::host_shortest_row);
}

// How well a loop suits to be walked by the lanes of a vector.
std::int64_t suitability(const plan::Stage& stage, const plan::Loop& loop, std::uint64_t vector) {
  const auto side = [](const plan::Storage& storage, std::int64_t lane_stride, std::int64_t element_stride) {
    if (lane_stride == unit(storage)) return 3;
    return element_stride == unit(storage) ? 2 : 0;
  };
  const int access = side(stage.input_storage, loop.input_stride, stage.input_stride) +
                     side(stage.output_storage, loop.output_stride, stage.output_stride);
  const auto used = static_cast<std::int64_t>(16 * std::min(loop.count, vector) / vector);  // lanes, in sixteenths
  return used * (1 + access);
}

// Whether rows stand side by side however long they are, turned as they are read and stored.
template <class T>
bool turns_rows(const plan::Stage& stage, std::uint64_t neighbours, const WorkerOptions& options) {
  return plan::host_takes_rows_side_by_side(stage.radices, neighbours, vector_lanes<T>(options.targets), sizeof(T),
                                            options.core_cache);
}

// Where one side is real, half of the results say everything; null where no radix serves, or parts are apart.
template <class T>
std::unique_ptr<StageWorker> choose_real(const plan::Stage& stage, std::size_t lane_loop,
                                         const WorkerOptions& options) {
  if (real_side(stage) == RealSide::none || plan::has_parts_apart(stage)) return nullptr;
  const std::uint64_t vector = vector_lanes<T>(options.targets);
  const std::uint64_t neighbours = lane_loop == StageLoops::no_loop ? 1 : stage.loops[lane_loop].count;
  const bool large = 8 * stage.length * vector * sizeof(T) > options.core_cache / 2;  // a bundle
  const bool ragged =
      4 * neighbours < 3 * ((neighbours + vector - 1) / vector * vector) && stage.length >= plan::host_shortest_row;
  const bool rows = is_contiguous(stage) && (large || ragged) && !turns_rows<T>(stage, neighbours, options);
  if (plan::leaves_lanes_idle(neighbours, vector) || rows) {
    auto radices = plan::host_real_radices(stage.length, vector, plan::HostLine::contiguous, false);
    if (!radices.empty()) return make_real_row_worker<T>(stage, std::move(radices), options);
  }
  auto radices = plan::host_real_radices(stage.length, vector, plan::HostLine::strided, true);
  // One line of direct primes only would leave all lanes but one idle; complex rows do not.
  const bool alone = vector > 1 && neighbours == 1 && radices.size() > 1 && real_side(stage) == RealSide::input;
  if (radices.empty() || alone) return nullptr;
  return make_real_bundle_worker<T>(stage, std::move(radices), lane_loop, options);
}

// Without the widest vectors; 0 where there are no others, or none with kernels for all radices.
template <class T>
std::int64_t narrower_targets(const plan::Stage& stage, std::int64_t targets) {
  const std::int64_t narrower = without_widest(targets);
  const auto has_kernel = [&](unsigned radix) { return find_pass<T>(PassKind::middle, radix, narrower) != nullptr; };
  return narrower != 0 && std::ranges::all_of(stage.radices, has_kernel) ? narrower : 0;
}

// For vectors that a short row fills: where its first pass has fewer columns, or its last one shorter runs, than the
// widest vector has lanes, it would be copied, and read in pieces other than those it was written in.
template <class T>
WorkerOptions fitting(const plan::Stage& stage, WorkerOptions options) {
  const std::uint64_t least = stage.length / std::max(stage.radices.front(), stage.radices.back());
  const std::size_t widest = vector_lanes<T>(options.targets);
  const std::int64_t narrower = narrower_targets<T>(stage, options.targets);
  if (least >= widest || narrower == 0) return options;
  const std::size_t lanes = vector_lanes<T>(narrower);
  const bool fits = stage.length <= longest_narrow * widest || least % lanes == 0;
  if (fits && lanes < widest && lanes * sizeof(T) >= narrowest_vector) options.targets = narrower;
  return options;
}

// For short lines by convolution that fill half of the widest vector's lanes, or nearly: side by side in narrower ones
// they take 0.7 to 0.9 of the time that they take one after the other (6 and 8 lines of 131 and 251 floats), unless
// these are very narrow (4 lines of doubles 0.99 and, on a second machine, 1.18).
template <class T>
WorkerOptions fitting_lines(const plan::Stage& stage, std::uint64_t neighbours, WorkerOptions options) {
  constexpr std::uint64_t longest = 512;  // points
  constexpr std::size_t fewest_lanes = 8;
  const std::size_t widest = vector_lanes<T>(options.targets);
  const std::int64_t narrower = narrower_targets<T>(stage, options.targets);
  if (narrower == 0 || plan::chip_points(stage) > longest) return options;
  const std::size_t lanes = vector_lanes<T>(narrower);
  const bool fills = 2 * lanes == widest && neighbours <= lanes && 4 * neighbours >= 3 * lanes;
  if (fills && lanes >= fewest_lanes) options.targets = narrower;
  return options;
}

// For lines whose maps are made element by element, too few to fill half of the widest vector: in the narrowest vectors
// that hold all of them; nothing where they are better one after the other. Side by side they take as long as two or
// three of them, however wide the vectors are: 16 lines of dct2 in pairs, 512 and 1024 floats, 0.26 and 0.39 of the
// time. The spectra of pairs are told apart by vectors in single lines as well.
template <class T>
std::optional<WorkerOptions> in_narrow_vectors(const plan::Stage& stage, std::uint64_t neighbours,
                                               WorkerOptions options) {
  const auto by_elements = [](const std::optional<plan::LineMap>& map) {
    return element_map(map) && !plan::holds_two_spectra(map->rule);
  };
  if (!by_elements(stage.load_map) && !by_elements(stage.store_map)) return std::nullopt;
  for (;;) {
    const std::int64_t narrower = narrower_targets<T>(stage, options.targets);
    if (narrower == 0) break;
    const std::size_t lanes = vector_lanes<T>(narrower);
    if (2 * lanes != vector_lanes<T>(options.targets) || lanes < neighbours) break;
    options.targets = narrower;
  }
  const std::uint64_t planes = 4 * stage.length * vector_lanes<T>(options.targets) * sizeof(T);
  const bool cheap = by_elements(stage.load_map) && by_elements(stage.store_map) && planes <= options.core_cache / 8;
  const std::uint64_t fewest = cheap ? 3 : 4;
  return neighbours >= fewest && planes <= options.core_cache ? std::optional(options) : std::nullopt;
}

template <class T>
std::unique_ptr<StageWorker> choose(const plan::Stage& stage, const WorkerOptions& options) {
  if (stage.returns) return make_returning_worker<T>(stage, options);
  if (auto shared = make_shared_map_worker<T>(stage, options)) return shared;
  if (auto moved = make_moved_element_worker(stage)) return moved;
  if (auto paired = make_paired_element_worker<T>(stage, options)) return paired;
  if constexpr (!std::is_same_v<T, long double>) {  // which has no vectors
    if (auto matrix = make_matrix_worker<T>(stage, options)) return matrix;
  }
  if (auto packed = make_packed_line_worker<T>(stage, options)) return packed;
  if (auto short_rows = make_short_row_worker<T>(stage, options)) return short_rows;
  if (auto short_columns = make_short_column_worker<T>(stage, options)) return short_columns;
  if (auto spread = make_spread_line_worker<T>(stage, options)) return spread;
  const std::uint64_t vector = vector_lanes<T>(options.targets);
  std::size_t best = StageLoops::no_loop;
  std::int64_t best_suitability = -1;
  for (std::size_t i = 0; i < stage.loops.size(); ++i) {
    const std::int64_t value = suitability(stage, stage.loops[i], vector);
    if (value > best_suitability) {
      best = i;
      best_suitability = value;
    }
  }
  const std::uint64_t neighbours = best == StageLoops::no_loop ? 1 : stage.loops[best].count;
  const bool few = plan::leaves_lanes_idle(neighbours, vector);
  const bool packed_ends = has_packed_ends(stage.load_map) && stage.length < plan::host_shortest_row;
  if (packed_ends || are_planes_to_gather<T>(stage, few, options) || lies_apart(stage, best, vector)) {
    if (auto gathered = make_gathered_line_worker<T>(stage, options)) return gathered;
  }
  if (stage.radices.empty()) {
    if (auto mirrored = make_mirrored_map_worker<T>(stage, options)) return mirrored;
    if (auto map = make_line_map_worker<T>(stage, few ? 1 : shortest_map, options.targets)) return map;
    return make_copy_worker<T>(stage, options);
  }
  if (auto prime = stage.convolution ? nullptr : make_prime_row_worker<T>(stage, options)) return prime;
  if (stage.convolution) {
    return make_convolution_worker<T>(stage, best, fitting_lines<T>(stage, neighbours, options));
  }
  // Many lines of less than four vectors take 0.43 to 0.94 of the time side by side, maps by elements and all; of four
  // and more 0.9 to 1.7 (dct4 of 26 to 500 points).
  const bool mapped = element_map(stage.load_map) || element_map(stage.store_map);
  if (mapped && (few || stage.length >= 4 * vector)) {
    if (auto rows = make_mapped_row_worker<T>(stage, !few, options)) return rows;
  }
  if (auto real = choose_real<T>(stage, best, options)) return real;
  const bool plain = !stage.load_factor && !stage.store_factor && !stage.twiddle && !mapped;
  if (const auto narrow = few ? in_narrow_vectors<T>(stage, neighbours, options) : std::nullopt) {
    return make_bundle_worker<T>(stage, best, *narrow);
  }
  const bool turned = turns_rows<T>(stage, neighbours, options);
  const bool row = (plain && is_contiguous(stage) && stage.length >= plan::host_shortest_row && !turned) || few;
  if (row && stage.radices.size() > 1) return make_row_worker<T>(stage, fitting<T>(stage, options));
  return make_bundle_worker<T>(stage, best, options);
}

}  // namespace

std::unique_ptr<StageWorker> make_worker(const plan::Stage& stage, const WorkerOptions& options) {
  if (stage.bank) {
    if (stage.precision == Precision::float64) return make_bank_worker<double>(stage, options);
    return make_bank_worker<float>(stage, options);
  }
  const plan::Stage scalars = in_scalars(stage);
  switch (stage.precision) {
    case Precision::float64:
      return choose<double>(scalars, options);
    case Precision::extended:
      return choose<long double>(scalars, options);
    default:
      return choose<float>(scalars, options);
  }
}

}  // namespace twiddle::backend::host
