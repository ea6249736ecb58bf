// Image convolution: checks, the choice of a variant, and the spreading over threads.
#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "apps/image_arithmetic.hpp"
#include "apps/image_device.hpp"
#include "apps/image_host.hpp"
#include "backend/host/settings.hpp"
#include "plan/device/limits.hpp"
#include "twiddle/error.hpp"
#include "twiddle/image_convolution_plan.hpp"

namespace twiddle {
namespace {

using apps::ImageArithmetic;
using Variant = ImageConvolution::Variant;

// Products that are worth another thread, and rows of a piece of work: those around it are laid out twice.
constexpr std::size_t products_worth_a_thread = 200000;
constexpr std::size_t rows_of_piece = 32;

void validate(const ImageKernel& kernel) {
  if (kernel.height % 2 == 0 || kernel.width % 2 == 0) {
    throw InvalidArgument(fmt::format("a kernel of {} x {} weights has no centre; expected odd height and width",
                                      kernel.height, kernel.width));
  }
  if (kernel.height > 4095 || kernel.width > 4095 || kernel.weights.size() != kernel.height * kernel.width) {
    throw InvalidArgument(fmt::format("a kernel of {} x {} has {} weights; expected {}, and at most 4095 x 4095",
                                      kernel.height, kernel.width, kernel.weights.size(),
                                      kernel.height * kernel.width));
  }
}

void validate_number(const char* what, double value) {
  if (std::abs(value) <= 1e9) return;  // false for what is not a number
  throw InvalidArgument(fmt::format("the {} is {}; expected a number between -1e9 and 1e9", what, value));
}

void validate(const ImageConvolution& convolution, const ImageFormat& format) {
  validate(convolution.kernel);
  for (const double weight : convolution.kernel.weights) validate_number("weight", weight);
  validate_number("offset", convolution.offset);
  validate_number("scale", convolution.scale.value_or(0));
  if (format.height == 0 || format.width == 0 || format.channels < 1 || format.channels > 4 ||
      (format.bits != 8 && format.bits != 16)) {
    throw InvalidArgument(
        fmt::format("an image of {} x {} pixels, {} channels, {} bits; expected at least 1 x 1, 1 to 4 channels, 8 or "
                    "16 bits",
                    format.width, format.height, format.channels, format.bits));
  }
  constexpr std::size_t most = std::size_t{1} << 40;
  if (format.height > most / format.width || format.width > (std::size_t{1} << 28)) {
    throw InvalidArgument(
        fmt::format("an image of {} x {} pixels is more than can be held; expected at most 2^40 pixels "
                    "and 2^28 in a row",
                    format.width, format.height));
  }
}

std::size_t nonzero_weights(const std::vector<double>& weights) {
  return weights.size() - static_cast<std::size_t>(std::count(weights.begin(), weights.end(), 0.0));
}

// Two passes move every sum through the cache once more, which costs as much as these weights; on a GPU through its
// memory, and a launch besides (docs/images.md).
std::size_t cost_of_pass(const Device& device) {
  const bool on_cpu = device.info().backend == BackendKind::host || plan::is_like_cpu(device.limits());
  return on_cpu ? 4 : 16;
}

Variant choose_variant(const apps::Window& window, const std::optional<apps::Separation>& separation,
                       const Device& device) {
  if (!separation) return Variant::blocked;
  const std::size_t weights = nonzero_weights(separation->column) + nonzero_weights(separation->row);
  const std::size_t separable = weights + cost_of_pass(device);
  return separable < nonzero_weights(window.weights) ? Variant::separable : Variant::blocked;
}

std::string_view sums_name(ImageArithmetic::Sums sums) {
  switch (sums) {
    case ImageArithmetic::Sums::short_integers:
      return "16 bits";
    case ImageArithmetic::Sums::floats:
      return "single precision";
    case ImageArithmetic::Sums::doubles:
      break;
  }
  return "double precision";
}

}  // namespace

struct ImageConvolutionPlan::Implementation {
  explicit Implementation(Device on) : device(std::move(on)) {}

  Device device;
  apps::ImageTask task{};
  std::unique_ptr<apps::ImageWorker<std::uint8_t>> worker8;
  std::unique_ptr<apps::ImageWorker<std::uint16_t>> worker16;
  std::unique_ptr<apps::ImageDeviceWorker> on_device;  // instead of these, on other devices than the host
  mutable tbb::task_arena arena{};

  template <class Sample>
  void execute(const std::unique_ptr<apps::ImageWorker<Sample>>& worker, std::span<const Sample> image,
               std::span<Sample> result) const {
    const ImageFormat& format = task.format;
    const std::size_t row = format.width * format.channels;
    if (format.bits != 8 * sizeof(Sample)) {
      throw InvalidArgument(
          fmt::format("the samples have {} bits; the plan is for {}", 8 * sizeof(Sample), format.bits));
    }
    if (image.size() != row * format.height || result.size() != row * format.height) {
      throw InvalidArgument(fmt::format("image and result hold {} and {} samples; expected {} ({} x {}, {} channels)",
                                        image.size(), result.size(), row * format.height, format.width, format.height,
                                        format.channels));
    }
    const std::less<const Sample*> before;
    if (before(image.data(), result.data() + result.size()) && before(result.data(), image.data() + image.size())) {
      throw InvalidArgument(
          "image and result overlap; neighbours are read after they would be overwritten: give other "
          "memory for the result");
    }
    if (on_device) return on_device->run_on_host(image.data(), result.data());
    run(*worker, image.data(), result.data());
  }

