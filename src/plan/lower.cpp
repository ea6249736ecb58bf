// Lowering: every algorithm becomes stages of strided short transforms.
#include "plan/lower.hpp"

#include <algorithm>
#include <complex>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "plan/place.hpp"
#include "plan/shape.hpp"

namespace twiddle::plan {
namespace {

// One transform along an axis: where its elements are, and which such lines there are.
struct Line {
  std::int64_t input_stride;
  std::int64_t output_stride;
  std::vector<Loop> loops;
};

struct Leaf {  // a part of a line that one stage transforms
  std::size_t length;
  std::vector<unsigned> radices;
};

// The parts of a line in order of execution, and whether each is one Stockham pass of a staged plan.
std::vector<Leaf> leaves(const LineRecipe& line) {
  if (const auto* stockham = std::get_if<Stockham>(&line.algorithm)) return {{line.length, stockham->radices}};
  if (const auto* staged = std::get_if<Staged>(&line.algorithm)) {
    std::vector<Leaf> parts;
    for (unsigned radix : staged->radices) parts.push_back({radix, {radix}});
    return parts;
  }
  if (const auto* four_step = std::get_if<FourStep>(&line.algorithm)) {
    std::vector<Leaf> parts = leaves(*four_step->columns);
    for (Leaf& part : leaves(*four_step->rows)) parts.push_back(std::move(part));
    return parts;
  }
  return {};
}

std::int64_t as_stride(std::uint64_t n) { return static_cast<std::int64_t>(n); }

std::vector<Loop> closest_first(std::vector<Loop> loops) {
  std::stable_sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) {
    return std::abs(a.input_stride) < std::abs(b.input_stride);
  });
  return loops;
}

class Lowering {
 public:
  Lowering(const Transform& transform, Direction direction) : transform_(transform), direction_(direction) {}

  void axis(const Recipe::Axis& axis, std::uint64_t inner) {
    prefix_ = fmt::format("axis {}", axis.axis);
    whole_ = axis.line.length;
    const auto stride = as_stride(inner);
    const std::uint64_t outer = total_elements(transform_) / inner / whole_;
    const std::int64_t outer_stride = stride * as_stride(whole_);
    Line line{stride, stride, {{inner, 1, 1}, {outer, outer_stride, outer_stride}}};
    if (const auto* bluestein = std::get_if<Bluestein>(&axis.line.algorithm)) {
      emit_bluestein(line, axis.line.length, *bluestein->padded);
    } else if (std::holds_alternative<Staged>(axis.line.algorithm)) {
      emit_staged(line, leaves(axis.line));
    } else {
      emit_ordered(line, leaves(axis.line));
    }
  }

  std::vector<Draft> take() { return std::move(drafts_); }
  [[nodiscard]] std::uint64_t padded_elements() const { return padded_elements_; }

 private:
  Stage stage(const Leaf& leaf, Direction direction) const {
    Stage result;
    result.length = leaf.length;
    result.radices = leaf.radices;
    result.direction = direction;
    result.step = fmt::format("{}: {}", prefix_, leaf.length);
    if (leaf.radices.size() > 1) result.step += fmt::format(" = {}", fmt::join(leaf.radices, "."));
    if (leaf.length != whole_) result.step += fmt::format(" of {}", whole_);
    return result;
  }

