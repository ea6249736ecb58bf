// Errors of constants to first order: what each adds to the butterfly's matrix, and a descent over which of two numbers
// stands for each.
#include "kernel/round_constants.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace twiddle::kernel {
namespace {

using Vector = std::vector<double>;

// Weight of the squared gain beside the squares of all errors: with p passes alike the gains add up to p^2 g^2. Lengths
// of a million points have five.
constexpr double gain_weight = 4;

// The gains of more constants average out by themselves, and their choice would take longer than a plan.
constexpr std::size_t most_constants = 64;

double product(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void add_multiple(double factor, const Vector& a, Vector& sum) {
  for (std::size_t i = 0; i < a.size(); ++i) sum[i] += factor * a[i];
}

// A graph's matrix, of outputs by inputs, row after row, and its derivative by each constant.
struct Matrices {
  Vector whole;
  std::map<long double, Vector> derivatives;
};

// How each node depends on the inputs.
std::vector<Vector> forward(const ExpressionGraph& graph, std::size_t inputs) {
  std::vector<Vector> nodes(graph.size(), Vector(inputs));
  for (std::uint32_t index = 0; index < graph.size(); ++index) {
    const Node& node = graph[{index}];
    Vector& row = nodes[index];
    switch (node.operation) {
      case Operation::input:
        row[node.input] = 1;
        break;
      case Operation::constant:
        break;
      case Operation::add:
      case Operation::subtract:
        row = nodes[node.left.index];
        add_multiple(node.operation == Operation::add ? 1 : -1, nodes[node.right.index], row);
        break;
      case Operation::multiply:
        add_multiple(static_cast<double>(node.constant), nodes[node.left.index], row);
        break;
      case Operation::negate:
        add_multiple(-1, nodes[node.left.index], row);
        break;
    }
  }
  return nodes;
}

// How the outputs depend on each node.
std::vector<Vector> backward(const ButterflyGraph& butterfly) {
  const ExpressionGraph& graph = butterfly.graph;
  std::vector<Vector> nodes(graph.size(), Vector(butterfly.outputs.size()));
  for (std::size_t k = 0; k < butterfly.outputs.size(); ++k) nodes[butterfly.outputs[k].index][k] += 1;
  for (auto index = static_cast<std::uint32_t>(graph.size()); index-- > 0;) {
    const Node& node = graph[{index}];
    const Vector& column = nodes[index];
    switch (node.operation) {
      case Operation::input:
      case Operation::constant:
        break;
      case Operation::add:
      case Operation::subtract:
        add_multiple(1, column, nodes[node.left.index]);
        add_multiple(node.operation == Operation::add ? 1 : -1, column, nodes[node.right.index]);
        break;
      case Operation::multiply:
        add_multiple(static_cast<double>(node.constant), column, nodes[node.left.index]);
        break;
      case Operation::negate:
        add_multiple(-1, column, nodes[node.left.index]);
        break;
    }
  }
  return nodes;
}

Matrices matrices(const ButterflyGraph& butterfly) {
  const std::size_t count = butterfly.outputs.size();  // of inputs, too
  const std::vector<Vector> rows = forward(butterfly.graph, count);
  const std::vector<Vector> columns = backward(butterfly);
  const std::vector<unsigned> uses = butterfly.graph.use_counts(butterfly.outputs);
  Matrices result;
  for (const Value output : butterfly.outputs) {
    result.whole.insert(result.whole.end(), rows[output.index].begin(), rows[output.index].end());
  }
  for (std::uint32_t index = 0; index < butterfly.graph.size(); ++index) {
    const Node& node = butterfly.graph[{index}];
    if (node.operation != Operation::multiply || uses[index] == 0) continue;
    Vector& derivative = result.derivatives.try_emplace(node.constant, count * count).first->second;
    const Vector& row = rows[node.left.index];
    for (std::size_t k = 0; k < count; ++k) {
      const double factor = columns[index][k];
      if (factor == 0) continue;
      for (std::size_t n = 0; n < count; ++n) derivative[k * count + n] += factor * row[n];
    }
  }
  return result;
}

// A constant's two numbers.
struct Candidates {
  long double nearest;
  long double other;  // on the other side of the constant; the same where the precision holds it
};

template <class Real>
Candidates candidates(long double constant) {
  const Real nearest = static_cast<Real>(constant);
  if (nearest == constant) return {nearest, nearest};
  const Real limit = std::numeric_limits<Real>::infinity();
  return {nearest, std::nextafter(nearest, nearest < constant ? limit : -limit)};
}

Candidates candidates(long double constant, Precision precision) {
  return precision == Precision::float64 ? candidates<double>(constant) : candidates<float>(constant);
}

// Which of its numbers stands for each constant: the one whose change lowers the sum most, as long as one does.
class Descent {
 public:
  Descent(const Matrices& matrices, Precision precision) {
    const double size = product(matrices.whole, matrices.whole);
    std::vector<const Vector*> derivatives;
    Vector gains;
    for (const auto& [constant, derivative] : matrices.derivatives) {
      constants_.push_back(constant);
      numbers_.push_back(candidates(constant, precision));
      derivatives.push_back(&derivative);
      gains.push_back(product(matrices.whole, derivative) / size);
    }
    for (std::size_t i = 0; i < constants_.size(); ++i) {
      costs_.emplace_back();
      for (std::size_t j = 0; j < constants_.size(); ++j) {
        const double squares = j < i ? 0 : product(*derivatives[i], *derivatives[j]) / size;
        costs_[i].push_back(j < i ? costs_[j][i] : squares + gain_weight * gains[i] * gains[j]);
      }
    }
  }

  std::map<long double, long double> run() {
    constexpr double least_gain = 1e-3;  // relative: numbers are not changed for nothing
    while (true) {
      std::size_t best = constants_.size();
      double best_change = -least_gain * cost();
      for (std::size_t i = 0; i < constants_.size(); ++i) {
        const double change = change_of(i);
        if (change < best_change) best_change = change, best = i;
      }
      if (best == constants_.size()) break;
      std::swap(numbers_[best].nearest, numbers_[best].other);
    }
    std::map<long double, long double> result;
    for (std::size_t i = 0; i < constants_.size(); ++i) result[constants_[i]] = numbers_[i].nearest;
    return result;
  }

 private:
  double error(std::size_t i) const { return static_cast<double>(numbers_[i].nearest - constants_[i]); }

  // Half the derivative of the cost by the error of constant i.
  double slope(std::size_t i) const {
    double sum = 0;
    for (std::size_t j = 0; j < constants_.size(); ++j) sum += costs_[i][j] * error(j);
    return sum;
  }

  double cost() const {
    double sum = 0;
    for (std::size_t i = 0; i < constants_.size(); ++i) sum += slope(i) * error(i);
    return sum;
  }

  double change_of(std::size_t i) const {
    const auto step = static_cast<double>(numbers_[i].other - numbers_[i].nearest);
    return step * (2 * slope(i) + costs_[i][i] * step);
  }

  std::vector<long double> constants_;
  std::vector<Candidates> numbers_;  // `nearest` is the one taken
  std::vector<Vector> costs_;        // the cost is a quadratic form of the errors
};

}  // namespace

std::map<long double, long double> rounded_constants(const ButterflyGraph& butterfly, Precision precision) {
  std::map<long double, long double> nearest;
  const std::vector<unsigned> uses = butterfly.graph.use_counts(butterfly.outputs);
  for (std::uint32_t index = 0; index < butterfly.graph.size(); ++index) {
    const Node& node = butterfly.graph[{index}];
    if (node.operation != Operation::multiply || uses[index] == 0) continue;
    nearest[node.constant] = candidates(node.constant, precision).nearest;
  }
  if (nearest.size() > most_constants) return nearest;
  return Descent(matrices(butterfly), precision).run();
}

}  // namespace twiddle::kernel
