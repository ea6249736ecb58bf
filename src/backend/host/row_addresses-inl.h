// Where rows lie that are equally far apart, by few instructions. Included once per SIMD target.
// clang-format off
#if defined(TWIDDLE_HOST_ROW_ADDRESSES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_ROW_ADDRESSES_INL_H
#undef TWIDDLE_HOST_ROW_ADDRESSES_INL_H
#else
#define TWIDDLE_HOST_ROW_ADDRESSES_INL_H
#endif
// clang-format on

#include <array>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

// A value as if it came from elsewhere, so that the compiler makes nothing else of it.
template <class Value>
HWY_INLINE Value Opaque(Value value) {
  asm("" : "+r"(value));
  return value;
}

// Rows n < kRows, `apart` scalars from each other. An address of x86 may hold a register times 1, 2, 4 or 8: the
// distance times 1, 3, 5 and 7 are kept, and of each first row every eighth one. Left to itself, the compiler makes
// each address of the one before.
template <class T, unsigned kRows>
class RowDistances {
 public:
  explicit HWY_INLINE RowDistances(std::size_t apart) {
    const std::size_t bytes = apart * sizeof(T);
    for (std::size_t i = 0; i < odd_.size(); ++i) odd_[i] = Opaque((2 * i + 1) * bytes);
  }

  template <class Scalar>  // T or const T
  class Rows {
   public:
    HWY_INLINE Rows(const RowDistances& distances, Scalar* first) : distances_(distances) {
      for (std::size_t i = 0; i < eighths_.size(); ++i) {
        eighths_[i] = Opaque(reinterpret_cast<std::uintptr_t>(first) + i * 8 * distances_.odd_[0]);
      }
    }

    HWY_INLINE Scalar* operator[](unsigned n) const {
      return reinterpret_cast<Scalar*>(eighths_[n / 8] + kTimes[n % 8] * distances_.odd_[kOdd[n % 8]]);
    }

   private:
    // A row is so many times one of the odd distances from its eighth one.
    static constexpr std::size_t kTimes[8] = {0, 1, 2, 1, 4, 1, 2, 1};
    static constexpr std::size_t kOdd[8] = {0, 0, 0, 1, 0, 2, 1, 3};

    const RowDistances& distances_;
    std::array<std::uintptr_t, (kRows + 7) / 8> eighths_;
  };

  template <class Scalar>
  [[nodiscard]] HWY_INLINE Rows<Scalar> from(Scalar* first) const {
    return {*this, first};
  }

 private:
  std::array<std::size_t, 4> odd_;
};

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // include once per target
