// Orders statements greedily so that values die early.
#include "kernel/schedule.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace twiddle::kernel {
namespace {

class Scheduler {
 public:
  Scheduler(const ButterflyGraph& butterfly, Residence residence)
      : statements_(fuse(butterfly)),
        residence_(residence),
        values_(butterfly.graph.size()),
        pending_(statements_.size()),
        missing_parts_(butterfly.outputs.size() / 2, 2) {
    for (const Statement& statement : statements_) values_[statement.result.index].computed = true;
    for (std::size_t s = 0; s < statements_.size(); ++s) {
      for (const Value operand : operands(statements_[s])) {
        values_[operand.index].users.push_back(s);
        pending_[s] += values_[operand.index].computed;
      }
    }
    for (std::uint32_t index = 0; index < values_.size(); ++index) {
      Properties& value = values_[index];
      value.remaining = value.users.size();
      const Node& node = butterfly.graph[{index}];
      if (node.operation == Operation::input) value.input = node.input / 2;
      if (value.input && residence == Residence::registers) ++live_;
    }
    for (std::size_t slot = 0; slot < butterfly.outputs.size(); ++slot) {
      values_[butterfly.outputs[slot].index].output = slot / 2;
    }
    loaded_.resize(missing_parts_.size(), residence == Residence::registers);
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
    bool computed = false;                // by a statement
    std::vector<std::size_t> users;       // statements
    std::size_t remaining = 0;            // uses still to come
    std::size_t touched = 0;              // when it was last computed or used
    std::optional<std::size_t> input{};   // element that it is a part of
    std::optional<std::size_t> output{};  // element that it is a part of
  };

  // Two operands that are the same value count once.
  static std::vector<Value> operands(const Statement& statement) {
    if (!statement.b || *statement.b == statement.a) return {statement.a};
    return {statement.a, *statement.b};
  }

  // By how much a statement changes the number of values in registers.
  int growth(std::size_t s) const {
    int change = 1;
    std::optional<std::size_t> loading;
    for (const Value operand : operands(statements_[s])) {
      const Properties& value = values_[operand.index];
      if (value.input && !loaded_[*value.input] && loading != value.input) {
        change += 2;
        loading = value.input;
      }
      if (value.remaining == 1 && !value.output) --change;
    }
    const auto& output = values_[statements_[s].result.index].output;
    if (residence_ == Residence::memory && output && missing_parts_[*output] == 1) change -= 2;
    return change;
  }

  // Smaller is sooner: first what frees most, then what is nearest to the values computed or used last.
  std::tuple<int, std::size_t, std::size_t, std::size_t> rank(std::size_t s) const {
    std::size_t unfinished = 0;
    std::size_t age = std::numeric_limits<std::size_t>::max();
    for (const Value operand : operands(statements_[s])) {
      unfinished += values_[operand.index].remaining;
      age = std::min(age, clock_ - values_[operand.index].touched);
    }
    return {growth(s), age, unfinished, s};
  }

  void execute(std::size_t s, std::vector<std::size_t>& ready) {
    live_ += growth(s);
    ++clock_;
    for (const Value operand : operands(statements_[s])) {
      Properties& value = values_[operand.index];
      --value.remaining;
      value.touched = clock_;
      if (value.input) loaded_[*value.input] = true;
    }
    Properties& result = values_[statements_[s].result.index];
    result.touched = clock_;
    if (result.output) --missing_parts_[*result.output];
    for (const std::size_t user : result.users) {
      if (--pending_[user] == 0) ready.push_back(user);
    }
  }

  std::vector<Statement> statements_;
  Residence residence_;
  std::vector<Properties> values_;
  std::vector<std::size_t> pending_;        // operands of a statement that are not computed yet
  std::vector<std::size_t> missing_parts_;  // of an output element
  std::vector<bool> loaded_;                // input elements
  int live_ = 0;
  std::size_t clock_ = 0;
};

}  // namespace

Schedule schedule(const ButterflyGraph& butterfly, Residence residence) {
  return Scheduler(butterfly, residence).run();
}

}  // namespace twiddle::kernel
