// Loads and stores by way of planar arrays.
#include "backend/host/staging.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "backend/host/factor_sequence.hpp"
#include "backend/host/mirrored_block.hpp"
#include "backend/host/real_first_block.hpp"
#include "backend/host/vector_roots.hpp"
#include "plan/numbers/tables.hpp"

namespace twiddle::backend::host {
namespace {

// (real + i imaginary) *= factor
template <class T>
void multiply_by(T& real, T& imaginary, const std::complex<T>& factor) {
  const T product = real * factor.real() - imaginary * factor.imag();
  imaginary = real * factor.imag() + imaginary * factor.real();
  real = product;
}

}  // namespace

template <class T>
Staging<T>::Staging(const plan::Stage& stage, const Position& lane_step, bool twiddle_done, std::int64_t targets)
    : input_storage_(stage.input_storage),
      output_storage_(stage.output_storage),
      length_(stage.length),
      elements_(stage.length),
      input_stride_(stage.input_stride),
      output_stride_(stage.output_stride),
      scale_(twiddle_done ? T{1} : static_cast<T>(stage.scale)),
      lane_step_(lane_step),
      kernels_(targets),
      load_bound_(stage.load_bound),
      store_bound_(stage.store_bound),
      load_factor_(sequence(stage.load_factor, lane_step.load_factor, targets)),
      store_factor_(sequence(stage.store_factor, lane_step.store_factor, targets)),
      load_hook_(stage.load_hook),
      store_hook_(stage.store_hook),
      second_spectrum_(stage.second_spectrum) {
  if (stage.load_map) {
    plan::LineMap ordered = *stage.load_map;
    upper_parts_ = std::exchange(ordered.source_parts, {});
    if (!upper_parts_.empty()) upper_parts_.pop_back();
    for (const std::uint64_t part : upper_parts_) source_rows_ *= part;
    load_map_.emplace(ordered, targets);
    elements_ = std::max<std::size_t>(elements_, load_map_->source_count());
    loads_spectra_ = ordered.rule == plan::LineMap::Rule::two_spectra_load;
    stores_spectra_ = ordered.rule == plan::LineMap::Rule::two_spectra_store;
  }
  if (mirrors_each_line(stage)) {
    // Whole vectors at a time.
    load_map_.emplace(plan::LineMap{plan::LineMap::Rule::hermitian_load, length_, load_bound_->count, length_},
                      targets);
    load_bound_.reset();
  }
  if (stage.store_map) {
    store_map_.emplace(*stage.store_map, targets);
    elements_ = std::max<std::size_t>(elements_, store_map_->count());
    stores_spectra_ = stage.store_map->rule == plan::LineMap::Rule::two_spectra_store;
  }
  if (stage.twiddle && !twiddle_done) prepare_twiddle(*stage.twiddle, stage.direction, targets);
}

template <class T>
void Staging<T>::prepare_twiddle(const plan::StageTwiddle& twiddle, Direction direction, std::int64_t targets) {
  twiddle_on_load_ = twiddle.on_load;
  twiddle_on_store_ = !twiddle.on_load;
  hermitian_twiddle_ = twiddle.hermitian;
  modulus_ = twiddle.modulus;
  const auto in_direction = [&](const auto& value) {
    return std::complex<Wide>(direction == Direction::forward ? value : std::conj(value));
  };
  // Nearest ones in long double.
  const auto make_roots = std::is_same_v<T, long double> ? plan::MakeManyRoots() : vector_roots(targets);
  const std::complex<long double> turned = twiddle.times_i ? std::complex<long double>(0, 1) : 1;
  while ((std::uint64_t{1} << 2 * shift_) < modulus_) ++shift_;
  for (const auto& root : roots_of_steps<Wide>(modulus_, 1, std::uint64_t{1} << shift_, make_roots)) {
    fine_.push_back(in_direction(root));
  }
  const std::uint64_t steps = ((modulus_ - 1) >> shift_) + 1;
  for (const auto& root : roots_of_steps<Wide>(modulus_, std::uint64_t{1} << shift_, steps, make_roots)) {
    coarse_.push_back(in_direction(twiddle.times_i ? std::complex<Wide>(-root.imag(), root.real()) : root));
  }
  const std::size_t vector = kernels_.combinations.vector;
  const auto lane_index = static_cast<std::uint64_t>(lane_step_.twiddle_index);
  lane_differences_ = AlignedArray<T>(2 * length_ * vector);
  std::fill_n(lane_differences_.data(), lane_differences_.size(), T{0});
  if (lane_index == 0) return;
  const auto back = std::complex<Wide>(std::conj(in_direction(turned)));
  for (std::size_t k = 0; k < length_; ++k) {
    for (std::size_t lane = 1; lane < vector; ++lane) {
      const std::uint64_t power = (is_mirrored(k) ? length_ - k : k) * lane * lane_index % modulus_;
      const auto root = plan::multiply(coarse_[power >> shift_], fine_[power & (fine_.size() - 1)]);
      const std::complex<Wide> value = plan::multiply(root, back);
      lane_differences_[2 * k * vector + lane] = static_cast<T>(value.real() - 1);
      lane_differences_[(2 * k + 1) * vector + lane] = static_cast<T>(is_mirrored(k) ? -value.imag() : value.imag());
    }
  }
}

template <class T>
typename Staging<T>::Sequence Staging<T>::sequence(const std::optional<plan::Factor>& factor, std::int64_t lane_stride,
                                                   std::int64_t targets) {
  Sequence result;
  if (!factor) return result;
  result.values = factor_sequence<T>(*factor, targets);
  result.element_stride = factor->element_stride;
  result.lane_stride = lane_stride;
  result.real_first = factor->of_half_spectrum();
  return result;
}

template <class T>
Extent Staging<T>::extent(const Sequence& sequence, std::int64_t base) {
  if (!sequence.values) return {};
  return {sequence.values->size(), base, sequence.element_stride, sequence.lane_stride};
}

template <class T>
Extent Staging<T>::extent(const std::optional<plan::Bound>& bound, std::int64_t base, std::int64_t lane_stride) {
  if (!bound) return {};
  return {bound->count - bound->first, base - static_cast<std::int64_t>(bound->first), bound->element_stride,
          lane_stride};
}

template <class T>
std::complex<T> Staging<T>::root(std::uint64_t power) const {
  const std::complex<Wide> value = plan::multiply(coarse_[power >> shift_], fine_[power & (fine_.size() - 1)]);
  return {static_cast<T>(value.real()), static_cast<T>(value.imag())};
}

template <class T>
void Staging<T>::multiply_twiddles(const StageLoops::Item& item, std::size_t lanes, const Planes<T>& planes) const {
  const std::size_t vector = kernels_.combinations.vector;
  const std::size_t step = lanes % vector == 0 ? vector : 1;  // lanes whose roots are made from that of the first
  constexpr std::size_t chunk = 32;
  T roots[2 * chunk];
  for (std::size_t lane = 0; lane < item.active; lane += step) {
    const std::uint64_t index = (item.position.twiddle_index + lane * lane_step_.twiddle_index) % modulus_;
    std::uint64_t power = 0;
    for (std::size_t begin = 0; begin < length_; begin += chunk) {
      const std::size_t count = std::min(chunk, length_ - begin);
      for (std::size_t k = 0; k < count; ++k) {
        const bool mirrored = is_mirrored(begin + k);
        const std::complex<T> value = root(mirrored ? (length_ - begin - k) * index % modulus_ : power);
        roots[2 * k] = value.real();
        roots[2 * k + 1] = mirrored ? -value.imag() : value.imag();
        power += index;
        if (power >= modulus_) power -= modulus_;
      }
      const std::size_t at = begin * lanes + lane;
      if (step == vector) {
        kernels_.combinations.turn({{planes.real + at, planes.imaginary + at},
                                    lanes,
                                    roots,
                                    lane_differences_.data() + 2 * begin * vector,
                                    count});
        continue;
      }
      for (std::size_t k = 0; k < count; ++k) {
        multiply_by(planes.real[at + k * lanes], planes.imaginary[at + k * lanes],
                    std::complex<T>(roots[2 * k], roots[2 * k + 1]));
      }
    }
  }
}

template <class T>
std::size_t Staging<T>::multiply_vectors(const Sequence& sequence, std::int64_t base, std::size_t lanes,
                                         const Planes<T>& planes) const {
  const std::size_t vector = kernels_.combinations.vector;
  const std::size_t count = sequence.values->size();
  const auto first = static_cast<std::size_t>(base);
  if (base < 0 || first >= count) return 0;
  MultiplyRunsCall<T> call{planes,
                           lanes,
                           reinterpret_cast<const T*>(sequence.values->data() + first),
                           static_cast<std::ptrdiff_t>(sequence.element_stride),
                           sequence.lane_stride == 0,
                           length_};
  if (lanes == 1 && sequence.element_stride == 1) {  // a line alone: its elements are a run
    call.lanes = std::min(length_, count - first) / vector * vector;
    call.count = 1;
    call.shared = false;
    kernels_.combinations.multiply_runs(call);
    return call.lanes;
  }
  const std::size_t run = call.shared ? 1 : lanes;
  const bool runs = sequence.element_stride > 0 && (call.shared || sequence.lane_stride == 1);
  if (lanes % vector != 0 || !runs || first + run > count) return 0;
  const auto stride = static_cast<std::size_t>(sequence.element_stride);
  call.count = std::min(length_, (count - run - first) / stride + 1);
  kernels_.combinations.multiply_runs(call);
  return call.count;
}

// Elements beyond the sequence's end become zero.
template <class T>
void Staging<T>::multiply(const Sequence& sequence, std::int64_t base, const StageLoops::Item& item, std::size_t lanes,
                          const Planes<T>& planes) const {
  const std::size_t count = sequence.values->size();
  for (std::size_t k = multiply_vectors(sequence, base, lanes, planes); k < length_; ++k) {
    const std::int64_t first = base + static_cast<std::int64_t>(k) * sequence.element_stride;
    for (std::size_t lane = 0; lane < item.active; ++lane) {
      const auto place = static_cast<std::size_t>(first + static_cast<std::int64_t>(lane) * sequence.lane_stride);
      multiply_by(planes.real[k * lanes + lane], planes.imaginary[k * lanes + lane],
                  place < count ? (*sequence.values)[place] : std::complex<T>());
    }
  }
}

template <class T>
void Staging<T>::read(const InputMemory& input, const Block& block, std::size_t lanes, const Planes<T>& planes) const {
  read_block(input_storage_, input, block, lanes, kernels_, planes);
  if (!load_hook_) return;
  apply_hook(*load_hook_, block, lanes, planes);
  if (input_storage_.form == plan::Storage::Form::real) std::fill_n(planes.imaginary, block.length * lanes, T{0});
}

template <class T>
template <class Visit>
void Staging<T>::for_each_spectrum(bool two, const Block& block, std::size_t lanes, const Planes<T>& planes,
                                   const Visit& visit) const {
  if (!two) return visit(block, planes);
  Block half = block;
  half.length /= 2;
  visit(half, planes);
  half.first += second_spectrum_;
  visit(half, Planes<T>{planes.real + half.length * lanes, planes.imaginary + half.length * lanes});
}

// Rows that stages left where they were computed are transposed, a strip at a time, which stays in the cache.
template <class T>
void Staging<T>::read_source(const InputMemory& input, const Block& source, std::size_t lanes,
                             const Planes<T> planes[2]) const {
  if (source_rows_ == 1) {
    return for_each_spectrum(loads_spectra_, source, lanes, planes[1],
                             [&](const Block& part, const Planes<T>& to) { read(input, part, lanes, to); });
  }
  constexpr std::size_t strip = 16;
  const std::size_t columns = source.length / source_rows_;
  std::array<std::size_t, strip> elements{};  // the first one of each row
  for (std::size_t row = 0; row < source_rows_; row += strip) {
    const std::size_t rows = std::min(strip, source_rows_ - row);
    Block block = source;
    block.length = rows * columns;
    block.first += static_cast<std::int64_t>(row * columns) * source.element_stride;
    for (std::size_t i = 0; i < rows; ++i) elements[i] = plan::element_in_place(row + i, upper_parts_);
    read(input, block, lanes, planes[0]);
    for (T* Planes<T>::*const plane : {&Planes<T>::real, &Planes<T>::imaginary}) {
      const T* const from = planes[0].*plane;
      T* const to = planes[1].*plane;
      const auto transpose = [&](std::size_t run) {
        for (std::size_t column = 0; column < columns; ++column) {
          for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t lane = 0; lane < run; ++lane) {
              to[(column * source_rows_ + elements[i]) * run + lane] = from[(i * columns + column) * run + lane];
            }
          }
        }
      };
      lanes == 1 ? transpose(1) : transpose(lanes);  // no loop over one lane
    }
  }
}

