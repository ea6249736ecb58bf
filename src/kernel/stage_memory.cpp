// Loads and stores of a stage kernel: what is folded into them, and their loops.
#include "kernel/stage_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernel/hook_text.hpp"
#include "kernel/line_map_text.hpp"
#include "plan/shape/prefetch.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::kernel {

using plan::Loop;

// Declares `root`, the stage twiddle of `element`.
void StageMemory::write_root() {
  const RootTables& roots = layout_.roots;
  const plan::StageTwiddle& twiddle = *stage_.twiddle;
  const std::uint64_t elements = element_loop_ ? stage_.loops[*element_loop_].count : stage_.length;
  const std::uint64_t most = (elements - 1) * (stage_.loops[twiddle.loop].count - 1);
  const char* type = most >> 32 != 0 ? "TW_WIDE" : "TW_UINT";
  const std::string element =
      twiddle.hermitian ? fmt::format("2 * element > {0} ? {0} - element : element", stage_.length) : "element";
  text_.line("const {0} turn = ({0})({1}) * ({0}){2}{3};", type, element, index_in(twiddle.loop),
             most >= twiddle.modulus ? fmt::format(" % {}", twiddle.modulus) : "");
  text_.line("{}TW_COMPLEX root = multiply(constants[{} + turn % {}], constants[{} + turn / {}]);",
             twiddle.hermitian ? "" : "const ", roots.fine, roots.fine_count, roots.coarse, roots.fine_count);
  if (twiddle.hermitian) text_.line("if (2 * element > {}) root.y = -root.y;", stage_.length);
}

std::string StageMemory::scaled(const std::string& value) const {
  if (stage_.scale == 1.0L) return value;
  const auto nearest = static_cast<double>(stage_.scale);
  const std::string factor = literal(nearest, stage_.precision);
  const auto rest = static_cast<double>(stage_.scale - static_cast<long double>(nearest));
  if (stage_.precision == Precision::float64 && rest != 0) {
    // Rounding the factor would be an error of all elements in one direction.
    return fmt::format("TW_MAKE(TW_FMA({0}.x, {1}, {0}.x * {2}), TW_FMA({0}.y, {1}, {0}.y * {2}))", value, factor,
                       literal(rest, stage_.precision));
  }
  return fmt::format("TW_MAKE({0}.x * {1}, {0}.y * {1})", value, factor);
}

// Whether a position, whose sums and differences wrap around, exists.
std::string StageMemory::within(const char* position, const plan::Bound& bound) {
  if (bound.first == 0) return fmt::format("{} < {}", position, bound.count);
  return fmt::format("{} - {} < {}", position, bound.first, bound.count - bound.first);
}

// Declares the positions of `element` in the factor's sequence and below the bound, and returns the condition under
// which it is touched; empty where it always is.
std::string StageMemory::write_conditions(const std::optional<plan::Factor>& factor,
                                          const std::optional<plan::Bound>& bound) {
  std::string condition;
  if (bound) {
    text_.line("const TW_INDEX position = bounded + {};", times("element", bound->element_stride));
    condition = bound->period == 0 ? within("position", *bound) : write_mirror(*bound);
  }
  if (factor) {
    text_.line("const TW_INDEX at = sequence + {};", times("element", factor->element_stride));
    condition += fmt::format("{}at < {}", condition.empty() ? "" : " && ", factor->count());
  }
  return condition;
}

// The condition under which an element at a position that exists has both parts; empty where all have.
std::string StageMemory::whole(const std::optional<plan::Bound>& bound) {
  if (bound && bound->real_first) return "position != 0";
  if (!bound || bound->imaginary_step == 0) return {};
  return within("position", {.count = bound->count - static_cast<std::uint64_t>(bound->imaginary_step)});
}

// The element `offset` behind `pointer`, by way of the load hook.
std::string StageMemory::read_element(const std::string& pointer, const std::string& offset) const {
  const std::string whole_pair = whole(stage_.load_bound);
  if (stage_.load_hook && stage_.load_hook->hook->gathers) {
    const auto call = [&](const plan::Storage& storage) {
      return gathering_call("load_hook", "input", pointer, offset, storage);
    };
    if (whole_pair.empty()) return call(stage_.input_storage);
    return fmt::format("({} ? {} : {})", whole_pair, call(stage_.input_storage), call({plan::Storage::Form::real}));
  }
  const auto hooked = [&](const std::string& value) {
    return stage_.load_hook ? hook_call("load_hook", value, "input", pointer, offset) : value;
  };
  std::string both;
  if (stage_.load_hook && stage_.load_hook->part != 0) {
    const std::string second = fmt::format("({}) + ({})", offset, stage_.load_hook->part);
    both = pair_call("load_hook", input_.load_real(pointer, offset), input_.load_real(pointer, second), "input",
                     pointer, offset, stage_.load_hook->part);
  } else {
    both = hooked(input_.load(pointer, offset));
  }
  if (whole_pair.empty()) return both;
  return fmt::format("({} ? {} : {})", whole_pair, both, hooked(input_.load_real(pointer, offset)));
}

