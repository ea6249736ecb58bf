// The ladder of image convolution: from the definition up, over the size of the picture.
#include <fmt/format.h>

#include <memory>

#include "samples.hpp"
#include "studies.hpp"
#include "turns.hpp"
#include "twiddle/error.hpp"
#include "twiddle/image_convolution_plan.hpp"

namespace twiddle::studies {
namespace {

using Variant = ImageConvolution::Variant;

constexpr Variant ladder[] = {Variant::reference, Variant::addressed, Variant::vectors, Variant::blocked,
                              Variant::separable};

struct Picture {
  const char* part;
  const char* kernel;
};
constexpr Picture pictures[] = {{"3x3 sharpen, RGB", "sharpen"}, {"5x5 Gaussian, RGB", "gaussian5"}};

std::vector<std::uint8_t> random_samples(std::size_t count) {
  std::vector<std::uint8_t> samples(count);
  const std::vector<float> values = random_floats(count);
  for (std::size_t i = 0; i < count; ++i) samples[i] = static_cast<std::uint8_t>(127.5F * (values[i] + 1));
  return samples;
}

Turns::Work picture_work(const Device& device, const ImageConvolution& convolution, const ImageFormat& format,
                         const std::vector<std::uint8_t>& image, const std::vector<std::uint8_t>& expected) {
  std::shared_ptr<const ImageConvolutionPlan> plan;
  try {
    plan = std::make_shared<const ImageConvolutionPlan>(device, convolution, format);
  } catch (const InvalidArgument& error) {
    throw Unsupported(error.what());  // a kernel that is not separable
  }
  auto input = std::make_shared<Buffer>(device, image.size());
  auto output = std::make_shared<Buffer>(device, image.size());
  input->write(image);
  plan->execute(*input, *output);
  std::vector<std::uint8_t> result(image.size());
  output->read(result);
  if (result != expected) throw DeviceError(fmt::format("{}: other samples than the definition's", wrong_result));
  return [plan, input, output] { plan->execute(*input, *output); };
}

std::vector<Trial> trials(const Setting& setting) {
  std::vector<Trial> result;
  for (const Picture& picture : pictures) {
    for (std::size_t side = 32; side <= (setting.quick ? 512U : 4096U); side *= setting.quick ? 4 : 2) {
      result.push_back({picture.part, static_cast<double>(side)});
    }
  }
  return result;
}

std::vector<Sample> measure(const Setting& setting, const Trial& trial) {
  const auto side = static_cast<std::size_t>(trial.x);
  const char* kernel = trial.part == pictures[0].part ? pictures[0].kernel : pictures[1].kernel;
  ImageConvolution convolution{.kernel = parse_image_kernel(kernel)};
  const ImageFormat format{.height = side, .width = side, .channels = 3};
  const std::vector<std::uint8_t> image = random_samples(3 * side * side);
  std::vector<std::uint8_t> expected(image.size());
  convolution.variant = Variant::addressed;
  ImageConvolutionPlan(Device::host(), convolution, format).execute(image, expected);
  Turns turns(setting, trial);
  for (const Variant variant : ladder) {
    convolution.variant = variant;
    turns.add(std::string(to_string(variant)),
              [&] { return picture_work(setting.device, convolution, format, image, expected); });
  }
  return turns.measure();
}

std::vector<Comparison> comparisons(const Samples& samples) {
  std::vector<Comparison> result;
  for (const Picture& picture : pictures) {
    for (std::size_t i = 1; i < std::size(ladder); ++i) {
      const auto gains =
          ratios(samples, picture.part, std::string(to_string(ladder[0])), std::string(to_string(ladder[i])));
      if (gains.empty()) continue;
      result.push_back({fmt::format("{}: times as fast as the definition, {}", picture.part, to_string(ladder[i])),
                        "the steps, no figures", range_text(gains)});
    }
  }
  return result;
}

std::string reading(const Samples& samples) {
  std::string text;
  for (const std::string& part : parts_of(samples)) {
    const std::vector<double> sides = xs_of(samples, part);
    const Sample* const best = sides.empty() ? nullptr : fastest(samples, part, sides.back());
    if (best == nullptr) continue;
    const auto reference = time_of(samples, part, best->x, std::string(to_string(Variant::reference)));
    text += fmt::format("{}{}: '{}' is the fastest at {:.0f} x {:.0f} pixels{}", text.empty() ? "" : "; ", part,
                        best->series, best->x, best->x,
                        reference ? fmt::format(", {} times as fast as the definition",
                                                number_text(*reference / best->microseconds.median))
                                  : "");
  }
  return text.empty() ? "Nothing could be measured." : text + ".";
}

}  // namespace

Study image_convolution_study() {
  return {.name = "image-convolution",
          .title = "The ladder of image convolution",
          .shows =
              "Time of one picture of 8-bit RGB through a small kernel, on memory of the device. Each way adds a step "
              "to the one before: addresses computed once, vectors and saturating conversion, several pixels an "
              "item, two passes.",
          .source = "Image convolution with a small kernel on an embedded GPU",
          .quantity = "one picture",
          .x_name = "pixels a side",
          .trials = trials,
          .measure = measure,
          .comparisons = comparisons,
          .reading = reading};
}

}  // namespace twiddle::studies
