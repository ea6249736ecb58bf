// Random numbers that are the same on every machine: the standard fixes its generators but not its distributions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace twiddle::verify {

class Random {
 public:
  explicit Random(std::uint64_t seed) : generator_(seed) {}

  [[nodiscard]] std::uint64_t bits() { return generator_(); }

  // A whole number below `end`, which is at most 2^32; from `first` to `last`.
  [[nodiscard]] std::uint64_t below(std::uint64_t end) { return (generator_() >> 32) * end >> 32; }
  [[nodiscard]] std::uint64_t between(std::uint64_t first, std::uint64_t last) {
    return first + below(last - first + 1);
  }

  // Uniform in [-1, 1), with 64 random bits.
  [[nodiscard]] long double uniform() { return static_cast<long double>(generator_()) * 0x1p-63L - 1; }

  // True in so many of a hundred cases.
  [[nodiscard]] bool chance(unsigned percent) { return below(100) < percent; }

  template <class Item>
  [[nodiscard]] Item choose(const std::vector<Item>& items) {
    return items[below(items.size())];
  }

  template <class Item>
  void shuffle(std::vector<Item>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace twiddle::verify
