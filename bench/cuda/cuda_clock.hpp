// Events and copies on a CUDA stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "twiddle/cuda.hpp"

namespace twiddle::bench {

class CudaClock {
 public:
  // The device's own stream is timed. Throws DeviceError where the driver refuses.
  explicit CudaClock(const Device& device);
  ~CudaClock();
  CudaClock(const CudaClock&) = delete;
  CudaClock& operator=(const CudaClock&) = delete;

  // Milliseconds that the device takes for what `work` submits to the stream.
  [[nodiscard]] double milliseconds(const std::function<void()>& work);
  // Calls what needs the device's context to be current.
  void in_context(const std::function<void()>& work);
  void copy(std::uint64_t destination, std::uint64_t source, std::size_t bytes);

  // Bytes read plus bytes written per second, in 1e9, of copies between the two: the median of `rounds`.
  [[nodiscard]] double copy_rate(std::uint64_t destination, std::uint64_t source, std::size_t bytes,
                                 std::size_t rounds);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace twiddle::bench
