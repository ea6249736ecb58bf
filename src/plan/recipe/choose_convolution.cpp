// Candidates for the points of a convolution, and what they cost.
#include "plan/recipe/choose_convolution.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "plan/choice/choice_table.hpp"
#include "plan/choice/measured_choices.hpp"
#include "plan/recipe/few_lines.hpp"
#include "plan/recipe/host_parts.hpp"
#include "plan/recipe/host_radices.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/recipe/recipe.hpp"

namespace twiddle::plan {
namespace {

using Algorithm = Convolution::Algorithm;

constexpr std::size_t candidates_compared = 6;  // of Bluestein's padded lengths

// Times the points that stay in a core's cache, up to which one stage is still faster on the host than several.
constexpr std::size_t times_beyond_cache = 4;

// Besides transforms, for each point: vector operations of the host for a vector, levels of work on other devices. Two
// products and two passes over memory; Rader's reordering goes element by element.
constexpr double host_bluestein_cost = 40;
constexpr double host_rader_cost = 70;
constexpr double chip_bluestein_cost = 2;
constexpr double chip_rader_cost = 4;

// What two passes with twiddles cost at least, in times of those without.
constexpr double twiddles_cost = 1.16;

// What rounding may cost on devices with work-groups: it decides between lengths whose costs are near.
constexpr double rounding_cost = 2;

// Variance of the rounding errors of passes, relative to the elements, about as measured: 2187 = 9.9.9.3 points
// have 1.35 times the error of 2304 = 12.12.4.4 in double.
double rounding(const std::vector<unsigned>& radices) {
  double variance = 0.65 * (static_cast<double>(radices.size()) - 1);  // twiddles
  for (const unsigned radix : radices) {
    for (const std::size_t factor : prime_factors(radix)) variance += factor == 2 ? 0.2 : 0.9;
  }
  return variance;
}

// Bluestein's points of which work-items hold so many that some are spilled, and which are still faster on chip than
// through memory: 10007 points in 0.47 of the time. Whether that was measured for a device, measured_choice says.
constexpr std::array<std::size_t, 1> spilling_points{20412};

// Smooth lengths for Bluestein's convolution just above the least that serves, the cheapest by their factors first.
std::vector<std::size_t> padded_lengths(std::size_t least, const DeviceLimits& limits) {
  if (largest_prime_factor(limits) == 2) return {std::bit_ceil(least)};
  constexpr double beside_twos = 1.15;  // levels of other factors, for each of as many points
  static const std::array<double, 3> levels_of{beside_twos * std::log2(3.0), beside_twos * std::log2(5.0),
                                               beside_twos * std::log2(7.0)};
  const std::size_t most = least + least / 4 + 8;
  std::vector<std::pair<double, std::size_t>> costs;
  costs.reserve(64);  // there are few more of any length
  for (std::size_t sevens = 1, c = 0; sevens <= most; sevens *= 7, ++c) {
    for (std::size_t fives = sevens, b = 0; fives <= most; fives *= 5, ++b) {
      for (std::size_t odd = fives, a = 0; odd <= most; odd *= 3, ++a) {
        auto twos = static_cast<unsigned>(std::bit_width((least - 1) / odd));
        for (std::size_t candidate = odd << twos; candidate <= most; candidate *= 2, ++twos) {
          double levels = twos;
          for (const auto& [count, more] : {std::pair{a, levels_of[0]}, {b, levels_of[1]}, {c, levels_of[2]}}) {
            for (std::size_t i = 0; i < count; ++i) levels += more;
          }
          costs.emplace_back(levels * static_cast<double>(candidate), candidate);
        }
      }
    }
  }
  std::sort(costs.begin(), costs.end());
  std::vector<std::size_t> lengths;
  lengths.reserve(costs.size());
  for (const auto& [cost, candidate] : costs) lengths.push_back(candidate);
  return lengths;
}

// A radix that is there twice, the largest of such, stands at both ends, so that few rows are compiled faster
// (way_back.hpp). Not one with a factor of 13, which rounds more in the first place (least_rounding).
void equalize_ends(std::vector<unsigned>& radices) {
  if (radices.front() == radices.back()) return;
  std::vector<unsigned> sorted = radices;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  const auto equal = [](unsigned first, unsigned second) { return first == second && first % 13 != 0; };
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end(), equal);
  if (twice == sorted.end()) return;
  const unsigned end = *twice;
  sorted.erase(twice, twice + 2);
  sorted.insert(sorted.begin(), end);
  sorted.push_back(end);
  radices = std::move(sorted);
}

class Search {
 public:
  Search(std::size_t length, std::size_t least, const LinesToConvolve& lines, std::uint32_t narrowest,
         const DeviceLimits& limits)
      : length_(length), least_(least), lines_(lines), narrowest_(narrowest), limits_(limits) {}

