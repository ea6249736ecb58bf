// Reading ways, and making programs of them.
#include "candidate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "plan/device/limits.hpp"
#include "plan/lower/axis_rule.hpp"
#include "plan/lower/lower.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/recipe/recipe.hpp"
#include "plan/shape/exchange_shape.hpp"
#include "plan/shape/joined_images.hpp"
#include "plan/shape/planes.hpp"
#include "plan/shape/store_together.hpp"
#include "plan/shape/summed_rows.hpp"
#include "plan/shape/way_back.hpp"
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

  // Of a stage or more.
  [[nodiscard]] const std::vector<plan::JoinedPart>& parts() const {
    return parts(std::max<std::size_t>(parts_.size(), 1));
  }

  // What is said under a name, which counts as asked for.
  std::optional<std::string> take(const std::string& name) {
    const auto node = settings_.extract(name);
    return node ? std::optional(node.mapped()) : std::nullopt;
  }
  std::optional<std::uint32_t> take_number(const std::string& name) {
    const auto text = take(name);
    return text ? std::optional(number_of<std::uint32_t>(*text, name)) : std::nullopt;
  }
  std::uint32_t take_number(const std::string& name, std::uint32_t otherwise) {
    return take_number(name).value_or(otherwise);
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

// What a way may say of its stages' shapes, of all alike.
struct Settings {
  explicit Settings(Way& way)
      : registers(way.take_number("registers", 0)),
        vector(way.take_number("vector")),
        roots(way.take_number("roots")),
        fetch(way.take_number("fetch")),
        cluster(way.take_number("cluster")),
        column_roots(way.take_either("twiddle", "column", "gathered")),
        past_cache(way.take_either("cache", "past", "usual")),
        split(way.take_either("exchange", "split", "complex")),
        together(way.take_either("store", "together", "apart")),
        same_way_back(way.take_either("back", "same", "mirrored")) {}
  std::uint32_t registers;
  std::optional<std::uint32_t> vector;
  std::optional<std::uint32_t> roots;
  std::optional<std::uint32_t> fetch;
  std::optional<std::uint32_t> cluster;
  std::optional<bool> column_roots;
  std::optional<bool> past_cache;
  std::optional<bool> split;
  std::optional<bool> together;
  std::optional<bool> same_way_back;
};

// Whether a group of the device holds the stage so.
bool take_shape(plan::Stage& stage, const plan::JoinedPart& part, const Settings& settings,
                const DeviceLimits& limits) {
  const std::uint64_t points = plan::product(part.radices);
  if (points == stage.length) stage.convolution.reset();
  if (points != stage.length && !stage.convolution) stage.convolution.emplace();
  if (stage.convolution && points != stage.convolution->points) {
    const bool rader = points + 1 == stage.length && plan::prime_factors(stage.length).size() == 1;
    stage.convolution->algorithm =
        rader ? plan::Convolution::Algorithm::rader : plan::Convolution::Algorithm::bluestein;
    stage.convolution->points = points;
    if (!rader && points < stage.convolution->least_points(stage.length)) return false;
  }
  if (points != plan::chip_points(stage)) return false;
  const bool alone = part.radices.size() == 1;
  plan::take_passes(stage, part.radices);
  plan::KernelShape& shape = stage.shape;
  if (alone && part.items > 1) {
    const bool summed = part.items == points && part.transforms == 1 && plan::may_be_summed(stage);
    const bool dependent_launch = shape.dependent_launch;
    if (summed) shape = plan::summed_shape(stage);
    shape.dependent_launch = dependent_launch;
    return summed && points <= limits.max_group_size;
  }
  // A line that one item transforms whole passes through local memory otherwise than one of several items.
  if (alone ? shape.load == plan::KernelShape::Lanes::elements : shape.stage_through_local) {
    shape.stage_through_local = alone;
    shape.exchange = Exchange::complex;
  }
  shape.items_per_transform = part.items;
  shape.transforms_per_group = part.transforms;
  shape.registers = settings.registers;
  shape.vector = settings.vector.value_or(shape.vector);
  shape.root_step = settings.roots.value_or(shape.root_step);
  shape.column_roots = settings.column_roots.value_or(shape.column_roots);
  shape.groups_per_transform = settings.cluster.value_or(shape.groups_per_transform);
  if (settings.fetch) {
    shape.prefetch = *settings.fetch != 0;
    shape.groups = *settings.fetch * static_cast<std::uint32_t>(limits.compute_units);
  }
  shape.past_cache = settings.past_cache.value_or(shape.past_cache);
  if (settings.split) shape.exchange = *settings.split ? Exchange::split : Exchange::complex;
  if (shape.exchange != Exchange::none) shape.padding = plan::preferred_padding(stage, shape);
  shape.stores_together = settings.together.value_or(shape.stores_together);
  if (shape.stores_together && !plan::may_store_together(stage, shape)) return false;
  const bool may_go_back_alike = plan::may_go_back_alike(stage, shape);
  shape.same_way_back = settings.same_way_back.value_or(shape.same_way_back && may_go_back_alike);
  if (shape.same_way_back && !may_go_back_alike) return false;
  const std::uint64_t fetched = shape.prefetch ? points * part.transforms * 2 * sizeof(float) : 0;
  return plan::group_items(shape) <= limits.max_group_size &&
         fetched + plan::exchange_size(stage, shape) / shape.groups_per_transform <= limits.local_memory;
}

// A stage of the program in another shape, which no other stage depends on.
std::optional<plan::Program> with_stage(plan::Program program, std::size_t index, Way& way,
                                        const DeviceLimits& limits) {
  const Settings settings(way);
  if (index >= program.stages.size()) return std::nullopt;
  if (!take_shape(program.stages[index], way.parts(1).front(), settings, limits)) return std::nullopt;
  return program;
}

// Lines divided into parts of these passes, if those are all that is transformed; of half the points where they are
// halved.
std::optional<plan::Program> divided(const Problem& problem, const std::vector<plan::JoinedPart>& parts,
                                     const DeviceLimits& limits, bool halved = false) {
  plan::Recipe recipe = plan::make_recipe(problem.transform, limits);
  if (recipe.axes.size() != 1) return std::nullopt;
  plan::Recipe::Axis& axis = recipe.axes.front();
  if (halved && !plan::can_be_halved(problem.transform, axis.axis)) return std::nullopt;
  if (halved) axis.form = plan::LineForm::halved;
  const std::size_t points = plan::axis_points(problem.transform, axis.axis, axis.form, limits);
  std::vector<std::vector<unsigned>> passes;
  for (const plan::JoinedPart& part : parts) passes.push_back(part.radices);
  axis.line = plan::in_stages(std::move(passes));
  if (axis.line.length != points) return std::nullopt;
  return plan::lower_apart(recipe, problem.transform, problem.direction, problem.placement, limits);
}

// By Bluestein's algorithm through memory, of these columns and rows. The rows go there and back in one stage.
std::optional<plan::Program> with_padding(const Problem& problem, Way& way, const DeviceLimits& limits) {
  const auto& parts = way.parts(2);
  const Settings settings(way);
  plan::Recipe recipe = plan::make_recipe(problem.transform, limits);
  if (recipe.axes.size() != 1) return std::nullopt;
  plan::LineRecipe& line = recipe.axes.front().line;
  auto* const bluestein = std::get_if<plan::Bluestein>(&line.algorithm);
  const plan::LineRecipe padded = plan::in_stages({parts[0].radices, parts[1].radices});
  if (bluestein == nullptr || padded.length < plan::bluestein_points(line.length, line.length)) return std::nullopt;
  *bluestein = {std::make_shared<const plan::LineRecipe>(padded), true};
  std::optional<std::uint64_t> most_scratch;
  if (const auto mebibytes = way.take_number("scratch")) most_scratch = std::uint64_t{*mebibytes} << 20;
  plan::Program program =
      plan::lower_apart(recipe, problem.transform, problem.direction, problem.placement, limits, most_scratch);
  for (plan::Stage& stage : program.stages) {
    const bool transforms = !stage.radices.empty();
    const auto& part = stage.returns ? parts[1] : parts[0];
    if (transforms && !take_shape(stage, part, settings, plan::limits_for(limits, problem.transform.precision))) {
      return std::nullopt;
    }
  }
  return program;
}

// In a launch for each part.
std::optional<plan::Program> with_division(const Problem& problem, Way& way, const DeviceLimits& limits) {
  const auto& parts = way.parts();
  const Settings settings(way);
  const bool halved = way.take_either("form", "halved", "usual").value_or(false);
  std::optional<plan::Program> program = divided(problem, parts, limits, halved);
  if (!program || program->stages.size() != parts.size()) return std::nullopt;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!take_shape(program->stages[i], parts[i], settings, plan::limits_for(limits, problem.transform.precision))) {
      return std::nullopt;
    }
  }
  return program;
}

