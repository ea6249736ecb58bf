// Looking for measured shapes, and the tables of devices with little local memory and of CPUs.
#include "plan/choice/measured_choices.hpp"

#include <algorithm>
#include <vector>

#include "plan/choice/borrowed_choice.hpp"
#include "plan/choice/choice_table.hpp"
#include "plan/choice/large_primes.hpp"
#include "plan/choice/measured_rows.hpp"
#include "plan/device/apply_strategy.hpp"
#include "plan/device/limits.hpp"
#include "plan/recipe/radices.hpp"

namespace twiddle::plan {
namespace {

using Row = MeasuredRow;

// NVIDIA H200 through OpenCL (48 KiB of local memory for a group, 255 registers for an item), driver 580, 2026-11-21:
// the fastest of 5 to 60 shapes each, data of 512 MiB. Others are as fast there as measured through CUDA.
const std::vector<Row>& rows_in_little_memory() {
  static const std::vector<Row> table{
      {720, LineUse::rows, {{9, 10, 8}, 90, 1}},        {1024, LineUse::rows, {{16, 16, 4}, 64, 1}},
      {1080, LineUse::rows, {{18, 6, 10}, 60, 2}},      {1920, LineUse::rows, {{10, 8, 24}, 96, 1}},
      {2048, LineUse::rows, {{16, 16, 8}, 128, 1}},     {3000, LineUse::rows, {{15, 8, 25}, 208, 1, 96}},
      {6000, LineUse::rows, {{25, 8, 30}, 250, 1, 80}}, {16384, LineUse::rows, {{32, 16, 32}, 512, 1}},
      {512, LineUse::few_columns, {{16, 8, 4}, 32, 4}}, {1000, LineUse::columns, {{20, 10, 5}, 50, 4}},
      {1080, LineUse::columns, {{15, 8, 9}, 72, 0}},
  };
  return table;
}

// Rows that two launches transform faster than one, or by another division than the model's: so many columns.
struct Division {
  std::uint64_t length;
  std::uint64_t columns;
  bool of_few = false;  // also where their parts would not fill the device, of which one launch would use less
  bool through_opencl = false;
};

const std::vector<Division>& divisions() {
  static const std::vector<Division> table{
      {100000, 100, false, true}, {1000000, 1000, false, true}, {8388608, 2048}, {16777216, 4096}};
  return table;
}

const std::vector<Division>& divisions_of_doubles() {
  static const std::vector<Division> table{{12000, 100, true, true},
                                           {15625, 25, true},
                                           {16384, 64, true},
                                           {16807, 49, true},
                                           {19683, 81},
                                           {78125, 125},
                                           {1048575, 1023},
                                           {100000, 100, false, true},
                                           {1000000, 1000, false, true}};
  return table;
}

// CPUs behind OpenCL, whose local memory is a piece of their cache: PoCL 3.1 on 2 cores of an EPYC with AVX-512,
// `twiddle tune`, 2026-11-22. Radices of 8 keep a butterfly's vectors in registers, and smaller groups exchange complex
// numbers instead of their parts.
const std::vector<Row>& rows_of_cpu() {
  static const std::vector<Row> table{
      {128, LineUse::rows, {{8, 16}, 8, 8}},
      {256, LineUse::rows, {{8, 4, 8}, 32, 4}},
      {512, LineUse::rows, {{8, 8, 8}, 64, 2}},
      {1024, LineUse::rows, {{16, 8, 8}, 64, 1}},
      {1536, LineUse::rows, {{16, 12, 8}, 128, 1}},
      {1920, LineUse::rows, {{15, 8, 16}, 128, 1}},
      {512, LineUse::mapped_rows, {{16, 4, 8}, 32, 4}},
      {1024, LineUse::mapped_rows, {{8, 16, 8}, 64, 2}},
      {256, LineUse::columns, {{8, 4, 8}, 32, 4}},
      {375, LineUse::columns, {{5, 15, 5}, 25, 4}},
      {480, LineUse::columns, {{15, 8, 4}, 32, 4}},
      {512, LineUse::columns, {{8, 8, 8}, 32, 4}},
  };
  return table;
}

// The same in double precision.
const std::vector<Row>& doubles_of_cpu() {
  static const std::vector<Row> table{
      {500, LineUse::rows, {{10, 10, 5}, 50, 1}},
      {1000, LineUse::rows, {{10, 10, 10}, 100, 1}},
      {60, LineUse::convolved_rows, {{4, 15}, 4, 16}},  // rounds less than 10.6: 61 x 61 reals are within the bound so
      {60, LineUse::convolved_columns, {{4, 15}, 4, 16}},
  };
  return table;
}

// What the devices of the tables have at least, as plans in single precision see it.
constexpr std::size_t large_group = 512;
constexpr std::size_t many_registers = 255;
constexpr std::size_t little_memory = nvidia_opencl_local_memory;
constexpr std::size_t much_memory = 96 * 1024;

const Row* find(const std::vector<Row>& rows, std::uint64_t length, LineUse use) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.length == length && row.use == use; });
  return found == rows.end() ? nullptr : &*found;
}

bool in_doubles(const DeviceLimits& limits) { return limits.arithmetic == Precision::float64; }

// Plans in double precision see half of everything.
std::size_t share_of(const DeviceLimits& limits) { return in_doubles(limits) ? 2 : 1; }

// Like the device of the tables; with as much local memory, or a part of it.
bool is_large_gpu(const DeviceLimits& limits, std::size_t memory) {
  return limits.shape == DeviceLimits::Shape::on_chip && limits.max_group_size >= large_group &&
         limits.registers_per_item >= many_registers / share_of(limits) &&
         limits.local_memory >= memory / share_of(limits);
}

