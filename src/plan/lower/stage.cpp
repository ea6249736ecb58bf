// Sizes and text of stages.
#include "plan/lower/stage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

namespace twiddle::plan {
namespace {

std::string_view name(Operand operand) {
  switch (operand) {
    case Operand::input:
      return "input";
    case Operand::output:
      return "output";
    case Operand::spectra:
      return "spectra";
    case Operand::scratch:
      break;
  }
  return "scratch";
}

std::string_view name(KernelShape::Lanes lanes) {
  return lanes == KernelShape::Lanes::elements ? "elements" : "transforms";
}

// Nothing for what is usual.
std::string storage_text(const Storage& storage, std::string_view verb) {
  std::string text;
  if (storage.precision == Precision::float16) text += storage.words_apart ? " f32 in words apart" : " f16";
  if (storage.form == Storage::Form::real) text += " reals";
  if (storage.form == Storage::Form::apart) text += " real parts, imaginary ones in scratch";
  if (storage.form == Storage::Form::planar) text += fmt::format(" parts {} apart", storage.imaginary_offset);
  return text.empty() ? text : fmt::format(", {}{}", verb, text);
}

std::string first_weight_text(const Factor& factor) {
  if (factor.first_weight == 1) return {};
  return fmt::format(", the first times {}", static_cast<double>(factor.first_weight));
}

std::string factor_text(const Factor& factor) {
  switch (factor.sequence) {
    case Factor::Sequence::chirp:
      return fmt::format("chirp of {}", factor.length);
    case Factor::Sequence::half_spectrum_chirp:
      return fmt::format("chirp of {} for half a spectrum", factor.length);
    case Factor::Sequence::half_spectrum:
      return "1, 2, 2 ... for half a spectrum";
    case Factor::Sequence::quarter_points:
      return fmt::format("turns between {} points", factor.length);
    case Factor::Sequence::quarter_turn:
      return fmt::format("a quarter turn in {}{}", factor.length, first_weight_text(factor));
    case Factor::Sequence::half_turn:
      return fmt::format("a half turn in {}", factor.length);
    case Factor::Sequence::odd_half_turn:
      return fmt::format("a half turn in {}, times i but for the first", factor.length);
    case Factor::Sequence::half_spectrum_turn:
      return fmt::format("a quarter turn in {} for half a spectrum{}", factor.length, first_weight_text(factor));
    case Factor::Sequence::eighth_turns:
      return fmt::format("eighths of turns for {}", factor.length);
    case Factor::Sequence::alternating_eighth_turns:
      return fmt::format("eighths of turns with alternating signs for {}", factor.length);
    case Factor::Sequence::diagonal:
      return "1 + i";
    case Factor::Sequence::oblique:
      return "1 + 7/16 i";
    case Factor::Sequence::chirp_spectrum:
      break;
  }
  return fmt::format("chirp spectrum of {}", factor.length);
}

std::string bound_text(const Bound& bound, std::string_view verb) {
  std::string text = fmt::format(", {} below {}", verb, bound.count);
  if (bound.period != 0) text += fmt::format(" {} in {}", bound.odd ? "odd" : "mirrored", bound.period);
  if (bound.first != 0) text += fmt::format(" not below {}", bound.first);
  if (bound.imaginary_step == 1) text += ", the last real by itself";
  if (bound.real_first) text += ", the first one real";
  if (bound.imaginary_last) text += ", the last one imaginary";
  if (bound.end_weight != 1) text += fmt::format(", ends times {}", static_cast<double>(bound.end_weight));
  if (bound.offset != 0) text += fmt::format(" from {}", bound.offset);
  if (bound.first_element != 0) text += fmt::format(" elements {} to {}", bound.first_element, bound.end_element);
  if (bound.outside != Boundary::zero) text += fmt::format(", {} beyond", to_string(bound.outside));
  return text;
}

// "8.8", or for convolutions "Bluestein 16.8".
std::string radices_text(const Stage& stage) {
  return fmt::format("{}{}", stage.convolution ? fmt::format("{} ", to_string(stage.convolution->algorithm)) : "",
                     fmt::join(stage.radices, "."));
}

}  // namespace

std::uint64_t transform_count(const Stage& stage) {
  std::uint64_t count = 1;
  for (const Loop& loop : stage.loops) count *= loop.count;
  return count;
}

Halo halo_of(const Stage& stage) {
  return halo_of(stage.bank->post.function, stage.store_hook ? stage.store_hook->hook.get() : nullptr);
}

std::uint64_t launch_transforms(const Stage& stage) {
  std::uint64_t count = 1;
  for (std::size_t i = 0; i + stage.launched_loops < stage.loops.size(); ++i) count *= stage.loops[i].count;
  return count;
}

std::uint64_t launch_count(const Stage& stage) {
  std::uint64_t count = 1;
  for (std::size_t i = stage.loops.size() - stage.launched_loops; i < stage.loops.size(); ++i) {
    count *= stage.loops[i].count;
  }
  return count;
}

std::vector<std::vector<std::int64_t>*> position_strides(Stage& stage) {
  std::vector<std::vector<std::int64_t>*> result;
  for (auto* factor : {&stage.load_factor, &stage.store_factor}) {
    if (*factor) result.push_back(&(*factor)->loop_strides);
  }
  for (auto* bound : {&stage.load_bound, &stage.store_bound}) {
    if (*bound) result.push_back(&(*bound)->loop_strides);
  }
  return result;
}

bool counts_positions(const Stage& stage) {
  return stage.load_factor || stage.store_factor || stage.load_bound || stage.store_bound;
}

Stage one_launch(Stage stage, std::uint64_t launch) {
  const std::size_t kept = stage.loops.size() - stage.launched_loops;
  for (std::size_t i = kept; i < stage.loops.size(); ++i) {
    const Loop& loop = stage.loops[i];
    const auto turn = static_cast<std::int64_t>(launch % loop.count);
    stage.input_offset += turn * loop.input_stride;
    stage.output_offset += turn * loop.output_stride;
    launch /= loop.count;
  }
  stage.loops.resize(kept);
  stage.launched_loops = 0;
  for (auto* strides : position_strides(stage)) strides->resize(kept);
  return stage;
}

std::uint64_t bounded_count(std::uint64_t count, const std::optional<Bound>& bound) {
  const bool by_index = bound && bound->first == 0 && bound->element_stride == 1 &&
                        std::all_of(bound->loop_strides.begin(), bound->loop_strides.end(),
                                    [](std::int64_t stride) { return stride == 0; });
  return by_index ? std::min(count, bound->count) : count;
}

std::uint64_t chip_points(const Stage& stage) { return stage.convolution ? stage.convolution->points : stage.length; }

void tidy_loops(Stage& stage) {
  const std::vector<std::vector<std::int64_t>*> positions = position_strides(stage);
  struct Turn {
    Loop loop;
    bool twiddle = false;
    bool launched = false;
    std::vector<std::int64_t> position_strides;
  };
  std::vector<Turn> turns;
  for (std::size_t i = 0; i < stage.loops.size(); ++i) {
    if (stage.loops[i].count == 1) continue;
    Turn turn{
        stage.loops[i], stage.twiddle && stage.twiddle->loop == i, i + stage.launched_loops >= stage.loops.size(), {}};
    for (const auto* strides : positions) turn.position_strides.push_back((*strides)[i]);
    turns.push_back(std::move(turn));
  }
  // Stores that run across transforms decide the order; otherwise the loads do.
  const auto closest_output = std::min_element(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) {
    return std::abs(a.loop.output_stride) < std::abs(b.loop.output_stride);
  });
  const bool by_output =
      closest_output != turns.end() && std::abs(closest_output->loop.output_stride) < std::abs(stage.output_stride);
  std::stable_sort(turns.begin() + (stage.shared_map ? 1 : 0), turns.end(), [by_output](const Turn& a, const Turn& b) {
    if (a.launched != b.launched) return b.launched;
    const auto stride = by_output ? &Loop::output_stride : &Loop::input_stride;
    return std::abs(a.loop.*stride) < std::abs(b.loop.*stride);
  });
  std::vector<Turn> merged;
  for (const Turn& turn : turns) {
    const bool shared = stage.shared_map && merged.size() == 1;
    if (!merged.empty() && !turn.twiddle && !merged.back().twiddle && !shared &&
        turn.launched == merged.back().launched) {
      Turn& inner = merged.back();
      const auto continues = [&](std::int64_t outer_stride, std::int64_t inner_stride) {
        return outer_stride == inner_stride * static_cast<std::int64_t>(inner.loop.count);
      };
      bool all_continue = continues(turn.loop.input_stride, inner.loop.input_stride) &&
                          continues(turn.loop.output_stride, inner.loop.output_stride);
      for (std::size_t i = 0; i < positions.size(); ++i) {
        all_continue = all_continue && continues(turn.position_strides[i], inner.position_strides[i]);
      }
      if (all_continue) {
        inner.loop.count *= turn.loop.count;
        continue;
      }
    }
    merged.push_back(turn);
  }

