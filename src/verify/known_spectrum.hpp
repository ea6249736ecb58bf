// Inputs of any size whose results are known element by element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "twiddle/device.hpp"
#include "verify/verify.hpp"

namespace twiddle::verify {

// A sum of two arrays, each the product of a factor for every array of the batch and a line along each axis
// (product_line.hpp): their spectra are the products of the lines' spectra. Forward, the arrays are what is read;
// inverse, their spectra are, rounded. All elements are computed as they are needed, by all threads.
class KnownSpectrum {
 public:
  // c2c and r2c in float32 and float64, in contiguous rows, nothing pruned, without hooks; lines that ProductLine
  // serves.
  [[nodiscard]] static bool serves(const Problem& problem);

  KnownSpectrum(const Problem& problem, std::uint64_t seed);  // `problem` is used later on
  ~KnownSpectrum();

  // What is read. `memory` holds at least what the problem reads; nothing else in it is touched.
  void fill(std::span<std::byte> memory) const;
  // The relative L2 error of what was written; NaN where something is not finite.
  [[nodiscard]] double error(std::span<const std::byte> memory) const;

  // A base of the templates that do it.
  class Elements;

 private:
  std::unique_ptr<Elements> elements_;
};

// Executes the problem once, on buffers of the device; host memory holds one of its two sides at a time. Throws what
// the plan throws.
[[nodiscard]] Outcome verify_known_spectrum(const Device& device, const Problem& problem, std::uint64_t seed);

}  // namespace twiddle::verify
