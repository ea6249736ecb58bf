// How plans use an engine: what is compiled when, which memory is lent, what a profile holds. On no device.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "backend/host/host_engine.hpp"
#include "plan/device/limits.hpp"
#include "run/compiled_program.hpp"
#include "run/memory_pool.hpp"
#include "run/recording_engine.hpp"
#include "support/planned_program.hpp"
#include "support/reference.hpp"
#include "twiddle/plan.hpp"

namespace twiddle {
namespace {

using test::RecordingEngine;

std::shared_ptr<RecordingEngine> make_engine() {
  return std::make_shared<RecordingEngine>(plan::named_limits("nvidia-opencl"));
}

TEST(MemoryPool, AllocatesOnlyWhatIsInUseAtOnce) {
  const auto engine = make_engine();
  run::MemoryPool pool(*engine);
  EXPECT_TRUE(engine->allocations.empty());
  for (int i = 0; i < 5; ++i) {
    const auto first = pool.borrow(100);
    const auto second = pool.borrow(100);
    ASSERT_NE(first.get(), nullptr);
    EXPECT_NE(first.get(), second.get());
  }
  EXPECT_EQ(engine->allocations, (std::vector<std::size_t>{100, 100}));
}

TEST(MemoryPool, OfNothingLendsNothing) {
  const auto engine = make_engine();
  run::MemoryPool pool(*engine);
  EXPECT_EQ(pool.borrow(0).get(), nullptr);
  EXPECT_TRUE(engine->allocations.empty());
}

TEST(MemoryPool, LendsLargerPiecesAndFreesThoseTooSmall) {
  const auto engine = make_engine();
  run::MemoryPool pool(*engine);
  const auto* large = pool.borrow(100).get();
  EXPECT_EQ(pool.borrow(50).get(), large);
  EXPECT_NE(pool.borrow(200).get(), nullptr);
  EXPECT_EQ(engine->allocations, (std::vector<std::size_t>{100, 200}));
}

TEST(MemoryPool, KeepsThePiecesOfQueuesApart) {
  const auto engine = make_engine();
  run::MemoryPool pool(*engine);
  const auto* first = pool.borrow(100, 1).get();
  const auto* second = pool.borrow(100, 2).get();
  const auto* own = pool.borrow(100).get();
  EXPECT_EQ(pool.borrow(50, 1).get(), first);
  EXPECT_EQ(pool.borrow(50, 2).get(), second);
  (void)pool.borrow(200, 1);  // frees the first queue's piece alone
  EXPECT_EQ(pool.borrow(100, 2).get(), second);
  EXPECT_EQ(pool.borrow(100).get(), own);
  EXPECT_EQ(engine->allocations, (std::vector<std::size_t>{100, 100, 100, 200}));
}

TEST(Workspace, IsSharedByPlansThatRunOneAfterTheOther) {
  const auto engine = make_engine();
  const Device device(engine);
  const Workspace workspace(device);
  const std::size_t points = std::size_t{1} << 16;
  const Plan large(workspace, {.lengths = {points}, .batch = 2});
  const Plan small(workspace, {.lengths = {points}});
  Buffer two = Buffer::of<std::complex<float>>(device, 2 * points);
  Buffer one = Buffer::of<std::complex<float>>(device, points);
  large.forward(two);
  const std::size_t allocated = engine->allocations.size();
  small.forward(one);
  large.inverse(two);
  EXPECT_EQ(engine->allocations.size(), allocated);
}

TEST(CompiledProgram, CompilesOnceAndRunsInOrder) {
  const auto engine = make_engine();
  plan::Stage first;
  first.step = "first";
  plan::Stage second;
  second.step = "second";
  run::CompiledProgram program(*engine, {{first, second}, 0});
  EXPECT_EQ(engine->compilations, 0);
  Profile profile;
  program.run({}, nullptr);
  program.run({}, &profile);
  EXPECT_EQ(engine->compilations, 2);
  ASSERT_EQ(engine->runs.size(), 4U);
  EXPECT_EQ(engine->runs[2].step, "first");
  EXPECT_EQ(engine->runs[3].step, "second");
  ASSERT_EQ(profile.size(), 2U);
  EXPECT_EQ(profile[0].step, "first");
  EXPECT_EQ(profile[1].milliseconds, 0.25);
}

TEST(CompiledProgram, TriesAgainAfterAFailure) {
  const auto engine = make_engine();
  run::CompiledProgram program(*engine, {{plan::Stage{}}, 0});
  engine->failing_compilations = 1;
  EXPECT_THROW(program.run({}, nullptr), DeviceError);
  EXPECT_TRUE(engine->runs.empty());
  program.run({}, nullptr);
  EXPECT_EQ(engine->runs.size(), 1U);
}

// But for the last ones, and where there are more threads than slices at once.
TEST(CompiledProgram, KeepsSlicesToTheThreadsThatHaveOneEach) {
  plan::Stage stage;
  stage.loops = {{5, 1, 1}};
  stage.launched_loops = 1;
  for (const std::size_t threads : {2, 4}) {
    DeviceLimits limits = plan::named_limits("host");
    limits.compute_units = threads;
    RecordingEngine engine(limits);
    plan::Program slices{{stage}, 0, {{0, 1, 2}}};
    run::CompiledProgram(engine, std::move(slices)).run({}, nullptr);
    ASSERT_EQ(engine.runs.size(), 5U);
    for (const RecordingEngine::Run& run : engine.runs) {
      EXPECT_EQ(run.operands.on_one_thread, threads == 2 && run.operands.launch < 4U) << *run.operands.launch;
    }
  }
}

// The host stores by it; kernels of devices have the names of both.
TEST(CompiledProgram, SaysOnTheHostThatThereIsOneMemory) {
  plan::Stage stage;
  plan::Stage to_scratch;
  to_scratch.destination = plan::Operand::scratch;
  for (const bool host : {true, false}) {
    for (const Placement placement : {Placement::in_place, Placement::out_of_place}) {
      const auto engine = make_engine();
      engine->on_host_memory = host;
      run::CompiledProgram program(*engine, {{stage, to_scratch}, 0}, placement);
      program.compile();
      ASSERT_EQ(engine->stages.size(), 2U);
      EXPECT_EQ(engine->stages[0].source == engine->stages[0].destination, host && placement == Placement::in_place);
      EXPECT_EQ(engine->stages[1], to_scratch);
    }
  }
}

// Which stages are one call: those of short transforms that need nothing but the caller's memory.
TEST(CompiledProgram, OfShortTransformsOnTheHostIsOneCall) {
  const auto engine = backend::make_host_engine();
  const auto is_call = [&](const std::string& text) {
    run::CompiledProgram program(*engine, test::program_of(text, engine->info().limits), parse_problem(text).placement);
    EXPECT_EQ(program.host_call(), nullptr) << "not compiled yet";
    program.compile();
    return program.host_call() != nullptr;
  };
  for (const char* text : {"c2c:f32:64", "c2c:f32:8x8", "c2c:f64:3*4x5x6:inplace", "r2c:f32:8x8", "c2r:f32:8x8:inplace",
                           "dct2:f32:8x8:inplace"}) {
    EXPECT_TRUE(is_call(text)) << text;
  }
  for (const char* text : {"c2r:f32:8x9x7", "c2r:f32:8x8:overwrite", "dct2:f16:8x8", "c2c:f32:1000003"})
    EXPECT_FALSE(is_call(text)) << text;
}

TEST(PlanExecution, OneCallGivesTheBitsOfItsStages) {
  for (const char* text : {"c2c:f32:8x8", "c2c:f32:5x6x7:inplace", "r2c:f32:3*8x10", "r2c:f32:8x8:inplace",
                           "c2r:f32:8x8:inplace", "dct2:f32:8x8", "dst2:f32:4x5x6:inplace"}) {
    const Problem problem = parse_problem(text);
    const Plan plan(Device::host(), problem.transform);
    const bool in_place = problem.placement == Placement::in_place;
    const std::size_t read = plan.input_bytes(problem.direction, problem.placement);
    const std::size_t written = plan.output_bytes(problem.direction, problem.placement);
    std::vector<float> input((in_place ? std::max(read, written) : read) / sizeof(float));
    for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<float>(i * i % 101) - 50;
    const auto results = [&](Profile* profile) {  // a profile asks for stage by stage
      std::vector<float> data = input;
      std::vector<float> output(in_place ? 0 : written / sizeof(float));
      if (in_place) {
        plan.execute_bytes(problem.direction, std::as_writable_bytes(std::span(data)), profile);
        return data;
      }
      plan.execute_bytes(problem.direction, std::as_bytes(std::span(data)), std::as_writable_bytes(std::span(output)),
                         profile);
      return output;
    };
    Profile profile;
    const std::vector<float> expected = results(&profile);
    EXPECT_GT(profile.size(), 1U) << text;
    EXPECT_EQ(results(nullptr), expected) << text;  // the first execution notes the call
    EXPECT_EQ(results(nullptr), expected) << text;
  }
}

TEST(PlanExecution, CompilesTheForwardTransformFirstAndTheRestOnDemand) {
  const auto engine = make_engine();
  const Device device(engine);
  const Plan plan(device, {.lengths = {64}});
  const int at_first = engine->compilations;
  EXPECT_GT(at_first, 0);
  Buffer data = Buffer::of<std::complex<float>>(device, 64);
  plan.forward(data);
  EXPECT_EQ(engine->compilations, at_first);
  plan.inverse(data);
  EXPECT_GT(engine->compilations, at_first);
  const int after_both = engine->compilations;
  plan.forward(data);
  plan.inverse(data);
  EXPECT_EQ(engine->compilations, after_both);
}

TEST(PlanExecution, SaysForWhichPlacementAProgramIs) {
  const auto engine = std::make_shared<RecordingEngine>(plan::named_limits("host"));
  engine->on_host_memory = true;
  const Plan plan(Device(engine), {.lengths = {64}, .batch = 4});
  for (const Placement placement : {Placement::in_place, Placement::out_of_place}) {
    plan.prepare(Direction::inverse, placement);
    const plan::Stage& stage = engine->stages.back();
    EXPECT_EQ(stage.source == stage.destination, placement == Placement::in_place);
  }
}

TEST(PlanExecution, GivesStagesTheMemoryOfTheCaller) {
  const auto engine = make_engine();
  const Device device(engine);
  const Plan plan(device, {.lengths = {64}});
  Buffer input = Buffer::of<std::complex<float>>(device, 64);
  Buffer output = Buffer::of<std::complex<float>>(device, 64);
  plan.forward(input, output);
  ASSERT_FALSE(engine->runs.empty());
  EXPECT_EQ(engine->runs.back().operands.input, &input.memory());
  EXPECT_EQ(engine->runs.back().operands.output, &output.memory());
  plan.forward(input, input);  // the same buffer twice is in place
  EXPECT_EQ(engine->runs.back().operands.output, &input.memory());
}

TEST(PlanExecution, AllocatesNothingInTheSteadyState) {
  const auto engine = make_engine();
  const Device device(engine);
  const Plan plan(device, {.lengths = {std::size_t{1} << 16}});
  ASSERT_GT(plan.scratch_bytes(), 0U);
  test::Signal signal(std::size_t{1} << 16);
  plan.forward(signal);
  const std::size_t at_first = engine->allocations.size();
  EXPECT_EQ(at_first, 2U);  // scratch, and device memory for the span
  for (int i = 0; i < 3; ++i) {
    plan.forward(signal);
    plan.inverse(signal);
  }
  EXPECT_EQ(engine->allocations.size(), at_first);
}

TEST(PlanExecution, ProfilesCopiesAndStages) {
  const auto engine = make_engine();
  const Plan plan(Device(engine), {.lengths = {64}});
  test::Signal signal(64);
  Profile profile;
  plan.execute(Direction::forward, signal, &profile);
  ASSERT_EQ(profile.size(), engine->runs.size() + 2);
  EXPECT_EQ(profile.front().step, "copy to the device");
  EXPECT_EQ(profile[1].step, engine->runs.front().step);
  EXPECT_EQ(profile.back().step, "copy from the device");
}

}  // namespace
}  // namespace twiddle
