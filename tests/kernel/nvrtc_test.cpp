// The CUDA kernels of many plans compile with NVIDIA's run-time compiler, without warnings; no GPU is needed.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nvrtc.h>

#include <set>
#include <string>
#include <vector>

#include "kernel/kernel_source.hpp"
#include "plan/limits.hpp"
#include "plan/lower.hpp"
#include "support/stage_list.hpp"
#include "support/transform_name.hpp"
#include "twiddle/problem.hpp"

namespace twiddle {
namespace {

// What the compiler says; empty where all is well.
std::string compile(const kernel::KernelSource& source, int architecture) {
  nvrtcProgram program = nullptr;
  if (nvrtcCreateProgram(&program, source.text.c_str(), "kernel.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS) {
    return "nvrtcCreateProgram failed";
  }
  const std::string target = fmt::format("--gpu-architecture=sm_{}", architecture);
  // The skeleton and the prelude declare more than every kernel uses (177); any other warning is a failure.
  const std::vector<const char*> options{target.c_str(), "--std=c++17", "--diag-suppress=177"};
  const nvrtcResult result = nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data());
  std::size_t log_size = 0;
  nvrtcGetProgramLogSize(program, &log_size);
  std::string log(log_size, '\0');
  nvrtcGetProgramLog(program, log.data());
  std::size_t binary_size = 0;
  if (result == NVRTC_SUCCESS) nvrtcGetCUBINSize(program, &binary_size);
  nvrtcDestroyProgram(&program);
  if (result != NVRTC_SUCCESS) return fmt::format("{}: {}", nvrtcGetErrorString(result), log.c_str());
  if (log.find("warning") != std::string::npos) return log;
  return binary_size == 0 ? "no code came out" : "";
}

// Of the architectures from Turing to Hopper that this compiler knows, the oldest and the newest.
std::vector<int> architectures() {
  int count = 0;
  if (nvrtcGetNumSupportedArchs(&count) != NVRTC_SUCCESS) return {};
  std::vector<int> all(static_cast<std::size_t>(count));
  if (nvrtcGetSupportedArchs(all.data()) != NVRTC_SUCCESS) return {};
  std::erase_if(all, [](int architecture) { return architecture < 75 || architecture > 90; });
  if (all.size() <= 2) return all;
  return {all.front(), all.back()};
}

class Nvrtc : public testing::TestWithParam<Transform> {};

TEST_P(Nvrtc, CompilesEveryStage) {
  const Transform& transform = GetParam();
  const auto targets = architectures();
  ASSERT_FALSE(targets.empty());
  const DeviceLimits limits = plan::named_limits("nvidia-cuda");
  const plan::Recipe recipe = plan::make_recipe(transform, limits);
  std::set<std::string> seen;
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    for (const plan::Placement placement : {plan::Placement::in_place, plan::Placement::out_of_place}) {
      for (const plan::Stage& stage : plan::lower(recipe, transform, direction, placement, limits).stages) {
        const kernel::KernelSource source = kernel::stage_kernel(stage, kernel::Dialect::cuda);
        EXPECT_NE(source.text.find(source.entry), std::string::npos);
        if (!seen.insert(source.text).second) continue;
        for (const int architecture : targets) {
          EXPECT_EQ(compile(source, architecture), "") << to_string(stage) << " for sm_" << architecture;
        }
      }
    }
  }
  EXPECT_FALSE(seen.empty());
}

TEST(NvrtcStages, OfEveryKindCompile) {
  const auto targets = architectures();
  ASSERT_FALSE(targets.empty());
  for (const test::NamedStage& named : test::stages_of_every_kind(plan::named_limits("nvidia-cuda"))) {
    const kernel::KernelSource source = kernel::stage_kernel(named.stage, kernel::Dialect::cuda);
    EXPECT_EQ(compile(source, targets.back()), "") << named.name;
  }
}

TEST(NvrtcStages, ConvolutionsCompile) {
  const auto targets = architectures();
  ASSERT_FALSE(targets.empty());
  for (const test::NamedStage& named : test::convolution_stages(plan::named_limits("nvidia-cuda"))) {
    const kernel::KernelSource source = kernel::stage_kernel(named.stage, kernel::Dialect::cuda);
    EXPECT_EQ(compile(source, targets.back()), "") << named.name;
  }
}

std::vector<Transform> problems() {
  std::vector<Transform> all;
  for (const std::size_t length :
       {2,    3,    4,    5,    6,     7,     8,     9,     10,     11,    12,      13,      15,
        16,   25,   30,   32,   35,    60,    64,    91,    97,     100,   120,     121,     128,
        169,  243,  256,  343,  360,   512,   625,   1000,  1001,   1024,  1080,    1920,    2048,
        3000, 4096, 5000, 8192, 10000, 16384, 30030, 65536, 100000, 10007, 1 << 18, 1 << 20, 1 << 24}) {
    all.push_back({.lengths = {length}});
  }
  all.push_back({.lengths = {256}, .batch = 1000});
  all.push_back({.lengths = {64, 64}});
  all.push_back({.lengths = {1080, 1920}});
  all.push_back({.lengths = {15, 28}, .batch = 3});
  all.push_back({.lengths = {4096, 4096}});
  all.push_back({.lengths = {30, 35, 39}});
  all.push_back({.lengths = {6, 20, 9}, .axes = {1}});
  all.push_back({.lengths = {16, 16, 16, 16}, .normalization = Normalization::ortho});
  for (const char* text : {"c2c:f64:8", "c2c:f64:1000", "c2c:f64:65536", "c2c:f64:10007", "c2c:f16:3*360", "r2c:f32:16",
                           "r2c:f32:1000", "r2c:f64:4096", "r2c:f32:65536", "r2c:f32:1001", "dct2:f64:100", "dst3:f32:31",
                           "dct4:f16:64", "dht:f32:8192", "c2c:f32:4*100x60:in=-120,-2/batch=13000/offset=12999:nonzero=50,40"}) {
    all.push_back(parse_problem(text).transform);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Plans, Nvrtc, testing::ValuesIn(problems()), test::transform_name);

}  // namespace
}  // namespace twiddle
