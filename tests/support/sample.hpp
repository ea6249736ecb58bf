// Dear tests take a share of their cases in the everyday run; the long run, which sets TWIDDLE_EVERY_CASE, takes all of
// them (SAMPLED in tests/CMakeLists.txt).
#pragma once

#include <cstddef>
#include <cstdlib>
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
