// An engine of its own, whose limits leave dependent launches out.
#include "serial_launches.hpp"

#include <fmt/format.h>

#include <optional>

#include "backend/cuda/cuda_devices.hpp"
#include "backend/cuda/cuda_engine.hpp"
#include "backend/cuda/cuda_error.hpp"
#include "backend/cuda/cuda_loader.hpp"
#include "plan_contender.hpp"

namespace twiddle::bench {
namespace {

class SerialLaunches : public CudaPeer {
 public:
  SerialLaunches() : CudaPeer("serial") {}
  [[nodiscard]] std::string version() const override { return "twiddle, each kernel after the end of the one before"; }
  [[nodiscard]] std::unique_ptr<Contender> plan(const Transform& transform, const CudaPlace& place) override {
    if (!device_) {
      int ordinal = 0;
      TWIDDLE_CHECK_CUDA("looking up the memory of a contest", cuPointerGetAttribute, &ordinal,
                         backend::cuda::pointer_device_ordinal, place.pointer);
      device_ = with_serial_launches(Device::open(fmt::format("cuda:{}", ordinal)));
    }
    return make_plan_contender(*device_, transform, place);
  }

 private:
  std::optional<Device> device_;
};

}  // namespace

Device with_serial_launches(const Device& device) {
  backend::CudaDevice serial = backend::find_cuda_devices().devices.at(device.info().index);
  serial.info.limits.dependent_launch = false;
  return Device(backend::make_cuda_engine(serial));
}

std::unique_ptr<CudaPeer> open_serial_launches() { return std::make_unique<SerialLaunches>(); }

}  // namespace twiddle::bench
