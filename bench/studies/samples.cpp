// Looking through samples.
#include "samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace twiddle::studies {
namespace {

template <class Value>
void add_new(std::vector<Value>& values, const Value& value) {
  if (std::ranges::find(values, value) == values.end()) values.push_back(value);
}

}  // namespace

std::vector<std::string> parts_of(const Samples& samples) {
  std::vector<std::string> parts;
  for (const Sample& sample : samples) add_new(parts, sample.part);
  return parts;
}

std::vector<std::string> series_of(const Samples& samples, const std::string& part) {
  std::vector<std::string> series;
  for (const Sample& sample : samples) {
    if (sample.part == part) add_new(series, sample.series);
  }
  return series;
}

std::vector<double> xs_of(const Samples& samples, const std::string& part) {
  std::vector<double> xs;
  for (const Sample& sample : samples) {
    if (sample.part == part) add_new(xs, sample.x);
  }
  std::ranges::sort(xs);
  return xs;
}

const Sample* find_sample(const Samples& samples, const std::string& part, double x, const std::string& series) {
  const auto found = std::ranges::find_if(
      samples, [&](const Sample& sample) { return sample.part == part && sample.x == x && sample.series == series; });
  return found == samples.end() ? nullptr : &*found;
}

std::optional<double> time_of(const Samples& samples, const std::string& part, double x, const std::string& series) {
  const Sample* const sample = find_sample(samples, part, x, series);
  if (sample == nullptr || !sample->complaint.empty()) return std::nullopt;
  return sample->microseconds.median;
}

std::vector<Ratio> ratios(const Samples& samples, const std::string& part, const std::string& slow,
                          const std::string& fast) {
  std::vector<Ratio> result;
  for (const double x : xs_of(samples, part)) {
    const auto above = time_of(samples, part, x, slow);
    const auto below = time_of(samples, part, x, fast);
    if (above && below && *below > 0) result.push_back({x, *above / *below});
  }
  return result;
}

std::string range_text(const std::vector<Ratio>& ratios) {
  if (ratios.empty()) return "not measured";
  const auto [least, most] = std::ranges::minmax(ratios, {}, &Ratio::value);
  if (ratios.size() == 1) return number_text(least.value);
  std::vector<double> values;
  for (const Ratio& ratio : ratios) values.push_back(ratio.value);
  return fmt::format("{} to {} (geometric mean {})", number_text(least.value), number_text(most.value),
                     number_text(bench::geometric_mean(values)));
}

std::string times_text(const std::string& what, const std::string& other, const std::vector<Ratio>& ratios) {
  if (ratios.empty()) return fmt::format("{} was not measured beside {}", what, other);
  return fmt::format("{} takes {} times as long as {}", what, range_text(ratios), other);
}

std::optional<double> crossover(const Samples& samples, const std::string& part, const std::string& champion,
                                const std::string& challenger) {
  std::optional<double> from;
  for (const Ratio& ratio : ratios(samples, part, champion, challenger)) {
    if (ratio.value <= 1) {
      from.reset();
    } else if (!from) {
      from = ratio.x;
    }
  }
  return from;
}

const Sample* fastest(const Samples& samples, const std::string& part, double x) {
  const Sample* best = nullptr;
  for (const Sample& sample : samples) {
    if (sample.part != part || sample.x != x || !sample.complaint.empty()) continue;
    if (best == nullptr || sample.microseconds.median < best->microseconds.median) best = &sample;
  }
  return best;
}

std::string number_text(double value) {
  if (value == 0) return "0";
  const int digits = std::max(0, 2 - static_cast<int>(std::floor(std::log10(std::abs(value)))));
  return fmt::format("{:.{}f}", value, digits);
}

}  // namespace twiddle::studies
