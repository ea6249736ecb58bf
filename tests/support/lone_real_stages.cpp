// Stages by hand whose reals are taken two at a time and are odd in number.
#include <utility>

#include "plan/device/limits.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/shape/shape.hpp"
#include "support/stage_list.hpp"

namespace twiddle::test {
namespace {

using plan::LineMap;
using plan::Stage;
using plan::Storage;

constexpr Storage pairs{Storage::Form::planar, Precision::float32, 1};

plan::Bound lone(std::uint64_t reals) {
  plan::Bound bound{(reals + 1) / 2, 1, {0}};
  bound.imaginary_step = 1;
  return bound;
}

// Lines of so many reals, without gaps, the first ones of twice `points`.
Stage spectra(std::vector<unsigned> radices, std::uint64_t reals, std::uint64_t lines) {
  Stage stage;
  stage.length = plan::product(radices);
  stage.radices = std::move(radices);
  stage.input_storage = pairs;
  stage.input_stride = 2;
  stage.load_bound = lone(reals);
  stage.store_map = LineMap{LineMap::Rule::r2c_store, 2 * stage.length, stage.length, stage.length + 1};
  stage.loops = {{lines, static_cast<std::int64_t>(reals), static_cast<std::int64_t>(stage.length + 1)}};
  return stage;
}

// The other way.
Stage back(Stage stage) {
  stage.direction = Direction::inverse;
  std::swap(stage.input_storage, stage.output_storage);
  std::swap(stage.input_stride, stage.output_stride);
  std::swap(stage.loops[0].input_stride, stage.loops[0].output_stride);
  std::swap(stage.load_bound, stage.store_bound);
  stage.store_map.reset();
  stage.load_map = LineMap{LineMap::Rule::c2r_load, 2 * stage.length, stage.length + 1, stage.length};
  stage.scale = 0.25L;
  return stage;
}

Stage of(Stage stage, Precision arithmetic, Precision memory) {
  stage.precision = arithmetic;
  stage.input_storage.precision = stage.output_storage.precision = memory;
  return stage;
}

}  // namespace

std::vector<NamedStage> lone_real_stages(const DeviceLimits& limits) {
  constexpr auto f16 = Precision::float16;
  constexpr auto f32 = Precision::float32;
  constexpr auto f64 = Precision::float64;
  const Stage some = spectra({8, 4}, 41, 5);
  const Stage all_but_one = spectra({10, 10}, 199, 3);
  const Stage halves = of(some, f32, f16);
  const Stage doubles = of(spectra({6, 6}, 37, 4), f64, f64);
  std::vector<NamedStage> all{
      {"Lone", some},
      {"LoneBack", back(some)},
      {"OneLone", spectra({8}, 1, 7)},
      {"AllButOne", all_but_one},
      {"AllButOneBack", back(all_but_one)},
      {"LoneHalves", halves},
      {"LoneHalvesBack", back(halves)},
      {"LoneDoubles", doubles},
      {"LoneDoublesBack", back(doubles)},
  };
  std::vector<NamedStage> result;
  for (NamedStage& named : all) {
    const DeviceLimits scaled = plan::limits_for(limits, named.stage.precision);
    const auto choice = plan::choose_radices(named.stage.length, 1, scaled);
    if (!choice || (named.stage.precision == f64 && !limits.float64)) continue;
    named.stage.radices = choice->radices;
    if (named.stage.store_map && !plan::holds_store_map(named.stage, scaled)) continue;
    named.stage.shape = plan::choose_shape(named.stage, scaled);
    result.push_back(std::move(named));
  }
  return result;
}

}  // namespace twiddle::test
