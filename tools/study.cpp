// twiddle study: measures published studies again on a device, and reports tables, charts and what they say.
#include "study.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "chart.hpp"
#include "commands.hpp"
#include "device_facts.hpp"
#include "errors.hpp"
#include "files.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "study_page.hpp"
#include "study_results.hpp"
#include "study_table.hpp"
#include "twiddle/error.hpp"

namespace twiddle::tool {
namespace {

using studies::Chapter;
using studies::Study;

struct StudyOptions {
  std::vector<std::string> names{};
  bool all = false;
  bool quick = false;
  std::string device{};
  std::string report{};  // folder; empty: none
};

// A study and what was measured.
struct Outcome {
  const Study* study;
  std::string obstacle{};
  std::vector<studies::Sample> samples{};
};

std::vector<const Study*> chosen_studies(const StudyOptions& options) {
  std::vector<const Study*> chosen;
  if (options.all) {
    for (const Study& study : studies::all_studies()) chosen.push_back(&study);
  }
  for (const std::string& name : options.names) {
    const Study* const study = &studies::find_study(name);
    if (!options.all) chosen.push_back(study);
  }
  if (!chosen.empty()) return chosen;
  std::string list;
  for (const Study& study : studies::all_studies()) list += fmt::format("\n  {:<18} {}", study.name, study.title);
  throw UsageError("expected the names of studies, or --all; there are" + list);
}

std::string path_in(const std::string& folder, const std::string& name) {
  return folder.empty() ? "" : (std::filesystem::path(folder) / name).string();
}

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw FileError(fmt::format("cannot make the folder {}: {}", folder, error.message()));
}

// A trial that the device cannot do, or does wrong, is no reason to lose the others.
std::vector<studies::Sample> measure(const Study& study, const studies::Setting& setting, const studies::Trial& trial) {
  try {
    return study.measure(setting, trial);
  } catch (const Unsupported& error) {
    return {{trial.part, trial.x, fmt::format("{:.0f} {}", trial.x, study.x_name), {}, error.what()}};
  } catch (const DeviceError& error) {
    return {{trial.part, trial.x, fmt::format("{:.0f} {}", trial.x, study.x_name), {}, error.what()}};
  }
}

void print(const Outcome& outcome) {
  const Study& study = *outcome.study;
  fmt::print("{}: {}\n", study.name, study.title);
  if (!outcome.obstacle.empty()) return fmt::print("  not here: {}\n\n", outcome.obstacle);
  for (const studies::Table& table : tables_of(study, outcome.samples)) fmt::print("\n{}", to_text(table));
  const studies::Table comparisons = studies::comparison_table(study.comparisons(outcome.samples));
  if (!comparisons.rows.empty()) fmt::print("\n{}", to_text(comparisons));
  fmt::print("\n{}\n\n", study.reading(outcome.samples));
}

// Draws the study's charts as .svg and .png; the text of the former.
std::string draw(const Outcome& outcome, const std::string& folder) {
  const std::vector<bench::Chart> charts = charts_of(*outcome.study, outcome.samples);
  if (charts.empty()) return "";
  const std::string svg = path_in(folder, outcome.study->name + ".svg");
  bench::draw_charts(charts, path_in(folder, outcome.study->name + ".png"));
  bench::draw_charts(charts, svg);
  return read_file(svg);
}

Chapter chapter_of(const Outcome& outcome, const std::string& folder, bool draws) {
  const Study& study = *outcome.study;
  Chapter chapter{.title = study.title, .shows = study.shows, .source = study.source};
  chapter.obstacle = outcome.obstacle;
  if (!outcome.obstacle.empty()) return chapter;
  chapter.tables = tables_of(study, outcome.samples);
  chapter.comparisons = studies::comparison_table(study.comparisons(outcome.samples));
  chapter.reading = study.reading(outcome.samples);
  if (draws) chapter.picture = draw(outcome, folder);
  return chapter;
}

void write_report(const StudyOptions& options, const DeviceInfo& info, const std::vector<Outcome>& outcomes) {
  const bool draws = bench::has_gnuplot();
  if (!draws) {
    fmt::print(stderr,
               "twiddle: no charts: there is no gnuplot in the PATH; install it (Debian: gnuplot) and repeat "
               "the command, which measures nothing again\n");
  }
  studies::Page page{
      .title = fmt::format("twiddle {} on {}{}", TWIDDLE_VERSION, info.name, options.quick ? ", quick" : ""),
      .date = fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr))),
      .facts = {{"device", describe(info)}},
      .chapters = {}};
  for (const auto& fact : device_facts(info)) page.facts.push_back(fact);
  for (const Outcome& outcome : outcomes) page.chapters.push_back(chapter_of(outcome, options.report, draws));
  const std::string file = path_in(options.report, "index.html");
  write_file(file, {studies::to_html(page)});
  fmt::print("report: {}\n", file);
}

