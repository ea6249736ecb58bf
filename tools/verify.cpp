// twiddle verify: whether a device computes a problem right, one given or many at random.
#include "verify/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "errors.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "twiddle/error.hpp"
#include "verify/known_spectrum.hpp"
#include "verify/large_problem.hpp"
#include "verify/random.hpp"
#include "verify/random_problem.hpp"

namespace twiddle::tool {
namespace {

struct VerifyOptions {
  std::string problem;
  std::uint64_t random = 0;
  double beyond = 0;  // GiB
  std::uint64_t seed = 1;
  std::string device{};
  Strategy strategy{};
  bool json = false;
};

struct Summary {
  std::uint64_t problems = 0;
  std::uint64_t failures = 0;
  double worst_ratio = 0;  // of error to bound
  std::string worst_problem;
  nlohmann::ordered_json lines = nlohmann::ordered_json::array();
};

void verify_one(const VerifyOptions& options, const Device& device, const Problem& problem, std::uint64_t seed,
                Summary& summary) {
  const std::string text = to_string(problem);
  verify::Outcome outcome;
  if (options.random == 0) {
    outcome = verify::verify(device, problem, seed);
  } else {
    try {
      outcome = options.beyond > 0 ? verify::verify_known_spectrum(device, problem, seed)
                                   : verify::verify(device, problem, seed);
    } catch (const Error& error) {  // random problems are such that no device refuses them
      outcome.complaint = error.what();
    }
  }
  ++summary.problems;
  const double ratio = outcome.bound > 0 ? outcome.error / outcome.bound : 0;
  if (!(ratio <= summary.worst_ratio)) {
    summary.worst_ratio = ratio;
    summary.worst_problem = text;
  }
  if (!outcome.within) ++summary.failures;
  if (options.json) {
    nlohmann::ordered_json line = {
        {"problem", text}, {"seed", seed}, {"error", outcome.error}, {"bound", outcome.bound}, {"ok", outcome.within}};
    if (!outcome.within) line["complaint"] = outcome.complaint;
    summary.lines.push_back(std::move(line));
    return;
  }
  fmt::print("{}  error {:.2e}  bound {:.2e}  {}\n", text, outcome.error, outcome.bound,
             outcome.within ? "ok" : "FAILED");
  if (outcome.within) return;
  fmt::print("  {}\n  again: twiddle verify '{}' --seed {}{}{}\n", outcome.complaint, text, seed,
             options.device.empty() ? "" : " --device " + options.device,
             options.strategy == Strategy{} ? "" : " --strategy " + describe(options.strategy));
}

void run(const VerifyOptions& options) {
  if (options.problem.empty() == (options.random == 0)) {
    throw UsageError("expected either a problem, such as c2c:f32:1080x1920, or --random N");
  }
  const std::optional<Problem> given =
      options.random == 0 ? std::optional(parse_problem(options.problem)) : std::nullopt;
  // Which one computes random problems is chosen for each; then the host says what can be asked for.
  const Device first = (given                          ? open_device(options.device, *given)
                        : is_automatic(options.device) ? Device::host()
                                                       : open_device(options.device))
                           .with_strategy(options.strategy);
  const auto device_for = [&](const Problem& problem) {
    return is_automatic(options.device) ? open_device(options.device, problem).with_strategy(options.strategy) : first;
  };
  Summary summary;
  const auto start = std::chrono::steady_clock::now();
  if (given) {
    verify_one(options, first, *given, options.seed, summary);
  } else {
    const verify::Abilities abilities = verify::abilities_of(first);
    const auto least_bytes = static_cast<std::uint64_t>(options.beyond * 0x1p30);
    Progress progress(options.random);
    verify::Random seeds(options.seed);  // so that runs by neighbouring seeds have no problems in common
    for (std::uint64_t i = 0; i < options.random; ++i) {
      const std::uint64_t seed = seeds.bits();
      const Problem problem = least_bytes > 0 ? verify::large_problem(seed, least_bytes, abilities.float64)
                                              : verify::random_problem(seed, abilities);
      progress.step(to_string(problem));
      verify_one(options, device_for(problem), problem, seed, summary);
    }
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const bool various = !given && is_automatic(options.device);
  const nlohmann::ordered_json device_json = various ? nlohmann::ordered_json("auto") : summary_json(first.info());
  const std::string device_text = various ? "devices by choice" : describe(first.info());
  if (options.json) {
    print_json({{"device", device_json},
                {"problems", summary.problems},
                {"failures", summary.failures},
                {"worst_ratio", summary.worst_ratio},
                {"worst_problem", summary.worst_problem},
                {"seconds", seconds},
                {"results", summary.lines}});
  } else if (!given) {
    fmt::print("{} problems on {}, {} failed, in {:.1f} s; worst error {:.2f} of its bound: {}\n", summary.problems,
               device_text, summary.failures, seconds, summary.worst_ratio, summary.worst_problem);
  }
  if (summary.failures > 0) throw DeviceError(fmt::format("{} of {} failed", summary.failures, summary.problems));
}

}  // namespace

void add_verify_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("verify", "Check that a device computes transforms right");
  const auto options = std::make_shared<VerifyOptions>();
  command->add_option("PROBLEM", options->problem, "What to check, such as c2c:f32:8*1080x1920:axes=1:inplace");
  CLI::Option* random = command->add_option("--random", options->random, "Check so many random problems")
                            ->check(positive_number())
                            ->type_name("N");
  command->add_option("--beyond", options->beyond, "Random problems whose arrays take so many GiB or a little more")
      ->check(positive_number())
      ->needs(random)
      ->type_name("GIB");
  command->add_option("--seed", options->seed, "Of the inputs, or of the random problems (default: 1)")->type_name("S");
  add_device_option(*command, options->device);
  add_strategy_option(*command, options->strategy);
  add_json_option(*command, options->json);
  command->footer(
      "Prints the relative L2 error against a reference in long double, and the error that a good transform stays "
      "below.\n\n"
      "Problems: KIND:PRECISION:SHAPE[:OPTION]...; kinds are c2c r2c c2r dct1..dct4 dst1..dst4 dht, precisions f16 f32 "
      "f64 f80, shapes such as 1080x1920 or 16*1000 (a batch); options are axes= inverse inplace norm= factor= in= "
      "out= "
      "nonzero= wanted= load= store= overwrite.\n\n"
      "Examples:\n"
      "  twiddle verify c2c:f32:1000\n"
      "  twiddle verify r2c:f64:100x100:inplace:norm=ortho --device opencl\n"
      "  twiddle verify --random 1000 --seed 7\n"
      "  twiddle verify --random 10 --beyond 4 --device cuda");
  command->callback([options] { run(*options); });
}

}  // namespace twiddle::tool
