// How a kernel reads and writes numbers as they stand in memory: interleaved, planar or real, in any precision.
#pragma once

#include <string>

#include "kernel/dialect.hpp"
#include "plan/lower/stage.hpp"

namespace twiddle::kernel {

// By way of which caches elements are moved that stand in memory as in arithmetic, or that they are on chip.
enum class Caching {
  usual,
  local,      // in local memory, of a kernel that says how pointers to it are written (TW_IN_LOCAL)
  past_unit,  // stored past a unit's own cache (stream_prelude)
  once,       // of stages that are one launch (joined_prelude): nobody moves them again
  shared      // likewise: other groups of the launch wrote them, or read them
};

class StorageText {
 public:
  StorageText(const plan::Storage& storage, Precision arithmetic, Caching caching = Caching::usual)
      : storage_(storage), arithmetic_(arithmetic), caching_(caching) {}

  // Whether elements stand in memory as they do in arithmetic.
  [[nodiscard]] bool is_plain() const;

  // The type that pointers to elements point to: that of a complex number or of a scalar, as strides count.
  [[nodiscard]] std::string type() const;
  // What stands before that type in such pointers.
  [[nodiscard]] const char* space() const { return caching_ == Caching::local ? "TW_IN_LOCAL" : "TW_GLOBAL"; }

  // Definitions that load() and store() rely on; empty where is_plain().
  [[nodiscard]] std::string load_function() const;
  [[nodiscard]] std::string store_function() const;

  // An expression for the complex number `offset` elements behind `pointer`, and a statement that stores one there.
  // Where parts or words are apart, `pointer` is into the kernel's parameter `input` or `output`, and `apart` another.
  [[nodiscard]] std::string load(const std::string& pointer, const std::string& offset) const;
  [[nodiscard]] std::string store(const std::string& pointer, const std::string& offset,
                                  const std::string& value) const;
  // The same of the real part alone, of planar storage.
  [[nodiscard]] std::string load_real(const std::string& pointer, const std::string& offset) const;
  [[nodiscard]] std::string store_real(const std::string& pointer, const std::string& offset,
                                       const std::string& value) const;

 private:
  // The pointer to what is apart of the element that `pointer` points to, into the parameter of that name.
  [[nodiscard]] std::string apart_of(const std::string& pointer, const char* parameter) const;
  // The functions where words are apart.
  [[nodiscard]] std::string load_words() const;
  [[nodiscard]] std::string store_words() const;
  const plan::Storage& storage_;
  Precision arithmetic_;
  Caching caching_;
};

}  // namespace twiddle::kernel
