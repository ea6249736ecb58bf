// Memory of a device.
#include "twiddle/buffer.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "backend/engine.hpp"
#include "twiddle/error.hpp"

namespace twiddle {
namespace {

constexpr std::size_t largest_count = std::numeric_limits<std::size_t>::max() / sizeof(std::complex<float>);

std::unique_ptr<backend::Memory> allocate(const Device& device, std::size_t count) {
  if (count == 0 || count > largest_count) {
    throw InvalidArgument(
        fmt::format("buffer of {} elements asked for; expected at least 1 and at most {}", count, largest_count));
  }
  return device.engine().allocate(count);
}

void check_span(std::size_t span_size, std::size_t buffer_size) {
  if (span_size != buffer_size) {
    throw InvalidArgument(
        fmt::format("span holds {} elements; expected {}, the size of the buffer", span_size, buffer_size));
  }
}

}  // namespace

Buffer::Buffer(Device device, std::size_t count)
    : device_(std::move(device)), count_(count), memory_(allocate(device_, count)) {}
Buffer::~Buffer() = default;
Buffer::Buffer(Buffer&&) noexcept = default;
Buffer& Buffer::operator=(Buffer&& other) noexcept {
  memory_ = std::move(other.memory_);  // first: the old memory must go before its device does
  device_ = std::move(other.device_);
  count_ = other.count_;
  return *this;
}

void Buffer::write(std::span<const std::complex<float>> source) {
  check_span(source.size(), count_);
  memory_->write(source.data(), count_);
}

void Buffer::read(std::span<std::complex<float>> destination) const {
  check_span(destination.size(), count_);
  memory_->read(destination.data(), count_);
}

}  // namespace twiddle
