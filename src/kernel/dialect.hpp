// A dialect is data: the words in which the same arithmetic is written for OpenCL C, CUDA C++ and host SIMD C++.
#pragma once

#include <string>
#include <string_view>

#include "twiddle/transform.hpp"

namespace twiddle::kernel {

enum class Dialect { opencl, cuda, host };

// Macros that give a generated kernel one spelling in OpenCL C and CUDA C++ (TW_KERNEL, TW_LOCAL, TW_BARRIER, ...),
// with TW_REAL and TW_COMPLEX in the precision of the arithmetic: float32 or float64. Empty for the host, whose kernels
// are C++ that includes the generated butterflies. `limits_registers`: the compiler is told how many registers a
// work-item may use, and must heed that.
[[nodiscard]] std::string prelude(Dialect dialect, Precision precision = Precision::float32,
                                  bool limits_registers = false);

// What a kernel needs beside it to load and store halves: TW_HALF, TW_LOAD_HALF, TW_STORE_HALF2, ...
[[nodiscard]] std::string_view half_prelude(Dialect dialect);
// What a kernel needs beside that whose floats have their words apart: TW_JOIN_WORDS, TW_UPPER_WORD, TW_LOWER_WORD.
[[nodiscard]] std::string word_prelude(Dialect dialect);
// What a kernel needs that moves two complex numbers of single precision at once: TW_VECTOR, TW_LOAD_VECTOR,
// TW_STORE_VECTOR, and TW_ALIGNED, whether a pointer allows that.
[[nodiscard]] std::string_view vector_prelude(Dialect dialect);
// What a kernel needs whose groups share lines: TW_CLUSTER, behind TW_KERNEL; TW_CLUSTER_ARRIVE, TW_CLUSTER_WAIT, a
// barrier of all groups in two halves; memory_of_group. Throws Unsupported where the dialect has no clusters.
[[nodiscard]] std::string_view cluster_prelude(Dialect dialect);
// What a kernel needs that fetches lines ahead: TW_GROUPS, of the launch; TW_ARRIVAL, the type of what says in local
// memory that a line has arrived; prepare_arrival, fetch_line, await_line, and before_line, where in its place in local
// memory a line begins; of tiles, fetch_element, fetch_16_bytes, and await_elements, which waits for the work-item's
// own copies. Throws Unsupported where the dialect has no such copies.
[[nodiscard]] std::string_view prefetch_prelude(Dialect dialect);
// Whether kernels can wait for the end of the one before them, and so be launched before.
[[nodiscard]] constexpr bool has_dependent_launches(Dialect dialect) { return dialect == Dialect::cuda; }
// What such a kernel needs: TW_DEPENDENCY_WAIT, the first that each of its work-items does, but for a bank's segments,
// which load the signal first. Empty in other dialects.
[[nodiscard]] std::string_view dependent_launch_prelude(Dialect dialect);

// What kernels of filters and of segments right behind them say beside it: TW_DEPENDENT_START() lets the next kernel
// start, TW_LOAD_SHARED(place) reads past a unit's own cache.
[[nodiscard]] std::string_view early_start_prelude(Dialect dialect);

// Where OpenCL's compiler is told this word, it also takes those of NVIDIA's instruction set, of at least compute
// capability 7.0 and version 7.4 of PTX (drivers from 470 on).
inline constexpr std::string_view knows_ptx = "TW_KNOWS_PTX";
// TW_STREAM(place, value) stores a number of that precision, or a complex one, that nobody reads soon.
[[nodiscard]] std::string stream_prelude(Dialect dialect, Precision precision);
// What must precede everything in a kernel with doubles.
[[nodiscard]] std::string_view double_prelude(Dialect dialect);

// A signed integer of 32 or, if `wide`, 64 bits.
[[nodiscard]] std::string_view signed_type(Dialect dialect, bool wide);

// A number as it is written in a kernel, so that the nearest number of the precision is read.
[[nodiscard]] std::string literal(double value, Precision precision);

}  // namespace twiddle::kernel
