// Dear tests take a share of their cases in the everyday run; the long run, which sets TWIDDLE_EVERY_CASE, takes all of
// them (SAMPLED in tests/CMakeLists.txt).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "support/device_test.hpp"

namespace twiddle::test {

[[nodiscard]] inline bool every_case() { return std::getenv("TWIDDLE_EVERY_CASE") != nullptr; }

// Whether case `index` is taken: each `one_in`th one, from the first on.
[[nodiscard]] inline bool is_sampled(std::size_t index, std::size_t one_in) {
  return every_case() || index % one_in == 0;
}

template <class Case>
[[nodiscard]] std::vector<Case> sampled(std::vector<Case> cases, std::size_t one_in) {
  std::vector<Case> taken;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (is_sampled(i, one_in)) taken.push_back(cases[i]);
  }
  return taken;
}

// The same where each plan costs a compilation; all cases on the host.
[[nodiscard]] inline bool is_sampled_on_devices(std::size_t index, std::size_t one_in) {
  return plans_are_cheap() || is_sampled(index, one_in);
}

template <class Case>
[[nodiscard]] std::vector<Case> sampled_on_devices(std::vector<Case> cases, std::size_t one_in) {
  return plans_are_cheap() ? cases : sampled(std::move(cases), one_in);
}

// What one of several, SIMD targets or the limits of devices, takes each day of cases that all of them have beside the
// same reference: shares that make up the whole. Drawn at random, alike each time, so that no loop's period keeps
// anything from one of them.
class Share {
 public:
  Share(std::size_t index, std::size_t shares) : index_(index % shares), shares_(shares) {}
  [[nodiscard]] bool takes_next() {
    const bool drawn = random_() % shares_ == index_;
    return drawn || every_case();
  }

 private:
  std::size_t index_;
  std::size_t shares_;
  std::mt19937 random_;
};

// All of it for NEON, beside which a machine has few others.
[[nodiscard]] inline Share share_of_target(std::string_view target) {
  if (target == "neon") return {0, 1};
  constexpr std::string_view targets[] = {"avx512", "avx2", "sse4", "plain"};
  return {static_cast<std::size_t>(std::ranges::find(targets, target) - targets), std::size(targets)};
}

// Whether sanitizers look at every access, which takes several times as long.
#ifdef TWIDDLE_SANITIZED
inline constexpr bool instrumented = true;
#else
inline constexpr bool instrumented = false;
#endif

// The same there; all cases elsewhere.
[[nodiscard]] inline bool is_sampled_if_instrumented(std::size_t index, std::size_t one_in) {
  return !instrumented || is_sampled(index, one_in);
}

template <class Case>
[[nodiscard]] std::vector<Case> sampled_if_instrumented(std::vector<Case> cases, std::size_t one_in) {
  return instrumented ? sampled(std::move(cases), one_in) : cases;
}

}  // namespace twiddle::test
