// Real transforms as complex ones with maps before and after.
#include "plan/lower/axis_rule.hpp"

#include <algorithm>

#include "plan/device/limits.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::plan {
namespace {

using Rule = LineMap::Rule;

// The axis of an r2c transform that is real on one side.
bool is_real_axis(const Transform& transform, std::size_t axis) {
  return transform.kind == Kind::r2c && axis == transformed_axes(transform).back();
}

// Reals can be taken two at a time where their number is even; on the host the number of those that exist, too. Two
// reals would be one point, which leaves no transform but a map, and that cannot work in place: they are a line of two
// instead.
bool packs_reals(const Transform& transform, std::size_t axis, const DeviceLimits& limits) {
  if (limits.strategy.algorithm == Strategy::Algorithm::direct) return false;  // sums leave out what is not wanted
  const std::uint64_t n = transform.lengths[axis];
  const std::uint64_t existing = transform.input_extents.empty() ? n : transform.input_extents[axis];
  // The last of an odd number may be by itself: on an H100 that takes 0.63 to 1.05 of the time of all points from so
  // many elements on, and up to 1.3 times as long of fewer, which launches count for. Of a line that no group holds, a
  // part of each number at a time, all points would also need up to four times the data in scratch memory.
  constexpr std::size_t many = std::size_t{1} << 20;
  const bool several = n * sizeof(float) > limits.local_memory;
  const bool lone = !hooks_see_elements(transform) && limits.shape != DeviceLimits::Shape::owned &&
                    (is_like_cpu(limits) || several || total_elements(transform) >= many);
  return n > 2 && n % 2 == 0 && (lone || existing % 2 == 0);
}

// Lines that are longer are halved wherever they can be, so that they need no more memory than the data.
constexpr std::uint64_t longest_paired_line = 32768;

// Whether symmetric lines of twice so many points have at most 1.1 times FFTW's error in two stages: for others FFTW
// takes an algorithm that rounds less, beside which they would have up to 1.3 times its error (docs/verification.md).
bool is_exact_in_two_stages(std::uint64_t points) {
  constexpr std::uint64_t largest_rest = 32768;  // of factors above 5
  if (points % 2 != 0) return false;
  for (const std::uint64_t factor : {2, 3, 5}) {
    while (points % factor == 0) points /= factor;
  }
  return points <= largest_rest;
}

struct RealRule {
  std::optional<Rule> first;
  std::optional<Rule> load;
  std::optional<Rule> store;
  Direction direction = Direction::forward;
};

RealRule real_rule(Kind kind, std::uint64_t length) {
  switch (kind) {
    case Kind::dct1:
      return {{}, Rule::dct1_load, Rule::dct1_store};
    case Kind::dct2:
      return {{}, Rule::dct2_load, Rule::dct2_store};
    case Kind::dct3:
      return {{}, Rule::dct3_load, Rule::dct3_store, Direction::inverse};
    case Kind::dct4:
      if (length % 2 != 0) return {{}, Rule::dct4_odd_load, Rule::dct4_odd_store};
      return {{}, Rule::dct4_load, Rule::dct4_store};
    case Kind::dst1:
      return {{}, Rule::dst1_load, Rule::dst1_store};
    case Kind::dst2:
      return {{}, Rule::dst2_load, Rule::dst2_store};
    case Kind::dst3:
      return {{}, Rule::dst3_load, Rule::dst3_store, Direction::inverse};
    case Kind::dst4:
      if (length % 2 != 0) return {{}, Rule::dst4_odd_load, Rule::dst4_odd_store};
      return {{}, Rule::dst4_load, Rule::dst4_store};
    case Kind::dht:
      return {{}, {}, Rule::dht_store};
    case Kind::c2c:
    case Kind::r2c:
      break;
  }
  return {};
}

RealRule half_rule(Kind kind) {
  switch (kind) {
    case Kind::dct1:
      return {{}, Rule::dct1_half_load, Rule::dct1_half_store};
    case Kind::dct2:
      return {{}, Rule::dct2_half_load, Rule::dct2_half_store};
    case Kind::dct3:
      return {Rule::dct3_half_before, Rule::half_spectrum_load, Rule::dct3_half_store, Direction::inverse};
    case Kind::dct4:
      return {{}, Rule::dct4_half_load, Rule::dct4_half_store};
    case Kind::dst1:
      return {{}, Rule::dst1_half_load, Rule::dst1_half_store};
    case Kind::dst2:
      return {{}, Rule::dst2_half_load, Rule::dst2_half_store};
    case Kind::dst3:
      return {Rule::dst3_half_before, Rule::half_spectrum_load, Rule::dst3_half_store, Direction::inverse};
    case Kind::dst4:
      return {{}, Rule::dst4_half_load, Rule::dst4_half_store};
    case Kind::dht:
      return {{}, Rule::pairs_load, Rule::dht_half_store};
    case Kind::c2c:
    case Kind::r2c:
      break;
  }
  return {};
}

// Whether the host makes what is before and behind half of the points by vectors: of whole rows alone.
bool has_maps_by_vectors(const Transform& transform, std::size_t axis) {
  const auto adjacent = [&](const Layout& layout) { return layout.strides.empty() || layout.strides[axis] == 1; };
  const auto whole = [&](const std::vector<std::size_t>& extents) {
    return extents.empty() || extents[axis] == transform.lengths[axis];
  };
  return transform.kind != Kind::dct1 && transform.kind != Kind::dst1 && transform.precision != Precision::float16 &&
         !transform.load_hook && !transform.store_hook && adjacent(transform.input) && adjacent(transform.output) &&
         whole(transform.input_extents) && whole(transform.output_extents);
}

void bound(AxisRule& rule, std::uint64_t source_count, std::uint64_t count) {
  if (!rule.load_map && (source_count < rule.points || rule.lone_real)) rule.load_count = source_count;
  if (!rule.store_map && (count < rule.points || rule.lone_real)) rule.store_count = count;
}

}  // namespace