  std::optional<ConvolutionChoice> run() {
    const bool host = limits_.shape == DeviceLimits::Shape::owned;
    if (length_ > 2 && prime_factors(length_).size() == 1) {
      consider({Algorithm::rader, length_ - 1}, host ? host_rader_cost : chip_rader_cost);
    }
    std::size_t compared = 0;
    for (const std::size_t points : padded_lengths(least_, limits_)) {
      if (compared++ == candidates_compared) break;
      consider({Algorithm::bluestein, points}, host ? host_bluestein_cost : chip_bluestein_cost);
    }
    if (best_ && host) best_->cost = host_stage_cost(best_->convolved);
    return std::move(best_);
  }

 private:
  void consider(const Convolution& convolution, double cost_beside) {
    // Rader's, of fewer points, rounds less than Bluestein's, but has a tighter bound to keep: the costs alone decide.
    const bool alike = best_ && best_->convolved.convolution.algorithm == convolution.algorithm;
    const double points = static_cast<double>(convolution.points) / static_cast<double>(length_);
    if (best_ && limits_.shape == DeviceLimits::Shape::owned) {
      const HostLine line = alike ? host_line(convolution) : HostLine::strided;
      const double passes = host_cost_bound(convolution.points, line, limits_);
      if ((2 * passes + cost_beside) * points >= (alike ? best_rank_ : best_->cost)) return;
    }
    const DeviceLimits own = lines_.strided ? limits_ : limits_of_rows(lines_.count, convolution.points, true, limits_);
    std::optional<ConvolutionChoice> choice = price(convolution, own);
    if (!choice) return;
    // Which convolution is left to the model; what was measured are its passes.
    const auto measured = measured_choice(convolution.points, convolved_use(lines_.strided), own);
    if (measured) choice->convolved.radices = measured->radices;
    const bool tuned = tuned_choice(convolution.points, convolved_use(lines_.strided), own) != nullptr;
    if (!tuned && may_go_back_alike(convolution.points)) equalize_ends(choice->convolved.radices);
    choice->cost = (2 * choice->cost + cost_beside) * points;
    double rank = choice->cost;
    if (limits_.shape == DeviceLimits::Shape::owned) {
      rank = (2 * host_cost(choice->convolved.radices, limits_, host_line(convolution)) + cost_beside) * points;
    } else {
      rank += 2 * rounding_cost * rounding(choice->convolved.radices) * points;
    }
    if (best_ && (alike ? best_rank_ <= rank : best_->cost <= choice->cost)) return;
    best_ = std::move(choice);
    best_rank_ = rank;
  }

  [[nodiscard]] bool may_go_back_alike(std::size_t points) const {
    return !lines_.strided && go_back_alike(points, lines_.count, limits_);
  }

  // What the lanes of the host's vectors hold.
  [[nodiscard]] HostLine host_line(const Convolution& convolution) const {
    const bool side_by_side = convolves_side_by_side(convolution, lines_.count, !lines_.strided, limits_.sub_group_size,
                                                     limits_.level2_cache / sizeof(float));
    return side_by_side ? HostLine::strided : HostLine::contiguous;
  }

  // Of the whole stage, to be compared with other ways than a convolution.
  [[nodiscard]] double host_stage_cost(const Convolved& convolved) const {
    const Convolution& convolution = convolved.convolution;
    const double passes = host_convolved_cost(convolved.radices, host_line(convolution), lines_.count, limits_);
    const double beside = convolution.algorithm == Algorithm::rader ? host_rader_cost : host_bluestein_cost;
    return (2 * passes + beside) * static_cast<double>(convolution.points) / static_cast<double>(length_);
  }