void run(const StudyOptions& options) {
  const std::vector<const Study*> chosen = chosen_studies(options);
  const studies::Setting setting{open_device(options.device), options.quick};
  const DeviceInfo& info = setting.device.info();
  if (!options.report.empty()) make_folder(options.report);
  studies::StudyResults results(path_in(options.report, "studies.csv"),
                                {describe(info), TWIDDLE_VERSION, options.quick});
  std::vector<Outcome> outcomes;
  std::size_t trials = 0;
  for (const Study* const study : chosen) {
    outcomes.push_back({study, study->obstacle(setting.device).value_or("")});
    if (outcomes.back().obstacle.empty()) trials += study->trials(setting).size();
    if (chosen.size() == 1 && trials == 0) throw Unsupported(fmt::format("{}: {}", study->name, outcomes[0].obstacle));
  }
  fmt::print("{}\n\n", describe(info));
  Progress progress(trials);
  for (Outcome& outcome : outcomes) {
    if (!outcome.obstacle.empty()) continue;
    for (const studies::Trial& trial : outcome.study->trials(setting)) {
      progress.step(fmt::format("{}: {}, {:.0f} {}", outcome.study->name, trial.part, trial.x, outcome.study->x_name));
      std::vector<studies::Sample> samples = results.find(*outcome.study, trial);
      if (samples.empty()) {
        results.add(*outcome.study, measure(*outcome.study, setting, trial));
        samples = results.find(*outcome.study, trial);
      }
      outcome.samples.insert(outcome.samples.end(), samples.begin(), samples.end());
    }
  }
  progress.finish();
  std::size_t wrong = 0;
  for (const Outcome& outcome : outcomes) {
    print(outcome);
    for (const studies::Sample& sample : outcome.samples) wrong += studies::is_wrong(sample) ? 1 : 0;
  }
  if (!options.report.empty()) write_report(options, info, outcomes);
  if (wrong > 0) throw DeviceError(fmt::format("{} results are wrong: see above", wrong));
}

}  // namespace

void add_study_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("study", "Measure published studies again on a device");
  const auto options = std::make_shared<StudyOptions>();
  command->add_option(
      "NAME", options->names, "Which: " + [] {
        std::string names;
        for (const Study& study : studies::all_studies()) names += (names.empty() ? "" : ", ") + study.name;
        return names;
      }());
  command->add_flag("--all", options->all, "All of them that the device can have");
  command->add_flag("--quick", options->quick, "Fewer sizes and rounds: all in about two minutes");
  add_device_option(*command, options->device);
  command
      ->add_option("--report", options->report,
                   "Leave a page (index.html), charts and measurements (studies.csv) in this folder")
      ->type_name("FOLDER");
  command->footer(
      "Each study prints its tables, published figures beside those of this device, and one sentence that is computed "
      "from the data. With --report, what studies.csv has for the same device and version is not measured again, so "
      "that an "
      "interrupted run goes on. Charts need gnuplot.\n\n"
      "Examples:\n"
      "  twiddle study crossover --device opencl\n"
      "  twiddle study --all --quick --report out/studies");
  command->callback([options] { run(*options); });
}

}  // namespace twiddle::tool
