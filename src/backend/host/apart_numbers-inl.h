// Numbers that lie a few apart put side by side, and back. Included once per SIMD target.
// clang-format off
#if defined(TWIDDLE_HOST_APART_NUMBERS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_APART_NUMBERS_INL_H
#undef TWIDDLE_HOST_APART_NUMBERS_INL_H
#else
#define TWIDDLE_HOST_APART_NUMBERS_INL_H
#endif
// clang-format on

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3

// Of kStep vectors that hold every kStep-th number of `kLanes`: the mask of these in each, and where they belong.
template <class U, std::size_t kStep>
struct ApartPlaces {
  static constexpr std::size_t lanes = 64 / sizeof(U);
  alignas(64) std::array<std::array<U, lanes>, kStep> gathered{};  // by exchanges of the first vectors with the next
  alignas(64) std::array<std::array<U, lanes>, kStep> spread{};
  std::array<std::uint16_t, kStep> masks{};

  constexpr ApartPlaces() {
    for (std::size_t place = 0; place < kStep * lanes; ++place) {
      const std::size_t vector = place / lanes;
      const std::size_t lane = place % lanes;
      spread[vector][lane] = static_cast<U>(place / kStep);
      if (place % kStep != 0) continue;
      masks[vector] = static_cast<std::uint16_t>(masks[vector] | (1U << lane));
      for (std::size_t j = 0; j < kStep; ++j) {
        // The first exchange takes numbers of the first vector from where they are, later ones leave those that came
        // before.
        const std::size_t earlier = j == 1 ? lane : place / kStep;
        gathered[j][place / kStep] = static_cast<U>(vector == j ? lanes + lane : earlier);
      }
    }
  }
};

template <class U, std::size_t kStep>
inline constexpr ApartPlaces<U, kStep> apart_places{};

HWY_INLINE __m512i LoadSome(std::uint16_t mask, const std::uint32_t* from) {
  return _mm512_maskz_loadu_epi32(mask, from);
}
HWY_INLINE __m512i LoadSome(std::uint16_t mask, const std::uint64_t* from) {
  return _mm512_maskz_loadu_epi64(static_cast<__mmask8>(mask), from);
}
HWY_INLINE void StoreSome(std::uint32_t* to, std::uint16_t mask, __m512i v) { _mm512_mask_storeu_epi32(to, mask, v); }
HWY_INLINE void StoreSome(std::uint64_t* to, std::uint16_t mask, __m512i v) {
  _mm512_mask_storeu_epi64(to, static_cast<__mmask8>(mask), v);
}
HWY_INLINE __m512i FromTwo(__m512i a, const std::uint32_t* places, __m512i b) {
  return _mm512_permutex2var_epi32(a, _mm512_load_si512(places), b);
}
HWY_INLINE __m512i FromTwo(__m512i a, const std::uint64_t* places, __m512i b) {
  return _mm512_permutex2var_epi64(a, _mm512_load_si512(places), b);
}

// Whole vectors of numbers as large as U: returns how many. Neither reads nor writes what is between them.
template <class U, std::size_t kStep>
std::size_t GatherApart(const char* from, std::size_t count, char* to) {
  constexpr auto& kPlaces = apart_places<U, kStep>;
  constexpr std::size_t kLanes = kPlaces.lanes;
  const auto* source = reinterpret_cast<const U*>(from);
  std::size_t k = 0;
  for (; k + kLanes <= count; k += kLanes, source += kStep * kLanes) {
    __m512i v = LoadSome(kPlaces.masks[0], source);
    for (std::size_t j = 1; j < kStep; ++j) {
      v = FromTwo(v, kPlaces.gathered[j].data(), LoadSome(kPlaces.masks[j], source + j * kLanes));
    }
    _mm512_storeu_si512(to + k * sizeof(U), v);
  }
  return k;
}

