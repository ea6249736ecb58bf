// Every method of convolution on a grid of problems, in turns: how much the one that is chosen by itself lacks, and
// what the model says that each takes. Or on problems that are named, beside overlap-save in segments of several
// lengths.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "convolution_grid.hpp"
#include "measurement.hpp"
#include "plan/convolution/convolution_recipe.hpp"
#include "twiddle/buffer.hpp"
#include "twiddle/convolution_plan.hpp"
#include "twiddle/convolution_text.hpp"
#include "twiddle/error.hpp"

namespace {

using twiddle::Buffer;
using twiddle::Convolution;
using Method = Convolution::Method;

constexpr Method compared[] = {Method::automatic, Method::direct, Method::overlap_save, Method::whole};
constexpr double too_long =
    40;  // times what the automatic choice takes: not run at all, by the fewest operations it has
constexpr double far_behind = 3;
constexpr double submitted_seconds = 1e-3;  // of executions that are submitted together
constexpr double problem_seconds = 0.2;
constexpr int fewest_rounds = 4;
constexpr int most_rounds = 25;

template <class Real>
Buffer noise_of(const twiddle::Device& device, std::size_t count) {
  Buffer buffer = Buffer::of<Real>(device, count);
  buffer.write(twiddle::bench::make_input<Real>(count, 1));
  return buffer;
}

// So many elements of the convolution's type.
Buffer noise(const twiddle::Device& device, const Convolution& convolution, std::size_t elements) {
  const std::size_t count = (convolution.complex ? 2 : 1) * elements;
  const bool wide = convolution.precision == twiddle::Precision::float64;
  return wide ? noise_of<double>(device, count) : noise_of<float>(device, count);
}

// What to measure: a grid, or problems that are named.
struct Choice {
  std::size_t most_outputs = std::size_t{1} << 22;
  std::size_t first = 0;  // of all problems that have at most so many results
  std::size_t every = 1;
  std::string grid = "all";
  std::vector<std::string> problems;
  std::vector<std::size_t> segments;  // of overlap-save, beside the length that it takes by itself
};

// A method that was forced, or the one that is taken by itself.
struct Contender {
  Method method = Method::automatic;
  std::size_t segment = 0;
  std::unique_ptr<twiddle::ConvolutionPlan> plan;  // none where the method does not serve, or is sure to take too long
  double seconds = INFINITY;                       // of an execution among others, in the fastest turn
};

class Grid {
 public:
  Grid(const twiddle::Device& device, Choice choice)
      : device_(device),
        choice_(std::move(choice)),
        operations_(device.info().backend == twiddle::BackendKind::cuda ? 1e-14 : 1e-11) {}

  void run() {
    std::string segments;
    for (const std::size_t segment : choice_.segments) segments += fmt::format("segments_of_{}_ms,", segment);
    fmt::print(
        "problem,automatic_ms,direct_ms,overlap_save_ms,whole_ms,{}regret,direct_model_ms,overlap_save_model_ms,"
        "whole_model_ms,automatic\n",
        segments);
    for (const Convolution& problem : mine()) measure(problem);
    fmt::print("{} problems, worst regret {:.2f}, {} beyond 1.3\n", count_, worst_, beyond_);
  }

  // Makes all plans, so that compiled kernels are kept for a run that times them.
  void compile() const {
    for (Convolution problem : mine()) {
      for (const Contender& contender : contenders()) {
        problem.method = contender.method;
        problem.segment = contender.segment;
        try {
          const twiddle::ConvolutionPlan plan(device_, problem);
        } catch (const twiddle::Unsupported&) {
        }
      }
    }
  }

 private:
  [[nodiscard]] std::vector<Contender> contenders() const {
    std::vector<Contender> all;
    for (const Method method : compared) all.push_back({method, 0, nullptr});
    for (const std::size_t segment : choice_.segments) all.push_back({Method::overlap_save, segment, nullptr});
    return all;
  }

  [[nodiscard]] std::vector<Convolution> problems() const {
    if (choice_.problems.empty()) return twiddle::bench::convolution_grid(choice_.grid);
    std::vector<Convolution> named;
    for (const std::string& text : choice_.problems) named.push_back(twiddle::parse_convolution(text));
    return named;
  }

  [[nodiscard]] std::vector<Convolution> mine() const {
    std::vector<Convolution> result;
    std::size_t number = 0;
    for (const Convolution& problem : problems()) {
      if (choice_.problems.empty() && twiddle::output_elements(problem) > choice_.most_outputs) continue;
      if (number >= choice_.first && (number - choice_.first) % choice_.every == 0) result.push_back(problem);
      ++number;
    }
    return result;
  }

