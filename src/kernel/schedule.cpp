// Orders statements greedily so that values die early.
#include "kernel/schedule.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace twiddle::kernel {
namespace {

class Scheduler {
 public:
  explicit Scheduler(const ButterflyGraph& butterfly)
      : statements_(fuse(butterfly)), values_(butterfly.graph.size()), pending_(statements_.size()) {
    std::vector<bool> computed(values_.size());
    for (const Statement& statement : statements_) computed[statement.result.index] = true;
    for (std::size_t s = 0; s < statements_.size(); ++s) {
      for (const Value operand : operands(statements_[s])) {
        values_[operand.index].users.push_back(s);
        pending_[s] += computed[operand.index];
      }
    }
    for (std::size_t v = 0; v < values_.size(); ++v) {
      values_[v].remaining = values_[v].users.size();
      live_ += !computed[v] && !values_[v].users.empty();  // inputs
    }
    for (const Value output : butterfly.outputs) ++values_[output.index].remaining;  // never dies
  }

  Schedule run() {
    Schedule result{{}, static_cast<std::size_t>(live_)};
    std::vector<std::size_t> ready;
    for (std::size_t s = 0; s < statements_.size(); ++s) {
      if (pending_[s] == 0) ready.push_back(s);
    }
    while (!ready.empty()) {
      const auto best =
          std::min_element(ready.begin(), ready.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
      const std::size_t chosen = *best;
      ready.erase(best);
      execute(chosen, ready);
      result.statements.push_back(statements_[chosen]);
      result.peak = std::max(result.peak, static_cast<std::size_t>(live_));
    }
    return result;
  }

 private:
  struct Properties {
    std::vector<std::size_t> users;  // statements
    std::size_t remaining = 0;       // uses still to come
    std::size_t touched = 0;         // when it was last computed or used
  };

  // Two operands that are the same value count once.
  static std::vector<Value> operands(const Statement& statement) {
    if (!statement.b || *statement.b == statement.a) return {statement.a};
    return {statement.a, *statement.b};
  }

  // By how much a statement changes the number of values alive.
  int growth(std::size_t s) const {
    int change = 1;
    for (const Value operand : operands(statements_[s])) change -= values_[operand.index].remaining == 1;
    return change;
  }

  // Smaller is sooner: first what frees most, then what brings values nearest to their last use, its own result
  // included, then what is nearest to the values computed or used last.
  std::tuple<int, std::size_t, std::size_t, std::size_t> rank(std::size_t s) const {
    std::size_t unfinished = 0;
    std::size_t age = std::numeric_limits<std::size_t>::max();
    for (const Value operand : operands(statements_[s])) {
      unfinished += values_[operand.index].remaining;
      age = std::min(age, clock_ - values_[operand.index].touched);
    }
    for (const std::size_t user : values_[statements_[s].result.index].users) unfinished += pending_[user];
    return {growth(s), unfinished, age, s};
  }

  void execute(std::size_t s, std::vector<std::size_t>& ready) {
    live_ += growth(s);
    ++clock_;
    for (const Value operand : operands(statements_[s])) {
      --values_[operand.index].remaining;
      values_[operand.index].touched = clock_;
    }
    Properties& result = values_[statements_[s].result.index];
    result.touched = clock_;
    for (const std::size_t user : result.users) {
      if (--pending_[user] == 0) ready.push_back(user);
    }
  }

  std::vector<Statement> statements_;
  std::vector<Properties> values_;
  std::vector<std::size_t> pending_;  // operands of a statement that are not computed yet
  int live_ = 0;
  std::size_t clock_ = 0;
};

}  // namespace

Schedule schedule(const ButterflyGraph& butterfly) { return Scheduler(butterfly).run(); }

}  // namespace twiddle::kernel