// A value, scaled already, or what takes its place where it is not finite and the stage repairs that.
std::string StageMemory::repaired(const std::string& value, const std::string& pointer,
                                  const std::string& offset) const {
  return stage_.repair ? repair_call(value, pointer, offset) : value;
}

// Stores a value, scaled already, by way of the store hook.
std::string StageMemory::write_element(const std::string& pointer, const std::string& offset,
                                       const std::string& value) const {
  std::string shown = value;
  if (stage_.repair) {
    shown = repaired(value, pointer, offset);
  } else if (stage_.store_hook && stage_.store_hook->part != 0) {
    const std::string second = fmt::format("TW_MAKE({}.y, 0)", value);
    shown = pair_call("store_hook", value, second, "output", pointer, offset, stage_.store_hook->part);
  } else if (stage_.store_hook) {
    shown = hook_call("store_hook", value, "output", pointer, offset);
  }
  const std::string whole_pair = whole(stage_.store_bound);
  if (whole_pair.empty()) return output_.store(pointer, offset, shown);
  std::string parts = output_.store(pointer, offset, shown);
  if (stage_.store_bound->imaginary_last) {
    const std::string there = fmt::format("({} + ({}))", pointer, stage_.output_storage.imaginary_offset);
    parts = fmt::format("if (position == {}) {{ {} }} else {{ {} }}", stage_.store_bound->count - 1,
                        output_.store_real(there, offset, fmt::format("TW_MAKE({}.y, 0)", shown)), parts);
  }
  return fmt::format("if ({}) {{ {} }} else {{ {} }}", whole_pair, parts, output_.store_real(pointer, offset, shown));
}

// Declares `source`: where the current transform, or with `with_lane` the work-item's part of it, begins. Lines that
// were fetched ahead lie in local memory as far from a multiple of 16 bytes as they did; tiles of them element by
// element.
void StageMemory::declare_source(bool with_lane) {
  constexpr Stride stride = &Loop::input_stride;
  if (plan::fetches_tiles(stage_.shape)) {
    const std::string first = with_lane ? fmt::format(" + lane * {}", stage_.shape.transforms_per_group) : "";
    text_.line("const {}* source = fetched + (slot{});", input_.type(), first);
  } else if (stage_.shape.prefetch) {
    text_.line("const {}* source = fetched + before_line({} + ({})){};", input_.type(), base(stride),
               offset(stride, false), with_lane ? " + lane" : "");
  } else {
    text_.line("{} const {}* source = {} + ({});", input_.space(), input_.type(), base(stride),
               offset(stride, with_lane));
  }
  if (stage_.load_factor) locate_sequence(stage_.load_factor->loop_strides, "sequence", stage_.load_factor->offset);
  if (stage_.load_bound) locate_sequence(stage_.load_bound->loop_strides, "bounded", stage_.load_bound->offset);
}

void StageMemory::declare_destination(bool with_lane) {
  constexpr Stride stride = &Loop::output_stride;
  text_.line("{} {}* destination = {} + ({});", output_.space(), output_.type(), base(stride),
             offset(stride, with_lane));
  if (stage_.store_map) return;
  if (stored_factor()) locate_sequence(stage_.store_factor->loop_strides, "sequence", stage_.store_factor->offset);
  if (stage_.store_bound) locate_sequence(stage_.store_bound->loop_strides, "bounded", stage_.store_bound->offset);
}

