// Drafts of an axis: maps as stages of their own or fused, ordered (four-step), staged and Bluestein's transforms.
#include "plan/lower/emit.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "plan/lower/axis_drafts.hpp"
#include "plan/lower/real_halves.hpp"
#include "plan/lower/symmetric_line.hpp"

namespace twiddle::plan {
namespace {

// Of a transform of one point: the one of its maps that does anything.
const std::optional<LineMap>& map_of_point(const AxisRule& rule) {
  const bool after = rule.store_map && rule.store_map->rule != LineMap::Rule::dct3_store &&
                     rule.store_map->rule != LineMap::Rule::dst3_store;
  return after ? rule.store_map : rule.load_map;
}

class Emitter : AxisDrafts {
 public:
  using AxisDrafts::AxisDrafts;

  std::vector<Draft> run(const LineRecipe& line) {
    std::vector<Leaf> parts = leaves(line);
    const AxisRule& rule = task_.rule;
    const bool whole = parts.size() == 1;
    const Frame inner = complex_frame(points_);
    if (rule.first_map) emit_map(*rule.first_map, task_.source, inner, false, false);
    const Frame& source = rule.first_map ? inner : task_.source;
    const bool apart = points_ > 1 && !task_.share_map;
    const auto* bluestein = std::get_if<Bluestein>(&line.algorithm);
    const bool shortened = whole && parts[0].convolution && is_short(*parts[0].convolution);
    const bool hermitian = rule.load_map && rule.load_map->rule == LineMap::Rule::hermitian_load;
    half_spectrum_ = (bluestein != nullptr || shortened) && points_ % 2 != 0 && (hermitian || makes_half());
    if (shortened) {
      parts[0].convolution->inputs = inputs();
      parts[0].convolution->outputs = outputs();
    }
    const bool takes_half = half_spectrum_ && hermitian;  // as it stands, without a map
    const bool map_first = apart && rule.load_map && !takes_half && !(whole && task_.fuse_load_map);
    const bool map_last = apart && rule.store_map && !(whole && task_.fuse_store_map);
    // Bluestein's first and last pass stay where they are: maps beside them have the line at the beginning of the
    // padded one.
    const Frame mapped = bluestein != nullptr ? complex_frame(bluestein->padded->length) : inner;
    stays_ = map_last && parts.size() > 1 && bluestein == nullptr &&
             (task_.keeps_places ||
              (parts.size() == 2 && std::holds_alternative<FourStep>(line.algorithm) &&
               pairs_reals(rule.store_map->rule) && rule.real_result && 2 * points_ > rule.store_map->count));
    first_ = map_first ? mapped : source;
    last_ = map_last ? mapped : task_.destination;
    if (map_first) emit_map(*rule.load_map, source, mapped, false, false);
    first_draft_ = drafts_.size();
    if (points_ == 1) {
      emit_point();
    } else if (bluestein != nullptr) {
      emit_bluestein(*bluestein);
    } else if (task_.unordered) {
      emit_unordered(parts);
    } else if (const auto* staged = std::get_if<Staged>(&line.algorithm); staged && !task_.last_moves && !stays_) {
      twiddles_ = staged->twiddles;
      if (staged->reversal == Strategy::DigitReversal::separate) {
        emit_unordered(parts);
        emit_reversal(line);
      } else {
        emit_staged(parts);
      }
    } else if (task_.rows_first && parts.size() == 2 && !stays_) {
      emit_rows_first(parts);
    } else {
      emit_ordered(parts);
    }
    if (points_ > 1) finish(map_first, map_last);
    if (map_last) {
      LineMap map = *rule.store_map;
      for (const Leaf& part : parts) {
        if (stays_) map.source_parts.push_back(part.length);
      }
      emit_map(map, mapped, task_.destination, false, false);
    }
    if (task_.paired) drafts_.front().pairs_in_source = drafts_.back().pairs_in_destination = task_.paired;
    return std::move(drafts_);
  }

 private:
  // Fewer points than a line of which everything is there and wanted needs.
  [[nodiscard]] bool is_short(const Convolution& convolution) const {
    return convolution.algorithm == Convolution::Algorithm::bluestein &&
           convolution.points < convolution.least_points(task_.rule.points);
  }
  // Whether the map before the line makes half of a spectrum.
  [[nodiscard]] bool makes_half() const { return task_.rule.load_map && task_.rule.load_map->half_columns != 0; }
  // Elements of the line that are there, and that are wanted.
  [[nodiscard]] std::uint64_t inputs() const {
    const AxisRule& rule = task_.rule;
    if (half_spectrum_) return makes_half() ? rule.load_map->count : rule.load_map->source_count;
    return rule.load_count.value_or(rule.points);
  }
  [[nodiscard]] std::uint64_t outputs() const { return task_.rule.store_count.value_or(task_.rule.points); }

