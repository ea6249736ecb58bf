// The kernels of stages: golden files of one of each kind, and what the values around the text promise.
#include <gtest/gtest.h>

#include <map>
#include <regex>

#include "kernel/kernel_source.hpp"
#include "kernel/prefetch_stages.hpp"
#include "plan/convolution/lower_bank.hpp"
#include "plan/convolution/lower_sums.hpp"
#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/shape/shape.hpp"
#include "support/golden.hpp"
#include "support/stage_list.hpp"
#include "twiddle/error.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::kernel {
namespace {

plan::Program program(const char* limits_name, const Transform& transform, Direction direction = Direction::forward) {
  const DeviceLimits limits = plan::named_limits(limits_name);
  return plan::lower(plan::make_recipe(transform, limits), transform, direction, plan::Placement::out_of_place, limits);
}

struct Golden {
  const char* name;
  const char* limits;
  std::vector<std::size_t> lengths;
  std::size_t stage;
  Direction direction = Direction::forward;
};

// Rows on chip, tiles of columns with twiddles, rows written transposed, short runs through local memory, one radix
// through global memory, a chirp folded into loads and stores.
const Golden goldens[] = {
    {"rows_96", "nvidia-opencl", {96}, 0},
    {"columns_32768", "small", {32768}, 0},
    {"transposed_32768", "small", {32768}, 2, Direction::inverse},
    {"run_8", "nvidia-opencl", {8}, 0},
    {"staged_60", "mali", {60}, 1},
    {"bluestein_53", "mali", {53}, 0},
};

void expect_golden(const std::string& text, const std::string& name) {
  test::expect_golden(text, std::string(TWIDDLE_GOLDEN_FOLDER) + "/stage_" + name);
}

TEST(StageKernel, EqualsTheGoldenFiles) {
  for (const Golden& golden : goldens) {
    const auto stages = program(golden.limits, {.lengths = golden.lengths, .batch = 3}, golden.direction).stages;
    ASSERT_LT(golden.stage, stages.size()) << golden.name;
    for (const auto& [dialect, extension] : {std::pair{Dialect::opencl, ".cl"}, std::pair{Dialect::cuda, ".cu"}}) {
      expect_golden(stage_kernel(stages[golden.stage], dialect).text, std::string(golden.name) + extension);
    }
  }
}

// A line that eight groups share, and lines that are fetched ahead.
TEST(StageKernel, OfCudaAloneEqualTheGoldenFiles) {
  const plan::Stage cluster = program("nvidia-cuda", {.lengths = {16384}, .batch = 3}).stages.at(0);
  expect_golden(stage_kernel(cluster, Dialect::cuda).text, "cluster_16384.cu");
  expect_golden(stage_kernel(test::prefetch_stages().at(0), Dialect::cuda).text, "prefetch_64.cu");
}

// Stages that plans only have with other stages around them.
TEST(StageKernel, OfEveryKindEqualTheGoldenFiles) {
  for (const test::NamedStage& named : test::stages_of_every_kind(plan::named_limits("nvidia-opencl"))) {
    const std::map<std::string, std::string> chosen{{"PlanarHalves", "planar_halves"},
                                                    {"RealRowsShort", "real_rows_short"},
                                                    {"TwoSpectra", "two_spectra"},
                                                    {"SharedRealLines", "shared_real_lines"},
                                                    {"SharedRealLinesBack", "shared_real_lines_back"},
                                                    {"TwoSpectraBack", "two_spectra_back"},
                                                    {"SpectraApart", "spectra_apart"},
                                                    {"MirroredRows", "mirrored_rows"},
                                                    {"MirroredRowsBack", "mirrored_rows_back"},
                                                    {"OddColumns", "odd_columns"},
                                                    {"OddRows", "odd_rows"},
                                                    {"MappedColumns", "mapped_columns"},
                                                    {"MapByTable", "map_by_table"}};
    const auto file = chosen.find(named.name);
    if (file == chosen.end()) continue;
    for (const auto& [dialect, extension] : {std::pair{Dialect::opencl, ".cl"}, std::pair{Dialect::cuda, ".cu"}}) {
      expect_golden(stage_kernel(named.stage, dialect).text, file->second + extension);
    }
  }
}

// Rader's of rows, in the order of the line through local memory, and of rows to columns in the other direction;
// Bluestein's of reals to half a spectrum.
TEST(StageKernel, OfConvolutionsEqualTheGoldenFiles) {
  const std::map<std::string, std::string> chosen{
      {"Rader17", "rader_17"}, {"Rader31Transposed", "rader_31_transposed"}, {"Bluestein9Reals", "bluestein_9_reals"}};
  std::size_t found = 0;
  for (const test::NamedStage& named : test::convolution_stages(plan::named_limits("nvidia-opencl"))) {
    const auto file = chosen.find(named.name);
    if (file == chosen.end()) continue;
    ++found;
    for (const auto& [dialect, extension] : {std::pair{Dialect::opencl, ".cl"}, std::pair{Dialect::cuda, ".cu"}}) {
      expect_golden(stage_kernel(named.stage, dialect).text, file->second + extension);
    }
  }
  EXPECT_EQ(found, chosen.size());
}

// A bank of filters over real signals in pairs with a function of neighbours, its spectra, the largest power over the
// filters of a complex signal that goes on periodically, and the user's own function of neighbouring powers.
TEST(StageKernel, OfBanksEqualTheGoldenFiles) {
  const auto expect_bank = [](const twiddle::Convolution& convolution, const char* name, bool spectra = true) {
    const plan::BankPrograms programs = plan::lower_bank(convolution, {64, {8, 8}});
    for (const auto& [dialect, extension] : {std::pair{Dialect::opencl, ".cl"}, std::pair{Dialect::cuda, ".cu"}}) {
      for (const auto& [program, prefix] :
           {std::pair{programs.prepare, "spectra_"}, std::pair{programs.apply, "bank_"}}) {
        plan::Stage stage = program.stages.at(0);
        if (!spectra && stage.bank->kind == plan::FilterBank::Kind::spectra) continue;
        stage.shape = plan::choose_shape(stage, plan::named_limits("nvidia-cuda"));
        expect_golden(stage_kernel(stage, dialect).text, std::string(prefix) + name + extension);
      }
    }
  };
  twiddle::Convolution real{.signal_lengths = {1000}, .kernel_lengths = {20}, .filters = 3};
  real.post.function = PostProcessing::Function::derivative;
  expect_bank(real, "real_derivative");
  twiddle::Convolution complex{.signal_lengths = {1000}, .kernel_lengths = {20}, .filters = 3, .complex = true};
  complex.boundary = Boundary::periodic;
  complex.post = {PostProcessing::Function::power, true, 1};
  expect_bank(complex, "largest_power");
  Hook peaks;
  peaks.left = peaks.right = 1;
  peaks.source = "if (neighbours[-1].x > value.x || neighbours[1].x > value.x) value.x = 0;";
  complex.post = {PostProcessing::Function::power, false, 1};
  complex.store_hook = std::make_shared<const Hook>(peaks);
  expect_bank(complex, "peaks_of_power", false);
}

// Direct sums of complex pictures, with the remainder of the lines that items have; and columns and rows of real ones.
TEST(StageKernel, OfSumsEqualTheGoldenFiles) {
  twiddle::Convolution convolution{
      .signal_lengths = {31, 500}, .kernel_lengths = {3, 5}, .filters = 2, .complex = true};
  for (const bool separable : {false, true}) {
    convolution.complex = !separable;
    if (separable) convolution.boundary = Boundary::reflect;
    plan::Stage stage = plan::lower_sums(convolution, separable).apply.stages.at(0);
    stage.shape = plan::choose_shape(stage, plan::named_limits("nvidia-cuda"));
    for (const auto& [dialect, extension] : {std::pair{Dialect::opencl, ".cl"}, std::pair{Dialect::cuda, ".cu"}}) {
      const std::string name = separable ? "sums_of_columns_and_rows" : "sums_of_pictures";
      expect_golden(stage_kernel(stage, dialect).text, name + extension);
    }
  }
}

TEST(StageKernel, ThatRepairsEqualsTheGoldenFiles) {
  const auto hook = std::make_shared<const Hook>(Hook{.source = "value = spectra[index];"});
  for (const auto& [dialect, extension] : {std::pair{Dialect::opencl, ".cl"}, std::pair{Dialect::cuda, ".cu"}}) {
    for (const Kind kind : {Kind::c2c, Kind::r2c}) {
      plan::Stage stage =
          program("nvidia-opencl", {.lengths = {96}, .batch = 3, .kind = kind}, Direction::inverse).stages.back();
      stage.repair = plan::Repair{hook, kind == Kind::r2c};
      const std::string text = stage_kernel(stage, dialect).text;
      EXPECT_EQ(text.find(".x, made_anew(2 * index + 1, ") != std::string::npos, kind == Kind::r2c);
      if (kind == Kind::c2c) expect_golden(text, std::string("repairing") + extension);
    }
  }
}

TEST(StageKernel, TextDoesNotDependOnTheBatch) {
  for (const std::size_t length : {8u, 96u, 1000u, 4096u}) {
    const auto few = program("nvidia-opencl", {.lengths = {length}, .batch = 500}).stages;
    const auto many = program("nvidia-opencl", {.lengths = {length}, .batch = 700}).stages;
    ASSERT_EQ(few.size(), many.size());
    for (std::size_t i = 0; i < few.size(); ++i) {
      const KernelSource a = stage_kernel(few[i], Dialect::opencl);
      const KernelSource b = stage_kernel(many[i], Dialect::opencl);
      EXPECT_EQ(a.text, b.text) << length;
      EXPECT_EQ(a.constants, b.constants) << length;
      EXPECT_LT(a.groups, b.groups) << length;
    }
  }
}

TEST(StageKernel, GroupsCoverEveryTransformOnce) {
  for (const char* limits : {"nvidia-opencl", "small", "mali"}) {
    for (const plan::Stage& stage : program(limits, {.lengths = {30, 96}, .batch = 7}).stages) {
      const KernelSource source = stage_kernel(stage, Dialect::opencl);
      const std::uint64_t taken = source.groups * stage.shape.transforms_per_group;
      EXPECT_EQ(source.transforms, plan::transform_count(stage));
      EXPECT_GE(taken, source.transforms);
      EXPECT_LT(taken - source.transforms, stage.shape.transforms_per_group);
      EXPECT_FALSE(source.constants.empty());
    }
  }
}

// 16 points in rows that many elements apart.
plan::Stage rows(std::uint64_t count, std::int64_t stride) {
  plan::Stage stage;
  stage.length = 16;
  stage.radices = {16};
  stage.loops = {{count, stride, stride}};
  stage.shape.transforms_per_group = 64;
  stage.shape.load = stage.shape.store = plan::KernelShape::Lanes::transforms;
  return stage;
}

bool contains(const plan::Stage& stage, const std::string& words, Dialect dialect = Dialect::opencl) {
  return stage_kernel(stage, dialect).text.find(words) != std::string::npos;
}

TEST(StageKernel, OffsetsBeyondThirtyTwoBitsMovePointers) {
  plan::Stage stage = rows(10, 16);
  stage.input_offset = 5'000'000'000;
  stage.output_storage.form = plan::Storage::Form::planar;
  stage.output_storage.imaginary_offset = 6'000'000'000;
  EXPECT_FALSE(stage_kernel(stage, Dialect::opencl).wide_index);  // distances from there are short
  EXPECT_TRUE(contains(stage, "input + 5000000000 + ("));
  EXPECT_TRUE(contains(stage, "data + (6000000000)"));
}

TEST(StageKernel, DistancesBackwardsHaveASignOfTheRightWidth) {
  plan::Stage stage = rows(10, -16);
  stage.input_offset = stage.output_offset = 200;
  EXPECT_TRUE(contains(stage, "#define TW_OFFSET int\n"));
  EXPECT_TRUE(contains(stage, "input + 200 + ((TW_OFFSET)("));
  stage = rows(std::uint64_t{1} << 28, -16);
  EXPECT_TRUE(contains(stage, "#define TW_OFFSET long\n"));
  EXPECT_TRUE(contains(stage, "#define TW_OFFSET long long\n", Dialect::cuda));
  EXPECT_FALSE(contains(rows(10, 16), "TW_OFFSET"));
}

TEST(StageKernel, CountsElementsOfMapsAndScalarsOfRealsWithSixtyFourBits) {
  using Rule = plan::LineMap::Rule;
  plan::Stage map;
  map.length = 1 << 16;
  map.load_map = plan::LineMap{Rule::dct2_load, 1 << 16, 1 << 16, 1 << 16};
  map.loops = {{1 << 14, 1 << 16, 1 << 16}};
  map.shape.transforms_per_group = 128;
  EXPECT_FALSE(stage_kernel(map, Dialect::opencl).wide_index);
  EXPECT_EQ(stage_kernel(map, Dialect::opencl).transforms, std::uint64_t{1} << 30);
  map.loops[0].count = 1 << 15;
  EXPECT_TRUE(stage_kernel(map, Dialect::opencl).wide_index);
  EXPECT_EQ(stage_kernel(map, Dialect::opencl).groups, std::uint64_t{1} << 24);

  plan::Stage mapped = rows(1 << 20, 16);  // the map reads further than the transform is long
  mapped.load_map = plan::LineMap{Rule::c2r_load, 32, 17, 16};
  mapped.input_stride = 1 << 20;
  mapped.loops[0].input_stride = 1;
  EXPECT_FALSE(stage_kernel(mapped, Dialect::opencl).wide_index);
  mapped.input_stride = (1 << 27) - 1;
  EXPECT_TRUE(stage_kernel(mapped, Dialect::opencl).wide_index);

  plan::Stage reals = rows((std::uint64_t{1} << 26) + 1, 32);
  reals.input_storage.form = plan::Storage::Form::real;
  EXPECT_TRUE(stage_kernel(reals, Dialect::opencl).wide_index);

  plan::Stage bounded = rows(10, 16);
  bounded.load_bound = plan::Bound{std::uint64_t{1} << 33, 1, {std::int64_t{1} << 30}};
  EXPECT_TRUE(stage_kernel(bounded, Dialect::opencl).wide_index);
}

// Neither loads nor tables nor the exchange are read behind a branch: compilers fetch nothing ahead of one.
TEST(StageKernel, IdleItemsReadAsWellButDoNotWrite) {
  plan::Stage stage;
  stage.length = 40;
  stage.radices = {10, 4};
  stage.loops = {{10, 40, 40}};
  stage.shape.items_per_transform = 8;
  stage.shape.exchange = plan::KernelShape::Exchange::complex;
  for (const Dialect dialect : {Dialect::opencl, Dialect::cuda}) {
    const std::string text = stage_kernel(stage, dialect).text;
    EXPECT_NE(text.find("const TW_UINT b = lane < 4 ? lane : 3;"), std::string::npos);
    EXPECT_NE(text.find("const TW_UINT b = lane + m * 8 < 10 ? lane + m * 8 : 9;"), std::string::npos);
    std::size_t guards = 0;
    for (std::size_t at = text.find("if (b < "); at != std::string::npos; at = text.find("if (b < ", at + 1)) {
      ++guards;
      EXPECT_FALSE(std::regex_search(text.substr(at, text.find('}', at) - at), std::regex("= exchange|first|roots")));
    }
    EXPECT_EQ(guards, 2u);  // the exchange is written, and the output
  }
}

plan::Stage bluestein(std::uint64_t length, std::vector<unsigned> radices, std::uint64_t points) {
  plan::Stage stage = rows(10, static_cast<std::int64_t>(length));
  stage.length = length;
  stage.radices = std::move(radices);
  stage.convolution = plan::Convolution{plan::Convolution::Algorithm::bluestein, points};
  stage.shape.exchange = plan::KernelShape::Exchange::complex;
  return stage;
}

// Of 64 points 30 are there: the first of four rows of 16 whole, the second for all but two items.
TEST(StageKernel, ConvolutionsReadNothingBeyondTheLine) {
  const std::string text = stage_kernel(bluestein(30, {4, 16}, 64), Dialect::opencl).text;
  const std::string load = text.substr(text.find("// load"), text.find("// radix") - text.find("// load"));
  EXPECT_NE(load.find("for (TW_UINT k = 0; k < 1; ++k)"), std::string::npos);
  EXPECT_NE(load.find("const TW_UINT element = point < 30 ? point : 29;"), std::string::npos);
  EXPECT_EQ(load.find("if ("), std::string::npos);
  EXPECT_NE(load.find("for (TW_UINT k = 2; k < 4; ++k)"), std::string::npos);
  EXPECT_EQ(text.find("v[m * 16 + j]", text.find("// store")), std::string::npos);  // the radices come back reversed
}

// The passes back mirror those there: two exchanges more for each radix more, and no twiddles of their own.
TEST(StageKernel, ConvolutionsTurnRoundInRegisters) {
  const auto barriers = [](const plan::Stage& stage) {
    const std::string text = stage_kernel(stage, Dialect::opencl).text;
    std::size_t count = 0;
    for (std::size_t at = text.find("TW_BARRIER();"); at != std::string::npos;
         at = text.find("TW_BARRIER();", at + 1)) {
      ++count;
    }
    return count;
  };
  EXPECT_EQ(barriers(bluestein(30, {4, 16}, 64)), 3u);  // write, read, written again
  EXPECT_EQ(barriers(bluestein(30, {4, 4, 4}, 64)), 7u);
  const std::size_t elements = stage_kernel(bluestein(30, {4, 16}, 64), Dialect::opencl).constants.size() / 8;
  EXPECT_EQ(elements, 3u * 16 + 64 + 30);
}

TEST(StageKernel, ConvolutionsInRoundsAreUnsupported) {
  plan::Stage stage = bluestein(30, {4, 16}, 64);
  stage.shape.exchange_rounds = 2;
  EXPECT_THROW((void)stage_kernel(stage, Dialect::opencl), Unsupported);
  stage.shape.exchange_rounds = 1;
  stage.shape.stage_through_local = true;
  try {
    (void)stage_kernel(stage, Dialect::opencl);
    FAIL() << "accepted";
  } catch (const Unsupported& error) {
    EXPECT_NE(std::string(error.what()).find("64 points"), std::string::npos) << error.what();
  }
}

TEST(StageKernel, LimitsOfRegistersLeaveTheSizeOfAGroupToTheLaunch) {
  plan::Stage stage = rows(10, 16);
  EXPECT_TRUE(contains(stage, "reqd_work_group_size"));
  EXPECT_EQ(stage_kernel(stage, Dialect::opencl).registers, 0u);
  stage.shape.registers = 96;
  EXPECT_FALSE(contains(stage, "reqd_work_group_size"));
  EXPECT_EQ(stage_kernel(stage, Dialect::opencl).registers, 96u);
  EXPECT_TRUE(contains(stage, "__launch_bounds__", Dialect::cuda));
  EXPECT_TRUE(contains(stage, "TW_KERNEL(64, 10)", Dialect::cuda));
}

TEST(StageKernel, TurnsBeyondThirtyTwoBitsAreWide) {
  plan::Stage stage = rows(1 << 20, 16);
  stage.twiddle = plan::StageTwiddle{16 << 20, 0, false};
  EXPECT_TRUE(contains(stage, "const TW_UINT turn"));
  stage.loops[0].count = std::uint64_t{1} << 30;
  stage.twiddle->modulus = std::uint64_t{16} << 30;
  EXPECT_TRUE(contains(stage, "const TW_WIDE turn"));
}

TEST(StageKernel, TablesAndLocalMemoryFollowThePrecision) {
  plan::Stage stage = program("nvidia-opencl", {.lengths = {96}, .batch = 3}).stages.front();
  const KernelSource single = stage_kernel(stage, Dialect::opencl);
  stage.precision = stage.input_storage.precision = stage.output_storage.precision = Precision::float64;
  const KernelSource twice = stage_kernel(stage, Dialect::opencl);
  EXPECT_EQ(twice.constants.size(), 2 * single.constants.size());
  EXPECT_EQ(twice.local_memory, 2 * single.local_memory);
  EXPECT_EQ(twice.text.rfind("// ", 0), 0u);
  EXPECT_NE(twice.text.find("cl_khr_fp64 : enable"), std::string::npos);
  EXPECT_EQ(twice.text.find("float"), std::string::npos);
  EXPECT_FALSE(std::regex_search(twice.text, std::regex("[0-9]f[^a-z0-9]")));  // no constant of single precision
}

// What planning believes to fit does, with the padding and the pitch that the kernel adds.
TEST(StageKernel, MapsBehindTransformsFitLocalMemory) {
  for (const char* name : {"nvidia-opencl", "nvidia-cuda", "small"}) {
    for (const Precision precision : {Precision::float32, Precision::float64}) {
      const DeviceLimits limits = plan::limits_for(plan::named_limits(name), precision);
      std::size_t held = 0;
      for (const std::uint64_t half :
           {1, 2, 3, 7, 16, 31, 32, 60, 100, 512, 1000, 1024, 2048, 3000, 4096, 6000, 6144, 8192}) {
        const auto choice = plan::choose_radices(half, 1, limits);
        if (!choice || half == 1) continue;
        plan::Stage stage;
        stage.precision = stage.input_storage.precision = stage.output_storage.precision = precision;
        stage.length = half;
        stage.radices = choice->radices;
        stage.store_map = plan::LineMap{plan::LineMap::Rule::r2c_store, 2 * half, half, half + 1};
        for (const bool rows : {true, false}) {
          stage.input_stride = stage.output_stride = rows ? 1 : 50;
          stage.loops = {{50, rows ? 10000 : 1, rows ? 10000 : 1}};
          if (!plan::holds_store_map(stage, limits)) continue;
          stage.shape = plan::choose_shape(stage, limits);
          const KernelSource source = stage_kernel(stage, Dialect::opencl);
          EXPECT_LE(source.local_memory, plan::named_limits(name).local_memory) << name << " " << half;
          EXPECT_LE(source.group_size, limits.max_group_size) << name << " " << half;
          ++held;
        }
      }
      EXPECT_GT(held, 10u) << name;
    }
  }
}

}  // namespace
}  // namespace twiddle::kernel
