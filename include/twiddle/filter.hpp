// Filters in the frequency domain for two-dimensional data (images), after the classic textbook program: forward
// transform, multiply the spectrum by a mask, inverse transform.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "twiddle/plan.hpp"

namespace twiddle {

// Frequencies are radial, in cycles per pixel: d = sqrt(fu^2 + fv^2), with fu, fv the signed DFT frequencies
// (k/N for k <= (N-1)/2, (k-N)/N above), so 0 <= d <= sqrt(1/2).
struct Filter {
  enum class Band { high_pass, low_pass, band_pass, band_stop };
  enum class Shape {
    ideal,       // a step: high-pass zeroes d < C, low-pass keeps d < C, band-pass keeps C1 <= d < C2
    gaussian,    // low-pass response exp(-ln(2)/2 * (d/C)^2): -3 dB (1/sqrt 2) at the cut-off
    butterworth  // low-pass response 1/sqrt(1 + (d/C)^(2 order))
  };
  Band band = Band::high_pass;
  Shape shape = Shape::ideal;
  double cutoff = 0.125;       // C, or C1
  double upper_cutoff = 0.0;   // C2, for the two bands
  unsigned order = 2;          // Butterworth only

  bool operator==(const Filter&) const = default;
};

// Throws InvalidArgument unless 0 < C <= sqrt(1/2) (and C1 < C2 for bands) and order is 1..64.
void validate(const Filter& filter);

// The real factor for radial frequency d. High-pass is 1 - low-pass (ideal, Gaussian) or its own Butterworth form
// 1/sqrt(1 + (C/d)^(2 order)); band-pass is the product of the high-pass at C1 and the low-pass at C2; band-stop is
// 1 - band-pass.
[[nodiscard]] double response(const Filter& filter, double d);

// Filters a row-major image of height x width complex samples in host memory: forward, mask, inverse. The lengths of
// `plan` must be {height, width}, both transformed; its batch is the number of such images, one after the other (the
// channels of a picture), and its normalization does not matter. The transforms run on the plan's device. Throws
// InvalidArgument where plan, image and filter do not fit together.
void apply_filter(const Plan& plan, const Filter& filter, std::span<std::complex<float>> image,
                  Profile* profile = nullptr);

// log(1 + |X|) of the transform X (unscaled) of each image, zero frequency moved to row height/2, column width/2.
// `result` holds as many samples as `image`, which is overwritten. Plan and errors as above.
void log_spectrum(const Plan& plan, std::span<std::complex<float>> image, std::span<float> result,
                  Profile* profile = nullptr);

[[nodiscard]] std::string to_string(const Filter& filter);

}  // namespace twiddle
