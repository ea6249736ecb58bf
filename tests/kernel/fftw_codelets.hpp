// What FFTW 3.3.10 publishes in the headers of its codelets n1_*.c, for comparison.
#pragma once

#include <array>

namespace twiddle::test {

struct Codelet {
  unsigned radix;
  unsigned additions;         // of the form without fused multiply-add
  unsigned multiplications;   // the same
  unsigned fused_operations;  // additions, multiplications and fused multiply-adds of the form with them
};

inline constexpr std::array<Codelet, 18> fftw_codelets{{{2, 4, 0, 4},
                                                        {3, 12, 4, 12},
                                                        {4, 16, 0, 16},
                                                        {5, 32, 12, 32},
                                                        {6, 36, 8, 36},
                                                        {7, 60, 36, 60},
                                                        {8, 52, 4, 52},
                                                        {9, 80, 40, 80},
                                                        {10, 84, 24, 84},
                                                        {11, 140, 100, 140},
                                                        {12, 96, 16, 96},
                                                        {13, 176, 68, 176},
                                                        {14, 148, 72, 148},
                                                        {15, 156, 56, 156},
                                                        {16, 144, 24, 144},
                                                        {20, 208, 48, 208},
                                                        {25, 352, 184, 352},
                                                        {32, 372, 84, 372}}};

}  // namespace twiddle::test
