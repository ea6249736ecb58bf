// What a stage of the interpreter reads and writes of each memory.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/stage_interpreter.hpp"

namespace twiddle::test {

// What a stage does to a memory.
struct Accesses {
  explicit Accesses(ScalarMemory& all)
      : memory(all), reader(all.values.size(), nobody), shared(all.values.size()), taken(all.values.size()) {}
  void note_reader(std::size_t at, std::size_t transform) {
    if (reader[at] != nobody && reader[at] != transform) shared[at] = true;
    reader[at] = transform;
  }
  static constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();
  ScalarMemory& memory;
  std::vector<std::size_t> reader;  // of each scalar, the last transform that read it
  std::vector<bool> shared;         // read by several transforms
  std::vector<bool> taken;          // scalars that this stage has written
};

// What the upper word of a float says of it: eight bits or so.
inline long double upper_word(long double value) {
  int exponent = 0;
  const long double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::trunc(std::ldexp(fraction, 8)), exponent - 8);
}

struct Scalar {
  Accesses* accesses;
  std::int64_t position;
  bool covers_two = false;
  Accesses* lower = nullptr;  // at the same position there is the lower word

  [[nodiscard]] bool lies_within() const {
    const auto has = [&](const Accesses& where) {
      return position >= 0 && static_cast<std::uint64_t>(position) < where.memory.values.size();
    };
    return has(*accesses) && (lower == nullptr || has(*lower));
  }
  // Calls visit(accesses, scalar of that memory) for each scalar that it takes up.
  template <class Visit>
  void for_each_place(const Visit& visit) const {
    visit(*accesses, at());
    if (covers_two) visit(*accesses, at() + 1);
    if (lower != nullptr) visit(*lower, at());
  }
  [[nodiscard]] bool is_written() const {
    const auto& written = accesses->memory.written;
    return written[at()] && !(covers_two && written[at() + 1]) && (lower == nullptr || lower->memory.written[at()]);
  }
  [[nodiscard]] long double value() const {
    return accesses->memory.values[at()] + (lower == nullptr ? 0 : lower->memory.values[at()]);
  }
  void set(long double value) const {
    for_each_place([](Accesses& where, std::size_t place) { where.memory.written[place] = true; });
    if (covers_two) accesses->memory.written[at() + 1] = false;
    accesses->memory.values[at()] = lower == nullptr ? value : upper_word(value);
    if (lower != nullptr) lower->memory.values[at()] = value - upper_word(value);
  }

 private:
  [[nodiscard]] std::size_t at() const { return static_cast<std::size_t>(position); }
};

// That at a position which counts scalars of a precision.
inline Scalar scalar_at(Accesses& accesses, std::int64_t position, Precision precision) {
  const bool covers_two = accesses.memory.of_halves && precision != Precision::float16;
  return {&accesses, covers_two ? 2 * position : position, covers_two};
}

// Where an element's real part is, and its imaginary part, if it has one.
class Scalars {
 public:
  explicit Scalars(Scalar real) : at_{real, real}, count_(1) {}
  Scalars(Scalar real, Scalar imaginary) : at_{real, imaginary}, count_(2) {}
  [[nodiscard]] const Scalar* begin() const { return at_.data(); }
  [[nodiscard]] const Scalar* end() const { return at_.data() + count_; }

 private:
  std::array<Scalar, 2> at_;
  std::size_t count_;
};

}  // namespace twiddle::test
