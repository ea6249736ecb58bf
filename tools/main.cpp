// The twiddle command: picks the command, and turns every failure into a message and an exit code.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "commands.hpp"
#include "errors.hpp"
#include "twiddle/error.hpp"

namespace {

using namespace twiddle;

int fail(int code, const char* message) {
  fmt::print(stderr, "twiddle: {}\n", message);
  return code;
}

// A first word that is no command deserves better than "A subcommand is required".
void check_command(const CLI::App& app, const char* word) {
  if (word[0] == '-') return;
  std::string names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == word) return;
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  throw tool::UsageError(fmt::format("there is no command '{}'; expected one of {}", word, names));
}

int run(int argc, char** argv) {
  CLI::App app("Fourier transforms, convolutions and filters on the CPU, CUDA and OpenCL devices.", "twiddle");
  app.require_subcommand(1);
  app.set_version_flag("--version", "twiddle " TWIDDLE_VERSION);
  app.get_formatter()->column_width(34);
  tool::add_filter_command(app);
  tool::add_convolve_command(app);
  tool::add_spectrum_command(app);
  tool::add_fft_command(app);
  tool::add_devices_command(app);
  tool::add_plan_command(app);
  tool::add_kernel_command(app);
  tool::add_good_size_command(app);
  tool::add_verify_command(app);
  tool::add_bench_command(app);
  tool::add_study_command(app);
  tool::add_tune_command(app);
  app.footer(
      "Exit codes: 0 done, 2 wrong arguments, 1 anything else. `twiddle COMMAND --help` explains a command and gives "
      "examples.");
  if (argc > 1) check_command(app, argv[1]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    const auto chosen = app.get_subcommands();
    const std::string command = chosen.empty() ? "twiddle" : "twiddle " + chosen.front()->get_name();
    return fail(tool::exit_usage, fmt::format("{}\nRun `{} --help` for usage.", error.what(), command).c_str());
  }
  if (std::fflush(stdout) != 0) throw tool::FileError("cannot write to standard output");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);  // files beyond the user's limit fail like a full disk
#endif
  try {
    return run(argc, argv);
  } catch (const tool::UsageError& error) {
    return fail(tool::exit_usage, error.what());
  } catch (const InvalidArgument& error) {
    return fail(tool::exit_usage, error.what());
  } catch (const std::bad_alloc&) {
    return fail(tool::exit_failure, "not enough memory");
  } catch (const std::exception& error) {
    return fail(tool::exit_failure, error.what());
  }
}
