// Prints a scheduled butterfly as OpenCL C, CUDA C++ with or without PTX, or host C++ over Highway's vectors.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "kernel/butterfly.hpp"
#include "kernel/real_butterfly.hpp"
#include "kernel/round_constants.hpp"
#include "kernel/schedule.hpp"
#include "twiddle/error.hpp"

namespace twiddle::kernel {
namespace {

// The words of a dialect, as format strings over the names of the operands.
struct Words {
  bool in_place;                 // an output is stored where an input was loaded from
  bool assembly;                 // of floats, in one statement of C++; literals are the bits of numbers
  unsigned parts;                // scalars of an element
  std::string_view opening;      // radix, direction
  std::string_view declaration;  // name, expression
  std::string_view load;         // element, real part, imaginary part, numbers of these among all parts
  std::string_view store;        // the same
  std::string_view
      constant;  // name, digits in float, double and long double; empty where literals stand in the expressions
  // By Instruction: a, b, factor (a literal of negative_multiply_add has the other sign), result.
  std::array<std::string_view, 7> expressions;
};

constexpr Words c_words = {
    .in_place = true,
    .assembly = false,
    .parts = 2,
    .opening = "TW_INLINE void butterfly_{0}_{1}(TW_COMPLEX* v) {{\n",
    .declaration = "  const TW_REAL {0} = {1};\n",
    .load = "  const TW_REAL {1} = v[{0}].x;\n  const TW_REAL {2} = v[{0}].y;\n",
    .store = "  v[{0}].x = {1};\n  v[{0}].y = {2};\n",
    .constant = "",
    .expressions = {"{0} + {1}", "{0} - {1}", "{2} * {0}", "-{0}", "TW_FMA({2}, {0}, {1})", "TW_FMA({2}, {0}, {1})",
                    "TW_FMA({2}, {0}, -{1})"},
};

// NVIDIA's instructions. NVRTC's optimizer, which has nothing to do for a butterfly, takes most of its time for it
// where it is C++; here it sees one statement, whose operands are the parts of all elements. As from C++, sums of
// products may be fused.
constexpr Words ptx_words = {
    .in_place = true,
    .assembly = true,
    .parts = 2,
    .opening = c_words.opening,
    .declaration = "    \"{1};\"\n",
    .load = "    \"mov.f32 {1}, %{3}; mov.f32 {2}, %{4};\"\n",
    .store = "    \"mov.f32 %{3}, {1}; mov.f32 %{4}, {2};\"\n",
    .constant = "",
    .expressions = {"add.f32 {3}, {0}, {1}", "sub.f32 {3}, {0}, {1}", "mul.f32 {3}, {2}, {0}", "neg.f32 {3}, {0}",
                    "fma.rn.f32 {3}, {2}, {0}, {1}", "fma.rn.f32 {3}, {2}, {0}, {1}",
                    "neg.f32 {3}, {1}; fma.rn.f32 {3}, {2}, {0}, {3}"},
};

constexpr Words host_words = {
    .in_place = false,
    .assembly = false,
    .parts = 2,
    .opening =
        "template <class D, class Load, class Store>\n"
        "HWY_INLINE void Butterfly{0}([[maybe_unused]] D d, Load load, Store store) {{\n"
        "  using V = hn::Vec<D>;\n",
    .declaration = "  const V {0} = {1};\n",
    .load = "  V {1}, {2};\n  load({0}, {1}, {2});\n",
    .store = "  store({0}, {1}, {2});\n",
    .constant = "  const V {0} = hn::Set(d, Rounded<hn::TFromD<D>>({1}f, {2}, {3}L));\n",
    .expressions = {"hn::Add({0}, {1})", "hn::Sub({0}, {1})", "hn::Mul({2}, {0})", "hn::Neg({0})",
                    "hn::MulAdd({2}, {0}, {1})", "hn::NegMulAdd({2}, {0}, {1})", "hn::MulSub({2}, {0}, {1})"},
};

// The host's between reals and half a spectrum: {0} radix, {1} kind.
constexpr Words real_host_words = [] {
  Words words = host_words;
  words.parts = 1;
  words.opening =
      "template <class D, class Load, class Store>\n"
      "HWY_INLINE void {1}Butterfly{0}([[maybe_unused]] D d, Load load, Store store) {{\n"
      "  using V = hn::Vec<D>;\n";
  words.load = "  V {1};\n  load({0}, {1});\n";
  words.store = "  store({0}, {1});\n";
  return words;
}();

// Kernels that are little more than one butterfly of these primes are compiled in 0.6 to 0.8 of the time so, and take
// as long as before on an H200. Doubles spill more, as do 37 reals and 61 points; others are compiled in 0.9 of the
// time, but some take up to 1.29 (docs/verification.md).
bool is_assembly(unsigned radix, Dialect dialect, Precision precision, bool alone) {
  return alone && dialect == Dialect::cuda && precision == Precision::float32 && radix >= 41 &&
         radix <= largest_prime_radix;
}

const Words& words(unsigned radix, Dialect dialect, Precision precision, bool alone) {
  if (dialect == Dialect::host) return host_words;
  return is_assembly(radix, dialect, precision, alone) ? ptx_words : c_words;
}

// Enough digits that every precision up to extended reads back the nearest number. fmt ignores the locale.
std::string digits(long double value) { return fmt::format("{:#.21g}", value); }

template <class... Arguments>
std::string filled(std::string_view pattern, const Arguments&... arguments) {
  return fmt::format(fmt::runtime(pattern), arguments...);
}

class Printer {
 public:
  Printer(const ButterflyGraph& butterfly, const Words& words, Precision precision)
      : butterfly_(butterfly),
        words_(words),
        precision_(precision),
        loaded_(butterfly.outputs.size() / words.parts),
        stored_(loaded_.size()) {}

