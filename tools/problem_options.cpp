// Problems from the command line.
#include "problem_options.hpp"

#include <fmt/format.h>

#include "errors.hpp"
#include "options.hpp"

namespace twiddle::tool {

void add_problem_options(CLI::App& command, ProblemOptions& options) {
  command
      .add_option("PROBLEM", options.text,
                  "Lengths joined by 'x', the contiguous one last (1000, 1080x1920), for a complex transform in single "
                  "precision; or KIND:PRECISION:LENGTHS and options (r2c:f64:16*1000:inplace), see docs/problems.md")
      ->required();
  command.add_option("--batch", options.batch, "Number of arrays")->check(positive_number())->type_name("N");
  command.add_option("--axes", options.axes, "Axes to transform, such as 0 or 1,-1 (default: all)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  command.add_flag("--inverse", options.inverse, "The inverse transform");
  command.add_flag("--in-place", options.in_place, "Input and output are the same memory");
}

Problem problem_of(const ProblemOptions& options) {
  if (options.text.find(':') != std::string::npos) {
    if (options.batch != 1 || !options.axes.empty() || options.inverse || options.in_place) {
      throw UsageError(
          fmt::format("--batch, --axes, --inverse and --in-place are for plain lengths; in a problem such as "
                      "'{}' they are BATCH*LENGTHS, :axes=A,B, :inverse and :inplace",
                      options.text));
    }
    return parse_problem(options.text);
  }
  const std::vector<std::size_t> lengths = parse_lengths(options.text);
  Problem problem{
      .transform = {.lengths = lengths, .axes = resolve_axes(options.axes, lengths.size()), .batch = options.batch},
      .direction = options.inverse ? Direction::inverse : Direction::forward,
      .placement = options.in_place ? Placement::in_place : Placement::out_of_place};
  validate(problem.transform);
  return problem;
}

void add_kind_option(CLI::App& command, KindChoice& choice) {
  std::vector<std::pair<std::string, KindChoice>> kinds = {
      {"c2c", {Kind::c2c, false}}, {"r2c", {Kind::r2c, false}}, {"c2r", {Kind::r2c, true}}};
  for (const Kind kind :
       {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4, Kind::dht}) {
    kinds.push_back({std::string(to_string(kind)), {kind, false}});
  }
  add_choice_option<KindChoice>(
      command, "--kind", choice, kinds,
      "c2c (complex; the default), r2c (real to half of the frequencies), c2r (the way back), "
      "dct1 to dct4, dst1 to dst4, or dht (Hartley)");
}

}  // namespace twiddle::tool
