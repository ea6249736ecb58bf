// Vectors for tables of millions of numbers, on huge pages: the system's small ones take longer to hand out than the
// numbers to compute.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace twiddle::plan {

inline constexpr std::size_t huge_page = std::size_t{1} << 21;

// `bytes` of uninitialized memory, aligned to a huge page, which the system is asked to use; to be given to std::free.
// Null where there is no room.
[[nodiscard]] void* allocate_huge_pages(std::size_t bytes);

// std::allocator, but for arrays of more than half a huge page.
template <class T>
struct LongAllocator {
  using value_type = T;

  LongAllocator() = default;
  template <class Other>
  explicit LongAllocator(const LongAllocator<Other>&) {}

  [[nodiscard]] T* allocate(std::size_t count) {
    if (!is_long(count)) return std::allocator<T>().allocate(count);
    void* const memory = allocate_huge_pages(count * sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    if (!is_long(count)) return std::allocator<T>().deallocate(memory, count);
    std::free(memory);
  }
  bool operator==(const LongAllocator&) const = default;

 private:
  static bool is_long(std::size_t count) { return count >= huge_page / 2 / sizeof(T); }
};

template <class T>
using LongVector = std::vector<T, LongAllocator<T>>;

}  // namespace twiddle::plan
