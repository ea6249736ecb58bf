// What the environment may ask of the host engine, and how wrong values are reported.
#include <gtest/gtest.h>
#include <hwy/detect_targets.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include "backend/host/host_engine.hpp"
#include "backend/host/machine.hpp"
#include "backend/host/settings.hpp"
#include "backend/host/stage_case.hpp"
#include "twiddle/error.hpp"

namespace twiddle::test {
namespace {

using backend::host::Results;

std::string complaint(const char* name, const char* value) {
  const ScopedEnvironment environment(name, value);
  try {
    (void)backend::make_host_engine();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(HostSettingsTest, ThreadsMustBeANumber) {
  for (const char* value : {"0", "-1", "1025", "two", "2x", " 2", "99999999999999999999"}) {
    const std::string message = complaint("TWIDDLE_THREADS", value);
    EXPECT_NE(message.find("TWIDDLE_THREADS"), std::string::npos) << value;
    EXPECT_NE(message.find(value), std::string::npos) << message;
    EXPECT_NE(message.find("1 to 1024"), std::string::npos) << message;
  }
}

TEST(HostSettingsTest, ThreadsAreUsed) {
  const ScopedEnvironment environment("TWIDDLE_THREADS", "1");
  EXPECT_EQ(backend::make_host_engine()->info().limits.compute_units, 1U);
}

// Tuned choices and profiles are kept under these names.
TEST(HostSettingsTest, TargetsHaveTheNamesThatUsersKnow) {
  EXPECT_EQ(backend::host::target_name(HWY_AVX3 | HWY_AVX2 | HWY_SSE4), "AVX-512");
  EXPECT_EQ(backend::host::target_name(HWY_AVX2 | HWY_SSE4 | HWY_SCALAR), "AVX2");
  EXPECT_EQ(backend::host::target_name(HWY_SSE4 | HWY_SCALAR), "SSE4");
  EXPECT_EQ(backend::host::target_name(HWY_NEON | HWY_SCALAR), "NEON");
  EXPECT_EQ(backend::host::target_name(HWY_SCALAR), "plain");
}

// oneTBB would print that it has fewer, and that only once.
TEST(HostSettingsTest, MoreThreadsThanProcessorsPrintNothing) {
  const std::size_t count = 3 * std::max(1U, std::thread::hardware_concurrency());
  const ScopedEnvironment environment("TWIDDLE_THREADS", std::to_string(count).c_str());
  testing::internal::CaptureStderr();
  const auto engine = backend::make_host_engine();
  // Each waits until all are there, which takes as many threads, or for long enough.
  std::atomic<std::size_t> there = 0;
  std::atomic<bool> all = true;
  engine->take_turns(count, count, [&](std::uint64_t, std::uint64_t) {
    ++there;
    for (int i = 0; i < 1000 && there < count; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (there < count) all = false;
  });
  EXPECT_TRUE(all);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(engine->info().limits.compute_units, count);
}

TEST(HostSettingsTest, SimdMustBeKnownAndAvailable) {
  const std::string message = complaint("TWIDDLE_SIMD", "mmx");
  EXPECT_NE(message.find("mmx"), std::string::npos);
#ifndef TWIDDLE_SANITIZED  // whose kernels are compiled for one target alone
  EXPECT_NE(message.find("plain"), std::string::npos) << message;
#endif
  // No machine has both.
  EXPECT_TRUE(!complaint("TWIDDLE_SIMD", "neon").empty() || !complaint("TWIDDLE_SIMD", "sse4").empty());
}

TEST(HostSettingsTest, PlainWorksEverywhere) {
#ifdef TWIDDLE_SANITIZED
  GTEST_SKIP() << "not among the targets of this build";
#endif
  const auto engine = host_engine("plain");
  ASSERT_NE(engine, nullptr);
  EXPECT_EQ(engine->info().driver, "plain");
  EXPECT_EQ(engine->info().limits.sub_group_size, 1U);
}

TEST(HostSettingsTest, DescribesTheMachine) {
  const auto engine = host_engine("");
  ASSERT_NE(engine, nullptr);
  const DeviceInfo& info = engine->info();
  EXPECT_EQ(info.backend, BackendKind::host);
  EXPECT_EQ(info.limits.shape, DeviceLimits::Shape::owned);
  EXPECT_FALSE(info.name.empty());
  EXPECT_GT(info.global_memory, 0U);
  EXPECT_GE(info.limits.level2_cache, info.limits.level1_cache);
}

TEST(HostSettingsTest, MemoryOfTheCallerIsNotCopied) {
  EXPECT_TRUE(host_engine("")->works_on_host_memory());
  std::complex<float> value(1.0F, 2.0F);
  EXPECT_EQ(static_cast<void*>(backend::HostSpan(&value).host_pointer()), static_cast<void*>(&value));
}

TEST(HostSettingsTest, AnUnknownRadixIsReported) {
  const auto engine = host_engine("");
  plan::Stage stage;
  stage.length = 131;
  stage.radices = {131};
  EXPECT_THROW((void)engine->compile(stage), Unsupported);
}

TEST(HostSettingsTest, TheLastCacheIsSharedByProcessors) {
  const backend::host::LastLevelCache cache = backend::host::last_level_cache();
  EXPECT_GE(cache.bytes, std::size_t{1} << 18);
  EXPECT_GE(cache.processors, 1U);
  EXPECT_LE(cache.processors, 4096U);
}

constexpr std::size_t mebibyte = std::size_t{1} << 20;

std::size_t kept_bytes(std::size_t mebibytes, std::size_t processors, std::size_t threads, Results results) {
  return backend::host::results_kept({mebibytes * mebibyte, processors}, threads, results);
}

// A few cores share little; of much, one thread's part is small, and all threads' is all.
TEST(HostSettingsTest, ResultsAreKeptInAThreadsPartOfTheCache) {
  const auto kept = [](auto... of) { return kept_bytes(of...) / mebibyte; };
  EXPECT_EQ(kept(32, 2, 2, Results::beside_input), 12U);
  EXPECT_EQ(kept(32, 2, 2, Results::read_again), 16U);
  EXPECT_EQ(kept(32, 2, 2, Results::over_input), 16U);
  EXPECT_EQ(kept(32, 2, 1, Results::over_input), 15U);
  EXPECT_EQ(kept(8, 4, 1, Results::beside_input), 3U);
  EXPECT_EQ(kept(8, 4, 64, Results::over_input), 4U);
  EXPECT_EQ(kept(320, 32, 1, Results::over_input), 15U);
  EXPECT_EQ(kept(320, 32, 8, Results::over_input), 40U);
  EXPECT_EQ(kept(320, 32, 32, Results::over_input), 160U);
}

TEST(HostSettingsTest, BesideTheInputAThreadsPartOfAVirtualMachinesCacheIsNotAllThatItStates) {
  EXPECT_EQ(kept_bytes(480, 2, 1, Results::beside_input), 18 * mebibyte);
  EXPECT_EQ(kept_bytes(480, 2, 2, Results::beside_input), 18 * mebibyte);
  EXPECT_EQ(kept_bytes(300, 16, 16, Results::beside_input), 18 * mebibyte);
  EXPECT_EQ(kept_bytes(300, 16, 1, Results::beside_input), 30 * mebibyte / 8 * 3);
  EXPECT_EQ(kept_bytes(128, 2, 2, Results::beside_input), 48 * mebibyte);
  EXPECT_EQ(kept_bytes(480, 2, 2, Results::read_again), 64 * mebibyte);
  EXPECT_EQ(kept_bytes(480, 2, 1, Results::over_input), 120 * mebibyte);
}

TEST(HostSettingsTest, TooMuchMemoryIsReported) {
  EXPECT_THROW((void)host_engine("")->allocate(std::size_t{1} << 58), DeviceError);
}

}  // namespace
}  // namespace twiddle::test
