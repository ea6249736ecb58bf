// Memory by mappings of whole huge pages.
#include "page_memory.hpp"

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace twiddle::bench {

PageMemory::PageMemory(std::size_t bytes) : size_(bytes) {
  constexpr std::size_t page = std::size_t{1} << 21;
  const std::size_t whole = (bytes + page - 1) / page * page;
  data_.reset(static_cast<std::byte*>(std::aligned_alloc(page, whole)));
  if (!data_) throw std::bad_alloc();
  madvise(data_.get(), whole, MADV_HUGEPAGE);  // advice: nothing is lost where it is not taken
  std::memset(data_.get(), 0, whole);
}

}  // namespace twiddle::bench
