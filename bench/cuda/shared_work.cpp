// The options, and the end.
#include "shared_work.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <iostream>

namespace twiddle::bench {

void add_share_options(CLI::App& app, SharedWork& work, const std::string& items) {
  app.add_option("--first", work.first, fmt::format("begin with this one of the {} (default: 0)", items));
  app.add_option("--every", work.every, "and take every Nth, so that several processes share the list")
      ->check(CLI::PositiveNumber);
}

void add_shared_options(CLI::App& app, SharedWork& work, const std::string& items) {
  app.add_option("--device", work.device, "which one, such as cuda:1")->capture_default_str();
  app.add_option("--rounds", work.rounds, "turns of which the median counts")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_flag("--compile", work.compile_only, "only compile, for a later run that finds the kernels in the caches");
  add_share_options(app, work, items);
}

int run_program(CLI::App& app, int argc, char** argv, const std::function<bool()>& run) {
  CLI11_PARSE(app, argc, argv);
  try {
    return run() ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(std::cerr, "{}\n", error.what());
    return 1;
  }
}

}  // namespace twiddle::bench
