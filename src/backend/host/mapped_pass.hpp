// The map between a line of pairs of reals and half of the reals' spectrum (plan::LineMap::Rule::r2c_store, c2r_load)
// as part of the last pass, or of the first one, so that it takes none of its own. A line of `radix` rows of `columns`
// elements, from row to row, is what that pass makes, or takes: the mirror image of element q > 0 of row k is element
// columns - q of row radix - 1 - k, so that a vector of columns and the one that mirrors it are combined with each
// other, and nothing else; column 0 mirrors itself.
#pragma once

#include <cstdint>
#include <optional>

#include "backend/host/aligned_array.hpp"
#include "backend/host/line_passes.hpp"
#include "backend/host/pass.hpp"
#include "plan/lower/line_map.hpp"

namespace twiddle::backend::host {

template <class T>
class MappedPass {
 public:
  // The map behind a forward transform, or before an inverse one, of interleaved spectra. Nothing where part of the
  // spectrum is not there or not wanted, for other maps, and where a pass has no such kernel or fewer columns than two
  // vectors. What the map makes is multiplied by `scale`. The passes are those of LineShape::row. `targets`: a mask of
  // SIMD targets.
  static std::optional<MappedPass> make(const plan::LineMap& map, const LinePasses<T>& passes, T scale,
                                        std::int64_t targets);

  // Runs the pass, which is called as it would be without a map: as last_row, or as first_row_swapped.
  void operator()(PassCall<T> call) const;

 private:
  MappedPass() = default;

  PassFunction<T> function_ = nullptr;
  T sum_ = 1;
  // Of each pair of vectors: [row] of the map's factors, by the rows of the mirrored one of a last pass, or of the
  // other one of a first pass, and, of a first pass, [1..radix-1] twiddles of either; all of these [real,
  // imaginary][lane].
  AlignedArray<T> table_;
  AlignedArray<T> first_column_;  // the map's factors of its rows to the middle, [row][real, imaginary]
};

}  // namespace twiddle::backend::host
