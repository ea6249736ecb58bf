// Stages by hand whose results a group stores as one run, as the planner has it for measured lines alone.
#include <utility>

#include "plan/device/limits.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/shape/store_together.hpp"
#include "support/stage_list.hpp"

namespace twiddle::test {
namespace {

using plan::Stage;
using Algorithm = plan::Convolution::Algorithm;

Stage rows(std::vector<unsigned> radices, std::uint64_t count, std::uint32_t items, std::uint32_t transforms) {
  Stage stage;
  stage.length = plan::product(radices);
  stage.radices = std::move(radices);
  const auto distance = static_cast<std::int64_t>(stage.length);
  stage.loops = {{count, distance, distance}};
  stage.scale = 0.75L;
  stage.shape.items_per_transform = items;
  stage.shape.transforms_per_group = transforms;
  stage.shape.exchange = plan::KernelShape::Exchange::complex;
  stage.shape.stores_together = true;
  return stage;
}

Stage inverse(Stage stage) {
  stage.direction = Direction::inverse;
  return stage;
}

Stage twice(Stage stage) {
  stage.precision = stage.input_storage.precision = stage.output_storage.precision = Precision::float64;
  return stage;
}

Stage behind(Stage stage) {
  stage.output_offset = 7;
  return stage;
}

Stage padded(Stage stage) {
  stage.shape.padding = 4;
  return stage;
}

Stage convolved(Stage stage, std::uint64_t length, plan::Convolution::Algorithm algorithm) {
  stage.convolution = plan::Convolution{algorithm, stage.length};
  stage.length = length;
  stage.loops[0].input_stride = stage.loops[0].output_stride = static_cast<std::int64_t>(length);
  return stage;
}

}  // namespace

std::vector<NamedStage> group_store_stages(const DeviceLimits& limits) {
  // Groups that move as many elements as they have items in all turns, and less in the last; groups that are not full.
  std::vector<NamedStage> all{
      {"Together100", in_place(rows({10, 10}, 72, 10, 6))},
      {"Together60", behind(rows({5, 12}, 21, 12, 8))},
      {"Together210Back", inverse(rows({6, 5, 7}, 13, 42, 2))},
      {"Together64Padded", padded(rows({4, 4, 4}, 9, 16, 4))},
      {"Together49Doubles", twice(rows({7, 7}, 23, 4, 4))},
      {"Together61Rader", in_place(convolved(rows({5, 12}, 21, 12, 8), 61, Algorithm::rader))},
      {"Together97RaderBack", inverse(padded(convolved(rows({12, 8}, 7, 10, 3), 97, Algorithm::rader)))},
      {"Together87Bluestein", behind(convolved(rows({12, 16}, 11, 16, 4), 87, Algorithm::bluestein))},
  };
  std::erase_if(all, [&](const NamedStage& named) {
    const bool doubles = named.stage.precision == Precision::float64;
    return limits.shape != DeviceLimits::Shape::on_chip || (doubles && !limits.float64) ||
           plan::group_items(named.stage.shape) > limits.max_group_size;
  });
  return all;
}

}  // namespace twiddle::test
