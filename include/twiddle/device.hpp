// Where to compute: the devices of this machine, what they can do, and how to choose one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twiddle/strategy.hpp"
#include "twiddle/transform.hpp"

namespace twiddle {

namespace backend {
class Engine;
}
namespace plan {
class ChoiceTable;
}
struct Problem;           // problem.hpp
struct Convolution;       // convolution.hpp
struct AutomaticOptions;  // automatic.hpp

// What planning must know of a device. Plain numbers, so that plans can be made and kernels written for devices that
// are not there. All sizes in bytes unless named otherwise.
struct DeviceLimits {
  enum class Shape {
    owned,    // native code of this CPU: one thread owns a transform
    on_chip,  // registers and local memory hold a transform
    staged    // no real local memory: one radix per launch through global memory
  };
  Shape shape = Shape::on_chip;
  std::size_t max_group_size = 256;            // work-items in a work-group
  std::size_t local_memory = 32768;            // that one work-group may use
  std::size_t sub_group_size = 32;             // work-items that run in lock step
  std::size_t registers_per_item = 128;        // 32-bit registers that a work-item can use without spilling
  std::size_t memory_segment = 64;             // bytes that must be contiguous for full memory bandwidth
  std::size_t compute_units = 1;
  std::size_t largest_cluster = 1;             // work-groups that reach each other's local memory; 1: none do
  bool dependent_launch = false;               // kernels can be launched while the one before ends, and wait
  bool bulk_copies = false;                    // memory is copied to local memory while work-items do other work
  std::uint64_t max_buffer = std::uint64_t{1} << 30;  // largest single allocation
  std::size_t level1_cache = 32768;            // per core (owned shape)
  std::size_t level2_cache = 1 << 20;          // per core (owned shape)
  bool float64 = true;                         // computes in double precision
  bool halved_vectors = false;                 // vectors of 64 bytes are computed and stored in two halves (owned shape)
  Precision arithmetic = Precision::float32;   // of the plans that these limits are for
  std::shared_ptr<const plan::ChoiceTable> choices{};  // that were measured on the device, see tune.hpp; null: none
  Strategy strategy{};                         // of the plans that these limits are for

  bool operator==(const DeviceLimits&) const = default;
};

enum class BackendKind { host, opencl, cuda };

// What a device is, for people and for the kernel cache.
struct DeviceInfo {
  BackendKind backend = BackendKind::host;
  std::size_t index = 0;  // within its backend
  std::string name;       // "AMD EPYC 9B14"
  std::string simulates{};  // the named limits of another device that this one is held to, such as "mali"; empty: none
  std::string vendor;
  std::string driver;     // driver version; for the host, the SIMD target in use ("AVX-512", "AVX2", ...)
  std::size_t max_item_dimensions = 1;
  std::vector<std::size_t> max_item_sizes{};
  std::uint64_t global_memory = 0;
  // As the driver says; what plans use of them stands in `limits`.
  std::size_t reported_group_size = 1;
  std::uint64_t reported_local_memory = 0;
  DeviceLimits limits;
};

// A computing device. Cheap to copy: copies share the same context.
class Device {
 public:
  // The CPU, through native SIMD code and all hardware threads (or TWIDDLE_THREADS of them).
  [[nodiscard]] static Device host();

  // The first GPU, or the host where there is none. Never a CPU behind OpenCL.
  [[nodiscard]] static Device best();

  // The device that computes a problem soonest by what was measured of the devices, transfers included; see
  // automatic.hpp. Where the chosen one cannot be opened, the next. Throws what compare_devices throws, and DeviceError
  // where none can be opened.
  [[nodiscard]] static Device automatic(const Problem& problem);
  [[nodiscard]] static Device automatic(const Problem& problem, const AutomaticOptions& options);
  [[nodiscard]] static Device automatic(const Convolution& convolution);
  [[nodiscard]] static Device automatic(const Convolution& convolution, const AutomaticOptions& options);

  // "host", "opencl", "opencl:1", "cuda", "cuda:0". With "@" and the name of other limits, "opencl:0@mali", the device
  // simulates another one: plans keep to the smaller of both limits, and so run the kernels that the other device
  // would. Those are "nvidia-opencl", "nvidia-cuda", "small" (16 KiB of local memory, 64 work-items), "mali" (no real
  // local memory). Throws InvalidArgument for anything else, and Unsupported (naming what is available) where there is
  // no such device.
  [[nodiscard]] static Device open(std::string_view name);

  [[nodiscard]] const DeviceInfo& info() const;

  // What plans for this device go by: info().limits, the strategy, and the choices measured on the device, which are those
  // that were stored for such devices (tune.hpp) where with_choices did not say others.
  [[nodiscard]] DeviceLimits limits() const;

  // The same device, whose plans follow this strategy. Throws InvalidArgument for one that contradicts itself (validate in
  // strategy.hpp); what the device cannot do is refused by the plans.
  [[nodiscard]] Device with_strategy(const Strategy& strategy) const;

  // The same device with these choices instead of the stored ones; null: none.
  [[nodiscard]] Device with_choices(std::shared_ptr<const plan::ChoiceTable> choices) const;

  // Waits until everything submitted to this device has finished.
  void synchronize() const;

  [[nodiscard]] backend::Engine& engine() const { return *engine_; }
  explicit Device(std::shared_ptr<backend::Engine> engine) : engine_(std::move(engine)) {}

 private:
  std::shared_ptr<backend::Engine> engine_;
  std::optional<std::shared_ptr<const plan::ChoiceTable>> choices_;  // nothing: the stored ones
  Strategy strategy_;
};

// Every device that can be opened, host first, and for each backend that offers none the reason why.
struct DeviceList {
  std::vector<DeviceInfo> devices;
  struct Absence {
    BackendKind backend;
    std::string reason;
  };
  std::vector<Absence> absences;
};
[[nodiscard]] DeviceList list_devices();

[[nodiscard]] std::string_view to_string(BackendKind kind);
// The name under which Device::open finds the device: "opencl:0", "opencl:0@mali".
[[nodiscard]] std::string device_name(const DeviceInfo& info);

}  // namespace twiddle
