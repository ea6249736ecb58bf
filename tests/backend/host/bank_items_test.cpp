// What the host's threads are given of filter banks.
#include <gtest/gtest.h>

#include "backend/host/settings.hpp"
#include "backend/host/worker_store.hpp"
#include "plan/convolution/lower_bank.hpp"

namespace twiddle::test {
namespace {

std::uint64_t items(std::size_t signal, std::size_t filters, bool partitioned, std::size_t threads) {
  const Convolution convolution{.signal_lengths = {signal}, .kernel_lengths = {256}, .filters = filters};
  const plan::BankRecipe recipe =
      partitioned ? plan::BankRecipe{128, {16, 8}, false, true} : plan::BankRecipe{512, {16, 4, 8}, false, false};
  const plan::Stage stage = plan::lower_bank(convolution, recipe).apply.stages.at(0);
  const backend::host::WorkerOptions options{.targets = backend::host::simd_targets(), .threads = threads};
  return backend::host::WorkerStore().find_or_make(stage, options)->items();
}

// Threads that share the filters of a segment transform it once each, which would be lost on one that has them all:
// with eight groups the bank of 256 samples took 1.6 times as long.
TEST(BankItems, FiltersStayTogetherWhereOneThreadHasThem) {
  for (const bool partitioned : {false, true}) {
    const std::uint64_t alone = items(256, 8, partitioned, 1);
    EXPECT_EQ(items(256, 8, partitioned, 16), alone);
    EXPECT_GT(items(256, 2000, partitioned, 16), alone);
    EXPECT_EQ(items(256, 2000, partitioned, 1), alone);
  }
}

}  // namespace
}  // namespace twiddle::test
