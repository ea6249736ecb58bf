// Reading TWIDDLE_SIMD and TWIDDLE_THREADS.
#include "backend/host/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tbb/info.h>

#include <array>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "hwy/highway.h"
#include "twiddle/error.hpp"

namespace twiddle::backend::host {
namespace {

struct SimdName {
  std::string_view name;   // in TWIDDLE_SIMD
  std::string_view shown;  // to users
  std::int64_t target;
};
// Best first within an architecture. Lower bits of a Highway mask are better targets.
constexpr std::array simd_names = {SimdName{"avx512", "AVX-512", HWY_AVX3}, SimdName{"avx2", "AVX2", HWY_AVX2},
                                   SimdName{"sse4", "SSE4", HWY_SSE4}, SimdName{"neon", "NEON", HWY_NEON},
                                   SimdName{"plain", "plain", HWY_SCALAR}};

std::int64_t available_targets() {
#ifdef HWY_COMPILE_ONLY_STATIC
  return HWY_STATIC_TARGET;
#else
  // Highway asks the processor each time, which a virtual machine traps.
  static const std::int64_t supported = (hwy::SupportedTargets() & HWY_TARGETS) | HWY_SCALAR;
  return supported;
#endif
}

}  // namespace

std::int64_t simd_targets() {
  const std::int64_t available = available_targets();
  const char* value = std::getenv("TWIDDLE_SIMD");
  if (value == nullptr || *value == '\0') return available;
  std::vector<std::string_view> usable;
  for (const SimdName& entry : simd_names) {
    if ((available & entry.target) == 0) continue;
    if (entry.name == value) return available & ~(entry.target - 1);
    usable.push_back(entry.name);
  }
  throw InvalidArgument(
      fmt::format("TWIDDLE_SIMD is '{}'; this machine and build have {}", value, fmt::join(usable, ", ")));
}

std::string target_name(std::int64_t targets) {
  const std::int64_t best = targets & -targets;
  for (const SimdName& entry : simd_names) {
    if (entry.target == best) return std::string(entry.shown);
  }
  return hwy::TargetName(best);
}

std::size_t thread_count() {
  const char* value = std::getenv("TWIDDLE_THREADS");
  if (value == nullptr || *value == '\0') return static_cast<std::size_t>(tbb::info::default_concurrency());
  const std::string_view text = value;
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size() || count < 1 || count > 1024) {
    throw InvalidArgument(fmt::format("TWIDDLE_THREADS is '{}'; expected a number from 1 to 1024", text));
  }
  return count;
}

}  // namespace twiddle::backend::host
