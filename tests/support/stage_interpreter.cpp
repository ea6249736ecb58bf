// Gathers each stage's transforms, computes them by the reference, twiddles, scales, scatters; checks every address.
#include "support/stage_interpreter.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <stdexcept>

namespace twiddle::test {
namespace {

using plan::Factor;
using plan::Loop;
using plan::Operand;
using plan::Placement;
using plan::Stage;

struct Memory {
  Spectrum values;
  std::vector<bool> written;
  explicit Memory(std::size_t count) : values(count), written(count, false) {}
};

// A transform of a stage: where it starts, in memory and in the sequences of its factors, and its index in the loop
// that the twiddle names.
struct Place {
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::int64_t load_factor = 0;
  std::int64_t store_factor = 0;
  std::uint64_t twiddle_index = 0;
};

// exp(sign 2 pi i numerator / denominator), where forward has the negative sign.
std::complex<long double> root(Direction direction, std::uint64_t numerator, std::uint64_t denominator) {
  const long double turn = (direction == Direction::forward ? -2 : 2) * std::numbers::pi_v<long double>;
  return std::polar(1.0L, turn * static_cast<long double>(numerator) / static_cast<long double>(denominator));
}

// A factor's sequence, from its definition.
Spectrum factor_sequence(const Factor& factor) {
  Spectrum chirp(factor.length);
  for (std::uint64_t j = 0; j < factor.length; ++j) {
    chirp[j] = root(factor.direction, j * j % (2 * factor.length), 2 * factor.length);
  }
  if (factor.sequence == Factor::Sequence::chirp) return chirp;
  Spectrum wrapped(factor.padded);
  for (std::uint64_t j = 0; j < factor.length; ++j) {
    wrapped[j] = wrapped[(factor.padded - j) % factor.padded] = std::conj(chirp[j]);
  }
  return reference_transform({.lengths = {factor.padded}, .normalization = Normalization::none}, factor.direction,
                             std::move(wrapped));
}

class StageRun {
 public:
  StageRun(const Stage& stage, Memory& source, Memory& destination)
      : stage_(stage), source_(source), destination_(destination) {
    if (stage.load_factor) load_sequence_ = factor_sequence(*stage.load_factor);
    if (stage.store_factor) store_sequence_ = factor_sequence(*stage.store_factor);
  }

  void execute() {
    check();
    list_places();
    Spectrum lines = gather();
    lines =
        reference_transform({.lengths = {stage_.length}, .batch = places_.size(), .normalization = Normalization::none},
                            stage_.direction, std::move(lines));
    scatter(lines);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(fmt::format("{}: stage \"{}\" ({})", what, stage_.step, plan::to_string(stage_)));
  }

  void check() const {
    std::uint64_t product = 1;
    for (const unsigned radix : stage_.radices) product *= radix;
    if (product != stage_.length) fail(fmt::format("the radices multiply to {}", product));
    if (stage_.twiddle && stage_.twiddle->loop >= stage_.loops.size()) fail("the twiddle's loop does not exist");
    if (stage_.twiddle && stage_.twiddle->modulus == 0) fail("the twiddle's modulus is 0");
    for (const auto& factor : {stage_.load_factor, stage_.store_factor}) {
      if (factor && factor->loop_strides.size() != stage_.loops.size()) fail("a factor needs a stride for every loop");
    }
  }

  void list_places() {
    places_.assign(1, Place{});
    for (std::size_t i = 0; i < stage_.loops.size(); ++i) {
      const Loop& loop = stage_.loops[i];
      std::vector<Place> all;
      all.reserve(places_.size() * loop.count);
      for (std::uint64_t index = 0; index < loop.count; ++index) {
        const auto step = static_cast<std::int64_t>(index);
        for (Place place : places_) {
          place.input += step * loop.input_stride;
          place.output += step * loop.output_stride;
          if (stage_.load_factor) place.load_factor += step * stage_.load_factor->loop_strides[i];
          if (stage_.store_factor) place.store_factor += step * stage_.store_factor->loop_strides[i];
          if (stage_.twiddle && stage_.twiddle->loop == i) place.twiddle_index = index;
          all.push_back(place);
        }
      }
      places_ = std::move(all);
    }
    if (places_.size() != plan::transform_count(stage_)) fail("transform_count disagrees with the loops");
  }

  std::size_t address(std::int64_t base, std::int64_t stride, std::uint64_t element, const Memory& memory) const {
    const std::int64_t at = base + stride * static_cast<std::int64_t>(element);
    if (at < 0 || static_cast<std::uint64_t>(at) >= memory.values.size()) {
      fail(fmt::format("element {} of a transform lies at {}, outside its memory of {}", element, at,
                       memory.values.size()));
    }
    return static_cast<std::size_t>(at);
  }

