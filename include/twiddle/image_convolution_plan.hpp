// An image convolution made ready for a device.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "twiddle/buffer.hpp"
#include "twiddle/device.hpp"
#include "twiddle/image_convolution.hpp"

namespace twiddle {

// Ready to be applied to any number of images of one format. Immutable; may be used by many threads at once.
class ImageConvolutionPlan {
 public:
  // Throws InvalidArgument for kernels, scales and formats that make no sense and for Variant::separable where the
  // kernel is not; Unsupported for devices other than the host.
  ImageConvolutionPlan(Device device, ImageConvolution convolution, ImageFormat format);
  ~ImageConvolutionPlan();
  ImageConvolutionPlan(ImageConvolutionPlan&&) noexcept;
  ImageConvolutionPlan& operator=(ImageConvolutionPlan&&) noexcept;

  // Samples in host memory, height * width * channels each; the two must not overlap (InvalidArgument).
  void execute(std::span<const std::uint8_t> image, std::span<std::uint8_t> result) const;
  void execute(std::span<const std::uint16_t> image, std::span<std::uint16_t> result) const;

  // The same on buffers of the plan's device, of exactly as many bytes; returns once the work is submitted.
  void execute(const Buffer& image, Buffer& result) const;

  // What is done and why, for people, in one line: "3x3, 5 of 9 weights, sums in 16 bits, blocked".
  [[nodiscard]] std::string describe() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace twiddle
