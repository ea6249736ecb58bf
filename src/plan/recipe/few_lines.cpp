// Elements of a work-item as a strategy would say them.
#include "plan/recipe/few_lines.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "plan/choice/choice_table.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/shape/measured_device.hpp"

namespace twiddle::plan {
namespace {

// Measured on an H100: shorter rows have a single pass; longer ones take up to 1.5 times as long with one more.
constexpr std::uint64_t fewest_points = 33;
constexpr std::uint64_t most_points = 3200;
constexpr std::uint64_t most_points_of_doubles = 1000;

// 0: as many as the device's limits say. Convolutions that are longer have as many as three passes need, on an H200:
// but for 5488 points and more than 6144, whose passes are alike there and back as it is, and which take up to 1.37 of
// the time otherwise.
std::uint32_t elements_of(std::uint64_t points, bool convolved, bool doubles) {
  if (points < fewest_points) return 0;
  if (points <= (doubles ? most_points_of_doubles : most_points)) return 12;
  if (!convolved || points == 5488 || points > 6144) return 0;
  if (points <= 3200) return 16;
  return points <= 3600 || (doubles && points > 5400) ? 20 : 24;  // more doubles would spill
}

bool are_few_rows(std::uint64_t lines, const DeviceLimits& limits) {
  return is_like_measured_card(limits) && leaves_units_idle(lines, limits);
}

// Fitted to 2,500 shapes of single rows of 400 to 20000 points on an H200, 2026-11-26 (docs/cuda-primes.md), in
// elements of butterflies: what a pass costs beside these, and what each sub-group does.
struct RowCosts {
  double pass = 0;
  double sub_group = 0;
  std::uint64_t most_points = 20000;  // that were timed, and spill nothing
  std::uint64_t most_items = 1024;
};

RowCosts costs_of(RowMaps maps, bool doubles) {
  if (maps == RowMaps::heavy) return doubles ? RowCosts{12, 2, 12000} : RowCosts{6, 0.5};
  return doubles ? RowCosts{32, 4, 5832, 768} : RowCosts{12, 1, 20000, 768};
}

constexpr std::uint64_t fewest_timed = 400;

// Those that a work-item needs beside its elements.
constexpr std::uint64_t registers_beside_data = 48;
constexpr std::uint64_t registers_beside_doubles = 64;

constexpr std::size_t fewest_passes = 3;  // two, of long butterflies, take compilers long
constexpr std::size_t most_passes = 4;

class RowSearch {
 public:
  RowSearch(std::uint64_t points, const RowCosts& costs, const DeviceLimits& limits)
      : points_(points), costs_(costs), limits_(limits), share_(limits.arithmetic == Precision::float64 ? 2 : 1) {}

  std::optional<MeasuredChoice> run() {
    std::vector<unsigned> radices;
    divide(points_, static_cast<unsigned>(std::min<std::uint64_t>(elements_per_item(limits_), points_)), radices);
    return best_;
  }

 private:
  // Radices that fall, of which exchanges behind the first meet the fewest conflicts.
  void divide(std::uint64_t rest, unsigned largest, std::vector<unsigned>& radices) {
    if (rest == 1) return consider(radices);
    if (radices.size() == most_passes) return;
    for (unsigned radix = largest; radix >= 2; --radix) {
      if (rest % radix != 0 || !has_butterfly(radix, limits_)) continue;
      radices.push_back(radix);
      divide(rest / radix, radix, radices);
      radices.pop_back();
    }
  }

  void consider(const std::vector<unsigned>& radices) {
    if (radices.size() < fewest_passes || !choose_items(radices, 1, limits_)) return;  // any stage may have these
    for (const ChipChoice& choice : item_choices(radices, limits_)) {
      const std::uint64_t registers =
          2 * share_ * choice.elements + (share_ == 1 ? registers_beside_data : registers_beside_doubles);
      const auto most_items = std::min<std::uint64_t>(costs_.most_items, limits_.max_group_size);
      if (choice.items > most_items || registers > registers_of_item(choice.items, limits_.sub_group_size)) continue;
      std::uint64_t elements = 0;  // one after the other
      for (const unsigned radix : radices) elements += (points_ / radix + choice.items - 1) / choice.items * radix;
      const double cost = costs_.pass * static_cast<double>(radices.size()) + static_cast<double>(share_ * elements) +
                          costs_.sub_group * choice.items / static_cast<double>(limits_.sub_group_size);
      if (best_ && best_cost_ <= cost) continue;
      best_ = MeasuredChoice{radices, choice.items, 1};
      best_cost_ = cost;
    }
  }

