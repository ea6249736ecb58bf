// Counting what stages move and compute.
#include "plan/device/work.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plan/convolution/convolution_recipe.hpp"
#include "plan/convolution/filter_bank.hpp"
#include "plan/convolution/lower_bank.hpp"
#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/lower/map_entries.hpp"
#include "plan/lower/view.hpp"
#include "plan/recipe/host_radices.hpp"
#include "plan/recipe/host_sharing.hpp"
#include "plan/recipe/recipe.hpp"
#include "plan/shape/joined.hpp"

namespace twiddle::plan {
namespace {

// Beyond, a butterfly is computed by the definition, two outputs of half its inputs at a time.
constexpr unsigned largest_fast_radix = 16;
constexpr double by_definition = 4;
constexpr double by_convolution = 2.5;  // transforms: there and back, permutations and products; as two CPUs took

// For each point of a line.
double operations(const std::vector<unsigned>& radices) {
  return std::accumulate(radices.begin(), radices.end(), 0.0, [](double sum, unsigned radix) {
    return sum + (radix <= largest_fast_radix ? operations_by_doublings * std::log2(radix) : by_definition * radix);
  });
}

double bytes_of_element(const Storage& storage) {
  const double scalars = (storage.form == Storage::Form::real ? 1 : 2) * (storage.words_apart ? 2 : 1);
  return scalars * static_cast<double>(scalar_bytes(storage.precision));
}

// Transforms of a segment there, and back for each filter; direct sums have no radices.
double bank_operations(const Stage& stage) {
  const double points = static_cast<double>(stage.length);
  const double filters = static_cast<double>(std::max<std::uint64_t>(stage.bank->filters, 1));
  if (stage.radices.empty()) return 2 * points * filters * static_cast<double>(all_taps(*stage.bank));
  return points * ((1 + filters) * operations(stage.radices) + 6 * filters);
}

// Maps that are stages of the host find each number by itself, or by rules of their places: as many operations as would
// take as long, with AVX-512. Those of PoCL on its cores take what their bytes take. So do all maps of GPUs.
constexpr double lone_mapping = 90;
constexpr double ruled_mapping = 12;
// What a number takes that is a source's, at most with another sign, beside two terms; what one takes of rows whose
// maps the host knows without tables, if they are this long; and where lines are too few for the lanes of a vector.
constexpr double moved = 0.3;
constexpr double known = 0.2;
constexpr std::uint64_t shortest_known = 128;
constexpr double without_lanes = 4;

bool is_folded(const Stage& stage) { return !stage.radices.empty() || stage.direct; }

// Whose places and coefficients the host knows without tables in a stage of their own.
bool has_rules(LineMap::Rule rule) {
  using Rule = LineMap::Rule;
  if (is_half_spectrum(rule)) return true;
  switch (rule) {
    case Rule::dht_half_store:
    case Rule::dct2_half_load:
    case Rule::dct2_half_store:
    case Rule::dst2_half_load:
    case Rule::dst2_half_store:
    case Rule::dct3_half_store:
    case Rule::dst3_half_store:
      return true;
    default:
      return false;
  }
}

double map_weight(const std::optional<LineMap>& map, const Stage& stage, const DeviceLimits& limits) {
  if (!map) return 0;
  if (limits.shape != DeviceLimits::Shape::owned) return 1;
  const bool rows = stage.length >= shortest_known && stage.input_stride == 1 && stage.output_stride == 1;
  const bool few = leaves_lanes_idle(transform_count(stage), limits_for(limits, stage.precision).sub_group_size);
  if (rows && (is_half_spectrum(map->rule) || (few && is_whole(*map) && has_rules(map->rule)))) return known;
  const MapEntry<float> entry = MapEntries<float>(*map)(map->count / 2);
  const bool moves = entry.second.index == MapTables::none && entry.first.coefficient.imag() == 0;
  return (moves ? moved : 1) * (few ? without_lanes : 1);
}

void add_maps(const Stage& stage, const DeviceLimits& limits, StageWork& work) {
  const bool host = limits.shape == DeviceLimits::Shape::owned;
  if ((!stage.load_map && !stage.store_map) || !(host || is_like_cpu(limits))) return;
  const double lines = static_cast<double>(transform_count(stage));
  if (is_folded(stage)) {
    const double maps = map_weight(stage.load_map, stage, limits) + map_weight(stage.store_map, stage, limits);
    work.mapped = maps * lines * 2 * static_cast<double>(chip_points(stage));
  } else if (host) {
    const double scalars = stage.output_storage.form == Storage::Form::real ? 1 : 2;
    const LineMap& map = stage.load_map ? *stage.load_map : *stage.store_map;
    const double each = has_rules(map.rule) ? ruled_mapping : lone_mapping;
    work.mapping = each * lines * scalars * static_cast<double>(bounded_count(stage.length, stage.store_bound));
  }
}

double pieces(const Stage& stage, const DeviceLimits& limits) {
  if (limits.shape != DeviceLimits::Shape::owned) return StageWork::unlimited;
  return static_cast<double>(host_pieces(host_points(stage)));
}

bool apart(std::int64_t stride, std::uint64_t length) { return length > 1 && std::abs(stride) != 1; }

constexpr double page_bytes = 4096;

bool pages_apart(std::int64_t stride, std::uint64_t length, const Storage& storage) {
  const double scalars = storage.form == Storage::Form::interleaved ? 2 : 1;  // that strides count
  const double bytes = static_cast<double>(stride) * scalars * static_cast<double>(scalar_bytes(storage.precision));
  return apart(stride, length) && std::fmod(bytes, page_bytes) == 0;
}

// Neighbouring columns, which may be those of several cores, share the cache lines of a program's array, which seldom
// begins with one; the host's working memory does, and rows share few.
bool writes_whole_cache_lines(const Stage& stage, const DeviceLimits& limits) {
  if (limits.shape != DeviceLimits::Shape::owned) return false;
  return stage.destination == Operand::scratch || !apart(stage.output_stride, stage.length);
}

// Maps read or make about as many numbers as their line has; what is bounded does not touch the rest.
double read_bytes(const Stage& stage) {
  return static_cast<double>(transform_count(stage)) *
         static_cast<double>(bounded_count(stage.length, stage.load_bound)) * bytes_of_element(stage.input_storage);
}

double written_bytes(const Stage& stage) {
  double written = static_cast<double>(bounded_count(stage.length, stage.store_bound));
  if (stage.bank && stage.bank->kind != FilterBank::Kind::spectra) written *= static_cast<double>(stage.bank->filters);
  return static_cast<double>(transform_count(stage)) * written * bytes_of_element(stage.output_storage);
}

// Of two stages in one launch, between which nothing goes through memory. A plane is one group's.
StageWork work_of_both(const Program& program, std::size_t first) {
  const Stage& reads = program.stages[first];
  const Stage& writes = program.stages[first + 1];
  StageWork work = work_of(reads);
  const StageWork then = work_of(writes);
  work.bytes = read_bytes(reads) + written_bytes(writes);
  work.operations += then.operations;
  work.lines = program.planes ? static_cast<double>(program.planes->count) : std::min(work.lines, then.lines);
  work.length *= then.length;
  work.strided = apart(reads.input_stride, reads.length) || apart(writes.output_stride, writes.length);
  work.crowded = pages_apart(reads.input_stride, reads.length, reads.input_storage) ||
                 pages_apart(writes.output_stride, writes.length, writes.output_storage);
  return work;
}

}  // namespace

StageWork work_of(const Stage& stage) {
  const double lines = static_cast<double>(transform_count(stage));
  const double points = static_cast<double>(chip_points(stage));
  StageWork work;
  work.lines = lines;
  work.length = points;
  work.bytes = read_bytes(stage) + written_bytes(stage);
  if (stage.bank) {
    work.operations = lines * bank_operations(stage);
  } else {
    const double transforms = stage.convolution ? by_convolution : stage.returns ? 2 : 1;
    const double each = stage.direct ? by_definition * points : operations(stage.radices);
    work.operations = lines * points * each * transforms;
  }
  work.strided = apart(stage.input_stride, stage.length) || apart(stage.output_stride, stage.length);
  work.crowded = pages_apart(stage.input_stride, stage.length, stage.input_storage) ||
                 pages_apart(stage.output_stride, stage.length, stage.output_storage);
  work.precision = stage.precision;
  return work;
}

Work work_of(const Problem& problem, const DeviceLimits& limits) {
  const auto& [transform, direction, placement] = problem;
  const Program program = lower(make_recipe(transform, limits), transform, direction, placement, limits);
  const Sides sides = sides_of(transform, direction, placement);
  Work work;
  for (std::size_t i = 0; i < program.stages.size(); ++i) {
    const Stage& stage = program.stages[i];
    const bool both = are_one_launch(program, i);
    work.stages.push_back(both ? work_of_both(program, i) : work_of(stage));
    add_maps(stage, limits, work.stages.back());
    work.stages.back().pieces = pieces(stage, limits);
    work.stages.back().aligned = writes_whole_cache_lines(stage, limits);
    if (both) ++i;
  }
  work.input_bytes = memory_bytes(sides.read);
  work.output_bytes = memory_bytes(sides.written);
  const std::uint64_t larger = std::max(work.input_bytes, work.output_bytes);
  const bool in_place = placement == Placement::in_place;
  work.memory_bytes = (in_place ? larger : work.input_bytes + work.output_bytes) + program.scratch_bytes;
  work.largest_allocation = std::max(larger, program.scratch_bytes);
  return work;
}

Work work_of(const twiddle::Convolution& convolution, const DeviceLimits& limits) {
  const ConvolutionRecipe recipe = make_convolution_recipe(convolution, limits);
  const std::uint64_t scalar = scalar_bytes(convolution.precision);
  Work work;
  work.input_bytes = signal_elements(convolution) * scalar * (convolution.complex ? 2 : 1);
  work.output_bytes = output_elements(convolution) * scalar * (has_complex_output(convolution) ? 2 : 1);
  std::uint64_t scratch = 0;
  std::uint64_t spectra = 0;  // of the filters
  if (!recipe.padded.empty()) {
    Problem whole{.transform = {.lengths = {recipe.padded.begin(), recipe.padded.end()},
                                .batch = convolution.signals * recipe.segments}};
    if (!convolution.complex) whole.transform.kind = Kind::r2c;
    whole.transform.precision = convolution.precision;
    const Work there = work_of(whole, limits);
    whole.direction = Direction::inverse;
    whole.transform.batch *= convolution.filters;
    const Work back = work_of(whole, limits);
    work.stages = there.stages;
    work.stages.insert(work.stages.end(), back.stages.begin(), back.stages.end());
    scratch = there.memory_bytes;
    spectra = back.input_bytes / (convolution.signals * recipe.segments);
  } else {
    const BankPrograms programs = lower_bank(convolution, recipe.bank);
    for (const Stage& stage : programs.apply.stages) {
      work.stages.push_back(work_of(stage));
      work.stages.back().pieces = pieces(stage, limits);
    }
    scratch = programs.apply.scratch_bytes;
    spectra = filter_bytes(programs, limits);
  }
  work.memory_bytes = work.input_bytes + work.output_bytes + scratch + spectra;
  work.largest_allocation = std::max({work.input_bytes, work.output_bytes, scratch, spectra});
  return work;
}

}  // namespace twiddle::plan
