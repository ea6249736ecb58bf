// Prints a scheduled butterfly as OpenCL C, CUDA C++ or host C++ over Highway's vectors.
#include <fmt/format.h>

#include <array>
#include <iterator>
#include <map>
#include <string>

#include "kernel/butterfly.hpp"
#include "kernel/schedule.hpp"
#include "twiddle/error.hpp"

namespace twiddle::kernel {
namespace {

// The words of a dialect, as format strings over the names of the operands.
struct Words {
  std::string_view function;     // radix, direction
  std::string_view declaration;  // name, expression
  std::string_view load;         // expression for an input: part, element
  std::string_view store;        // part, element, name
  std::string_view constant;     // definition of a named constant, or empty where literals stand in the expressions
  std::array<std::string_view, 7> expressions;  // by Instruction: a, b, factor
};

constexpr Words c_words = {
    .function = "TW_INLINE void butterfly_{0}_{1}(TW_COMPLEX* v) {{\n",
    .declaration = "  const TW_REAL {0} = {1};\n",
    .load = "v[{1}].{0}",
    .store = "  v[{1}].{0} = {2};\n",
    .constant = "",
    .expressions = {"{0} + {1}", "{0} - {1}", "{2} * {0}", "-{0}", "TW_FMA({2}, {0}, {1})", "TW_FMA(-{2}, {0}, {1})",
                    "TW_FMA({2}, {0}, -{1})"},
};

constexpr Words host_words = {
    .function =
        "template <class D, class V = hn::Vec<D>>\n"
        "HWY_INLINE void Butterfly{0}([[maybe_unused]] D d, V* HWY_RESTRICT re, V* HWY_RESTRICT im) {{\n",
    .declaration = "  const V {0} = {1};\n",
    .load = "{0}[{1}]",
    .store = "  {0}[{1}] = {2};\n",
    .constant = "  const V {0} = hn::Set(d, static_cast<hn::TFromD<D>>({1}L));\n",
    .expressions = {"hn::Add({0}, {1})", "hn::Sub({0}, {1})", "hn::Mul({2}, {0})", "hn::Neg({0})",
                    "hn::MulAdd({2}, {0}, {1})", "hn::NegMulAdd({2}, {0}, {1})", "hn::MulSub({2}, {0}, {1})"},
};

const Words& words(Dialect dialect) { return dialect == Dialect::host ? host_words : c_words; }

// Enough digits that every precision up to extended reads back the nearest number. fmt ignores the locale.
std::string digits(long double value) { return fmt::format("{:#.21g}", value); }

template <class... Arguments>
std::string filled(std::string_view pattern, const Arguments&... arguments) {
  return fmt::format(fmt::runtime(pattern), arguments...);
}

class Printer {
 public:
  Printer(const ButterflyGraph& butterfly, Dialect dialect)
      : butterfly_(butterfly), dialect_(dialect), words_(words(dialect)) {
    for (std::uint32_t slot = 0; slot < butterfly.outputs.size(); ++slot) slots_.emplace(butterfly.outputs[slot], slot);
  }

  std::string body() {
    const Schedule order = schedule(butterfly_);
    std::string text = constants(order);
    loaded_.resize(butterfly_.outputs.size());
    for (const Statement& statement : order.statements) {
      text += load(statement.a);
      if (statement.b) text += load(*statement.b);
      const std::string name = fmt::format("t{}", names_.size());
      text += filled(words_.declaration, name, expression(statement));
      names_.emplace(statement.result, name);
      for (auto [slot, end] = slots_.equal_range(statement.result); slot != end; ++slot) waiting_.push_back(*slot);
      text += stores();
    }
    return text;
  }

 private:
  // Constants of the host are vectors, set before the arithmetic.
  std::string constants(const Schedule& order) {
    std::string text;
    for (const Statement& statement : order.statements) {
      if (statement.factor == 0 || words_.constant.empty() || factors_.contains(statement.factor)) continue;
      const std::string name = fmt::format("k{}", factors_.size());
      text += filled(words_.constant, name, digits(statement.factor));
      factors_.emplace(statement.factor, name);
    }
    return text;
  }

  std::string factor(long double value) const {
    return words_.constant.empty() ? digits(value) + "f" : factors_.at(value);
  }

  std::string load(Value value) {
    const Node& node = butterfly_.graph[value];
    if (node.operation != Operation::input || loaded_[node.input]) return {};
    loaded_[node.input] = true;
    const std::string name = fmt::format("{}{}", node.input % 2 == 0 ? "r" : "i", node.input / 2);
    names_.emplace(value, name);
    return filled(words_.declaration, name, filled(words_.load, part(node.input), node.input / 2));
  }

  std::string expression(const Statement& statement) const {
    const std::string constant = statement.factor == 0 ? "" : factor(statement.factor);
    return filled(words_.expressions[static_cast<std::size_t>(statement.instruction)], names_.at(statement.a),
                  statement.b ? names_.at(*statement.b) : "", constant);
  }

  // An output takes the place of an input, so it is stored once that input has been loaded.
  std::string stores() {
    std::string text;
    std::erase_if(waiting_, [&](const auto& output) {
      const auto& [value, slot] = output;
      if (!loaded_[slot]) return false;
      text += filled(words_.store, part(slot), slot / 2, names_.at(value));
      return true;
    });
    return text;
  }

  std::string_view part(std::uint32_t slot) const {
    if (dialect_ == Dialect::host) return slot % 2 == 0 ? "re" : "im";
    return slot % 2 == 0 ? "x" : "y";
  }

  const ButterflyGraph& butterfly_;
  const Dialect dialect_;
  const Words& words_;
  std::multimap<Value, std::uint32_t> slots_;             // where each output goes
  std::vector<std::pair<Value, std::uint32_t>> waiting_;  // outputs not stored yet
  std::vector<bool> loaded_;                              // inputs
  std::map<Value, std::string> names_;
  std::map<long double, std::string> factors_;
};

}  // namespace

std::string butterfly_source(unsigned radix, Direction direction, Dialect dialect) {
  if (dialect == Dialect::host && direction == Direction::inverse) {
    throw InvalidArgument("host butterflies are forward only, got the inverse; exchange the real and imaginary parts");
  }
  const ButterflyGraph butterfly = extract_factors(butterfly_graph(radix, direction));
  return filled(words(dialect).function, radix, direction == Direction::forward ? "forward" : "inverse") +
         Printer(butterfly, dialect).body() + "}\n";
}

}  // namespace twiddle::kernel