bool hooks_see_elements(const Transform& transform) {
  return (transform.load_hook && !transform.load_hook->gathers) || transform.store_hook;
}

bool has_spectrum_of_reals(const AxisRule& rule) {
  return rule.store_map && rule.real_result && !pairs_reals(rule.store_map->rule) && !rule.first_map;
}

void keep_half_spectrum(AxisRule& rule) {
  const std::uint64_t half = rule.points / 2 + 1;
  if (rule.direction == Direction::forward) {
    rule.store_map->half_columns = rule.points;
    rule.store_map->source_count = half;
    rule.store_count = half;
  } else {
    rule.load_map->half_columns = rule.points;
    rule.load_map->count = half;
  }
}

void take_two_spectra(AxisRule& rule) {
  const std::uint64_t n = rule.points;
  const std::uint64_t both = 2 * (n / 2 + 1);
  if (rule.real_result) {
    rule.load_map = LineMap{Rule::two_spectra_load, n, both, n};
  } else {
    rule.store_count.reset();
    rule.store_map = LineMap{Rule::two_spectra_store, n, n, both};
  }
}

void take_one_spectrum(AxisRule& rule) {
  const std::uint64_t n = rule.points;
  const std::uint64_t half = n / 2 + 1;
  if (rule.real_result) {
    rule.load_map = LineMap{Rule::hermitian_load, n, half, n};
  } else {
    rule.store_map.reset();
    rule.store_count = half;
  }
}

LineForm usual_form(const Transform& transform, std::size_t axis) {
  const bool always = transform.kind == Kind::dct4 || transform.kind == Kind::dst4;
  const bool halved = can_be_halved(transform, axis) && (always || transform.lengths[axis] > longest_paired_line);
  return halved ? LineForm::halved : LineForm::whole;
}

bool is_faster_halved_alone(const Transform& transform, std::size_t axis) {
  // Shorter ones are products with a matrix by wide vectors. dct3 and dst3 have one map more: by tables they gain
  // later.
  constexpr std::uint64_t shortest = 34;
  const std::uint64_t shortest_with_inverse = has_maps_by_vectors(transform, axis) ? shortest : 256;
  if (!is_real_to_real(transform.kind) || !can_be_halved(transform, axis)) return false;
  const bool own_inverse = inverse_kind(transform.kind) == transform.kind;
  // What stands between the map and the stage of dct3 and dst3 are floats, twice the data of halves.
  if (!own_inverse && transform.precision == Precision::float16) return false;
  return transform.lengths[axis] >= (own_inverse ? shortest : shortest_with_inverse);
}

bool is_faster_halved_in_rows(const Transform& transform, std::size_t axis, std::uint64_t lines) {
  // 2 to 8 lines of 256 and 1024 floats take 0.12 to 0.17 of the time, 16 to 64 0.34 to 0.67, more from 0.56 to 1.05;
  // 2 to 4 of 36 to 120 0.23 to 0.5. As many short ones as make up three pairs are better off in the lanes of vectors.
  constexpr std::uint64_t fewest_in_pairs = 16;
  constexpr std::uint64_t fewest_short_ones = 6;
  constexpr std::uint64_t shortest_long_one = 128;
  const std::uint64_t fewest = transform.lengths[axis] >= shortest_long_one ? fewest_in_pairs : fewest_short_ones;
  return lines < fewest && has_maps_by_vectors(transform, axis) && is_faster_halved_alone(transform, axis);
}

bool can_be_halved(const Transform& transform, std::size_t axis) {
  const std::uint64_t n = transform.lengths[axis];
  switch (transform.kind) {
    case Kind::c2c:
    case Kind::r2c:
      return false;
    case Kind::dct1:
    case Kind::dst1:
      return n > 2;
    default:
      return n > 2 && n % 2 == 0;
  }
}

std::uint64_t axis_points(const Transform& transform, std::size_t axis, LineForm form, const DeviceLimits& limits) {
  const std::uint64_t n = transform.lengths[axis];
  const std::uint64_t whole = form == LineForm::halved ? 2 : 1;
  switch (transform.kind) {
    case Kind::c2c:
    case Kind::dct2:
    case Kind::dct3:
    case Kind::dst2:
    case Kind::dst3:
    case Kind::dht:
      return n / whole;
    case Kind::r2c:
      return is_real_axis(transform, axis) && packs_reals(transform, axis, limits) ? n / 2 : n;
    case Kind::dct1:
      return 2 * (n - 1) / whole;
    case Kind::dst1:
      return 2 * (n + 1) / whole;
    case Kind::dct4:
    case Kind::dst4:
      break;
  }
  return n % 2 != 0 ? n : whole == 2 ? n / 2 : 2 * n;
}

