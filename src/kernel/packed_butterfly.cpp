// From scalars to packed numbers, and their text.
#include "kernel/packed_butterfly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "plan/recipe/host_radices.hpp"

namespace twiddle::kernel {
namespace {

// What a scalar of the butterfly is: the first part of a packed number times (-i)^turns.
struct Turned {
  std::size_t number = 0;  // inputs first
  unsigned turns = 0;
};

// sign_a * factor * a + sign_b * b, or the product alone.
struct Definition {
  Turned a;
  std::optional<Turned> b;
  long double factor = 1;
  bool negative_a = false;
  bool negative_b = false;
};

// A single line in place waits for the results of the one before. Sums by definition take as many operations for 5
// points, a tenth more for 7, but fewer one after the other: such lines take 0.91 and 0.95 of the time on an EPYC of
// Zen 5, others as long as before. (13 points take 1.1.)
ButterflyGraph chosen_graph(unsigned radix) {
  const bool by_definition = radix == 5 || radix == 7;
  const bool for_lines = std::ranges::count(plan::packed_line_radices, radix) > 0;
  if (for_lines) return butterfly_graph(chosen_design(radix), Direction::forward);
  return by_definition ? butterfly_graph(Design{radix, Algorithm::symmetric, 1}, Direction::forward)
                       : butterfly_graph(radix, Direction::forward);
}

// The packed numbers of a butterfly, each up to powers of -i.
class Packing {
 public:
  explicit Packing(unsigned radix) : radix_(radix), butterfly_(extract_factors(chosen_graph(radix))) {
    const Schedule order = schedule(butterfly_);
    for (std::uint32_t n = 0; n < radix; ++n) {
      known_[butterfly_.graph.input(2 * n)] = {n, 0};
      known_[butterfly_.graph.input(2 * n + 1)] = {n, 1};
    }
    find_partners();
    for (const Statement& statement : order.statements) {
      if (!known_.contains(statement.result)) define(statement);
    }
    for (unsigned n = 0; n < radix; ++n) outputs_.push_back(known_.at(butterfly_.outputs[2 * n]));
  }

  [[nodiscard]] unsigned radix() const { return radix_; }
  [[nodiscard]] const std::vector<Definition>& definitions() const { return definitions_; }
  [[nodiscard]] const std::vector<Turned>& outputs() const { return outputs_; }

 private:
  // The same scalar of inputs times -i: of (im, -re) in the place of (re, im).
  void find_partners() {
    const std::size_t count = butterfly_.graph.size();
    ExpressionGraph& graph = butterfly_.graph;
    for (std::uint32_t index = 0; index < count; ++index) {
      const Node node = graph[{index}];
      const auto left = [&] { return partners_[node.left.index]; };
      const auto right = [&] { return partners_[node.right.index]; };
      switch (node.operation) {
        case Operation::input:
          partners_.push_back(node.input % 2 == 0 ? graph.input(node.input + 1)
                                                  : graph.negate(graph.input(node.input - 1)));
          break;
        case Operation::constant:
          partners_.push_back({index});
          break;
        case Operation::add:
          partners_.push_back(graph.add(left(), right()));
          break;
        case Operation::subtract:
          partners_.push_back(graph.subtract(left(), right()));
          break;
        case Operation::multiply:
          partners_.push_back(graph.multiply(node.constant, left()));
          break;
        case Operation::negate:
          partners_.push_back(graph.negate(left()));
          break;
      }
    }
  }

  void define(const Statement& statement) {
    const Turned a = known_.at(statement.a);
    if (statement.instruction == Instruction::negate) return learn(statement.result, {a.number, (a.turns + 2) % 4});
    Definition definition{.a = a, .b = {}, .factor = statement.factor == 0 ? 1 : statement.factor};
    if (statement.b) definition.b = known_.at(*statement.b);
    definition.negative_a = statement.instruction == Instruction::negative_multiply_add;
    definition.negative_b =
        statement.instruction == Instruction::subtract || statement.instruction == Instruction::multiply_subtract;
    definitions_.push_back(definition);
    learn(statement.result, {radix_ + definitions_.size() - 1, 0});
  }

  void learn(Value scalar, Turned what) {
    known_[scalar] = what;
    const Value partner = partners_[scalar.index];
    const Node node = butterfly_.graph[partner];
    const bool negative = node.operation == Operation::negate;
    known_.try_emplace(negative ? node.left : partner, Turned{what.number, (what.turns + (negative ? 3 : 1)) % 4});
  }

  unsigned radix_;
  ButterflyGraph butterfly_;
  std::vector<Value> partners_;
  std::map<Value, Turned> known_;
  std::vector<Definition> definitions_;
  std::vector<Turned> outputs_;
};

// Statements for the numbers of a packing, each computed times (-i)^turns where that takes no other operation: a sum
// cannot be computed times -1.
class Statements {
 public:
  Statements(const Packing& packing, const std::vector<unsigned>& turns) {
    result_.radix = packing.radix();
    for (std::size_t n = 0; n < result_.radix; ++n) computed_.push_back({n, 0});
    for (std::size_t i = 0; i < packing.definitions().size(); ++i) {
      computed_.push_back(compute(packing.definitions()[i], turns[i]));
    }
    for (const Turned& output : packing.outputs()) result_.outputs.push_back(straight(resolved(output, 0)));
    drop_unused();
  }

