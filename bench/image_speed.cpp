// Image convolution on the host: every variant beside OpenCV's filter2D, taking turns in one run.
#include <fmt/format.h>
#include <tbb/info.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <random>

#include "measurement.hpp"
#include "twiddle/convolution_plan.hpp"
#include "twiddle/error.hpp"
#include "twiddle/image_convolution_plan.hpp"

namespace {

using namespace twiddle;
using Variant = ImageConvolution::Variant;

constexpr Variant variants[] = {Variant::reference, Variant::addressed, Variant::vectors,
                                Variant::blocked,   Variant::separable, Variant::automatic};

double milliseconds(const std::function<void()>& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

template <class Sample>
void measure(const std::string& name, const ImageFormat& format, std::size_t rounds) {
  const ImageKernel kernel = parse_image_kernel(name);
  const std::size_t count = format.height * format.width * format.channels;
  std::vector<Sample> image(count);
  std::vector<Sample> result(count);
  std::mt19937 generator(1);
  for (Sample& sample : image) sample = static_cast<Sample>(generator());

  std::vector<std::function<void()>> actions;
  std::vector<std::string> names;
  for (const Variant variant : variants) {
    try {
      auto plan = std::make_shared<ImageConvolutionPlan>(
          Device::host(), ImageConvolution{.kernel = kernel, .correlate = true, .variant = variant}, format);
      actions.emplace_back([plan, &image, &result] { plan->execute(image, result); });
      names.emplace_back(variant == Variant::automatic ? plan->describe() : std::string(to_string(variant)));
    } catch (const InvalidArgument&) {
      // A kernel that is not separable.
    }
  }
  const int depth = format.bits == 8 ? CV_8U : CV_16U;
  const auto rows = static_cast<int>(format.height);
  const auto columns = static_cast<int>(format.width);
  const cv::Mat from(rows, columns, CV_MAKETYPE(depth, static_cast<int>(format.channels)), image.data());
  cv::Mat to;
  double sum = 0;
  for (const double weight : kernel.weights) sum += weight;
  cv::Mat weights(static_cast<int>(kernel.height), static_cast<int>(kernel.width), CV_32F);
  for (std::size_t i = 0; i < kernel.weights.size(); ++i) {
    weights.ptr<float>()[i] = static_cast<float>(kernel.weights[i] / (sum == 0 ? 1 : sum));
  }
  actions.emplace_back([&] { cv::filter2D(from, to, -1, weights, {-1, -1}, 0, cv::BORDER_REFLECT); });
  names.emplace_back("OpenCV " CV_VERSION " filter2D");

  std::vector<std::vector<double>> times(actions.size());
  for (std::size_t round = 0; round <= rounds; ++round) {
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const bool slow = i < 2 && round > 1;  // the first two variants need no precision
      if (slow) continue;
      const double time = milliseconds(actions[i]);
      if (round > 0) times[i].push_back(time);
    }
  }
  const double peer = bench::median(times.back());
  fmt::print("{} on {} x {}, {} channels, {} bits\n", name, format.width, format.height, format.channels, format.bits);
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const double time = bench::median(times[i]);
    fmt::print("  {:<62} {:9.3f} ms   x {:.2f}\n", names[i], time, peer / time);
  }
}

// A plane of floats with a kernel of random numbers, by the method that is chosen.
void measure_floats(std::size_t height, std::size_t width, std::size_t kernel, std::size_t rounds) {
  using bench::make_input;
  const std::vector<float> image = make_input<float>(height * width, 1);
  std::vector<float> weights = make_input<float>(kernel * kernel, 2);
  std::vector<float> result(image.size());
  cv::Mat to;
  const auto mat = [](const std::vector<float>& values, std::size_t rows, std::size_t columns) {
    return cv::Mat(static_cast<int>(rows), static_cast<int>(columns), CV_32F, const_cast<float*>(values.data()));
  };
  const cv::Mat from = mat(image, height, width);
  const cv::Mat filter = mat(weights, kernel, kernel);
  ConvolutionPlan plan(Device::host(), {.signal_lengths = {height, width},
                                        .kernel_lengths = {kernel, kernel},
                                        .operation = Convolution::Operation::correlate,
                                        .mode = Convolution::Mode::same,
                                        .boundary = Boundary::reflect});
  plan.set_filters(weights);
  std::vector<double> ours, theirs;
  for (std::size_t round = 0; round <= rounds; ++round) {
    const double our = milliseconds([&] { plan.execute(image, result); });
    const double their = milliseconds([&] { cv::filter2D(from, to, -1, filter, {-1, -1}, 0, cv::BORDER_REFLECT); });
    if (round == 0) continue;
    ours.push_back(our);
    theirs.push_back(their);
  }
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double other = to.ptr<float>()[i];
    difference += (result[i] - other) * (result[i] - other);
    norm += other * other;
  }
  const std::string text = plan.describe();
  const std::size_t begin = text.find("method: ") + 8;
  fmt::print("floats, {} x {} with {} x {}: {} {:.3f} ms, OpenCV {} filter2D {:.3f} ms, x {:.2f}, difference {:.1e}\n",
             width, height, kernel, kernel, text.substr(begin, text.find(',', begin) - begin), bench::median(ours),
             CV_VERSION, bench::median(theirs), bench::median(theirs) / bench::median(ours),
             std::sqrt(difference / norm));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Image convolution on the host beside OpenCV's filter2D");
  std::vector<std::string> kernels = {"sharpen", "smooth", "sobel-x", "smooth5", "gaussian5"};
  std::vector<std::size_t> size = {2048, 2048};
  std::size_t channels = 3;
  unsigned bits = 8;
  std::size_t rounds = 9;
  std::vector<std::size_t> floats;
  app.add_option("--kernels", kernels, "Names or rows of numbers");
  app.add_option("--size", size, "Height and width")->expected(2);
  app.add_option("--channels", channels, "1 to 4");
  app.add_option("--bits", bits, "8 or 16");
  app.add_option("--floats", floats, "Instead: planes of floats with square kernels of these sides");
  app.add_option("--rounds", rounds, "Measurements of each, taking turns");
  CLI11_PARSE(app, argc, argv);
  try {
    const char* threads = std::getenv("TWIDDLE_THREADS");
    cv::setNumThreads(threads != nullptr ? std::atoi(threads) : tbb::info::default_concurrency());
    const ImageFormat format{size[0], size[1], channels, bits, false};
    for (const std::size_t side : floats) measure_floats(size[0], size[1], side, rounds);
    if (!floats.empty()) return 0;
    for (const std::string& kernel : kernels) {
      if (bits == 8) measure<std::uint8_t>(kernel, format, rounds);
      if (bits == 16) measure<std::uint16_t>(kernel, format, rounds);
    }
  } catch (const std::exception& error) {
    std::cerr << "image_speed: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
