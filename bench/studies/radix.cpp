// Mixed radices against powers of two, and twiddles in the butterflies against passes of their own.
#include <fmt/format.h>

#include <bit>

#include "strategy_ways.hpp"
#include "studies.hpp"
#include "twiddle/strategy.hpp"

namespace twiddle::studies {
namespace {

constexpr const char* powers = "powers of two";
constexpr const char* others = "other lengths";
constexpr const char* squares = "squares, by their side";
constexpr const char* all_radices = "all radices";
constexpr const char* padded = "padded to a power of two";
constexpr const char* padded_by_two = "padded, radix 2 only";
constexpr const char* two_only = "radix 2 only";
constexpr const char* two_and_four = "radices 2 and 4";

Problem lines(const Setting& setting, std::size_t n) {
  return {.transform = {.lengths = {n}, .batch = batch_for(setting, n)}};
}

std::vector<Trial> radix_trials(const Setting& setting) {
  std::vector<Trial> result;
  for (std::size_t n = 64; n <= (setting.quick ? 1U << 12 : 1U << 18); n *= setting.quick ? 8 : 4) {
    result.push_back({powers, static_cast<double>(n)});
  }
  const std::vector<double> lengths =
      setting.quick ? std::vector<double>{120, 1000} : std::vector<double>{120, 360, 1000, 3000, 10000, 44100};
  for (const double n : lengths) result.push_back({others, n});
  for (const double n : setting.quick ? std::vector<double>{120} : std::vector<double>{120, 1000}) {
    result.push_back({squares, n});
  }
  return result;
}

// As many transforms of the next power of two: what padding costs.
std::vector<Sample> measure_padded(const Setting& setting, const Trial& trial) {
  const auto n = static_cast<std::size_t>(trial.x);
  const std::size_t longer = std::bit_ceil(n);
  const bool square = trial.part == squares;
  const std::size_t batch = batch_for(setting, square ? longer * longer : longer);
  const auto problem = [&](std::size_t length) {
    return Problem{.transform = {.lengths = std::vector<std::size_t>(square ? 2 : 1, length), .batch = batch}};
  };
  const auto work = [&](std::size_t length, const char* strategy) {
    return transform_work(setting.device.with_strategy(parse_strategy(strategy)), problem(length));
  };
  Turns turns(setting, trial);
  turns.add(all_radices, [&] { return work(n, "default"); });
  turns.add(padded, [&] { return work(longer, "default"); });
  if (!square || !setting.quick) turns.add(padded_by_two, [&] { return work(longer, "radices=2"); });
  return turns.measure();
}

std::vector<Sample> measure_radices(const Setting& setting, const Trial& trial) {
  if (trial.part != powers) return measure_padded(setting, trial);
  return measure_strategies(setting, trial, lines(setting, static_cast<std::size_t>(trial.x)),
                            {{all_radices, "default"},
                             {two_and_four, "radices=4"},
                             {two_only, "radices=2"},
                             {"all radices, a launch each", "staging=memory"},
                             {"radices 2 and 4, a launch each", "staging=memory,radices=4"},
                             {"radix 2 only, a launch each", "staging=memory,radices=2"}});
}

std::vector<Comparison> radix_comparisons(const Samples& samples) {
  std::vector<Ratio> four;
  for (const Ratio& ratio : ratios(samples, powers, "radix 2 only, a launch each", "radices 2 and 4, a launch each")) {
    if (ratio.x >= 4096) four.push_back(ratio);
  }
  return {{"radix 2 over radices 2 and 4, from 4096 points on, a launch each", "1.7", range_text(four)},
          {"radix 2 only over all radices", "-", range_text(ratios(samples, powers, two_only, all_radices))},
          {"padding to a power of two, one dimension", "up to 2 times the work",
           range_text(ratios(samples, others, padded, all_radices))},
          {"padding to a power of two, two dimensions", "up to 4 times the work",
           range_text(ratios(samples, squares, padded, all_radices))}};
}

std::string radix_reading(const Samples& samples) {
  return fmt::format("{}; {}, and {}.",
                     times_text("Radix 2 alone", "all radices", ratios(samples, powers, two_only, all_radices)),
                     times_text("padding to the next power of two", "the length itself in one dimension",
                                ratios(samples, others, padded, all_radices)),
                     times_text("padding", "the length itself in two", ratios(samples, squares, padded, all_radices)));
}

constexpr const char* lengths_part = "lines";
constexpr const char* merged = "merged, a launch for each radix";
constexpr const char* separate = "in passes of their own";
constexpr const char* on_chip = "merged, lines on chip";

std::vector<Trial> twiddle_trials(const Setting& setting) {
  std::vector<Trial> result;
  for (const double n : setting.quick ? std::vector<double>{256, 1000}
                                      : std::vector<double>{64, 256, 1000, 1024, 4096, 10000, 16384, 65536}) {
    result.push_back({lengths_part, n});
  }
  return result;
}

std::vector<Sample> measure_twiddles(const Setting& setting, const Trial& trial) {
  return measure_strategies(setting, trial, lines(setting, static_cast<std::size_t>(trial.x)),
                            {{on_chip, "default"},
                             {merged, "staging=memory"},
                             {separate, "twiddles=separate"},
                             {"digit reversal in a pass of its own", "reversal=separate"},
                             {"both in passes of their own", "twiddles=separate,reversal=separate"}});
}

std::vector<Comparison> twiddle_comparisons(const Samples& samples) {
  return {
      {"twiddles in passes of their own over merged ones", "about 1.5 overall",
       range_text(ratios(samples, lengths_part, separate, merged))},
      {"a launch for each radix over lines on chip", "-", range_text(ratios(samples, lengths_part, merged, on_chip))}};
}

std::string twiddle_reading(const Samples& samples) {
  const std::string winner = winner_text(samples, lengths_part, "points");
  return fmt::format("{}{}.",
                     times_text("Multiplying by twiddles in passes of their own", "in the butterflies",
                                ratios(samples, lengths_part, separate, merged)),
                     winner.empty() ? "" : "; " + winner);
}

}  // namespace

Study radix_study() {
  return {.name = "radix",
          .title = "Mixed radices, radix 2, and padding",
          .shows =
              "Time of as many transforms as make a device busy, over their length: with butterflies of all radices, "
              "of 2 and 4, or of 2 alone; and what it costs to pad other lengths to a power of two.",
          .source = "Mixed-radix FFT in one dimension on a mobile GPU",
          .quantity = "one batch",
          .x_name = "points",
          .trials = radix_trials,
          .measure = measure_radices,
          .comparisons = radix_comparisons,
          .reading = radix_reading};
}

Study twiddle_study() {
  return {.name = "twiddle",
          .title = "Twiddles and digit reversal: merged or in passes of their own",
          .shows =
              "Time of as many transforms as make a device busy, over their length. Each pass of its own reads and "
              "writes all of memory once more.",
          .source = "Mixed-radix FFT in one dimension on a mobile GPU",
          .quantity = "one batch",
          .x_name = "points",
          .obstacle = needs_work_groups,
          .trials = twiddle_trials,
          .measure = measure_twiddles,
          .comparisons = twiddle_comparisons,
          .reading = twiddle_reading};
}

}  // namespace twiddle::studies
