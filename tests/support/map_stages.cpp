// Stages by hand that are but a map of half of the points of real lines.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "plan/device/limits.hpp"
#include "plan/shape/shape.hpp"
#include "support/stage_list.hpp"

namespace twiddle::test {
namespace {

using plan::LineMap;
using plan::Stage;
using plan::Storage;

Stage map_alone(LineMap::Rule rule, std::uint64_t length, bool orthogonal, std::uint64_t lines) {
  Stage stage;
  stage.load_map = LineMap{rule, length, full_source_count(rule, length), full_count(rule, length), orthogonal};
  stage.length = stage.load_map->count;
  const auto source = static_cast<std::int64_t>(stage.load_map->source_count);
  stage.loops = {{lines, source, static_cast<std::int64_t>(stage.length)}};
  return stage;
}

}  // namespace

std::vector<NamedStage> half_map_stages(const DeviceLimits& device) {
  using enum LineMap::Rule;
  std::vector<NamedStage> all;
  // Elements together with their mirror images; of a spectrum there is an end more.
  for (const LineMap::Rule rule : {r2c_store, c2r_load, dht_pairs_store, dct2_pairs_store, dct3_pairs_load}) {
    for (const std::uint64_t length : {50, 52, 40000}) {
      Stage images = map_alone(rule, length, length == 52, length == 40000 ? 1 : 3);
      images.mirrored = true;
      images.output_storage = {Storage::Form::planar, Precision::float16, 30000};
      images.scale = 0.5L;
      all.push_back({to_string(*images.load_map) + " with mirror images", images});
    }
  }
  // Of a spectrum a part alone is wanted, or there.
  for (const std::uint64_t frequencies : {7, 20}) {
    Stage wanted = map_alone(r2c_store, 52, false, 3);
    wanted.mirrored = true;
    wanted.load_map->count = wanted.length = frequencies;
    all.push_back({fmt::format("{} frequencies of 27 with mirror images", frequencies), wanted});
    Stage there = map_alone(c2r_load, 52, false, 3);
    there.mirrored = true;
    there.load_map->source_count = frequencies;
    all.push_back({fmt::format("{} frequencies of 27 back with mirror images", frequencies), there});
  }
  // Coefficients that are computed.
  for (const LineMap::Rule rule : {dht_half_store, dct2_half_store, dst2_half_store, dct3_half_before, dst3_half_before,
                                   half_spectrum_load, dct4_half_load, dst4_half_load, dct4_half_store, dst4_half_store,
                                   pairs_load, dct2_half_load, dst2_half_load, dct3_half_store, dst3_half_store}) {
    for (const bool orthogonal : {false, true}) {
      for (const Precision precision : {Precision::float32, Precision::float64}) {
        Stage stage = map_alone(rule, 40004, orthogonal, 1);
        stage.precision = stage.input_storage.precision = stage.output_storage.precision = precision;
        if (stage.load_map->source_count == 40004) stage.input_storage.form = Storage::Form::real;
        if (stage.load_map->count == 40004) stage.output_storage.form = Storage::Form::real;
        all.push_back({to_string(*stage.load_map), stage});
      }
    }
  }
  for (NamedStage& named : all) {
    named.stage.shape = plan::choose_shape(named.stage, plan::limits_for(device, named.stage.precision));
  }
  return all;
}

std::vector<NamedStage> with_real_stages(const DeviceLimits& limits) {
  std::vector<NamedStage> all = stages_of_every_kind(limits);
  std::ranges::move(half_map_stages(limits), std::back_inserter(all));
  std::ranges::move(odd_real_stages(limits), std::back_inserter(all));
  return all;
}

}  // namespace twiddle::test
