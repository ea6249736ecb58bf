// How the sums of an image convolution are computed exactly and fast: in which type, and how they become samples.
#pragma once

#include <optional>
#include <vector>

#include "backend/host/image_rows.hpp"
#include "plan/convolution/image_pass.hpp"
#include "twiddle/image_convolution.hpp"

namespace twiddle::apps {

using plan::Window;

// A window that is the product of a column and a row.
struct Separation {
  std::vector<double> column;
  std::vector<double> row;
};

// sample = floor((sum + before) * factor + after), clamped. Where `exact`, that is the definition bit by bit, whatever
// the order of the sums.
struct ImageArithmetic {
  enum class Sums { short_integers, floats, doubles };
  Sums sums = Sums::floats;
  bool exact = false;  // weights, scale and offset are whole numbers
  double before = 0;
  double factor = 1;
  double after = 0;
  backend::host::RowFinish<std::int16_t> short_finish{};  // for short_integers
};

// The kernel turned around unless it is to be correlated, of the opposite sign where the scale is negative.
[[nodiscard]] Window make_window(const ImageConvolution& convolution);

// The divisor, which is positive: no scale, 0, and a sum of 0 become 1.
[[nodiscard]] double effective_scale(const ImageConvolution& convolution);

// Column and row of a window of rank 1, in whole numbers for a window of whole numbers; none for another.
[[nodiscard]] std::optional<Separation> separate(const Window& window);

// `scale`: the effective one. `bits`: 8 or 16.
[[nodiscard]] ImageArithmetic choose_arithmetic(const Window& window, double scale, double offset, unsigned bits);

}  // namespace twiddle::apps
