// The textbook's table: each step of filtering a picture in the frequency domain, over the size of the work-groups.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <complex>
#include <map>
#include <memory>

#include "samples.hpp"
#include "studies.hpp"
#include "turns.hpp"
#include "twiddle/filter.hpp"
#include "twiddle/strategy.hpp"

namespace twiddle::studies {
namespace {

constexpr std::size_t side = 512;

struct Program {
  const char* part;
  const char* strategy;
};
constexpr Program programs[] = {
    {"the textbook's kernels", "radices=2,twiddles=separate,reversal=separate,transposes=elementwise"},
    {"a launch for each radix", "staging=memory"},
    {"lines on chip", "staging=on-chip"}};
constexpr const char* textbook = programs[0].part;

constexpr const char* write_step = "buffer write";
constexpr const char* reversal_step = "bit reversal";
constexpr const char* twiddle_step = "twiddles";
constexpr const char* butterfly_step = "butterflies";
constexpr const char* transpose_step = "transposition";
constexpr const char* filter_step = "filter";
constexpr const char* read_step = "buffer read";
constexpr const char* device_steps[] = {reversal_step, twiddle_step, butterfly_step, transpose_step, filter_step};

// By work-items of a group, milliseconds: butterflies, transposition, filter.
constexpr double published[][4] = {{1, 37.75, 2.83, 1.51}, {16, 3.12, 1.53, .10},  {32, 2.87, 1.49, .07},
                                   {64, 3.02, 1.42, .06},  {128, 3.41, 1.07, .06}, {256, 3.60, .95, .06},
                                   {512, 3.88, .96, .07}};

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

const char* step_of(const std::string& name) {
  if (name.find("digit reversal") != std::string::npos) return reversal_step;
  if (name.find("twiddles") != std::string::npos) return twiddle_step;
  return name.find("transposition") != std::string::npos ? transpose_step : butterfly_step;
}

// The steps of the whole program on a device, whose strategy says how.
class PictureFilter {
 public:
  PictureFilter(const Device& device, std::size_t n)
      : transform_(device, {.lengths = {n, n}}),
        mask_(device, mask_transform(n)),
        data_(Buffer::of<std::complex<float>>(device, n * n)) {}

  // Microseconds of each step; `image` is filtered.
  [[nodiscard]] std::map<std::string, double> run(std::vector<std::complex<float>>& image) {
    std::map<std::string, double> times;
    const auto timed = [&](const char* name, const auto& step) {
      const auto start = std::chrono::steady_clock::now();
      step();
      times[name] = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
    };
    timed(write_step, [&] { data_.write(image); });
    Profile steps;
    Profile mask;
    transform_.execute(Direction::forward, data_, &steps);
    mask_.execute(Direction::forward, data_, &mask);
    transform_.execute(Direction::inverse, data_, &steps);
    timed(read_step, [&] { data_.read(image); });
    for (const ProfileEntry& step : steps) times[step_of(step.step)] += 1e3 * step.milliseconds;
    for (const ProfileEntry& step : mask) times[filter_step] += 1e3 * step.milliseconds;
    return times;
  }

 private:
  static Transform mask_transform(std::size_t n) {
    Transform transform{.lengths = {1}, .batch = n * n};
    transform.store_hook = disc(n);
    return transform;
  }

  Plan transform_;
  Plan mask_;
  Buffer data_;
};

std::vector<Trial> trials(const Setting& setting) {
  std::vector<Trial> result;
  for (const Program& program : programs) {
    const bool many_kernels = program.part == textbook;  // which take long to compile
    const std::vector<double> few = many_kernels ? std::vector<double>{1, 32} : std::vector<double>{1, 32, 256};
    for (const double group : setting.quick ? few : std::vector<double>{1, 16, 32, 64, 128, 256, 512}) {
      result.push_back({program.part, group});
    }
  }
  return result;
}

std::vector<Sample> measure(const Setting& setting, const Trial& trial) {
  const auto* const program = std::ranges::find(programs, trial.part, &Program::part);
  const std::string strategy = fmt::format("{},group={:.0f}", program->strategy, trial.x);
  PictureFilter filter(setting.device.with_strategy(parse_strategy(strategy)), side);
  std::vector<std::complex<float>> image(side * side);
  std::ranges::copy(random_floats(image.size()), image.begin());
  std::vector<std::complex<float>> expected = image;
  apply_filter(Plan(Device::host(), {.lengths = {side, side}}), {.cutoff = 0.125}, expected);
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
  for (const char* step :
       {write_step, reversal_step, twiddle_step, butterfly_step, transpose_step, filter_step, read_step}) {
    if (times[step].empty()) continue;  // folded into others
    samples.push_back({trial.part, trial.x, step, bench::spread_of(times[step])});
  }
  return samples;
}

// All that the device does between write and read.
std::optional<double> total(const Samples& samples, const std::string& part, double x) {
  double sum = 0;
  for (const char* step : device_steps) sum += time_of(samples, part, x, step).value_or(0);
  return sum > 0 ? std::optional(sum) : std::nullopt;
}

std::optional<double> best_group(const Samples& samples, const std::string& part) {
  std::optional<double> best;
  for (const double x : xs_of(samples, part)) {
    const auto time = total(samples, part, x);
    if (time && (!best || *time < *total(samples, part, *best))) best = x;
  }
  return best;
}

std::vector<Comparison> comparisons(const Samples& samples) {
  std::vector<Comparison> result;
  for (const auto& row : published) {
    if (!total(samples, textbook, row[0])) continue;
    std::string here;
    for (const char* step : {butterfly_step, transpose_step, filter_step}) {
      const auto time = time_of(samples, textbook, row[0], step);
      here += fmt::format("{}{}", here.empty() ? "" : " / ", time ? number_text(1e-3 * *time) : "-");
    }
    result.push_back({fmt::format("butterflies / transposition / filter, ms, groups of {:.0f}", row[0]),
                      fmt::format("{:.2f} / {:.2f} / {:.2f} (GT200-class GPU)", row[1], row[2], row[3]), here});
  }
  return result;
}

std::string reading(const Samples& samples) {
  std::string text;
  for (const std::string& part : parts_of(samples)) {
    const auto group = best_group(samples, part);
    if (!group) continue;
    const double best = *total(samples, part, *group);
    const double first = xs_of(samples, part).front();
    const auto alone = total(samples, part, first);
    text += fmt::format(
        "{}{}: groups of {:.0f} items are the best ({} ms{})", text.empty() ? "" : "; ", part, *group,
        number_text(1e-3 * best),
        alone ? fmt::format(", {} times as fast as groups of {:.0f}", number_text(*alone / best), first) : "");
  }
  return text.empty() ? "Nothing could be measured." : text + ".";
}

}  // namespace

Study workgroup_study() {
  return {.name = "workgroup",
          .title = "The size of the work-groups",
          .shows =
              "Steps of filtering a picture of 512 x 512 in the frequency domain, by the device's events: by the "
              "textbook's kernels (radix 2, with twiddles, bit reversal and transposition in kernels of their own), "
              "by a launch for each radix with these folded in, and with whole lines on chip. The twiddles' factors "
              "are tables; the normalisation is folded into the last step.",
          .source = "Frequency-domain filtering of an image, an OpenCL textbook's chapter",
          .quantity = "one picture",
          .x_name = "work-items",
          .obstacle = needs_work_groups,
          .trials = trials,
          .measure = measure,
          .comparisons = comparisons,
          .reading = reading};
}

}  // namespace twiddle::studies
