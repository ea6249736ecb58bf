// What tuning gains, and that it leaves nothing slower: problems are tuned, then judged anew beside how they were
// before. With --neighbours also problems of half and twice the length, which were not tuned and borrow. With --banks
// 20 banks of filters instead of transforms.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plan/choice/choice_table.hpp"
#include "tune/bank_contender.hpp"
#include "tune/contender.hpp"
#include "twiddle/convolution_text.hpp"
#include "twiddle/error.hpp"
#include "twiddle/tune.hpp"

namespace {

using namespace twiddle;

constexpr double accepted = 1.03;            // times as long as before
constexpr double measured_milliseconds = 2;  // of executions in a row
constexpr std::size_t most_repetitions = 5000;

// 100, half of a megabyte to a few: every kind, rows, columns, images, volumes, long lines, real data of both
// precisions.
std::vector<std::string> all_problems() {
  std::vector<std::string> problems;
  for (const unsigned n : {60U,   64U,   96U,   100U,  128U,  144U,  210U,  243U,  256U,  360U,  400U,  500U,
                           512U,  625U,  720U,  729U,  768U,  1000U, 1024U, 1080U, 1155U, 1200U, 1536U, 1920U,
                           2000U, 2048U, 2187U, 2400U, 3000U, 3125U, 3600U, 4000U, 4096U, 5000U, 6000U, 8192U}) {
    problems.push_back(fmt::format("c2c:f32:{}*{}", std::max(1U, 131072 / n), n));
  }
  for (const unsigned n : {80U, 120U, 256U, 500U, 720U, 1000U, 1024U, 1920U, 2048U, 3000U, 4096U, 6000U}) {
    problems.push_back(fmt::format("c2c:f64:{}*{}:inplace", std::max(1U, 65536 / n), n));
  }
  for (const unsigned n : {128U, 200U, 480U, 512U, 1000U, 1024U, 1440U, 2000U, 2048U, 3600U, 4096U, 8192U}) {
    problems.push_back(fmt::format("r2c:f32:{}*{}", std::max(1U, 262144 / n), n));
    if (n % 3 != 0) problems.push_back(fmt::format("c2r:f32:{}*{}", std::max(1U, 262144 / n), n));
  }
  for (const char* text :
       {"r2c:f64:64*1000",        "r2c:f64:100*2048",       "c2c:f32:256x256",         "c2c:f32:240x320",
        "c2c:f32:480x640",        "c2c:f32:500x500",        "c2c:f32:512x512",         "c2c:f32:720x1280",
        "c2c:f64:256x256",        "c2c:f64:300x400",        "r2c:f32:480x640",         "r2c:f32:512x512",
        "r2c:f32:1080x1920",      "c2r:f32:600x800",        "c2c:f32:64x64x64",        "c2c:f32:60x60x60",
        "r2c:f32:100x100x100",    "c2c:f32:512x500:axes=0", "c2c:f32:1000x256:axes=0", "c2c:f32:2048x128:axes=0",
        "c2c:f64:720x200:axes=0", "c2c:f32:32768",          "c2c:f32:100000",          "c2c:f32:262144",
        "c2c:f32:1000000",        "c2c:f64:131072",         "r2c:f32:1000000",         "dct2:f32:500*512",
        "dct2:f32:256x256",       "dht:f32:256*1000",       "dct3:f32:300*720"}) {
    problems.emplace_back(text);
  }
  return problems;
}

// 20 banks: short and long filters, few and many, real and complex, both precisions.
std::vector<std::string> all_banks() {
  std::vector<std::string> banks;
  for (const char* elements : {"real:f32", "complex:f32"}) {
    for (const unsigned taps : {17U, 65U, 257U, 1025U}) {
      for (const unsigned filters : {8U, 32U}) {
        banks.push_back(
            fmt::format("conv:{}:{}:{}*{}:method=overlap-save", elements, (1U << 21) / filters, filters, taps));
      }
    }
  }
  for (const char* bank : {"real:f64:131072:8*129", "complex:f64:65536:4*257", "real:f32:1048576:129",
                           "complex:f32:131072:8*33:post=power"}) {
    banks.push_back(fmt::format("conv:{}:method=overlap-save", bank));
  }
  return banks;
}

struct Judgement {
  double before = 0;  // milliseconds
  double ratio = 1;   // after / before: median of the turns
  double spread = 0;  // half the distance between its quartiles
};

class Judge {
 public:
  using Milliseconds = std::function<double(std::size_t repetitions)>;  // of one execution
  Judge(Milliseconds before, Milliseconds after) : before_(std::move(before)), after_(std::move(after)) {
    const double once = before_(1);
    repetitions_ = std::clamp<std::size_t>(static_cast<std::size_t>(measured_milliseconds / std::max(once, 1e-6)), 1,
                                           most_repetitions);
  }

