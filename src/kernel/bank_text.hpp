// What a bank of filters makes of its outputs, as text.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "kernel/dialect.hpp"
#include "kernel/text.hpp"
#include "plan/lower/stage.hpp"

namespace twiddle::kernel {

class BankText {
 public:
  using Place = std::function<std::string(const std::string& element)>;

  BankText(const plan::Stage& stage, Text& text) : stage_(stage), text_(text) {}

  // Declares `made`, what the bank's function makes of `value`, the output of `element`; for interbinning also
  // `between`, what stands between it and the next one. Neighbours lie where `neighbour` says.
  void make(const std::string& value, const Place& neighbour) const;
  // Keeps the larger of a value and what is in the first of two variables, and the filter that it is of in the other.
  void keep_best(const char* value, const std::string& variables) const;
  // The functions that these call, and boundary_source().
  [[nodiscard]] std::string functions(Dialect dialect) const;

 private:
  [[nodiscard]] std::string square(const std::string& value) const;

  const plan::Stage& stage_;
  Text& text_;
};

// What a function of a position outside 0 to `length`, both of type TW_OFFSET, does to return where the sample is that
// stands there (convolution.hpp).
[[nodiscard]] std::string_view boundary_body(Boundary boundary);

// Whether outputs are made of neighbours.
[[nodiscard]] bool needs_neighbours(const plan::Stage& stage);

// Whether two segments of reals are the real and the imaginary part of one.
[[nodiscard]] bool takes_pairs(const plan::Stage& stage);

}  // namespace twiddle::kernel