  std::string body() {
    const Schedule order = schedule(butterfly_);
    std::string text = constants(order);
    for (const Statement& statement : order.statements) {
      text += load(statement.a);
      if (statement.b) text += load(*statement.b);
      temporaries_.emplace(statement.result, temporaries_.size());
      text += filled(words_.declaration, name(statement.result), expression(statement));
      text += stores();
    }
    return words_.assembly ? assembly(text, order.statements.size()) : text;
  }

 private:
  // The statement around instructions with so many results.
  [[nodiscard]] std::string assembly(const std::string& instructions, std::size_t results) const {
    std::string operands;
    for (std::size_t element = 0; element < loaded_.size(); ++element) {
      operands += fmt::format("{0}\n    \"+f\"(v[{1}].x), \"+f\"(v[{1}].y)", element == 0 ? "" : ",", element);
    }
    return fmt::format("  asm(\n    \"{{.reg .f32 r<{0}>, i<{0}>, t<{1}>;\"\n{2}    \"}}\"\n    :{3});\n",
                       loaded_.size(), results, instructions, operands);
  }

  // Constants of the host are vectors, set before the arithmetic.
  std::string constants(const Schedule& order) {
    std::string text;
    for (const Statement& statement : order.statements) {
      if (statement.factor == 0 || words_.constant.empty() || factors_.contains(statement.factor)) continue;
      const std::string constant = fmt::format("k{}", factors_.size());
      text += filled(words_.constant, constant, rounded(statement.factor, Precision::float32),
                     rounded(statement.factor, Precision::float64), digits(statement.factor));
      factors_.emplace(statement.factor, constant);
    }
    return text;
  }

  // The number that stands for a constant in a precision.
  long double number(long double value, Precision precision) {
    auto [numbers, added] = rounded_.try_emplace(precision);
    if (added) numbers->second = rounded_constants(butterfly_, precision);
    return numbers->second.at(value);
  }

  std::string rounded(long double value, Precision precision) { return digits(number(value, precision)); }

  std::string factor(const Statement& statement) {
    if (statement.factor == 0) return {};
    if (!words_.constant.empty()) return factors_.at(statement.factor);
    const long double positive = number(statement.factor, precision_);
    const long double constant = statement.instruction == Instruction::negative_multiply_add ? -positive : positive;
    if (words_.assembly) return fmt::format("0f{:08X}", std::bit_cast<std::uint32_t>(static_cast<float>(constant)));
    return digits(constant) + (precision_ == Precision::float64 ? "" : "f");
  }

  // Loads the element that an input is a part of, unless that has been done.
  std::string load(Value value) {
    const Node& node = butterfly_.graph[value];
    const std::uint32_t element = node.input / words_.parts;
    if (node.operation != Operation::input || loaded_[element]) return {};
    loaded_[element] = true;
    const std::uint32_t first = element * words_.parts;
    return filled(words_.load, element, input_name(first), input_name(first + 1), first, first + 1);
  }

