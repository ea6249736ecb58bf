// Gathers each stage's transforms, computes them by the reference, multiplies, maps, scatters; checks every address.
#include "support/stage_interpreter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <list>
#include <optional>
#include <stdexcept>

#include "plan/recipe/radices.hpp"
#include "support/bound_positions.hpp"
#include "support/factor_sequence.hpp"
#include "support/scalar_accesses.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::test {
namespace {

using plan::Factor;
using plan::LineMap;
using plan::Loop;
using plan::MapTables;
using plan::Stage;
using plan::Storage;
using Complex = std::complex<long double>;

// Where a transform starts, in memory and in the sequences of its factors and bounds; its index in the twiddle's loop.
struct Place {
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::int64_t load_factor = 0;
  std::int64_t store_factor = 0;
  std::int64_t load_bound = 0;
  std::int64_t store_bound = 0;
  std::uint64_t twiddle_index = 0;
};

class StageRun {
 public:
  StageRun(const Stage& stage, ScalarMemory& source, ScalarMemory& destination, ScalarMemory* scratch)
      : stage_(stage), source_(accesses_to(source)), destination_(accesses_to(destination)) {
    if (scratch != nullptr) scratch_ = &accesses_to(*scratch);
    if (stage.load_factor) load_sequence_ = factor_sequence(*stage.load_factor);
    if (stage.store_factor) store_sequence_ = factor_sequence(*stage.store_factor);
    if (stage.twiddle) roots_.emplace(stage.direction, stage.twiddle->modulus);
  }

  void execute() {
    check();
    list_places();
    Spectrum lines = gather();
    if (!stage_.radices.empty() || stage_.direct) {
      const Transform transform{
          .lengths = {stage_.length}, .batch = places_.size(), .normalization = Normalization::none};
      lines = reference_transform(transform, stage_.direction, std::move(lines));
      const Direction back = stage_.direction == Direction::forward ? Direction::inverse : Direction::forward;
      if (stage_.returns) lines = reference_transform(transform, back, multiplied(std::move(lines)));
    }
    scatter(lines);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(fmt::format("{}: stage \"{}\" ({})", what, stage_.step, plan::to_string(stage_)));
  }

  Accesses& accesses_to(ScalarMemory& memory) {
    for (Accesses& accesses : accesses_) {
      if (&accesses.memory == &memory) return accesses;
    }
    return accesses_.emplace_back(memory);
  }

  void check() const {
    std::uint64_t product = 1;
    for (const unsigned radix : stage_.radices) product *= radix;
    const bool only_map = stage_.radices.empty() && stage_.load_map;
    const bool transforms = !stage_.radices.empty() || stage_.convolution;
    if (transforms && product != plan::chip_points(stage_)) fail(fmt::format("the radices multiply to {}", product));
    if (stage_.convolution && !suits(*stage_.convolution)) fail("the convolution does not suit the length");
    if (only_map && stage_.load_map->count != stage_.length)
      fail("the map does not make as many elements as it should");
    if (stage_.radices.empty() && stage_.store_map) fail("a map follows no transform");
    if (stage_.load_map && stage_.load_bound) fail("loads are bounded beside a map");
    if (stage_.shared_map) check_shared();
    if (stage_.mirrored && !(only_map && plan::keeps_to_mirror_images(stage_.load_map->rule) &&
                             is_whole_but_for_frequencies(*stage_.load_map))) {
      fail("not all elements of a map have their mirror images");
    }
    const bool returns_more = stage_.load_map || stage_.store_map || stage_.twiddle || stage_.direct;
    if (stage_.returns && (returns_more || !stage_.store_factor || !transforms || stage_.convolution)) {
      fail("what goes there and back has a factor, and neither maps nor a twiddle");
    }
    if (stage_.swaps && &source_ != &destination_) fail("elements of two memories change places");
    if (stage_.launched_loops > stage_.loops.size()) fail("there are fewer loops than launches need");
    if (stage_.store_map && stage_.store_bound) fail("stores are bounded beside a map");
    if (stage_.twiddle && stage_.twiddle->loop >= stage_.loops.size()) fail("the twiddle's loop does not exist");
    if (stage_.twiddle && stage_.twiddle->modulus == 0) fail("the twiddle's modulus is 0");
    for (const auto& factor : {stage_.load_factor, stage_.store_factor}) {
      if (factor && factor->loop_strides.size() != stage_.loops.size()) fail("a factor needs a stride for every loop");
    }
    for (const auto& bound : {stage_.load_bound, stage_.store_bound}) {
      if (bound && bound->loop_strides.size() != stage_.loops.size()) fail("a bound needs a stride for every loop");
    }
  }

