// What a stage of the interpreter reads and writes of each memory.
#pragma once

#include <array>
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

struct Scalar {
  Accesses* accesses;
  std::int64_t position;
  bool covers_two = false;
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
