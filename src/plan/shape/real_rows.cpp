// A table of the rows that gain, and which stages are such rows.
#include "plan/shape/real_rows.hpp"

#include <algorithm>
#include <vector>

#include "plan/choice/choice_table.hpp"
#include "plan/choice/large_primes.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/shape/measured_device.hpp"
#include "plan/shape/planes.hpp"
#include "plan/shape/shape.hpp"

namespace twiddle::plan {
namespace {

using Rule = LineMap::Rule;

struct Row {
  std::uint64_t length;  // of the stage's lines, in single precision
  Rule rule;
  MeasuredChoice choice;
  bool in_cache = false;  // also where a cache holds all lines, if they are many
};

// An H100 through CUDA, batches of 512 MiB, 2026-11-25: those that take 0.98 of the time or less (docs/cuda-shapes.md).
// Spectra of 61 reals on an H200, 2026-11-26: 1 to 44 MiB of reals take 0.74 to 0.96 so; 4096 points on one,
// 2026-11-30.
const std::vector<Row>& rows() {
  static const std::vector<Row> table{
      {49, Rule::two_spectra_store, {{7, 7}, 7, 4}},         {61, Rule::two_spectra_store, {{15, 4}, 4, 16, 80}},
      {61, Rule::two_spectra_load, {{5, 12}, 12, 8}, true},  {4096, Rule::r2c_store, {{16, 16, 16}, 256, 1, 64, true}},
      {8192, Rule::r2c_store, {{16, 4, 8, 16}, 512, 1, 64}}, {8192, Rule::c2r_load, {{16, 16, 32}, 256, 1, 96}},
  };
  return table;
}

// The one map of a stage that does nothing else.
const LineMap* only_map(const Stage& stage) {
  const bool plain = !stage.bank && !stage.direct && !stage.returns && !stage.shared_map && !stage.twiddle &&
                     !counts_positions(stage) && !stage.load_hook && !stage.store_hook && stage.launched_loops == 0;
  if (!plain || stage.load_map.has_value() == stage.store_map.has_value()) return nullptr;
  return stage.load_map ? &*stage.load_map : &*stage.store_map;
}

// As many as the least that was measured in a cache, 1 MiB.
bool has_many_elements(const Stage& stage) { return transform_count(stage) * stage.length >= std::uint64_t{1} << 17; }

bool was_tuned(const Stage& stage, const DeviceLimits& limits) {
  return is_tuned(stage, limits) || tuned_choice(chip_points(stage), LineUse::convolved_rows, limits) != nullptr;
}

}  // namespace

std::optional<MeasuredChoice> real_row_choice(const Stage& stage, const DeviceLimits& limits) {
  const LineMap* const map = only_map(stage);
  if (map == nullptr || stage.precision != Precision::float32 || !is_like_measured_card(limits) || !are_rows(stage) ||
      was_tuned(stage, limits)) {
    return std::nullopt;
  }
  const bool beyond_cache = is_beyond_cache(stage);
  const auto row = std::find_if(rows().begin(), rows().end(), [&](const Row& each) {
    return each.length == stage.length && each.rule == map->rule && product(each.choice.radices) == chip_points(stage);
  });
  if (row != rows().end() && (beyond_cache || (row->in_cache && has_many_elements(stage)))) return row->choice;
  if (!beyond_cache) return std::nullopt;
  return map->rule == Rule::r2c_store ? row_with_large_prime(stage.length, true) : std::nullopt;
}

Stage in_measured_passes(Stage stage, const DeviceLimits& limits) {
  if (auto choice = real_row_choice(stage, limits)) take_passes(stage, std::move(choice->radices));
  return stage;
}

}  // namespace twiddle::plan