// What a hook sees is scaled, and has no imaginary part where reals are stored.
template <class T>
void Staging<T>::scale_planes(std::size_t count, const Planes<T>& planes) const {
  for (std::size_t i = 0; i < count; ++i) {
    planes.real[i] *= scale_;
    planes.imaginary[i] *= scale_;
  }
  if (output_storage_.form == plan::Storage::Form::real) std::fill_n(planes.imaginary, count, T{0});
}

template <class T>
void Staging<T>::write(const OutputMemory& output, const Block& block, std::size_t lanes,
                       const Planes<T>& planes) const {
  if (!store_hook_) return write_block(output_storage_, output, block, lanes, scale_, kernels_, planes);
  scale_planes(block.length * lanes, planes);
  apply_hook(*store_hook_, block, lanes, planes);
  write_block(output_storage_, output, block, lanes, T{1}, kernels_, planes);
}

// Elements of the lower half, and then, from its places, those of the upper one.
template <class T>
void Staging<T>::read_mirrored(const InputMemory& input, const Block& block, std::int64_t base, std::size_t lanes,
                               const Planes<T>& planes) const {
  const bool real = input_storage_.form == plan::Storage::Form::real;
  const bool whole = load_bound_->first == 0 && load_bound_->count > load_bound_->period / 2 && block.active == lanes;
  if (!whole) std::fill_n(planes.real, length_ * lanes, T{0});
  if (!whole || real) std::fill_n(planes.imaginary, length_ * lanes, T{0});
  for_each_part(*load_bound_, block, base, lane_step_.load_bound, false, [&](BlockPart part) {
    const bool changed = part.upper && changes(input_storage_, *load_bound_);
    part.block.added = true;
    part.block.conjugated = changed && !load_hook_ && !load_bound_->odd;
    read_block(input_storage_, input, part.block, lanes, kernels_, planes);
    if (load_hook_) apply_hook(*load_hook_, part.block, lanes, planes);
    if (changed && !part.block.conjugated) conjugate_block(part.block, lanes, load_bound_->odd, planes);
  });
  if (load_hook_ && real) std::fill_n(planes.imaginary, length_ * lanes, T{0});
  weigh_ends(*load_bound_, block, base, lane_step_.load_bound, lanes, planes);
}

