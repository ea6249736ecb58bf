// The list of devices, and how a name becomes one.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <optional>

#include "backend/cuda/cuda_devices.hpp"
#include "backend/cuda/cuda_engine.hpp"
#include "backend/engine.hpp"
#include "backend/host/host_engine.hpp"
#include "backend/opencl/opencl_devices.hpp"
#include "backend/opencl/opencl_engine.hpp"
#include "backend/shared_values.hpp"
#include "plan/device/limits.hpp"
#include "twiddle/device.hpp"
#include "twiddle/error.hpp"

namespace twiddle {
namespace {

// Whoever opens a device that is in use gets the same engine, so that buffers and plans made apart fit together.
// Engines are not kept beyond their last user: drivers must not be torn down after the end of main.
std::shared_ptr<backend::Engine> shared_engine(const std::string& key,
                                               const std::function<std::shared_ptr<backend::Engine>()>& make) {
  static backend::SharedValues<std::string, backend::Engine> engines;
  return engines.get(key, make);
}

Device open_opencl(const backend::OpenClDevice& device) {
  const char* limits = std::getenv("TWIDDLE_LIMITS");  // part of what the engine is: plans depend on it
  const std::string key = fmt::format("{}:{}", device_name(device.info), limits == nullptr ? "" : limits);
  return Device(shared_engine(key, [&] { return backend::make_opencl_engine(device); }));
}

Device open_cuda(const backend::CudaDevice& device) {
  return Device(shared_engine(device_name(device.info), [&] { return backend::make_cuda_engine(device); }));
}

struct DeviceName {
  std::string_view kind;
  std::optional<std::size_t> index;
  std::string_view simulated;  // empty: none
};

// The device held to other limits, under a name of its own: what was tuned and measured on either says nothing of the
// other.
template <class BackendDevice>
BackendDevice simulate(BackendDevice device, std::string_view simulated) {
  if (simulated.empty()) return device;
  device.info.limits = plan::simulated_limits(device.info, simulated);
  device.info.name += fmt::format(" as {}", simulated);
  device.info.simulates = simulated;
  return device;
}

DeviceName parse_name(std::string_view name) {
  const std::size_t at = std::min(name.find('@'), name.size());
  const std::string_view device = name.substr(0, at);
  const std::size_t colon = device.find(':');
  DeviceName result{device.substr(0, colon), std::nullopt, name.substr(at)};
  bool valid = result.kind == "host" || result.kind == "opencl" || result.kind == "cuda";
  if (!result.simulated.empty()) {
    result.simulated.remove_prefix(1);
    valid = valid && result.kind != "host" && !result.simulated.empty();
    if (valid) (void)plan::named_limits(result.simulated);
  }
  if (colon != std::string_view::npos) {
    const std::string_view digits = device.substr(colon + 1);
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    valid = valid && result.kind != "host" && error == std::errc{} && end == digits.data() + digits.size();
    result.index = index;
  }
  if (!valid) {
    throw InvalidArgument(fmt::format(
        "device name is '{}'; expected host, opencl, cuda, or one of the last two with a number, such as opencl:1, or "
        "with the limits of another device, such as opencl@mali",
        name));
  }
  return result;
}

std::string available_names(const backend::CudaDevices& cuda, const backend::OpenClDevices& opencl) {
  std::string names = "host";
  const auto add = [&](const DeviceInfo& info) { names += fmt::format(", {} ({})", device_name(info), info.name); };
  for (const auto& device : cuda.devices) add(device.info);
  for (const auto& device : opencl.devices) add(device.info);
  return names;
}

[[noreturn]] void throw_missing(std::string_view name, const std::string& reason) {
  throw Unsupported(fmt::format("cannot open '{}': {}; available: {}", name, reason,
                                available_names(backend::find_cuda_devices(), backend::find_opencl_devices())));
}

// The device of that name among those that were found.
template <class Devices>
const auto& choose(const Devices& found, const DeviceName& parsed, std::string_view name) {
  if (!found.absence.empty()) throw_missing(name, found.absence);
  const std::size_t index = parsed.index.value_or(0);
  if (index >= found.devices.size()) {
    throw_missing(name, fmt::format("there are {} {} devices, numbered from 0", found.devices.size(),
                                    parsed.kind == "cuda" ? "CUDA" : "OpenCL"));
  }
  return found.devices[index];
}

}  // namespace

Device Device::host() {
  return Device(shared_engine("host", [] { return backend::make_host_engine(); }));
}

Device Device::best() {
  const backend::CudaDevices cuda = backend::find_cuda_devices();
  if (!cuda.devices.empty()) return open_cuda(cuda.devices.front());
  const backend::OpenClDevices found = backend::find_opencl_devices();
  const auto gpu =
      std::find_if(found.devices.begin(), found.devices.end(), [](const auto& device) { return device.gpu; });
  return gpu == found.devices.end() ? host() : open_opencl(*gpu);
}

Device Device::open(std::string_view name) {
  const DeviceName parsed = parse_name(name);
  if (parsed.kind == "host") return host();
  if (parsed.kind == "cuda") {
    return open_cuda(simulate(choose(backend::find_cuda_devices(), parsed, name), parsed.simulated));
  }
  return open_opencl(simulate(choose(backend::find_opencl_devices(), parsed, name), parsed.simulated));
}

const DeviceInfo& Device::info() const { return engine_->info(); }

Device Device::with_strategy(const Strategy& strategy) const {
  validate(strategy);
  Device device = *this;
  device.strategy_ = strategy;
  return device;
}

void Device::synchronize() const { engine_->synchronize(); }

DeviceList list_devices() {
  DeviceList list;
  list.devices.push_back(Device::host().info());
  const backend::OpenClDevices found = backend::find_opencl_devices();
  for (const auto& device : found.devices) list.devices.push_back(device.info);
  if (!found.absence.empty()) list.absences.push_back({BackendKind::opencl, found.absence});
  const backend::CudaDevices cuda = backend::find_cuda_devices();
  for (const auto& device : cuda.devices) list.devices.push_back(device.info);
  if (!cuda.absence.empty()) list.absences.push_back({BackendKind::cuda, cuda.absence});
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
  const std::string device = fmt::format("{}:{}", to_string(info.backend), info.index);
  return info.simulates.empty() ? device : device + "@" + info.simulates;
}

}  // namespace twiddle
