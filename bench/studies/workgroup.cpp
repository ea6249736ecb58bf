// The textbook's table: each step of filtering a picture in the frequency domain, over the size of the work-groups.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <complex>
#include <map>
#include <memory>

#include "backend/engine.hpp"
#include "plan/limits.hpp"
#include "plan/lower.hpp"
#include "plan/recipe.hpp"
#include "samples.hpp"
#include "studies.hpp"
#include "turns.hpp"
#include "twiddle/error.hpp"
#include "twiddle/filter.hpp"

namespace twiddle::studies {
namespace {

constexpr const char* staged = "a launch for each radix";
constexpr const char* on_chip = "lines on chip";
constexpr const char* write_step = "buffer write";
constexpr const char* forward_step = "butterflies forward";
constexpr const char* filter_step = "filter";
constexpr const char* inverse_step = "butterflies back";
constexpr const char* read_step = "buffer read";

constexpr double published_butterflies[][2] = {{1, 37.75},  {16, 3.12},  {32, 2.87}, {64, 3.02},
                                               {128, 3.41}, {256, 3.60}, {512, 3.88}};

// Zero within a disc of radius n / 8 around the frequency 0.
std::shared_ptr<const Hook> disc(std::size_t n) {
  auto hook = std::make_shared<Hook>();
  hook->source = fmt::format(
      "const TW_INDEX row = index / {0}, column = index % {0};\n"
      "const TW_INDEX v = row < {0} - row ? row : {0} - row, u = column < {0} - column ? column : {0} - column;\n"
      "if (u * u + v * v < {1}) value = TW_MAKE((TW_REAL)0, (TW_REAL)0);",
      n, n * n / 64);
  return hook;
}

// The steps of the whole program on one device, with work-groups of so many items.
class PictureFilter {
 public:
  PictureFilter(const Device& device, std::size_t n, bool in_stages, std::size_t group)
      : engine_(device.engine()), data_(engine_.allocate(n * n * sizeof(std::complex<float>))) {
    DeviceLimits limits = device.info().limits;
    const std::size_t most = limits.max_group_size;
    if (group > most) throw Unsupported(fmt::format("groups of {} items: plans use {} at most on it", group, most));
    limits.max_group_size = group;
    if (in_stages) limits.shape = DeviceLimits::Shape::staged;
    const Transform transform{.lengths = {n, n}};
    const plan::Recipe recipe = plan::make_recipe(transform, limits);
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      plan::Program program = plan::lower(recipe, transform, direction, Placement::in_place, limits);
      scratch_bytes_ = std::max<std::size_t>(scratch_bytes_, program.scratch_bytes);
      const char* const name = direction == Direction::forward ? forward_step : inverse_step;
      for (plan::Stage& stage : program.stages) {
        if (in_stages) stage.shape.transforms_per_group = static_cast<std::uint32_t>(group);
        steps_.push_back({name, engine_.compile(stage)});
      }
      if (direction == Direction::forward) add_filter(n, group);
    }
    if (scratch_bytes_ > 0) scratch_ = engine_.allocate(scratch_bytes_);
  }

  // Microseconds of each step; `image` is filtered.
  [[nodiscard]] std::map<std::string, double> run(std::vector<std::complex<float>>& image) const {
    std::map<std::string, double> times;
    const auto timed = [&](const char* name, const auto& step) {
      const auto start = std::chrono::steady_clock::now();
      step();
      times[name] = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
    };
    const std::size_t bytes = image.size() * sizeof(image.front());
    timed(write_step, [&] { data_->write(image.data(), bytes); });
    backend::Operands operands;
    operands.input = operands.output = data_.get();
    operands.scratch = scratch_.get();
    for (const Step& step : steps_) {
      double milliseconds = 0;
      step.executable->run(operands, &milliseconds);
      times[step.name] += 1e3 * milliseconds;
    }
    timed(read_step, [&] { data_->read(image.data(), bytes); });
    return times;
  }

 private:
  struct Step {
    const char* name;
    std::shared_ptr<const backend::Executable> executable;
  };

  void add_filter(std::size_t n, std::size_t group) {
    plan::Stage stage;
    stage.loops = {{n * n, 1, 1}};
    stage.destination = plan::Operand::input;
    stage.store_hook = plan::StageHook{disc(n), 1};
    stage.shape.load = stage.shape.store = plan::KernelShape::Lanes::transforms;
    stage.shape.transforms_per_group = static_cast<std::uint32_t>(group);
    steps_.push_back({filter_step, engine_.compile(stage)});
  }

