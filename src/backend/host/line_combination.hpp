// A LineMap on planar arrays: elements of a line made from those of another.
#pragma once

#include <cstddef>
#include <vector>

#include "backend/host/pass.hpp"
#include "plan/line_map.hpp"

namespace twiddle::backend::host {

template <class T>
class LineCombination {
 public:
  explicit LineCombination(const plan::LineMap& map);

  [[nodiscard]] std::size_t source_count() const { return source_count_; }
  [[nodiscard]] std::size_t count() const { return first_.size(); }

  // to[k * lanes + lane] for all k, from source[element * lanes + lane], whose elements that count as real lose their
  // imaginary parts.
  void apply(const Planes<T>& source, std::size_t lanes, const Planes<T>& to) const;

 private:
  std::size_t source_count_;
  std::vector<std::size_t> first_;
  std::vector<std::size_t> second_;
  // What real and imaginary part of the two are multiplied by; zero where there is none.
  struct Coefficients {
    T first_real = 0;
    T first_imaginary = 0;
    T second_real = 0;
    T second_imaginary = 0;
  };
  std::vector<Coefficients> coefficients_;
  bool conjugate_;
  std::vector<std::size_t> real_elements_;
};

}  // namespace twiddle::backend::host
