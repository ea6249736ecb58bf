// Lines one after the other with maps of real transforms on either side: each map from line to line, by vectors or by
// the rule of its places, and the transform in between by what serves plain lines best. All of it stays in the cache.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "backend/host/aligned_array.hpp"
#include "backend/host/combination.hpp"
#include "backend/host/item_walk.hpp"
#include "backend/host/line_passes.hpp"
#include "backend/host/scalar_stage.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"
#include "hwy/cache_control.h"
#include "plan/lower/line_map.hpp"

namespace twiddle::backend::host {
namespace {

// One side of a stage in scalars: where numbers are.
struct Side {
  plan::Storage storage;
  std::int64_t stride = 2;
};

Side between(Precision precision) {
  return {{.form = plan::Storage::Form::planar, .precision = precision, .imaginary_offset = 1}, 2};
}

// The map of one line by itself; null where none of those from line to line serves, or none by vectors.
template <class T>
std::unique_ptr<StageWorker> map_worker(const plan::LineMap& map, const Side& from, const Side& to, long double scale,
                                        const plan::Stage& stage, bool by_vectors, const WorkerOptions& options) {
  plan::Stage alone;
  alone.precision = stage.precision;
  alone.direction = stage.direction;
  alone.length = map.count;
  alone.load_map = map;
  alone.input_storage = from.storage;
  alone.input_stride = from.stride;
  alone.output_storage = to.storage;
  alone.output_stride = to.stride;
  alone.scale = scale;
  if (auto mirrored = make_mirrored_map_worker<T>(alone, options)) return mirrored;
  if (by_vectors) return make_ruled_map_worker<T>(alone, options.targets);
  return make_line_map_worker<T>(alone, 1, options.targets);
}

// What a line goes through, one after the other.
struct Parts {
  std::unique_ptr<StageWorker> load;  // null: the passes read what memory has
  std::unique_ptr<StageWorker> passes;
  std::unique_ptr<StageWorker> store;  // likewise
};

// On either side of the passes.
struct Maps {
  std::optional<plan::LineMap> load;
  std::optional<plan::LineMap> store;
};

template <class T>
class MappedRowWorker final : public StageWorker {
 public:
  MappedRowWorker(const plan::Stage& stage, Parts parts, const WorkerOptions& options)
      : loops_(stage, StageLoops::no_loop, 1),
        written_bytes_(bytes_of(stage.output_storage, stage.store_map ? stage.store_map->count : stage.length)),
        streamed_(options.streamed && parts.store),
        copy_past_cache_(find_combinations<T>(options.targets).copy_past_cache),
        line_bytes_((std::max(2 * stage.length * sizeof(T), written_bytes_) + cache_line - 1) / cache_line *
                        cache_line +
                    cache_line),
        parts_(std::move(parts)) {
    const std::size_t read = stage.load_map ? stage.load_map->source_count : stage.length;
    if (options.prefetched) prefetch_.pieces = (bytes_of(stage.input_storage, read) + cache_line - 1) / cache_line;
  }

  std::uint64_t items() const override { return loops_.items(); }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    auto* const line = static_cast<std::byte*>(thread_lines(2 * line_bytes_));
    for_each_item<T>(loops_, prefetch_, input, begin, end, [&](const StageLoops::Item& item, const Prefetch& prefetch) {
      const auto* from = reinterpret_cast<const std::byte*>(reinterpret_cast<const T*>(input) + item.position.input);
      if (parts_.load) {
        parts_.load->call(from, line);
        from = line;
      }
      // The next line, while this one is transformed.
      for (std::size_t i = 0; prefetch.start != nullptr && i < prefetch.pieces; ++i) {
        hwy::Prefetch(prefetch.start + i * cache_line);
      }
      transform(from, line, reinterpret_cast<T*>(output) + item.position.output);
    });
    if (streamed_) hwy::FlushStream();
  }

 private:
  // Of a line on one side.
  static std::size_t bytes_of(const plan::Storage& storage, std::size_t count) {
    return count * sizeof(T) * (storage.form == plan::Storage::Form::real ? 1 : 2);
  }
  // From where the passes read, by way of the two lines, of which `from` may be the first.
  void transform(const std::byte* from, std::byte* line, T* results) const {
    auto* const to = reinterpret_cast<std::byte*>(results);
    if (!parts_.store) return parts_.passes->call(from, to);
    std::byte* const transformed = line + line_bytes_;
    parts_.passes->call(from, transformed);
    if (prefetch_.pieces == 0 && !streamed_) return parts_.store->call(transformed, to);
    // As one run: maps store to several places at once, which a core's cache has to fetch.
    parts_.store->call(transformed, line);
    if (streamed_) return copy_past_cache_(reinterpret_cast<const T*>(line), written_bytes_ / sizeof(T), results);
    std::memcpy(to, line, written_bytes_);
  }

