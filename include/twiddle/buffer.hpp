// Memory of a device, holding complex single-precision elements.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <span>

#include "twiddle/device.hpp"

namespace twiddle {

namespace backend {
class Memory;
}

// Owns `count` complex elements on `device`. Movable, not copyable; freed on destruction. The contents start undefined.
// Throws InvalidArgument for a count of 0 and DeviceError where the device has no room.
class Buffer {
 public:
  Buffer(Device device, std::size_t count);
  ~Buffer();
  Buffer(Buffer&&) noexcept;
  Buffer& operator=(Buffer&&) noexcept;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] const Device& device() const { return device_; }

  // Copies from or to host memory, and waits for it. The span must hold exactly size() elements (InvalidArgument).
  void write(std::span<const std::complex<float>> source);
  void read(std::span<std::complex<float>> destination) const;

  [[nodiscard]] backend::Memory& memory() const { return *memory_; }

 private:
  Device device_;
  std::size_t count_;
  std::unique_ptr<backend::Memory> memory_;
};

}  // namespace twiddle
