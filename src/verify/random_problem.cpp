// Draws problems.
#include "verify/random_problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "plan/lower/view.hpp"
#include "twiddle/error.hpp"
#include "twiddle/hook.hpp"
#include "twiddle/plan.hpp"
#include "verify/random.hpp"
#include "verify/reference.hpp"

namespace twiddle::verify {
namespace {

bool can_plan(const Device& device, Precision precision) {
  try {
    (void)Plan(device, {.lengths = {2}, .precision = precision});
    return true;
  } catch (const Unsupported&) {
    return false;
  }
}

std::uint64_t power_at_most(std::uint64_t base, std::uint64_t most, Random& random) {
  std::vector<std::uint64_t> powers;
  for (std::uint64_t power = base; power <= most; power *= base) powers.push_back(power);
  return powers.empty() ? 1 : random.choose(powers);
}

bool is_prime(std::uint64_t n) {
  for (std::uint64_t factor = 2; factor * factor <= n; ++factor) {
    if (n % factor == 0) return false;
  }
  return n > 1;
}

// The largest prime that is at most a random number; 1 where there is none.
std::uint64_t prime_at_most(std::uint64_t most, Random& random) {
  std::uint64_t n = random.between(1, most);
  while (n > 1 && !is_prime(n)) --n;
  return n;
}

std::uint64_t smooth_at_most(std::uint64_t most, Random& random) {
  const std::vector<std::uint64_t> primes{2, 2, 2, 3, 3, 5, 7, 11, 13};
  std::uint64_t n = 1;
  for (std::uint64_t factor = random.choose(primes); n * factor <= most; factor = random.choose(primes)) n *= factor;
  return n;
}

std::uint64_t random_length(std::uint64_t most, Random& random) {
  switch (random.below(10)) {
    case 0:
      return random.chance(50) ? 1 : std::min<std::uint64_t>(most, 2);
    case 1:
    case 2:
      return random.between(1, std::min<std::uint64_t>(most, 17));
    case 3:
      return power_at_most(2, most, random);
    case 4:
      return power_at_most(random.choose<std::uint64_t>({3, 5, 7, 11, 13, 17, 37}), most, random);
    case 5:
      return prime_at_most(most, random);
    case 6:
      return most < 4 ? 1 : 2 * prime_at_most(most / 2, random);
    case 7:
    case 8:
      return smooth_at_most(most, random);
    default:
      return random.between(1, most);
  }
}

std::size_t random_rank(Random& random) {
  const std::uint64_t draw = random.below(100);
  if (draw < 38) return 1;
  if (draw < 68) return 2;
  if (draw < 85) return 3;
  if (draw < 95) return 4;
  return random.between(5, largest_rank);
}

// Lengths and batch of at most so many elements together.
void draw_shape(Transform& transform, std::uint64_t budget, Random& random) {
  const std::size_t rank = random_rank(random);
  for (std::size_t d = 0; d < rank; ++d) {
    const auto share = static_cast<std::uint64_t>(std::floor(
        std::pow(static_cast<double>(budget), random.chance(40) ? 1.0 : 1.0 / static_cast<double>(rank - d))));
    transform.lengths.push_back(random_length(std::max<std::uint64_t>(share, 1), random));
    budget /= transform.lengths.back();
  }
  random.shuffle(transform.lengths);
  if (random.chance(50))
    transform.batch = random.between(1, std::clamp<std::uint64_t>(budget, 1, random.chance(70) ? 9 : 999));
  if (!random.chance(40)) return;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (random.chance(60)) transform.axes.push_back(axis);
  }
}

// A layout for arrays of `extents` (batch first); where it is for reading alone, arrays may overlap.
Layout random_layout(const std::vector<std::uint64_t>& extents, bool real, bool may_overlap, Random& random) {
  Layout layout;
  const bool planar = !real && random.chance(25);
  if (planar) layout.format = Layout::Format::planar;
  if (random.chance(15)) layout.offset = random.between(1, 9);
  if (may_overlap && random.chance(10)) {
    const std::uint64_t elements =
        std::accumulate(extents.begin() + 1, extents.end(), std::uint64_t{1}, std::multiplies<>());
    layout.batch_stride = random.chance(60) ? 0 : static_cast<std::int64_t>(random.between(1, elements));
    return layout;
  }
  if (random.chance(30)) return layout;
  std::vector<std::size_t> order(extents.size());  // outermost first
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (random.chance(40)) random.shuffle(order);
  const bool woven = planar && random.chance(30);  // imaginary parts between the real ones
  std::vector<std::int64_t> strides(extents.size());
  auto room = static_cast<std::int64_t>(random.chance(25) ? random.between(2, 4) : 1);
  if (woven) room *= 2;
  for (auto d = order.rbegin(); d != order.rend(); ++d) {
    const auto extent = static_cast<std::int64_t>(extents[*d]);
    strides[*d] = room;
    room *= extent;
    if (random.chance(25)) room += static_cast<std::int64_t>(random.between(1, 5));
    if (!random.chance(15)) continue;
    layout.offset += static_cast<std::uint64_t>(strides[*d] * (extent - 1));
    strides[*d] = -strides[*d];
  }
  layout.strides.assign(strides.begin() + 1, strides.end());
  layout.batch_stride = strides[0];
  if (woven) {
    layout.imaginary_offset = 1;
  } else if (planar && random.chance(50)) {
    layout.imaginary_offset = room + static_cast<std::int64_t>(random.below(9));
    if (random.chance(30)) {
      layout.offset += static_cast<std::uint64_t>(*layout.imaginary_offset);
      layout.imaginary_offset = -*layout.imaginary_offset;
    }
  }
  return layout;
}

std::vector<std::uint64_t> pruned(std::vector<std::uint64_t> shape, const std::vector<std::size_t>& extents) {
  for (std::size_t d = 0; d < extents.size(); ++d) shape[d + 1] = extents[d];
  return shape;
}

void draw_layouts(Problem& problem, Random& random) {
  Transform& transform = problem.transform;
  const bool forward = problem.direction == Direction::forward;
  const bool in_place = problem.placement == Placement::in_place;
  const auto time = pruned(full_shape(problem, !forward), transform.input_extents);
  const auto frequencies = pruned(full_shape(problem, forward), transform.output_extents);
  if (random.chance(in_place ? 50 : 40)) return;
  const bool real_frequencies = is_real_to_real(transform.kind);
  const bool real_time = real_frequencies || transform.kind == Kind::r2c;
  if (in_place && transform.kind != Kind::r2c && random.chance(60)) {
    std::vector<std::uint64_t> larger(time.size());
    std::ranges::transform(time, frequencies, larger.begin(), [](auto a, auto b) { return std::max(a, b); });
    transform.input = transform.output = random_layout(larger, real_time, false, random);
    return;
  }
  transform.input = random_layout(time, real_time, forward && !in_place, random);
  transform.output = random_layout(frequencies, real_frequencies, !forward && !in_place, random);
}

// Extents of both sides or of one; along an axis that is not transformed both sides have the same.
void draw_extents(Problem& problem, Random& random) {
  Transform& transform = problem.transform;
  const auto draw = [&](bool frequencies) {
    const auto shape = full_shape(problem, frequencies == (problem.direction == Direction::forward));
    std::vector<std::size_t> extents;
    for (std::size_t d = 1; d < shape.size(); ++d) {
      extents.push_back(random.chance(40) ? shape[d] : random.between(1, shape[d]));
    }
    return extents;
  };
  const auto axes = transformed_axes(transform);
  const auto input = draw(false);
  auto output = draw(true);
  const bool both = random.chance(40);
  const bool prunes_input = both || random.chance(50);
  for (std::size_t d = 0; d < input.size(); ++d) {
    if (std::ranges::find(axes, d) != axes.end()) continue;
    output[d] = both ? input[d] : transform.lengths[d];
  }
  if (prunes_input) transform.input_extents = input;
  if (both || !prunes_input) transform.output_extents = output;
  if (both || !prunes_input) return;
  for (std::size_t d = 0; d < input.size(); ++d) {
    if (std::ranges::find(axes, d) == axes.end()) transform.input_extents[d] = transform.lengths[d];
  }
}

// Hooks are functions of double on the host; squares are too large for halves, and squares of what is read have a mean:
// their few large results say little about the error of the others.
void draw_hooks(Transform& transform, Random& random) {
  if (transform.precision == Precision::extended) return;
  const std::string window =
      "bartlett/" + std::to_string(random.chance(50) ? transform.lengths.back() : random.between(1, 1000));
  const std::vector<std::string> linear{"alternate", "conjugate", window, window};
  std::vector<std::string> all = linear;
  if (transform.precision != Precision::float16) all.push_back("power");
  if (random.chance(12)) transform.load_hook = named_hook(random.choose(linear));
  if (random.chance(12)) transform.store_hook = named_hook(random.choose(all));
}

Problem draw(const Abilities& abilities, Random& random) {
  Problem problem;
  Transform& transform = problem.transform;
  transform.kind = random.choose<Kind>({Kind::c2c, Kind::c2c, Kind::c2c, Kind::c2c, Kind::r2c, Kind::r2c, Kind::r2c,
                                        Kind::r2c, Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1,
                                        Kind::dst2, Kind::dst3, Kind::dst4, Kind::dht});
  std::vector<Precision> precisions{Precision::float32, Precision::float32, Precision::float32};
  if (abilities.float64) precisions.insert(precisions.end(), {Precision::float64, Precision::float64});
  if (abilities.float16) precisions.push_back(Precision::float16);
  if (abilities.extended) precisions.push_back(Precision::extended);
  transform.precision = random.choose(precisions);
  const double doublings = std::log2(static_cast<double>(abilities.most_elements));
  const auto budget =
      static_cast<std::uint64_t>(std::exp2(doublings * static_cast<double>(random.between(10, 100)) / 100));
  draw_shape(transform, std::max<std::uint64_t>(budget, 1), random);
  problem.direction = random.chance(60) ? Direction::forward : Direction::inverse;
  problem.placement = random.chance(35) ? Placement::in_place : Placement::out_of_place;
  transform.normalization =
      random.choose<Normalization>({Normalization::backward, Normalization::backward, Normalization::ortho,
                                    Normalization::forward, Normalization::none});
  if (random.chance(20)) {
    double& factor = problem.direction == Direction::forward ? transform.forward_factor : transform.inverse_factor;
    factor = random.choose<double>({0.5, -1, -2, 3, 0.7, 1.25});
  }
  if (random.chance(20)) draw_extents(problem, random);
  draw_layouts(problem, random);
  if (problem.placement == Placement::out_of_place && random.chance(15)) transform.overwrite_input = true;
  draw_hooks(transform, random);
  return problem;
}

// Halves hold neither large sums nor very small numbers.
bool fits_precision(const Problem& problem) {
  if (problem.transform.precision != Precision::float16) return true;
  double points = 1;
  for (const std::size_t axis : transformed_axes(problem.transform)) {
    points *= static_cast<double>(period(problem.transform.kind, problem.transform.lengths[axis]));
  }
  const double typical = std::sqrt(points) * std::abs(static_cast<double>(expected_scale(problem)));
  return points < 1e6 && typical < 2000 && typical > 0.01;
}

bool is_valid(const Problem& problem, std::uint64_t most_elements) {
  try {
    validate(problem.transform);
    const plan::Sides sides = plan::sides_of(problem.transform, problem.direction, problem.placement);
    const std::uint64_t most_bytes = 16 * (most_elements + 4096);
    return plan::memory_bytes(sides.read) < most_bytes && plan::memory_bytes(sides.written) < most_bytes;
  } catch (const InvalidArgument&) {
    return false;
  }
}

}  // namespace

Abilities abilities_of(const Device& device) {
  return {.float16 = can_plan(device, Precision::float16),
          .float64 = can_plan(device, Precision::float64),
          .extended = can_plan(device, Precision::extended)};
}

Problem random_problem(std::uint64_t seed, const Abilities& abilities) {
  Random random(seed);
  for (;;) {
    Problem problem = draw(abilities, random);
    if (is_valid(problem, abilities.most_elements) && fits_precision(problem)) return problem;
  }
}

}  // namespace twiddle::verify