  // The value of a factor's sequence for an element; none beyond the sequence's end, which leaves memory untouched.
  std::optional<std::complex<long double>> factor_value(const std::optional<Factor>& factor, const Spectrum& sequence,
                                                        std::int64_t base, std::uint64_t element) const {
    if (!factor) return 1.0L;
    const std::int64_t at = base + factor->element_stride * static_cast<std::int64_t>(element);
    if (at < 0) fail("a position in a factor's sequence is negative");
    if (static_cast<std::uint64_t>(at) >= sequence.size()) return std::nullopt;
    return sequence[static_cast<std::size_t>(at)];
  }

  std::complex<long double> twiddle_value(const Place& place, std::uint64_t element, bool on_load) const {
    if (!stage_.twiddle || stage_.twiddle->on_load != on_load) return 1.0L;
    const std::uint64_t modulus = stage_.twiddle->modulus;
    return root(stage_.direction, element * place.twiddle_index % modulus, modulus);
  }

  Spectrum gather() {
    Spectrum lines;
    lines.reserve(places_.size() * stage_.length);
    reader_.assign(source_.values.size(), nobody);
    for (std::size_t t = 0; t < places_.size(); ++t) {
      for (std::uint64_t k = 0; k < stage_.length; ++k) {
        const auto factor = factor_value(stage_.load_factor, load_sequence_, places_[t].load_factor, k);
        if (!factor) {
          lines.emplace_back(0.0L);
          continue;
        }
        const std::size_t at = address(places_[t].input, stage_.input_stride, k, source_);
        if (!source_.written[at]) fail(fmt::format("element {} is read and was never written", at));
        if (reader_[at] != nobody) fail(fmt::format("element {} is read twice", at));
        reader_[at] = t;
        lines.push_back(source_.values[at] * *factor * twiddle_value(places_[t], k, true));
      }
    }
    return lines;
  }

  void scatter(const Spectrum& lines) {
    const bool same_memory = &source_ == &destination_;
    std::vector<bool> taken(destination_.values.size(), false);
    for (std::size_t t = 0; t < places_.size(); ++t) {
      for (std::uint64_t k = 0; k < stage_.length; ++k) {
        const auto factor = factor_value(stage_.store_factor, store_sequence_, places_[t].store_factor, k);
        if (!factor) continue;
        const std::size_t at = address(places_[t].output, stage_.output_stride, k, destination_);
        if (taken[at]) fail(fmt::format("element {} is written twice", at));
        if (same_memory && reader_[at] != t && reader_[at] != nobody) {
          fail(fmt::format("element {} is written by transform {} and read by transform {}", at, t, reader_[at]));
        }
        taken[at] = true;
        destination_.written[at] = true;
        destination_.values[at] = lines[t * stage_.length + k] * *factor * twiddle_value(places_[t], k, false) *
                                  static_cast<long double>(stage_.scale);
      }
    }
  }

  static constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();
  const Stage& stage_;
  Memory& source_;
  Memory& destination_;
  Spectrum load_sequence_;
  Spectrum store_sequence_;
  std::vector<Place> places_;
  std::vector<std::size_t> reader_;  // of each element of the source
};

}  // namespace

Spectrum interpret(const plan::Program& program, Placement placement, const Spectrum& input) {
  Memory given(input.size()), result(input.size()), scratch(program.scratch_bytes / sizeof(std::complex<float>));
  given.values = input;
  given.written.assign(input.size(), true);
  Memory& output = placement == Placement::in_place ? given : result;

  const auto memory = [&](Operand operand) -> Memory& {
    return operand == Operand::input ? given : operand == Operand::output ? output : scratch;
  };
  for (const Stage& stage : program.stages) {
    if (stage.destination == Operand::input && placement == Placement::out_of_place) {
      throw std::runtime_error(fmt::format("stage \"{}\" writes the input", stage.step));
    }
    StageRun(stage, memory(stage.source), memory(stage.destination)).execute();
  }
  for (std::size_t i = 0; i < output.written.size(); ++i) {
    if (!output.written[i]) throw std::runtime_error(fmt::format("no stage writes element {} of the output", i));
  }
  return output.values;
}

long double relative_difference(const Spectrum& a, const Spectrum& b) {
  if (a.size() != b.size()) return std::numeric_limits<long double>::quiet_NaN();
  long double largest = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::norm(a[i] - b[i]));
    norm += std::norm(b[i]);
  }
  return std::sqrt(norm == 0 ? largest : largest * static_cast<long double>(a.size()) / norm);
}

}  // namespace twiddle::test
