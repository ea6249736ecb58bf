// Checks and turns.
#include "candidate_contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "measurement.hpp"
#include "plan/lower/lower.hpp"
#include "plan/lower/view.hpp"
#include "plan/recipe/recipe.hpp"
#include "run/execution.hpp"
#include "signal.hpp"
#include "twiddle/error.hpp"

namespace twiddle::bench {
namespace {

constexpr double turn_milliseconds = 2.5;                  // of executions that are submitted together
constexpr std::size_t most_together = 100;                 // of them
constexpr std::size_t piece_bytes = std::size_t{1} << 20;  // of results that are compared, at least an array
constexpr std::size_t most_pieces = 32;

struct Piece {
  std::size_t begin = 0;  // bytes
  std::size_t bytes = 0;
};

// Whole arrays, the first ones and the last ones among them.
std::vector<Piece> pieces_of(std::size_t bytes, std::size_t batch, bool whole) {
  if (whole) return {{0, bytes}};
  const std::size_t array = (bytes + batch - 1) / batch;  // what fills up the rows of the last one may be missing
  const std::size_t arrays = std::clamp<std::size_t>(piece_bytes / array, 1, batch);
  const std::size_t count = std::min(most_pieces, batch / arrays);
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = count == 1 ? 0 : i * (batch - arrays) / (count - 1);
    pieces.push_back({first * array, std::min(arrays * array, bytes - first * array)});
  }
  return pieces;
}

}  // namespace

void compare(CandidateEntry& entry, const Problem& problem, std::span<const std::byte> expected,
             std::span<const std::byte> results) {
  entry.difference = difference_of(problem, expected, results.data());
  if (entry.difference <= accepted_difference(problem.transform.precision)) return;
  entry.complaint = fmt::format("wrong result: {:.1e} from the plan's", entry.difference);
}

struct CandidateContest::Entrant {
  CandidateEntry entry;
  bool in_place = false;
  std::unique_ptr<run::Execution> execution{};  // none where there is a complaint
  std::unique_ptr<run::Execution> apart{};      // the same stages in two launches
  std::vector<double> times{};
};

CandidateContest::CandidateContest(const Device& device, std::size_t room)
    : device_(device.with_choices(nullptr)),
      pool_(device_.engine()),
      clock_(device_),
      room_(room),
      original_(device_, room),
      data_(device_, room),
      output_(device_, room) {}

std::vector<CandidateContest::Entrant> CandidateContest::enter(const Device& device, run::MemoryPool& pool,
                                                               const Problem& problem,
                                                               const std::vector<std::string>& ways, bool whole) {
  const DeviceLimits limits = device.limits();
  const plan::Sides sides = plan::sides_of(problem.transform, problem.direction, problem.placement);
  const auto make = [&](plan::Program program) {
    auto execution = std::make_unique<run::Execution>(device.engine(), pool, sides, std::move(program),
                                                      problem.placement, HookBuffers{});
    execution->compile();
    return execution;
  };
  const bool in_place = problem.placement == Placement::in_place;
  std::vector<Entrant> entrants;
  entrants.push_back({{"plan"}, in_place});
  entrants.back().execution = make(plan::lower(plan::make_recipe(problem.transform, limits), problem.transform,
                                               problem.direction, problem.placement, limits));
  for (const std::string& way : ways) {
    Entrant& entrant = entrants.emplace_back(Entrant{{way}, in_place});
    try {
      plan::Program program = candidate_program({problem, way}, limits);
      if (whole && program.joined) {
        plan::Program apart = program;
        apart.joined.reset();
        entrant.apart = make(std::move(apart));
      }
      entrant.execution = make(std::move(program));
    } catch (const Error& error) {
      entrant.entry.complaint = error.what();
    }
  }
  return entrants;
}

void CandidateContest::fill(Precision precision) {
  if (filled_with_ == precision) return;
  filled_with_ = precision;
  original_.write_bytes(random_input(precision, room_));
}

void CandidateContest::put_back(std::size_t bytes) {
  clock_.copy(cuda::pointer(data_), cuda::pointer(original_), bytes);
}

void CandidateContest::execute(Entrant& entrant, bool apart) {
  run::Execution& execution = apart ? *entrant.apart : *entrant.execution;
  if (entrant.in_place) return execution.run(data_.memory(), data_.memory(), nullptr);
  execution.run(original_.memory(), output_.memory(), nullptr);
}

