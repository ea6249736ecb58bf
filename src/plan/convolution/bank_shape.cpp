// Segments of powers of two, whose work-items keep a part of the spectrum beside the part that they transform.
#include "plan/convolution/bank_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "plan/choice/bank_choice.hpp"
#include "plan/choice/borrowed_choice.hpp"
#include "plan/choice/choice_table.hpp"
#include "plan/device/apply_strategy.hpp"
#include "plan/device/limits.hpp"
#include "plan/recipe/radices.hpp"
#include "twiddle/error.hpp"

namespace twiddle::plan {
namespace {

constexpr std::uint32_t most_tuned = 64;           // elements of an item, however they were measured
constexpr std::uint32_t unknown_side_by_side = 8;  // groups of a compute unit, where registers do not say
constexpr std::uint32_t tight_registers = 168;     // of items that keep 32 elements: groups just fit
constexpr std::uint32_t roomy_registers = 184;     // room for a group fewer of these

// Complex elements of a segment that a work-item holds: twice in registers, once as its spectrum.
std::uint32_t most_held(const DeviceLimits& limits) {
  if (limits.strategy.elements != 0) return limits.strategy.elements;
  return limits.registers_per_item >= many_registers ? 32 : limits.registers_per_item >= 120 ? 16 : 8;
}

// Whether a group fewer on each unit was measured to be faster.
bool spares_a_group(const Stage& stage) { return stage.radices.size() == 2 && stage.bank->filters < few_filters; }

// What keeps groups side by side without spilling much, as NVRTC 13 compiles for the H200, which `held` elements of
// single precision were measured for. NVIDIA's compiler for OpenCL makes code of 184 to 200 registers that takes 1.3 to
// 1.5 times as long as that of 160 to 176.
std::uint32_t registers(std::uint32_t held, const Stage& stage, const DeviceLimits& device_limits) {
  if (device_limits.registers_per_item < many_registers || stage.bank->post.maximum) return 0;
  const bool opencl = device_limits.local_memory <= nvidia_opencl_local_memory;
  if (held > 16) return spares_a_group(stage) && !opencl ? roomy_registers : tight_registers;
  return held > 8 ? 128 : 0;
}

// Whether so many items share out the outputs of the last pass evenly, and hold at most `held` elements.
bool suits(std::uint64_t items, const std::vector<unsigned>& radices, std::uint64_t length, std::uint32_t held,
           const DeviceLimits& limits) {
  return items <= limits.max_group_size && length / radices.back() % items == 0 &&
         held_elements(radices, length, items) <= held;
}

// The fewest items that suit and fill a sub-group; the most where none do.
std::optional<std::uint32_t> items_for(const std::vector<unsigned>& radices, std::uint64_t length, std::uint32_t held,
                                       const DeviceLimits& limits) {
  const std::uint64_t butterflies = length / radices.back();
  std::optional<std::uint32_t> most;
  for (std::uint64_t items = 1; items <= std::min<std::uint64_t>(butterflies, limits.max_group_size); ++items) {
    if (!suits(items, radices, length, held, limits)) continue;
    most = static_cast<std::uint32_t>(items);
    if (items >= limits.sub_group_size || limits.strategy.elements != 0) break;
  }
  return most;
}

// Spreads the first exchange over all banks.
std::uint32_t padding_for(const std::vector<unsigned>& radices) {
  return radices.front() % 2 == 0 ? std::max(radices.front(), 16U) : 0;
}

constexpr std::uint32_t most_sum_items = 256;
constexpr std::uint32_t least_sum_items = 32;
constexpr std::uint32_t lines_of_item = 4;    // results that share the samples which a work-item reads
constexpr std::uint32_t columns_of_item = 8;  // the same of columns, which take fewer registers

// Of local memory that keeps the columns' sums.
std::uint64_t column_bytes(std::uint64_t items, std::uint64_t lines, std::uint64_t taps, std::uint64_t element_bytes) {
  return (items + taps - 1) * lines * element_bytes;
}

// Direct sums: items along a line, each with results in a few neighbouring lines.
KernelShape choose_sum_shape(const Stage& stage, const DeviceLimits& limits) {
  KernelShape shape;
  const std::uint64_t outputs = stage.store_bound->end_element - stage.store_bound->first_element;
  const auto most = std::min<std::uint64_t>(most_sum_items, limits.max_group_size);
  std::uint64_t items = std::min<std::uint64_t>(least_sum_items, most);
  while (2 * items <= most && items < outputs) items *= 2;
  shape.items_per_transform = static_cast<std::uint32_t>(items);
  shape.block = 1;
  if (stage.bank->outer.empty()) return shape;
  const bool separable = stage.bank->kind == FilterBank::Kind::separable;
  const std::uint64_t lines = stage.loops[stage.bank->outer.back().loop].count;
  const std::uint64_t element_bytes = (stage.bank->real_taps ? 1 : 2) * scalar_bytes(stage.precision);
  const auto fits = [&](std::uint32_t block) {
    return !separable || column_bytes(items, block, stage.bank->taps, element_bytes) <= limits.local_memory;
  };
  while (2 * shape.block <= (separable ? columns_of_item : lines_of_item) && shape.block < lines &&
         fits(2 * shape.block)) {
    shape.block *= 2;
  }
  if (fits(shape.block)) return shape;
  throw Unsupported(fmt::format("columns for rows of {} taps need {} bytes of local memory, but the device has {}",
                                stage.bank->taps, column_bytes(items, 1, stage.bank->taps, element_bytes),
                                limits.local_memory));
}

bool fits(const std::vector<unsigned>& radices, std::uint64_t length, const DeviceLimits& limits) {
  const auto allowed = [&](unsigned radix) { return allows_radix(limits.strategy, radix); };
  if (!std::all_of(radices.begin(), radices.end(), allowed)) return false;
  return limits.shape == DeviceLimits::Shape::on_chip && radices.size() > 1 &&
         items_for(radices, length, most_held(limits), limits) &&
         exchange_bytes(length, 1, 2, 1, padding_for(radices)) <= limits.local_memory;
}

// What was tuned for rows of the segment's length, if groups can carry out the bank by it. The rows have no spectrum to
// keep beside their elements, so the model has to agree as where a line borrows from its neighbour.
const MeasuredChoice* tuned_rows(const BankSegment& own, const DeviceLimits& limits) {
  const LineChoice* tuned = tuned_choice(own.length, LineUse::rows, limits);
  if (tuned == nullptr || tuned->columns != 0) return nullptr;
  const MeasuredChoice& stage = tuned->stage;
  if (!fits(stage.radices, own.length, limits) ||
      !suits(stage.items, stage.radices, own.length, most_held(limits), limits)) {
    return nullptr;
  }
  const auto model = choose_items(own.radices, 1, limits);
  const auto rows = choose_items(stage.radices, 1, limits);
  return model && rows && rows->cost <= model->cost * borrowing_agreement ? &stage : nullptr;
}

// Costs as measured on an NVIDIA H200 with 32 filters of 33 complex taps. Of one length the first that the device holds
// counts; the others are taken to cost the same. Fewer elements and roots, with 1025 taps and 8 filters: 0.945 of the
// time (half as many elements without reading fewer roots: 1.02), and 0.87 with roots that stay in registers. What is
// read ahead is the most that takes no more registers: on an H100 0.968 of the time for 4096 points, 1.004 to 0.98 with
// less; 0.986 to 0.998 for 1024, 1.00 to 1.03 with more.
const std::vector<BankSegment>& measured_segments() {
  static const std::vector<BankSegment> all{
      {64, {8, 8}, 0.14},
      {128, {8, 16}, 0.28},
      {128, {8, 4, 4}, 0.28},
      {256, {16, 16}, 0.33},
      {256, {8, 4, 8}, 0.33},
      {512, {16, 32}, 0.7},
      {512, {8, 8, 8}, 0.7},
      {1024, {32, 32}, 1, 0, 0, 6},
      {1024, {16, 4, 16}, 1},
      {1024, {8, 4, 4, 8}, 1},
      {2048, {16, 8, 16}, 2.55},
      {2048, {8, 8, 4, 8}, 2.55},
      {4096, {16, 16, 16}, 5.6, 16, 4, 5},
      {4096, {8, 8, 8, 8}, 5.6},
      {8192, {16, 32, 16}, 14.6},
  };
  return all;
}

// The same as PoCL 3.1 computes them on 2 cores of an EPYC with AVX-512, 8 and 32 filters of 65 to 513 taps: less dear
// beside 1024 points than on a GPU, where longer ones leave fewer groups on a unit.
const std::vector<BankSegment>& cpu_segments() {
  static const std::vector<BankSegment> all{
      {64, {8, 8}, 0.045},     {128, {8, 4, 4}, 0.09},    {256, {8, 4, 8}, 0.19},    {512, {8, 8, 8}, 0.43},
      {1024, {8, 4, 4, 8}, 1}, {2048, {8, 8, 4, 8}, 2.2}, {4096, {8, 8, 8, 8}, 4.8},
  };
  return all;
}

// By the tables alone.
std::vector<BankSegment> held_segments(const DeviceLimits& limits) {
  std::vector<BankSegment> held;
  for (const BankSegment& segment : is_like_cpu(limits) ? cpu_segments() : measured_segments()) {
    const bool known = !held.empty() && held.back().length == segment.length;
    if (!known && fits(segment.radices, segment.length, limits)) held.push_back(segment);
  }
  return held;
}

// What was measured for the stage's segments on a GPU like this one, beside their cost; nothing elsewhere.
const BankSegment* measured_segment(const Stage& stage, const DeviceLimits& limits) {
  if (limits.registers_per_item < many_registers || limits.strategy.elements != 0) return nullptr;
  const std::vector<BankSegment>& all = measured_segments();
  const auto found = std::find_if(all.begin(), all.end(), [&](const BankSegment& segment) {
    return segment.length == stage.length && segment.radices == stage.radices;
  });
  return found == all.end() ? nullptr : &*found;
}

// Work-items of a segment where nothing was tuned.
std::uint32_t choose_bank_items(const Stage& stage, const BankSegment* measured, const DeviceLimits& limits) {
  if (measured != nullptr && measured->held != 0) {
    const auto items = items_for(stage.radices, stage.length, measured->held, limits);
    if (items) return *items;
  }
  return *items_for(stage.radices, stage.length, most_held(limits), limits);
}

// What was tuned for the stage's segments, where they are computed by it.
const MeasuredChoice* tuned_stage(const Stage& stage, const DeviceLimits& limits) {
  for (const BankSegment& segment : held_segments(limits)) {
    if (segment.length != stage.length) continue;
    const MeasuredChoice* tuned = tuned_rows(segment, limits);
    return tuned != nullptr && tuned->radices == stage.radices ? tuned : nullptr;
  }
  return nullptr;
}

// Whether how groups share out segments, and what they read ahead, was measured for such signals on such a device:
// complex ones, through CUDA, on a GPU that has bulk copies.
bool is_measured(const Stage& stage, const DeviceLimits& limits) {
  return limits.bulk_copies && stage.input_storage.form == Storage::Form::interleaved;
}

// Whether the group that has most takes less time if all take whole segments, of which there is one for each. Its share
// of pairs of a segment and a filter may begin and end within one, whose own transform, which costs as much as a pair,
// is then made twice.
bool prefers_whole_segments(const Stage& stage, std::uint64_t groups, const DeviceLimits& limits) {
  const std::uint64_t segments = transform_count(stage);
  if (!is_measured(stage, limits) || segments < groups || groups == 0) return false;
  const auto share = [&](std::uint64_t all) { return (all + groups - 1) / groups; };
  const std::uint64_t filters = stage.bank->filters;
  const std::uint64_t pairs = share(segments * filters);
  const std::uint64_t met = (pairs - 1 + filters - 1) / filters + 1;  // segments, at most
  return share(segments) * (filters + 1) < pairs + met;
}

// Whether groups are faster that take segments in turns, by which all of them are in one part of the signal and of the
// results at a time. On an H200 so were those whose last segments, too few for a turn, are at most 0.6 of one
// (0.94 to 0.98 of the time), and those with 0.72 and 0.88 of one were not (1.00 to 1.04).
bool prefers_turns(const Stage& stage, std::uint64_t groups, const DeviceLimits& limits) {
  constexpr std::uint64_t fewest_filters = 8;  // that were measured
  const FilterBank& bank = *stage.bank;
  const std::uint64_t segments = transform_count(stage);
  if (!is_measured(stage, limits) || bank.filters < fewest_filters || bank.post.maximum || groups == 0) return false;
  return segments >= groups && segments % groups * 3 <= groups * 2;
}

// Whether spectra are fetched ahead, in the table's own shape. Others lose: with 4096 points pairs of real signals
// take 1.08 of the time, and complex ones that are not taken in turns 1.10 to 1.23.
bool fetches_ahead(const Stage& stage, const BankSegment& segment, const KernelShape& shape,
                   const DeviceLimits& limits) {
  const FilterBank& bank = *stage.bank;
  const bool bare = stage.precision == Precision::float32 && bank.post == PostProcessing{} && !stage.store_hook;
  return is_measured(stage, limits) && bare && bank.filters > 1 &&
         (segment.held == 0 || shape.sharing == KernelShape::Sharing::turns);
}

KernelShape::Sharing choose_sharing(const Stage& stage, std::uint64_t groups, const DeviceLimits& limits) {
  using Sharing = KernelShape::Sharing;
  if (prefers_whole_segments(stage, groups, limits)) return Sharing::segments;
  return prefers_turns(stage, groups, limits) ? Sharing::turns : Sharing::pairs;
}

}  // namespace

std::vector<BankSegment> bank_segments(const DeviceLimits& limits) {
  std::vector<BankSegment> segments = held_segments(limits);
  for (BankSegment& segment : segments) {
    if (const MeasuredChoice* tuned = tuned_rows(segment, limits)) segment.radices = tuned->radices;
  }
  return segments;
}

std::optional<BankSegment> choose_bank_segment(std::uint64_t lost, std::uint64_t filters, const DeviceLimits& limits) {
  std::optional<BankSegment> best;
  const auto cost = [&](const BankSegment& segment) {
    return segment.cost * static_cast<double>(filters + 1) / static_cast<double>(segment.length - lost);
  };
  for (const BankSegment& segment : bank_segments(limits)) {
    if (segment.length > lost && (!best || cost(segment) < cost(*best))) best = segment;
  }
  return best;
}

bool holds_bank(const std::vector<unsigned>& radices, std::uint64_t length, std::uint32_t items,
                const DeviceLimits& limits) {
  return suits(items, radices, length, most_tuned, limits) &&
         exchange_bytes(length, 1, 2, 1, padding_for(radices)) <= limits.local_memory;
}

bool holds_columns(std::uint64_t taps, std::uint64_t element_bytes, const DeviceLimits& limits) {
  return limits.shape == DeviceLimits::Shape::on_chip &&
         column_bytes(most_sum_items, 1, taps, element_bytes) <= limits.local_memory;
}

KernelShape choose_bank_shape(const Stage& stage, const DeviceLimits& device_limits) {
  if (stage.radices.empty()) return choose_sum_shape(stage, device_limits);
  const DeviceLimits limits = limits_for(device_limits, stage.precision);
  const BankChoice* choice = tuned_bank(stage, limits);
  if (choice == nullptr && !fits(stage.radices, stage.length, limits)) {
    throw Unsupported(
        fmt::format("no work-group of the device ({} items, {} bytes of local memory) holds segments of {} "
                    "points; use shorter ones",
                    limits.max_group_size, limits.local_memory, stage.length));
  }
  KernelShape shape;
  const MeasuredChoice* tuned = tuned_stage(stage, limits);
  const BankSegment* measured = tuned == nullptr ? measured_segment(stage, limits) : nullptr;
  if (choice != nullptr) {
    shape.items_per_transform = choice->items;
    shape.root_step = choice->root_step;
  } else {
    shape.items_per_transform = tuned != nullptr ? tuned->items : choose_bank_items(stage, measured, limits);
    shape.root_step = measured == nullptr ? 0 : measured->root_step;
  }
  shape.exchange = KernelShape::Exchange::complex;
  shape.padding = padding_for(stage.radices);
  if (stage.bank->kind != FilterBank::Kind::cyclic) return shape;
  // The table's own shape keeps its roots, whoever chose it.
  const bool own_shape = measured != nullptr && shape.root_step == measured->root_step &&
                         shape.items_per_transform == choose_bank_items(stage, measured, limits);
  shape.keeps_roots = own_shape && measured->held != 0;
  const auto words = static_cast<std::uint32_t>(scalar_bytes(stage.precision) / sizeof(float));
  const auto held = static_cast<std::uint32_t>(held_elements(stage.radices, stage.length, shape.items_per_transform));
  const std::uint32_t fitting = registers(words * held, stage, device_limits);
  shape.registers = fitting;
  if (choice != nullptr && choice->registers != 0 && !stage.bank->post.maximum) shape.registers = choice->registers;
  std::uint32_t side_by_side = shape.registers == 0 ? unknown_side_by_side : groups_side_by_side(shape);
  const bool own_registers = choice == nullptr || choice->registers == 0;
  if (own_registers && shape.registers == tight_registers && spares_a_group(stage) && side_by_side > 1) --side_by_side;
  if (choice != nullptr && choice->groups != 0) side_by_side = choice->groups;
  shape.groups = static_cast<std::uint32_t>(limits.compute_units) * side_by_side;
  shape.sharing = choose_sharing(stage, shape.groups, limits);
  if (own_shape && shape.registers == fitting && fetches_ahead(stage, *measured, shape, limits))
    shape.fetched_ahead = measured->ahead;
  return shape;
}

std::uint32_t groups_side_by_side(const KernelShape& shape, std::uint32_t resident_items) {
  if (shape.registers == 0) return 1;
  const std::uint32_t items = (group_items(shape) + 31) / 32 * 32;
  return std::clamp(std::min(65536 / (shape.registers * items), resident_items / items), 1U, 16U);
}

}  // namespace twiddle::plan
