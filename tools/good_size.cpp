// twiddle good-size: the next length that is fast.
#include "twiddle/good_size.hpp"

#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "options.hpp"
#include "problem_options.hpp"

namespace twiddle::tool {
namespace {

struct GoodSizeOptions {
  std::size_t length = 1;
  KindChoice kind;
};

}  // namespace

void add_good_size_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("good-size", "Print the next length that is fast");
  const auto options = std::make_shared<GoodSizeOptions>();
  command->add_option("N", options->length, "Length from which on to look, of real data for r2c and c2r")
      ->required()
      ->check(positive_number());
  add_kind_option(*command, options->kind);
  command->footer(
      "Examples:\n"
      "  twiddle good-size 1021\n"
      "  twiddle good-size 999999 --kind r2c");
  command->callback([options] { fmt::print("{}\n", good_size(options->length, options->kind.kind)); });
}

}  // namespace twiddle::tool
