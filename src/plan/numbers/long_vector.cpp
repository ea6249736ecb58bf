// Memory on huge pages.
#include "plan/numbers/long_vector.hpp"

#include <sys/mman.h>

#include <limits>

namespace twiddle::plan {

void* allocate_huge_pages(std::size_t bytes) {
  if (bytes > std::numeric_limits<std::size_t>::max() - huge_page) return nullptr;
  const std::size_t whole = (bytes + huge_page - 1) / huge_page * huge_page;
  void* const memory = std::aligned_alloc(huge_page, whole);
#ifdef MADV_HUGEPAGE
  if (memory != nullptr) madvise(memory, whole, MADV_HUGEPAGE);
#endif
  return memory;
}

}  // namespace twiddle::plan
