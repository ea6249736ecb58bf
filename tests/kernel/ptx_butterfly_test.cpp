// Butterflies of floats that are kernels of their own, which CUDA has in NVIDIA's instructions: these are carried out
// here, one after the other, and compared with the definition. NVRTC compiles them in nvrtc_test.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <map>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernel/butterfly.hpp"
#include "kernel/direct_transform.hpp"
#include "kernel/every_radix.hpp"

namespace twiddle::kernel {
namespace {

std::string text_of(unsigned radix, Direction direction, Dialect dialect = Dialect::cuda) {
  return butterfly_source(radix, direction, dialect, Precision::float32, Rounding::usual, true);
}

bool is_assembly(unsigned radix) { return text_of(radix, Direction::forward).find("asm(") != std::string::npos; }

// What registers hold; a name that begins with '%' is an operand of the statement.
class Registers {
 public:
  explicit Registers(const std::vector<std::complex<float>>& operands) {
    for (const std::complex<float>& value : operands) {
      set("%" + std::to_string(values_.size()), value.real());
      set("%" + std::to_string(values_.size()), value.imag());
    }
  }

  // Throws std::out_of_range where nothing was set.
  [[nodiscard]] float get(const std::string& name) const {
    if (!name.starts_with("0f")) return values_.at(name);
    return std::bit_cast<float>(static_cast<std::uint32_t>(std::stoul(name.substr(2), nullptr, 16)));
  }
  void set(const std::string& name, float value) { values_[name] = value; }

 private:
  std::map<std::string, float> values_;
};

float result(const std::string& operation, const std::vector<float>& of) {
  if (operation == "mov") return of.at(0);
  if (operation == "neg") return -of.at(0);
  if (operation == "add") return of.at(0) + of.at(1);
  if (operation == "sub") return of.at(0) - of.at(1);
  if (operation == "mul") return of.at(0) * of.at(1);
  if (operation == "fma.rn") return std::fma(of.at(0), of.at(1), of.at(2));
  throw std::invalid_argument("no such instruction: " + operation);
}

std::vector<std::complex<float>> carried_out(const std::string& text, const std::vector<std::complex<float>>& values) {
  Registers registers(values);
  const std::regex instruction(R"(([a-z.]+)\.f32 ([%\w]+), ([%\w]+)(?:, ([%\w]+))?(?:, ([%\w]+))?;)");
  for (std::sregex_iterator match(text.begin(), text.end(), instruction), end; match != end; ++match) {
    std::vector<float> operands;
    for (std::size_t i = 3; i < match->size() && (*match)[i].matched; ++i) {
      operands.push_back(registers.get((*match)[i]));
    }
    registers.set((*match)[2], result((*match)[1], operands));
  }
  std::vector<std::complex<float>> results;
  for (std::size_t i = 0; i < values.size(); ++i) {
    results.emplace_back(registers.get("%" + std::to_string(2 * i)), registers.get("%" + std::to_string(2 * i + 1)));
  }
  return results;
}

TEST(PtxButterflies, MatchTheDefinition) {
  for (const unsigned radix : {41U, 43U, 47U}) {
    ASSERT_TRUE(is_assembly(radix));
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      std::vector<std::complex<float>> values;
      std::vector<test::Extended> exact;
      for (const auto& value : test::sample_values(radix)) {
        exact.emplace_back(values.emplace_back(value));
      }
      EXPECT_LT(test::relative_error(carried_out(text_of(radix, direction), values),
                                     test::direct_transform(exact, direction)),
                2.5e-7)
          << radix;
    }
  }
}

// Each instruction is one of those above, in a line of its own or beside others.
TEST(PtxButterflies, HaveNoInstructionsBesideThose) {
  const std::regex known(R"re(    "(\{\.reg .*|((mov|neg|add|sub|mul|fma\.rn)\.f32 [^;]*; ?)+|\})")re");
  for (const unsigned radix : {41U, 43U, 47U}) {
    const std::string text = text_of(radix, Direction::inverse);
    const std::size_t begin = text.find("asm(\n") + 5;
    const std::string body = text.substr(begin, text.find("\n    :\n") - begin);
    for (std::size_t at = 0; at < body.size();) {
      const std::size_t end = std::min(body.find('\n', at), body.size());
      EXPECT_TRUE(std::regex_match(body.substr(at, end - at), known)) << body.substr(at, end - at);
      at = end + 1;
    }
  }
}

TEST(PtxButterflies, AreAloneAndOfLargePrimesInFloats) {
  for (const unsigned radix : test::every_radix()) {
    const bool large_prime = radix == 41 || radix == 43 || radix == 47;
    EXPECT_EQ(text_of(radix, Direction::forward) == text_of(radix, Direction::forward, Dialect::opencl), !large_prime);
    const std::string doubles =
        butterfly_source(radix, Direction::forward, Dialect::cuda, Precision::float64, Rounding::usual, true);
    EXPECT_EQ(doubles.find("asm("), std::string::npos) << radix;
    EXPECT_EQ(butterfly_source(radix, Direction::forward, Dialect::cuda),
              butterfly_source(radix, Direction::forward, Dialect::opencl));
  }
}

}  // namespace
}  // namespace twiddle::kernel