  // What looks slower is measured once more with four times the turns, which then count.
  Judgement judge(std::size_t turns) {
    const Judgement first = in_turns(turns);
    return first.ratio > accepted ? in_turns(4 * turns) : first;
  }

 private:
  Judgement in_turns(std::size_t turns) {
    std::vector<double> befores, ratios;
    for (std::size_t i = 0; i < turns; ++i) {
      // Who comes first changes, as the second one finds the memory as the first one left it.
      double before = 0, after = 0;
      if (i % 2 == 0) before = before_(repetitions_);
      after = after_(repetitions_);
      if (i % 2 != 0) before = before_(repetitions_);
      befores.push_back(before);
      ratios.push_back(after / before);
    }
    std::sort(ratios.begin(), ratios.end());
    return {tuning::median(befores), tuning::median(ratios), (ratios[turns * 3 / 4] - ratios[turns / 4]) / 2};
  }

  Milliseconds before_;
  Milliseconds after_;
  std::size_t repetitions_ = 1;
};

using Choices = std::shared_ptr<const plan::ChoiceTable>;

// By the present plans and by those with the choices; nothing where these are the same.
std::optional<Judgement> judge(const Device& device, const Problem& problem, const Choices& choices,
                               std::size_t turns) {
  const tuning::Contender before(device.with_choices(nullptr), problem);
  const tuning::Contender after(device.with_choices(choices), problem);
  if (before.plan().describe() == after.plan().describe()) return std::nullopt;
  tuning::Arena arena(device, before.plan(), problem);
  return Judge([&](std::size_t repetitions) { return before.milliseconds(arena, repetitions); },
               [&](std::size_t repetitions) { return after.milliseconds(arena, repetitions); })
      .judge(turns);
}

Judgement judge(const Device& device, const Convolution& convolution, const Choices& choices, std::size_t turns) {
  tuning::BankContender before(device.with_choices(nullptr), convolution);
  tuning::BankContender after(device.with_choices(choices), convolution);
  tuning::BankArena arena(device, before.plan());
  for (tuning::BankContender* contender : {&before, &after}) contender->plan().set_filters_bytes(arena.filters);
  return Judge([&](std::size_t repetitions) { return before.milliseconds(arena, repetitions); },
               [&](std::size_t repetitions) { return after.milliseconds(arena, repetitions); })
      .judge(turns);
}

struct Summary {
  std::size_t problems = 0;
  std::size_t changed = 0;
  std::size_t slower = 0;
  double logarithms = 0;
  double worst = 1;

  void add(const std::string& name, const std::string& what, const std::optional<Judgement>& judgement) {
    ++problems;
    if (!judgement) {
      fmt::print("{:<28} {}: as before\n", name, what);
    } else {
      ++changed;
      slower += judgement->ratio > accepted ? 1 : 0;
      logarithms += std::log(judgement->ratio);
      worst = std::max(worst, judgement->ratio);
      fmt::print("{:<28} {}: {:.4f} ms before, x {:.3f} +- {:.3f}{}\n", name, what, judgement->before, judgement->ratio,
                 judgement->spread, judgement->ratio > accepted ? "  slower" : "");
    }
    std::fflush(stdout);
  }

