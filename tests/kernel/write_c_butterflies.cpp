// Writes the butterflies of all radices, forward and inverse, as OpenCL C or CUDA C++ prints them, for a test that
// compiles them as C++: write_c_butterflies opencl|cuda OUTPUT.
#include <fstream>
#include <string_view>

#include "kernel/butterfly.hpp"

int main(int argument_count, char** arguments) {
  using namespace twiddle;
  if (argument_count != 3) return 2;
  const bool cuda = std::string_view(arguments[1]) == "cuda";
  std::ofstream file(arguments[2]);
  for (unsigned radix = 2; radix <= plan::longest_radices.back(); ++radix) {
    if (!kernel::has_butterfly(radix)) continue;
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      file << kernel::butterfly_source(radix, direction, cuda ? kernel::Dialect::cuda : kernel::Dialect::opencl);
    }
  }
  file.close();
  return file ? 0 : 1;
}