  std::uint64_t points_;
  RowCosts costs_;
  const DeviceLimits& limits_;
  std::uint64_t share_;
  std::optional<MeasuredChoice> best_;
  double best_cost_ = 0;
};

// An H200, 2026-11-26, 12 and 128 MiB of complex rows and of reals there and back: 0.93 of the time in the mean, 1.04
// at most; of 90 other numbers of points some sort of rows takes longer, up to 2.6 times.
bool many_go_back_alike(std::uint64_t points, bool doubles) {
  constexpr std::array<std::uint64_t, 3> floats_alike{7168, 8640, 18750};
  constexpr std::array<std::uint64_t, 7> doubles_alike{2800, 2880, 4608, 5120, 5488, 7168, 18750};
  return doubles ? std::ranges::find(doubles_alike, points) != doubles_alike.end()
                 : std::ranges::find(floats_alike, points) != floats_alike.end();
}

}  // namespace

std::uint64_t registers_of_item(std::uint64_t items, std::uint64_t sub_group) {
  constexpr std::uint64_t schedulers = 4;
  constexpr std::uint64_t most = 255;
  const std::uint64_t together = schedulers * sub_group;
  return std::min(most, group_registers / ((items + together - 1) / together * together) / 8 * 8);
}

DeviceLimits limits_of_rows(std::uint64_t lines, std::uint64_t points, bool convolved, const DeviceLimits& limits) {
  DeviceLimits own = limits;
  if (!are_few_rows(lines, limits)) return own;
  const bool doubles = limits.arithmetic == Precision::float64;
  if (const std::uint32_t elements = elements_of(points, convolved, doubles)) own.strategy.elements = elements;
  return own;
}

std::optional<MeasuredChoice> few_rows_choice(std::uint64_t points, RowMaps maps, std::uint64_t lines,
                                              const DeviceLimits& limits) {
  const bool doubles = limits.arithmetic == Precision::float64;
  const LineUse use = maps == RowMaps::none ? LineUse::rows : LineUse::mapped_rows;
  if (!are_few_rows(lines, limits) || tuned_choice(points, use, limits) != nullptr) return std::nullopt;
  const RowCosts costs = costs_of(maps, doubles);
  if (points < fewest_timed || points > costs.most_points) return std::nullopt;
  if (maps == RowMaps::none && (!doubles || points <= most_points_of_doubles || measured_choice(points, use, limits))) {
    return std::nullopt;
  }
  return RowSearch(points, costs, limits).run();
}

// An H200, 2026-11-26, single lines: 0.74 to 0.95 of the time; 31 points 0.97 and 1.01. By a convolution 41 and 43
// points would have up to 1.2 times FFTW's error, and so would 37 doubles (dct4 of 74 1.15), whose sums
// (summed_rows.hpp) take 0.93 to 1.10 of its time.
bool convolves_few_rows(std::uint64_t points, std::uint64_t lines, const DeviceLimits& limits) {
  const bool doubles = limits.arithmetic == Precision::float64;
  return (points == 47 || (points == 37 && !doubles)) && are_few_rows(lines, limits);
}

// An H200, 2026-11-26, one row and 30: up to 1728 points 1.01 of the time in the mean (0.94 to 1.06), from 4600 on 0.81
// to 1.08; floats between take up to 1.18, doubles 0.88 to 1.08.
bool go_back_alike(std::uint64_t points, std::uint64_t lines, const DeviceLimits& limits) {
  const bool doubles = limits.arithmetic == Precision::float64;
  if (!leaves_units_idle(lines, limits)) return is_like_measured(limits) && many_go_back_alike(points, doubles);
  const bool pays = points <= 1728 || points >= 4600 || doubles;
  return pays && are_few_rows(lines, limits);
}

}  // namespace twiddle::plan
