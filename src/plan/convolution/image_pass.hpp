// One kernel of an image convolution on a device with work-items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan/lower/stage.hpp"
#include "twiddle/image_convolution.hpp"

namespace twiddle::plan {

// What is multiplied with the neighbours of a sample, as it lies over the picture: row i stands height/2 - i rows
// above.
struct Window {
  std::size_t height = 1;
  std::size_t width = 1;
  std::vector<double> weights{};
  bool operator==(const Window&) const = default;
};

struct ImagePass {
  // A separable window takes two passes: columns (height x 1) leave sums in scratch memory, rows (1 x width) take them
  // up.
  enum class Part { whole, columns, rows };
  enum class Sums { integers, wide_integers, floats, doubles };

  ImageFormat format{};
  Boundary boundary = Boundary::reflect;
  ImageConvolution::Variant variant = ImageConvolution::Variant::blocked;
  Part part = Part::whole;
  Window window{};
  Sums sums = Sums::integers;
  double scale = 1;  // positive; whole where sums are integers, as is the offset
  double offset = 0;
  Operand source = Operand::input;
  Operand destination = Operand::output;
  bool dependent_launch = false;  // as KernelShape's
  bool operator==(const ImagePass&) const = default;
};

// Bytes of a sum in scratch memory.
[[nodiscard]] inline std::size_t sum_bytes(ImagePass::Sums sums) {
  return sums == ImagePass::Sums::wide_integers || sums == ImagePass::Sums::doubles ? 8 : 4;
}

// The same launch as engines know it from stages: operands and precision, and for messages rows and samples of a row.
[[nodiscard]] inline Stage launch_of(const ImagePass& pass) {
  Stage stage;
  stage.source = pass.source;
  stage.destination = pass.destination;
  stage.precision = pass.sums == ImagePass::Sums::doubles ? Precision::float64 : Precision::float32;
  stage.loops = {{.count = pass.format.height}, {.count = pass.format.width * pass.format.channels}};
  return stage;
}

}  // namespace twiddle::plan