  void measure(const Convolution& problem) {
    const Buffer signal = noise(device_, problem, twiddle::signal_elements(problem));
    const Buffer filters = noise(device_, problem, twiddle::filter_elements(problem));
    Buffer output = noise(device_, problem, twiddle::output_elements(problem));
    std::vector<Contender> all = contenders();
    for (Contender& contender : all) prepare(contender, problem, all.front().seconds, signal, filters, output);
    take_turns(all, signal, output);
    double best = INFINITY;
    std::string times;
    for (const Contender& contender : all) {
      best = std::min(best, contender.seconds);
      times += fmt::format("{:.4f},", contender.seconds * 1e3);
    }
    const double regret = all.front().seconds / best;
    worst_ = std::max(worst_, regret);
    ++count_;
    if (regret > 1.3) ++beyond_;
    fmt::print("{},{}{:.2f},{}{}\n", twiddle::convolution_text(problem), times, regret, model_of(problem),
               method_of(*all.front().plan));
    std::fflush(stdout);
  }

  // Milliseconds of each method by the model, in the order of `compared`; none for those that do not serve.
  [[nodiscard]] std::string model_of(const Convolution& problem) const {
    const auto recipe = twiddle::plan::make_convolution_recipe(problem, device_.limits());
    std::string text;
    for (const Method method : compared) {
      if (method == Method::automatic) continue;
      double nanoseconds = INFINITY;
      for (const auto& cost : recipe.compared) {
        if (cost.method == method) nanoseconds = cost.nanoseconds;
      }
      text += fmt::format("{:.4f},", nanoseconds * 1e-6);
    }
    return text;
  }

  // Plans, executes once to warm up and once to see how long it takes.
  void prepare(Contender& contender, Convolution problem, double automatic, const Buffer& signal, const Buffer& filters,
               Buffer& output) const {
    const double terms = static_cast<double>(twiddle::output_elements(problem)) *
                         static_cast<double>(twiddle::filter_elements(problem) / problem.filters);
    if (contender.method == Method::direct && terms * operations_ > too_long * automatic) return;
    problem.method = contender.method;
    problem.segment = contender.segment;
    try {
      contender.plan = std::make_unique<twiddle::ConvolutionPlan>(device_, problem);
    } catch (const twiddle::Unsupported&) {
      return;
    }
    contender.plan->set_filters(filters);
    (void)time(contender, 1, signal, output);
    contender.seconds = time(contender, 1, signal, output);
  }

  // The fastest of a few turns; those that one execution showed to be far behind the automatic choice take none.
  static void take_turns(std::vector<Contender>& all, const Buffer& signal, Buffer& output) {
    const double automatic = all.front().seconds;
    const auto executions = static_cast<std::size_t>(std::clamp(submitted_seconds / automatic, 1.0, 50.0));
    double spent = 0;
    for (int round = 0; round < most_rounds && (round < fewest_rounds || spent < problem_seconds); ++round) {
      for (Contender& contender : all) {
        if (!contender.plan || contender.seconds > far_behind * automatic) continue;
        const double seconds = time(contender, executions, signal, output);
        spent += seconds * static_cast<double>(executions);
        contender.seconds = std::min(contender.seconds, seconds);
      }
    }
  }

  static double time(const Contender& contender, std::size_t executions, const Buffer& signal, Buffer& output) {
    const double seconds = twiddle::bench::seconds_of([&] {
      for (std::size_t i = 0; i < executions; ++i) contender.plan->execute(signal, output);
      contender.plan->device().synchronize();
    });
    return seconds / static_cast<double>(executions);
  }

  // What a plan is computed by: "direct", "overlap-save in segments of 2048 = 16.8.16".
  static std::string method_of(const twiddle::ConvolutionPlan& plan) {
    const std::string text = plan.describe();
    const std::size_t begin = text.find("method: ") + 8;
    return text.substr(begin, text.find_first_of(",\n", begin) - begin);
  }

  twiddle::Device device_;
  Choice choice_;
  double operations_;  // seconds of a term of a direct sum, at least
  double worst_ = 0;
  std::size_t count_ = 0;
  std::size_t beyond_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("How much the automatic choice of a convolution's method lacks, on a grid of problems");
  std::string device = "host";
  unsigned outputs = 22;
  app.add_option("--device", device, "host, opencl or cuda")->capture_default_str();
  Choice choice;
  bool compile = false;
  app.add_option("--first", choice.first, "number of the first problem")->capture_default_str();
  app.add_option("--every", choice.every, "of so many problems one")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--grid", choice.grid, "problems of float (real ones), of other (complex numbers and doubles) or all")
      ->check(CLI::IsMember({"float", "other", "all"}))
      ->capture_default_str();
  app.add_option("--problems", choice.problems, "instead of the grid, such as conv:complex:f32:262144:5");
  app.add_option("--segments", choice.segments, "points of segments that are compared as well");
  app.add_flag("--compile", compile, "only make the plans, which fills the caches of kernels");
  app.add_option("--log2-outputs", outputs, "problems with at most 2 to this many results")
      ->check(CLI::Range(8, 30))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    choice.most_outputs = std::size_t{1} << outputs;
    Grid grid(twiddle::Device::open(device), choice);
    compile ? grid.compile() : grid.run();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
