// Memory of a device.
#include "twiddle/buffer.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "backend/engine.hpp"
#include "twiddle/error.hpp"

namespace twiddle {
namespace {

std::unique_ptr<backend::Memory> allocate(const Device& device, std::size_t size_bytes) {
  constexpr std::size_t most = std::numeric_limits<std::ptrdiff_t>::max();
  if (size_bytes == 0 || size_bytes > most) {
    throw InvalidArgument(
        fmt::format("buffer of {} bytes asked for; expected at least 1 and at most {}", size_bytes, most));
  }
  return device.engine().allocate(size_bytes);
}

void check_span(std::size_t span_bytes, std::size_t buffer_bytes) {
  if (span_bytes != buffer_bytes) {
    throw InvalidArgument(
        fmt::format("span holds {} bytes; expected {}, the size of the buffer", span_bytes, buffer_bytes));
  }
}

}  // namespace

Buffer::Buffer(Device device, std::size_t size_bytes)
    : device_(std::move(device)), size_bytes_(size_bytes), memory_(allocate(device_, size_bytes)) {}
Buffer::Buffer(Device device, std::size_t size_bytes, std::unique_ptr<backend::Memory> memory)
    : device_(std::move(device)), size_bytes_(size_bytes), memory_(std::move(memory)) {}
Buffer::~Buffer() = default;
Buffer::Buffer(Buffer&&) noexcept = default;
Buffer& Buffer::operator=(Buffer&& other) noexcept {
  memory_ = std::move(other.memory_);  // first: the old memory must go before its device does
  device_ = std::move(other.device_);
  size_bytes_ = other.size_bytes_;
  return *this;
}

void Buffer::write_bytes(std::span<const std::byte> source) {
  check_span(source.size(), size_bytes_);
  memory_->write(source.data(), size_bytes_);
}

void Buffer::read_bytes(std::span<std::byte> destination) const {
  check_span(destination.size(), size_bytes_);
  memory_->read(destination.data(), size_bytes_);
}

}  // namespace twiddle
