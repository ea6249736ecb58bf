// Hooks on halves that are copied before they are computed with, or after: the stage beside the copy calls them.
#include "plan/lower/moved_hook.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "plan/device/limits.hpp"
#include "support/lowered_problem.hpp"
#include "support/planned_program.hpp"
#include "support/scratch_sizes.hpp"
#include "support/transform_name.hpp"

namespace twiddle::test {
namespace {

// What it makes of a value says where that was, too.
std::shared_ptr<const Hook> adds_index() {
  auto hook = std::make_shared<Hook>();
  hook->source = "value.x += index;";
  hook->function = [](std::complex<double> value, std::uint64_t index) { return value + static_cast<double>(index); };
  return hook;
}

plan::Storage halves(plan::Storage::Form form, std::int64_t imaginary_offset = 0) {
  return {form, Precision::float16, imaginary_offset};
}

// Three by four elements in the order of columns on the user's side.
plan::Stage transposition(plan::Storage::Form form) {
  plan::Stage copy;
  copy.input_storage = copy.output_storage = halves(form);
  copy.input_offset = 5;
  copy.loops = {{4, 3, 1}, {3, 1, 4}};
  return copy;
}

std::complex<double> called(const std::shared_ptr<const Hook>& hook, std::complex<double> value, std::uint64_t index) {
  return hook->function(value, index);
}

TEST(MovedHook, SeesTheIndexOnTheOtherSideOfACopy) {
  plan::Stage copy = transposition(plan::Storage::Form::interleaved);
  auto hook = plan::hook_beside_copies(adds_index(), {copy}, true, false);
  ASSERT_TRUE(hook);
  EXPECT_EQ(called(hook, 1, 0), std::complex<double>(1 + 5));
  EXPECT_EQ(called(hook, 1, 6), std::complex<double>(1 + 5 + 3 * 2 + 1));  // row 1, column 2
  EXPECT_EQ(called(hook, 1, 12), std::complex<double>(1));                 // nothing is copied there
  std::swap(copy.input_offset, copy.output_offset);
  for (plan::Loop& loop : copy.loops) std::swap(loop.input_stride, loop.output_stride);
  hook = plan::hook_beside_copies(adds_index(), {copy}, false, false);
  ASSERT_TRUE(hook);
  EXPECT_EQ(called(hook, 1, 6), std::complex<double>(1 + 5 + 3 * 2 + 1));
}

TEST(MovedHook, CountsRealsWhereThesePairUp) {
  plan::Stage copy = transposition(plan::Storage::Form::interleaved);
  copy.output_storage = halves(plan::Storage::Form::planar, 12);
  const auto hook = plan::hook_beside_copies(adds_index(), {copy}, true, true);
  ASSERT_TRUE(hook);
  EXPECT_EQ(called(hook, 0, 6), std::complex<double>(2 * (5 + 3 * 2 + 1)));
  EXPECT_EQ(called(hook, 0, 18), std::complex<double>(2 * (5 + 3 * 2 + 1) + 1));
}

TEST(MovedHook, SeesWhatCopiesNegate) {
  plan::Stage copy;
  copy.input_storage = copy.output_storage = halves(plan::Storage::Form::real);
  copy.scale = -1;
  copy.loops = {{4, 1, -1}};
  copy.output_offset = 3;
  auto hook = plan::hook_beside_copies(adds_index(), {copy}, false, true);
  ASSERT_TRUE(hook);
  EXPECT_EQ(called(hook, 10, 1), std::complex<double>(8));  // -(-10 + 2)
  // Elements beyond the middle of a line of seven stand for those before it.
  copy.scale = 1;
  copy.output_offset = 0;
  copy.loops = {{4, 1, 2}};
  copy.store_bound = plan::Bound{.count = 4, .loop_strides = {2}, .period = 7, .both_halves = 0, .odd = true};
  hook = plan::hook_beside_copies(adds_index(), {copy}, false, true);
  ASSERT_TRUE(hook);
  EXPECT_EQ(called(hook, 10, 1), std::complex<double>(12));
  EXPECT_EQ(called(hook, 10, 3), std::complex<double>(9));  // -(-10 + (7 - 6))
}

TEST(MovedHook, IsNotCalledWherePositionsDoNotTellElementsApart) {
  plan::Stage copy = transposition(plan::Storage::Form::interleaved);
  copy.loops.push_back({2, 12, 6});  // over the others' places
  EXPECT_FALSE(plan::hook_beside_copies(adds_index(), {copy}, true, false));
  // Nor of complex numbers that stand as reals beside the copy.
  copy = transposition(plan::Storage::Form::interleaved);
  copy.output_storage = halves(plan::Storage::Form::real);
  EXPECT_FALSE(plan::hook_beside_copies(adds_index(), {copy}, true, false));
  // Nor where the user's positions are more than a kernel counts that has few of its own.
  copy = transposition(plan::Storage::Form::interleaved);
  copy.loops.back().input_stride = std::int64_t{1} << 32;
  EXPECT_FALSE(plan::hook_beside_copies(adds_index(), {copy}, true, false));
  auto gathers = std::make_shared<Hook>(*adds_index());
  gathers->gathers = true;
  EXPECT_FALSE(plan::hook_beside_copies(gathers, {transposition(plan::Storage::Form::interleaved)}, true, false));
}

class MovedHooks : public testing::TestWithParam<std::string> {
 protected:
  MovedHooks() : limits_(plan::named_limits(GetParam())) {}
  DeviceLimits limits_;
};

TEST_P(MovedHooks, NeedTheData) {
  for (const char* text :
       {"c2c:f16:1048576:inplace:load=alternate:store=alternate", "c2c:f16:59049:inplace:load=bartlett/7",
        "c2c:f16:3*65536:inplace:store=bartlett/9", "c2c:f16:1000x1000:inplace:load=bartlett/7:store=bartlett/9",
        "r2c:f16:531441:inplace:store=bartlett/7", "c2r:f16:531441:inplace:load=bartlett/7",
        "r2c:f16:1048576:inplace:load=bartlett/7:store=bartlett/9", "c2r:f16:1048576:store=bartlett/9",
        "c2r:f16:1048576:inplace:load=bartlett/7:store=bartlett/9", "c2r:f16:531441:store=bartlett/9",
        "dct2:f16:1048576:store=bartlett/7", "dct2:f16:531441:inplace:load=bartlett/7:store=bartlett/9",
        "dct3:f16:1048576:inplace:load=bartlett/7", "dct3:f16:531441:inplace:store=bartlett/9",
        "dct4:f16:1048576:load=bartlett/7:store=bartlett/9", "dst4:f16:531441:inplace:load=bartlett/7:store=bartlett/9",
        "dht:f16:1048576:store=bartlett/9", "dht:f16:531441:inplace:load=bartlett/7:store=bartlett/9"}) {
    const auto [data, scratch, slices, bluestein, all_stages] = scratch_sizes(text, limits_);
    EXPECT_LE(scratch, data) << text;
    const auto is_half = [](const plan::Storage& storage) {
      return storage.precision == Precision::float16 && !storage.is_apart();
    };
    const auto rounds = [&](const plan::Stage& stage) {
      return (stage.load_hook || stage.store_hook) && plan::only_move({stage}) && is_half(stage.input_storage) &&
             is_half(stage.output_storage);
    };
    EXPECT_TRUE(std::ranges::none_of(program_of(text, limits_).stages, rounds)) << text;
  }
}

// Short lines take several stages there.
TEST_P(MovedHooks, AreRight) {
  if (limits_.shape == DeviceLimits::Shape::on_chip) limits_ = plan::named_limits("small");
  if (limits_.shape == DeviceLimits::Shape::owned) limits_.level2_cache = 4096;
  limits_.local_memory = std::min<std::size_t>(limits_.local_memory, 2048);
  for (const char* sizes : {"2048", "3*1125", "2*1260"}) {
    for (const std::string kind :
         {"c2c", "r2c", "c2r", "dct2", "dct3", "dct4", "dst2", "dst3", "dst4", "dht", "dct1", "dst1"}) {
      for (const char* placement : {"", ":inplace"}) {
        const std::string text = kind + ":f16:" + sizes + placement + ":load=bartlett/7:store=bartlett/9";
        SCOPED_TRACE(text);
        check_lowering(parse_problem(text), limits_, 3);
      }
    }
  }
}

// Layouts that differ in place: a copy of halves stands between them.
TEST_P(MovedHooks, BetweenLayoutsInPlaceAreRight) {
  if (limits_.shape == DeviceLimits::Shape::on_chip) limits_ = plan::named_limits("small");
  for (const char* text : {"c2c:f16:30x50:inplace:in=1,30:load=bartlett/7:store=bartlett/9",
                           "c2c:f16:30x50:inplace:in=planar:load=bartlett/7:store=bartlett/9",
                           "r2c:f16:30x50:inplace:out=planar:load=bartlett/7:store=bartlett/9",
                           "c2r:f16:30x50:inplace:in=planar:load=bartlett/7:store=bartlett/9",
                           "dct2:f16:30x40:inplace:out=1,30:load=bartlett/7:store=bartlett/9",
                           "r2c:f16:1:axes=0:inplace:norm=ortho:out=-1/batch=1:load=alternate",  // nothing but copies
                           "dst3:f16:1x3:axes=0:inplace:out=3,-1/batch=3/offset=2:store=bartlett/726",
                           "c2c:f16:4x1x3:axes=1:inplace:in=1,1,4:load=alternate:store=bartlett/5"}) {
    SCOPED_TRACE(text);
    check_lowering(parse_problem(text), limits_, 3);
  }
}

INSTANTIATE_TEST_SUITE_P(NamedLimits, MovedHooks, testing::Values("host", "nvidia-opencl", "nvidia-cuda", "mali"),
                         limits_name<std::string>);

}  // namespace
}  // namespace twiddle::test