// By the definition.
plan::Program direct(const Problem& problem, DeviceLimits limits) {
  limits.strategy.algorithm = Strategy::Algorithm::direct;
  return plan::lower(plan::make_recipe(problem.transform, limits), problem.transform, problem.direction,
                     problem.placement, limits);
}

// Both stages in one launch.
std::optional<plan::Program> with_lines(const Problem& problem, Way& way, const DeviceLimits& limits) {
  const auto& parts = way.parts(2);
  const plan::JoinedChoice choice{parts[0],
                                  parts[1],
                                  way.take_number("registers", 0),
                                  way.take_number("groups", 1),
                                  way.take_number("ring", 0),
                                  way.take_number("lag", 0)};
  const std::optional<plan::Program> program = divided(problem, parts, limits);
  if (!program) return std::nullopt;
  return plan::with_joined_lines(*program, problem.placement, choice,
                                 plan::limits_for(limits, problem.transform.precision));
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
  const auto in_launches_apart = [&] {
    return plan::lower_apart(plan::make_recipe(problem.transform, limits), problem.transform, problem.direction,
                             problem.placement, limits);
  };
  Way way(candidate.way);
  const std::size_t first = way.take_number("first", 0);
  std::optional<plan::Program> result;
  if (way.kind() == "images") {
    const auto& parts = way.parts(2);
    const plan::ImageChoice choice{parts[0], parts[1], way.take_number("registers", 0), way.take_number("groups", 1),
                                   way.take_number("ahead", 0)};
    result = plan::with_joined_images(in_launches_apart(), problem.placement, first, choice, scaled);
  } else if (way.kind() == "planes") {
    const auto& parts = way.parts(2);
    const plan::PlaneChoice choice{{parts[0].radices, parts[0].items},
                                   {parts[1].radices, parts[1].items},
                                   way.take_number("registers", 0),
                                   way.take_either("exchange", "split", "complex").value_or(false)};
    result = plan::with_planes(in_launches_apart(), problem.placement, first, choice, scaled);
  } else if (way.kind() == "lines") {
    result = with_lines(problem, way, limits);
  } else if (way.kind() == "divided") {
    result = with_division(problem, way, limits);
  } else if (way.kind() == "padded") {
    result = with_padding(problem, way, limits);
  } else if (way.kind() == "stage") {
    result = with_stage(in_launches_apart(), first, way, scaled);
  } else if (way.kind() == "direct") {
    result = direct(problem, limits);
  } else if (way.kind() == "apart") {
    result = in_launches_apart();
  } else {
    throw InvalidArgument(fmt::format(
        "'{}' is no way; expected lines, divided, padded, images, planes, stage, direct or apart", way.kind()));
  }
  way.expect_nothing_else();
  if (result) return std::move(*result);
  throw Unsupported(
      fmt::format("the stages of {}, or the device's groups, do not allow '{}'", to_string(problem), candidate.way));
}

}  // namespace twiddle::bench