  template <class Sample>
  void run(const apps::ImageWorker<Sample>& worker, const Sample* image, Sample* result) const {
    const ImageFormat& format = task.format;
    const std::size_t row = format.width * format.channels;
    if (row * format.height * task.window.weights.size() < products_worth_a_thread || arena.max_concurrency() == 1) {
      return worker.run(image, result, 0, format.height);
    }
    arena.execute([&] {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, format.height, rows_of_piece),
                        [&](const auto& rows) { worker.run(image, result, rows.begin(), rows.end()); });
    });
  }
};

ImageConvolutionPlan::ImageConvolutionPlan(Device device, ImageConvolution convolution, ImageFormat format)
    : implementation_(std::make_unique<Implementation>(std::move(device))) {
  validate(convolution, format);
  apps::ImageTask& task = implementation_->task;
  task.format = format;
  task.boundary = convolution.boundary;
  task.window = apps::make_window(convolution);
  task.separation = apps::separate(task.window);
  task.arithmetic =
      apps::choose_arithmetic(task.window, apps::effective_scale(convolution), convolution.offset, format.bits);
  task.variant = convolution.variant;
  if (task.variant == Variant::automatic) {
    task.variant = choose_variant(task.window, task.separation, implementation_->device);
  }
  if (task.variant == Variant::separable && !task.separation) {
    throw InvalidArgument(
        fmt::format("the kernel '{}' is not separable: it is not the product of a column and a row; "
                    "leave the variant to be chosen",
                    to_string(convolution.kernel)));
  }
  if (implementation_->device.info().backend != BackendKind::host) {
    implementation_->on_device = std::make_unique<apps::ImageDeviceWorker>(
        implementation_->device, task, apps::effective_scale(convolution), convolution.offset);
    return;
  }
  const std::int64_t targets = backend::host::simd_targets();
  if (format.bits == 8) {
    implementation_->worker8 = apps::make_image_worker<std::uint8_t>(task, targets);
  } else {
    implementation_->worker16 = apps::make_image_worker<std::uint16_t>(task, targets);
  }
  implementation_->arena.initialize(static_cast<int>(backend::host::thread_count()));
}

ImageConvolutionPlan::~ImageConvolutionPlan() = default;
ImageConvolutionPlan::ImageConvolutionPlan(ImageConvolutionPlan&&) noexcept = default;
ImageConvolutionPlan& ImageConvolutionPlan::operator=(ImageConvolutionPlan&&) noexcept = default;

void ImageConvolutionPlan::execute(std::span<const std::uint8_t> image, std::span<std::uint8_t> result) const {
  implementation_->execute(implementation_->worker8, image, result);
}

void ImageConvolutionPlan::execute(std::span<const std::uint16_t> image, std::span<std::uint16_t> result) const {
  implementation_->execute(implementation_->worker16, image, result);
}

void ImageConvolutionPlan::execute(const Buffer& image, Buffer& result) const {
  const ImageFormat& format = implementation_->task.format;
  const std::size_t bytes = format.height * format.width * format.channels * (format.bits / 8);
  if (image.size_bytes() != bytes || result.size_bytes() != bytes || &image == &result) {
    throw InvalidArgument(fmt::format("image and result are {} of {} and {} bytes; expected two of {} each",
                                      &image == &result ? "one buffer" : "buffers", image.size_bytes(),
                                      result.size_bytes(), bytes));
  }
  const backend::Engine* const engine = &implementation_->device.engine();
  if (&image.device().engine() != engine || &result.device().engine() != engine) {
    throw InvalidArgument(fmt::format("a buffer of another device was given to a plan for {}",
                                      device_name(implementation_->device.info())));
  }
  if (implementation_->on_device) return implementation_->on_device->run(image.memory(), result.memory());
  const std::byte* const from = image.memory().host_pointer();
  std::byte* const to = result.memory().host_pointer();
  if (format.bits == 8) {
    implementation_->run(*implementation_->worker8, reinterpret_cast<const std::uint8_t*>(from),
                         reinterpret_cast<std::uint8_t*>(to));
  } else {
    implementation_->run(*implementation_->worker16, reinterpret_cast<const std::uint16_t*>(from),
                         reinterpret_cast<std::uint16_t*>(to));
  }
}

std::string ImageConvolutionPlan::describe() const {
  const apps::ImageTask& task = implementation_->task;
  const std::size_t weights = nonzero_weights(task.window.weights);
  std::string text = fmt::format("{}x{}, {} of {} weights", task.window.height, task.window.width, weights,
                                 task.window.weights.size());
  if (task.variant == Variant::separable) {
    text += fmt::format(" as {} + {}", nonzero_weights(task.separation->column), nonzero_weights(task.separation->row));
  }
  if (implementation_->on_device) return fmt::format("{}, {}", text, to_string(task.variant));
  const bool in_definition = task.variant == Variant::reference;
  return fmt::format("{}, sums in {}, {}", text,
                     in_definition ? sums_name(ImageArithmetic::Sums::doubles) : sums_name(task.arithmetic.sums),
                     to_string(task.variant));
}

std::string_view to_string(ImageConvolution::Variant variant) {
  switch (variant) {
    case Variant::automatic:
      return "automatic";
    case Variant::reference:
      return "reference";
    case Variant::addressed:
      return "addressed";
    case Variant::vectors:
      return "vectors";
    case Variant::blocked:
      return "blocked";
    case Variant::separable:
      return "separable";
  }
  throw InvalidArgument(fmt::format("image variant is {}; expected 0..5", static_cast<int>(variant)));
}

}  // namespace twiddle
