// The passes of an image convolution on a device, and its memory.
#include "apps/image_device.hpp"

#include <algorithm>
#include <cmath>

#include "plan/convolution/image_pass.hpp"

namespace twiddle::apps {
namespace {

using plan::ImagePass;

// The least type in which sums and quotients are exact, or exact enough.
ImagePass::Sums choose_sums(const ImageTask& task, double scale, double offset) {
  if (!task.arithmetic.exact) {
    return task.arithmetic.sums == ImageArithmetic::Sums::doubles ? ImagePass::Sums::doubles : ImagePass::Sums::floats;
  }
  double magnitude = 0;
  for (const double weight : task.window.weights) magnitude += std::abs(weight);
  magnitude = magnitude * ((1U << task.format.bits) - 1) + (std::abs(offset) + 1) * scale;
  return magnitude < 0x1p31 ? ImagePass::Sums::integers : ImagePass::Sums::wide_integers;
}

}  // namespace

ImageDeviceWorker::ImageDeviceWorker(const Device& device, const ImageTask& task, double scale, double offset)
    : device_(device),
      image_bytes_(task.format.height * task.format.width * task.format.channels * (task.format.bits / 8)),
      pool_(std::make_unique<run::MemoryPool>(device_.engine())) {
  ImagePass pass{.format = task.format,
                 .boundary = task.boundary,
                 .variant = task.variant,
                 .window = task.window,
                 .sums = choose_sums(task, scale, offset),
                 .scale = scale,
                 .offset = offset,
                 .dependent_launch = device.limits().dependent_launch};
  backend::Engine& engine = device_.engine();
  if (task.variant != ImageConvolution::Variant::separable) {
    passes_.push_back(engine.compile_image(pass));
    return;
  }
  scratch_bytes_ = image_bytes_ / (task.format.bits / 8) * plan::sum_bytes(pass.sums);
  pass.part = ImagePass::Part::columns;
  pass.window = {task.window.height, 1, task.separation->column};
  pass.destination = plan::Operand::scratch;
  passes_.push_back(engine.compile_image(pass));
  pass.part = ImagePass::Part::rows;
  pass.window = {1, task.window.width, task.separation->row};
  pass.source = plan::Operand::scratch;
  pass.destination = plan::Operand::output;
  passes_.push_back(engine.compile_image(pass));
}

void ImageDeviceWorker::run(backend::Memory& image, backend::Memory& result) const {
  const auto scratch = pool_->borrow(scratch_bytes_);
  backend::Operands operands;
  operands.input = &image;
  operands.output = &result;
  operands.scratch = scratch.get();
  for (const auto& pass : passes_) pass->run(operands, nullptr);
}

void ImageDeviceWorker::run_on_host(const void* image, void* result) const {
  const auto input = pool_->borrow(image_bytes_);
  const auto output = pool_->borrow(image_bytes_);
  input.get()->write(image, image_bytes_);
  run(*input.get(), *output.get());
  output.get()->read(result, image_bytes_);
}

}  // namespace twiddle::apps
