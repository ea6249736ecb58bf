// Gathers each segment, convolves it with each filter, makes of the results what is asked, scatters.
#include "support/bank_interpreter.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "plan/convolution/filter_bank.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::test {
namespace {

using plan::Bound;
using plan::FilterBank;
using plan::Stage;
using plan::Storage;
using Complex = std::complex<long double>;
using Function = PostProcessing::Function;

// A segment of the stage: where its first element is, in memory and beside the bounds.
struct Segment {
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::int64_t load_position = 0;
  std::int64_t store_position = 0;
  std::vector<std::uint64_t> indices{};  // in each loop
};

class BankRun {
 public:
  BankRun(const Stage& stage, const ScalarMemory& source, const ScalarMemory& spectra, ScalarMemory& destination)
      : stage_(stage),
        bank_(stage.bank.value()),
        source_(source),
        spectra_(spectra),
        destination_(destination),
        taken_(destination.values.size()),
        paired_(stage.input_storage.form == Storage::Form::planar) {}

  void execute() {
    check();
    std::vector<Segment> segments{
        Segment{stage_.input_offset, stage_.output_offset, stage_.load_bound->offset, stage_.store_bound->offset}};
    for (std::size_t i = 0; i < stage_.loops.size(); ++i) {
      std::vector<Segment> all;
      for (std::uint64_t index = 0; index < stage_.loops[i].count; ++index) {
        const auto step = static_cast<std::int64_t>(index);
        for (Segment segment : segments) {
          segment.input += step * stage_.loops[i].input_stride;
          segment.output += step * stage_.loops[i].output_stride;
          segment.load_position += step * stage_.load_bound->loop_strides[i];
          segment.store_position += step * stage_.store_bound->loop_strides[i];
          segment.indices.push_back(index);
          all.push_back(segment);
        }
      }
      segments = std::move(all);
    }
    for (const Segment& segment : segments) convolve(segment);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(fmt::format("{}: stage \"{}\" ({})", what, stage_.step, plan::to_string(stage_)));
  }

  void check() const {
    if (!stage_.load_bound || !stage_.store_bound) fail("a bank needs both bounds");
    if (stage_.load_map || stage_.store_map || stage_.load_factor || stage_.store_factor || stage_.twiddle) {
      fail("a bank has maps, factors or a twiddle");
    }
    if (stage_.load_bound->loop_strides.size() != stage_.loops.size() ||
        stage_.store_bound->loop_strides.size() != stage_.loops.size()) {
      fail("a bound needs a stride for every loop");
    }
    if (&source_ == &destination_ || &spectra_ == &destination_) fail("a bank works in place");
    const Bound& kept = *stage_.store_bound;
    if (kept.element_stride != 1) fail("outputs do not follow each other");
    if (kept.first_element + 1 < bank_.taps + plan::halo_of(stage_).left) fail("aliased outputs are stored");
    if (kept.end_element + plan::halo_of(stage_).right > stage_.length) fail("outputs lie beyond the segment");
    if (stage_.length < bank_.taps) fail("the filter is longer than the segment");
    if (paired_ != (stage_.output_storage.form == Storage::Form::planar)) fail("one side only is paired");
    std::uint64_t product = 1;
    for (const unsigned radix : stage_.radices) product *= radix;
    if (product != (bank_.kind == FilterBank::Kind::cyclic ? stage_.length : 1)) fail("the radices do not fit");
  }

  std::size_t place(std::int64_t at, const ScalarMemory& memory) const {
    if (at < 0 || static_cast<std::uint64_t>(at) >= memory.values.size()) {
      fail(fmt::format("an element lies at scalar {}, outside its memory of {}", at, memory.values.size()));
    }
    return static_cast<std::size_t>(at);
  }

  long double scalar(std::int64_t at, const ScalarMemory& memory) const {
    const std::size_t index = place(at, memory);
    if (!memory.written[index]) fail(fmt::format("scalar {} is read and was never written", at));
    return memory.values[index];
  }

  // Element k of a part, 0 or 1: of pairs each is a line of reals, else there is one.
  Complex element(const Segment& segment, std::uint64_t k, std::int64_t part) const {
    const Bound& bound = *stage_.load_bound;
    if (k < bound.first_element || k >= bound.end_element) return 0;
    const auto index = static_cast<std::int64_t>(k);
    const std::int64_t position = segment.load_position + index * bound.element_stride + part * bound.imaginary_step;
    const auto found = boundary_source(bound.outside, position, bound.count);
    if (!found) return 0;
    const std::int64_t moved = (static_cast<std::int64_t>(*found) - position) / bound.element_stride;
    const std::int64_t at = segment.input + (index + moved) * stage_.input_stride;
    Complex value;
    std::int64_t unit_place = at;
    switch (stage_.input_storage.form) {
      case Storage::Form::interleaved:
        value = {scalar(2 * at, source_), scalar(2 * at + 1, source_)};
        break;
      case Storage::Form::planar:
        unit_place = at + part * stage_.input_storage.imaginary_offset;
        value = scalar(unit_place, source_);
        break;
      case Storage::Form::real:
        value = scalar(at, source_);
        break;
      case Storage::Form::apart:
        throw std::runtime_error("signals are never apart");
    }
    return stage_.load_hook ? hooked(*stage_.load_hook, value, unit_place) : value;
  }

