// A stream's state as bytes: values one after the other, checked when they are read.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "twiddle/error.hpp"

namespace twiddle::apps {

class StateWriter {
 public:
  template <class T>
  void value(const T& value) {
    values(std::span(&value, 1));
  }
  template <class T>
  void values(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t size = bytes_.size();
    bytes_.resize(size + values.size_bytes());
    if (!values.empty()) std::memcpy(bytes_.data() + size, values.data(), values.size_bytes());
  }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

class StateReader {
 public:
  explicit StateReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  [[nodiscard]] T value() {
    T result;
    values(std::span(&result, 1));
    return result;
  }
  template <class T>
  void values(std::span<T> result) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (rest_.size() < result.size_bytes()) throw InvalidArgument("the saved state of the stream ends too early");
    if (!result.empty()) std::memcpy(result.data(), rest_.data(), result.size_bytes());
    rest_ = rest_.subspan(result.size_bytes());
  }
  [[nodiscard]] std::size_t left() const { return rest_.size(); }

 private:
  std::span<const std::byte> rest_;
};

}  // namespace twiddle::apps
