// Loads and stores that the SIMD kernels do not do themselves: any storage, strides, bounds, maps and factors, by way
// of planar arrays [element][lane].
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "backend/host/aligned_array.hpp"
#include "backend/host/line_combination.hpp"
#include "backend/host/memory_access.hpp"
#include "backend/host/stage_loops.hpp"
#include "plan/lower/stage.hpp"
#include "plan/numbers/long_vector.hpp"

namespace twiddle::backend::host {

template <class T>
class Staging {
 public:
  // The stage is in scalars. `twiddle_done`: the stage twiddle is applied elsewhere, and the scale with it.
  Staging(const plan::Stage& stage, const Position& lane_step, bool twiddle_done, std::int64_t targets);

  // Elements of each lane that the planes must have room for.
  [[nodiscard]] std::size_t elements() const { return elements_; }

  // planes[0] = what is to be transformed: the inputs, times what the stage multiplies them by; anything finite in
  // lanes beyond those active. planes[1] is working memory.
  void load(const InputMemory& input, const StageLoops::Item& item, std::size_t lanes, const Planes<T> planes[2]) const;
  // The same way back from planes[at], of active lanes only, times the stage's scale. Overwrites both planes.
  void store(const Planes<T> planes[2], std::size_t at, const StageLoops::Item& item, std::size_t lanes,
             const OutputMemory& output) const;

 private:
  // Roots of unity are products of two, in more precision than the arithmetic's.
  using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;
  struct Sequence {
    std::shared_ptr<const plan::LongVector<std::complex<T>>> values;  // null: none
    std::int64_t element_stride = 0;
    std::int64_t lane_stride = 0;
    bool real_first = false;  // the first element counts without its imaginary part
  };
  void prepare_twiddle(const plan::StageTwiddle& twiddle, Direction direction, std::int64_t targets);
  [[nodiscard]] std::complex<T> root(std::uint64_t power) const;  // power < modulus_
  // Whether element k of a transform is multiplied by the conjugate of what is for its mirror image.
  [[nodiscard]] bool is_mirrored(std::size_t k) const { return hermitian_twiddle_ && 2 * k > length_; }
  static Sequence sequence(const std::optional<plan::Factor>& factor, std::int64_t lane_stride, std::int64_t targets);
  static Extent extent(const Sequence& sequence, std::int64_t base);
  static Extent extent(const std::optional<plan::Bound>& bound, std::int64_t base, std::int64_t lane_stride);
  void multiply(const Sequence& sequence, std::int64_t base, const StageLoops::Item& item, std::size_t lanes,
                const Planes<T>& planes) const;
  // The first elements of that, by whole vectors; returns how many.
  std::size_t multiply_vectors(const Sequence& sequence, std::int64_t base, std::size_t lanes,
                               const Planes<T>& planes) const;
  // Blocks of memory to planes and back, by way of the hooks; written values are scaled.
  void read(const InputMemory& input, const Block& block, std::size_t lanes, const Planes<T>& planes) const;
  void write(const OutputMemory& output, const Block& block, std::size_t lanes, const Planes<T>& planes) const;
  void scale_planes(std::size_t count, const Planes<T>& planes) const;
  // The same where the bound has a period; element 0 of lane 0 is at position `base`.
  void read_mirrored(const InputMemory& input, const Block& block, std::int64_t base, std::size_t lanes,
                     const Planes<T>& planes) const;
  void write_mirrored(const OutputMemory& output, const Block& block, std::int64_t base, std::size_t lanes,
                      const Planes<T>& planes) const;
  // Reals of an even line are what they are mirrored to.
  static bool changes(const plan::Storage& storage, const plan::Bound& bound) {
    return bound.odd || storage.form != plan::Storage::Form::real;
  }
  // The parts of a block that lie in memory each for itself: two where it holds two spectra.
  template <class Visit>
  void for_each_spectrum(bool two, const Block& block, std::size_t lanes, const Planes<T>& planes,
                         const Visit& visit) const;
  // The source of the map on loading into planes[1], in its order; planes[0] is working memory.
  void read_source(const InputMemory& input, const Block& source, std::size_t lanes, const Planes<T> planes[2]) const;
  void multiply_twiddles(const StageLoops::Item& item, std::size_t lanes, const Planes<T>& planes) const;

  plan::Storage input_storage_;
  plan::Storage output_storage_;
  std::size_t length_;
  std::size_t elements_;
  std::int64_t input_stride_;
  std::int64_t output_stride_;
  T scale_;
  Position lane_step_;
  BlockKernels<T> kernels_;
  std::optional<plan::Bound> load_bound_;
  std::optional<plan::Bound> store_bound_;
  Sequence load_factor_;
  Sequence store_factor_;
  std::optional<plan::StageHook> load_hook_;
  std::optional<plan::StageHook> store_hook_;
  std::optional<LineCombination<T>> load_map_;
  std::vector<std::uint64_t> upper_parts_;  // of load_map_'s LineMap::source_parts all but the last one
  std::size_t source_rows_ = 1;             // their product
  std::optional<LineCombination<T>> store_map_;
  bool loads_spectra_ = false;  // two, so far apart
  bool stores_spectra_ = false;
  std::int64_t second_spectrum_;
  bool twiddle_on_load_ = false;
  bool twiddle_on_store_ = false;
  bool hermitian_twiddle_ = false;
  std::uint64_t modulus_ = 1;
  // w^n = coarse[n >> shift] * fine[n % fine.size()]
  std::vector<std::complex<Wide>> fine_;
  std::vector<std::complex<Wide>> coarse_;
  unsigned shift_ = 0;
  AlignedArray<T> lane_differences_;  // [k][real, imaginary][lane of a vector] of w^(k lane) - 1
};

}  // namespace twiddle::backend::host
