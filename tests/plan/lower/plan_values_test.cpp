// The values of planning: checks of transforms, roots of unity, recipes and buffers for several devices.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/numbers/tables.hpp"
#include "plan/recipe/host_radices.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/recipe/recipe.hpp"
#include "twiddle/error.hpp"

namespace twiddle::plan {
namespace {

std::string message_of(const Transform& transform) {
  try {
    validate(transform);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(Transform, RefusesWhatCannotBeComputedAndSaysWhy) {
  EXPECT_NE(message_of({.lengths = {}}).find("at least one length"), std::string::npos);
  EXPECT_NE(message_of({.lengths = {4, 0, 3}}).find("axis 1 of 4x0x3 has length 0"), std::string::npos);
  EXPECT_NE(message_of({.lengths = {4}, .batch = 0}).find("batch must be at least 1, got 0"), std::string::npos);
  EXPECT_NE(message_of({.lengths = {4, 5}, .axes = {2}}).find("axis 2 does not exist"), std::string::npos);
  EXPECT_NE(message_of({.lengths = {4, 5}, .axes = {1, 0, 1}}).find("axis 1 is named twice"), std::string::npos);
  const std::size_t huge = std::numeric_limits<std::size_t>::max() / 2;
  EXPECT_NE(message_of({.lengths = {huge, 8}}).find("cannot be addressed"), std::string::npos);
  EXPECT_EQ(message_of({.lengths = {1, 7}, .axes = {0}, .batch = 3}), "");
}

TEST(Transform, ScalesAsTheNormalizationSays) {
  const Transform transform{.lengths = {4, 9, 5}, .axes = {0, 1}};
  EXPECT_EQ(scale_factor(transform, Direction::forward), 1.0);
  EXPECT_EQ(scale_factor(transform, Direction::inverse), 1.0L / 36);
  EXPECT_EQ(scale_factor({{4, 9}, {}, 1, Normalization::ortho}, Direction::forward), 1.0L / 6);
  EXPECT_EQ(scale_factor({{4, 9}, {}, 1, Normalization::forward}, Direction::inverse), 1.0);
  EXPECT_EQ(scale_factor({{4, 9}, {}, 1, Normalization::none}, Direction::inverse), 1.0);
  EXPECT_EQ(to_string(transform), "c2c:f32:4x9x5:axes=0,1");
}

TEST(Tables, RootsAreExactOnTheAxesAndCloseElsewhere) {
  EXPECT_EQ(root_of_unity(0, 7), std::complex<long double>(1, 0));
  EXPECT_EQ(root_of_unity(2, 8), std::complex<long double>(0, -1));
  EXPECT_EQ(root_of_unity(4, 8), std::complex<long double>(-1, 0));
  EXPECT_EQ(root_of_unity(6, 8), std::complex<long double>(0, 1));
  for (const std::uint64_t n : {3u, 8u, 100u, 1009u}) {
    for (std::uint64_t k = 0; k < 2 * n; ++k) {
      const long double angle = -2 * std::acos(-1.0L) * static_cast<long double>(k % n) / static_cast<long double>(n);
      EXPECT_LT(std::abs(root_of_unity(k, n) - std::polar(1.0L, angle)), 1e-18L) << k << " of " << n;
    }
  }
}

TEST(Recipe, IsMadeQuicklyForEnormousLengths) {
  // Counting through all numbers up to the length would take minutes.
  for (const std::size_t length : {std::size_t{10000000000}, std::size_t{10000000019}}) {
    const Recipe recipe = make_recipe({.lengths = {length}}, named_limits("nvidia-opencl"));
    ASSERT_EQ(recipe.axes.size(), 1U);
    EXPECT_EQ(recipe.axes[0].line.length, length);
  }
}

TEST(Tables, RootsOfUnityInNumbersAreWithinARoundingOfTheNearest) {
  for (const std::uint64_t n : {1U, 2U, 3U, 7U, 8U, 60U, 1000U, 4096U, 65537U, 1000003U}) {
    const RootsOfUnity roots(n);
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(n, 5000); ++i) {
      const std::uint64_t k = i * 7919 % (2 * n);  // beyond one turn too
      const std::complex<long double> difference = roots(k) - root_of_unity(k, n);
      ASSERT_LT(std::abs(difference), 3 * std::numeric_limits<long double>::epsilon()) << k << " of " << n;
    }
    if (n % 4 == 0) {
      EXPECT_EQ(roots(n / 4), std::complex<long double>(0, -1));
    }
  }
}

TEST(Recipe, FollowsTheDeviceLimits) {
  const auto line = [](std::size_t length, const char* limits) {
    return to_string(make_recipe({.lengths = {length}}, named_limits(limits)).axes.front().line);
  };
  EXPECT_EQ(line(4096, "nvidia-opencl"), "4096 = 16.16.16");
  EXPECT_EQ(line(1000, "mali"), "1000 = 10|10|10 staged");
  EXPECT_EQ(line(65536, "nvidia-opencl"), "65536 = [256 = 16.16] x [256 = 16.16]");
  EXPECT_NE(line(65536, "small").find(" x ["), std::string::npos);
  EXPECT_EQ(line(1009, "nvidia-opencl").substr(0, 19), "1009 = Rader 1008 =");
  EXPECT_EQ(line(1019, "nvidia-opencl").substr(0, 16), "1019 = Bluestein");  // 1018 has a large factor too
  EXPECT_EQ(line(1019, "mali").substr(0, 18), "1019 = Bluestein [");         // through memory
  EXPECT_EQ(line(1000003, "nvidia-opencl").substr(0, 21), "1000003 = Bluestein [");
  EXPECT_TRUE(make_recipe({.lengths = {1, 1}}, named_limits("small")).axes.empty());
}

TEST(Recipe, TakesLongLinesApartWhereEachPartFits) {
  const auto line = [](std::size_t length, const char* limits) {
    return to_string(make_recipe({.lengths = {length}}, named_limits(limits)).axes.front().line);
  };
  for (const char* limits : {"nvidia-opencl", "nvidia-cuda", "host"}) {
    const std::string parts = line(1018081, limits);  // 1009^2
    EXPECT_EQ(parts.substr(0, 30), "1018081 = [1009 = Rader 1008 =") << limits;
    EXPECT_NE(parts.find("] x [1009 = Rader 1008 ="), std::string::npos) << limits;
  }
  EXPECT_EQ(line(std::size_t{1009} * 1009 * 509, "nvidia-opencl").find("Bluestein ["), std::string::npos);
}

// As many points as elements that are there and elements that are wanted have differences serve Bluestein's algorithm.
TEST(Recipe, PadsNoFurtherThanWhatIsWantedNeeds) {
  constexpr std::size_t n = 1000003;
  const auto padded = [](const Transform& transform, const char* limits) {
    const Recipe recipe = make_recipe(transform, named_limits(limits));
    return std::get<Bluestein>(recipe.axes.front().line.algorithm).padded->length;
  };
  for (const char* limits : {"nvidia-cuda", "host", "small"}) {
    EXPECT_GE(padded({.lengths = {n}}, limits), 2 * n - 2) << limits;
    EXPECT_GE(padded({.lengths = {n}, .kind = Kind::r2c}, limits), n + n / 2) << limits;
    EXPECT_LT(padded({.lengths = {n}, .kind = Kind::r2c}, limits), 1.6 * n) << limits;
    EXPECT_LT(padded({.lengths = {n}, .kind = Kind::r2c, .output_extents = {1000}}, limits), 1.1 * n) << limits;
    EXPECT_LT(padded({.lengths = {n}, .input_extents = {n / 2}}, limits), 1.6 * n) << limits;
    EXPECT_GE(padded({.lengths = {n}, .kind = Kind::dct2}, limits), n + n / 2) << limits;
    EXPECT_LT(padded({.lengths = {n}, .batch = 2, .kind = Kind::dct3}, limits), 1.6 * n) << limits;
    EXPECT_GE(padded({.lengths = {n}, .kind = Kind::dct1}, limits), 2 * (n - 1) - 2) << limits;
  }
  // Two lines are one complex line, which has both halves of its spectrum.
  const Transform lines{.lengths = {n}, .batch = 2, .kind = Kind::r2c};
  for (const char* limits : {"nvidia-cuda", "host"}) EXPECT_GE(padded(lines, limits), 2 * n - 2) << limits;
  EXPECT_EQ(padded({.lengths = {65537}, .batch = 1023}, "nvidia-cuda"), 131072U);
}

// On chip as well, on the host: reals of prime length forward and back.
TEST(Recipe, PadsNoFurtherOnTheHostsChip) {
  const auto points = [](Kind kind) {
    const Recipe recipe = make_recipe({.lengths = {4099}, .kind = kind}, named_limits("host"));
    return std::get<Convolved>(recipe.axes.front().line.algorithm).convolution.points;
  };
  EXPECT_GE(points(Kind::c2c), 2U * 4099 - 1);
  EXPECT_GE(points(Kind::r2c), 4099U + 4099 / 2);
  EXPECT_LT(points(Kind::r2c), 1.6 * 4099);
}

// Both ways without a map of their own between a spectrum and its half.
TEST(Lower, TakesHalfSpectraThroughBluesteinsStages) {
  const Transform transform{.lengths = {1000003}, .kind = Kind::r2c};
  for (const char* name : {"nvidia-cuda", "host", "mali"}) {
    const DeviceLimits limits = named_limits(name);
    const Recipe recipe = make_recipe(transform, limits);
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      for (const Stage& stage : lower(recipe, transform, direction, Placement::out_of_place, limits).stages) {
        EXPECT_FALSE(stage.load_map || stage.store_map) << to_string(stage) << " for " << name;
      }
    }
  }
}

TEST(Lower, ConvolvesOnChipInOneStage) {
  for (const char* name : {"nvidia-opencl", "small", "host"}) {
    const DeviceLimits limits = named_limits(name);
    for (const Transform& transform :
         {Transform{.lengths = {251}}, Transform{.lengths = {187 * 2}}, Transform{.lengths = {251}, .kind = Kind::r2c},
          Transform{.lengths = {2 * 251}, .kind = Kind::r2c}, Transform{.lengths = {251}, .kind = Kind::dct2}}) {
      for (const Direction direction : {Direction::forward, Direction::inverse}) {
        const Program program =
            lower(make_recipe(transform, limits), transform, direction, Placement::out_of_place, limits);
        ASSERT_EQ(program.stages.size(), 1U) << to_string(transform) << " for " << name;
        EXPECT_EQ(program.scratch_bytes, 0U);
      }
    }
  }
}

// Lines of so many points that they take several stages, out of place: in bytes of their data. Symmetric lines keep
// their edges besides.
// Columns in two slices of the images, of which each goes by way of scratch memory; what rows write is read again.
TEST(Lower, KnowsTheStagesThatWriteResults) {
  const Transform transform{.lengths = {1024, 1024}, .batch = 7};
  const DeviceLimits limits = named_limits("small");
  const Program program = lower(make_recipe(transform, limits), transform, Direction::inverse, Placement::out_of_place,
                                limits, std::uint64_t{32} << 20);
  std::string written;
  for (const Stage& stage : program.stages) {
    written += stage.destination == Operand::output ? stage.ends ? 'R' : 'o' : 's';
    EXPECT_FALSE(stage.ends && stage.destination != Operand::output);
  }
  EXPECT_EQ(written, "sososRsR");
}

TEST(Lower, NeedsLittleScratchForLongRealLines) {
  const auto scratch = [](Kind kind, std::size_t length, const char* limits_name) {
    const Transform transform{.lengths = {length}, .kind = kind};
    const DeviceLimits limits = named_limits(limits_name);
    const Program program =
        lower(make_recipe(transform, limits), transform, Direction::forward, Placement::out_of_place, limits);
    return static_cast<double>(program.scratch_bytes) / static_cast<double>(4 * length);
  };
  for (const char* limits : {"nvidia-cuda", "host"}) {
    EXPECT_NEAR(scratch(Kind::dct1, 1 << 20, limits), 1, 4e-3) << limits;
    EXPECT_NEAR(scratch(Kind::dct1, (1 << 20) + 1, limits), 1, 4e-3) << limits;
    EXPECT_NEAR(scratch(Kind::dst1, (1 << 20) - 1, limits), 1, 4e-3) << limits;
    EXPECT_NEAR(scratch(Kind::dst1, (1 << 20) - 2, limits), 1, 4e-3) << limits;
    EXPECT_NEAR(scratch(Kind::dct2, 1 << 20, limits), 1, 1e-3) << limits;
  }
}

TEST(Shape, LimitsRegistersOnlyAsMeasured) {
  const auto registers = [](std::size_t length, bool real, const char* limits_name) {
    Transform transform{.lengths = {length}, .batch = 100};
    if (real) transform.kind = Kind::r2c;
    const DeviceLimits limits = named_limits(limits_name);
    const Program program =
        lower(make_recipe(transform, limits), transform, Direction::forward, Placement::out_of_place, limits);
    EXPECT_EQ(program.stages.front().radices == std::vector<unsigned>({15, 8, 25}), length == 3000);
    return program.stages.front().shape.registers;
  };
  EXPECT_EQ(registers(3000, false, "nvidia-opencl"), 96u);
  EXPECT_EQ(registers(3000, false, "nvidia-cuda"), 96u);
  EXPECT_EQ(registers(6000, true, "nvidia-cuda"), 0u);  // with more to do at its end
  EXPECT_EQ(registers(500, false, "small"), 0u);
}

// Measured on a card of 132 multiprocessors: whole tiles of one line's parts would leave three quarters of them idle.
TEST(Shape, PartsOfOneLongLineAreSpreadOverMoreGroups) {
  const DeviceLimits limits = named_limits("nvidia-cuda");
  const auto stages = [&](const Transform& transform) {
    return lower(make_recipe(transform, limits), transform, Direction::forward, Placement::in_place, limits).stages;
  };
  for (const Stage& stage : stages({.lengths = {1 << 18}})) {
    EXPECT_EQ(stage.radices, (std::vector<unsigned>{16, 16, 2}));
    EXPECT_EQ(stage.shape.items_per_transform, 32u);
    EXPECT_EQ(stage.shape.transforms_per_group, 4u);
  }
  for (const Stage& stage : stages({.lengths = {1 << 18}, .batch = 64})) {
    EXPECT_EQ(stage.radices, (std::vector<unsigned>{16, 32}));
    EXPECT_EQ(stage.shape.transforms_per_group, 16u);
  }
  EXPECT_EQ(stages({.lengths = {512, 512}}).back().radices, (std::vector<unsigned>{16, 32}));
}

TEST(Radices, MultiplyToTheLengthWithinTheLimits) {
  for (const char* name : {"nvidia-opencl", "small"}) {
    const DeviceLimits limits = named_limits(name);
    for (std::size_t length = 2; length <= 512; ++length) {
      const auto choice = choose_radices(length, 1, limits);
      if (!choice) continue;
      EXPECT_EQ(std::accumulate(choice->radices.begin(), choice->radices.end(), std::size_t{1}, std::multiplies<>()),
                length);
      // More only for a prime butterfly, which takes all of its elements at once.
      const std::size_t prime = prime_factors(length).back();
      EXPECT_LE(choice->elements, std::max<std::size_t>(elements_per_item(limits), prime));
      EXPECT_TRUE(prime <= largest_chip_prime || length == lone_chip_prime) << length;
      EXPECT_LE(choice->items, limits.max_group_size);
    }
  }
}

TEST(Radices, ButterfliesOfDoublesThatSpillGoLast) {
  DeviceLimits limits = plan::named_limits("nvidia-opencl");
  const std::vector<unsigned> first{41, 25};
  const std::vector<unsigned> last{25, 41};
  EXPECT_EQ(plan::choose_radices(1025, 1, limits)->radices, first);
  limits = plan::limits_for(limits, Precision::float64);
  EXPECT_EQ(plan::choose_radices(1025, 1, limits)->radices, last);
}

TEST(HostRadices, PrimesWithoutButterflyHaveRunsOfWholeVectors) {
  // Such a pass fills its lanes from a run; as the first it would have one element to each vector.
  DeviceLimits limits = named_limits("host");
  limits.sub_group_size = 8;
  EXPECT_EQ(host_radices(8 * 109, limits), (std::vector<unsigned>{8, 109}));
  EXPECT_EQ(host_radices(16 * 31, limits), (std::vector<unsigned>{16, 31}));
  EXPECT_EQ(host_radices(127, limits), std::vector<unsigned>{127});
}

TEST(Limits, UnknownNamesListTheKnownOnes) {
  try {
    (void)named_limits("toaster");
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("'toaster'; known are host, nvidia-opencl"), std::string::npos);
  }
}

TEST(Lowering, OutOfPlaceNeverWritesTheInput) {
  for (const char* name : {"host", "nvidia-opencl", "small", "mali"}) {
    const DeviceLimits limits = named_limits(name);
    for (const std::size_t length : {1u, 60u, 1009u, 30000u, 65536u}) {
      const Transform transform{.lengths = {length, 6}};
      const Recipe recipe = make_recipe(transform, limits);
      const Program program = lower(recipe, transform, Direction::forward, Placement::out_of_place, limits);
      ASSERT_FALSE(program.stages.empty());
      EXPECT_EQ(program.stages.front().source, Operand::input);
      EXPECT_EQ(program.stages.back().destination, Operand::output);
      for (const Stage& stage : program.stages) EXPECT_NE(stage.destination, Operand::input) << to_string(stage);
    }
  }
}

std::size_t stages_in_place(const Transform& transform) {
  const DeviceLimits limits = named_limits("nvidia-cuda");
  const Recipe recipe = make_recipe(transform, limits);
  return lower(recipe, transform, Direction::forward, Placement::in_place, limits).stages.size();
}

// A row of reals and the half of its spectrum that is stored begin and end in the same bytes.
TEST(Place, RealRowsOfOddLengthsBecomeTheirSpectraWithoutACopy) {
  EXPECT_EQ(stages_in_place({.lengths = {27}, .batch = 10, .kind = Kind::r2c}), 1U);
  EXPECT_EQ(stages_in_place({.lengths = {6, 27}, .batch = 10, .kind = Kind::r2c}), 2U);
}

// On the host the first stage of a long line stores rows, the second one works where these are.
TEST(Place, LongLinesOnTheHostNeedNoScratch) {
  const DeviceLimits limits = named_limits("host");
  const Transform transform{.lengths = {262144}};
  const Recipe recipe = make_recipe(transform, limits);
  const Program program = lower(recipe, transform, Direction::forward, Placement::out_of_place, limits);
  ASSERT_EQ(program.stages.size(), 2U);
  EXPECT_EQ(program.scratch_bytes, 0U);
  EXPECT_EQ(program.stages[0].output_stride, 1);
  EXPECT_EQ(program.stages[1].source, Operand::output);
}

// Of reals the second stage also makes their spectrum, in either placement.
TEST(Place, LongRealLinesOnTheHostTakeTwoStages) {
  const DeviceLimits limits = named_limits("host");
  const Transform transform{.lengths = {524288}, .kind = Kind::r2c};
  const Recipe recipe = make_recipe(transform, limits);
  for (const Placement placement : {Placement::in_place, Placement::out_of_place}) {
    const Program program = lower(recipe, transform, Direction::forward, placement, limits);
    ASSERT_EQ(program.stages.size(), 2U);
    EXPECT_TRUE(program.stages[1].shared_map);
  }
}

// From memory rows come last, which out of place takes a third array: where the last cache does not hold two.
TEST(Place, LongRealLinesFromMemoryEndWithTheirRows) {
  const DeviceLimits limits = named_limits("host");
  const auto last_of = [&](std::uint64_t batch, Placement placement) {
    const Transform transform{.lengths = {1048576}, .batch = batch, .kind = Kind::r2c};
    Program program = lower(make_recipe(transform, limits), transform, Direction::forward, placement, limits);
    EXPECT_TRUE(program.stages.back().shared_map);
    return program.stages.back();
  };
  for (const Placement placement : {Placement::in_place, Placement::out_of_place}) {
    EXPECT_NE(last_of(1, placement).input_stride, 1);
    EXPECT_EQ(last_of(4, placement).input_stride, 1);
    EXPECT_EQ(last_of(4, placement).source, Operand::scratch);
  }
  EXPECT_EQ(last_of(3, Placement::in_place).input_stride, 1);
  EXPECT_EQ(last_of(3, Placement::out_of_place).source, Operand::output);
}

TEST(Place, TwoRealsAreALineThatNeedsNoCopy) {
  EXPECT_EQ(stages_in_place({.lengths = {2}, .batch = 10, .kind = Kind::r2c}), 1U);
}

// Columns, rows, and the map behind both.
TEST(Place, LongRealRowsNeedNoCopy) {
  EXPECT_EQ(stages_in_place({.lengths = {65536}, .batch = 10, .kind = Kind::r2c}), 3U);
}

// A large prime has a butterfly of its own, but what is left has not one as large.
TEST(Radices, OfStagesThroughMemoryAreThoseOfButterflies) {
  const DeviceLimits limits = plan::named_limits("mali");
  for (const std::size_t length : {13120u, 1681u, 1640u, 4100u, 43u * 43u * 36u, 65536u}) {
    const std::vector<unsigned> radices = plan::staged_radices(length, limits);
    EXPECT_EQ(std::accumulate(radices.begin(), radices.end(), std::size_t{1}, std::multiplies<>()), length);
    for (const unsigned radix : radices) {
      EXPECT_TRUE(radix <= 32 || plan::prime_factors(radix).size() == 1) << radix << " of " << length;
    }
  }
}

}  // namespace
}  // namespace twiddle::plan