template <class T>
void Staging<T>::write_mirrored(const OutputMemory& output, const Block& block, std::int64_t base, std::size_t lanes,
                                const Planes<T>& planes) const {
  weigh_ends(*store_bound_, block, base, lane_step_.store_bound, lanes, planes);
  if (store_hook_) scale_planes(length_ * lanes, planes);
  for_each_part(*store_bound_, block, base, lane_step_.store_bound, true, [&](BlockPart part) {
    const Planes<T> here{planes.real + part.lane, planes.imaginary + part.lane};
    const bool changed = part.upper && changes(output_storage_, *store_bound_);
    part.block.conjugated = changed && !store_hook_ && !store_bound_->odd;
    if (changed && !part.block.conjugated) conjugate_block(part.block, lanes, store_bound_->odd, here);
    if (store_hook_) apply_hook(*store_hook_, part.block, lanes, here);
    write_block(output_storage_, output, part.block, lanes, store_hook_ ? T{1} : scale_, kernels_, here);
  });
}

template <class T>
void Staging<T>::load(const InputMemory& input, const StageLoops::Item& item, std::size_t lanes,
                      const Planes<T> planes[2]) const {
  const Position& first = item.position;
  Block block{length_, item.active, first.input, input_stride_, lane_step_.input, {}};
  if (load_map_) {
    block.length = load_map_->source_count();
    read_source(input, block, lanes, planes);
    load_map_->apply(planes[1], lanes, planes[0]);
  } else {
    block.extents = {extent(load_bound_, first.load_bound, lane_step_.load_bound),
                     extent(load_factor_, first.load_factor)};
    if (load_bound_ && load_bound_->real_first) {
      block.extents[0] = {};
      const RealFirstBlock parts{*load_bound_, block, first.load_bound, lane_step_.load_bound};
      read_real_first(input_storage_, input, parts, lanes, kernels_, load_hook_, planes[0]);
    } else if (load_bound_ && load_bound_->period != 0) {
      read_mirrored(input, block, first.load_bound, lanes, planes[0]);
    } else {
      read(input, block, lanes, planes[0]);
    }
  }
  for (std::size_t lane = 0; load_factor_.real_first && lane < item.active; ++lane) {
    const std::int64_t place = first.load_factor + static_cast<std::int64_t>(lane) * load_factor_.lane_stride;
    if (place == 0) planes[0].imaginary[lane] = 0;
  }
  if (load_factor_.values) multiply(load_factor_, first.load_factor, item, lanes, planes[0]);
  if (twiddle_on_load_) multiply_twiddles(item, lanes, planes[0]);
}

