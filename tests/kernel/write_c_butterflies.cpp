// Writes the butterflies of all radices, forward and inverse, as OpenCL C or CUDA C++ prints them, for a test that
// compiles them as C++: write_c_butterflies opencl|cuda float|double OUTPUT.
#include <fstream>
#include <string_view>

#include "kernel/butterfly.hpp"

int main(int argument_count, char** arguments) {
  using namespace twiddle;
  if (argument_count != 4) return 2;
  const auto dialect = std::string_view(arguments[1]) == "cuda" ? kernel::Dialect::cuda : kernel::Dialect::opencl;
  const auto precision = std::string_view(arguments[2]) == "double" ? Precision::float64 : Precision::float32;
  std::ofstream file(arguments[3]);
  for (unsigned radix = 2; radix <= plan::longest_radices.back(); ++radix) {
    if (!kernel::has_butterfly(radix)) continue;
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      file << kernel::butterfly_source(radix, direction, dialect, precision);
    }
  }
  file.close();
  return file ? 0 : 1;
}
