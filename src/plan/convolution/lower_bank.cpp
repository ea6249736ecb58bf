// Positions of segments: element k of the segment of outputs i, i + 1, ... is the signal's sample that output
// i + (k - first) needs last; see filter_bank.hpp.
#include "plan/convolution/lower_bank.hpp"

#include <fmt/format.h>

#include "plan/convolution/filter_bank.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::plan {
namespace {

std::uint64_t total(const std::vector<std::size_t>& lengths) {
  std::uint64_t result = 1;
  for (const std::size_t length : lengths) result *= length;
  return result;
}

// The filters, for correlation reversed and conjugated, as `length` elements of Operand::spectra each.
Stage filter_stage(const twiddle::Convolution& convolution, std::uint64_t length) {
  const std::uint64_t taps = total(convolution.kernel_lengths);
  const auto distance = static_cast<std::int64_t>(taps);
  const bool reversed = convolution.operation == twiddle::Convolution::Operation::correlate;
  Stage stage;
  stage.precision = convolution.precision;
  stage.input_stride = reversed ? -1 : 1;
  stage.input_offset = reversed ? distance - 1 : 0;
  stage.input_storage = interleaved_or_real(convolution.complex, convolution.precision);
  stage.loops = {{convolution.filters, distance, static_cast<std::int64_t>(length)}};
  stage.destination = Operand::spectra;
  if (reversed && convolution.complex) stage.load_hook = StageHook{named_hook("conjugate"), 1};
  return stage;
}

Stage spectra_stage(const twiddle::Convolution& convolution, const BankRecipe& recipe, const SegmentUse& use) {
  Stage stage = filter_stage(convolution, use.partitions * recipe.segment);
  stage.length = recipe.segment;
  stage.radices = recipe.radices;
  stage.output_storage = interleaved_or_real(true, convolution.precision);
  stage.bank = FilterBank{.kind = FilterBank::Kind::spectra, .filters = convolution.filters, .taps = use.taps};
  stage.load_bound = Bound{convolution.kernel_lengths.back(), 1, {0}};
  if (use.partitions > 1) {
    const auto taps = static_cast<std::int64_t>(use.taps);
    stage.bank->partitions = use.partitions;
    stage.loops.insert(stage.loops.begin(),
                       Loop{use.partitions, stage.input_stride * taps, static_cast<std::int64_t>(recipe.segment)});
    stage.load_bound->loop_strides = {taps, 0};
    stage.load_bound->end_element = use.taps;
  }
  stage.scale = 1 / static_cast<long double>(recipe.segment);
  stage.step = "spectra of the filters";
  return stage;
}

// Filters as they are: every element a line of its own.
Stage taps_stage(const twiddle::Convolution& convolution) {
  const std::uint64_t taps = total(convolution.kernel_lengths);
  Stage stage = filter_stage(convolution, taps);
  stage.loops.insert(stage.loops.begin(), Loop{taps, stage.input_stride, 1});
  stage.input_stride = 1;
  stage.output_storage = stage.input_storage;
  stage.step = "filters";
  return stage;
}

std::int64_t stored_elements(const twiddle::Convolution& convolution) {
  return static_cast<std::int64_t>(total(output_lengths(convolution)));
}

// The loops over the lines of results and over the signals, and the taps across lines.
void add_outer_loops(const twiddle::Convolution& convolution, Stage& stage) {
  const std::vector<std::size_t> outputs = output_lengths(convolution);
  const auto past = convolution.past.empty() ? default_past(convolution) : convolution.past;
  auto input_stride = static_cast<std::int64_t>(convolution.signal_lengths.back());
  auto output_stride = static_cast<std::int64_t>(outputs.back());
  for (std::size_t axis = outputs.size() - 1; axis-- > 0;) {
    const std::uint64_t taps = convolution.kernel_lengths[axis];
    stage.bank->outer.insert(stage.bank->outer.begin(),
                             OuterTaps{taps, stage.loops.size(), convolution.signal_lengths[axis],
                                       static_cast<std::int64_t>(taps) - 1 - past[axis], input_stride});
    stage.loops.push_back({outputs[axis], 0, output_stride});
    input_stride *= static_cast<std::int64_t>(convolution.signal_lengths[axis]);
    output_stride *= static_cast<std::int64_t>(outputs[axis]);
  }
  if (!convolution.post.maximum) output_stride *= static_cast<std::int64_t>(convolution.filters);
  stage.loops.push_back({convolution.signals, input_stride, output_stride});
}

Stage convolving_stage(const twiddle::Convolution& convolution, const BankRecipe& recipe, const SegmentUse& use) {
  const PostProcessing& post = convolution.post;
  const std::uint64_t outputs = convolved_lengths(convolution).back();
  const std::uint64_t first = use.taps - 1 + halo_of(convolution).left;
  const std::uint64_t step = use.outputs;
  const bool direct = recipe.radices.empty();
  const bool paired = !convolution.complex && !direct;
  const auto past = convolution.past.empty() ? default_past(convolution).back() : convolution.past.back();
  const auto signed_step = static_cast<std::int64_t>(step);
  const std::int64_t stored_step =
      signed_step / static_cast<std::int64_t>(post.decimation) * (interbins(post.function) ? 2 : 1);
  // The first output needs the signal's sample taps - 1 - past last.
  const std::int64_t start =
      static_cast<std::int64_t>(convolution.kernel_lengths.back()) - 1 - past - static_cast<std::int64_t>(first);

  Stage stage;
  stage.precision = convolution.precision;
  stage.length = recipe.segment;
  stage.radices = recipe.radices;
  stage.bank = FilterBank{.kind = recipe.separable ? FilterBank::Kind::separable
                                  : direct         ? FilterBank::Kind::direct
                                                   : FilterBank::Kind::cyclic,
                          .filters = convolution.filters,
                          .taps = use.taps,
                          .partitions = use.partitions,
                          .last_taps = convolution.kernel_lengths.back() - (use.partitions - 1) * use.taps,
                          .filter_stride = post.maximum ? 0 : stored_elements(convolution),
                          .real_taps = direct && !convolution.complex,
                          .post = post,
                          .index_offset = 0};
  if (post.maximum)
    stage.bank->index_offset = static_cast<std::int64_t>(convolution.signals) * stored_elements(convolution);
  stage.input_storage = interleaved_or_real(convolution.complex, convolution.precision);
  stage.output_storage = interleaved_or_real(has_complex_output(convolution), convolution.precision);
  stage.input_offset = start;
  std::uint64_t segments = (outputs + step - 1) / step;
  std::int64_t turn = 1;  // segments from a transform's to the next one's
  std::int64_t imaginary_step = 0;
  if (paired) {
    segments = (segments + 1) / 2;
    // Neighbours; with partitions a line's halves, so that segments before these are those of earlier turns.
    const std::int64_t apart = use.partitions > 1 ? static_cast<std::int64_t>(segments) : 1;
    if (use.partitions == 1) turn = 2;
    imaginary_step = apart * signed_step;
    stage.input_storage = {Storage::Form::planar, convolution.precision, imaginary_step};
    stage.output_storage = {Storage::Form::planar, convolution.precision, apart * stored_step};
  }
  stage.loops = {{segments, turn * signed_step, turn * stored_step}};
  add_outer_loops(convolution, stage);
  std::vector<std::int64_t> positions(stage.loops.size(), 0);
  positions[0] = turn * signed_step;
  stage.load_bound = Bound{convolution.signal_lengths.back(), 1, positions, start};
  stage.load_bound->imaginary_step = imaginary_step;
  stage.load_bound->outside = convolution.boundary;
  stage.store_bound =
      Bound{outputs, 1, positions, -static_cast<std::int64_t>(first), first, first + step, imaginary_step};
  if (convolution.store_hook) stage.store_hook = StageHook{convolution.store_hook, 1};
  stage.step = recipe.separable ? "sums of columns and rows"
               : direct         ? "direct sums"
                                : fmt::format("overlap-save, segments of {}", recipe.segment);
  return stage;
}

}  // namespace

