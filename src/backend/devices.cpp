// The list of devices, and how a name becomes one.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "backend/engine.hpp"
#include "backend/host/host_engine.hpp"
#include "backend/opencl/opencl_devices.hpp"
#include "backend/opencl/opencl_engine.hpp"
#include "twiddle/device.hpp"
#include "twiddle/error.hpp"

namespace twiddle {
namespace {

constexpr std::string_view cuda_absence =
    "this version of twiddle has no CUDA backend; NVIDIA GPUs can be used through OpenCL";

// Whoever opens a device that is in use gets the same engine, so that buffers and plans made apart fit together.
// Engines are not kept beyond their last user: drivers must not be torn down after the end of main.
std::shared_ptr<backend::Engine> shared_engine(const std::string& key,
                                               const std::function<std::shared_ptr<backend::Engine>()>& make) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<backend::Engine>> engines;
  const std::lock_guard lock(mutex);
  std::weak_ptr<backend::Engine>& known = engines[key];
  std::shared_ptr<backend::Engine> engine = known.lock();
  if (!engine) known = engine = make();
  return engine;
}

Device open_opencl(const backend::OpenClDevice& device) {
  const char* limits = std::getenv("TWIDDLE_LIMITS");  // part of what the engine is: plans depend on it
  const std::string key = fmt::format("opencl:{}:{}", device.info.index, limits == nullptr ? "" : limits);
  return Device(shared_engine(key, [&] { return backend::make_opencl_engine(device); }));
}

struct DeviceName {
  std::string_view kind;
  std::optional<std::size_t> index;
};

DeviceName parse_name(std::string_view name) {
  const std::size_t colon = name.find(':');
  DeviceName result{name.substr(0, colon), std::nullopt};
  bool valid = result.kind == "host" || result.kind == "opencl" || result.kind == "cuda";
  if (colon != std::string_view::npos) {
    const std::string_view digits = name.substr(colon + 1);
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    valid = valid && result.kind != "host" && error == std::errc{} && end == digits.data() + digits.size();
    result.index = index;
  }
  if (!valid) {
    throw InvalidArgument(fmt::format(
        "device name is '{}'; expected host, opencl, cuda, or one of the last two with a number, such as opencl:1",
        name));
  }
  return result;
}

std::string available_names(const std::vector<backend::OpenClDevice>& devices) {
  std::string names = "host";
  for (const auto& device : devices) names += fmt::format(", {} ({})", device_name(device.info), device.info.name);
  return names;
}

}  // namespace

Device Device::host() { return Device(shared_engine("host", backend::make_host_engine)); }

Device Device::best() {
  const backend::OpenClDevices found = backend::find_opencl_devices();
  const auto gpu =
      std::find_if(found.devices.begin(), found.devices.end(), [](const auto& device) { return device.gpu; });
  return gpu == found.devices.end() ? host() : open_opencl(*gpu);
}

Device Device::open(std::string_view name) {
  const DeviceName parsed = parse_name(name);
  if (parsed.kind == "host") return host();
  const backend::OpenClDevices found = backend::find_opencl_devices();
  const std::string available = available_names(found.devices);
  if (parsed.kind == "cuda") {
    throw Unsupported(fmt::format("cannot open '{}': {}; available: {}", name, cuda_absence, available));
  }
  if (!found.absence.empty()) {
    throw Unsupported(fmt::format("cannot open '{}': {}; available: {}", name, found.absence, available));
  }
  const std::size_t index = parsed.index.value_or(0);
  if (index >= found.devices.size()) {
    throw Unsupported(fmt::format("cannot open '{}': there are {} OpenCL devices, numbered from 0; available: {}", name,
                                  found.devices.size(), available));
  }
  return open_opencl(found.devices[index]);
}

const DeviceInfo& Device::info() const { return engine_->info(); }

void Device::synchronize() const { engine_->synchronize(); }

DeviceList list_devices() {
  DeviceList list;
  list.devices.push_back(Device::host().info());
  const backend::OpenClDevices found = backend::find_opencl_devices();
  for (const auto& device : found.devices) list.devices.push_back(device.info);
  if (!found.absence.empty()) list.absences.push_back({BackendKind::opencl, found.absence});
  list.absences.push_back({BackendKind::cuda, std::string(cuda_absence)});
  return list;
}

std::string_view to_string(BackendKind kind) {
  switch (kind) {
    case BackendKind::host:
      return "host";
    case BackendKind::opencl:
      return "opencl";
    case BackendKind::cuda:
      return "cuda";
  }
  throw InvalidArgument(fmt::format("backend kind is {}; expected 0..2", static_cast<int>(kind)));
}

std::string device_name(const DeviceInfo& info) {
  if (info.backend == BackendKind::host) return "host";
  return fmt::format("{}:{}", to_string(info.backend), info.index);
}

}  // namespace twiddle