  PackedButterfly result() && { return std::move(result_); }

  // Operations, those that exchange parts included.
  [[nodiscard]] std::size_t cost() const {
    std::vector<bool> exchanged(result_.radix + result_.statements.size());
    for (const PackedStatement& statement : result_.statements) {
      if (statement.turned) exchanged[statement.a] = true;
    }
    return result_.statements.size() + static_cast<std::size_t>(std::count(exchanged.begin(), exchanged.end(), true));
  }

 private:
  // As a computed value, itself times (-i)^turns.
  [[nodiscard]] Turned resolved(Turned what, unsigned more) const {
    const Turned& computed = computed_[what.number];
    return {computed.number, (what.turns + computed.turns + more) % 4};
  }

  // What the number is then.
  Turned compute(const Definition& definition, unsigned wanted) {
    const unsigned turns = wanted % 2;
    Turned a = resolved(definition.a, turns);
    PackedStatement statement{.a = a.number, .b = {}, .factor = definition.factor};
    if (!definition.b) return {add(statement), (a.turns + 4 - turns) % 4};
    Turned b = resolved(*definition.b, turns);
    bool negative_b = definition.negative_b;
    if (b.turns % 2 == 1 && a.turns % 2 == 0 && definition.factor == 1) {
      std::swap(a, b);
      std::swap(statement.negative_a, negative_b);
    } else if (b.turns % 2 == 1) {
      b = {straight(b), 0};  // only products can be turned without another operation
    }
    statement.a = a.number;
    statement.b = b.number;
    statement.turned = a.turns % 2 == 1;
    statement.negative_a = (a.turns >= 2) != (definition.negative_a != statement.negative_a);
    statement.negative_b = (b.turns >= 2) != negative_b;
    const bool difference = statement.negative_a != statement.negative_b;
    const bool negative = difference ? wanted >= 2 : statement.negative_a;
    statement.negative_a = statement.negative_a != negative;
    statement.negative_b = statement.negative_b != negative;
    return {add(statement), (4 - turns + (negative ? 2 : 0)) % 4};
  }

  std::size_t add(const PackedStatement& statement) {
    result_.statements.push_back(statement);
    return result_.radix + result_.statements.size() - 1;
  }

  std::size_t straight(Turned what) {
    if (what.turns == 0) return what.number;
    return add({what.number, {}, 1, what.turns % 2 == 1, what.turns >= 2, false});
  }

  void drop_unused() {
    const std::size_t inputs = result_.radix;
    std::vector<bool> used(inputs + result_.statements.size());
    for (const std::size_t output : result_.outputs) used[output] = true;
    for (std::size_t s = result_.statements.size(); s-- > 0;) {
      const PackedStatement& statement = result_.statements[s];
      if (!used[inputs + s]) continue;
      used[statement.a] = true;
      if (statement.b) used[*statement.b] = true;
    }
    std::vector<std::size_t> place(used.size());
    std::vector<PackedStatement> kept;
    for (std::size_t i = 0; i < used.size(); ++i) {
      place[i] = i < inputs ? i : inputs + kept.size();
      if (i < inputs || !used[i]) continue;
      kept.push_back(result_.statements[i - inputs]);
      kept.back().a = place[kept.back().a];
      if (kept.back().b) kept.back().b = place[*kept.back().b];
    }
    for (std::size_t& output : result_.outputs) output = place[output];
    result_.statements = std::move(kept);
  }

  std::vector<Turned> computed_;
  PackedButterfly result_;
};

class PackedPrinter {
 public:
  explicit PackedPrinter(const PackedButterfly& butterfly)
      : butterfly_(butterfly), loaded_(butterfly.radix), swapped_(butterfly.radix + butterfly.statements.size()) {}

  std::string text() {
    std::string body;
    for (std::size_t s = 0; s < butterfly_.statements.size(); ++s) {
      const PackedStatement& statement = butterfly_.statements[s];
      const std::size_t result = butterfly_.radix + s;
      body += load(statement.a);
      if (statement.b) body += load(*statement.b);
      if (statement.turned && !swapped_[statement.a]) {
        swapped_[statement.a] = true;
        body += fmt::format("  const V s{0} = hn::Reverse2(d, {1});\n", statement.a, name(statement.a));
      }
      body += fmt::format("  const V {} = {};\n", name(result), expression(statement));
      for (std::size_t n = 0; n < butterfly_.outputs.size(); ++n) {
        if (butterfly_.outputs[n] == result) body += fmt::format("  store({}, {});\n", n, name(result));
      }
    }
    return fmt::format(
               "template <class D, class V, class Load, class Store>\n"
               "HWY_INLINE void PackedButterfly{}([[maybe_unused]] D d, [[maybe_unused]] V alternate, Load load, "
               "Store store) {{\n",
               butterfly_.radix) +
           constants_ + body + "}\n";
  }

