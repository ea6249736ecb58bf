// The CUDA kernels of many plans compile with NVIDIA's run-time compiler, without warnings, for GPUs from Turing to
// Blackwell; they spill no registers, and need no more of them than is written down. No GPU is needed.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nvrtc.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernel/joined_programs.hpp"
#include "kernel/kernel_source.hpp"
#include "plan/convolution/bank_shape.hpp"
#include "plan/convolution/lower_bank.hpp"
#include "plan/convolution/lower_sums.hpp"
#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/shape/shape.hpp"
#include "run/whole_geometry.hpp"
#include "run/whole_hooks.hpp"
#include "support/convolution_reference.hpp"
#include "support/planned_program.hpp"
#include "support/sample.hpp"
#include "support/stage_list.hpp"
#include "support/transform_name.hpp"
#include "twiddle/problem.hpp"

namespace twiddle {
namespace {

struct Compilation {
  std::string complaint;  // of the compiler; empty where all is well
  int registers = 0;      // of a work-item
  int spilled = 0;        // bytes
};

int number_after(const std::string& log, const char* pattern) {
  std::smatch match;
  return std::regex_search(log, match, std::regex(pattern)) ? std::stoi(match[1]) : -1;
}

Compilation compile(const kernel::KernelSource& source, int architecture) {
  nvrtcProgram program = nullptr;
  if (nvrtcCreateProgram(&program, source.text.c_str(), "kernel.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS) {
    return {"nvrtcCreateProgram failed"};
  }
  const std::string target = fmt::format("--gpu-architecture=sm_{}", architecture);
  // The skeleton and the prelude declare more than every kernel uses (177); any other warning is a failure.
  const std::vector<const char*> options{target.c_str(), "--std=c++17", "--diag-suppress=177", "--ptxas-options=-v"};
  const nvrtcResult result = nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data());
  std::size_t log_size = 0;
  nvrtcGetProgramLogSize(program, &log_size);
  std::string log(log_size, '\0');
  nvrtcGetProgramLog(program, log.data());
  std::size_t binary_size = 0;
  if (result == NVRTC_SUCCESS) nvrtcGetCUBINSize(program, &binary_size);
  nvrtcDestroyProgram(&program);
  if (result != NVRTC_SUCCESS) return {fmt::format("{}: {}", nvrtcGetErrorString(result), log.c_str())};
  if (log.find("warning") != std::string::npos) return {log};
  if (binary_size == 0) return {"no code came out"};
  return {"", number_after(log, "Used ([0-9]+) registers"), number_after(log, "([0-9]+) bytes spill stores")};
}

// What was measured by NVRTC 13.0, the most of all architectures, by problem; others may need some more.
constexpr int measured_by = 13;
constexpr int leeway = 8;

struct Bounds {
  int registers = 0;
  int spilled = 0;  // 0 but where a shape that spills a little was measured to be the fastest, or none is better
};

const std::map<std::string, Bounds>& bounds_by_problem() {
  static const std::map<std::string, Bounds> bounds = [] {
    std::map<std::string, Bounds> read;
    std::ifstream file(TWIDDLE_REGISTER_BOUNDS);
    std::string problem;
    for (Bounds row; file >> problem >> row.registers >> row.spilled;) read[problem] = row;
    return read;
  }();
  return bounds;
}

// With TWIDDLE_UPDATE_GOLDEN, adds a line to the file instead: empty it before, and sort it afterwards.
void expect_within_bounds(const std::string& problem, int registers, int spilled) {
  if (std::getenv("TWIDDLE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(TWIDDLE_REGISTER_BOUNDS, std::ios::app) << problem << ' ' << registers << ' ' << spilled << '\n';
    return;
  }
  const auto bounds = bounds_by_problem().find(problem);
  ASSERT_NE(bounds, bounds_by_problem().end())
      << problem << " has no bounds; measured: " << registers << ' ' << spilled;
  EXPECT_LE(registers, bounds->second.registers + leeway) << problem;
  EXPECT_LE(spilled, bounds->second.spilled) << problem;
}

// Whether the bounds hold for this compiler; older ones allocate registers differently.
bool bounds_hold() {
  int major = 0;
  int minor = 0;
  return nvrtcVersion(&major, &minor) == NVRTC_SUCCESS && major >= measured_by;
}

// Turing, Hopper, Blackwell, in the long tests Ampere, as far as this compiler knows them; the last is the newest.
std::vector<int> architectures() {
  int count = 0;
  if (nvrtcGetNumSupportedArchs(&count) != NVRTC_SUCCESS) return {};
  std::vector<int> all(static_cast<std::size_t>(count));
  if (nvrtcGetSupportedArchs(all.data()) != NVRTC_SUCCESS) return {};
  std::erase_if(all,
                [](int each) { return each == 80 ? !test::every_case() : each != 75 && each != 90 && each != 100; });
  return all;
}

// As the CUDA engine sees a GPU of that architecture: those before Hopper have no clusters and no dependent launches.
DeviceLimits limits_of(int architecture) {
  DeviceLimits limits = plan::named_limits("nvidia-cuda");
  if (architecture < 90) {
    limits.largest_cluster = 1;
    limits.dependent_launch = false;
    limits.bulk_copies = false;
  }
  return limits;
}

class Nvrtc : public testing::TestWithParam<Transform> {};

// Every kernel of the problem in that direction, for every architecture.
void check_problem(const Transform& transform, Direction direction) {
  const auto targets = architectures();
  ASSERT_FALSE(targets.empty());
  std::set<std::pair<int, std::string>> seen;
  int registers = 0;
  int spilled = 0;
  for (const int architecture : targets) {
    const DeviceLimits limits = limits_of(architecture);
    const plan::Recipe recipe = plan::make_recipe(transform, limits);
    for (const plan::Placement placement : {plan::Placement::in_place, plan::Placement::out_of_place}) {
      for (const plan::Stage& stage : plan::lower(recipe, transform, direction, placement, limits).stages) {
        const kernel::KernelSource source = kernel::stage_kernel(stage, kernel::Dialect::cuda);
        EXPECT_NE(source.text.find(source.entry), std::string::npos);
        if (!seen.emplace(architecture, source.text).second) continue;
        const Compilation compilation = compile(source, architecture);
        EXPECT_EQ(compilation.complaint, "") << to_string(stage) << " for sm_" << architecture;
        registers = std::max(registers, compilation.registers);
        spilled = std::max(spilled, compilation.spilled);
      }
    }
  }
  EXPECT_FALSE(seen.empty());
  if (bounds_hold()) expect_within_bounds(to_string(transform), registers, spilled);
}

TEST_P(Nvrtc, CompilesEveryStage) { check_problem(GetParam(), Direction::forward); }

// Inverse kernels are the forward ones' mirror images but for the real transforms'.
class NvrtcInverse : public Nvrtc {};
TEST_P(NvrtcInverse, CompilesEveryStage) { check_problem(GetParam(), Direction::inverse); }

TEST(NvrtcStages, OfEveryKindCompile) {
  const auto targets = architectures();
  ASSERT_FALSE(targets.empty());
  for (const auto& named : test::sampled(test::with_real_stages(limits_of(targets.back())), 2)) {
    const kernel::KernelSource source = kernel::stage_kernel(named.stage, kernel::Dialect::cuda);
    EXPECT_EQ(compile(source, targets.back()).complaint, "") << named.name;
  }
}

// Lines that groups share: alone, and so many that four groups should fit on a compute unit; read and written as
// halves, through hooks.
TEST(NvrtcStages, ClustersCompileAndSpillNothing) {
  const auto targets = architectures();
  ASSERT_FALSE(targets.empty());
  if (targets.back() < 90) GTEST_SKIP() << "this compiler knows no clusters";
  const DeviceLimits limits = plan::named_limits("nvidia-cuda");
  for (const char* text : {"c2c:f32:16384", "c2c:f32:2048*32768", "c2c:f32:1024*65536:load=alternate",
                           "c2c:f16:2048*32768:load=alternate:wanted=20000"}) {
    const Problem problem = parse_problem(text);
    const auto stages = plan::lower(plan::make_recipe(problem.transform, limits), problem.transform, problem.direction,
                                    problem.placement, limits)
                            .stages;
    ASSERT_EQ(stages.size(), 1U);
    ASSERT_EQ(stages[0].shape.groups_per_transform, 8U);
    for (const int architecture : targets) {
      if (architecture < 90) continue;
      const Compilation compilation = compile(kernel::stage_kernel(stages[0], kernel::Dialect::cuda), architecture);
      EXPECT_EQ(compilation.complaint, "") << text;
      if (!bounds_hold()) continue;
      EXPECT_LE(compilation.registers, problem.transform.batch == 1 ? 216 : 128) << text;
      EXPECT_EQ(compilation.spilled, 0) << text;
    }
  }
}

// Lines and tiles that are fetched ahead, by a group that has a compute unit for itself: of doubles some are fastest
// that spill a number.
TEST(NvrtcStages, LinesFetchedAheadCompileAndSpillNothing) {
  const auto targets = architectures();
  ASSERT_FALSE(targets.empty());
  if (targets.back() < 90) GTEST_SKIP() << "this compiler knows no bulk copies";
  std::size_t compilations = 0;
  for (const char* text : {"c2c:f32:4096*10000", "c2c:f32:4096*12000:inverse", "c2c:f32:4096*15625:inplace",
                           "c2c:f32:4096*16384:norm=ortho", "r2c:f32:4096*20000:inplace", "c2c:f64:4096*6000",
                           "c2c:f32:4096*16807", "c2c:f64:4096*5000", "c2c:f64:4096*6561", "c2c:f64:4096*8192",
                           "c2c:f32:64*1048576", "c2c:f32:8*2160x3840", "c2c:f64:33*1000x1000"}) {
    const auto stages = test::program_of(text).stages;
    const auto stage = std::ranges::find_if(stages, [](const plan::Stage& each) { return each.shape.prefetch; });
    ASSERT_NE(stage, stages.end()) << text;
    const bool doubles = stage->precision == Precision::float64;
    for (const int architecture : targets) {
      if (architecture < 90 || !test::is_sampled(compilations++, 3)) continue;
      const Compilation compilation = compile(kernel::stage_kernel(*stage, kernel::Dialect::cuda), architecture);
      EXPECT_EQ(compilation.complaint, "") << text;
      if (!bounds_hold()) continue;
      EXPECT_LE(compilation.registers * ((plan::group_items(stage->shape) + 31) / 32 * 32), 65536U) << text;
      EXPECT_LE(compilation.spilled, doubles ? 8 : 0) << text << ' ' << architecture;
    }
  }
}

// Both stages in one launch, as many groups side by side as the plan says: of long lines, of planes, and of images,
// some by choices that no plan makes.
TEST(NvrtcStages, JoinedStagesCompileAndSpillNothing) {
  const auto targets = architectures();
  ASSERT_FALSE(targets.empty());
  if (targets.back() < 90) GTEST_SKIP() << "this compiler knows no bulk copies";
  DeviceLimits limits = plan::named_limits("nvidia-cuda");
  limits.level2_cache = std::size_t{50} << 20;  // an H100's, beside which all of them are one launch
  std::vector<std::pair<std::string, plan::Program>> programs;
  const std::vector<std::pair<std::string, plan::ImageChoice>> images{
      {"r2c:f32:19*1024x1024:inplace", {{{8, 8, 8}, 64, 4}, {{32, 32}, 32, 8}, 128, 2}},
      {"c2r:f32:74*512x512:inplace", {{{16, 32}, 16, 16}, {{16, 16}, 16, 16}, 128, 2}}};
  for (const auto& [text, choice] : images) programs.emplace_back(text, test::joined_images(text.c_str(), choice));
  for (const std::string& text : test::problems_in_one_launch())
    programs.emplace_back(text, test::program_of(text, limits));
  std::size_t compilations = 0;
  for (const auto& [text, program] : programs) {
    ASSERT_TRUE(program.joined || program.planes) << text;
    const kernel::KernelSource source = kernel::two_stage_kernel(program, kernel::Dialect::cuda);
    for (const int architecture : targets) {
      if (architecture < 90 || !test::is_sampled(compilations++, 7)) continue;
      const Compilation compilation = compile(source, architecture);
      EXPECT_EQ(compilation.complaint, "") << text;
      if (!bounds_hold()) continue;
      const std::uint32_t bound = program.stages[0].shape.registers;
      EXPECT_LE(compilation.registers, bound == 0 ? 255 : bound) << text;
      EXPECT_LE(compilation.spilled, architecture == 90 ? 0 : 8) << text << " for architecture " << architecture;
    }
  }
}

TEST(NvrtcStages, ConvolutionsCompile) {
  const auto targets = architectures();
  ASSERT_FALSE(targets.empty());
  for (const auto& named : test::sampled(test::convolution_stages(limits_of(targets.back())), 2)) {
    const kernel::KernelSource source = kernel::stage_kernel(named.stage, kernel::Dialect::cuda);
    EXPECT_EQ(compile(source, targets.back()).complaint, "") << named.name;
  }
}

// Banks of filters as they are planned, with the registers that keep groups side by side: a few words are spilled, in
// shapes that were measured to be the fastest.
void expect_bank_spills_little(std::size_t taps, bool complex, Precision precision) {
  const DeviceLimits limits = plan::named_limits("nvidia-cuda");
  const Convolution convolution{
      .signal_lengths = {1 << 21}, .kernel_lengths = {taps}, .filters = 8, .precision = precision, .complex = complex};
  const auto segment = plan::choose_bank_segment(taps - 1, convolution.filters, plan::limits_for(limits, precision));
  ASSERT_TRUE(segment);
  const plan::BankPrograms programs = plan::lower_bank(convolution, {segment->length, segment->radices});
  for (const plan::Program& program : {programs.prepare, programs.apply}) {
    plan::Stage stage = program.stages.at(0);
    stage.shape = plan::choose_shape(stage, limits);
    const kernel::KernelSource source = kernel::stage_kernel(stage, kernel::Dialect::cuda);
    for (const int architecture : {90, architectures().back()}) {
      const Compilation compilation = compile(source, architecture);
      EXPECT_EQ(compilation.complaint, "") << to_string(stage);
      if (!bounds_hold()) continue;
      EXPECT_LE(compilation.registers, 184) << to_string(stage);
      EXPECT_LE(compilation.spilled, 16 * plan::scalar_bytes(precision)) << to_string(stage);
    }
  }
}

TEST(NvrtcStages, BanksCompileAndSpillLittle) {
  ASSERT_FALSE(architectures().empty());
  for (const std::size_t taps : {65u, 1025u}) {
    for (const bool complex : {true, false}) expect_bank_spills_little(taps, complex, Precision::float32);
  }
}

// By the registers of single precision they spilled 1064 bytes.
TEST(NvrtcStages, BanksOfDoublesSpillLittle) {
  ASSERT_FALSE(architectures().empty());
  expect_bank_spills_little(65, true, Precision::float64);
}

// Functions of the user's of neighbouring results: of pairs of real ones, and of many complex ones.
TEST(NvrtcStages, BanksWithHooksOnNeighboursCompile) {
  const auto targets = architectures();
  ASSERT_FALSE(targets.empty());
  for (const bool complex : {true, false}) {
    const Convolution convolution{.signal_lengths = {5000},
                                  .kernel_lengths = {65},
                                  .filters = 8,
                                  .complex = complex,
                                  .store_hook = test::neighbour_hook(2, complex ? 30 : 2)};
    plan::Stage stage = plan::lower_bank(convolution, {1024, {32, 32}}).apply.stages.at(0);
    stage.shape = plan::choose_shape(stage, limits_of(targets.back()));
    EXPECT_EQ(compile(kernel::stage_kernel(stage, kernel::Dialect::cuda), targets.back()).complaint, "");
  }
}

TEST(NvrtcStages, SumsCompile) {
  const auto expect_compiles = [target = architectures().back()](const plan::BankPrograms& programs) {
    plan::Stage stage = programs.apply.stages.at(0);
    stage.shape = plan::choose_shape(stage, limits_of(target));
    const Compilation result = compile(kernel::stage_kernel(stage, kernel::Dialect::cuda), target);
    EXPECT_TRUE(result.complaint.empty() && (!bounds_hold() || result.spilled == 0)) << result.complaint;
  };
  for (const bool complex : {true, false}) {
    Convolution picture{.signal_lengths = {500, 600}, .kernel_lengths = {9, 9}, .complex = complex};
    if (!complex) picture.precision = Precision::float64;
    for (const bool separable : {false, true}) expect_compiles(plan::lower_sums(picture, separable));
  }
}

TEST(NvrtcStages, SumsInsteadOfResultsThatAreNotFiniteCompile) {
  const run::WholeGeometry geometry({.signal_lengths = {1000, 1000}, .kernel_lengths = {5, 7}}, {1008, 1008}, 0);
  const Transform transform = geometry.result_transforms().back();
  const DeviceLimits limits = limits_of(architectures().back());
  plan::Stage stage = plan::lower(plan::make_recipe(transform, limits), transform, Direction::inverse,
                                  plan::Placement::out_of_place, limits)
                          .stages.back();
  stage.repair = plan::Repair{std::make_shared<const Hook>(run::sum_hook(geometry)), true};
  EXPECT_EQ(compile(kernel::stage_kernel(stage, kernel::Dialect::cuda), architectures().back()).complaint, "");
}

std::vector<Transform> problems() {
  std::vector<Transform> all;
  for (const std::size_t length :
       {2,    3,    4,     5,     6,     7,     8,      9,     10,      11,      12,     13,   15,   16,
        25,   30,   32,    35,    47,    60,    64,     91,    97,      100,     120,    121,  128,  169,
        243,  256,  343,   360,   512,   625,   1000,   1001,  1024,    1080,    1920,   2048, 3000, 4096,
        5000, 8192, 10000, 16384, 30030, 65536, 100000, 10007, 1 << 18, 1 << 20, 1 << 24}) {
    all.push_back({.lengths = {length}});
  }
  all.push_back({.lengths = {64, 64}});
  all.push_back({.lengths = {1080, 1920}});
  all.push_back({.lengths = {15, 28}, .batch = 3});
  all.push_back({.lengths = {4096, 4096}});
  all.push_back({.lengths = {30, 35, 39}});
  all.push_back({.lengths = {6, 20, 9}, .axes = {1}});
  all.push_back({.lengths = {16, 16, 16, 16}, .normalization = Normalization::ortho});
  for (const char* text : {"c2c:f64:8", "c2c:f64:1000", "c2c:f64:65536", "c2c:f64:10007", "c2c:f16:3*360", "r2c:f32:16",
                           "r2c:f32:1000", "r2c:f64:4096", "r2c:f32:65536", "r2c:f32:1001", "r2c:f32:8*59049",
                           "r2c:f32:2*10007", "dct2:f64:100", "dst3:f32:31", "dct4:f16:64", "dht:f32:8192",
                           "c2c:f32:4*100x60:in=-120,-2/batch=13000/offset=12999:nonzero=50,40", "c2c:f32:1000*256"})
    all.push_back(parse_problem(text).transform);
  for (const char* text : {"r2c:f32:8191*16384", "r2c:f32:2164802*61", "c2c:f32:67176*999", "c2c:f64:75573*444",
                           "c2c:f32:43", "dct2:f32:41", "c2c:f32:390167*43"})
    all.push_back(parse_problem(text).transform);
  return all;
}

// Two hundred together with those above.
std::vector<Transform> more_problems() {
  std::vector<Transform> all;
  for (const std::size_t length :
       {14,   18,   20,   21,   24,   27,   28,   31,   36,   40,   45,    49,    50,    63,    75,
        61,   81,   90,   125,  126,  144,  150,  180,  192,  200,  210,   225,   240,   250,   300,
        320,  384,  400,  420,  480,  500,  504,  540,  600,  640,  720,   729,   750,   768,   800,
        840,  900,  960,  1009, 1200, 1280, 1331, 1440, 1536, 1600, 1800,  2000,  2187,  2197,  2401,
        2500, 2520, 3072, 3125, 3600, 4000, 4099, 6000, 6561, 7680, 12000, 15625, 16807, 19683, 32768}) {
    all.push_back({.lengths = {length}});
  }
  for (const std::size_t length : {5,    6,    10,   12,   15,   30,   60,    64,    100,   120,   128,   243,  256,
                                   360,  500,  512,  625,  720,  1009, 1024,  1080,  1200,  1920,  2000,  2048, 3000,
                                   3600, 4000, 4096, 5000, 6000, 8192, 10000, 12000, 16384, 30000, 100000}) {
    all.push_back({.lengths = {length}, .kind = Kind::r2c});
  }
  for (const std::size_t length :
       {16, 37, 100, 128, 243, 296, 500, 1024, 1025, 1920, 2048, 4096, 5000, 8192, 10000, 16384}) {
    all.push_back({.lengths = {length}, .precision = Precision::float64});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Plans, Nvrtc, testing::ValuesIn(problems()), test::transform_name);
INSTANTIATE_TEST_SUITE_P(LongPlans, Nvrtc, testing::ValuesIn(more_problems()), test::transform_name);
INSTANTIATE_TEST_SUITE_P(LongPlans, NvrtcInverse, testing::ValuesIn(problems()), test::transform_name);
INSTANTIATE_TEST_SUITE_P(LongMorePlans, NvrtcInverse, testing::ValuesIn(more_problems()), test::transform_name);

}  // namespace
}  // namespace twiddle