  static Complex hooked(const plan::StageHook& hook, Complex value, std::int64_t position) {
    return Complex(hook.hook->function(std::complex<double>(value), static_cast<std::uint64_t>(position / hook.unit)));
  }

  // A segment as it stands for an outer tap; none where its line does not exist.
  std::optional<Segment> moved(Segment segment, std::uint64_t tap) const {
    for (auto outer = bank_.outer.rbegin(); outer != bank_.outer.rend(); ++outer) {
      const auto place = static_cast<std::int64_t>(segment.indices.at(outer->loop)) + outer->offset -
                         static_cast<std::int64_t>(tap % outer->taps);
      tap /= outer->taps;
      const auto source = boundary_source(stage_.load_bound->outside, place, outer->count);
      if (!source) return std::nullopt;
      if (stage_.loops[outer->loop].input_stride != 0) fail("a loop over lines moves the input itself");
      segment.input += static_cast<std::int64_t>(*source) * outer->input_stride;
    }
    return segment;
  }

  Spectrum line(const Segment& segment, std::int64_t part) const {
    Spectrum result(stage_.length);
    for (std::uint64_t k = 0; k < stage_.length; ++k) result[k] = element(segment, k, part);
    return result;
  }

  // All y_f[k] of a segment's part, for every filter.
  std::vector<Spectrum> convolved(const Segment& segment, std::int64_t part) const {
    const std::uint64_t n = stage_.length;
    std::vector<Spectrum> results(bank_.filters, Spectrum(n));
    if (bank_.kind == FilterBank::Kind::cyclic) {
      if (!bank_.outer.empty()) fail("transforms have taps across lines");
      const Transform transform{.lengths = {n}, .normalization = Normalization::none};
      Segment earlier = segment;
      for (std::uint64_t partition = 0; partition < bank_.partitions; ++partition) {
        const Spectrum spectrum = reference_transform(transform, Direction::forward, line(earlier, part));
        for (std::uint64_t filter = 0; filter < bank_.filters; ++filter) {
          for (std::uint64_t k = 0; k < n; ++k) {
            const auto at = static_cast<std::int64_t>(2 * ((filter * bank_.partitions + partition) * n + k));
            results[filter][k] += spectrum[k] * Complex(scalar(at, spectra_), scalar(at + 1, spectra_));
          }
        }
        earlier.input -= static_cast<std::int64_t>(bank_.taps) * stage_.input_stride;
        earlier.load_position -= static_cast<std::int64_t>(bank_.taps) * stage_.load_bound->element_stride;
      }
      for (Spectrum& result : results) result = reference_transform(transform, Direction::inverse, std::move(result));
      return results;
    }
    const std::uint64_t lines = plan::outer_taps(bank_);
    for (std::uint64_t outer = 0; outer < lines; ++outer) {
      const auto place = moved(segment, outer);
      if (!place) continue;
      const Spectrum values = line(*place, part);
      for (std::uint64_t filter = 0; filter < bank_.filters; ++filter) {
        for (std::uint64_t m = 0; m < bank_.taps; ++m) {
          const Complex tap = tap_of(filter, outer, m);
          for (std::uint64_t k = m; k < n; ++k) results[filter][k] += tap * values[k - m];
        }
      }
    }
    return results;
  }

  Complex tap_of(std::uint64_t filter, std::uint64_t outer, std::uint64_t m) const {
    const auto stored = [&](std::uint64_t index) {
      const auto at = static_cast<std::int64_t>(filter * plan::all_taps(bank_) + index);
      return bank_.real_taps ? Complex(scalar(at, spectra_))
                             : Complex(scalar(2 * at, spectra_), scalar(2 * at + 1, spectra_));
    };
    if (bank_.kind == FilterBank::Kind::direct) return stored(outer * bank_.taps + m);
    return stored(outer) * stored(plan::outer_taps(bank_) + m);
  }

  // What the function makes of element k, and for interbinning of what lies between it and the next one.
  std::vector<Complex> processed(const Spectrum& y, std::uint64_t k) const {
    switch (bank_.post.function) {
      case Function::none:
        break;
      case Function::power:
        return {std::norm(y[k])};
      case Function::magnitude:
        return {std::abs(y[k])};
      case Function::derivative:
        return {(y[k + 1] - y[k - 1]) / 2.0L};
      case Function::interbin_pi_4:
      case Function::interbin_2_pi:
        return {std::norm(y[k]), std::norm(plan::interbin_factor(bank_.post.function) * (y[k] - y[k + 1]))};
    }
    return {y[k]};
  }

