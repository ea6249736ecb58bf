// Stages of filter banks, compiled for a device.
#include "convolution_bank.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "plan/convolution/bank_shape.hpp"
#include "plan/convolution/filter_bank.hpp"
#include "plan/convolution/lower_bank.hpp"
#include "plan/device/limits.hpp"
#include "plan/shape/shape.hpp"
#include "twiddle/error.hpp"

namespace twiddle::bench {

std::string to_text(const std::vector<unsigned>& radices) { return fmt::format("{}", fmt::join(radices, ".")); }

namespace {

plan::KernelShape::Sharing sharing_of(const std::string& word) {
  using Sharing = plan::KernelShape::Sharing;
  if (word == "pairs") return Sharing::pairs;
  if (word == "segments") return Sharing::segments;
  if (word == "turns") return Sharing::turns;
  throw InvalidArgument(fmt::format("groups share pairs, segments or turns, not '{}'", word));
}

const char* word_of(plan::KernelShape::Sharing sharing) {
  using Sharing = plan::KernelShape::Sharing;
  return sharing == Sharing::turns ? "turns" : sharing == Sharing::segments ? "segments" : "pairs";
}

}  // namespace

BankShape parse_bank_shape(const std::string& text) {
  BankShape shape;
  std::stringstream parts(text);
  std::string part;
  std::getline(parts, part, '/');
  std::stringstream radices(part);
  for (std::string radix; std::getline(radices, radix, '.');)
    shape.radices.push_back(static_cast<unsigned>(std::stoul(radix)));
  if (std::getline(parts, part, '/')) shape.registers = static_cast<std::uint32_t>(std::stoul(part));
  if (std::getline(parts, part, '/')) shape.groups = static_cast<std::uint32_t>(std::stoul(part));
  if (std::getline(parts, part, '/')) shape.items = static_cast<std::uint32_t>(std::stoul(part));
  if (std::getline(parts, part, '/')) shape.root_step = static_cast<std::uint32_t>(std::stoul(part));
  if (std::getline(parts, part, '/')) shape.keeps_roots = part == "kept";
  if (std::getline(parts, part, '/')) shape.sharing = sharing_of(part);
  if (std::getline(parts, part, '/')) shape.fetched_ahead = static_cast<std::uint32_t>(std::stoul(part));
  return shape;
}

BankRun BankRun::fused(const Device& device, const Convolution& convolution, const std::optional<BankShape>& shape) {
  const DeviceLimits limits = plan::limits_for(device.info().limits, convolution.precision);
  plan::BankRecipe recipe;
  if (shape) {
    recipe.radices = shape->radices;
    for (const unsigned radix : recipe.radices) recipe.segment *= radix;
  } else {
    const auto chosen = plan::choose_bank_segment(convolution.kernel_lengths.back() - 1, convolution.filters, limits);
    if (!chosen) throw Unsupported("no segment of the device is long enough");
    recipe = {chosen->length, chosen->radices};
  }
  plan::BankPrograms programs = plan::lower_bank(convolution, recipe);
  BankRun run;
  run.spectra_ = std::make_shared<Buffer>(device, plan::filter_bytes(programs, limits));
  const auto add = [&](plan::Stage stage, bool reads_filters) {
    stage.shape = plan::choose_shape(stage, limits);
    if (shape && shape->items != 0) stage.shape.items_per_transform = shape->items;
    if (shape && shape->root_step != 0) stage.shape.root_step = shape->root_step;
    if (shape && !reads_filters && shape->registers != 0) stage.shape.registers = shape->registers;
    if (shape && !reads_filters && shape->keeps_roots) stage.shape.keeps_roots = *shape->keeps_roots;
    if (shape && !reads_filters && shape->sharing) stage.shape.sharing = *shape->sharing;
    if (shape && !reads_filters && shape->fetched_ahead) stage.shape.fetched_ahead = *shape->fetched_ahead;
    if (shape && !reads_filters && shape->groups != 0) {
      stage.shape.groups = shape->groups * static_cast<std::uint32_t>(limits.compute_units);
    }
    if (!reads_filters) {
      run.text_ =
          fmt::format("{} = {}/{}/{} of {}/{}{}/{}/{}", recipe.segment, to_text(recipe.radices), stage.shape.registers,
                      stage.shape.groups, stage.shape.items_per_transform, stage.shape.root_step,
                      stage.shape.keeps_roots ? "/kept" : "", word_of(stage.shape.sharing), stage.shape.fetched_ahead);
    }
    run.steps_.push_back({device.engine().compile(stage), reads_filters});
  };
  for (const plan::Stage& stage : programs.prepare.stages) add(stage, true);
  for (const plan::Stage& stage : programs.apply.stages) add(stage, false);
  return run;
}

BankRun BankRun::apart(const Device& device, const Convolution& convolution, std::uint64_t segment,
                       const std::vector<std::complex<float>>& filters) {
  const DeviceLimits limits = plan::limits_for(device.info().limits, convolution.precision);
  const std::uint64_t taps = convolution.kernel_lengths.back();
  const std::uint64_t outputs = convolution.signal_lengths.back();
  const std::uint64_t step = segment - taps + 1;
  const std::uint64_t segments = (outputs + step - 1) / step;
  const auto known = plan::bank_segments(limits);
  const auto found = std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.length == segment; });
  if (found == known.end()) throw Unsupported("the device holds no such segment");
  const std::vector<unsigned> radices = found->radices;
  const auto length = static_cast<std::int64_t>(segment);
  const auto products = static_cast<std::int64_t>(segments) * length;
  BankRun run;
  run.text_ = fmt::format("{} = {}, three kernels", segment, to_text(radices));

  // Filters turned so that the outputs that are not aliased come first.
  std::vector<std::complex<float>> turned(convolution.filters * segment);
  for (std::uint64_t filter = 0; filter < convolution.filters; ++filter) {
    for (std::uint64_t tap = 0; tap < taps; ++tap) {
      turned[filter * segment + (tap + segment - (taps - 1)) % segment] =
          filters[filter * taps + tap] / static_cast<float>(segment);
    }
  }
  run.own_filters_ = std::make_shared<Buffer>(Buffer::of<std::complex<float>>(device, turned.size()));
  run.own_filters_->write(turned);
  run.spectra_ = std::make_shared<Buffer>(Buffer::of<std::complex<float>>(device, turned.size()));
  const std::size_t rows = static_cast<std::size_t>(products) * (convolution.filters + 1);
  run.scratch_ = std::make_shared<Buffer>(Buffer::of<std::complex<float>>(device, rows));

  const auto add = [&](plan::Stage stage, bool reads_filters) {
    stage.shape = plan::choose_shape(stage, limits);
    run.steps_.push_back({device.engine().compile(stage), reads_filters});
  };
  plan::Stage forward;
  forward.length = segment;
  forward.radices = radices;
  plan::Stage spectra = forward;
  spectra.loops = {{convolution.filters, length, length}};
  spectra.destination = plan::Operand::spectra;
  add(spectra, true);
  forward.loops = {{segments, static_cast<std::int64_t>(step), length}};
  forward.destination = plan::Operand::scratch;
  add(forward, false);  // the signal begins with zeros, see BankRun::submit

  auto multiply = std::make_shared<Hook>();
  multiply->source = fmt::format(
      "const TW_INDEX place = index - {0}; TW_COMPLEX factor = ((TW_GLOBAL const TW_COMPLEX*)user)[place / {0} * {1} + "
      "place % {1}];\n"
      "value = TW_MAKE(value.x * factor.x - value.y * factor.y, value.x * factor.y + value.y * factor.x);",
      products, segment);
  plan::Stage product;
  product.loops = {{segments * segment, 1, 1}, {convolution.filters, 0, products}};
  product.output_offset = products;
  product.source = product.destination = plan::Operand::scratch;
  product.store_hook = plan::StageHook{multiply, 1};
  add(product, false);

  plan::Stage back = forward;
  back.direction = Direction::inverse;
  back.source = plan::Operand::scratch;
  back.destination = plan::Operand::output;
  back.input_offset = products;
  back.loops = {{segments, length, static_cast<std::int64_t>(step)},
                {convolution.filters, products, static_cast<std::int64_t>(segments * step)}};
  run.pitch_ = segments * step;
  back.store_bound = plan::Bound{step, 1, {0, 0}};
  add(back, false);
  return run;
}

void BankRun::submit(const Buffer& signal, const Buffer& filters, Buffer& output, bool with_filters) const {
  bool follows_filters = false;
  for (const Step& step : steps_) {
    if (step.reads_filters && !with_filters) continue;
    backend::Operands operands;
    const Buffer& source = step.reads_filters ? (own_filters_ ? *own_filters_ : filters) : signal;
    operands.input = &source.memory();
    operands.output = &output.memory();
    operands.scratch = scratch_ ? &scratch_->memory() : nullptr;
    operands.spectra = &spectra_->memory();
    operands.store_user = &spectra_->memory();
    operands.follows_filters = std::exchange(follows_filters, step.reads_filters);
    step.executable->run(operands, nullptr);
  }
}

}  // namespace twiddle::bench
