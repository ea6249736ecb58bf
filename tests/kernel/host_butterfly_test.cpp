// The generated host butterflies, run through Highway for every instruction set of this machine.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/host_butterfly_test.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/highway.h>

#include <complex>
#include <cstddef>
#include <vector>

#include "host_butterflies-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::HWY_NAMESPACE {

// Every lane holds the same transform, scaled by the lane's number plus one; the result is scaled back, which is exact
// for the powers of two among the lanes: only these are kept, one after the other, of both forms of the butterfly.
template <class T, unsigned radix, class InPlace, class Streamed>
void Run(std::vector<std::complex<T>>& values, InPlace in_place, Streamed streamed) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  V re[radix], im[radix], re_streamed[radix], im_streamed[radix];
  for (unsigned n = 0; n < radix; ++n) {
    const V scale = hn::Iota(d, T{1});
    re[n] = hn::Mul(scale, hn::Set(d, values[n].real()));
    im[n] = hn::Mul(scale, hn::Set(d, values[n].imag()));
  }
  streamed(
      d, [&](unsigned n, V& r, V& i) HWY_ATTR { r = re[n], i = im[n]; },
      [&](unsigned n, V r, V i) HWY_ATTR { re_streamed[n] = r, im_streamed[n] = i; });
  in_place(d, re, im);
  values.clear();
  std::vector<T> real(lanes), imaginary(lanes);
  const auto collect = [&](const V* r, const V* i) HWY_ATTR {
    for (std::size_t lane = 1; lane <= lanes; lane *= 2) {
      for (unsigned n = 0; n < radix; ++n) {
        hn::StoreU(r[n], d, real.data());
        hn::StoreU(i[n], d, imaginary.data());
        values.emplace_back(real[lane - 1] / static_cast<T>(lane), imaginary[lane - 1] / static_cast<T>(lane));
      }
    }
  };
  collect(re, im);
  collect(re_streamed, im_streamed);
}

template <class T>
void RunRadixOf(unsigned radix, std::vector<std::complex<T>>& values) {
  switch (radix) {
#define RADIX(number)                                                                      \
  case number:                                                                             \
    return Run<T, number>(                                                                 \
        values, [](auto d, auto* re, auto* im) HWY_ATTR { Butterfly##number(d, re, im); }, \
        [](auto d, auto load, auto store) HWY_ATTR { Butterfly##number(d, load, store); });
    RADIX(2)
    RADIX(3) RADIX(4) RADIX(5) RADIX(6) RADIX(7) RADIX(8) RADIX(9) RADIX(10) RADIX(11) RADIX(12) RADIX(13) RADIX(14)
        RADIX(15) RADIX(16) RADIX(17) RADIX(18) RADIX(19) RADIX(20) RADIX(21) RADIX(22) RADIX(23) RADIX(24) RADIX(25)
            RADIX(26) RADIX(27) RADIX(28) RADIX(29) RADIX(30) RADIX(31) RADIX(32)
#undef RADIX
  }
}

void RunFloat(unsigned radix, std::vector<std::complex<float>>& values) { RunRadixOf(radix, values); }

}  // namespace twiddle::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <gtest/gtest.h>

#include "kernel/butterfly.hpp"
#include "kernel/direct_transform.hpp"

namespace twiddle {
namespace {

HWY_EXPORT(RunFloat);

TEST(HostButterflies, MatchTheDefinitionOnEveryInstructionSet) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    for (unsigned radix = 2; radix <= kernel::largest_radix; ++radix) {
      std::vector<std::complex<float>> values;
      std::vector<test::Extended> exact;
      for (const auto& value : test::sample_values(radix)) {
        values.emplace_back(value);
        exact.emplace_back(values.back());
      }
      const auto expected = test::direct_transform(exact, Direction::forward);
      HWY_DYNAMIC_DISPATCH(RunFloat)(radix, values);
      ASSERT_GE(values.size(), 2 * radix);
      for (std::size_t begin = 0; begin < values.size(); begin += radix) {
        const std::vector<std::complex<float>> lane(values.begin() + begin, values.begin() + begin + radix);
        EXPECT_LT(test::relative_error(lane, expected), 2.5e-7) << radix << " on " << hwy::TargetName(target);
      }
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

}  // namespace
}  // namespace twiddle
#endif
