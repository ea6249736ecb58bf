// Loads and stores of a bank of filters: segments with what stands beyond the ends of a signal, and outputs with what
// is made of them.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "kernel/bank_text.hpp"
#include "kernel/hook_text.hpp"
#include "kernel/stage_memory.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::kernel {

using plan::Bound;
using plan::Loop;

namespace {

constexpr unsigned few_neighbours = 16;
constexpr std::uint64_t no_end = Bound{}.end_element;

// A number that is added to positions, which wrap around below 0.
std::string wrapped(std::int64_t value) { return fmt::format("(TW_INDEX){}", value); }

std::string sum(const std::string& first, const std::string& second) { return first + " + " + second; }

// "x * 3" in the width of positions.
std::string scaled_position(const std::string& expression, std::int64_t stride) {
  return stride == 1 ? fmt::format("({})", expression)
                     : fmt::format("(TW_INDEX)({}) * {}", expression, wrapped(stride));
}

}  // namespace

// Declares `name`, the position of a segment's first element in the bound.
void StageMemory::locate_bound(const Bound& bound, const char* name) {
  locate_sequence(bound.loop_strides, "moved");
  text_.line("const TW_INDEX {} = moved + {};", name, wrapped(bound.offset));
}

// The condition under which an element at this position exists, empty where it always does.
std::string StageMemory::existence(const Bound& bound, const std::string& element, const std::string& position) {
  std::string condition = fmt::format("{} < {}", position, bound.count);
  if (bound.first_element != 0) condition += fmt::format(" && {} >= {}", element, bound.first_element);
  if (bound.end_element != no_end) condition += fmt::format(" && {} < {}", element, bound.end_element);
  return condition;
}

// Sets `target` to what `read` finds at a distance in memory, with what the bound says of `position`.
void StageMemory::load_bounded(const std::string& target, const std::string& position, const std::string& place,
                               const std::string& nothing, const std::function<std::string(const std::string&)>& read) {
  if (!stage_.load_bound) return text_.line("{} = {};", target, read(place));
  const Bound& bound = *stage_.load_bound;
  text_.line("{} = {};", target, nothing);
  if (bound.outside == Boundary::zero) {
    return text_.line("if ({}) {} = {};", existence(bound, "element", position), target, read(place));
  }
  text_.open("{{");
  text_.line("const TW_OFFSET own_position = (TW_OFFSET)({});", position);
  text_.line("const TW_OFFSET shift = (boundary_source(own_position) - own_position) * {};",
             bound.element_stride * stage_.input_stride);
  text_.line("{} = {};", target, read(fmt::format("(TW_OFFSET)({}) + shift", place)));
  text_.close();
}

// Sets `target` to `element` of the segment, `place` behind `source`; positions in the bound count from `bounded`.
void StageMemory::load_sample(const std::string& target, const std::string& place, const char* bounded,
                              bool from_shared) {
  const auto number = [&](const std::string& at) {
    return from_shared ? fmt::format("TW_LOAD_SHARED(source + ({}))", at) : fmt::format("source[{}]", at);
  };
  if (stage_.load_bound) {
    text_.line("const TW_INDEX position = {} + {};", bounded,
               scaled_position("element", stage_.load_bound->element_stride));
  }
  if (!takes_pairs(stage_)) {
    return load_bounded(target, "position", place, "TW_MAKE(0, 0)",
                        [&](const std::string& at) { return from_shared ? number(at) : read_element("source", at); });
  }
  const std::int64_t apart = stage_.input_storage.imaginary_offset;
  load_bounded(target + ".x", "position", place, "0", number);
  load_bounded(target + ".y",
               stage_.load_bound ? sum("position", wrapped(stage_.load_bound->imaginary_step)) : std::string(), place,
               "0", [&](const std::string& at) { return number(fmt::format("{} + ({})", at, apart)); });
}

