// Transforms of two dimensions: launches and transpositions.
#include <fmt/format.h>

#include "strategy_ways.hpp"
#include "studies.hpp"

namespace twiddle::studies {
namespace {

constexpr const char* squares = "squares";
constexpr const char* one_launch = "one launch for all rows";
constexpr const char* launch_per_row = "one launch for each row";
constexpr const char* none = "no transposition";
constexpr const char* by_host = "by the host";
constexpr const char* elementwise = "elementwise";
constexpr const char* in_place = "blocked, in place";

std::vector<Trial> trials(const Setting& setting) {
  std::vector<Trial> result;
  for (const double n :
       setting.quick ? std::vector<double>{120, 512} : std::vector<double>{64, 120, 256, 512, 1000, 1024, 2048, 3000}) {
    result.push_back({squares, n});
  }
  return result;
}

Problem square(const Trial& trial) {
  const auto n = static_cast<std::size_t>(trial.x);
  return {.transform = {.lengths = {n, n}}};
}

std::vector<Sample> measure_launches(const Setting& setting, const Trial& trial) {
  return measure_strategies(setting, trial, square(trial),
                            {{one_launch, "default"}, {launch_per_row, "launches=rows"}});
}

std::vector<Sample> measure_transposes(const Setting& setting, const Trial& trial) {
  std::vector<StrategyWay> ways{{none, "default"},
                                {by_host, "transposes=host"},
                                {elementwise, "transposes=elementwise"},
                                {"blocks of 2", "transposes=blocked,block=2"},
                                {"blocks of 8", "transposes=blocked,block=8"},
                                {"blocks of 32", "transposes=blocked,block=32"},
                                {in_place, "transposes=in-place"}};
  if (!setting.quick) {
    ways.insert(ways.end(),
                {{"blocks of 4", "transposes=blocked,block=4"}, {"blocks of 16", "transposes=blocked,block=16"}});
  }
  return measure_strategies(setting, trial, square(trial), ways);
}

std::vector<Comparison> launch_comparisons(const Samples& samples) {
  return {{"one launch for each row over one for all", "a step, no figure",
           range_text(ratios(samples, squares, launch_per_row, one_launch))}};
}

std::string launch_reading(const Samples& samples) {
  return times_text("One launch for each row", "one for all", ratios(samples, squares, launch_per_row, one_launch)) +
         ".";
}

std::string best_block(const Samples& samples) {
  const auto xs = xs_of(samples, squares);
  const Sample* best = nullptr;
  for (const Sample& sample : samples) {
    if (xs.empty() || sample.x != xs.back() || !sample.series.starts_with("blocks of ") || !sample.complaint.empty())
      continue;
    if (best == nullptr || sample.microseconds.median < best->microseconds.median) best = &sample;
  }
  return best == nullptr ? "not measured" : fmt::format("{} at {:.0f} points a side", best->series, best->x);
}

std::vector<Comparison> transpose_comparisons(const Samples& samples) {
  return {{"transposition by the host over an elementwise kernel", "a step, no figure",
           range_text(ratios(samples, squares, by_host, elementwise))},
          {"best block", "2 x 2", best_block(samples)},
          {"elementwise transposition over none at all", "the stated next step",
           range_text(ratios(samples, squares, elementwise, none))}};
}

std::string transpose_reading(const Samples& samples) {
  const std::string winner = winner_text(samples, squares, "points a side");
  return winner.empty() ? "Only one way was measured." : fmt::format("Of the transpositions, {}.", winner);
}

}  // namespace

Study launches_study() {
  return {.name = "launches",
          .title = "One launch for each row, or one for all",
          .shows = "Time of one transform of n x n points by rows and columns.",
          .source = "FFT in two dimensions on a mobile GPU",
          .quantity = "one transform",
          .x_name = "points a side",
          .obstacle = needs_work_groups,
          .trials = trials,
          .measure = measure_launches,
          .comparisons = launch_comparisons,
          .reading = launch_reading};
}

Study transpose_study() {
  return {.name = "transpose",
          .title = "Transpositions between rows and columns",
          .shows =
              "Time of one transform of n x n points: transposed by the host, by kernels of several kinds, or not at "
              "all, as this library does by itself.",
          .source = "FFT in two dimensions on a mobile GPU",
          .quantity = "one transform",
          .x_name = "points a side",
          .obstacle = needs_work_groups,
          .trials = trials,
          .measure = measure_transposes,
          .comparisons = transpose_comparisons,
          .reading = transpose_reading};
}

}  // namespace twiddle::studies
