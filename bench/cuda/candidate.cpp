// Reading ways, and making programs of them.
#include "candidate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "plan/axis_rule.hpp"
#include "plan/exchange_shape.hpp"
#include "plan/joined_images.hpp"
#include "plan/limits.hpp"
#include "plan/lower.hpp"
#include "plan/planes.hpp"
#include "plan/radices.hpp"
#include "plan/recipe.hpp"
#include "twiddle/error.hpp"

namespace twiddle::bench {
namespace {

using Exchange = plan::KernelShape::Exchange;

template <class Number>
Number number_of(std::string_view text, std::string_view what) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  throw InvalidArgument(fmt::format("{} is '{}'; expected a number", what, text));
}

// A candidate's second part, taken to pieces.
class Way {
 public:
  explicit Way(const std::string& text) {
    std::istringstream words(text);
    words >> kind_;
    for (std::string word; words >> word;) {
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos) parts_.push_back(parse_part(word));
      if (equals != std::string::npos) settings_[word.substr(0, equals)] = word.substr(equals + 1);
    }
  }

  [[nodiscard]] const std::string& kind() const { return kind_; }

  // Of a stage. Throws unless there are so many.
  [[nodiscard]] const std::vector<plan::JoinedPart>& parts(std::size_t count) const {
    if (parts_.size() == count) return parts_;
    throw InvalidArgument(
        fmt::format("a way by {} has the passes of {} stages; expected {}", kind_, parts_.size(), count));
  }

  // What is said under a name, which counts as asked for.
  std::optional<std::string> take(const std::string& name) {
    const auto node = settings_.extract(name);
    return node ? std::optional(node.mapped()) : std::nullopt;
  }
  std::uint32_t take_number(const std::string& name, std::uint32_t otherwise) {
    const auto text = take(name);
    return text ? number_of<std::uint32_t>(*text, name) : otherwise;
  }
  std::optional<bool> take_either(const std::string& name, std::string_view yes, std::string_view no) {
    const auto text = take(name);
    if (!text) return std::nullopt;
    if (*text == yes || *text == no) return *text == yes;
    throw InvalidArgument(fmt::format("{} is '{}'; expected {} or {}", name, *text, yes, no));
  }

  // Throws for what was not asked for.
  void expect_nothing_else() const {
    if (settings_.empty()) return;
    throw InvalidArgument(fmt::format("a way by {} knows no '{}'", kind_, settings_.begin()->first));
  }

 private:
  // "16.16/16x8": passes, work-items of a line, lines of a group (without: 1).
  static plan::JoinedPart parse_part(const std::string& word) {
    const std::size_t slash = word.find('/');
    if (slash == std::string::npos) {
      throw InvalidArgument(fmt::format("'{}' are no passes; expected such as 16.16/16x8", word));
    }
    plan::JoinedPart part;
    std::istringstream radices(word.substr(0, slash));
    for (std::string radix; std::getline(radices, radix, '.');) {
      part.radices.push_back(number_of<unsigned>(radix, "a radix"));
    }
    const std::size_t times = word.find('x', slash);
    part.items = number_of<std::uint32_t>(word.substr(slash + 1, times - slash - 1), "the work-items");
    part.transforms =
        times == std::string::npos ? 1 : number_of<std::uint32_t>(word.substr(times + 1), "the lines of a group");
    if (part.items == 0 || part.transforms == 0) {
      throw InvalidArgument(fmt::format("'{}' has a group of no work-items", word));
    }
    return part;
  }

  std::string kind_;
  std::vector<plan::JoinedPart> parts_;
  std::map<std::string, std::string> settings_;
};