template <class T>
void Staging<T>::store(const Planes<T> planes[2], std::size_t at, const StageLoops::Item& item, std::size_t lanes,
                       const OutputMemory& output) const {
  const Position& first = item.position;
  if (twiddle_on_store_) multiply_twiddles(item, lanes, planes[at]);
  if (store_factor_.values) multiply(store_factor_, first.store_factor, item, lanes, planes[at]);
  Block block{length_, item.active, first.output, output_stride_, lane_step_.output, {}};
  const auto write_all = [&](const Planes<T>& from) {
    for_each_spectrum(stores_spectra_, block, lanes, from,
                      [&](const Block& part, const Planes<T>& at_part) { write(output, part, lanes, at_part); });
  };
  if (store_map_) {
    store_map_->apply(planes[at], lanes, planes[1 - at]);
    block.length = store_map_->count();
    return write_all(planes[1 - at]);
  }
  block.extents = {extent(store_bound_, first.store_bound, lane_step_.store_bound),
                   extent(store_factor_, first.store_factor)};
  if (store_bound_ && store_bound_->real_first) {
    block.extents[0] = {};
    const RealFirstBlock parts{*store_bound_, block, first.store_bound, lane_step_.store_bound};
    if (store_hook_) scale_planes(length_ * lanes, planes[at]);
    write_real_first(output_storage_, output, parts, lanes, store_hook_ ? T{1} : scale_, kernels_, store_hook_,
                     planes[at]);
  } else if (store_bound_ && store_bound_->period != 0) {
    write_mirrored(output, block, first.store_bound, lanes, planes[at]);
  } else {
    write_all(planes[at]);
  }
}

template class Staging<float>;
template class Staging<double>;
template class Staging<long double>;

}  // namespace twiddle::backend::host