// Sets `target` to element `element` of the line: what stands in memory at the distance `place` from `pointer`, or what
// the map makes.
void StageMemory::write_load(const std::string& target, const std::string& pointer, const std::string& place) {
  if (stage_.direct) return sum_input(target);
  const std::optional<plan::Bound>& bound = stage_.load_bound;
  std::string value = stage_.load_map ? "made" : read_element(pointer, kept_place(bound, place, &Loop::input_stride));
  const std::string condition = write_conditions(stage_.load_factor, stage_.load_bound);
  const std::string when = condition.empty() ? "" : fmt::format("if ({}) ", condition);
  const auto times_factor = [&](const std::string& read) {
    return fmt::format("multiply({}, {})", read, factor_at(*stage_.load_factor, layout_.load_factor, stage_.precision));
  };
  const bool half_spectrum = stage_.load_factor && stage_.load_factor->of_half_spectrum();
  const bool mirrored = bound && bound->period != 0;
  const bool changed_first = half_spectrum || mirrored;
  if (stage_.load_factor && !changed_first) value = times_factor(value);
  if (!condition.empty()) text_.line("{} = TW_MAKE({}, {});", target, "0.0f", "0.0f");
  if (stage_.load_map) {
    text_.open("{}{{", when);
    const bool two_lines = stage_.load_map->rule == plan::LineMap::Rule::two_spectra_load;
    const auto read = [&](int term, const std::string& index) {
      const bool second = two_lines && term == 1;
      const std::string line = second ? fmt::format("(source + ({}))", stage_.second_spectrum) : "source";
      const std::int64_t stride = stage_.shared_map ? stage_.loops[0].input_stride : stage_.input_stride;
      const std::string source_place = place_in_source(*stage_.load_map, index);
      return read_element(line, distance(times(source_place, stride), &Loop::input_stride));
    };
    if (stage_.shared_map) {
      text_.line("const TW_INDEX turn_element = loop0 + (TW_INDEX){} * element;", stage_.loops[0].count);
      text_.open("{{");
      text_.line("const TW_INDEX element = turn_element;");
    }
    if (stage_.mirrored) {
      write_pair(read);
    } else if (makes_spectra(stage_)) {
      write_map_pair(*stage_.load_map, *layout_.load_map, read, text_);
      text_.line("v[1] = opposite;");
    } else {
      write_map(*stage_.load_map, *layout_.load_map, read, text_);
    }
    text_.line("{} = {};", target, value);
    if (stage_.shared_map) text_.close();
    text_.close();
  } else {
    text_.line("{}{} = {};", when, target, value);
    if (mirrored) {
      write_conjugate(*bound, target);
      weigh_ends(*bound, target);
    }
    if (half_spectrum) text_.line("if (at == 0) {}.y = 0;", target);
    if (stage_.load_factor && changed_first) text_.line("{}{} = {};", when, target, times_factor(target));
  }
}

void StageMemory::write_twiddle(const std::string& value, bool on_load) {
  if (!stage_.twiddle || stage_.twiddle->on_load != on_load || layout_.line_roots) return;
  write_root();
  text_.line("{0} = multiply({0}, root);", value);
}

// Stores `value`, a variable, as element `element` of the line, at the distance `place` from `destination`.
void StageMemory::write_store(const std::string& value, const std::string& place) {
  std::string condition = write_conditions(stored_factor(), stage_.store_bound);
  const std::optional<plan::Bound>& bound = stage_.store_bound;
  const bool mirrored = bound && bound->period != 0;
  if (mirrored && bound->both_halves != 0) {
    condition += fmt::format("{}(!upper || bounded % {} != 0)", condition.empty() ? "" : " && ", bound->both_halves);
  }
  if (stage_.mirrored && stage_.load_map->count <= stage_.load_map->length / 4) {
    condition = fmt::format("element < {}", stage_.load_map->count);
  }
  if (!condition.empty()) text_.open("if ({}) {{", condition);
  if (stored_factor()) {
    text_.line("{0} = multiply({0}, {1});", value,
               factor_at(*stage_.store_factor, layout_.store_factor, stage_.precision));
  }
  if (mirrored) {
    write_conjugate(*bound, value);
    weigh_ends(*bound, value);
  }
  text_.line("{}", write_element("destination", kept_place(bound, place, &Loop::output_stride), scaled(value)));
  if (stage_.mirrored) store_mirror_image(place);
  if (makes_spectra(stage_)) {
    const std::string second = fmt::format("(destination + ({}))", stage_.second_spectrum);
    text_.line("{}", write_element(second, place, scaled("v[1]")));
  }
  if (!condition.empty()) text_.close();
}

