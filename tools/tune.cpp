// twiddle tune: measures better choices for a problem on a device, and keeps them for all later plans.
#include "twiddle/tune.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <variant>

#include "commands.hpp"
#include "errors.hpp"
#include "files.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "tune/choice_store.hpp"
#include "tune/record_file.hpp"
#include "twiddle/convolution_text.hpp"

namespace twiddle::tool {
namespace {

struct TuneCommandOptions {
  std::vector<std::string> problems;
  std::string device;
  TuneOptions tune;
  bool dry_run = false;
  bool show = false;
  std::string export_file;
  std::string import_file;
  bool json = false;
};

std::filesystem::path choice_file() {
  const std::filesystem::path path = tuning::default_choice_file();
  if (path.empty()) {
    throw UsageError(
        "there is no file of choices: TWIDDLE_CHOICES is \"off\", or no home folder is known; set "
        "TWIDDLE_CHOICES to a file");
  }
  return path;
}

// That the file is damaged is no mistake in the arguments.
template <class Action>
auto with_choice_file(const Action& action) {
  const std::filesystem::path path = choice_file();
  try {
    return action(path);
  } catch (const InvalidArgument& error) {
    throw FileError(error.what());
  }
}

tuning::ChoiceBook remembered_choices() { return with_choice_file(tuning::read_choice_book); }

void show(const tuning::ChoiceBook& book, bool json) {
  if (json) return print_json(nlohmann::ordered_json::parse(tuning::print_choice_book(book)));
  fmt::print("{}\n", choice_file().string());
  if (book.empty()) fmt::print("  no choices\n");
  for (const auto& [identity, table] : book) {
    fmt::print("{} {}{}\n", identity.backend, identity.name, identity.target.empty() ? "" : ", " + identity.target);
    for (const std::string& line : describe_choices(table)) fmt::print("  {}\n", line);
  }
}

void import_choices(const std::string& file, bool json) {
  tuning::ChoiceBook book;
  try {
    book = tuning::parse_choice_book(read_file(file));
  } catch (const InvalidArgument& error) {
    throw FileError(fmt::format("{}: {}", file, error.what()));
  }
  with_choice_file([&](const std::filesystem::path& path) { tuning::add_to_choice_book(path, book); });
  std::size_t lines = 0;
  for (const auto& [identity, table] : book) lines += table.size();
  if (json) {
    return print_json({{"choices", lines}, {"devices", book.size()}, {"added_to", choice_file().string()}});
  }
  fmt::print("{} choices for {} devices added to {}\n", lines, book.size(), choice_file().string());
}

nlohmann::ordered_json to_json(const std::string& problem, const Tuning& tuning) {
  nlohmann::ordered_json choices = nlohmann::ordered_json::array();
  if (tuning.choices) choices = describe_choices(*tuning.choices);
  return {{"problem", problem},
          {"before_milliseconds", tuning.before_milliseconds},
          {"after_milliseconds", tuning.after_milliseconds},
          {"speedup", tuning.speedup()},
          {"spread", tuning.spread},
          {"tried", tuning.tried},
          {"refused", tuning.refused},
          {"wrong", tuning.wrong},
          {"complete", tuning.complete},
          {"choices", choices}};
}

void print(const std::string& problem, const Tuning& tuning) {
  fmt::print("{}  {:.4g} ms -> {:.4g} ms, {:.2f} times as fast (+- {:.2f}); {} ways tried{}{}{}\n", problem,
             tuning.before_milliseconds, tuning.after_milliseconds, tuning.speedup(), tuning.spread, tuning.tried,
             tuning.refused > 0 ? fmt::format(", {} refused", tuning.refused) : "",
             tuning.wrong > 0 ? fmt::format(", {} wrong", tuning.wrong) : "",
             tuning.complete ? "" : ", time ran out (--budget)");
  if (!tuning.choices) return fmt::print("  nothing is at least 3 % faster\n");
  for (const std::string& line : describe_choices(*tuning.choices)) fmt::print("  {}\n", line);
}

std::string text_of(const std::variant<Problem, Convolution>& problem) {
  const Convolution* const convolution = std::get_if<Convolution>(&problem);
  return convolution != nullptr ? convolution_text(*convolution) : to_string(std::get<Problem>(problem));
}

void tune_problems(const TuneCommandOptions& options) {
  // A file that cannot be added to is better known before the work than after it.
  if (!options.dry_run) {
    (void)remembered_choices();
    tuning::check_record_folder(choice_file());
  }
  std::vector<std::variant<Problem, Convolution>> problems;
  for (const std::string& text : options.problems) {
    if (is_convolution_text(text)) {
      problems.emplace_back(parse_convolution(text));
    } else {
      problems.emplace_back(parse_problem(text));
    }
  }
  const bool various = is_automatic(options.device);
  std::optional<Device> device;
  if (!various) device = open_device(options.device);
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  Progress progress(problems.size());
  for (const auto& problem : problems) {
    const std::string text = text_of(problem);
    progress.step("tuning " + text);
    const Tuning tuning = std::visit(
        [&](const auto& value) {
          if (various) device = open_device(options.device, value);
          return tune(*device, value, options.tune);
        },
        problem);
    if (tuning.choices && !options.dry_run) remember_choices(*device, *tuning.choices);
    if (options.json) {
      results.push_back(to_json(text, tuning));
    } else {
      print(text, tuning);
    }
  }
  progress.finish();
  if (options.json) {
    print_json(
        {{"device", various ? nlohmann::ordered_json("auto") : summary_json(device->info())}, {"results", results}});
  }
}

void run(const TuneCommandOptions& options) {
  if (options.problems.empty() && !options.show && options.export_file.empty() && options.import_file.empty()) {
    throw UsageError(
        "expected problems to tune, such as c2c:f32:1080x1920 or conv:real:f32:1048576:32*257, or one of --show, "
        "--export, --import");
  }
  if (!options.import_file.empty()) import_choices(options.import_file, options.json);
  if (!options.problems.empty()) tune_problems(options);
  if (!options.export_file.empty()) {
    write_file(options.export_file, {tuning::print_choice_book(remembered_choices())});
  }
  if (options.show) show(remembered_choices(), options.json);
}

}  // namespace

void add_tune_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("tune", "Measure faster ways to compute a problem, and remember them");
  const auto options = std::make_shared<TuneCommandOptions>();
  command->add_option("PROBLEM", options->problems,
                      "Problems, such as c2c:f32:1080x1920, r2c:f64:64*4096:inplace, or, of 32 filters of 257 taps, "
                      "conv:real:f32:1048576:32*257");
  add_device_option(*command, options->device);
  command->add_option("--budget", options->tune.seconds, "Time for each problem")
      ->transform(CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"m", 60}, {"h", 3600}}))
      ->check(positive_number())
      ->type_name("SECONDS")
      ->capture_default_str();
  command->add_option("--candidates", options->tune.candidates, "Ways that are tried for each line, at most")
      ->check(positive_number())
      ->capture_default_str();
  command->add_flag("--dry-run", options->dry_run, "Say what is faster, but do not remember it");
  command->add_flag("--show", options->show, "Print what is remembered, for all devices");
  command->add_option("--export", options->export_file, "Write what is remembered to a file")->type_name("FILE");
  command->add_option("--import", options->import_file, "Add what a file of --export holds")->type_name("FILE");
  add_json_option(*command, options->json);
  command->footer(
      "Choices are kept in $TWIDDLE_CHOICES, else in choices.json of $XDG_CONFIG_HOME/twiddle or ~/.config/twiddle;\n"
      "every later plan for such a device reads them. TWIDDLE_CHOICES=off ignores them.\n"
      "Examples:\n"
      "  twiddle tune c2c:f32:1000*1000\n"
      "  twiddle tune c2c:f32:1048576 r2c:f64:1080x1920 --device opencl --budget 2m\n"
      "  twiddle tune conv:complex:f32:4194304:32*257:mode=same --device cuda\n"
      "  twiddle tune --show\n"
      "  twiddle tune --export choices.json");
  command->callback([options] { run(*options); });
}

}  // namespace twiddle::tool