void StageMemory::load_segment(const Pass& pass, bool from_shared) {
  constexpr Stride stride = &Loop::input_stride;
  const bool by_lane = !pass.partial;  // idle items read another's elements
  text_.open("{{");
  locate(true);
  text_.line("TW_GLOBAL const {}* source = {} + ({});", input_.type(), base(stride), offset(stride, by_lane));
  if (stage_.load_bound) locate_bound(*stage_.load_bound, "bounded");
  open_reads(pass);
  text_.loop("k", 0, pass.radix);
  text_.line("const TW_UINT element = b + {};", position(pass, "k"));
  load_sample(fmt::format("v[m * {} + k]", pass.radix), by_lane ? step(pass, "k", stride) : step("element", stride),
              "bounded", from_shared);
  text_.close();
  close_reads();
  text_.close();
}

// Declares where the segment's first stored element goes for filter 0, and for a bound also the positions of elements
// and whether all that are stored exist.
void StageMemory::locate_outputs() {
  constexpr Stride stride = &Loop::output_stride;
  locate(true);
  text_.line("TW_GLOBAL {}* outputs = {} + ({});", output_.type(), base(stride), offset(stride, false));
  if (!stage_.store_bound) return;
  const Bound& bound = *stage_.store_bound;
  locate_bound(bound, "bounded");
  if (stage_.bank->post.maximum) return;  // stored once only
  const std::int64_t first = static_cast<std::int64_t>(bound.first_element) * bound.element_stride;
  const std::int64_t last = static_cast<std::int64_t>(stored_end() - 1) * bound.element_stride;
  std::string condition;
  for (const std::int64_t part : {std::int64_t{0}, takes_pairs(stage_) ? bound.imaginary_step : 0}) {
    for (const std::int64_t end : {first, last}) {
      condition +=
          fmt::format("{}bounded + {} < {}", condition.empty() ? "" : " && ", wrapped(end + part), bound.count);
    }
    if (!takes_pairs(stage_)) break;
  }
  text_.line("const int whole = {};", condition);
}

std::uint64_t StageMemory::stored_begin() const { return stage_.store_bound ? stage_.store_bound->first_element : 0; }

std::uint64_t StageMemory::stored_end() const {
  return stage_.store_bound ? std::min(stage_.store_bound->end_element, stage_.length) : stage_.length;
}

// Elements k of a butterfly, by whether those of all butterflies are stored, of some or of none.
std::vector<StageMemory::Span> StageMemory::stored_spans(const Pass& pass) const {
  const std::uint64_t begin = stored_begin();
  const std::uint64_t end = stored_end();
  std::vector<Span> all;
  for (unsigned j = 0; j < pass.radix; ++j) {
    const std::uint64_t first = std::uint64_t{j} * pass.butterflies;
    const std::uint64_t behind = first + pass.butterflies;
    const Within within = behind <= begin || first >= end   ? Within::none
                          : first >= begin && behind <= end ? Within::all
                                                            : Within::some;
    if (!all.empty() && all.back().within == within) {
      all.back().to = j + 1;
    } else {
      all.push_back({j, j + 1, within});
    }
  }
  return all;
}

void StageMemory::for_stored(const Pass& pass, const std::function<void(const std::string& index)>& write) {
  const std::uint64_t decimation = stage_.bank->post.decimation;
  open_writes(pass);
  for (const Span& span : stored_spans(pass)) {
    if (span.within == Within::none) continue;
    text_.loop("j", span.from, span.to);
    text_.line("const TW_UINT element = b + {};", position(pass, "j"));
    std::string condition;
    if (span.within == Within::some)
      condition = fmt::format("element >= {} && element < {}", stored_begin(), stored_end());
    if (decimation != 1) {
      condition +=
          fmt::format("{}(element - {}) % {} == 0", condition.empty() ? "" : " && ", stored_begin(), decimation);
    }
    if (!condition.empty()) text_.open("if ({}) {{", condition);
    write(fmt::format("m * {} + j", pass.radix));
    if (!condition.empty()) text_.close();
    text_.close();
  }
  close_writes(pass);
}

