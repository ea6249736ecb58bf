// Working memory of a measurement.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>

namespace twiddle::bench {

// Bytes from the beginning of a page, where the input stands, to where a short output is to stand in one: half a page.
// Processors tell by the lower 12 bits of addresses which loads have to wait for stores. Were both at the same place,
// an execution would wait for the results of the one before, as it only does where the same arrays are taken again and
// again: on a Xeon 12 complex doubles take 23 ns so instead of 8. Longer arrays have both at the beginning of a page, as
// the system gives them.
[[nodiscard]] std::size_t place_of_output(std::size_t input_bytes, std::size_t output_bytes);

// Zeroed, on huge pages where the system has them, so that no library has better memory than another.
class PageMemory {
 public:
  // Of `bytes` that begin `place` bytes behind the beginning of a page.
  explicit PageMemory(std::size_t bytes, std::size_t place = 0);
  [[nodiscard]] std::byte* data() const { return pages_.get() + place_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> pages_;
  std::size_t place_;
  std::size_t size_;
};

}  // namespace twiddle::bench
