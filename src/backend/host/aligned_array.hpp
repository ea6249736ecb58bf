// Memory for SIMD kernels: aligned for whole vectors, on huge pages where it is large.
#pragma once

#include <cstddef>
#include <utility>

namespace twiddle::backend::host {

inline constexpr std::size_t cache_line = 64;

// `bytes` of uninitialized memory, aligned to a cache line, or to a huge page (which the system is then asked to use)
// from one megabyte on. Throws DeviceError where there is no room.
[[nodiscard]] void* allocate_aligned(std::size_t bytes);
void free_aligned(void* memory);

// A fixed number of uninitialized scalars. Movable.
template <class T>
class AlignedArray {
 public:
  AlignedArray() = default;
  explicit AlignedArray(std::size_t size) : data_(static_cast<T*>(allocate_aligned(size * sizeof(T)))), size_(size) {}
  ~AlignedArray() { free_aligned(data_); }
  AlignedArray(AlignedArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  AlignedArray& operator=(AlignedArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  AlignedArray(const AlignedArray&) = delete;
  AlignedArray& operator=(const AlignedArray&) = delete;

  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

// This thread's working memory, at least `bytes`; the same memory each time, so only the first calls allocate.
[[nodiscard]] void* thread_scratch(std::size_t bytes);
// Other memory of that kind, for lines that go through workers which use the former.
[[nodiscard]] void* thread_lines(std::size_t bytes);

}  // namespace twiddle::backend::host
