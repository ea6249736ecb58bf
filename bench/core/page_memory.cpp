// Memory by mappings of whole huge pages.
#include "page_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace twiddle::bench {

std::size_t place_of_output(std::size_t input_bytes, std::size_t output_bytes) {
  constexpr std::size_t half_page = 2048;
  return std::max(input_bytes, output_bytes) <= half_page ? half_page : 0;
}

PageMemory::PageMemory(std::size_t bytes, std::size_t place) : place_(place), size_(bytes) {
  constexpr std::size_t page = std::size_t{1} << 21;
  const std::size_t whole = (place + bytes + page - 1) / page * page;
  pages_.reset(static_cast<std::byte*>(std::aligned_alloc(page, whole)));
  if (!pages_) throw std::bad_alloc();
  madvise(pages_.get(), whole, MADV_HUGEPAGE);  // advice: nothing is lost where it is not taken
  std::memset(pages_.get(), 0, whole);
}

}  // namespace twiddle::bench
