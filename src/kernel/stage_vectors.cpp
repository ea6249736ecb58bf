// Loads and stores of several neighbouring complex numbers at once (plan/shape/vectors.hpp), for stages into which
// nothing but a twiddle and the scale is folded on that side. A buffer may begin at any complex number: where it is not
// aligned, single numbers are moved.
#include <fmt/format.h>

#include "kernel/stage_memory.hpp"

namespace twiddle::kernel {

using plan::Loop;

bool StageMemory::moves_vectors(Stride stride) const {
  const plan::KernelShape& shape = stage_.shape;
  const auto lanes = stride == &Loop::input_stride ? shape.load : shape.store;
  return !plan::bundles_transforms(shape) || lanes == plan::KernelShape::Lanes::transforms;
}

std::uint32_t StageMemory::taken_transforms() const {
  return plan::bundles_transforms(stage_.shape) ? stage_.shape.vector : 1;
}

// The position in its line of the first element that the work-item loads or stores.
std::string StageMemory::first_element(Stride stride) const {
  if (layout_.rows != 0) return "(TW_INDEX)origin";
  const bool loading = stride == &Loop::input_stride;
  const std::string first = first_butterfly(loading ? layout_.passes.front() : layout_.passes.back());
  return first == "lane" ? "(TW_INDEX)lane" : fmt::format("(TW_INDEX)({})", first);
}

// The index in a loop of the transform at hand: that of turn m, where work-items take several.
std::string StageMemory::index_in(std::size_t loop) const {
  const std::string first = fmt::format("loop{}", loop);
  if (loop != 0 || taken_transforms() == 1) return first;
  return fmt::format("({} + m % {})", first, taken_transforms());
}

// The distance of element `index` of the butterfly of turn m, in the transform that it is of, from where the
// work-item's first transform or, unless items are idle, its first element begins.
std::string StageMemory::neighbour(const Pass& pass, const char* index, Stride stride) const {
  const std::string own = pass.partial ? step("b + " + position(pass, index), stride) : step(pass, index, stride);
  if (!plan::bundles_transforms(stage_.shape)) return own;
  const std::string next = fmt::format("m % {}", pass.vector);
  const std::int64_t apart = stage_.loops.front().*stride;
  if (apart == 1 && !steps_back(stride)) return fmt::format("{} + {}", own, next);
  return fmt::format("{} + {}", own, distance(fmt::format("(TW_INDEX)({}) * (TW_INDEX)({})", next, apart), stride));
}

// Writes `sweep` over the elements of that side once or twice: for vectors where memory is aligned to them, else for
// single numbers.
void StageMemory::sweep(Stride stride, const std::function<void(bool vectors)>& moves) {
  if (!moves_vectors(stride)) return moves(false);
  text_.open("if (TW_ALIGNED({})) {{", stride == &Loop::input_stride ? "input" : "output");
  moves(true);
  text_.close();
  text_.open("else {{");
  moves(false);
  text_.close();
}

void StageMemory::load_vectors(const Pass& pass) {
  constexpr Stride stride = &Loop::input_stride;
  text_.open("{{");
  locate(true);
  if (pass.run != 0)
    text_.line("const TW_UINT origin = {};", butterfly(pass, fmt::format("({})", first_butterfly(pass))));
  declare_source(!pass.partial);
  sweep(stride, [&](bool vectors) {
    open_reads(pass, pass.partial, vectors ? pass.vector : 1);
    text_.loop("k", 0, pass.radix);
    const std::string place = neighbour(pass, "k", stride);
    if (vectors) {
      text_.line("const TW_VECTOR both = TW_LOAD_VECTOR(source + ({}));", place);
      text_.line("v[m * {} + k] = TW_MAKE(both.x, both.y);", pass.radix);
      text_.line("v[(m + 1) * {} + k] = TW_MAKE(both.z, both.w);", pass.radix);
    } else {
      text_.line("v[m * {} + k] = {};", pass.radix, read_element("source", place));
    }
    text_.close();
    close_reads();
  });
  if (stage_.twiddle && stage_.twiddle->on_load) turn_values(pass);
  text_.close();
}

void StageMemory::store_vectors(const Pass& pass) {
  constexpr Stride stride = &Loop::output_stride;
  text_.open("{{");
  locate(false);
  if (pass.run != 0)
    text_.line("const TW_UINT origin = {};", butterfly(pass, fmt::format("({})", first_butterfly(pass))));
  declare_destination(!pass.partial);
  open_existing();
  if (stage_.twiddle && !stage_.twiddle->on_load) turn_values(pass);
  sweep(stride, [&](bool vectors) {
    open_writes(pass, pass.partial, vectors ? pass.vector : 1);
    text_.loop("j", 0, pass.radix);
    const std::string place = neighbour(pass, "j", stride);
    const std::string value = scaled(fmt::format("v[m * {} + j]", pass.radix));
    if (vectors) {
      text_.line("TW_STORE_VECTOR(destination + ({}), {}, {});", place, repaired(value, "destination", place),
                 repaired(scaled(fmt::format("v[(m + 1) * {} + j]", pass.radix)), "destination", place + " + 1"));
    } else {
      text_.line("{}", write_element("destination", place, value));
    }
    text_.close();
    close_writes(pass);
  });
  text_.close();
  text_.close();
}

// The stage's twiddle on all values of a pass that loads or stores.
void StageMemory::turn_values(const Pass& pass) {
  open_reads(pass);
  text_.loop("j", 0, pass.radix);
  declare_element(pass, "j", stage_.twiddle->on_load);
  write_twiddle(fmt::format("v[m * {} + j]", pass.radix), stage_.twiddle->on_load);
  text_.close();
  close_reads();
}

}  // namespace twiddle::kernel
