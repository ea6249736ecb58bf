// Passes that the map of pairs of reals is part of, beside the pass and the map one after the other: every butterfly,
// columns that fill vectors and that do not, every SIMD target of this machine.
#include "backend/host/mapped_pass.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "backend/host/mirrored_line.hpp"
#include "backend/host/settings.hpp"
#include "plan/recipe/host_pass_costs.hpp"
#include "plan/recipe/radices.hpp"

namespace twiddle::test {
namespace {

using backend::host::AlignedArray;
using backend::host::LinePasses;
using backend::host::LineShape;
using backend::host::MappedPass;
using backend::host::MirroredLine;
using backend::host::PassCall;
using backend::host::PassKind;
using backend::host::Planes;
using plan::LineMap;

constexpr std::size_t room = 32;  // scalars behind a plane, which passes between planes may write
constexpr double untouched = 12345;
constexpr double scale = 0.75;

// Two planes or one interleaved line, and what stands behind.
template <class T>
struct Memory {
  explicit Memory(std::size_t length) : size(length + room), numbers(2 * size) {
    for (std::size_t i = 0; i < 2 * size; ++i) numbers[i] = static_cast<T>(untouched);
  }
  Planes<T> planes() { return {numbers.data(), numbers.data() + size}; }
  void fill(std::mt19937& bits) {
    std::uniform_real_distribution<T> values(-1, 1);
    for (std::size_t i = 0; i < 2 * size; ++i) numbers[i] = values(bits);
  }
  std::size_t size;
  AlignedArray<T> numbers;
};

plan::Stage stage_of(const std::vector<unsigned>& radices) {
  plan::Stage stage;
  stage.length = plan::product(radices);
  stage.radices = radices;
  return stage;
}

// All of the map of a line of so many pairs.
LineMap whole_map(LineMap::Rule rule, std::uint64_t pairs) {
  LineMap map;
  map.rule = rule;
  map.length = 2 * pairs;
  map.source_count = plan::full_source_count(rule, map.length);
  map.count = plan::full_count(rule, map.length);
  return map;
}

template <class T>
class MappedLine {
 public:
  MappedLine(LineMap::Rule rule, const std::vector<unsigned>& radices, std::int64_t targets)
      : stage_(stage_of(radices)), map_(whole_map(rule, stage_.length)), length_(stage_.length), targets_(targets) {}

  void expect_alike() {
    const LinePasses<T> passes(stage_, LineShape::row, 1, targets_);
    const auto mapped = MappedPass<T>::make(map_, passes, static_cast<T>(scale), targets_);
    const auto map = MirroredLine<T>::make(map_, static_cast<T>(scale), targets_);
    ASSERT_TRUE(mapped && map);
    std::mt19937 bits(7);
    map_.rule == LineMap::Rule::r2c_store ? expect_last(passes, *mapped, *map, bits)
                                          : expect_first(passes, *mapped, *map, bits);
  }

 private:
  void expect_last(const LinePasses<T>& passes, const MappedPass<T>& mapped, const MirroredLine<T>& map,
                   std::mt19937& bits) {
    Memory<T> source(length_);
    source.fill(bits);
    Memory<T> between(length_);
    PassCall<T> call = passes.call(passes.count() - 1, 1, {});
    call.input = source.planes().real;
    call.input_imaginary = source.planes().imaginary;
    call.output = between.planes().real;
    call.output_imaginary = between.planes().imaginary;
    passes.pass(passes.count() - 1).middle(call);
    Memory<T> expected(length_ + 1);
    map.apply({between.planes().real, between.planes().imaginary}, {expected.numbers.data(), nullptr}, 0, map.pairs());

    Memory<T> result(length_ + 1);
    call.output = result.numbers.data();
    mapped(call);
    expect_equal(expected, result, 2 * (length_ + 1));
    for (std::size_t i = 2 * (length_ + 1); i < 2 * result.size; ++i) ASSERT_EQ(result.numbers[i], T{untouched}) << i;
  }

