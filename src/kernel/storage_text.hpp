// How a kernel reads and writes numbers as they stand in memory: interleaved, planar or real, in any precision.
#pragma once

#include <string>

#include "kernel/dialect.hpp"
#include "plan/stage.hpp"

namespace twiddle::kernel {

class StorageText {
 public:
  // `past_cache`: elements that stand in memory as in arithmetic are stored past a unit's own cache (stream_prelude).
  StorageText(const plan::Storage& storage, Precision arithmetic, bool past_cache = false)
      : storage_(storage), arithmetic_(arithmetic), past_cache_(past_cache) {}

  // Whether elements stand in memory as they do in arithmetic.
  [[nodiscard]] bool is_plain() const;

  // The type that pointers to elements point to: that of a complex number or of a scalar, as strides count.
  [[nodiscard]] std::string type() const;

  // Definitions that load() and store() rely on; empty where is_plain().
  [[nodiscard]] std::string load_function() const;
  [[nodiscard]] std::string store_function() const;

  // An expression for the complex number `offset` elements behind `pointer`, and a statement that stores one there.
  [[nodiscard]] std::string load(const std::string& pointer, const std::string& offset) const;
  [[nodiscard]] std::string store(const std::string& pointer, const std::string& offset,
                                  const std::string& value) const;

 private:
  const plan::Storage& storage_;
  Precision arithmetic_;
  bool past_cache_;
};

}  // namespace twiddle::kernel