// A stage of the program in another shape, which no other stage depends on.
std::optional<plan::Program> with_stage(plan::Program program, std::size_t index, Way& way,
                                        const DeviceLimits& limits) {
  if (index >= program.stages.size()) return std::nullopt;
  const plan::JoinedPart& part = way.parts(1).front();
  plan::Stage& stage = program.stages[index];
  if (plan::product(part.radices) != plan::chip_points(stage)) return std::nullopt;
  if (part.radices.size() == 1 && part.items > 1) return std::nullopt;
  plan::take_passes(stage, part.radices);
  plan::KernelShape& shape = stage.shape;
  // A line that one item has transformed whole passes through local memory otherwise than one of several items.
  if (part.radices.size() > 1 && shape.stage_through_local) {
    shape.stage_through_local = false;
    shape.exchange = Exchange::complex;
  }
  shape.items_per_transform = part.items;
  shape.transforms_per_group = part.transforms;
  shape.registers = way.take_number("registers", 0);
  shape.vector = way.take_number("vector", shape.vector);
  shape.root_step = way.take_number("roots", shape.root_step);
  shape.past_cache = way.take_either("cache", "past", "usual").value_or(shape.past_cache);
  if (const auto split = way.take_either("exchange", "split", "complex")) {
    shape.exchange = *split ? Exchange::split : Exchange::complex;
  }
  if (shape.exchange != Exchange::none) shape.padding = plan::preferred_padding(stage, shape);
  const bool fits =
      plan::group_items(shape) <= limits.max_group_size && plan::exchange_size(stage, shape) <= limits.local_memory;
  return fits ? std::optional(program) : std::nullopt;
}

// Lines divided into columns and rows of these passes, both stages in one launch.
std::optional<plan::Program> with_lines(const Problem& problem, Way& way, const DeviceLimits& limits) {
  const auto& parts = way.parts(2);
  const plan::JoinedChoice choice{parts[0],
                                  parts[1],
                                  way.take_number("registers", 0),
                                  way.take_number("groups", 1),
                                  way.take_number("ring", 0),
                                  way.take_number("lag", 0)};
  plan::Recipe recipe = plan::make_recipe(problem.transform, limits);
  if (recipe.axes.size() != 1) return std::nullopt;
  recipe.axes.front().line = plan::in_two_stages(choice.columns.radices, choice.rows.radices);
  if (const std::size_t points = recipe.axes.front().line.length;
      points !=
      plan::axis_points(problem.transform, recipe.axes.front().axis, recipe.axes.front().form, limits.strategy)) {
    return std::nullopt;
  }
  return plan::with_joined_lines(
      plan::lower_apart(recipe, problem.transform, problem.direction, problem.placement, limits), problem.placement,
      choice, plan::limits_for(limits, problem.transform.precision));
}

}  // namespace

Candidate parse_candidate(std::string_view line) {
  const std::size_t space = std::min(line.find(' '), line.size());
  const std::size_t way = std::min(line.find_first_not_of(' ', space), line.size());
  return {parse_problem(line.substr(0, space)), std::string(line.substr(way))};
}

std::vector<Candidate> read_candidates(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error(fmt::format("cannot read {}", file));
  std::vector<Candidate> candidates;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line.front() != '#') candidates.push_back(parse_candidate(line));
  }
  return candidates;
}

plan::Program candidate_program(const Candidate& candidate, const DeviceLimits& limits) {
  const Problem& problem = candidate.problem;
  const DeviceLimits scaled = plan::limits_for(limits, problem.transform.precision);
  plan::Program program = plan::lower_apart(plan::make_recipe(problem.transform, limits), problem.transform,
                                            problem.direction, problem.placement, limits);
  Way way(candidate.way);
  const std::size_t first = way.take_number("first", 0);
  std::optional<plan::Program> result;
  if (way.kind() == "images") {
    const auto& parts = way.parts(2);
    const plan::ImageChoice choice{parts[0], parts[1], way.take_number("registers", 0), way.take_number("groups", 1),
                                   way.take_number("ahead", 0)};
    result = plan::with_joined_images(std::move(program), problem.placement, first, choice, scaled);
  } else if (way.kind() == "planes") {
    const auto& parts = way.parts(2);
    const plan::PlaneChoice choice{{parts[0].radices, parts[0].items},
                                   {parts[1].radices, parts[1].items},
                                   way.take_number("registers", 0),
                                   way.take_either("exchange", "split", "complex").value_or(false)};
    result = plan::with_planes(std::move(program), problem.placement, first, choice, scaled);
  } else if (way.kind() == "lines") {
    result = with_lines(problem, way, limits);
  } else if (way.kind() == "stage") {
    result = with_stage(std::move(program), first, way, scaled);
  } else if (way.kind() == "apart") {
    result = std::move(program);
  } else {
    throw InvalidArgument(fmt::format("'{}' is no way; expected lines, images, planes, stage or apart", way.kind()));
  }
  way.expect_nothing_else();
  if (result) return std::move(*result);
  throw Unsupported(
      fmt::format("the stages of {}, or the device's groups, do not allow '{}'", to_string(problem), candidate.way));
}

}  // namespace twiddle::bench