  static bool is_whole_but_for_frequencies(LineMap map) {
    if (map.rule == LineMap::Rule::c2r_load) map.source_count = full_source_count(map.rule, map.length);
    if (map.rule == LineMap::Rule::r2c_store) map.count = full_count(map.rule, map.length);
    return is_whole(map);
  }

  void check_shared() const {
    if (stage_.load_map.has_value() == stage_.store_map.has_value()) fail("a shared map is not the only one");
    if (stage_.loops.empty() || stage_.loops[0].count % 2 != 0) fail("a shared map needs an even number of transforms");
    const Loop& loop = stage_.loops[0];
    const auto count = static_cast<std::int64_t>(loop.count);
    const bool even = stage_.load_map ? stage_.input_stride == count * loop.input_stride
                                      : stage_.output_stride == count * loop.output_stride;
    if (!even) fail("the transforms of a shared map do not make up a line");
  }

  [[nodiscard]] bool suits(const plan::Convolution& convolution) const {
    if (convolution.algorithm == plan::Convolution::Algorithm::bluestein) {
      return convolution.points >= convolution.least_points(stage_.length);
    }
    return convolution.points + 1 == stage_.length && plan::prime_factors(stage_.length).size() == 1;
  }

  void list_places() {
    places_.assign(1, Place{});
    places_[0].input = stage_.input_offset;
    places_[0].output = stage_.output_offset;
    if (stage_.load_factor) places_[0].load_factor = stage_.load_factor->offset;
    if (stage_.store_factor) places_[0].store_factor = stage_.store_factor->offset;
    if (stage_.load_bound) places_[0].load_bound = stage_.load_bound->offset;
    if (stage_.store_bound) places_[0].store_bound = stage_.store_bound->offset;
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
          if (stage_.load_bound) place.load_bound += step * stage_.load_bound->loop_strides[i];
          if (stage_.store_bound) place.store_bound += step * stage_.store_bound->loop_strides[i];
          if (stage_.twiddle && stage_.twiddle->loop == i) place.twiddle_index = index;
          all.push_back(place);
        }
      }
      places_ = std::move(all);
    }
    if (places_.size() != plan::transform_count(stage_)) fail("transform_count disagrees with the loops");
  }

  // The scalars of an element; `lone` that has no imaginary part.
  Scalars scalars(const Storage& storage, std::int64_t element, Accesses& memory, bool lone) const {
    if (storage.form == Storage::Form::interleaved && lone) fail("half of an interleaved number");
    if (storage.form == Storage::Form::apart && (scratch_ == nullptr || lone)) fail("imaginary parts are nowhere");
    const bool words = storage.words_apart;
    if (words && (scratch_ == nullptr || !scratch_->memory.of_halves || storage.precision != Precision::float16)) {
      fail("lower words are nowhere");
    }
    const auto scalar = [&](Accesses& where, std::int64_t at) {
      Scalar result = scalar_at(where, at, storage.precision);
      if (words) result.lower = scratch_;
      return result;
    };
    const auto both = [&](std::int64_t real, std::int64_t imaginary) {
      return Scalars(scalar(memory, real), scalar(memory, imaginary));
    };
    const Scalars result =
        storage.form == Storage::Form::interleaved ? both(2 * element, 2 * element + 1)
        : storage.form == Storage::Form::apart     ? Scalars({&memory, 2 * element, true}, scalar(*scratch_, element))
        : storage.form == Storage::Form::planar && !lone ? both(element, element + storage.imaginary_offset)
                                                         : Scalars(scalar(memory, element));
    for (const Scalar& each : result) {
      if (each.lies_within()) continue;
      const std::size_t count = each.accesses->memory.values.size();
      fail(fmt::format("an element lies at scalar {}, outside its memory of {}", each.position, count));
    }
    return result;
  }

  // The value of a factor's sequence for an element; none beyond the sequence's end, which leaves memory untouched.
  std::optional<Complex> factor_value(const std::optional<Factor>& factor, const Spectrum& sequence, std::int64_t base,
                                      std::uint64_t element) const {
    if (!factor) return 1.0L;
    const std::int64_t at = base + factor->element_stride * static_cast<std::int64_t>(element);
    if (at < 0) fail("a position in a factor's sequence is negative");
    if (static_cast<std::uint64_t>(at) >= sequence.size()) return std::nullopt;
    return sequence[static_cast<std::size_t>(at)];
  }

  Complex twiddle_value(const Place& place, std::uint64_t element, bool on_load) {
    if (!stage_.twiddle || stage_.twiddle->on_load != on_load) return 1.0L;
    if (stage_.twiddle->hermitian && 2 * element > stage_.length) {
      return std::conj(twiddle_value(place, stage_.length - element, on_load));
    }
    const Complex turned = roots_->at(element, place.twiddle_index);
    if (!stage_.twiddle->times_i) return turned;
    return turned * Complex(0, stage_.direction == Direction::forward ? 1 : -1);
  }

  static Complex hooked(const plan::StageHook& hook, Complex value, std::int64_t position) {
    const auto call = [&](std::complex<double> each, std::int64_t at) {
      return Complex(hook.hook->function(each, static_cast<std::uint64_t>(at / hook.unit)));
    };
    if (hook.part == 0) return call(std::complex<double>(value), position);
    const auto real = [&](long double part, std::int64_t at) { return call(static_cast<double>(part), at).real(); };
    return {real(value.real(), position), real(value.imag(), position + hook.part)};
  }

  // Transforms that make up a line of a shared map, the first of which is where the line begins.
  [[nodiscard]] std::size_t sharers(const std::optional<LineMap>& map) const {
    return map && stage_.shared_map ? static_cast<std::size_t>(stage_.loops[0].count) : 1;
  }

  // From the first element to that one; of two spectra the second one's elements are counted on from the first one's.
  [[nodiscard]] std::int64_t distance(std::uint64_t element, bool reading, const std::optional<LineMap>& map) const {
    const auto stride =
        (reading ? stage_.input_stride : stage_.output_stride) / static_cast<std::int64_t>(sharers(map));
    const bool two = map && map->rule == (reading ? LineMap::Rule::two_spectra_load : LineMap::Rule::two_spectra_store);
    const std::uint64_t half = two ? (reading ? map->source_count : map->count) / 2 : 0;
    const bool second = two && element >= half;
    if (second) element -= half;
    return stride * static_cast<std::int64_t>(element) + (second ? stage_.second_spectrum : 0);
  }

  // An element of line t and its mirror image, which are made together.
  [[nodiscard]] std::size_t pair_of(std::size_t t, std::uint64_t element) const {
    const std::uint64_t half = stage_.load_map->length / 2;
    return static_cast<std::size_t>(t * (half + 1) + std::min(element, half - element));
  }

  Complex read(std::size_t t, std::uint64_t element) {
    const std::size_t first = t - t % sharers(stage_.load_map);
    std::int64_t position = places_[first].input + distance(element, true, stage_.load_map);
    const auto mirrored = to_conjugate(stage_.load_bound, places_[t].load_bound, element, stage_.input_stride);
    position += mirrored.value_or(0);
    const std::size_t writer = stage_.mirrored ? pair_of(t, element) : t - t % sharers(stage_.store_map);
    std::array<long double, 2> parts{};
    std::size_t part = 0;
    const bool lone = is_lone(stage_.load_bound, places_[t].load_bound, element);
    for (const Scalar& scalar : scalars(stage_.input_storage, position, source_, lone)) {
      if (!scalar.is_written()) fail(fmt::format("scalar {} is read and was never written", scalar.position));
      scalar.for_each_place([&](Accesses& accesses, std::size_t at) { accesses.note_reader(at, writer); });
      parts[part++] = scalar.value();
    }
    Complex made{parts[0], parts[1]};
    if (stage_.load_hook) made = hooked(*stage_.load_hook, made, position);
    if (stage_.input_storage.form == Storage::Form::real) made = made.real();
    if (mirrored) made = stage_.load_bound->odd ? -std::conj(made) : std::conj(made);
    return made * end_weight(stage_.load_bound, places_[t].load_bound, element);
  }

  static Complex combine(const MapTables& map, std::uint64_t k, const std::function<Complex(std::uint64_t)>& source) {
    const auto value = [&](std::uint64_t index) {
      const Complex read = source(index);
      const bool real = map.real_end != MapTables::none && (index == 0 || index == map.real_end);
      return real ? Complex(read.real()) : read;
    };
    Complex sum = 0;
    if (map.first[k] != MapTables::none) sum += map.a[k] * value(map.first[k]);
    if (map.second[k] != MapTables::none) {
      const Complex second = value(map.second[k]);
      sum += map.b[k] * (map.conjugate ? std::conj(second) : second);
    }
    return k >= map.conjugated_from ? std::conj(sum) : sum;
  }

  Spectrum gather() {
    Spectrum lines;
    lines.reserve(places_.size() * stage_.length);
    const MapTables map = stage_.load_map ? plan::map_tables(*stage_.load_map) : MapTables{};
    for (std::size_t t = 0; t < places_.size(); ++t) {
      for (std::uint64_t k = 0; k < stage_.length; ++k) {
        const auto factor = factor_value(stage_.load_factor, load_sequence_, places_[t].load_factor, k);
        Complex value = 0;
        if (stage_.load_map) {
          const std::size_t turns = sharers(stage_.load_map);
          value = combine(map, t % turns + turns * k, [&](std::uint64_t index) { return read(t, index); });
        } else if (factor && within(stage_.load_bound, places_[t].load_bound, k)) {
          value = starts_half_spectrum(stage_.load_factor, places_[t].load_factor, k) ? read(t, k).real() : read(t, k);
        }
        lines.push_back(value * factor.value_or(0.0L) * twiddle_value(places_[t], k, true));
      }
    }
    return lines;
  }

  void write(std::size_t t, std::uint64_t element, Complex value) {
    const bool maps_alone = stage_.radices.empty() && stage_.load_map && !stage_.direct;
    const std::optional<LineMap>& map = maps_alone ? stage_.load_map : stage_.store_map;
    std::int64_t position = places_[t].output + distance(element, false, map);
    if (const auto mirrored = to_conjugate(stage_.store_bound, places_[t].store_bound, element, stage_.output_stride)) {
      const auto both_halves = static_cast<std::int64_t>(stage_.store_bound->both_halves);
      if (both_halves != 0 && places_[t].store_bound % both_halves == 0) return;
      position += *mirrored;
      value = stage_.store_bound->odd ? -std::conj(value) : std::conj(value);
    }
    value *= static_cast<long double>(stage_.scale) * end_weight(stage_.store_bound, places_[t].store_bound, element);
    if (stage_.output_storage.form == Storage::Form::real) value = value.real();
    if (stage_.store_hook) value = hooked(*stage_.store_hook, value, position);
    bool lone = is_lone(stage_.store_bound, places_[t].store_bound, element);
    if (is_imaginary(stage_.store_bound, places_[t].store_bound, element)) {
      lone = true;
      value = value.imag();
      position += stage_.output_storage.imaginary_offset;
    }
    const std::array<long double, 2> parts{value.real(), value.imag()};
    std::size_t part = 0;
    for (const Scalar& scalar : scalars(stage_.output_storage, position, destination_, lone)) {
      scalar.for_each_place(
          [&](Accesses& accesses, std::size_t at) { take(stage_.mirrored ? pair_of(t, element) : t, accesses, at); });
      scalar.set(parts[part++]);
    }
  }

  void take(std::size_t t, Accesses& accesses, std::size_t at) const {
    if (accesses.taken[at]) fail(fmt::format("scalar {} is written twice", at));
    const bool only_map = stage_.radices.empty() && stage_.load_map;
    const std::size_t reader = accesses.reader[at];
    if (((only_map && !stage_.mirrored) || stage_.direct) && reader != Accesses::nobody) fail("a map works in place");
    if (!stage_.swaps && (accesses.shared[at] || (reader != t && reader != Accesses::nobody))) {
      fail(fmt::format("scalar {} is written by transform {} and read by transform {}", at, t, reader));
    }
    accesses.taken[at] = true;
  }

  // By the store factor, which then does not apply to what is stored.
  Spectrum multiplied(Spectrum lines) const {
    for (std::size_t t = 0; t < places_.size(); ++t) {
      for (std::uint64_t k = 0; k < stage_.length; ++k) {
        const auto factor = factor_value(stage_.store_factor, store_sequence_, places_[t].store_factor, k);
        if (!factor) fail("the factor of a line that goes there and back ends within it");
        lines[t * stage_.length + k] *= *factor;
      }
    }
    return lines;
  }

  void scatter(const Spectrum& lines) {
    const MapTables map = stage_.store_map ? plan::map_tables(*stage_.store_map) : MapTables{};
    std::vector<std::optional<Complex>> whole;  // what the map takes
    for (std::size_t t = 0; t < places_.size(); ++t) {
      std::vector<std::optional<Complex>> line(stage_.length);
      for (std::uint64_t k = 0; k < stage_.length; ++k) {
        auto factor = factor_value(stage_.store_factor, store_sequence_, places_[t].store_factor, k);
        if (stage_.returns) factor = 1.0L;
        if (factor) line[k] = lines[t * stage_.length + k] * *factor * twiddle_value(places_[t], k, false);
      }
      if (stage_.store_map) {
        const std::size_t turns = sharers(stage_.store_map);
        if (t % turns == 0) whole.assign(turns * stage_.length, std::nullopt);
        for (std::uint64_t k = 0; k < stage_.length; ++k) whole[t % turns + turns * k] = line[k];
        if (t % turns + 1 < turns) continue;
        for (std::uint64_t k = 0; k < stage_.store_map->count; ++k) {
          write(t + 1 - turns, k, combine(map, k, [&](std::uint64_t index) { return whole.at(index).value(); }));
        }
        continue;
      }
      for (std::uint64_t k = 0; k < stage_.length; ++k) {
        if (line[k] && within(stage_.store_bound, places_[t].store_bound, k)) write(t, k, *line[k]);
      }
    }
  }

  const Stage& stage_;
  std::list<Accesses> accesses_;
  Accesses& source_;
  Accesses& destination_;
  Accesses* scratch_ = nullptr;
  Spectrum load_sequence_;
  Spectrum store_sequence_;
  std::optional<TwiddleRoots> roots_;
  std::vector<Place> places_;
};

}  // namespace

void interpret(const Stage& stage, ScalarMemory& source, ScalarMemory& destination, ScalarMemory* scratch) {
  StageRun(stage, source, destination, scratch).execute();
}

}  // namespace twiddle::test