 private:
  std::string name(std::size_t value) const { return fmt::format("{}{}", value < butterfly_.radix ? 'v' : 't', value); }

  std::string load(std::size_t value) {
    if (value >= butterfly_.radix || loaded_[value]) return {};
    loaded_[value] = true;
    return fmt::format("  const V v{0} = load({0});\n", value);
  }

  // A vector of the factor, which alternates for what is turned.
  std::string factor(const PackedStatement& statement) {
    if (statement.turned && statement.factor == 1) return "alternate";
    const auto [entry, made] = factors_.try_emplace({statement.factor, statement.turned}, factors_.size());
    const std::string name = fmt::format("k{}", entry->second);
    if (made) {
      const std::string set = fmt::format("hn::Set(d, static_cast<hn::TFromD<D>>({:#.21g}L))", statement.factor);
      constants_ += fmt::format(
          fmt::runtime(statement.turned ? "  const V {} = hn::Mul(alternate, {});\n" : "  const V {} = {};\n"), name,
          set);
    }
    return name;
  }

  std::string expression(const PackedStatement& statement) {
    const std::string a = statement.turned ? fmt::format("s{}", statement.a) : name(statement.a);
    const bool plain = !statement.turned && statement.factor == 1;
    if (!statement.b) {
      const std::string product = plain ? a : fmt::format("hn::Mul({}, {})", factor(statement), a);
      return statement.negative_a ? fmt::format("hn::Neg({})", product) : product;
    }
    const std::string b = name(*statement.b);
    if (plain) {
      if (statement.negative_a) return fmt::format("hn::Sub({}, {})", b, a);
      return fmt::format("hn::{}({}, {})", statement.negative_b ? "Sub" : "Add", a, b);
    }
    const char* const operation = statement.negative_a ? "NegMulAdd" : statement.negative_b ? "MulSub" : "MulAdd";
    return fmt::format("hn::{}({}, {}, {})", operation, factor(statement), a, b);
  }

  const PackedButterfly& butterfly_;
  std::vector<bool> loaded_;
  std::vector<bool> swapped_;
  std::map<std::pair<long double, bool>, std::size_t> factors_;
  std::string constants_;
};

// How often each number is best turned for most of those that are made of it, from the results on.
std::vector<unsigned> wanted_turns(const Packing& packing) {
  const std::size_t inputs = packing.radix();
  const auto& definitions = packing.definitions();
  std::vector<int> votes(inputs + definitions.size());  // below 0: once
  const auto vote = [&](Turned what, unsigned turns) { votes[what.number] += (what.turns + turns) % 2 == 0 ? 1 : -1; };
  for (const Turned& output : packing.outputs()) vote(output, 0);
  std::vector<unsigned> turns(definitions.size());
  for (std::size_t i = definitions.size(); i-- > 0;) {
    turns[i] = votes[inputs + i] < 0 ? 1 : 0;
    vote(definitions[i].a, turns[i]);
    if (definitions[i].b) vote(*definitions[i].b, turns[i]);
  }
  return turns;
}

// Whether a number is made of another, or both of the same.
bool related(const Packing& packing, std::size_t i, std::size_t j) {
  const Definition& first = packing.definitions()[i];
  const Definition& second = packing.definitions()[j];
  for (const Turned& operand : {first.a, first.b.value_or(first.a)}) {
    if (operand.number == packing.radix() + j || operand.number == second.a.number) return true;
    if (second.b && operand.number == second.b->number) return true;
  }
  return false;
}

}  // namespace

// Changes are kept that save operations: of one number, or of one and a related one.
PackedButterfly packed_butterfly(unsigned radix) {
  const Packing packing(radix);
  std::vector<unsigned> turns = wanted_turns(packing);
  std::size_t best = Statements(packing, turns).cost();
  bool better = true;
  const auto attempt = [&](std::size_t first, unsigned more, std::size_t second, unsigned more_of_second) {
    std::vector<unsigned> changed = turns;
    changed[first] = (changed[first] + more) % 4;
    changed[second] = (changed[second] + more_of_second) % 4;
    const std::size_t cost = Statements(packing, changed).cost();
    if (cost >= best) return;
    best = cost;
    turns = std::move(changed);
    better = true;
  };
  while (better) {
    better = false;
    for (std::size_t i = 0; i < turns.size(); ++i) {
      for (unsigned more = 1; more < 4; ++more) {
        attempt(i, more, i, 0);
        for (std::size_t j = 0; j < turns.size(); ++j) {
          for (unsigned others = 1; j != i && others < 4 && related(packing, i, j); ++others)
            attempt(i, more, j, others);
        }
      }
    }
  }
  return Statements(packing, turns).result();
}

std::string packed_butterfly_source(unsigned radix) { return PackedPrinter(packed_butterfly(radix)).text(); }

}  // namespace twiddle::kernel
