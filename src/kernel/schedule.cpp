// Orders statements greedily so that values die early.
#include "kernel/schedule.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace twiddle::kernel {
namespace {

class Scheduler {
 public:
  Scheduler(const ButterflyGraph& butterfly, std::vector<Statement> statements)
      : statements_(std::move(statements)), users_(butterfly.graph.size()), pending_(statements_.size()) {
    std::vector<bool> computed(butterfly.graph.size());
    for (const Statement& statement : statements_) computed[statement.result.index] = true;
    for (std::size_t s = 0; s < statements_.size(); ++s) {
      for (const Value operand : operands(statements_[s])) {
        users_[operand.index].push_back(s);
        if (computed[operand.index]) ++pending_[s];
      }
    }
    remaining_.resize(users_.size());
    for (std::size_t v = 0; v < users_.size(); ++v) remaining_[v] = users_[v].size();
    for (const Value output : butterfly.outputs) ++remaining_[output.index];  // never dies
    for (std::size_t v = 0; v < users_.size(); ++v) live_ += !computed[v] && remaining_[v] > 0;
  }

  Schedule run() {
    Schedule result{{}, live_};
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
      result.peak = std::max(result.peak, live_);
    }
    return result;
  }

 private:
  // Two operands that are the same value count once.
  static std::vector<Value> operands(const Statement& statement) {
    if (!statement.b || *statement.b == statement.a) return {statement.a};
    return {statement.a, *statement.b};
  }

  int growth(std::size_t s) const {
    int change = 1;
    for (const Value operand : operands(statements_[s])) change -= remaining_[operand.index] == 1;
    return change;
  }

  // Smaller is sooner: first what frees most, then what shares operands with what was just begun, then what is nearest
  // to the values computed last.
  std::tuple<int, std::size_t, std::size_t, std::size_t> rank(std::size_t s) const {
    std::size_t unfinished = 0;
    std::size_t age = std::numeric_limits<std::size_t>::max();
    for (const Value operand : operands(statements_[s])) {
      unfinished += remaining_[operand.index];
      age = std::min(age, clock_ - touched(operand));
    }
    return {growth(s), age, unfinished, s};
  }

  std::size_t touched(Value value) const { return value.index < touched_.size() ? touched_[value.index] : 0; }

  void execute(std::size_t s, std::vector<std::size_t>& ready) {
    live_ += growth(s);
    ++clock_;
    touched_.resize(users_.size());
    for (const Value operand : operands(statements_[s])) {
      --remaining_[operand.index];
      touched_[operand.index] = clock_;
    }
    const Value result = statements_[s].result;
    touched_[result.index] = clock_;
    for (const std::size_t user : users_[result.index]) {
      if (--pending_[user] == 0) ready.push_back(user);
    }
  }

  std::vector<Statement> statements_;
  std::vector<std::vector<std::size_t>> users_;  // statements that use a value
  std::vector<std::size_t> pending_;             // operands of a statement that are not computed yet
  std::vector<std::size_t> remaining_;           // uses of a value still to come
  std::vector<std::size_t> touched_;             // when a value was last computed or used
  std::size_t live_ = 0;
  std::size_t clock_ = 0;
};

}  // namespace

Schedule schedule(const ButterflyGraph& butterfly) { return Scheduler(butterfly, fuse(butterfly)).run(); }

}  // namespace twiddle::kernel