  // Four-step, any number of parts: each part but the last transforms columns where they lie; the last writes its
  // results where natural order wants them. With one part this is the plain transform.
  void emit_ordered(const Line& line, const std::vector<Leaf>& parts) {
    std::uint64_t below = whole_;                        // points of the parts still to come, this one included
    std::vector<Loop> upper;                             // frequency digits of the parts already done
    std::int64_t output_stride = line.output_stride;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::uint64_t rest = below / parts[i].length;
      Stage part = stage(parts[i], direction_);
      part.input_stride = line.input_stride * as_stride(rest);
      if (rest > 1) {
        part.output_stride = part.input_stride;
        part.loops.push_back({rest, line.input_stride, line.input_stride});
        part.twiddle = StageTwiddle{below, 0, false};
        for (const Loop& loop : upper) part.loops.push_back({loop.count, loop.input_stride, loop.input_stride});
        for (const Loop& loop : line.loops) part.loops.push_back({loop.count, loop.input_stride, loop.input_stride});
        upper.push_back({parts[i].length, part.input_stride, output_stride});
        output_stride *= as_stride(parts[i].length);
      } else {
        part.output_stride = output_stride;
        part.loops = upper;
        part.loops.insert(part.loops.end(), line.loops.begin(), line.loops.end());
      }
      drafts_.push_back({part, Draft::Padded::no});
      below = rest;
    }
  }

  // Stockham's passes, each through global memory: natural order throughout, every pass moves elements.
  void emit_staged(const Line& line, const std::vector<Leaf>& parts) {
    std::uint64_t done = 1;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::uint64_t radix = parts[i].length;
      const std::uint64_t rest = whole_ / done / radix;
      const std::int64_t from = i == 0 ? line.input_stride : line.output_stride;
      const std::int64_t to = line.output_stride;
      Stage pass = stage(parts[i], direction_);
      pass.input_stride = from * as_stride(whole_ / radix);
      pass.output_stride = to * as_stride(done);
      pass.loops.push_back({done, from, to});
      pass.loops.push_back({rest, from * as_stride(done), to * as_stride(done * radix)});
      if (rest > 1) pass.twiddle = StageTwiddle{rest * radix, 1, false};
      for (const Loop& loop : line.loops) {
        pass.loops.push_back({loop.count, i == 0 ? loop.input_stride : loop.output_stride, loop.output_stride});
      }
      drafts_.push_back({pass, Draft::Padded::no});
      done *= radix;
    }
  }

  // Enters the padded layout with the chirp, transforms down to the spectrum in the order that decimation in frequency
  // leaves, multiplies by the chirp's spectrum stored in that order, and comes back up by the same steps reversed.
  void emit_bluestein(const Line& line, std::uint64_t length, const LineRecipe& padded) {
    const std::vector<Leaf> parts = leaves(padded);
    whole_ = padded.length;
    prefix_ += fmt::format(" ({} by Bluestein)", length);
    Line inside = padded_line(line);
    const Direction back = direction_ == Direction::forward ? Direction::inverse : Direction::forward;
    Factor chirp{Factor::Sequence::chirp, length, whole_, direction_, 1, {}};
    Factor spectrum{Factor::Sequence::chirp_spectrum, length, whole_, direction_, 1, {}};

    std::uint64_t below = whole_;
    std::uint64_t weight = 1;  // of the current part's digit in the frequency index
    std::vector<Loop> upper;   // earlier parts' digits, strides within the padded layout
    std::vector<std::int64_t> upper_weights;
    std::vector<Stage> up;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::uint64_t rest = below / parts[i].length;
      Stage down = stage(parts[i], direction_);
      down.input_stride = down.output_stride = inside.input_stride * as_stride(rest);
      std::vector<std::int64_t> time_strides;
      std::vector<std::int64_t> frequency_strides;
      if (rest > 1) {
        down.loops.push_back({rest, inside.input_stride, inside.input_stride});
        down.twiddle = StageTwiddle{below, 0, false};
        time_strides.push_back(1);
        frequency_strides.push_back(0);
      }
      for (std::size_t digit = 0; digit < upper.size(); ++digit) {
        down.loops.push_back(upper[digit]);
        time_strides.push_back(0);
        frequency_strides.push_back(upper_weights[digit]);
      }
      for (const Loop& loop : inside.loops) {
        down.loops.push_back({loop.count, loop.output_stride, loop.output_stride});
        time_strides.push_back(0);
        frequency_strides.push_back(0);
      }
      upper.push_back({parts[i].length, down.input_stride, down.input_stride});
      upper_weights.push_back(as_stride(weight));

      Stage climb = down;
      climb.direction = back;
      if (climb.twiddle) climb.twiddle->on_load = true;
      if (i == 0) {
        down.load_factor = climb.store_factor = chirp;
        down.load_factor->element_stride = climb.store_factor->element_stride = as_stride(rest);
        down.load_factor->loop_strides = climb.store_factor->loop_strides = time_strides;
        use_outer_layout(line, rest, down, climb);
      }
      if (rest == 1) {
        down.store_factor = spectrum;
        down.store_factor->element_stride = as_stride(weight);
        down.store_factor->loop_strides = frequency_strides;
        down.scale = 1.0 / static_cast<double>(whole_);
      }
      drafts_.push_back({down, i == 0 ? Draft::Padded::entering : Draft::Padded::inside});
      up.insert(up.begin(), climb);
      below = rest;
      weight *= parts[i].length;
    }
    for (std::size_t i = 0; i < up.size(); ++i) {
      drafts_.push_back({up[i], i + 1 == up.size() ? Draft::Padded::leaving : Draft::Padded::inside});
    }
  }

  // Packs the lines with their length padded, keeping what is closest together closest: loops within the elements'
  // stride stay inside, the others outside. Input strides are the data's, output strides the padded layout's.
  Line padded_line(const Line& line) {
    std::vector<Loop> loops = closest_first(line.loops);
    std::int64_t next = 1;
    std::int64_t element = 0;
    for (Loop& loop : loops) {
      if (element == 0 && std::abs(loop.input_stride) >= std::abs(line.input_stride) && loop.count > 1) {
        element = next;
        next *= as_stride(whole_);
      }
      loop.output_stride = next;
      next *= as_stride(loop.count);
    }
    if (element == 0) {
      element = next;
      next *= as_stride(whole_);
    }
    padded_elements_ = std::max(padded_elements_, static_cast<std::uint64_t>(next));
    return {element, element, loops};
  }

  // The first stage down reads, and the last one up writes, the data itself instead of the padded layout.
  static void use_outer_layout(const Line& line, std::uint64_t rest, Stage& down, Stage& climb) {
    const std::vector<Loop> sorted = closest_first(line.loops);
    const std::size_t first = down.loops.size() - sorted.size();
    down.input_stride = line.input_stride * as_stride(rest);
    climb.output_stride = line.output_stride * as_stride(rest);
    if (rest > 1) {
      down.loops[0].input_stride = line.input_stride;
      climb.loops[0].output_stride = line.output_stride;
    }
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      down.loops[first + i].input_stride = sorted[i].input_stride;
      climb.loops[first + i].output_stride = sorted[i].output_stride;
    }
  }

  const Transform& transform_;
  Direction direction_;
  std::string prefix_;
  std::uint64_t whole_ = 1;
  std::vector<Draft> drafts_;
  std::uint64_t padded_elements_ = 0;
};

}  // namespace

Program lower(const Recipe& recipe, const Transform& transform, Direction direction, Placement placement,
              const DeviceLimits& limits) {
  Lowering lowering(transform, direction);
  for (const Recipe::Axis& axis : recipe.axes) {
    std::uint64_t inner = 1;
    for (std::size_t i = axis.axis + 1; i < transform.lengths.size(); ++i) inner *= transform.lengths[i];
    lowering.axis(axis, inner);
  }
  std::vector<Draft> drafts = lowering.take();
  for (Draft& draft : drafts) tidy_loops(draft.stage);
  if (!drafts.empty()) drafts.back().stage.scale *= scale_factor(transform, direction);

  Program program;
  const std::uint64_t elements = total_elements(transform);
  program.stages = place(drafts, placement, elements);
  for (Stage& stage : program.stages) {
    stage.shape = choose_shape(stage, limits);
    if (stage.source == Operand::scratch || stage.destination == Operand::scratch) {
      program.scratch_bytes = std::max(elements, lowering.padded_elements()) * sizeof(std::complex<float>);
    }
  }
  return program;
}

}  // namespace twiddle::plan
