// Taking turns.
#include "contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>

#include "page_memory.hpp"
#include "real_time.hpp"
#include "signal.hpp"
#include "twiddle/error.hpp"
#include "twiddle/plan.hpp"

namespace twiddle::bench {
namespace {

constexpr std::size_t fewest_rounds = 5;

class Contest {
 public:
  Contest(const Case& test, std::span<Library* const> libraries, const Effort& effort)
      : test_(test), effort_(effort), plan_(host_with(test.threads), test.problem.transform) {
    const auto [direction, placement] = std::pair(test.problem.direction, test.problem.placement);
    const std::size_t input_bytes = plan_.input_bytes(direction, placement);
    output_bytes_ = plan_.output_bytes(direction, placement);
    const bool in_place = placement == Placement::in_place;
    input_ = std::make_unique<PageMemory>(in_place ? std::max(input_bytes, output_bytes_) : input_bytes);
    if (!in_place) {
      output_ = std::make_unique<PageMemory>(output_bytes_, place_of_output(input_bytes, output_bytes_));
    }
    signal_ = random_input(test.problem.transform.precision, input_->size());
    for (Library* const library : libraries) enter(*library);
  }

  std::vector<Entry> hold() {
    compare();
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (!entries_[i].complaint.empty()) continue;
      ready.push_back(i);
      choose_block(i);
    }
    const auto start = Clock::now();
    for (std::size_t round = 0; round < std::max(effort_.rounds, fewest_rounds); ++round) {
      if (round >= fewest_rounds && seconds_since(start) > effort_.seconds) break;
      for (std::size_t turn = 0; turn < ready.size(); ++turn) take_turn(ready[(round + turn) % ready.size()]);
    }
    for (const std::size_t i : ready) conclude(i);
    return std::move(entries_);
  }

 private:
  void enter(Library& library) {
    Entry& entry = entries_.emplace_back(Entry{.library = library.name(), .version = library.version()});
    contenders_.emplace_back();
    blocks_.push_back(1);
    times_.emplace_back();
    std::optional<RealTime> real_time;  // FFTW measures while it plans
    if (effort_.real_time) real_time.emplace();
    const auto start = Clock::now();
    try {
      contenders_.back() = library.plan(test_.problem, input_->data(), output(), test_.threads);
    } catch (const Unsupported& error) {
      if (entries_.size() == 1) throw;  // what we cannot do ourselves is no contest
      entry.complaint = error.what();
    }
    entry.planning_milliseconds = 1e3 * seconds_since(start);
  }

  [[nodiscard]] std::byte* output() const { return output_ ? output_->data() : input_->data(); }

  void reset() { std::memcpy(input_->data(), signal_.data(), signal_.size()); }

  void compare() {
    std::vector<std::byte> expected;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (!entries_[i].complaint.empty()) continue;
      reset();
      if (output_) std::memset(output(), 0, output_bytes_);
      contenders_[i]->run();
      if (i == 0) {
        expected.assign(output(), output() + output_bytes_);
        continue;
      }
      entries_[i].difference = difference_of(test_.problem, expected, output());
      if (!(entries_[i].difference <= accepted_difference(test_.problem.transform.precision))) {
        entries_[i].complaint = fmt::format("{}: {:.1e} of the norm", wrong_result, entries_[i].difference);
      }
    }
  }

  void choose_block(std::size_t i) {
    reset();
    contenders_[i]->run();
    const auto start = Clock::now();
    contenders_[i]->run();
    const double once = std::max(1e-8, seconds_since(start));
    const double wanted = std::clamp(std::ceil(effort_.block_seconds / once), 1.0, 1e6);
    // One execution of those that may be is for warming up.
    const std::size_t most = most_executions(test_.problem);
    blocks_[i] = std::min(static_cast<std::size_t>(wanted), std::max<std::size_t>(2, most) - 1);
  }

  void take_turn(std::size_t i) {
    // Threads of the one before may still look for work.
    if (test_.threads > 1) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    reset();
    std::optional<RealTime> real_time;
    if (effort_.real_time) real_time.emplace();
    // A second thread must not be found asleep, with the input in the first one's cache.
    if (blocks_[i] > 1 || (test_.threads > 1 && most_executions(test_.problem) > 1)) contenders_[i]->run();
    const auto start = Clock::now();
    for (std::size_t execution = 0; execution < blocks_[i]; ++execution) contenders_[i]->run();
    times_[i].push_back(1e6 * seconds_since(start) / static_cast<double>(blocks_[i]));
  }

  void conclude(std::size_t i) {
    Entry& entry = entries_[i];
    entry.microseconds = spread_of(times_[i]);
    std::vector<double> ratios;
    for (std::size_t round = 0; round < times_[i].size(); ++round)
      ratios.push_back(times_[i][round] / times_[0][round]);
    entry.ratio = spread_of(ratios);
    entry.gigaflops = nominal_operations(test_.problem.transform) / entry.microseconds.median * 1e-3;
  }

  const Case& test_;
  const Effort& effort_;
  Plan plan_;  // for the sizes of the memory
  std::size_t output_bytes_;
  std::unique_ptr<PageMemory> input_;
  std::unique_ptr<PageMemory> output_;  // null in place
  std::vector<std::byte> signal_;
  std::vector<Entry> entries_;
  std::vector<std::unique_ptr<Contender>> contenders_;
  std::vector<std::size_t> blocks_;
  std::vector<std::vector<double>> times_;
};

}  // namespace

std::vector<Entry> hold_contest(const Case& test, std::span<Library* const> libraries, const Effort& effort) {
  return Contest(test, libraries, effort).hold();
}

}  // namespace twiddle::bench