  backend::Engine& engine_;
  std::unique_ptr<backend::Memory> data_;
  std::unique_ptr<backend::Memory> scratch_;
  std::size_t scratch_bytes_ = 0;
  std::vector<Step> steps_;
};

constexpr std::size_t side = 512;

std::vector<Trial> trials(const Setting& setting) {
  std::vector<Trial> result;
  for (const char* part : {staged, on_chip}) {
    for (const double group : setting.quick ? std::vector<double>{1, 16, 64, 128, 256, 512}
                                            : std::vector<double>{1, 2, 4, 8, 16, 32, 64, 128, 256, 512}) {
      result.push_back({part, group});
    }
  }
  return result;
}

std::vector<Sample> measure(const Setting& setting, const Trial& trial) {
  const std::size_t n = side;
  const PictureFilter filter(setting.device, n, trial.part == staged, static_cast<std::size_t>(trial.x));
  std::vector<std::complex<float>> image(n * n);
  const std::vector<float> values = random_floats(image.size());
  std::ranges::copy(values, image.begin());
  std::vector<std::complex<float>> expected = image;
  apply_filter(Plan(Device::host(), {.lengths = {n, n}}), {.cutoff = 0.125}, expected);
  std::vector<std::complex<float>> filtered = image;
  (void)filter.run(filtered);
  const auto floats = [](const auto& data) {
    return std::span(reinterpret_cast<const float*>(data.data()), 2 * data.size());
  };
  const double difference = difference_of(floats(expected), floats(filtered));
  if (!(difference <= 1e-4)) wrong(difference);

  std::map<std::string, std::vector<double>> times;
  for (std::size_t round = 0; round < (setting.quick ? 5U : 15U); ++round) {
    filtered = image;
    for (const auto& [step, microseconds] : filter.run(filtered)) times[step].push_back(microseconds);
  }
  std::vector<Sample> samples;
  for (const char* step : {write_step, forward_step, filter_step, inverse_step, read_step}) {
    samples.push_back({trial.part, trial.x, step, bench::spread_of(times[step])});
  }
  return samples;
}

// The sum of both directions; nothing where one is missing.
std::optional<double> butterflies(const Samples& samples, const std::string& part, double x) {
  const auto there = time_of(samples, part, x, forward_step);
  const auto back = time_of(samples, part, x, inverse_step);
  if (!there || !back) return std::nullopt;
  return *there + *back;
}

std::optional<double> best_group(const Samples& samples, const std::string& part) {
  std::optional<double> best;
  for (const double x : xs_of(samples, part)) {
    const auto time = butterflies(samples, part, x);
    if (time && (!best || *time < *butterflies(samples, part, *best))) best = x;
  }
  return best;
}

std::vector<Comparison> comparisons(const Samples& samples) {
  std::vector<Comparison> result;
  for (const auto& [group, milliseconds] : published_butterflies) {
    const auto time = butterflies(samples, staged, group);
    const auto chip = butterflies(samples, on_chip, group);
    if (!time) continue;
    result.push_back({fmt::format("butterflies, groups of {:.0f}", group),
                      fmt::format("{} ms (S6, 512 x 512)", milliseconds),
                      fmt::format("{} ms{}", number_text(1e-3 * *time),
                                  chip ? fmt::format("; on chip {} ms", number_text(1e-3 * *chip)) : "")});
  }
  return result;
}

std::string reading(const Samples& samples) {
  const auto group = best_group(samples, staged);
  if (!group) return "Nothing could be measured.";
  const double best = *butterflies(samples, staged, *group);
  const double first = xs_of(samples, staged).front();
  const auto alone = butterflies(samples, staged, first);
  const auto chip = best_group(samples, on_chip);
  return fmt::format(
      "Groups of {:.0f} items are the best for the butterflies{}{}.", *group,
      alone ? fmt::format(", {} times as fast as groups of {:.0f}", number_text(*alone / best), first) : "",
      chip ? fmt::format("; with whole lines on chip it is {:.0f} items, {} times as fast as a launch for each radix",
                         *chip, number_text(best / *butterflies(samples, on_chip, *chip)))
           : "");
}

}  // namespace

Study workgroup_study() {
  return {.name = "workgroup",
          .title = "The size of the work-groups",
          .shows =
              "Steps of filtering a picture of 512 x 512 in the frequency domain, by the "
              "device's events. Twiddles come from tables; bit reversal, transposition and normalisation are folded "
              "into the butterflies and have no time of their own.",
          .source = "Frequency-domain filtering of an image, an OpenCL textbook's chapter (S6)",
          .quantity = "one picture",
          .x_name = "work-items",
          .obstacle = needs_work_groups,
          .trials = trials,
          .measure = measure,
          .comparisons = comparisons,
          .reading = reading};
}

}  // namespace twiddle::studies
