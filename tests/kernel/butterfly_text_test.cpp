// The text of butterflies: golden files, constants that read back exactly, and no influence of the locale.
#include <gtest/gtest.h>

#include <algorithm>
#include <clocale>
#include <locale>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "kernel/butterfly.hpp"
#include "kernel/every_radix.hpp"
#include "kernel/round_constants.hpp"
#include "kernel/schedule.hpp"
#include "plan/recipe/radices.hpp"
#include "support/golden.hpp"
#include "twiddle/error.hpp"

namespace twiddle::kernel {
namespace {

struct Form {
  Dialect dialect;
  const char* extension;
};
constexpr Form forms[] = {{Dialect::opencl, "cl"}, {Dialect::cuda, "cu"}, {Dialect::host, "inc"}};

TEST(ButterflyText, EqualsTheGoldenFiles) {
  for (const unsigned radix : {2u, 3u, 4u, 5u, 8u}) {
    for (const Form& form : forms) {
      for (const Direction direction : {Direction::forward, Direction::inverse}) {
        if (form.dialect == Dialect::host && direction == Direction::inverse) continue;
        const std::string text = butterfly_source(radix, direction, form.dialect);
        const std::string path = std::string(TWIDDLE_GOLDEN_FOLDER) + "/butterfly_" + std::to_string(radix) +
                                 (direction == Direction::forward ? "_forward." : "_inverse.") + form.extension;
        test::expect_golden(text, path);
      }
    }
  }
}

TEST(ButterflyText, IsTheSameEveryTime) {
  for (const unsigned radix : test::every_radix()) {
    for (const Form& form : forms) {
      EXPECT_EQ(butterfly_source(radix, Direction::forward, form.dialect),
                butterfly_source(radix, Direction::forward, form.dialect));
    }
  }
}

TEST(ButterflyText, HostHasNoInverse) {
  EXPECT_THROW((void)butterfly_source(8, Direction::inverse, Dialect::host), InvalidArgument);
  EXPECT_THROW((void)butterfly_source(33, Direction::forward, Dialect::host), InvalidArgument);
}

// All literals of a text, in their order.
std::vector<std::string> literals(const std::string& text) {
  const std::regex literal(R"([0-9]+\.[0-9]*(e[-+]?[0-9]+)?|0f[0-9A-F]{8})");
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), literal), end; match != end; ++match) {
    found.push_back(match->str());
  }
  return found;
}

// In the precision that the text is for, as the numbers chosen for it.
TEST(ButterflyText, ConstantsReadBackExactly) {
  for (const unsigned radix : test::every_radix()) {
    const ButterflyGraph butterfly = extract_factors(butterfly_graph(radix, Direction::forward));
    const auto order = schedule(butterfly);
    for (const Precision precision : {Precision::float32, Precision::float64}) {
      const auto numbers = rounded_constants(butterfly, precision);
      const auto printed = literals(butterfly_source(radix, Direction::forward, Dialect::opencl, precision));
      std::size_t n = 0;
      for (const Statement& statement : order.statements) {
        if (statement.factor == 0) continue;
        ASSERT_LT(n, printed.size()) << radix;
        const char* text = printed[n++].c_str();
        EXPECT_EQ(precision == Precision::float64 ? std::strtod(text, nullptr) : std::strtof(text, nullptr),
                  numbers.at(statement.factor));
      }
      EXPECT_EQ(n, printed.size()) << radix;
    }
  }
}

// Registers of their own hold these constants, if they are few.
TEST(ButterflyText, DoublesOfLargePrimesHaveFewConstantsThroughCuda) {
  const auto constants = [](unsigned radix, Dialect dialect, Precision precision) {
    const auto all = literals(butterfly_source(radix, Direction::forward, dialect, precision));
    return std::set(all.begin(), all.end()).size();
  };
  for (const unsigned radix : {37U, 41U, 43U, 47U}) {
    EXPECT_EQ(constants(radix, Dialect::cuda, Precision::float64), radix - 1);
    EXPECT_GT(constants(radix, Dialect::cuda, Precision::float32), 100U) << radix;
    EXPECT_GT(constants(radix, Dialect::opencl, Precision::float64), 100U) << radix;
  }
}

TEST(ButterflyText, DependsOnTheRoundingOfMultiplesOf13AndLongSumsAlone) {
  for (const unsigned radix : test::every_radix()) {
    const auto source = [&](Rounding rounding) {
      return butterfly_source(radix, Direction::forward, Dialect::cuda, Precision::float32, rounding);
    };
    EXPECT_EQ(source(Rounding::least) != source(Rounding::usual),
              radix % 13 == 0 || plan::prime_factors(radix).back() >= 29)
        << radix;
  }
}

TEST(ButterflyText, IsKeptByAllThatItDependsOn) {
  for (const Rounding rounding : {Rounding::usual, Rounding::least}) {
    for (const Precision precision : {Precision::float32, Precision::float64}) {
      for (const Dialect dialect : {Dialect::opencl, Dialect::cuda}) {
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
          for (const unsigned radix : {3U, 13U}) {
            const std::string& kept = kept_butterfly_source(radix, direction, dialect, precision, rounding, false);
            EXPECT_EQ(kept, butterfly_source(radix, direction, dialect, precision, rounding));
            EXPECT_EQ(&kept, &kept_butterfly_source(radix, direction, dialect, precision, rounding, false));
          }
        }
      }
    }
  }
}

struct CommaPoint : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(ButterflyText, DoesNotDependOnTheLocale) {
  const std::string before = butterfly_source(7, Direction::forward, Dialect::host);
  const std::locale previous = std::locale::global(std::locale(std::locale::classic(), new CommaPoint));
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // where it is installed
  const std::string german = butterfly_source(7, Direction::forward, Dialect::host);
  std::setlocale(LC_ALL, "C");
  std::locale::global(previous);
  EXPECT_EQ(german, before);
}

}  // namespace
}  // namespace twiddle::kernel
