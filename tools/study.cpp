// twiddle study: measures published studies again on a device, and reports tables, charts and what they say.
#include "study.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "device_facts.hpp"
#include "errors.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "study_report.hpp"
#include "study_results.hpp"
#include "twiddle/error.hpp"

namespace twiddle::tool {
namespace {

using studies::Identity;
using studies::Study;
using studies::StudyResults;

constexpr const char* measured_fact = "measured";

struct StudyOptions {
  std::vector<std::string> names{};
  bool all = false;
  bool quick = false;
  bool redraw = false;
  std::string device{};
  std::string report{};  // folder; empty: none
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

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw FileError(fmt::format("cannot make the folder {}: {}", folder, error.message()));
}

// A trial that the device cannot do, or does wrong, is no reason to lose the others.
std::vector<studies::Sample> measure(const Study& study, const studies::Setting& setting, const studies::Trial& trial) {
  const auto complain = [&](const std::exception& error) -> std::vector<studies::Sample> {
    return {{trial.part, trial.x, fmt::format("{:.0f} {}", trial.x, study.x_name), {}, error.what()}};
  };
  try {
    return study.measure(setting, trial);
  } catch (const Unsupported& error) {
    return complain(error);
  } catch (const DeviceError& error) {
    return complain(error);
  }
}

std::vector<studies::Sample> measure_all(const Study& study, const studies::Setting& setting, StudyResults& results) {
  const std::vector<studies::Trial> trials = study.trials(setting);
  std::vector<studies::Sample> all;
  Progress progress(trials.size());
  for (const studies::Trial& trial : trials) {
    progress.step(fmt::format("{}: {}, {:.0f} {}", study.name, trial.part, trial.x, study.x_name));
    if (results.find(study, trial).empty()) results.add(study, measure(study, setting, trial));
    const auto samples = results.find(study, trial);
    all.insert(all.end(), samples.begin(), samples.end());
  }
  return all;
}

// That of the file which is meant: the only one, or the one whose device is named so.
Identity chosen_identity(const StudyOptions& options, const std::string& file) {
  std::vector<Identity> found = StudyResults::identities(file);
  std::erase_if(found, [&](const Identity& one) { return !one.device.starts_with(options.device); });
  if (options.quick) std::erase_if(found, [](const Identity& one) { return !one.quick; });
  if (found.size() == 1) return found.front();
  std::string list;
  for (const Identity& one : found) {
    list += fmt::format("\n  {}, version {}{}", one.device, one.version, one.quick ? ", --quick" : "");
  }
  throw UsageError(fmt::format("{} has measurements of {} such devices; expected one{}{}", file, found.size(),
                               found.empty() ? "" : ", chosen by --device and --quick among", list));
}

void finish(const StudyOptions& options, const Identity& identity, const StudyResults& results,
            const std::vector<StudyOutcome>& outcomes) {
  std::size_t wrong = 0;
  for (const StudyOutcome& outcome : outcomes) {
    for (const studies::Sample& sample : outcome.samples) wrong += studies::is_wrong(sample) ? 1 : 0;
  }
  if (!options.report.empty()) {
    StudyReport report{
        .title = fmt::format("twiddle {} on {}{}", identity.version, identity.device, identity.quick ? ", quick" : ""),
        .date = {},
        .facts = results.facts(),
        .outcomes = outcomes};
    for (const auto& [name, value] : report.facts) {
      if (name == measured_fact) report.date = value;
    }
    write_report(report, options.report);
  }
  if (wrong > 0) throw DeviceError(fmt::format("{} results are wrong: see above", wrong));
}

void redraw(const StudyOptions& options) {
  if (options.report.empty()) throw UsageError("--redraw needs a folder that a run has left: say --report FOLDER");
  const std::string file = path_in(options.report, "studies.csv");
  const Identity identity = chosen_identity(options, file);
  const StudyResults results(file, identity);
  StudyOptions wanted = options;
  wanted.all = options.names.empty();
  fmt::print("{}\n\n", identity.device);
  std::vector<StudyOutcome> outcomes;
  for (const Study* const study : chosen_studies(wanted)) {
    outcomes.push_back({study, "", results.find(*study)});
    if (outcomes.back().samples.empty()) outcomes.back().obstacle = "not measured";
    print(outcomes.back());
  }
  finish(options, identity, results, outcomes);
}

void run(const StudyOptions& options) {
  if (options.redraw) return redraw(options);
  const std::vector<const Study*> chosen = chosen_studies(options);
  const studies::Setting setting{open_device(options.device), options.quick};
  const DeviceInfo& info = setting.device.info();
  if (chosen.size() == 1) {
    const auto obstacle = chosen.front()->obstacle(setting.device);
    if (obstacle) throw Unsupported(fmt::format("{}: {}", chosen.front()->name, *obstacle));
  }
  if (!options.report.empty()) make_folder(options.report);
  const Identity identity{describe(info), TWIDDLE_VERSION, options.quick};
  StudyResults results(path_in(options.report, "studies.csv"), identity);
  results.add_fact(measured_fact, fmt::format("{:%Y-%m-%d} UTC", fmt::gmtime(std::time(nullptr))));
  for (const auto& [name, value] : device_facts(info)) results.add_fact(name, value);
  fmt::print("{}\n\n", identity.device);
  std::vector<StudyOutcome> outcomes;
  for (const Study* const study : chosen) {
    outcomes.push_back({study, study->obstacle(setting.device).value_or("")});
    if (outcomes.back().obstacle.empty()) outcomes.back().samples = measure_all(*study, setting, results);
    print(outcomes.back());
    std::fflush(stdout);  // what is finished is worth reading while the next one runs
  }
  finish(options, identity, results, outcomes);
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
  command->add_flag("--quick", options->quick, "Fewer sizes and rounds: all in less than two minutes");
  add_device_option(*command, options->device);
  command
      ->add_option("--report", options->report,
                   "Leave a page (index.html), charts and measurements (studies.csv) in this folder")
      ->type_name("FOLDER");
  command->add_flag("--redraw", options->redraw,
                    "Measure nothing: make the report again from its studies.csv, of whatever machine that is");
  command->footer(
      "Each study prints its tables, published figures beside those of this device, and one sentence that is computed "
      "from the data. With --report, what studies.csv has for the same device and version is not measured again, so "
      "that an interrupted run goes on. Charts need gnuplot.\n\n"
      "Examples:\n"
      "  twiddle study crossover --device opencl\n"
      "  twiddle study --all --quick --report out/studies");
  command->callback([options] { run(*options); });
}

}  // namespace twiddle::tool