  // At the cost of one transform, for each point; by the limits of so many rows on devices with work-groups.
  [[nodiscard]] std::optional<ConvolutionChoice> price(const Convolution& convolution, const DeviceLimits& own) const {
    if (limits_.shape == DeviceLimits::Shape::owned) {
      const std::size_t times = lines_.beyond_cache ? times_beyond_cache : 1;
      if (!host_holds(convolution.points / times, limits_)) return std::nullopt;
      // Passes by the definition cost more here than points that Bluestein's algorithm adds, which are smooth.
      if (convolution.algorithm == Algorithm::rader &&
          prime_factors(convolution.points).back() > host_largest_prime_butterfly) {
        return std::nullopt;
      }
      std::vector<unsigned> radices = host_radices(convolution.points, limits_, host_line(convolution));
      if (radices.empty()) return std::nullopt;
      const double cost = host_cost(radices, limits_, HostLine::strided);
      return ConvolutionChoice{{convolution, std::move(radices)}, cost};
    }
    auto choice = choose_radices(convolution.points, narrowest_, own);
    if (choice && convolution.algorithm == Algorithm::rader) choice = least_rounding(*choice, own);
    if (!choice || !exchanges_whole(convolution.points, narrowest_, limits_)) return std::nullopt;
    return ConvolutionChoice{{convolution, choice->radices}, choice->cost};
  }

  // Coprime radices need no twiddles, and so round a tenth less: of 61 reals the error is 1.08 times FFTW's by 10.6,
  // 1.02 by 5.12. In the first place, a butterfly with a factor of 13, of which the sums are long, makes 53 points
  // round a tenth more than behind the other.
  [[nodiscard]] std::optional<ChipChoice> least_rounding(ChipChoice choice, const DeviceLimits& own) const {
    const std::uint64_t points = product(choice.radices);
    const bool twiddled = choice.radices.size() == 2 && std::gcd(choice.radices.front(), choice.radices.back()) != 1;
    if (twiddled && !may_go_back_alike(points)) {
      const auto parts = coprime_parts(points, own);
      if (parts && parts->cost <= twiddles_cost * choice.cost) choice = *parts;
    }
    if (choice.radices.front() % 13 != 0) return choice;
    std::rotate(choice.radices.begin(), choice.radices.begin() + 1, choice.radices.end());
    return choose_items(choice.radices, narrowest_, own);
  }

  // The cheapest two, of which the odd one comes first: exchanges behind it meet fewer bank conflicts.
  [[nodiscard]] std::optional<ChipChoice> coprime_parts(std::uint64_t points, const DeviceLimits& own) const {
    std::optional<ChipChoice> best;
    for (std::uint64_t odd = 3; odd < points; odd += 2) {
      const std::uint64_t even = points / odd;
      if (points % odd != 0 || std::gcd(odd, even) != 1) continue;
      const std::vector<unsigned> radices{static_cast<unsigned>(odd), static_cast<unsigned>(even)};
      if (!has_butterfly(radices.front(), own) || !has_butterfly(radices.back(), own)) continue;
      auto choice = choose_items(radices, narrowest_, own);
      if (choice && (!best || choice->cost < best->cost)) best = std::move(choice);
    }
    return best;
  }

  std::size_t length_;
  std::size_t least_;
  LinesToConvolve lines_;
  std::uint32_t narrowest_;
  const DeviceLimits& limits_;
  std::optional<ConvolutionChoice> best_;
  double best_rank_ = 0;
};

}  // namespace

std::optional<ConvolutionChoice> choose_convolution(std::size_t length, std::size_t least, const LinesToConvolve& lines,
                                                    std::uint32_t narrowest, const DeviceLimits& limits) {
  if (limits.shape == DeviceLimits::Shape::staged) return std::nullopt;
  return Search(length, least, lines, narrowest, limits).run();
}

double convolution_cost_bound(std::size_t length, std::size_t least, const DeviceLimits& limits) {
  const auto cost = [&](std::size_t points, double cost_beside) {
    const double passes = host_convolved_bound(points, limits);
    return (2 * passes + cost_beside) * static_cast<double>(points) / static_cast<double>(length);
  };
  const double bluestein = cost(least, host_bluestein_cost);
  return prime_factors(length).size() == 1 ? std::min(bluestein, cost(length - 1, host_rader_cost)) : bluestein;
}

std::optional<Convolved> spilling_convolution(std::size_t length, bool strided, std::uint64_t lines,
                                              const DeviceLimits& limits) {
  if (strided || leaves_units_idle(lines, limits)) return std::nullopt;
  for (const std::size_t points : spilling_points) {
    const std::size_t least = bluestein_points(length, length);
    if (points < least || 4 * points > 5 * least) continue;
    const auto measured = measured_choice(points, convolved_use(strided), limits);
    if (measured) return Convolved{{Algorithm::bluestein, points}, measured->radices};
  }
  return std::nullopt;
}

std::size_t padded_length(std::size_t least, const DeviceLimits& limits) {
  return padded_lengths(least, limits).front();
}

}  // namespace twiddle::plan
