// Image convolution on the host: every variant beside OpenCV's filter2D, taking turns in one run.
#include <fmt/format.h>
#include <tbb/info.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <random>

#include "measurement.hpp"
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

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Image convolution on the host beside OpenCV's filter2D");
  std::vector<std::string> kernels = {"sharpen", "smooth", "sobel-x", "smooth5", "gaussian5"};
  std::vector<std::size_t> size = {2048, 2048};
  std::size_t channels = 3;
  unsigned bits = 8;
  std::size_t rounds = 9;
  app.add_option("--kernels", kernels, "Names or rows of numbers");
  app.add_option("--size", size, "Height and width")->expected(2);
  app.add_option("--channels", channels, "1 to 4");
  app.add_option("--bits", bits, "8 or 16");
  app.add_option("--rounds", rounds, "Measurements of each, taking turns");
  CLI11_PARSE(app, argc, argv);
  try {
    const char* threads = std::getenv("TWIDDLE_THREADS");
    cv::setNumThreads(threads != nullptr ? std::atoi(threads) : tbb::info::default_concurrency());
    const ImageFormat format{size[0], size[1], channels, bits, false};
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