// Whether groups of less local memory hold what was measured with more.
bool fits_little_memory(const MeasuredChoice& choice, std::uint64_t length, LineUse use, const DeviceLimits& limits) {
  if (choice.radices.size() == 1) return true;
  constexpr std::uint32_t padding = 32;               // one slot of so many
  const unsigned scalars = are_columns(use) ? 2 : 1;  // columns exchange whole numbers
  return exchange_bytes(length, std::max(choice.transforms, 1U), scalars, 1, padding) <= limits.local_memory;
}

// From the tables above.
std::optional<MeasuredChoice> shipped_choice(std::uint64_t length, LineUse use, const DeviceLimits& limits) {
  if (shapes_lines(limits.strategy)) return std::nullopt;
  const bool doubles = in_doubles(limits);
  if (is_like_cpu(limits)) {
    const LineUse kind = are_columns(use) && !are_convolved(use) ? LineUse::columns : use;
    const Row* const row = find(doubles ? doubles_of_cpu() : rows_of_cpu(), length, kind);
    return row == nullptr ? std::nullopt : std::optional(row->choice);
  }
  if (!is_large_gpu(limits, little_memory)) return std::nullopt;
  const bool much = is_large_gpu(limits, much_memory);
  const std::vector<Row>& rows = doubles ? doubles_in_much_memory() : rows_in_much_memory();
  const auto found_in = [&](const std::vector<Row>& table, LineUse as) -> std::optional<MeasuredChoice> {
    const Row* const row = find(table, length, as);
    if (row == nullptr || row->choice.items > limits.max_group_size) return std::nullopt;
    if (!much && &table == &rows && !fits_little_memory(row->choice, length, use, limits)) return std::nullopt;
    MeasuredChoice choice = row->choice;
    if (as == use) return choice;
    choice.registers = 0;  // more is folded in than was measured
    if (use == LineUse::mapped_rows) choice.split = false;
    return choice;
  };
  if (!much && !doubles) {
    if (auto choice = found_in(rows_in_little_memory(), use)) return choice;
  }
  if (auto choice = found_in(rows, use)) return choice;
  // Maps of doubles take registers that rows leave free; through OpenCL those of 64 floats are slower so.
  const bool mapped = use == LineUse::mapped_rows;
  const LineUse plain = are_columns(use) ? LineUse::columns : LineUse::rows;
  if (!are_convolved(use) && !(mapped && (doubles || (!much && length == 64)))) {
    if (auto choice = found_in(rows, plain)) return choice;
  }
  if (!doubles && use == LineUse::rows) {
    if (auto choice = row_with_large_prime(length, false)) return choice;
  }
  return doubles || are_convolved(use) ? std::nullopt : found_in(rows_in_little_memory(), plain);
}

}  // namespace

std::string_view to_string(LineUse use) {
  switch (use) {
    case LineUse::rows:
      return "rows";
    case LineUse::mapped_rows:
      return "mapped_rows";
    case LineUse::columns:
      return "columns";
    case LineUse::few_columns:
      return "few_columns";
    case LineUse::convolved_rows:
      return "convolved_rows";
    case LineUse::convolved_columns:
      return "convolved_columns";
    case LineUse::twiddled_columns:
      break;
  }
  return "twiddled_columns";
}

LineUse part_use(std::uint64_t lines, const DeviceLimits& limits) {
  // Fewer tiles than half of the compute units; the usual tile is twice as wide as fills memory's segments.
  return lines < limits.compute_units * tile_width(limits) ? LineUse::few_columns : LineUse::columns;
}

bool are_columns(LineUse use) {
  return use == LineUse::columns || use == LineUse::few_columns || use == LineUse::twiddled_columns ||
         use == LineUse::convolved_columns;
}

bool are_convolved(LineUse use) { return use == LineUse::convolved_rows || use == LineUse::convolved_columns; }

LineUse convolved_use(bool columns) { return columns ? LineUse::convolved_columns : LineUse::convolved_rows; }

std::optional<MeasuredChoice> measured_choice(std::uint64_t length, LineUse use, const DeviceLimits& limits) {
  if (const LineChoice* tuned = tuned_choice(length, use, limits); tuned != nullptr && tuned->columns == 0) {
    return tuned->stage;
  }
  if (auto shipped = shipped_choice(length, use, limits)) return shipped;
  const auto borrowed = borrowed_choice(line_key(length, use, limits.arithmetic), limits);
  return borrowed ? std::optional(borrowed->stage) : std::nullopt;
}

std::optional<MeasuredChoice> measured_choice(std::uint64_t length, LineUse use, std::uint64_t lines,
                                              const DeviceLimits& limits) {
  auto choice = measured_choice(length, use, limits);
  return choice && lines * length >= choice->fewest_elements ? choice : std::nullopt;
}

std::optional<std::uint64_t> measured_division(std::uint64_t length, LineUse use, std::uint64_t lines,
                                               const DeviceLimits& limits) {
  if (use != LineUse::rows || shapes_lines(limits.strategy) || !is_large_gpu(limits, little_memory))
    return std::nullopt;
  if (tuned_choice(length, use, limits) != nullptr) return std::nullopt;
  const bool much = is_large_gpu(limits, much_memory);
  for (const Division& division : in_doubles(limits) ? divisions_of_doubles() : divisions()) {
    if (division.length != length || !(much || division.through_opencl)) continue;
    const std::uint64_t narrower = std::min(division.columns, length / division.columns);
    if (!division.of_few && part_use(lines * narrower, limits) == LineUse::few_columns) return std::nullopt;
    return division.columns;
  }
  return std::nullopt;
}

}  // namespace twiddle::plan
