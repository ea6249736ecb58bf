// Memory of a device.
#pragma once

#include <cstddef>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>

#include "twiddle/device.hpp"
#include "twiddle/error.hpp"

namespace twiddle {

namespace backend {
class Memory;
}

// Owns `size_bytes` bytes on `device`. Movable, not copyable; freed on destruction. The contents start undefined.
// Throws InvalidArgument for a size of 0 and DeviceError where the device has no room.
class Buffer {
 public:
  Buffer(Device device, std::size_t size_bytes);
  // Takes memory of a backend's, as cuda::wrap does.
  Buffer(Device device, std::size_t size_bytes, std::unique_ptr<backend::Memory> memory);
  ~Buffer();
  Buffer(Buffer&&) noexcept;
  Buffer& operator=(Buffer&&) noexcept;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  // Room for `count` elements of type T, such as std::complex<float>.
  template <class T>
  [[nodiscard]] static Buffer of(Device device, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (count > static_cast<std::size_t>(-1) / sizeof(T)) throw InvalidArgument("a buffer larger than the address space");
    return Buffer(std::move(device), count * sizeof(T));
  }

  [[nodiscard]] std::size_t size_bytes() const { return size_bytes_; }
  [[nodiscard]] const Device& device() const { return device_; }

  // Copies from or to host memory, and waits for it. The span must be as long as the buffer (InvalidArgument).
  template <std::ranges::contiguous_range Data>
  void write(const Data& source) {
    write_bytes(std::as_bytes(std::span(source)));
  }
  template <std::ranges::contiguous_range Data>
  void read(Data&& destination) const {
    read_bytes(std::as_writable_bytes(std::span(destination)));
  }
  void write_bytes(std::span<const std::byte> source);
  void read_bytes(std::span<std::byte> destination) const;

  [[nodiscard]] backend::Memory& memory() const { return *memory_; }

 private:
  Device device_;
  std::size_t size_bytes_;
  std::unique_ptr<backend::Memory> memory_;
};

}  // namespace twiddle