SegmentUse use_of_segment(const twiddle::Convolution& convolution, std::uint64_t segment, bool partitioned) {
  const PostProcessing& post = convolution.post;
  const std::uint64_t taps = convolution.kernel_lengths.back();
  const Halo beside = halo_of(convolution);
  const std::uint64_t lost = beside.left + beside.right + (partitioned ? 0 : taps - 1);
  SegmentUse use{segment <= lost ? 0 : segment - lost, taps, 1};
  if (partitioned) use.outputs = (use.outputs + 1) / 2;  // as many taps, less one, are aliased
  use.outputs = use.outputs / post.decimation * post.decimation;
  if (partitioned && use.outputs > 0) {
    use.taps = use.outputs;
    use.partitions = (taps + use.taps - 1) / use.taps;
  }
  return use;
}

BankPrograms lower_bank(const twiddle::Convolution& convolution, const BankRecipe& recipe) {
  const bool direct = recipe.radices.empty();
  const SegmentUse use = use_of_segment(convolution, recipe.segment, recipe.partitioned);
  BankPrograms programs;
  programs.apply.stages = {convolving_stage(convolution, recipe, use)};
  if (!recipe.separable) {
    programs.prepare.stages = {direct ? taps_stage(convolution) : spectra_stage(convolution, recipe, use)};
  }
  const std::uint64_t elements =
      convolution.filters * (direct ? all_taps(*programs.apply.stages[0].bank) : use.partitions * recipe.segment);
  const std::uint64_t scalars = direct && !convolution.complex ? 1 : 2;
  programs.spectra_bytes = elements * scalars * scalar_bytes(convolution.precision);
  if (!direct && use.partitions == 1) {
    programs.taps_bytes = 2 * convolution.filters * use.taps * scalar_bytes(convolution.precision);
  }
  return programs;
}

std::uint64_t filter_bytes(const BankPrograms& programs, const DeviceLimits& limits) {
  return programs.spectra_bytes + (limits.shape == DeviceLimits::Shape::owned ? 0 : programs.taps_bytes);
}

}  // namespace twiddle::plan