  bool twiddle_left = false;
  stage.loops.clear();
  stage.launched_loops = 0;
  for (auto* strides : positions) strides->clear();
  for (std::size_t i = 0; i < merged.size(); ++i) {
    stage.loops.push_back(merged[i].loop);
    stage.launched_loops += merged[i].launched ? 1 : 0;
    for (std::size_t j = 0; j < positions.size(); ++j) positions[j]->push_back(merged[i].position_strides[j]);
    if (merged[i].twiddle) {
      stage.twiddle->loop = i;
      twiddle_left = true;
    }
  }
  if (!twiddle_left) stage.twiddle.reset();  // its index was always 0
}

bool bundles_transforms(const KernelShape& shape) {
  return shape.vector > 1 &&
         (shape.load == KernelShape::Lanes::transforms || shape.store == KernelShape::Lanes::transforms);
}

bool computes(const Stage& stage) {
  return !stage.radices.empty() || stage.convolution || stage.bank || stage.direct || stage.load_map ||
         stage.store_map || stage.twiddle || stage.load_factor || stage.store_factor;
}

bool has_parts_apart(const Stage& stage) { return stage.input_storage.is_apart() || stage.output_storage.is_apart(); }

std::uint32_t group_items(const KernelShape& shape) {
  return shape.items_per_transform * shape.transforms_per_group / (bundles_transforms(shape) ? shape.vector : 1);
}

