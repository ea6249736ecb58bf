// Image convolution on devices with work-items.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "apps/image_host.hpp"
#include "backend/engine.hpp"
#include "run/memory_pool.hpp"
#include "twiddle/device.hpp"

namespace twiddle::apps {

// May run in several threads at once.
class ImageDeviceWorker {
 public:
  // `scale` is positive. Throws Unsupported for what the device's kernels cannot hold.
  ImageDeviceWorker(const Device& device, const ImageTask& task, double scale, double offset);

  // Submits the work; the memories are of the device and hold whole images.
  void run(backend::Memory& image, backend::Memory& result) const;

  // The same on host memory, by way of the device's; returns when the result is there.
  void run_on_host(const void* image, void* result) const;

 private:
  Device device_;
  std::size_t image_bytes_;
  std::size_t scratch_bytes_ = 0;  // 0: none
  std::unique_ptr<run::MemoryPool> pool_;
  std::vector<std::shared_ptr<const backend::Executable>> passes_;
};

}  // namespace twiddle::apps
