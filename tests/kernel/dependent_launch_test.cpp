// Kernels that may be launched while the one before them ends wait for that end before anything else, whatever they
// are; segments right behind their filters wait for what they need of these.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "kernel/image_kernel.hpp"
#include "kernel/kernel_source.hpp"
#include "plan/convolution/image_pass.hpp"
#include "plan/convolution/lower_bank.hpp"
#include "plan/convolution/lower_sums.hpp"
#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/shape/shape.hpp"
#include "support/stage_list.hpp"
#include "twiddle/problem.hpp"

namespace twiddle {
namespace {

using kernel::Dialect;
using kernel::KernelSource;

// The first line of the kernel that does something.
std::string first_act(const std::string& text) {
  std::istringstream lines(text.substr(text.find("TW_KERNEL(", text.find("\nTW_KERNEL("))));
  std::string line;
  while (std::getline(lines, line) && !line.ends_with(") {")) {
  }
  while (std::getline(lines, line) && line.find("TW_LOCAL_ARRAY") != std::string::npos) {
  }
  return line;
}

std::string body(const std::string& text) { return text.substr(text.find("TW_KERNEL(", text.find("\nTW_KERNEL("))); }

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

// Loads past the coherent caches (of the compiler's where memory is promised not to change) could find what was there
// before the wait; kernels that ask for the next to be launched early are slower, but that of filters.
void expect_waits_first(const KernelSource& source, const std::string& name, bool of_filters = false) {
  EXPECT_TRUE(source.dependent_launch) << name;
  EXPECT_FALSE(source.starts_early) << name;
  EXPECT_EQ(first_act(source.text), "  TW_DEPENDENCY_WAIT();") << name;
  EXPECT_EQ(count(body(source.text), "TW_DEPENDENCY_WAIT();"), 1U) << name;
  EXPECT_EQ(count(body(source.text), "TW_DEPENDENT_START();"), of_filters ? 1U : 0U) << name;
  for (const char* unwanted : {"restrict", "__ldg"}) {
    EXPECT_EQ(source.text.find(unwanted), std::string::npos) << name << ": " << unwanted;
  }
}

// Right behind its filters' kernel it reads a segment first, past a unit's own cache, and neither their spectra nor
// anything into memory before the wait.
void expect_starts_early(const KernelSource& source, const std::string& name) {
  EXPECT_TRUE(source.dependent_launch && source.starts_early) << name;
  EXPECT_EQ(first_act(source.text), "  if (follows_filters == 0) TW_DEPENDENCY_WAIT();") << name;
  const std::string text = body(source.text);
  EXPECT_EQ(count(text, "TW_DEPENDENT_START();"), 0U) << name;
  EXPECT_EQ(count(text, "= source["), 0U) << name;
  const std::size_t wait = text.find("  TW_DEPENDENCY_WAIT();", text.find("TW_LOAD_SHARED("));
  ASSERT_NE(wait, std::string::npos) << name;
  const std::string before = text.substr(text.find('{'), wait - text.find('{'));
  EXPECT_EQ(count(before, "spectra"), 0U) << name;
  EXPECT_EQ(count(before, "TW_STREAM("), 0U) << name;
  EXPECT_LT(wait, text.find("(TW_GLOBAL const float4*)(spectra")) << name;
}

void expect_none(const KernelSource& source, const std::string& name) {
  EXPECT_FALSE(source.dependent_launch) << name;
  EXPECT_FALSE(source.starts_early) << name;
  for (const char* unwanted : {"TW_DEPENDENCY_WAIT", "TW_DEPENDENT_START", "TW_LOAD_SHARED", "griddepcontrol"}) {
    EXPECT_EQ(source.text.find(unwanted), std::string::npos) << name << ": " << unwanted;
  }
}

void check(plan::Stage stage, const std::string& name) {
  stage.shape.dependent_launch = true;
  const KernelSource source = kernel::stage_kernel(stage, Dialect::cuda);
  using Kind = plan::FilterBank::Kind;
  if (stage.bank && stage.bank->kind == Kind::cyclic) {
    expect_starts_early(source, name);
  } else {
    expect_waits_first(source, name, stage.bank && stage.bank->kind == Kind::spectra);
  }
  // In OpenCL, which has no word for it, and in kernels of the same size before Hopper.
  if (stage.shape.groups_per_transform == 1 && !stage.shape.prefetch)
    expect_none(kernel::stage_kernel(stage, Dialect::opencl), name);
  stage.shape.dependent_launch = false;
  expect_none(kernel::stage_kernel(stage, Dialect::cuda), name);
}

plan::Program program_of(const char* text, const DeviceLimits& limits) {
  const Problem problem = parse_problem(text);
  return plan::lower(plan::make_recipe(problem.transform, limits), problem.transform, problem.direction,
                     problem.placement, limits);
}

TEST(DependentLaunch, OfEveryKindOfStageWaitsFirst) {
  const DeviceLimits limits = plan::named_limits("nvidia-cuda");
  for (const test::NamedStage& named : test::stages_of_every_kind(limits)) check(named.stage, named.name);
  for (const test::NamedStage& named : test::convolution_stages(limits)) check(named.stage, named.name);
  for (const plan::Stage& stage : program_of("c2c:f32:16384", limits).stages) check(stage, "a cluster");
  for (const plan::Stage& stage : program_of("c2c:f32:4096*16384", limits).stages) check(stage, "lines fetched ahead");
}

TEST(DependentLaunch, OfStrategiesWaitsFirst) {
  DeviceLimits limits = plan::named_limits("nvidia-cuda");
  for (const char* strategy : {"transposes=in-place", "transposes=elementwise", "algorithm=direct", "launches=rows",
                               "twiddles=separate,reversal=separate", "parts=planar"}) {
    limits.strategy = parse_strategy(strategy);
    for (const plan::Stage& stage : program_of("c2c:f32:64x64:inplace", limits).stages) check(stage, strategy);
  }
}

TEST(DependentLaunch, OfFiltersWaitsFirstAndOfSegmentsForTheirs) {
  const DeviceLimits limits = plan::named_limits("nvidia-cuda");
  for (const bool complex : {true, false}) {
    Convolution bank{.signal_lengths = {5000}, .kernel_lengths = {65}, .filters = 3, .complex = complex};
    for (const bool maximum : {true, false}) {
      bank.post.maximum = maximum;
      if (maximum) bank.post.function = PostProcessing::Function::power;
      const plan::BankPrograms programs = plan::lower_bank(bank, {1024, {32, 32}});
      for (const plan::Program& program : {programs.prepare, programs.apply}) {
        for (const plan::Stage& stage : plan::shaped(program, limits).stages) check(stage, "filters");
      }
    }
  }
  const Convolution sums{.signal_lengths = {50, 60}, .kernel_lengths = {3, 3}};
  for (const bool separable : {false, true}) {
    for (const plan::Stage& stage : plan::shaped(plan::lower_sums(sums, separable).apply, limits).stages) {
      check(stage, "sums");
    }
  }
}

TEST(DependentLaunch, OfPicturesWaitsFirst) {
  plan::ImagePass pass{.format = {100, 200, 3, 8}, .window = {3, 3, std::vector<double>(9, 1)}};
  expect_none(kernel::image_kernel(pass, Dialect::cuda), "a picture");
  pass.dependent_launch = true;
  expect_waits_first(kernel::image_kernel(pass, Dialect::cuda), "a picture");
  expect_none(kernel::image_kernel(pass, Dialect::opencl), "a picture");
}

// All stages alike, by what the device can do.
TEST(DependentLaunch, IsPlannedWhereTheDeviceHasIt) {
  for (const char* text : {"c2c:f32:1024", "c2c:f32:16384", "c2c:f32:1048576", "r2c:f32:100003", "c2c:f64:64x64x64"}) {
    DeviceLimits limits = plan::named_limits("nvidia-cuda");
    for (const bool dependent : {true, false}) {
      limits.dependent_launch = dependent;
      for (const plan::Stage& stage : program_of(text, limits).stages) {
        EXPECT_EQ(stage.shape.dependent_launch, dependent) << text;
      }
    }
  }
  for (const char* name : {"host", "nvidia-opencl", "small", "mali"}) {
    EXPECT_FALSE(plan::named_limits(name).dependent_launch) << name;
  }
}

}  // namespace
}  // namespace twiddle