  // Maps and bounds of the first and the last stage of the transform; packing of pairs of reals.
  void finish(bool map_first, bool map_last) {
    const AxisRule& rule = task_.rule;
    Draft& first = drafts_[first_draft_];
    Draft& last = drafts_.back();
    if (!map_first && !half_spectrum_) first.stage.load_map = rule.load_map;
    if (half_spectrum_ && !first.stage.load_factor) {
      first.stage.load_factor = Factor{Factor::Sequence::half_spectrum,
                                       points_,
                                       inputs(),
                                       outputs(),
                                       points_,
                                       direction_,
                                       1,
                                       std::vector<std::int64_t>(first.loops.size())};
    }
    if (!map_last) last.stage.store_map = rule.store_map;
    if (task_.share_map) (rule.store_map ? last : first).stage.shared_map = true;
    if (!map_first && rule.load_count)
      first.stage.load_bound = bound(first, *rule.load_count, &DraftLoop::input_weight);
    if (rule.store_count) last.stage.store_bound = bound(last, *rule.store_count, &DraftLoop::output_weight);
    first.packed_input = !map_first && rule.packed_input;
    last.packed_output = !map_last && rule.packed_output;
    if (rule.lone_real) (rule.packed_input ? first.stage.load_bound : last.stage.store_bound)->imaginary_step = 1;
  }

  void emit_map(const LineMap& map, const Frame& source, const Frame& destination, bool packed_input,
                bool packed_output) {
    Draft mapped = draft({map.count, {}}, direction_);
    mapped.stage.load_map = map;
    mapped.stage.step = fmt::format("{}: {}", prefix_, to_string(map));
    mapped.source = source;
    mapped.destination = destination;
    mapped.packed_input = packed_input;
    mapped.packed_output = packed_output;
    add_other_dimensions(mapped);
    drafts_.push_back(std::move(mapped));
  }

  // A transform of one point does nothing: what is left is one of its maps (where it has two, the other only passes the
  // one element on), unless that is a factor, or a copy.
  void emit_point() {
    const AxisRule& rule = task_.rule;
    if (point_factor(task_)) return;
    if (const auto& map = map_of_point(rule)) {
      const bool after = &map == &rule.store_map;
      return emit_map(*map, task_.source, task_.destination, after && rule.packed_input, !after && rule.packed_output);
    }
    if (task_.source == task_.destination) return;
    Draft copy = draft({1, {}}, direction_);
    copy.source = task_.source;
    copy.destination = task_.destination;
    add_other_dimensions(copy);
    drafts_.push_back(std::move(copy));
  }

  // Four-step, any number of parts: each part but the last transforms columns where they lie; the last writes its
  // results where natural order wants them, unless they stay. With one part this is the plain transform.
  void emit_ordered(const std::vector<Leaf>& parts) {
    std::uint64_t below = points_;  // points of the parts still to come, this one included
    std::vector<Digit> upper;       // frequency digits of the parts already done
    std::int64_t output_weight = 1;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::uint64_t rest = below / parts[i].length;
      Draft part = draft(parts[i], direction_);
      part.source = i == 0 ? first_ : complex_frame(points_);
      part.destination = rest == 1 ? last_ : complex_frame(points_);
      part.input_weight = as_weight(rest);
      if (rest > 1) {
        part.output_weight = part.input_weight;
        add_digit(part, {rest, 1, 1});
        part.stage.twiddle = StageTwiddle{below, 0, false};
        for (const Digit& digit : upper) add_digit(part, {digit.count, digit.input_weight, digit.input_weight});
        upper.push_back({parts[i].length, part.input_weight, output_weight});
        output_weight *= as_weight(parts[i].length);
      } else {
        part.output_weight = stays_ ? part.input_weight : output_weight;
        for (const Digit& digit : upper) {
          add_digit(part, {digit.count, digit.input_weight, stays_ ? digit.input_weight : digit.output_weight});
        }
      }
      add_other_dimensions(part);
      drafts_.push_back(std::move(part));
      below = rest;
    }
  }