LineExtents line_extents(const Transform& transform, std::size_t axis, LineForm form, bool paired,
                         const DeviceLimits& limits) {
  const std::uint64_t points = axis_points(transform, axis, form, limits);
  if (is_real_to_real(transform.kind)) {
    const bool halved = form == LineForm::whole && points % 2 != 0;
    const bool heavy = transform.kind == Kind::dct4 || transform.kind == Kind::dst4;
    return {.inputs = points,
            .outputs = halved ? points / 2 + 1 : points,
            .in_one_stage = !halved,
            .heavy_maps = heavy,
            .odd_reals = halved};
  }
  const auto existing = [&](const std::vector<std::size_t>& extents, std::uint64_t all) {
    return extents.empty() ? all : std::min<std::uint64_t>(all, extents[axis]);
  };
  const std::uint64_t n = transform.lengths[axis];
  const std::uint64_t inputs = existing(transform.input_extents, n);
  const bool whole = inputs == n && transform.output_extents.empty() && !transform.load_hook && !transform.store_hook;
  if (!is_real_axis(transform, axis)) {
    const std::uint64_t outputs = existing(transform.output_extents, n);
    return {.inputs = inputs, .outputs = outputs, .in_two_stages = whole, .unmapped = true};
  }
  if (points != n) return {(inputs + 1) / 2, points, true, whole};
  if (n % 2 == 0) return {inputs, points};
  const std::uint64_t outputs = paired ? points : existing(transform.output_extents, n / 2 + 1);
  return {.inputs = inputs, .outputs = outputs, .odd_reals = whole};
}

std::optional<LineForm> symmetric_form(const Transform& transform, std::size_t axis, const DeviceLimits& limits) {
  const bool symmetric = transform.kind == Kind::dct1 || transform.kind == Kind::dst1;
  if (!symmetric || limits.strategy != Strategy{} || !can_be_halved(transform, axis)) return std::nullopt;
  const bool exact = is_exact_in_two_stages(axis_points(transform, axis, LineForm::halved, limits));
  return exact ? LineForm::symmetric : LineForm::extended;
}

AxisRule axis_rule(const Transform& transform, Direction direction, std::size_t axis, std::uint64_t source_count,
                   std::uint64_t count, const DeviceLimits& limits, LineForm form) {
  const std::uint64_t n = transform.lengths[axis];
  AxisRule rule;
  rule.points = axis_points(transform, axis, form, limits);
  if (form == LineForm::symmetric || form == LineForm::extended) {
    rule.direction = Direction::inverse;  // in which halves of spectra become reals
    rule.load_count = source_count;
    rule.store_count = count;
    rule.real_result = true;
    rule.symmetry = transform.kind == Kind::dct1 ? Symmetry::even : Symmetry::odd;
    rule.extended = form == LineForm::extended;
    rule.weighted_ends = transform.kind == Kind::dct1 && transform.normalization == Normalization::ortho;
    return rule;
  }
  rule.direction = direction;
  const bool orthogonal = transform.normalization == Normalization::ortho;
  const auto map = [&](Rule which, std::uint64_t sources, std::uint64_t values) {
    return LineMap{which, n, sources, values, orthogonal};
  };
  if (is_real_to_real(transform.kind)) {
    const Kind kind = direction == Direction::forward ? transform.kind : inverse_kind(transform.kind);
    const RealRule real = form == LineForm::halved ? half_rule(kind) : real_rule(kind, n);
    rule.direction = real.direction;
    rule.real_result = true;
    if (real.first) {
      rule.first_map = map(*real.first, source_count, rule.points);
      source_count = rule.points;
    }
    rule.packed_input = real.load == Rule::pairs_load && source_count % 2 == 0;
    if (rule.packed_input) {
      source_count /= 2;
    } else if (real.load) {
      rule.load_map = map(*real.load, source_count, rule.points);
    }
    if (real.store) rule.store_map = map(*real.store, rule.points, count);
  } else if (is_real_axis(transform, axis)) {
    const bool packed = packs_reals(transform, axis, limits);
    if (direction == Direction::forward) {
      rule.packed_input = packed;
      if (packed) {
        rule.store_map = map(Rule::r2c_store, rule.points, count);
        rule.lone_real = source_count % 2 != 0;
        source_count = (source_count + 1) / 2;
      }
    } else {
      rule.packed_output = packed;
      rule.real_result = true;
      rule.load_map = map(packed ? Rule::c2r_load : Rule::hermitian_load, source_count, rule.points);
      if (packed) {
        rule.lone_real = count % 2 != 0;
        count = (count + 1) / 2;
      }
    }
  }
  bound(rule, source_count, count);
  return rule;
}

}  // namespace twiddle::plan
