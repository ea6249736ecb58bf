// How wide the indices of kernels are: what plans of large arrays and of far places need.
#include <gtest/gtest.h>

#include <memory>

#include "kernel/kernel_source.hpp"
#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::kernel {
namespace {

KernelSource first_kernel(const Transform& transform) {
  const DeviceLimits limits = plan::named_limits("nvidia-opencl");
  const plan::Program program = plan::lower(plan::make_recipe(transform, limits), transform, Direction::forward,
                                            plan::Placement::out_of_place, limits);
  return stage_kernel(program.stages.front(), Dialect::opencl);
}

TEST(StageIndex, HasSixtyFourBitsWhereDataNeedsThem) {
  EXPECT_FALSE(first_kernel({.lengths = {1024}, .batch = 1024}).wide_index);
  const KernelSource large = first_kernel({.lengths = {1024}, .batch = std::size_t{1} << 22});
  EXPECT_TRUE(large.wide_index);
  EXPECT_NE(large.text.find("#define TW_INDEX TW_WIDE"), std::string::npos);
}

// A hook sees places from where the memory starts on, however short the way from the first element is.
TEST(StageIndex, HasSixtyFourBitsWhereHooksSeeFarPlaces) {
  Transform transform{.lengths = {64}};
  transform.input.offset = std::size_t{1} << 32;
  EXPECT_FALSE(first_kernel(transform).wide_index);
  transform.load_hook = std::make_shared<const Hook>(Hook{.source = "value.x += index;"});
  EXPECT_TRUE(first_kernel(transform).wide_index);
  transform.input.offset = 0;
  transform.output.offset = std::size_t{1} << 32;
  EXPECT_FALSE(first_kernel(transform).wide_index);
  transform.store_hook = transform.load_hook;
  EXPECT_TRUE(first_kernel(transform).wide_index);
}

}  // namespace
}  // namespace twiddle::kernel