// The distance of the current element's output from the segment's first one; a constant beside the lane's where nothing
// is decimated.
std::string StageMemory::output_place(const Pass& pass) const {
  const PostProcessing& post = stage_.bank->post;
  const std::int64_t turns = plan::interbins(post.function) ? 2 : 1;
  if (post.decimation != 1) {
    return fmt::format("(TW_INDEX)((element - {}) / {}) * {}", stored_begin(), post.decimation, stage_.output_stride);
  }
  const std::string own = pass.rounds == 1 ? "" : fmt::format("m * {} + ", stage_.shape.items_per_transform);
  return scaled_position(own + position(pass, "j"), turns * stage_.output_stride);
}

// Declares `destination`, from where output_place() counts.
void StageMemory::declare_outputs(bool of_filter) {
  const plan::FilterBank& bank = *stage_.bank;
  std::string start = "outputs";
  if (of_filter) start += fmt::format(" + (TW_WIDE)filter * {}", bank.filter_stride);
  if (bank.post.decimation == 1) {
    const std::int64_t stride = stage_.output_stride * (plan::interbins(bank.post.function) ? 2 : 1);
    start += fmt::format(" + (TW_WIDE)lane * {} - {}", stride, static_cast<std::int64_t>(stored_begin()) * stride);
  }
  text_.line("TW_GLOBAL {}* destination = {};", output_.type(), start);
}

// Stores a value where it exists, past what the caches hold, since nobody reads it soon: `checked` where some of the
// segment's do not.
void StageMemory::put(const std::string& value, const std::string& place, bool checked) {
  const bool bounded = checked && stage_.store_bound;
  if (bounded) {
    text_.line("const TW_INDEX position = bounded + {};",
               scaled_position("element", stage_.store_bound->element_stride));
  }
  const auto exists = [&](std::int64_t step) {
    return bounded ? fmt::format("if (position + {} < {}) ", wrapped(step), stage_.store_bound->count) : std::string();
  };
  const std::int64_t apart = stage_.output_storage.imaginary_offset;
  const std::int64_t step = stage_.store_bound ? stage_.store_bound->imaginary_step : 0;
  if (stage_.store_hook && takes_pairs(stage_)) {  // two real numbers, each with an index of its own
    const std::uint64_t neighbours = hook_neighbours();
    for (const char* const part : {"x", "y"}) {
      const bool first = part[0] == 'x';
      const std::string there = first ? place : fmt::format("{} + ({})", place, apart);
      std::string real = fmt::format("TW_MAKE(({}).{}, 0)", value, part);
      if (neighbours > 0) {
        text_.open("{{");
        text_.line("TW_COMPLEX reals[{}];", neighbours);
        open_neighbours();
        text_.line("reals[d] = TW_MAKE(neighbours[d].{}, 0);", part);
        text_.close();
        real = fmt::format("reals + {}", stage_.store_hook->hook->left);
      }
      text_.line("{}TW_STREAM(destination + ({}), {}.x);", exists(first ? 0 : step), there,
                 hook_call("store_hook", real, "output", "destination", there));
      if (neighbours > 0) text_.close();
    }
    return;
  }
  const std::string shown = stage_.store_hook ? hook_call("store_hook", value, "output", "destination", place) : value;
  if (stage_.output_storage.precision != stage_.precision) {
    return text_.line("{}{}", exists(0), output_.store("destination", place, shown));
  }
  if (stage_.output_storage.form == plan::Storage::Form::interleaved) {
    return text_.line("{}TW_STREAM(destination + ({}), {});", exists(0), place, shown);
  }
  text_.line("{}TW_STREAM(destination + ({}), ({}).x);", exists(0), place, shown);
  if (!takes_pairs(stage_)) return;
  text_.line("{}TW_STREAM(destination + ({} + ({})), ({}).y);", exists(step), place, apart, shown);
}