  // Four-step by decimation in time: elements that lie a part's length apart become rows, whose columns are transformed
  // where they lie, so that only the first part moves elements, and what it stores is contiguous.
  void emit_rows_first(const std::vector<Leaf>& parts) {
    const std::uint64_t columns = parts[1].length;  // of a row
    const std::uint64_t rows = parts[0].length;
    Draft first = draft(parts[1], direction_);
    first.source = first_;
    first.destination = complex_frame(points_);
    first.input_weight = as_weight(rows);
    add_digit(first, {rows, 1, as_weight(columns)});
    first.stage.twiddle = StageTwiddle{points_, 0, false};
    add_other_dimensions(first);
    Draft second = draft(parts[0], direction_);
    second.source = complex_frame(points_);
    second.destination = last_;
    second.input_weight = second.output_weight = as_weight(columns);
    add_digit(second, {columns, 1, 1});
    add_other_dimensions(second);
    drafts_.push_back(std::move(first));
    drafts_.push_back(std::move(second));
  }

  // A pass, and where twiddles are separate they as a stage of their own that multiplies elements where they are.
  void add_pass(std::vector<Draft>& drafts, Draft pass) const {
    if (twiddles_ == Strategy::Twiddles::merged || !pass.stage.twiddle) return drafts.push_back(std::move(pass));
    const bool before = pass.stage.twiddle->on_load;
    Draft product = draft({pass.stage.length, {}}, pass.stage.direction);
    product.stage.step = fmt::format("{}: twiddles, {} of {}", prefix_, pass.stage.length, points_);
    product.stage.twiddle = StageTwiddle{pass.stage.twiddle->modulus, pass.stage.twiddle->loop, false};
    product.source = product.destination = before ? pass.source : pass.destination;
    product.input_weight = product.output_weight = before ? pass.input_weight : pass.output_weight;
    for (const DraftLoop& loop : pass.loops) {
      const std::int64_t weight = before ? loop.input_weight : loop.output_weight;
      product.loops.push_back({loop.count, loop.dimension, weight, weight});
    }
    pass.stage.twiddle.reset();
    drafts.push_back(before ? std::move(product) : std::move(pass));
    drafts.push_back(before ? std::move(pass) : std::move(product));
  }

  // Decimation in frequency where the elements are: digits of their positions are left reversed.
  void emit_unordered(const std::vector<Leaf>& parts) {
    std::uint64_t below = points_;
    std::vector<Digit> upper;  // of the passes done
    for (const Leaf& part : parts) {
      const std::uint64_t rest = below / part.length;
      Draft pass = draft(part, direction_);
      pass.source = upper.empty() ? first_ : complex_frame(points_);
      pass.destination = complex_frame(points_);
      pass.input_weight = pass.output_weight = as_weight(rest);
      if (rest > 1) {
        add_digit(pass, {rest, 1, 1});
        pass.stage.twiddle = StageTwiddle{below, 0, false};
      }
      for (const Digit& digit : upper) add_digit(pass, digit);
      add_other_dimensions(pass);
      upper.push_back({part.length, as_weight(rest), as_weight(rest)});
      add_pass(drafts_, std::move(pass));
      below = rest;
    }
  }

  void emit_reversal(const LineRecipe& line) {
    Draft reversal = draft({1, {}}, direction_);
    reversal.stage.step = fmt::format("{}: digit reversal of {}", prefix_, points_);
    reversal.source = complex_frame(points_);
    reversal.destination = last_;
    for (const ReversedDigit& digit : reversed_digits(line))
      add_digit(reversal, {digit.count, digit.at, digit.belongs});
    add_other_dimensions(reversal);
    drafts_.push_back(std::move(reversal));
  }

  // Stockham's passes, each through global memory: natural order throughout, every pass moves elements.
  void emit_staged(const std::vector<Leaf>& parts) {
    std::uint64_t done = 1;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::uint64_t radix = parts[i].length;
      const std::uint64_t rest = points_ / done / radix;
      Draft pass = draft(parts[i], direction_);
      pass.source = i == 0 ? first_ : complex_frame(points_);
      pass.destination = rest == 1 ? last_ : complex_frame(points_);
      pass.input_weight = as_weight(points_ / radix);
      pass.output_weight = as_weight(done);
      add_digit(pass, {done, 1, 1});
      add_digit(pass, {rest, as_weight(done), as_weight(done * radix)});
      if (rest > 1) pass.stage.twiddle = StageTwiddle{rest * radix, 1, false};
      add_other_dimensions(pass);
      add_pass(drafts_, std::move(pass));
      done *= radix;
    }
  }

