// Aligned allocation and each thread's scratch memory.
#include "backend/host/aligned_array.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstdlib>
#include <limits>

#include "twiddle/error.hpp"

namespace twiddle::backend::host {

void* allocate_aligned(std::size_t bytes) {
  const std::size_t alignment = bytes >= huge_page / 2 ? huge_page : cache_line;
  void* memory = nullptr;
  if (bytes <= std::numeric_limits<std::size_t>::max() - alignment) {
    memory =
        std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment + (bytes == 0 ? alignment : 0));
  }
  if (memory == nullptr) throw DeviceError(fmt::format("the host has no room for {} bytes", bytes));
#ifdef MADV_HUGEPAGE
  if (alignment == huge_page) madvise(memory, (bytes + alignment - 1) / alignment * alignment, MADV_HUGEPAGE);
#endif
  return memory;
}

void free_aligned(void* memory) { std::free(memory); }

void* thread_scratch(std::size_t bytes) {
  thread_local AlignedArray<std::byte> scratch;
  if (scratch.size() < bytes) {
    scratch = AlignedArray<std::byte>();  // freed before its successor is allocated
    scratch = AlignedArray<std::byte>(bytes);
  }
  return scratch.data();
}

}  // namespace twiddle::backend::host