template <class U, std::size_t kStep>
std::size_t SpreadApart(const char* from, std::size_t count, char* to) {
  constexpr auto& kPlaces = apart_places<U, kStep>;
  constexpr std::size_t kLanes = kPlaces.lanes;
  auto* results = reinterpret_cast<U*>(to);
  std::size_t k = 0;
  for (; k + kLanes <= count; k += kLanes, results += kStep * kLanes) {
    const __m512i v = _mm512_loadu_si512(from + k * sizeof(U));
    for (std::size_t j = 0; j < kStep; ++j) {
      StoreSome(results + j * kLanes, kPlaces.masks[j], FromTwo(v, kPlaces.spread[j].data(), v));
    }
  }
  return k;
}

// What of the numbers goes by vectors: those 2, 3 or 4 apart.
template <class U>
std::size_t MoveVectors(const char* from, std::ptrdiff_t from_step, std::size_t count, char* to,
                        std::ptrdiff_t to_step) {
  constexpr auto kUnit = static_cast<std::ptrdiff_t>(sizeof(U));
  if (to_step == kUnit) {
    if (from_step == 2 * kUnit) return GatherApart<U, 2>(from, count, to);
    if (from_step == 3 * kUnit) return GatherApart<U, 3>(from, count, to);
    if (from_step == 4 * kUnit) return GatherApart<U, 4>(from, count, to);
  } else if (from_step == kUnit) {
    if (to_step == 2 * kUnit) return SpreadApart<U, 2>(from, count, to);
    if (to_step == 3 * kUnit) return SpreadApart<U, 3>(from, count, to);
    if (to_step == 4 * kUnit) return SpreadApart<U, 4>(from, count, to);
  }
  return 0;
}

#endif

// `count` numbers of so many bytes, in any steps of bytes on either side.
template <std::size_t kBytes>
HWY_INLINE void MoveOneByOne(const char* HWY_RESTRICT from, std::ptrdiff_t from_step, std::size_t count,
                             char* HWY_RESTRICT to, std::ptrdiff_t to_step) {
  struct Words {
    std::uint64_t words[(kBytes + 7) / 8];
  };
  using Number = std::conditional_t<kBytes == 4, std::uint32_t, Words>;
  static_assert(sizeof(Number) == kBytes);
  const auto load = [&](std::ptrdiff_t i) {
    Number number;
    std::memcpy(&number, from + i * from_step, kBytes);
    return number;
  };
  const auto store = [&](std::ptrdiff_t i, const Number& number) { std::memcpy(to + i * to_step, &number, kBytes); };
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4, from += 4 * from_step, to += 4 * to_step) {
    const Number a = load(0);
    const Number b = load(1);
    const Number c = load(2);
    const Number d = load(3);
    store(0, a);
    store(1, b);
    store(2, c);
    store(3, d);
  }
  for (; k < count; ++k, from += from_step, to += to_step) store(0, load(0));
}

template <class T, std::size_t kScalars>
void MoveNumbers(const T* from, std::ptrdiff_t from_step, std::size_t count, T* to, std::ptrdiff_t to_step) {
  constexpr std::size_t kBytes = kScalars * sizeof(T);
  constexpr auto kScalar = static_cast<std::ptrdiff_t>(sizeof(T));
  std::size_t moved = 0;
#if HWY_TARGET == HWY_AVX3
  const auto* const bytes = reinterpret_cast<const char*>(from);
  auto* const results = reinterpret_cast<char*>(to);
  if constexpr (kBytes == 4) {
    moved = MoveVectors<std::uint32_t>(bytes, from_step * kScalar, count, results, to_step * kScalar);
  } else if constexpr (kBytes == 8) {
    moved = MoveVectors<std::uint64_t>(bytes, from_step * kScalar, count, results, to_step * kScalar);
  }
#endif
  const auto done = static_cast<std::ptrdiff_t>(moved);
  MoveOneByOne<kBytes>(reinterpret_cast<const char*>(from + done * from_step), from_step * kScalar, count - moved,
                       reinterpret_cast<char*>(to + done * to_step), to_step * kScalar);
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // TWIDDLE_HOST_APART_NUMBERS_INL_H