  // Enters the padded frame with the chirp, transforms down to the spectrum in the order that decimation in frequency
  // leaves, multiplies by the chirp's spectrum stored in that order, and comes back up by the same steps reversed.
  void emit_bluestein(const Bluestein& bluestein) {
    const LineRecipe& padded = *bluestein.padded;
    const std::uint64_t length = points_;
    const std::vector<Leaf> parts = leaves(padded);
    if (const auto* staged = std::get_if<Staged>(&padded.algorithm)) twiddles_ = staged->twiddles;
    points_ = padded.length;
    prefix_ += fmt::format(" ({} by Bluestein)", length);
    const Direction back = opposite(direction_);
    const Factor chirp{Factor::Sequence::chirp, length, inputs(), outputs(), points_, direction_, 1, {}};
    Factor spectrum = chirp;
    spectrum.sequence = Factor::Sequence::chirp_spectrum;
    const Frame inside = complex_frame(points_);

    std::uint64_t below = points_;
    std::uint64_t weight = 1;  // of the current part's digit in the frequency index
    std::vector<Digit> upper;  // earlier parts' digits
    std::vector<std::int64_t> upper_weights;
    std::vector<Draft> up;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::uint64_t rest = below / parts[i].length;
      Draft down = draft(parts[i], direction_);
      down.source = down.destination = inside;
      down.input_weight = down.output_weight = as_weight(rest);
      std::vector<std::int64_t> time_strides;
      std::vector<std::int64_t> frequency_strides;
      if (rest > 1) {
        add_digit(down, {rest, 1, 1});
        down.stage.twiddle = StageTwiddle{below, 0, false};
        time_strides.push_back(1);
        frequency_strides.push_back(0);
      }
      for (std::size_t digit = 0; digit < upper.size(); ++digit) {
        add_digit(down, upper[digit]);
        time_strides.push_back(0);
        frequency_strides.push_back(upper_weights[digit]);
      }
      add_other_dimensions(down);
      time_strides.resize(down.loops.size(), 0);
      frequency_strides.resize(down.loops.size(), 0);
      upper.push_back({parts[i].length, down.input_weight, down.input_weight});
      upper_weights.push_back(as_weight(weight));

      Draft climb = down;
      climb.stage.direction = back;
      if (climb.stage.twiddle) climb.stage.twiddle->on_load = true;
      if (i == 0) {
        down.stage.load_factor = climb.stage.store_factor = chirp;
        down.stage.load_factor->element_stride = climb.stage.store_factor->element_stride = as_weight(rest);
        down.stage.load_factor->loop_strides = climb.stage.store_factor->loop_strides = time_strides;
        if (half_spectrum_) down.stage.load_factor->sequence = Factor::Sequence::half_spectrum_chirp;
        down.source = first_;
        climb.destination = last_;
      }
      if (rest == 1) {
        down.stage.store_factor = spectrum;
        down.stage.store_factor->element_stride = as_weight(weight);
        down.stage.store_factor->loop_strides = frequency_strides;
        down.stage.scale = 1.0L / static_cast<long double>(points_);
        down.stage.returns = bluestein.middle_in_one;
      }
      const bool returned = down.stage.returns;
      add_pass(drafts_, std::move(down));
      if (returned) break;
      std::vector<Draft> climbs;
      add_pass(climbs, std::move(climb));
      up.insert(up.begin(), std::make_move_iterator(climbs.begin()), std::make_move_iterator(climbs.end()));
      below = rest;
      weight *= parts[i].length;
    }
    for (Draft& climb : up) drafts_.push_back(std::move(climb));
  }

  // What Bluestein's algorithm takes is one half of the spectrum of reals.
  bool half_spectrum_ = false;
  Frame first_;  // what the first stage of the transform reads, and the last one writes
  Frame last_;
  Strategy::Twiddles twiddles_ = Strategy::Twiddles::merged;
  std::vector<Draft> drafts_;
  std::size_t first_draft_ = 0;  // of the transform itself
  // The results stay where they are computed, and the map behind them finds them there: a line that is longer than the
  // data would need a second array else.
  bool stays_ = false;
};

}  // namespace

std::optional<long double> point_factor(const AxisTask& task) {
  const bool real = task.source.real && task.source == task.destination;
  const auto& map = map_of_point(task.rule);
  if (!real || !map || task.rule.points != 1 || task.rule.first_map || map->count != 1 || map->source_count != 1) {
    return std::nullopt;
  }
  const MapTables tables = map_tables(*map);
  const bool twice = tables.second.front() != MapTables::none;
  return tables.a.front().real() + (twice ? tables.b.front().real() : 0);
}

std::vector<Draft> emit(const AxisTask& task, const LineRecipe& line) {
  if (task.rule.extended && !task.means) return emit_extended(task, line);
  if (task.rule.symmetry != Symmetry::none) return emit_symmetric(task, line);
  return task.halves ? emit_halves(task, line) : Emitter(task).run(line);
}

}  // namespace twiddle::plan