  void print(const char* what) const {
    const double mean = std::exp(-logarithms / static_cast<double>(std::max<std::size_t>(problems, 1)));
    fmt::print(
        "{}: {} problems, {} of them computed in another way, {} more than 3 % slower (at most x {:.3f}); "
        "geometric mean of the gain {:.3f}\n",
        what, problems, changed, slower, worst, mean);
  }
};

// The problem with all its transformed lengths twice or half as long, and as much data in the batch.
std::optional<Problem> neighbour(Problem problem, bool longer) {
  Transform& transform = problem.transform;
  if (transform.lengths.size() != 1) return std::nullopt;
  if (!longer && transform.lengths[0] % 4 != 0) return std::nullopt;
  transform.lengths[0] = longer ? transform.lengths[0] * 2 : transform.lengths[0] / 2;
  transform.batch = longer ? std::max<std::size_t>(1, transform.batch / 2) : transform.batch * 2;
  return problem;
}

struct Options {
  std::string device = "host";
  std::vector<std::string> problems{};
  double seconds = 10;
  std::size_t candidates = 40;
  std::size_t turns = 21;
  std::size_t first = 0;
  std::size_t every = 1;
  bool neighbours = false;
  bool banks = false;
};

TuneOptions tune_options(const Options& options) {
  return {.seconds = options.seconds, .candidates = options.candidates, .progress = {}};
}

void add(Summary& summary, const std::string& name, const Tuning& tuning, const std::optional<Judgement>& judgement) {
  const std::string wrong = tuning.wrong > 0 ? fmt::format(", {} wrong", tuning.wrong) : "";
  summary.add(name, fmt::format("{} ways{}", tuning.tried, wrong), judgement);
  if (!tuning.choices) return;
  for (const std::string& line : describe_choices(*tuning.choices)) fmt::print("  {}\n", line);
}

void tune_and_judge_bank(const Device& device, const std::string& name, const Options& options, Summary& tuned) {
  const Convolution convolution = parse_convolution(name);
  const Tuning tuning = tune(device.with_choices(nullptr), convolution, tune_options(options));
  std::optional<Judgement> judgement;
  if (tuning.choices) judgement = judge(device, convolution, tuning.choices, options.turns);
  add(tuned, name, tuning, judgement);
}

void tune_and_judge(const Device& device, const std::string& name, const Options& options, Summary& tuned,
                    Summary& borrowed) {
  const Problem problem = parse_problem(name);
  const Tuning tuning = tune(device.with_choices(nullptr), problem, tune_options(options));
  std::optional<Judgement> judgement;
  if (tuning.choices) judgement = judge(device, problem, tuning.choices, options.turns);
  add(tuned, name, tuning, judgement);
  if (!options.neighbours || !tuning.choices) return;
  for (const bool longer : {true, false}) {
    const std::optional<Problem> other = neighbour(problem, longer);
    if (!other) continue;
    borrowed.add(to_string(*other), "beside it", judge(device, *other, tuning.choices, options.turns));
  }
}

void judge_all(const Options& options) {
  const Device device = Device::open(options.device);
  const std::vector<std::string> names = !options.problems.empty() ? options.problems
                                         : options.banks           ? all_banks()
                                                                   : all_problems();
  fmt::print("{} ({}), {} s for each problem\n", options.device, device.info().name, options.seconds);
  Summary tuned, borrowed;
  for (std::size_t i = options.first; i < names.size(); i += options.every) {
    try {
      if (is_convolution_text(names[i])) {
        tune_and_judge_bank(device, names[i], options, tuned);
      } else {
        tune_and_judge(device, names[i], options, tuned, borrowed);
      }
    } catch (const Error& error) {
      fmt::print("{:<28} {}\n", names[i], error.what());
    }
  }
  tuned.print("tuned");
  if (options.neighbours) borrowed.print("borrowed");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("What tuning gains, and whether it leaves anything slower");
  Options options;
  app.add_option("PROBLEM", options.problems, "Instead of the 100 built in");
  app.add_option("--device", options.device)->capture_default_str();
  app.add_option("--seconds", options.seconds, "To tune each problem")->capture_default_str();
  app.add_option("--candidates", options.candidates, "For each line")->capture_default_str();
  app.add_option("--turns", options.turns, "Of each judgement")->check(CLI::Range(3, 1000))->capture_default_str();
  app.add_option("--first", options.first, "The first problem, counted from 0")->capture_default_str();
  app.add_option("--every", options.every, "From one problem to the next")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--neighbours", options.neighbours, "Also half and twice the length, which borrow");
  app.add_flag("--banks", options.banks, "The 20 banks of filters that are built in");
  CLI11_PARSE(app, argc, argv);
  try {
    judge_all(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