  void convolve(const Segment& segment) {
    const Bound& kept = *stage_.store_bound;
    for (std::int64_t part = 0; part < (paired_ ? 2 : 1); ++part) {
      std::vector<Spectrum> results = convolved(segment, part);
      for (Spectrum& result : results) {
        for (Complex& value : result) value = paired_ ? value.real() : value;
      }
      for (std::uint64_t k = kept.first_element; k < kept.end_element; ++k) {
        const std::int64_t position =
            segment.store_position + static_cast<std::int64_t>(k) + part * kept.imaginary_step;
        const std::uint64_t j = k - kept.first_element;
        if (position < 0 || static_cast<std::uint64_t>(position) >= kept.count || j % bank_.post.decimation != 0)
          continue;
        store(segment, part, results, k, j / bank_.post.decimation);
      }
    }
  }

  void store(const Segment& segment, std::int64_t part, const std::vector<Spectrum>& results, std::uint64_t k,
             std::uint64_t index) {
    const std::size_t made = plan::interbins(bank_.post.function) ? 2 : 1;
    std::vector<std::size_t> winners(made, 0);
    std::vector<Complex> largest;
    for (std::size_t filter = 0; filter < results.size(); ++filter) {
      const std::vector<Complex> values = processed(results[filter], k);
      for (std::size_t i = 0; i < made; ++i) {
        const auto at = segment.output + static_cast<std::int64_t>(index * made + i) * stage_.output_stride;
        if (!bank_.post.maximum) {
          const std::int64_t place = at + static_cast<std::int64_t>(filter) * bank_.filter_stride;
          reads_neighbours() ? write_from_neighbours(place, part, results[filter], k) : write(place, part, values[i]);
        } else if (filter == 0) {
          largest.push_back(values[i]);
        } else if (values[i].real() > largest[i].real()) {
          largest[i] = values[i];
          winners[i] = filter;
        }
      }
    }
    for (std::size_t i = 0; i < largest.size(); ++i) {
      const auto at = segment.output + static_cast<std::int64_t>(index * made + i) * stage_.output_stride;
      write(at, part, largest[i]);
      put(scalar_place(at, part) + bank_.index_offset, static_cast<long double>(winners[i]));
    }
  }

  std::int64_t scalar_place(std::int64_t at, std::int64_t part) const {
    return stage_.output_storage.form == Storage::Form::planar ? at + part * stage_.output_storage.imaginary_offset
                                                               : at;
  }

  bool reads_neighbours() const {
    return stage_.store_hook && stage_.store_hook->hook->left + stage_.store_hook->hook->right > 0;
  }

  void write_from_neighbours(std::int64_t at, std::int64_t part, const Spectrum& y, std::uint64_t k) {
    const Hook& hook = *stage_.store_hook->hook;
    std::vector<std::complex<double>> values;
    for (std::uint64_t d = 0; d <= hook.left + hook.right; ++d) {
      values.push_back(std::complex<double>(stage_.scale * processed(y, k + d - hook.left).at(0)));
    }
    at = scalar_place(at, part);
    put_value(at, Complex(hook.neighbour_function(values.data() + hook.left, static_cast<std::uint64_t>(at))));
  }

  void write(std::int64_t at, std::int64_t part, Complex value) {
    value *= stage_.scale;
    at = scalar_place(at, part);
    put_value(at, stage_.store_hook ? hooked(*stage_.store_hook, value, at) : value);
  }

  void put_value(std::int64_t at, Complex value) {
    if (stage_.output_storage.form == Storage::Form::interleaved) {
      put(2 * at, value.real());
      put(2 * at + 1, value.imag());
    } else {
      put(at, value.real());
    }
  }

  void put(std::int64_t at, long double value) {
    const std::size_t index = place(at, destination_);
    if (taken_[index]) fail(fmt::format("scalar {} is written twice", at));
    taken_[index] = true;
    destination_.written[index] = true;
    destination_.values[index] = value;
  }

  const Stage& stage_;
  const FilterBank& bank_;
  const ScalarMemory& source_;
  const ScalarMemory& spectra_;
  ScalarMemory& destination_;
  std::vector<bool> taken_;  // scalars that this stage has written
  bool paired_;
};

}  // namespace

void interpret_bank(const Stage& stage, const ScalarMemory& source, const ScalarMemory& spectra,
                    ScalarMemory& destination) {
  BankRun(stage, source, spectra, destination).execute();
}

}  // namespace twiddle::test
