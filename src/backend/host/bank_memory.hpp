// Segments of a filter bank's stage between memory and planes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "backend/host/combination.hpp"
#include "backend/host/pass.hpp"
#include "plan/lower/stage.hpp"

namespace twiddle::backend::host {

// A transform of a stage with a bank: where its element 0 is, in memory and beside the bounds.
struct BankSegment {
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::int64_t load_position = 0;
  std::int64_t store_position = 0;
};

[[nodiscard]] BankSegment bank_segment(const plan::Stage& stage, std::uint64_t index);

// Where the line of an outer tap (plan/convolution/filter_bank.hpp) is, as the stage's loops stand in transform
// `index`; none where there is no such line.
[[nodiscard]] std::optional<std::int64_t> outer_line(const plan::Stage& stage, std::uint64_t index, std::uint64_t tap);

// Elements [begin, end) of a segment, those that lie within the signal.
struct InsideRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};
[[nodiscard]] InsideRange inside_range(const plan::Bound& bound, std::int64_t position, std::int64_t length);

// to = elements [begin, end) of a line whose element 0 is at element `first` of the input, where neighbours are next to
// each other; with what stands beyond the ends. Complex ones are interleaved.
template <class T>
void copy_elements(const plan::Stage& stage, std::int64_t first, std::int64_t position, std::int64_t begin,
                   std::int64_t end, const T* input, T* to);

// planes = the segment's elements: both lines of a pair, or a complex line, or a real one (then the imaginary plane may
// be null, else it becomes zero).
template <class T>
void load_segment(const plan::Stage& stage, const BankSegment& segment, const T* input,
                  const CombinationKernels<T>& kernels, const Planes<T>& planes);

}  // namespace twiddle::backend::host
