// A transform as commands take it: lengths and options, or a problem in the grammar of problem.hpp.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "twiddle/problem.hpp"

namespace twiddle::tool {

struct ProblemOptions {
  std::string text;  // "1080x1920", or "c2c:f32:1080x1920"
  std::size_t batch = 1;
  std::vector<int> axes{};
  bool inverse = false;
  bool in_place = false;
};

void add_problem_options(CLI::App& command, ProblemOptions& options);

// Throws UsageError, and InvalidArgument for what no transform can be.
[[nodiscard]] Problem problem_of(const ProblemOptions& options);

// A kind by its name on the command line, where c2r is the inverse of r2c.
struct KindChoice {
  Kind kind = Kind::c2c;
  bool inverse = false;
};

void add_kind_option(CLI::App& command, KindChoice& choice);

}  // namespace twiddle::tool
