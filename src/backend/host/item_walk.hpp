// One item of a stage after the other, the next one's input being fetched while an item is computed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/host/aligned_array.hpp"
#include "backend/host/line_passes.hpp"
#include "backend/host/stage_loops.hpp"

namespace twiddle::backend::host {

// Added to where pieces of neighbouring transforms begin, for what is fetched ahead: the cache line in which they
// begin, unless it is theirs alone, came with the pieces before, and they end in one more.
inline constexpr std::ptrdiff_t past_begun_line = cache_line - 1;

// Calls compute(item, prefetch) for items begin..end-1. `ahead`: what to fetch of each item, but for the place; nothing
// where it has no pieces. T is the type that input positions count in.
template <class T, class Compute>
void for_each_item(const StageLoops& loops, const Prefetch& ahead, const std::byte* input, std::uint64_t begin,
                   std::uint64_t end, const Compute& compute) {
  if (end - begin == 1) return compute(loops.item(begin), Prefetch());
  StageLoops::Item item = loops.item(begin);
  for (std::uint64_t i = begin; i < end; ++i) {
    const StageLoops::Item next = i + 1 < end ? loops.item(i + 1) : item;
    Prefetch prefetch;
    if (ahead.pieces > 0 && i + 1 < end) {
      prefetch = ahead;
      prefetch.start = reinterpret_cast<const char*>(reinterpret_cast<const T*>(input) + next.position.input);
    }
    compute(item, prefetch);
    item = next;
  }
}

}  // namespace twiddle::backend::host
