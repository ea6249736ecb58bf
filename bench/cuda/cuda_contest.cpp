// Turns, checks and what they are divided into.
#include "cuda_contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <span>
#include <utility>

#include "forward_data.hpp"
#include "measurement.hpp"
#include "plan/lower/stage.hpp"
#include "plan_contender.hpp"
#include "twiddle/error.hpp"

namespace twiddle::bench {
namespace {

constexpr double turn_milliseconds = 2.5;  // of executions that are submitted together
constexpr double peer_leniency = 10;       // peers may compute with less exact roots

}  // namespace

struct CudaContest::Entrant {
  CudaEntry entry;
  std::unique_ptr<Contender> contender{};  // none where there is a complaint
  std::vector<double> times{};
};

CudaContest::CudaContest(const Device& device, std::vector<std::unique_ptr<CudaPeer>> peers, std::size_t room,
                         std::size_t copied_bytes)
    : device_(device),
      peers_(std::move(peers)),
      room_(room),
      clock_(device_),
      original_(device_, std::max(room, copied_bytes)),
      data_(device_, std::max(room, copied_bytes)),
      copy_rate_(clock_.copy_rate(cuda::pointer(data_), cuda::pointer(original_), copied_bytes, 15)) {}

void CudaContest::check(const Problem& problem) const {
  check_plain_problem(problem);
  if (problem.direction != Direction::forward || problem.placement != Placement::in_place) {
    throw Unsupported("on CUDA devices peers are given forward transforms in place: say inplace, and not inverse");
  }
  const std::size_t bytes = data_bytes(problem.transform);
  if (bytes > room_) throw InvalidArgument(fmt::format("{} bytes; expected at most {}", bytes, room_));
}

void CudaContest::fill(Precision precision) {
  if (filled_with_ == precision) return;
  filled_with_ = precision;
  const std::size_t count = room_ / plan::scalar_bytes(precision);
  Buffer original = cuda::wrap(device_, cuda::pointer(original_), count * plan::scalar_bytes(precision));
  if (precision == Precision::float64) {
    values_ = make_input<double>(count);
    original.write(values_);
  } else {
    const std::vector<float> floats = make_input<float>(count);
    original.write(floats);
    values_.assign(floats.begin(), floats.end());
  }
}

std::vector<CudaContest::Entrant> CudaContest::plan(const Problem& problem) {
  const Transform& transform = problem.transform;
  const CudaPlace place{cuda::pointer(data_), cuda::stream(device_)};
  std::vector<Entrant> entrants;
  entrants.push_back({{"twiddle"}, make_plan_contender(device_, transform, place)});
  for (const auto& peer : peers_) {
    entrants.push_back({{peer->name()}});
    try {
      entrants.back().contender = peer->plan(transform, place);
    } catch (const Unsupported& error) {
      entrants.back().entry.complaint = error.what();
    }
  }
  return entrants;
}

void CudaContest::compile(const Problem& problem) {
  check(problem);
  clock_.in_context([&] { static_cast<void>(plan(problem)); });
}

void CudaContest::put_back(std::size_t bytes) { clock_.copy(cuda::pointer(data_), cuda::pointer(original_), bytes); }

void CudaContest::check_result(Entrant& entrant, const SampledSpectrum& spectrum, std::size_t bytes,
                               Precision precision) {
  put_back(bytes);
  entrant.contender->run();
  const std::size_t element_bytes = 2 * plan::scalar_bytes(precision);
  entrant.entry.error = spectrum.error([&](std::size_t array, std::size_t element) {
    const std::size_t start = (array * spectrum.output_size() + element) * element_bytes;
    const std::size_t skipped = start % 16;  // wrapped memory starts at multiples of 16 bytes
    const Buffer part = cuda::wrap(device_, cuda::pointer(data_) + start - skipped, skipped + element_bytes);
    std::array<std::byte, 32> raw{};
    part.read_bytes(std::span(raw).first(skipped + element_bytes));
    return complex_at(raw.data() + skipped, precision);
  });
  const double accepted = accepted_error(precision) * (entrant.entry.library == "twiddle" ? 1 : peer_leniency);
  if (entrant.entry.error < accepted) return;  // neither does not-a-number
  entrant.entry.complaint = fmt::format("wrong result: error {:.1e}", entrant.entry.error);
  entrant.contender.reset();
}

void CudaContest::take_turns(std::vector<Entrant>& entrants, const Transform& transform, std::size_t bytes,
                             std::size_t rounds) {
  std::size_t executions = 1;
  const auto turn = [&](Entrant& entrant) {
    put_back(bytes);
    const double elapsed = clock_.milliseconds([&] {
      for (std::size_t i = 0; i < executions; ++i) entrant.contender->run();
    });
    return elapsed / static_cast<double>(executions);
  };
  std::erase_if(entrants, [](const Entrant& entrant) { return entrant.contender == nullptr; });
  if (entrants.empty()) return;
  executions = std::clamp<std::size_t>(static_cast<std::size_t>(turn_milliseconds / turn(entrants.front())), 1,
                                       most_forward_executions(transform));
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < entrants.size(); ++i) {
      Entrant& entrant = entrants[(round + i) % entrants.size()];
      entrant.times.push_back(turn(entrant));
    }
  }
}

CudaResult CudaContest::measure(const Problem& problem, std::size_t rounds) {
  check(problem);
  const Transform& transform = problem.transform;
  const std::size_t bytes = data_bytes(transform);
  CudaResult result{problem, {}};
  fill(transform.precision);
  const SampledSpectrum spectrum = expected_spectrum(transform, values_);
  clock_.in_context([&] {
    std::vector<Entrant> entrants = plan(problem);
    for (Entrant& entrant : entrants) {
      if (entrant.contender) check_result(entrant, spectrum, bytes, transform.precision);
      result.entries.push_back(entrant.entry);
    }
    take_turns(entrants, transform, bytes, rounds);
    for (const Entrant& entrant : entrants) {
      CudaEntry& entry = *std::ranges::find(result.entries, entrant.entry.library, &CudaEntry::library);
      entry.milliseconds = median(entrant.times);
      entry.spread = relative_spread(entrant.times);
    }
  });
  if (const double own = result.entries.front().milliseconds; own > 0) {
    result.gigabytes_per_second = least_bytes(transform) / own * 1e-6;
    result.fraction_of_copy = result.gigabytes_per_second / copy_rate_;
  }
  return result;
}

}  // namespace twiddle::bench
