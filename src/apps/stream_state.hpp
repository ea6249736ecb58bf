// A stream's state as bytes: values one after the other and the hash of them all, checked before any is read.
#pragma once

#include <xxhash.h>

#include <cstddef>
#include <cstdint>
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
  [[nodiscard]] std::vector<std::byte> take() {
    value(std::uint64_t{XXH3_64bits(bytes_.data(), bytes_.size())});
    return std::move(bytes_);
  }

 private:
  std::vector<std::byte> bytes_;
};

class StateReader {
 public:
  explicit StateReader(std::span<const std::byte> bytes) : all_(bytes), rest_(bytes) {}

  // The hash at the end is that of what is before it. To be asked once it is known that these bytes are a state.
  void check_whole() {
    std::uint64_t hash = 0;
    if (rest_.size() < sizeof hash) throw InvalidArgument("the saved state of the stream ends too early");
    const std::span<const std::byte> values = all_.first(all_.size() - sizeof hash);
    std::memcpy(&hash, all_.data() + values.size(), sizeof hash);
    if (hash != XXH3_64bits(values.data(), values.size())) {
      throw InvalidArgument("the saved state of the stream is damaged: its bytes are not those that save() gave");
    }
    rest_ = rest_.first(rest_.size() - sizeof hash);
  }

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
  std::span<const std::byte> all_;
  std::span<const std::byte> rest_;  // of what was not read yet
};

}  // namespace twiddle::apps
