// Calls of the passes over blocks of columns.
#include "backend/host/column_blocks.hpp"

#include "backend/host/aligned_array.hpp"
#include "plan/recipe/host_radices.hpp"

namespace twiddle::backend::host {

template <class T>
std::optional<ColumnBlocks<T>> ColumnBlocks<T>::make(const LinePasses<T>& passes, Direction direction, T scale,
                                                     std::int64_t targets) {
  const std::size_t lanes = vector_lanes<T>(targets);
  const std::size_t points = passes.pass(0).columns;  // of each column
  if (passes.count() != 3 || passes.is_parted() || points < lanes || lanes * sizeof(T) != plan::long_vector_bytes ||
      plan::block_bytes(points) > plan::most_block_bytes) {
    return std::nullopt;
  }
  const auto find = [&](std::size_t pass, PassKind forward, PassKind swapped) {
    return find_pass<T>(direction == Direction::forward ? forward : swapped, passes.pass(pass).radix, targets);
  };
  ColumnBlocks blocks;
  blocks.first_ = find(0, PassKind::first_row_paired, PassKind::first_row_paired_swapped);
  blocks.middle_ = find(1, PassKind::middle_block, PassKind::middle_block);
  blocks.last_ = find(2, PassKind::last_block, PassKind::last_block_swapped);
  if (blocks.first_ == nullptr || blocks.middle_ == nullptr || blocks.last_ == nullptr) return std::nullopt;
  blocks.lanes_ = lanes;
  blocks.columns_ = passes.pass(0).radix;
  blocks.plane_ = points * lanes + cache_line / sizeof(T);  // so that they do not begin on the same sets
  blocks.first_call_ = passes.call(0, 1, {});
  blocks.middle_call_ = passes.call(1, 1, {});
  blocks.middle_call_.run = lanes;
  blocks.middle_call_.columns_apart = 2 * blocks.columns_;
  blocks.middle_call_.rows_apart = 2 * blocks.columns_ * passes.pass(1).columns;
  blocks.last_call_ = passes.call(2, 1, {});
  blocks.last_call_.run = lanes * passes.pass(1).radix;
  blocks.last_call_.columns_apart = 2 * blocks.columns_;
  blocks.last_call_.rows_apart = 2 * blocks.columns_ * passes.pass(1).radix;
  blocks.last_call_.scale = scale;
  return blocks;
}

template <class T>
void ColumnBlocks<T>::operator()(const T* from, T* to, T* block) const {
  PassCall<T> call = first_call_;
  call.input = from;
  call.output = to;
  call.output_imaginary = to + lanes_;
  first_(call);
  PassCall<T> middle = middle_call_;
  middle.output = block;
  middle.output_imaginary = block + plane_;
  PassCall<T> last = last_call_;
  last.input = middle.output;
  last.input_imaginary = middle.output_imaginary;
  for (std::size_t column = 0; column < columns_; column += lanes_) {
    middle.input = to + 2 * column;
    middle.input_imaginary = middle.input + lanes_;
    middle_(middle);
    last.output = to + 2 * column;
    last_(last);
  }
}

template class ColumnBlocks<float>;
template class ColumnBlocks<double>;
template class ColumnBlocks<long double>;

}  // namespace twiddle::backend::host