// Results that the user's function reads: its neighbours and itself; 0 where it reads itself alone.
std::uint64_t StageMemory::hook_neighbours() const {
  if (!stage_.store_hook) return 0;
  const Hook& hook = *stage_.store_hook->hook;
  return plan::reads_neighbours(hook) ? hook.left + 1 + hook.right : 0;
}

// The loop over these, d: few are kept in registers.
void StageMemory::open_neighbours() {
  const auto count = static_cast<unsigned>(hook_neighbours());
  if (count <= few_neighbours) return text_.loop("d", 0, count);
  text_.open("for (TW_UINT d = 0; d < {}; ++d) {{", count);
}

// Stores what the user's function makes of the current element and its neighbours.
void StageMemory::put_from_neighbours(const Place& exchange, const std::string& place, bool checked) {
  const std::uint64_t left = stage_.store_hook->hook->left;
  text_.line("TW_COMPLEX neighbours[{}];", hook_neighbours());
  open_neighbours();
  text_.line("const TW_COMPLEX y = {};", exchange(left == 0 ? "element + d" : fmt::format("element + d - {}", left)));
  BankText(stage_, text_).make("y", exchange);
  text_.line("neighbours[d] = made;");
  text_.close();
  put(fmt::format("neighbours + {}", left), place, checked);
}

// Puts outputs there with and without checks of their positions: few segments need them.
void StageMemory::store_checked(const std::function<void(bool checked)>& write) {
  if (!stage_.store_bound) return write(false);
  text_.open("if (whole) {{");
  write(false);
  text_.close();
  text_.open("else {{");
  write(true);
  text_.close();
}

void StageMemory::store_filtered(const Pass& pass, const Place& exchange) {
  text_.open("{{");
  declare_outputs(true);
  store_checked([&](bool checked) {
    for_stored(pass, [&](const std::string& index) {
      const BankText bank(stage_, text_);
      if (hook_neighbours() > 0) return put_from_neighbours(exchange, output_place(pass), checked);
      bank.make("v[" + index + "]", exchange);
      put("made", output_place(pass), checked);
      if (!plan::interbins(stage_.bank->post.function)) return;
      text_.open("{{");
      put("between", fmt::format("{} + {}", output_place(pass), wrapped(stage_.output_stride)), checked);
      text_.close();
    });
  });
  text_.close();
}

void StageMemory::keep_best(const Pass& pass, const Place& exchange) {
  for_stored(pass, [&](const std::string& index) {
    const BankText bank(stage_, text_);
    bank.make("v[" + index + "]", exchange);
    bank.keep_best("made", fmt::format("best + {0}, chosen + {0}", index));
    if (plan::interbins(stage_.bank->post.function)) {
      bank.keep_best("between", fmt::format("best + {0} + {1}, chosen + {0} + {1}", index, layout_.held));
    }
  });
}

// Stores the largest result at a place, and behind it the filter that it is of.
void StageMemory::put_best(const std::string& value, const std::string& filter, const std::string& place) {
  text_.open("{{");
  put(value, place, true);
  text_.close();
  text_.open("{{");
  put(filter, fmt::format("{} + ({})", place, stage_.bank->index_offset), true);
  text_.close();
}

void StageMemory::store_best(const Pass& pass) {
  text_.open("{{");
  declare_outputs(false);
  for_stored(pass, [&](const std::string& index) {
    const auto put_both = [&](const std::string& at, const std::string& place) {
      put_best(fmt::format("best[{}]", at), fmt::format("chosen[{}]", at), place);
    };
    put_both(index, output_place(pass));
    if (plan::interbins(stage_.bank->post.function)) {
      put_both(fmt::format("{} + {}", index, layout_.held),
               fmt::format("{} + {}", output_place(pass), wrapped(stage_.output_stride)));
    }
  });
  text_.close();
}

}  // namespace twiddle::kernel
