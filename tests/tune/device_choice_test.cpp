// Devices chosen on this machine: measured once, remembered, and passed over where they are gone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "support/device_test.hpp"
#include "support/environment.hpp"
#include "tune/automatic.hpp"
#include "tune/measure_profile.hpp"
#include "tune/profile_store.hpp"
#include "twiddle/error.hpp"
#include "twiddle/plan.hpp"

namespace twiddle::tuning {
namespace {

using ::testing::HasSubstr;

const Problem some_problem = parse_problem("c2c:f32:64*256");

class DeviceChoice : public test::DeviceTest {
 protected:
  // A profile with this rate and launches that cost nothing.
  static plan::DeviceProfile profile(double rate) {
    plan::DeviceProfile result;
    result.stage = plan::SizeCurve({{4096, 4096 / rate}});
    return result;
  }

  test::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "profiles.json";
  test::ScopedVariable variable_{"TWIDDLE_PROFILES", file_.c_str()};
};

TEST_F(DeviceChoice, MeasuresWhatAProfileNeeds) {
  (void)Plan(device(), some_problem.transform);  // the kernel is compiled
  const auto start = std::chrono::steady_clock::now();
  const plan::DeviceProfile measured = measure_profile(device());
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  EXPECT_NO_THROW(validate(measured));
  EXPECT_LT(elapsed.count(), 10) << "under a second where nothing disturbs it";
  EXPECT_GE(measured.stage.points().size(), 3U);
  const bool host = device().info().backend == BackendKind::host;
  EXPECT_EQ(measured.to_device.points().empty(), host);
  EXPECT_EQ(measured.from_device.points().empty(), host);
  EXPECT_EQ(measured.after_writing.points().empty(), !host);
  // Large ones take longer than small ones.
  EXPECT_GT(measured.stage.points().back().seconds, measured.stage.points().front().seconds);
  // What only the host's estimates need.
  const plan::DeviceProfile unmeasured;
  EXPECT_EQ(measured.row_mapping != unmeasured.row_mapping, host);
  EXPECT_EQ(measured.column_mapping != unmeasured.column_mapping, host);
  EXPECT_EQ(measured.aligned_strided_slowdown != unmeasured.aligned_strided_slowdown, host);
  EXPECT_EQ(measured.cached_strided_slowdown != unmeasured.cached_strided_slowdown, host);
}

TEST_F(DeviceChoice, MeasuresOnceAndRemembers) {
  const AutomaticOptions options{.data = device(), .devices = {"host"}};
  const DeviceComparison first = compare_devices(some_problem, options);
  EXPECT_TRUE(first.measured);
  EXPECT_THAT(first.notes, testing::IsEmpty());
  for (const DeviceCost& cost : first.costs) {
    EXPECT_TRUE(cost.compared) << cost.device << cost.note;
    EXPECT_GT(cost.execution_milliseconds, 0);
    EXPECT_EQ(cost.transfer_milliseconds > 0, cost.device != device_name(device().info())) << cost.device;
  }
  const ProfileBook book = read_profile_book(file_);
  EXPECT_EQ(book.size(), first.costs.size());
  const DeviceComparison second = compare_devices(some_problem, options);
  EXPECT_EQ(second.costs.front().execution_milliseconds, first.costs.front().execution_milliseconds);
  EXPECT_EQ(device_name(Device::automatic(some_problem, options).info()), first.costs.front().device);
}

TEST_F(DeviceChoice, GoesByTheStoredProfiles) {
  const DeviceInfo host = Device::host().info();
  if (device_name(device().info()) == "host") GTEST_SKIP() << "takes two devices";
  const auto chosen = [&](double host_rate, double device_rate) {
    plan::DeviceProfile there = profile(device_rate);
    there.to_device = there.from_device = plan::SizeCurve({{4096, 1e-9}});
    add_to_profile_book(file_, {{profile_key_of(host), profile(host_rate)}, {profile_key_of(device().info()), there}});
    const AutomaticOptions options{.devices = {test::device_under_test()}};
    return device_name(Device::automatic(some_problem, options).info());
  };
  EXPECT_EQ(chosen(1e6, 1e12), device_name(device().info()));
  EXPECT_EQ(chosen(1e12, 1e6), "host");
  // The f80 of the host is nowhere else.
  add_to_profile_book(file_, {{profile_key_of(host), profile(1)}});
  EXPECT_EQ(device_name(Device::automatic(parse_problem("c2c:f80:64"), {.data = device()}).info()), "host");
}

TEST_F(DeviceChoice, StaysWhereTheDataIsWhereMeasuringIsForbidden) {
  AutomaticCandidate here{device().info(), device().limits(), [this] { return device(); }};
  here.info.name = "a device that nobody has measured";
  AutomaticCandidate other = here;
  other.info.index = 9;
  const WorkOn work = [](const AutomaticCandidate& candidate) { return problem_work(some_problem, candidate); };
  const Ranking ranking = rank({here, other}, work, {.measure = false});
  EXPECT_FALSE(ranking.comparison.measured);
  EXPECT_EQ(ranking.order, (std::vector<std::size_t>{0, 1}));
  EXPECT_THAT(ranking.comparison.costs.front().note, HasSubstr("not measured yet"));
  EXPECT_FALSE(std::filesystem::exists(file_));
  const test::ScopedVariable off("TWIDDLE_PROFILES", "off");
  EXPECT_THAT(compare_devices(some_problem, {.data = device()}).costs.front().note,
              HasSubstr("TWIDDLE_PROFILES is \"off\""));
}

TEST_F(DeviceChoice, TellsOfDamagedFilesAndLeavesThem) {
  std::ofstream(file_) << "damaged";
  const DeviceComparison comparison = compare_devices(some_problem, {.data = device(), .devices = {"host"}});
  EXPECT_TRUE(comparison.measured);
  ASSERT_EQ(comparison.notes.size(), 1U);
  EXPECT_THAT(comparison.notes.front(), HasSubstr("move the file away"));
  std::string text;
  std::ifstream(file_) >> text;
  EXPECT_EQ(text, "damaged");
}

// Measured all the same, for as long as the process lives.
TEST_F(DeviceChoice, MeasuresWhereNothingCanBeKept) {
  std::ofstream(file_) << "no folder";
  const std::string below = (file_ / "profiles.json").string();
  const test::ScopedVariable variable("TWIDDLE_PROFILES", below.c_str());
  AutomaticCandidate here{device().info(), device().limits(), [this] { return device(); }};
  here.info.name = "a device whose profile cannot be kept";
  const WorkOn work = [](const AutomaticCandidate& candidate) { return problem_work(some_problem, candidate); };
  const DeviceComparison first = rank({here}, work, {}).comparison;
  EXPECT_TRUE(first.measured);
  ASSERT_EQ(first.notes.size(), 1U);
  EXPECT_THAT(first.notes.front(), HasSubstr("Not a directory"));
  here.open = []() -> Device { throw DeviceError("is not opened again"); };
  const DeviceComparison second = rank({here}, work, {}).comparison;
  EXPECT_EQ(second.costs.front().execution_milliseconds, first.costs.front().execution_milliseconds);
}

TEST_F(DeviceChoice, RefusesWhatNobodyCanCompute) {
  EXPECT_THROW((void)compare_devices({.transform = {.lengths = {0}}}), InvalidArgument);
  EXPECT_THROW((void)compare_devices(some_problem, {.executions = 0}), InvalidArgument);
  // 2^60 bytes.
  EXPECT_THROW((void)compare_devices(parse_problem("c2c:f32:1125899906842624*128")), Unsupported);
}

TEST_F(DeviceChoice, PassesOverDevicesThatAreGone) {
  const AutomaticCandidate here{device().info(), device().limits(), [this] { return device(); }};
  AutomaticCandidate gone = here;
  gone.info.name = "a card that was pulled out";
  gone.info.index = 9;
  gone.open = []() -> Device { throw DeviceError("the device is gone"); };
  // It was the fastest when it was measured.
  plan::DeviceProfile fast = profile(1e15);
  fast.to_device = fast.from_device = plan::SizeCurve({{4096, 1e-12}});
  add_to_profile_book(file_, {{profile_key_of(gone.info), fast}});
  const WorkOn work = [](const AutomaticCandidate& candidate) { return problem_work(some_problem, candidate); };
  const Ranking ranking = rank({here, gone}, work, {});
  EXPECT_EQ(ranking.order.size(), 2U);
  const Device opened = open_first({here, gone}, {1, 0});
  EXPECT_EQ(&opened.engine(), &device().engine());
  try {
    (void)open_first({gone}, {0});
    FAIL();
  } catch (const DeviceError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the device is gone"));
  }
  // One that is gone before it could be measured is not compared.
  gone.info.name = "another";
  const Ranking unmeasured = rank({here, gone}, work, {});
  EXPECT_EQ(unmeasured.order, (std::vector<std::size_t>{0, 1}));
  EXPECT_THAT(unmeasured.comparison.costs.back().note, HasSubstr("the device is gone"));
}

}  // namespace
}  // namespace twiddle::tuning
