// A picture through a small kernel: channels interleaved, convolved, taken apart again. Alpha stays as it is.
#include "convolve_picture.hpp"

#include <fmt/format.h>

#include "image.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "twiddle/image_convolution_plan.hpp"

namespace twiddle::tool {
namespace {

template <class Sample>
std::vector<Sample> interleave(const Image& image) {
  const std::size_t channels = image.channels.size();
  std::vector<Sample> samples(image.pixels() * channels);
  for (std::size_t channel = 0; channel < channels; ++channel) {
    for (std::size_t i = 0; i < image.pixels(); ++i) {
      samples[i * channels + channel] = static_cast<Sample>(image.channels[channel][i]);
    }
  }
  return samples;
}

template <class Sample>
void convolve_samples(const ImageConvolutionPlan& plan, Image& image, Report& report) {
  const std::vector<Sample> samples = report.timed("samples", [&] { return interleave<Sample>(image); });
  std::vector<Sample> result(samples.size());
  report.timed("convolve", [&] { plan.execute(samples, result); });
  report.timed("channels", [&] {
    const std::size_t channels = image.channels.size();
    for (std::size_t i = 0; i < result.size(); ++i) image.channels[i % channels][i / channels] = result[i];
  });
}

}  // namespace

void convolve_picture(const PictureConvolutionOptions& options) {
  const ImageConvolution convolution{.kernel = parse_image_kernel(options.kernel),
                                     .scale = options.scale,
                                     .offset = options.offset,
                                     .boundary = options.boundary,
                                     .correlate = options.correlate,
                                     .variant = options.variant};
  check_image_name(options.output);
  Report report;
  Progress progress(3);
  progress.step("reading " + options.input);
  Image image = report.timed("read picture", [&] { return read_image(options.input); });
  progress.step("convolving");
  // Unless told otherwise on the host: moving a picture to a device takes longer than this.
  const Device device = report.timed("open device", [&] {
    const std::string& name = options.compute.device;
    return name.empty() || is_automatic(name) ? Device::host() : open_device(name);
  });
  const ImageFormat format{image.height, image.width, image.channels.size(), image.depth, false};
  const ImageConvolutionPlan plan =
      report.timed("plan", [&] { return ImageConvolutionPlan(device, convolution, format); });
  if (image.depth == 8) {
    convolve_samples<std::uint8_t>(plan, image, report);
  } else {
    convolve_samples<std::uint16_t>(plan, image, report);
  }
  progress.step("writing " + options.output);
  const std::string note = report.timed("write picture", [&] { return write_image(options.output, image); });
  progress.finish();

  if (!note.empty()) fmt::print(stderr, "twiddle: note: {}\n", note);
  if (options.compute.json) {
    return print_json({{"input", options.input},
                       {"output", options.output},
                       {"kernel", to_string(convolution.kernel)},
                       {"boundary", to_string(convolution.boundary)},
                       {"method", plan.describe()},
                       {"height", image.height},
                       {"width", image.width},
                       {"channels", image.channels.size()},
                       {"bits_per_sample", image.depth},
                       {"device", summary_json(device.info())},
                       {"steps", report.json()},
                       {"total_milliseconds", report.total_milliseconds()}});
  }
  fmt::print("{}: {} of {} ({}), {}, on {}\n", options.output, options.kernel, options.input, describe(image),
             plan.describe(), describe(device.info()));
  if (options.compute.profile) fmt::print("{}", report.table());
}

}  // namespace twiddle::tool
