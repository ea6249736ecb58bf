// Steps, loops, bounds and frames of an axis.
#include "plan/lower/axis_drafts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numbers>
#include <utility>

namespace twiddle::plan {

Draft AxisDrafts::draft(Leaf leaf, Direction direction) const {
  Draft result;
  result.dimension = task_.dimension;
  Stage& stage = result.stage;
  stage.length = leaf.length;
  const auto& map = task_.rule.store_map;
  const bool to_spectrum = map && map->rule == LineMap::Rule::r2c_store && !leaf.to_spectrum.empty();
  stage.radices = std::move(to_spectrum ? leaf.to_spectrum : leaf.radices);
  stage.convolution = leaf.convolution;
  stage.direct = leaf.direct;
  stage.direction = direction;
  stage.step = fmt::format("{}: {}", prefix_, stage.length);
  if (stage.direct) stage.step += " by the definition";
  if (stage.convolution) {
    stage.step += fmt::format(" by {}, {} = {}", to_string(stage.convolution->algorithm), stage.convolution->points,
                              fmt::join(stage.radices, "."));
  } else if (stage.radices.size() > 1) {
    stage.step += fmt::format(" = {}", fmt::join(stage.radices, "."));
  }
  if (stage.length != points_) stage.step += fmt::format("{} of {}", stage.convolution ? "," : "", points_);
  return result;
}

void AxisDrafts::add_other_dimensions(Draft& draft) const {
  for (std::size_t dimension = extents_.size(); dimension-- > 0;) {
    if (dimension != task_.dimension) draft.loops.push_back({extents_[dimension], dimension, 1, 1});
  }
}

void AxisDrafts::add_digit(Draft& draft, const Digit& digit) const {
  draft.loops.push_back({digit.count, task_.dimension, digit.input_weight, digit.output_weight});
}

Bound AxisDrafts::bound(const Draft& draft, std::uint64_t count, std::int64_t DraftLoop::*weight) const {
  return bound_along(draft, task_.dimension, count, weight);
}

Bound AxisDrafts::symmetric_bound(const Draft& draft, std::uint64_t count, std::int64_t DraftLoop::*weight) const {
  const bool odd = task_.rule.symmetry == Symmetry::odd;
  const std::uint64_t first = odd ? 1 : 0;
  Bound result = bound(draft, first + count, weight);
  result.first = first;
  result.period = points_;
  result.odd = odd;
  if (task_.rule.weighted_ends) {
    const auto root = std::numbers::sqrt2_v<long double>;
    result.end_weight = weight == &DraftLoop::input_weight ? root : 1 / root;
  }
  return result;
}

void AxisDrafts::keep_lower_half(Draft& columns) const {
  Stage& stage = columns.stage;
  const std::uint64_t half = stage.length / 2 + 1;
  const std::vector<std::int64_t> no_strides(columns.loops.size());
  if (!task_.means) {
    stage.store_bound = Bound{half, 1, no_strides};
    return;
  }
  stage.load_factor = Factor{.sequence = Factor::Sequence::oblique, .inputs = stage.length, .loop_strides = no_strides};
  stage.store_map = LineMap{LineMap::Rule::mean_store, stage.length, stage.length, half};
  if (stage.twiddle) stage.twiddle->hermitian = true;
}

Frame AxisDrafts::complex_frame(std::uint64_t length) const {
  Frame frame{extents_, false, task_.source.order};
  frame.extents[task_.dimension] = length;
  return frame;
}

std::optional<std::size_t> leaves_line(const Draft& draft) {
  const auto odd = [](const std::optional<std::size_t>& dimension, const Frame& frame) {
    return dimension && frame.extents[*dimension] % 2 != 0;
  };
  if (odd(draft.pairs_in_source, draft.source)) return draft.pairs_in_source;
  if (odd(draft.pairs_in_destination, draft.destination)) return draft.pairs_in_destination;
  return std::nullopt;
}

namespace {

void set_turns(Draft& draft, std::uint64_t (*turns)(std::uint64_t count)) {
  const std::size_t dimension = *leaves_line(draft);
  for (DraftLoop& loop : draft.loops) {
    if (loop.dimension == dimension) loop.count = turns(loop.count);
  }
}

}  // namespace

Draft without_last_pair(Draft draft) {
  set_turns(draft, [](std::uint64_t count) { return count - 1; });
  return draft;
}

Draft for_last_line(Draft draft) {
  set_turns(draft, [](std::uint64_t) { return std::uint64_t{1}; });
  draft.pairs_in_source.reset();
  draft.pairs_in_destination.reset();
  std::optional<LineMap>& map = draft.stage.load_map;
  if (!map) return draft;
  const std::uint64_t half = map->length / 2 + 1;
  if (map->rule == LineMap::Rule::two_spectra_store) {
    map = LineMap{LineMap::Rule::mean_spectrum_store, map->length, map->length, half};
    draft.stage.length = half;
  } else if (map->rule == LineMap::Rule::two_spectra_load) {
    map = LineMap{LineMap::Rule::hermitian_load, map->length, half, map->length};
  }
  return draft;
}

}  // namespace twiddle::plan