  static std::string input_name(std::uint32_t number) {
    return fmt::format("{}{}", number % 2 == 0 ? 'r' : 'i', number / 2);
  }

  std::string name(Value value) const {
    const Node& node = butterfly_.graph[value];
    return node.operation == Operation::input ? input_name(node.input) : fmt::format("t{}", temporaries_.at(value));
  }

  std::string expression(const Statement& statement) {
    return filled(words_.expressions[static_cast<std::size_t>(statement.instruction)], name(statement.a),
                  statement.b ? name(*statement.b) : "", factor(statement), name(statement.result));
  }

  // Elements of which all parts are ready. One that takes the place of an input waits until that has been loaded.
  std::string stores() {
    std::string text;
    for (std::size_t element = 0; element < stored_.size(); ++element) {
      const Value real = butterfly_.outputs[words_.parts * element];
      const Value imaginary = butterfly_.outputs[words_.parts * (element + 1) - 1];
      if (stored_[element] || !temporaries_.contains(real) || !temporaries_.contains(imaginary)) continue;
      if (words_.in_place && !loaded_[element]) continue;
      stored_[element] = true;
      text += filled(words_.store, element, name(real), name(imaginary), 2 * element, 2 * element + 1);
    }
    return text;
  }

  const ButterflyGraph& butterfly_;
  const Words& words_;
  Precision precision_;  // of literals in the expressions
  std::map<Precision, std::map<long double, long double>> rounded_;
  std::vector<bool> loaded_;  // input elements
  std::vector<bool> stored_;  // output elements
  std::map<Value, std::size_t> temporaries_;
  std::map<long double, std::string> factors_;
};

// Extracted factors pay where products merge into sums. Elsewhere they cost a rounding more, and the definition stands.
std::string host_body(const ButterflyGraph& butterfly, const Words& words) {
  const std::string fused = Printer(extract_factors(butterfly), words, Precision::float32).body();
  const std::string apart = Printer(butterfly, words, Precision::float32).body();
  return fused == apart ? fused : "#if HWY_NATIVE_FMA\n" + fused + "#else\n" + apart + "#endif\n";
}

// NVIDIA's compiler keeps constants of doubles in registers of their own, of which there are 63. A butterfly of 37
// points has 36 constants, and 127 where factors are taken out: so it spills 212 bytes, and lines take 1.17 times as
// long on an H100 (docs/cuda-primes.md). Compilers of CPUs behind OpenCL gain from fewer operations.
bool takes_factors_out(unsigned radix, Dialect dialect, Precision precision) {
  return dialect != Dialect::cuda || precision != Precision::float64 || radix <= largest_radix;
}

}  // namespace

std::string real_butterfly_source(unsigned radix, Direction direction) {
  return filled(real_host_words.opening, radix, direction == Direction::forward ? "Real" : "Hermitian") +
         host_body(real_butterfly_graph(radix, direction), real_host_words) + "}\n";
}

std::string butterfly_source(unsigned radix, Direction direction, Dialect dialect, Precision precision,
                             Rounding rounding, bool alone) {
  if (dialect == Dialect::host && direction == Direction::inverse) {
    throw InvalidArgument("host butterflies are forward only, got the inverse; exchange the real and imaginary parts");
  }
  const ButterflyGraph defined = butterfly_graph(radix, direction, rounding);  // throws where there is none
  const Words& chosen = words(radix, dialect, precision, alone);
  const auto device_body = [&] {
    const bool extracts = takes_factors_out(radix, dialect, precision);
    return Printer(extracts ? extract_factors(defined) : defined, chosen, precision).body();
  };
  const std::string body = dialect == Dialect::host ? host_body(defined, host_words) : device_body();
  return filled(chosen.opening, radix, direction == Direction::forward ? "forward" : "inverse") + body + "}\n";
}

const std::string& kept_butterfly_source(unsigned radix, Direction direction, Dialect dialect, Precision precision,
                                         Rounding rounding, bool alone) {
  static std::mutex mutex;
  static std::map<std::tuple<unsigned, Direction, Dialect, Precision, Rounding, bool>, const std::string> kept;
  const std::lock_guard lock(mutex);
  const std::tuple key(radix, direction, dialect, precision, rounding, is_assembly(radix, dialect, precision, alone));
  const auto known = kept.find(key);
  if (known != kept.end()) return known->second;
  return kept.emplace(key, butterfly_source(radix, direction, dialect, precision, rounding, alone)).first->second;
}

}  // namespace twiddle::kernel
