// Working memory of a measurement.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>

namespace twiddle::bench {

// Zeroed, on huge pages where the system has them, so that no library has better memory than another.
class PageMemory {
 public:
  explicit PageMemory(std::size_t bytes);
  [[nodiscard]] std::byte* data() const { return data_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> data_;
  std::size_t size_;
};

}  // namespace twiddle::bench