std::vector<std::byte> CandidateContest::results(Entrant& entrant, const Problem& problem, bool apart, bool whole) {
  const std::size_t bytes = entrant.execution->output_bytes();
  if (entrant.in_place) put_back(entrant.execution->in_place_bytes());
  execute(entrant, apart);
  std::vector<std::byte> read;
  for (const Piece& piece : pieces_of(bytes, problem.transform.batch, whole)) {
    const std::uint64_t begin = cuda::pointer(entrant.in_place ? data_ : output_) + piece.begin;
    const std::size_t skipped = begin % 16;  // wrapped memory begins at multiples of 16 bytes
    const Buffer part = cuda::wrap(device_, begin - skipped, skipped + piece.bytes);
    std::vector<std::byte> raw(skipped + piece.bytes);
    part.read_bytes(raw);
    read.insert(read.end(), raw.begin() + static_cast<std::ptrdiff_t>(skipped), raw.end());
  }
  return read;
}

void CandidateContest::check(Entrant& entrant, const Problem& problem, std::vector<std::byte>& expected,
                             const Checks& checks) {
  std::string& complaint = entrant.entry.complaint;
  const std::vector<std::byte> first = results(entrant, problem, false, checks.whole);
  if (expected.empty()) expected = first;
  compare(entrant.entry, problem, expected, first);
  for (std::size_t i = 1; i < checks.repetitions && complaint.empty(); ++i) {
    if (results(entrant, problem, false, checks.whole) != first) {
      complaint = fmt::format("other bits in execution {} of the same input", i + 1);
    }
  }
  if (entrant.apart && complaint.empty() && results(entrant, problem, true, checks.whole) != first) {
    complaint = "other bits than the same stages in two launches";
  }
  if (!complaint.empty()) entrant.execution.reset();
}

void CandidateContest::take_turns(std::vector<Entrant>& entrants, const Problem& problem, std::size_t rounds) {
  std::size_t executions = 1;
  const auto turn = [&](Entrant& entrant) {
    if (entrant.in_place) put_back(entrant.execution->in_place_bytes());
    const double elapsed = clock_.milliseconds([&] {
      for (std::size_t i = 0; i < executions; ++i) execute(entrant, false);
    });
    return elapsed / static_cast<double>(executions);
  };
  std::erase_if(entrants, [](const Entrant& entrant) { return entrant.execution == nullptr; });
  if (entrants.empty()) return;
  executions = std::clamp<std::size_t>(static_cast<std::size_t>(turn_milliseconds / turn(entrants.front())), 1,
                                       std::min(most_together, most_executions(problem)));
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < entrants.size(); ++i) {
      Entrant& entrant = entrants[(round + i) % entrants.size()];
      entrant.times.push_back(turn(entrant));
    }
  }
}

std::vector<CandidateEntry> CandidateContest::measure(const Problem& problem, const std::vector<std::string>& ways,
                                                      std::size_t rounds, const Checks& checks) {
  std::vector<Entrant> entrants = enter(device_, pool_, problem, ways, checks.whole);
  if (const std::size_t bytes = entrants.front().execution->in_place_bytes(); bytes > room_) {
    throw InvalidArgument(fmt::format("{} takes {} bytes; expected at most {}", to_string(problem), bytes, room_));
  }
  fill(problem.transform.precision);
  std::vector<std::byte> expected;
  std::vector<CandidateEntry> entries;
  for (Entrant& entrant : entrants) {
    if (entrant.execution) check(entrant, problem, expected, checks);
    entries.push_back(entrant.entry);
  }
  take_turns(entrants, problem, rounds);
  for (const Entrant& entrant : entrants) {
    CandidateEntry& entry = *std::ranges::find(entries, entrant.entry.way, &CandidateEntry::way);
    entry.milliseconds = median(entrant.times);
    entry.spread = relative_spread(entrant.times);
  }
  return entries;
}

void CandidateContest::compile(const Device& device, const Problem& problem, const std::vector<std::string>& ways,
                               bool whole) {
  const Device plain = device.with_choices(nullptr);
  run::MemoryPool pool(plain.engine());
  (void)enter(plain, pool, problem, ways, whole);
}

}  // namespace twiddle::bench