  void expect_first(const LinePasses<T>& passes, const MappedPass<T>& mapped, const MirroredLine<T>& map,
                    std::mt19937& bits) {
    Memory<T> source(length_ + 1);
    source.fill(bits);
    Memory<T> between(length_);
    map.apply({source.numbers.data(), nullptr}, between.planes(), 0, map.pairs());
    Memory<T> expected(length_);
    PassCall<T> call = passes.call(0, 1, {});
    call.input = between.planes().imaginary;  // the inverse
    call.input_imaginary = between.planes().real;
    call.output = expected.planes().real;
    call.output_imaginary = expected.planes().imaginary;
    backend::host::find_pass<T>(PassKind::first_row_planar, call.radix, targets_)(call);

    Memory<T> result(length_);
    call.input = source.numbers.data();
    call.input_imaginary = nullptr;
    call.output = result.planes().real;
    call.output_imaginary = result.planes().imaginary;
    mapped(call);
    for (const std::size_t plane : {std::size_t{0}, result.size}) {
      expect_equal(expected, result, length_, plane);
      for (std::size_t i = length_; i < result.size; ++i) ASSERT_EQ(result.numbers[plane + i], T{untouched}) << i;
    }
  }

  void expect_equal(const Memory<T>& expected, const Memory<T>& result, std::size_t count, std::size_t from = 0) {
    const double bound = 16 * std::sqrt(static_cast<double>(length_)) * std::numeric_limits<T>::epsilon();
    for (std::size_t i = from; i < from + count; ++i) {
      ASSERT_NEAR(result.numbers[i], expected.numbers[i], bound) << i;
    }
  }

  plan::Stage stage_;
  LineMap map_;
  std::size_t length_;
  std::int64_t targets_;
};

template <class T>
void expect_all_alike(LineMap::Rule rule) {
  for (std::int64_t targets = backend::host::simd_targets(); targets != 0; targets &= targets - 1) {
    const std::size_t lanes = backend::host::vector_lanes<T>(targets);
    if (lanes == 1) continue;
    SCOPED_TRACE(backend::host::target_name(targets));
    for (const std::vector<unsigned>& columns :
         {std::vector<unsigned>{4}, {8}, {9}, {2, 8}, {3, 7}, {2, 16}, {3, 11}, {5, 7}, {3, 13}, {8, 6}}) {
      const std::size_t count = plan::product(columns);
      if (count < 2 * lanes) continue;
      for (const plan::HostRadix& entry : plan::host_radix_table) {
        if (entry.large() && lanes * sizeof(T) != plan::long_vector_bytes) continue;
        std::vector<unsigned> radices = columns;
        radices.insert(rule == LineMap::Rule::r2c_store ? radices.end() : radices.begin(), entry.radix);
        SCOPED_TRACE(std::to_string(count) + " columns of " + std::to_string(entry.radix));
        MappedLine<T>(rule, radices, targets).expect_alike();
      }
    }
  }
}

TEST(MappedPass, IsThePassAndTheMap) {
  for (const LineMap::Rule rule : {LineMap::Rule::r2c_store, LineMap::Rule::c2r_load}) {
    expect_all_alike<float>(rule);
    expect_all_alike<double>(rule);
  }
}

// Parts of a spectrum, other maps and few columns are left to others, and so is what has no kernel.
TEST(MappedPass, ServesWholeSpectraOfManyColumns) {
  const std::int64_t targets = backend::host::simd_targets();
  const std::size_t lanes = backend::host::vector_lanes<double>(targets);
  const auto serves = [&](LineMap::Rule rule, const std::vector<unsigned>& radices, std::size_t missing) {
    const plan::Stage stage = stage_of(radices);
    LineMap map = whole_map(rule, stage.length);
    map.count -= missing;
    const LinePasses<double> passes(stage, LineShape::row, 1, targets);
    return MappedPass<double>::make(map, passes, 1, targets).has_value();
  };
  const bool simd = lanes > 1;
  EXPECT_EQ(serves(LineMap::Rule::r2c_store, {16, 16, 8}, 0), simd);
  EXPECT_EQ(serves(LineMap::Rule::c2r_load, {8, 16, 16}, 0), simd);
  EXPECT_FALSE(serves(LineMap::Rule::r2c_store, {16, 16, 8}, 1));
  EXPECT_FALSE(serves(LineMap::Rule::half_spectrum_load, {8, 16, 16}, 0));
  EXPECT_FALSE(serves(LineMap::Rule::r2c_store, {3, 16}, 0));
  EXPECT_FALSE(serves(LineMap::Rule::r2c_store, {16, 16, 17}, 0));
}

}  // namespace
}  // namespace twiddle::test
