// Numbers as a whole where nothing is missing from them, or else their parts after each other.
#include "backend/host/real_first_block.hpp"

#include <algorithm>

namespace twiddle::backend::host {
namespace {

enum class Parts { both, real, imaginary };

// Calls visit(block, element, parts) for each part of what is stored, or read: its element 0 is element `element` of
// the planes. What is stored may end within the block.
template <class Visit>
void for_each_part(const RealFirstBlock& numbers, bool storing, const Visit& visit) {
  const auto& [bound, block, base, lane_step] = numbers;
  const std::int64_t last = base + static_cast<std::int64_t>(block.active - 1) * lane_step;
  const auto [least, most] = std::minmax(base, last);
  if (bound.element_stride == 0 && least >= 0 && most < static_cast<std::int64_t>(bound.count)) {
    if (least > 0) return visit(block, 0, Parts::both);
    if (most == 0) return visit(block, 0, Parts::real);
  }
  const std::size_t within = std::min<std::size_t>(block.length, bound.count);
  if (bound.element_stride == 1 && base == 0 && lane_step == 0 && (storing || within == block.length)) {
    Block first = block;
    first.length = 1;
    visit(first, 0, Parts::real);
    Block others = block;
    const auto follow = [&others, &whole = numbers.block](std::size_t before) {
      const auto elements = static_cast<std::int64_t>(before);
      others.first = whole.first + elements * whole.element_stride;
      others.extents[1].base = whole.extents[1].base + elements * whole.extents[1].element_stride;
    };
    follow(1);
    const std::size_t lone = storing && bound.imaginary_last && within == bound.count ? 1 : 0;
    others.length = within - 1 - lone;
    if (others.length > 0) visit(others, 1, Parts::both);
    if (lone == 0) return;
    follow(within - 1);
    others.length = 1;
    return visit(others, within - 1, Parts::imaginary);
  }
  Block some = block;
  some.extents[0] = {bound.count - (bound.imaginary_last ? 1 : 0), base, bound.element_stride, lane_step};
  visit(some, 0, Parts::real);
  some.extents[0] = {bound.count - 1, base - 1, bound.element_stride, lane_step};
  visit(some, 0, Parts::imaginary);
}

// What is moved for a part: as complex numbers, or as reals that are the one part or the other.
template <class T>
struct Move {
  plan::Storage storage;
  Block block;
  Planes<T> planes;
};

template <class T>
Move<T> move_of(plan::Storage storage, Block block, std::size_t place, Parts parts, const Planes<T>& planes) {
  const Planes<T> here{planes.real + place, planes.imaginary + place};
  if (parts == Parts::both) return {storage, block, here};
  if (parts == Parts::imaginary) block.first += storage.imaginary_offset;
  storage.form = plan::Storage::Form::real;
  return {storage, block, parts == Parts::real ? here : Planes<T>{here.imaginary, here.real}};
}

template <class T>
Planes<T> seen_by_hook(const Planes<T>& planes, Parts parts) {
  return parts == Parts::both ? planes : Planes<T>{planes.real, nullptr};
}

}  // namespace

template <class T>
void read_real_first(const plan::Storage& storage, const InputMemory& memory, const RealFirstBlock& numbers,
                     std::size_t lanes, const BlockKernels<T>& kernels, const std::optional<plan::StageHook>& hook,
                     const Planes<T>& planes) {
  for_each_part(numbers, false, [&](const Block& block, std::size_t element, Parts parts) {
    Move<T> move = move_of(storage, block, element * lanes, parts, planes);
    move.block.added = parts == Parts::imaginary;  // to real parts that are there
    read_block(move.storage, memory, move.block, lanes, kernels, move.planes);
    if (hook) apply_hook(*hook, move.block, lanes, seen_by_hook(move.planes, parts));
  });
}

template <class T>
void write_real_first(const plan::Storage& storage, const OutputMemory& memory, const RealFirstBlock& numbers,
                      std::size_t lanes, T scale, const BlockKernels<T>& kernels,
                      const std::optional<plan::StageHook>& hook, const Planes<T>& planes) {
  for_each_part(numbers, true, [&](const Block& block, std::size_t element, Parts parts) {
    const Move<T> move = move_of(storage, block, element * lanes, parts, planes);
    if (hook) apply_hook(*hook, move.block, lanes, seen_by_hook(move.planes, parts));
    write_block(move.storage, memory, move.block, lanes, scale, kernels, move.planes);
  });
}

#define TWIDDLE_HOST_INSTANTIATE(T)                                                                                   \
  template void read_real_first<T>(const plan::Storage&, const InputMemory&, const RealFirstBlock&, std::size_t,      \
                                   const BlockKernels<T>&, const std::optional<plan::StageHook>&, const Planes<T>&);  \
  template void write_real_first<T>(const plan::Storage&, const OutputMemory&, const RealFirstBlock&, std::size_t, T, \
                                    const BlockKernels<T>&, const std::optional<plan::StageHook>&, const Planes<T>&);
TWIDDLE_HOST_INSTANTIATE(float)
TWIDDLE_HOST_INSTANTIATE(double)
TWIDDLE_HOST_INSTANTIATE(long double)
#undef TWIDDLE_HOST_INSTANTIATE

}  // namespace twiddle::backend::host
