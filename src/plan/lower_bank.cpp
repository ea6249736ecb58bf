// Positions of segments: element k of the segment of outputs i, i + 1, ... is the signal's sample that output
// i + (k - first) needs last; see filter_bank.hpp.
#include "plan/lower_bank.hpp"

#include <fmt/format.h>

#include "plan/filter_bank.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::plan {
namespace {

std::uint64_t first_output(const twiddle::Convolution& convolution) {
  return convolution.kernel_lengths.back() - 1 + left_halo(convolution.post.function);
}

Storage storage(bool complex, Precision precision) {
  return {complex ? Storage::Form::interleaved : Storage::Form::real, precision, 0};
}

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
  stage.input_storage = storage(convolution.complex, convolution.precision);
  stage.loops = {{convolution.filters, distance, static_cast<std::int64_t>(length)}};
  stage.destination = Operand::spectra;
  if (reversed && convolution.complex) stage.load_hook = StageHook{named_hook("conjugate"), 1};
  return stage;
}

Stage spectra_stage(const twiddle::Convolution& convolution, const BankRecipe& recipe) {
  Stage stage = filter_stage(convolution, recipe.segment);
  const std::uint64_t taps = convolution.kernel_lengths.back();
  stage.length = recipe.segment;
  stage.radices = recipe.radices;
  stage.output_storage = storage(true, convolution.precision);
  stage.bank = FilterBank{.kind = FilterBank::Kind::spectra, .filters = convolution.filters, .taps = taps};
  stage.load_bound = Bound{taps, 1, {0}};
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

Stage convolving_stage(const twiddle::Convolution& convolution, const BankRecipe& recipe) {
  const PostProcessing& post = convolution.post;
  const std::uint64_t taps = convolution.kernel_lengths.back();
  const std::uint64_t outputs = convolved_lengths(convolution).back();
  const std::uint64_t first = first_output(convolution);
  const std::uint64_t step = segment_outputs(convolution, recipe.segment);
  const bool direct = recipe.radices.empty();
  const bool paired = !convolution.complex && !direct;
  const auto past = convolution.past.empty() ? default_past(convolution).back() : convolution.past.back();
  const auto signed_step = static_cast<std::int64_t>(step);
  const std::int64_t stored_step =
      signed_step / static_cast<std::int64_t>(post.decimation) * (interbins(post.function) ? 2 : 1);
  // The first output needs the signal's sample taps - 1 - past last.
  const std::int64_t start = static_cast<std::int64_t>(taps) - 1 - past - static_cast<std::int64_t>(first);

  Stage stage;
  stage.precision = convolution.precision;
  stage.length = recipe.segment;
  stage.radices = recipe.radices;
  stage.bank = FilterBank{.kind = direct ? FilterBank::Kind::direct : FilterBank::Kind::cyclic,
                          .filters = convolution.filters,
                          .taps = taps,
                          .filter_stride = post.maximum ? 0 : stored_elements(convolution),
                          .real_taps = direct && !convolution.complex,
                          .post = post,
                          .index_offset = 0};
  if (post.maximum)
    stage.bank->index_offset = static_cast<std::int64_t>(convolution.signals) * stored_elements(convolution);
  stage.input_storage = storage(convolution.complex, convolution.precision);
  stage.output_storage = storage(has_complex_output(convolution), convolution.precision);
  stage.input_offset = start;
  std::uint64_t segments = (outputs + step - 1) / step;
  std::int64_t turn = 1;  // segments that a transform takes
  std::int64_t imaginary_step = 0;
  if (paired) {
    stage.input_storage = {Storage::Form::planar, convolution.precision, signed_step};
    stage.output_storage = {Storage::Form::planar, convolution.precision, stored_step};
    segments = (segments + 1) / 2;
    turn = 2;
    imaginary_step = signed_step;
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
  stage.step = direct ? "direct sums" : fmt::format("overlap-save, segments of {}", recipe.segment);
  return stage;
}

}  // namespace

std::uint64_t segment_outputs(const twiddle::Convolution& convolution, std::uint64_t segment) {
  const std::uint64_t lost = first_output(convolution) + right_halo(convolution.post.function);
  return segment <= lost ? 0 : (segment - lost) / convolution.post.decimation * convolution.post.decimation;
}

BankPrograms lower_bank(const twiddle::Convolution& convolution, const BankRecipe& recipe) {
  const bool direct = recipe.radices.empty();
  BankPrograms programs;
  programs.prepare.stages = {direct ? taps_stage(convolution) : spectra_stage(convolution, recipe)};
  programs.apply.stages = {convolving_stage(convolution, recipe)};
  const std::uint64_t elements = convolution.filters * (direct ? total(convolution.kernel_lengths) : recipe.segment);
  const std::uint64_t scalars = direct && !convolution.complex ? 1 : 2;
  programs.spectra_bytes = elements * scalars * scalar_bytes(convolution.precision);
  return programs;
}

}  // namespace twiddle::plan
