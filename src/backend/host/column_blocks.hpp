// A complex line of three passes in two walks over memory, for lines that leave the first-level cache. Behind the first
// pass all elements with the same column of its results, whose number is its radix, depend on each other alone: what
// the other two passes make of a vector of such columns stands where it was read. So the first pass puts its results
// where those of the line will be, a vector of real parts beside that of the imaginary ones; then each vector of
// columns is read, takes the first of the other two passes to a block that stays in the cache, and the last one back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "backend/host/line_passes.hpp"
#include "backend/host/pass.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::backend::host {

template <class T>
class ColumnBlocks {
 public:
  // Of a line from interleaved memory to another one, made for LineShape::interleaved_row; `targets`: a mask of SIMD
  // targets. Nothing for lines of other numbers of passes or too many points behind the first one, where that one
  // leaves no whole vectors, and where vectors are narrower than a cache line, of which half would be read at a time.
  static std::optional<ColumnBlocks> make(const LinePasses<T>& passes, Direction direction, T scale,
                                          std::int64_t targets);

  // `to` is aligned to vectors, and no part of the input; `block` has room for the line and two cache lines.
  void operator()(const T* from, T* to, T* block) const;

 private:
  ColumnBlocks() = default;

  PassFunction<T> first_ = nullptr;
  PassFunction<T> middle_ = nullptr;
  PassFunction<T> last_ = nullptr;
  PassCall<T> first_call_;
  PassCall<T> middle_call_;
  PassCall<T> last_call_;
  std::size_t lanes_ = 1;
  std::size_t columns_ = 1;
  std::size_t plane_ = 0;
};

}  // namespace twiddle::backend::host