void StageMemory::load(const Pass& pass) {
  if (stage_.shape.vector > 1) return load_vectors(pass);
  constexpr Stride stride = &Loop::input_stride;
  text_.open("{{");
  locate(true);
  // Idle items read another's elements, which are no constant distances from the work-item's first.
  const std::vector<Span> all = spans(pass);
  const bool cut = std::any_of(all.begin(), all.end(), [](const Span& span) { return span.within == Within::some; });
  const bool by_element = stage_.load_map || stage_.direct || is_reordered(pass);
  const bool clamped = (pass.partial || cut) && !by_element;
  if (pass.run != 0) text_.line("const TW_UINT origin = {};", butterfly(pass, "lane"));
  declare_source(!by_element && !clamped);
  const bool needs_element = (stage_.twiddle && stage_.twiddle->on_load) || stage_.load_factor || stage_.load_bound ||
                             stage_.load_map || stage_.direct || is_reordered(pass) || has_chirp();
  open_reads(pass, needs_element);
  if (clamped) text_.line("{} const {}* first = source + ({});", input_.space(), input_.type(), step("b", stride));
  for (const Span& span : all) {
    const std::string target = fmt::format("v[m * {} + k]", pass.radix);
    text_.loop("k", span.from, span.to);
    if (span.within == Within::none) {
      text_.line("{} = TW_MAKE(0, 0);", target);
    } else {
      if (needs_element) declare_read_element(pass, "k", span, true);
      if (by_element || span.within == Within::some) {
        write_load(target, "source", step("element", stride));
      } else if (clamped) {
        write_load(target, "first", step(position(pass, "k"), stride));
      } else {
        write_load(target, "source", step(pass, "k", stride));
      }
      write_twiddle(target, true);
      write_chirp(target);
      if (span.within == Within::some) text_.line("{0} = point < {1} ? {0} : TW_MAKE(0, 0);", target, stage_.length);
    }
    text_.close();
  }
  close_reads();
  text_.close();
}

void StageMemory::store(const Pass& pass) {
  if (stage_.shape.vector > 1) return store_vectors(pass);
  text_.open("{{");
  locate(false);
  if (pass.run != 0) text_.line("const TW_UINT origin = {};", butterfly(pass, "lane"));
  declare_destination(!is_reordered(pass));
  open_existing();
  turn_by_line_roots(pass);
  const bool needs_element = (stage_.twiddle && !stage_.twiddle->on_load && !layout_.line_roots) || stored_factor() ||
                             stage_.store_bound || is_reordered(pass) || has_chirp() || stage_.mirrored;
  open_writes(pass, needs_element);
  for (const Span& span : spans(pass)) {
    if (span.within == Within::none) continue;
    const std::string value = fmt::format("v[m * {} + j]", pass.radix);
    text_.loop("j", span.from, span.to);
    if (needs_element) declare_element(pass, "j", false);
    if (span.within == Within::some) text_.open("if (element < {}) {{", stage_.length);
    if (stores_chirp()) write_chirp(value);
    write_twiddle(value, false);
    write_store(value,
                is_reordered(pass) ? step("element", &Loop::output_stride) : step(pass, "j", &Loop::output_stride));
    if (span.within == Within::some) text_.close();
    text_.close();
  }
  close_writes(pass);
  text_.close();
  text_.close();
}

void StageMemory::finish_values(const Pass& pass) {
  const bool twiddled = stage_.twiddle && !stage_.twiddle->on_load;
  if (!twiddled && !stage_.store_factor && !stores_chirp()) return;
  text_.open("{{");
  locate(true);
  if (stage_.store_factor) locate_sequence(stage_.store_factor->loop_strides, "sequence", stage_.store_factor->offset);
  open_reads(pass);
  for (const Span& span : spans(pass)) {
    if (span.within == Within::none) continue;
    const std::string value = fmt::format("v[m * {} + j]", pass.radix);
    text_.loop("j", span.from, span.to);
    declare_read_element(pass, "j", span, false);
    if (stores_chirp()) write_chirp(value);
    write_twiddle(value, false);
    write_factor(value);
    text_.close();
  }
  close_reads();
  text_.close();
}

// Multiplies `element` of the line by the store factor, where a map follows.
void StageMemory::write_factor(const std::string& value) {
  if (!stage_.store_factor) return;
  const std::string condition = write_conditions(stage_.store_factor, std::nullopt);
  text_.line("if ({0}) {1} = multiply({1}, {2});", condition, value,
             factor_at(*stage_.store_factor, layout_.store_factor, stage_.precision));
}

}  // namespace twiddle::kernel
