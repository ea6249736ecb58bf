// Tests of what every engine must do run once for each device: CTest names it in TWIDDLE_TEST_DEVICE.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include "twiddle/error.hpp"
#include "twiddle/plan.hpp"

namespace twiddle::test {

// "host" where nothing else is asked for.
[[nodiscard]] inline std::string device_under_test() {
  const char* name = std::getenv("TWIDDLE_TEST_DEVICE");
  return name == nullptr ? "host" : name;
}

// Each plan costs a compilation on devices other than the host, so fewer of them are tried there in the everyday run.
[[nodiscard]] inline bool plans_are_cheap() { return device_under_test() == "host"; }

// A fixture that skips, with the reason, where this machine has no such device.
class DeviceTest : public testing::Test {
 protected:
  void SetUp() override { open_device(device_under_test()); }
  void open_device(const std::string& name) {
    try {
      device_ = Device::open(name);
    } catch (const Unsupported& error) {
      GTEST_SKIP() << error.what();
    }
  }
  [[nodiscard]] const Device& device() const { return *device_; }

 private:
  std::optional<Device> device_;
};

}  // namespace twiddle::test
