// Image convolution on the CPU: bands of rows, each laid out with its surroundings and summed by one of the variants.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "apps/image_arithmetic.hpp"
#include "twiddle/image_convolution.hpp"

namespace twiddle::apps {

// What a worker needs to know. `variant` is not automatic.
struct ImageTask {
  ImageFormat format;
  Boundary boundary = Boundary::reflect;
  Window window;
  std::optional<Separation> separation;  // for Variant::separable
  ImageArithmetic arithmetic;
  ImageConvolution::Variant variant = ImageConvolution::Variant::blocked;
};

// Immutable; rows may be made by several threads at once.
template <class Sample>
class ImageWorker {
 public:
  virtual ~ImageWorker() = default;
  // Makes rows first_row <= row < last_row of the result. `image` and `result` are whole images.
  virtual void run(const Sample* image, Sample* result, std::size_t first_row, std::size_t last_row) const = 0;
};

// `targets`: SIMD instruction sets to choose from. Sample: std::uint8_t or std::uint16_t, as the task's format says.
template <class Sample>
[[nodiscard]] std::unique_ptr<ImageWorker<Sample>> make_image_worker(const ImageTask& task, std::int64_t targets);

}  // namespace twiddle::apps
