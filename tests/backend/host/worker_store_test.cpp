// Workers of equal stages are shared while they are in use.
#include "backend/host/worker_store.hpp"

#include <gtest/gtest.h>

#include "backend/host/settings.hpp"
#include "backend/host/stage_case.hpp"

namespace twiddle::test {
namespace {

using backend::host::WorkerOptions;
using backend::host::WorkerStore;

TEST(WorkerStoreTest, SharesWorkersOfEqualStages) {
  const auto engine = host_engine("");
  const WorkerOptions options{.targets = backend::host::simd_targets()};
  const plan::Stage stage = row_stage(*engine, 60, 3);
  plan::Stage in_place = stage;
  in_place.destination = in_place.source;
  in_place.step = "another name";
  plan::Stage inverse = stage;
  inverse.direction = Direction::inverse;
  WorkerOptions streamed = options;
  streamed.streamed = true;
  WorkerOptions over_input = options;
  over_input.in_place = true;

  WorkerStore store;
  const auto worker = store.find_or_make(stage, options);
  EXPECT_EQ(store.find_or_make(in_place, options), worker);
  EXPECT_NE(store.find_or_make(inverse, options), worker);
  EXPECT_NE(store.find_or_make(stage, streamed), worker);
  EXPECT_NE(store.find_or_make(in_place, over_input), worker);
}

TEST(WorkerStoreTest, KeepsNoWorkerAlive) {
  const auto engine = host_engine("");
  const WorkerOptions options{.targets = backend::host::simd_targets()};
  WorkerStore store;
  const std::weak_ptr<const backend::host::StageWorker> worker = store.find_or_make(row_stage(*engine, 60, 3), options);
  EXPECT_TRUE(worker.expired());
}

}  // namespace
}  // namespace twiddle::test