std::size_t scalar_bytes(Precision precision) {
  switch (precision) {
    case Precision::float16:
      return 2;
    case Precision::float32:
      return 4;
    case Precision::float64:
      return 8;
    case Precision::extended:
      break;
  }
  return sizeof(long double);
}

Precision arithmetic_precision(Precision precision) {
  return precision == Precision::float16 ? Precision::float32 : precision;
}

bool keeps_plain_complex(const Stage& stage) {
  const auto is_complex = [&](const Storage& storage) {
    return storage.form == Storage::Form::interleaved && storage.precision == stage.precision;
  };
  return !stage.bank && !stage.direct && !stage.returns && !stage.load_map && !stage.store_map && !stage.shared_map &&
         !counts_positions(stage) && !stage.load_hook && !stage.store_hook && !stage.on_host && !stage.swaps &&
         stage.launched_loops == 0 && is_complex(stage.input_storage) && is_complex(stage.output_storage);
}

bool is_plain_complex(const Stage& stage) { return !stage.convolution && keeps_plain_complex(stage); }

bool stores_with_user(const Stage& stage) { return stage.store_hook || stage.repair; }

std::string to_string(const Stage& stage) {
  const bool direct =
      stage.bank && (stage.bank->kind == FilterBank::Kind::direct || stage.bank->kind == FilterBank::Kind::separable);
  std::string text = direct                  ? fmt::format("sums in {}", stage.length)
                     : stage.direct          ? fmt::format("{} by the definition", stage.length)
                     : stage.swaps           ? "swap"
                     : stage.radices.empty() ? (stage.load_map ? "map to " + std::to_string(stage.length) : "copy")
                                             : fmt::format("{} = {}", stage.length, radices_text(stage));
  if (stage.bank) text += fmt::format(", {}", to_string(*stage.bank));
  text += fmt::format(", elements {}->{}", stage.input_stride, stage.output_stride);
  for (const Loop& loop : stage.loops) {
    text += fmt::format(", {} x {}->{}", loop.count, loop.input_stride, loop.output_stride);
  }
  if (stage.launched_loops != 0) text += fmt::format(", the last {} by launches", stage.launched_loops);
  if (stage.on_host) text += ", on the host";
  if (stage.input_offset != 0) text += fmt::format(", from {}", stage.input_offset);
  if (stage.output_offset != 0) text += fmt::format(", to {}", stage.output_offset);
  text += storage_text(stage.input_storage, "reads") + storage_text(stage.output_storage, "writes");
  if (stage.precision != Precision::float32) text += fmt::format(", {}", to_string(stage.precision));
  if (stage.load_bound) text += bound_text(*stage.load_bound, "load");
  if (stage.load_map) text += ", load " + to_string(*stage.load_map);
  if (stage.mirrored) text += " with mirror images";
  if (stage.load_factor) text += ", load * " + factor_text(*stage.load_factor);
  if (stage.twiddle) {
    text += fmt::format(", {}{}twiddle {} by loop {}{}", stage.twiddle->on_load ? "load " : "",
                        stage.twiddle->hermitian ? "hermitian " : "", stage.twiddle->modulus, stage.twiddle->loop,
                        stage.twiddle->times_i ? ", times i" : "");
  }
  if (stage.store_factor) text += (stage.returns ? ", there, * " : ", store * ") + factor_text(*stage.store_factor);
  if (stage.returns) text += ", and back";
  if (stage.store_map) text += ", store " + to_string(*stage.store_map);
  if (stage.shared_map) text += ", mapped across loop 0";
  if (stage.second_spectrum != 0) text += fmt::format(", spectra {} apart", stage.second_spectrum);
  if (stage.store_bound) text += bound_text(*stage.store_bound, "store");
  if (stage.load_hook) text += ", load hook";
  if (stage.store_hook) text += ", store hook";
  if (stage.repair) text += ", sums where not finite";
  if (stage.scale != 1.0L) text += fmt::format(", scale {}", static_cast<double>(stage.scale));
  text += fmt::format(", {} -> {}", name(stage.source), name(stage.destination));
  const KernelShape& shape = stage.shape;
  if (shape == KernelShape{}) return text;  // of engines without work-groups
  text += fmt::format("; a group: {} x {} work-items, loads {}, stores {}", shape.transforms_per_group,
                      shape.items_per_transform, name(shape.load), name(shape.store));
  if (shape.vector > 1) text += fmt::format(", {} numbers at a time", shape.vector);
  if (shape.groups_per_transform > 1) text += fmt::format(", clusters of {} groups", shape.groups_per_transform);
  if (shape.prefetch) {
    text += fmt::format(", {} groups that fetch the next {} ahead", shape.groups,
                        shape.transforms_per_group > 1 ? "tile" : "line");
  }
  if (shape.past_cache) text += ", stores past the cache";
  if (shape.stores_together) text += ", results stored as one run";
  if (shape.same_way_back) text += ", back by the same passes";
  if (shape.column_roots) text += ", roots by column";
  if (shape.block != 0) text += fmt::format(", blocks of {}", shape.block);
  if (shape.stage_through_local) text += ", loads and stores through local memory";
  if (shape.exchange == KernelShape::Exchange::split) text += ", split exchange";
  if (shape.exchange_rounds > 1) text += fmt::format(" in {} rounds", shape.exchange_rounds);
  return text;
}

std::optional<std::string> turns_text(const Program& program, std::size_t stage) {
  for (const Program::Turns& turns : program.turns) {
    if (turns.first != stage) continue;
    return fmt::format("for each of {} slices, the next {} stages:", launch_count(program.stages[stage]), turns.stages);
  }
  return std::nullopt;
}

std::optional<std::string> joined_text(const Program& program, std::size_t stage) {
  if (program.planes && program.planes->first == stage) {
    return fmt::format("in one launch of {} groups, each with a plane in local memory:", program.planes->count);
  }
  if (!program.joined || program.joined->first != stage) return std::nullopt;
  const Program::Joined& joined = *program.joined;
  const std::string what = joined.ring == 0 ? fmt::format("for {} images", joined.lines)
                                            : fmt::format("by way of {} of {} lines", joined.ring, joined.lines);
  return fmt::format("in one launch of {} groups, {}, {} parts of {} ahead:", joined.groups, what, joined.lag,
                     joined.parts);
}

}  // namespace twiddle::plan