  StageLoops loops_;
  std::size_t written_bytes_;
  bool streamed_;
  void (*copy_past_cache_)(const T* from, std::size_t count, T* to);
  std::size_t line_bytes_;
  Parts parts_;
  Prefetch prefetch_;  // but for the place
};

bool is_row(const Side& side, Precision precision) {
  const bool interleaved = is_interleaved(side.storage, precision);
  return side.stride == (interleaved ? 2 : 1) &&
         (interleaved || (side.storage.form == plan::Storage::Form::real && side.storage.precision == precision));
}

// Of an odd number of reals, whose spectrum half of it says: the maps of their complex transform, to or from that half
// alone. Nothing for other lines.
std::optional<Maps> with_half_spectrum(const plan::Stage& stage) {
  using Rule = plan::LineMap::Rule;
  const auto reals = [](const plan::Storage& storage) { return storage.form == plan::Storage::Form::real; };
  if (stage.length % 2 == 0 || !stage.store_map || !reals(stage.input_storage) || !reals(stage.output_storage)) {
    return std::nullopt;
  }
  const auto of_spectrum = [](plan::LineMap::Rule rule) { return rule == Rule::dct3_load || rule == Rule::dst3_load; };
  const std::uint64_t half = stage.length / 2 + 1;
  const auto is_whole = [&](const plan::LineMap& map) { return map.length == stage.length && plan::is_whole(map); };
  if (!is_whole(*stage.store_map) || (stage.load_map && !is_whole(*stage.load_map))) return std::nullopt;
  Maps maps{stage.load_map, stage.store_map};
  switch (stage.store_map->rule) {
    case Rule::dct2_store:
    case Rule::dst2_store:
    case Rule::dct4_odd_store:
    case Rule::dst4_odd_store:
    case Rule::dht_store:
      maps.store->half_columns = stage.length;
      maps.store->source_count = half;
      return maps;
    case Rule::dct3_store:
    case Rule::dst3_store:
      if (!maps.load || !of_spectrum(maps.load->rule)) return std::nullopt;
      maps.load->half_columns = stage.length;
      maps.load->count = half;
      return maps;
    default:
      return std::nullopt;
  }
}

// The stage's maps and passes between `input` and `output`; nothing where a map has no worker.
template <class T>
std::optional<Parts> make_parts(const plan::Stage& stage, const Side& input, const Side& output, bool by_vectors,
                                const WorkerOptions& options) {
  const Side complex = between(stage.precision);
  const Side reals{{.form = plan::Storage::Form::real, .precision = stage.precision}, 1};
  const std::optional<Maps> halves = with_half_spectrum(stage);
  const Maps maps = halves.value_or(Maps{stage.load_map, stage.store_map});
  const bool forward = stage.direction == Direction::forward;
  plan::Stage line = line_by_itself(stage, stage.direction, stage.store_map ? 1 : stage.scale);
  if (halves && forward) {
    line.input_storage.form = plan::Storage::Form::real;
    line.store_bound = plan::Bound{.count = stage.length / 2 + 1};
  } else if (halves) {
    line.output_storage.form = plan::Storage::Form::real;
    line.load_map =
        plan::LineMap{plan::LineMap::Rule::hermitian_load, stage.length, stage.length / 2 + 1, stage.length};
  }
  Parts parts;
  if (maps.load) {
    const Side& to = halves && forward ? reals : complex;
    parts.load = map_worker<T>(*maps.load, input, to, 1, stage, by_vectors, options);
    if (!parts.load) return std::nullopt;
  } else if (!halves && !is_interleaved(input.storage, stage.precision)) {
    return std::nullopt;
  }
  if (maps.store) {
    const Side& from = halves && !forward ? reals : complex;
    parts.store = map_worker<T>(*maps.store, from, output, stage.scale, stage, by_vectors, options);
    if (!parts.store) return std::nullopt;
  } else if (!is_interleaved(output.storage, stage.precision)) {
    return std::nullopt;
  }
  parts.passes = make_worker(
      line, {.targets = options.targets, .first_cache = options.first_cache, .core_cache = options.core_cache});
  return parts;
}

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_mapped_row_worker(const plan::Stage& stage, bool by_vectors,
                                                    const WorkerOptions& options) {
  plan::Stage bare = stage;
  bare.load_map.reset();
  bare.store_map.reset();
  if (stage.convolution || stage.twiddle || stage.radices.empty() || !only_loads(bare) || !only_stores(bare)) {
    return nullptr;
  }
  const Side input{stage.input_storage, stage.input_stride};
  const Side output{stage.output_storage, stage.output_stride};
  if (!is_row(input, stage.precision) || !is_row(output, stage.precision)) return nullptr;
  std::optional<Parts> parts = make_parts<T>(stage, input, output, by_vectors, options);
  if (!parts) return nullptr;
  return std::make_unique<MappedRowWorker<T>>(stage, std::move(*parts), options);
}

template std::unique_ptr<StageWorker> make_mapped_row_worker<float>(const plan::Stage&, bool, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_mapped_row_worker<double>(const plan::Stage&, bool, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_mapped_row_worker<long double>(const plan::Stage&, bool,
                                                                          const WorkerOptions&);

}  // namespace twiddle::backend::host
