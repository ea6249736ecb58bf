// Aligned allocation and each thread's scratch memory.
#include "backend/host/aligned_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "plan/numbers/long_vector.hpp"
#include "twiddle/error.hpp"

namespace twiddle::backend::host {

void* allocate_aligned(std::size_t bytes) {
  void* const memory =
      bytes >= plan::huge_page / 2
          ? plan::allocate_huge_pages(bytes)
          : std::aligned_alloc(cache_line,
                               std::max<std::size_t>((bytes + cache_line - 1) / cache_line, 1) * cache_line);
  if (memory == nullptr) throw DeviceError(fmt::format("the host has no room for {} bytes", bytes));
  return memory;
}

void free_aligned(void* memory) { std::free(memory); }

// Room for the tables of lines that are convolved in as many points as stay in a core's cache: were it made anew for
// each longer line, all its pages would be new, which take longer than what is put there. Those that nothing touches
// are no memory.
constexpr std::size_t least_scratch = std::size_t{1} << 19;

namespace {
void* grown(AlignedArray<std::byte>& memory, std::size_t bytes) {
  if (memory.size() < bytes) {
    memory = AlignedArray<std::byte>();  // freed before its successor is allocated
    memory = AlignedArray<std::byte>(std::max(bytes, least_scratch));
  }
  return memory.data();
}
}  // namespace

void* thread_scratch(std::size_t bytes) {
  thread_local AlignedArray<std::byte> scratch;
  return grown(scratch, bytes);
}

void* thread_lines(std::size_t bytes) {
  thread_local AlignedArray<std::byte> lines;
  return grown(lines, bytes);
}

}  // namespace twiddle::backend::host
