// Lines of a stage whose numbers lie apart on the host, beside the same lines of adjacent numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace twiddle::test {

// Where the numbers of a line lie on one side: so many numbers apart, or, complex ones, in planes.
struct NumbersApart {
  std::int64_t step = 1;
  bool planes = false;
};

struct LinesApart {
  std::string problem;  // of one line that is one stage
  NumbersApart read;
  NumbersApart written;
  std::size_t lines = 1;
  std::int64_t targets = 0;  // 0: the best there are
};

// Relative L2 difference of their results. Nothing else may be stored to.
template <class T>
[[nodiscard]] double line_difference(const LinesApart& lines);

}  // namespace twiddle::test
