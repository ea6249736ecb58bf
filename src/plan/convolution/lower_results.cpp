// Copies whose hook finds neighbours, and results of other filters, in the same memory.
#include "plan/convolution/lower_results.hpp"

#include <fmt/format.h>

#include <memory>

#include "plan/convolution/filter_bank.hpp"
#include "twiddle/error.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::plan {
namespace {

using Function = PostProcessing::Function;

// "y(at)", a complex number.
std::string result_at(const twiddle::Convolution& convolution, const std::string& place) {
  if (convolution.complex) return fmt::format("((TW_GLOBAL const TW_COMPLEX*)user)[{}]", place);
  return fmt::format("TW_MAKE(((TW_GLOBAL const TW_REAL*)user)[{}], 0)", place);
}

// Statements that declare `made`, what the function makes of the result `at`; `between` of what interbinning puts
// behind it.
std::string function_text(const twiddle::Convolution& convolution, bool between) {
  const auto y = [&](const char* place) { return result_at(convolution, place); };
  const std::string here = fmt::format("const TW_COMPLEX here = {};\n", y("at"));
  const char* const power = "TW_MAKE({0}.x * {0}.x + {0}.y * {0}.y, 0)";
  switch (convolution.post.function) {
    case Function::none:
      break;
    case Function::power:
      return here + fmt::format("const TW_COMPLEX made = {};\n", fmt::format(fmt::runtime(power), "here"));
    case Function::magnitude:
      return here + (convolution.complex
                         ? "const TW_COMPLEX made = TW_MAKE(sqrt(here.x * here.x + here.y * here.y), 0);\n"
                         : "const TW_COMPLEX made = TW_MAKE(fabs(here.x), 0);\n");
    case Function::derivative:
      return fmt::format(
          "const TW_COMPLEX before = {};\nconst TW_COMPLEX behind = {};\n"
          "const TW_COMPLEX made = TW_MAKE((behind.x - before.x) / 2, (behind.y - before.y) / 2);\n",
          y("at - 1"), y("at + 1"));
    case Function::interbin_pi_4:
    case Function::interbin_2_pi:
      if (!between)
        return here + fmt::format("const TW_COMPLEX made = {};\n", fmt::format(fmt::runtime(power), "here"));
      return here +
             fmt::format(
                 "const TW_COMPLEX behind = {};\n"
                 "const TW_COMPLEX change = TW_MAKE(here.x - behind.x, here.y - behind.y);\n"
                 "const TW_COMPLEX made = TW_MAKE(parameters[0] * (change.x * change.x + change.y * change.y), 0);\n",
                 y("at + 1"));
  }
  return here + "const TW_COMPLEX made = here;\n";
}

// The user's own function of neighbours; what they are was convolved in lines of so many elements, of which `stored`
// are kept. Its names stand in blocks of their own.
std::shared_ptr<const Hook> neighbour_hook(const twiddle::Convolution& convolution, std::int64_t wide,
                                           std::int64_t stored) {
  const Hook& own = *convolution.store_hook;
  if (own.source.empty()) {
    throw Unsupported(
        "the store hook has no source text, which devices need; the host can call its neighbour_function");
  }
  auto hook = std::make_shared<Hook>();
  hook->parameters = own.parameters;
  hook->source = fmt::format(
      "const TW_INDEX stored = index / {0} * {1} + (index % {0} - {2}) / {3};\n"
      "TW_COMPLEX all[{4}];\nfor (TW_INDEX d = 0; d < {4}; ++d) {{\nconst TW_INDEX at = index + d - {2};\n{5}"
      "all[d] = made;\n}}\nvalue = all[{2}];\n"
      "{{\nconst TW_COMPLEX* const neighbours = all + {2};\nconst TW_INDEX index = stored;\n{6}\n}}",
      wide, stored, own.left, convolution.post.decimation, own.left + 1 + own.right, function_text(convolution, false),
      own.source);
  return hook;
}

// `distance`: from a filter's results to the next one's.
std::shared_ptr<const Hook> result_hook(const twiddle::Convolution& convolution, std::uint64_t distance, bool between,
                                        bool winner) {
  auto hook = std::make_shared<Hook>();
  const long double factor = interbin_factor(convolution.post.function);
  hook->parameters = {static_cast<double>(factor * factor)};
  hook->source = fmt::format(
      "TW_COMPLEX best = TW_MAKE(0, 0);\nTW_REAL winner = 0;\n"
      "for (TW_INDEX filter = 0; filter < {}; ++filter) {{\nconst TW_INDEX at = index + filter * {};\n{}"
      "if (filter == 0 || made.x > best.x) {{\nbest = made;\nwinner = (TW_REAL)filter;\n}}\n}}\nvalue = {};",
      convolution.post.maximum ? convolution.filters : 1, distance, function_text(convolution, between),
      winner ? "TW_MAKE(winner, 0)" : "best");
  return hook;
}

}  // namespace

Program lower_results(const twiddle::Convolution& convolution) {
  const PostProcessing& post = convolution.post;
  const std::vector<std::size_t> convolved = convolved_lengths(convolution);
  const Halo halo = halo_of(convolution);
  const auto left = static_cast<std::int64_t>(halo.left);
  const auto wide = left + static_cast<std::int64_t>(convolved.back() + halo.right);
  const auto stored = static_cast<std::int64_t>(output_lengths(convolution).back());
  std::uint64_t lines = 1;
  for (std::size_t axis = 0; axis + 1 < convolved.size(); ++axis) lines *= convolved[axis];
  const auto filters = static_cast<std::int64_t>(convolution.filters);
  const std::int64_t read = static_cast<std::int64_t>(lines) * wide;
  const std::int64_t written = static_cast<std::int64_t>(lines) * stored;
  const int turns = interbins(post.function) ? 2 : 1;
  Program program;
  for (int winner = 0; winner < (post.maximum ? 2 : 1); ++winner) {
    for (int between = 0; between < turns; ++between) {
      Stage stage;
      stage.precision = convolution.precision;
      stage.input_storage = interleaved_or_real(convolution.complex, convolution.precision);
      stage.output_storage = interleaved_or_real(has_complex_output(convolution), convolution.precision);
      stage.input_offset = left;
      stage.output_offset = between + winner * static_cast<std::int64_t>(convolution.signals) * written;
      stage.loops = {{static_cast<std::uint64_t>(stored / turns), static_cast<std::int64_t>(post.decimation), turns},
                     {lines, wide, stored},
                     {post.maximum ? 1 : convolution.filters, read, written},
                     {convolution.signals, filters * read, (post.maximum ? 1 : filters) * written}};
      const bool neighbours = convolution.store_hook && reads_neighbours(*convolution.store_hook);
      stage.load_hook =
          StageHook{neighbours ? neighbour_hook(convolution, wide, stored)
                               : result_hook(convolution, static_cast<std::uint64_t>(read), between != 0, winner != 0),
                    1};
      if (convolution.store_hook && !neighbours) stage.store_hook = StageHook{convolution.store_hook, 1};
      stage.step = winner != 0 ? "filters of the largest results" : "results";
      tidy_loops(stage);
      program.stages.push_back(std::move(stage));
    }
  }
  return program;
}

}  // namespace twiddle::plan
