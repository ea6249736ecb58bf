// What to compute: the shape of the data and the kind of transform. A plain value; no device is involved.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace twiddle {

enum class Direction { forward, inverse };

// Which direction carries the factor 1/N (SciPy's words). N is the product of the transformed lengths.
enum class Normalization {
  backward,  // the inverse is scaled by 1/N
  ortho,     // both directions are scaled by 1/sqrt(N)
  forward,   // the forward transform is scaled by 1/N
  none       // nothing is scaled
};

// A discrete Fourier transform of complex single-precision data, interleaved (re, im).
//   X[k] = sum_n x[n] exp(-2 pi i n k / N); the inverse has + in the exponent.
// The array is row-major: the last dimension is contiguous. `batch` such arrays follow each other without gaps.
struct Transform {
  std::vector<std::size_t> lengths;  // the array's shape, in elements; each at least 1
  std::vector<std::size_t> axes{};   // which dimensions are transformed; empty means all of them
  std::size_t batch = 1;             // number of arrays
  Normalization normalization = Normalization::backward;

  bool operator==(const Transform&) const = default;
};

// Complex elements of one array, and of all arrays together.
[[nodiscard]] std::size_t array_elements(const Transform& transform);
[[nodiscard]] std::size_t total_elements(const Transform& transform);

// The axes that are transformed, ascending: `axes`, or all dimensions where that is empty.
[[nodiscard]] std::vector<std::size_t> transformed_axes(const Transform& transform);

// The factor that a transform in `direction` multiplies its result by.
[[nodiscard]] double scale_factor(const Transform& transform, Direction direction);

// Throws InvalidArgument for no lengths, a zero length or batch, an axis out of range or named twice, or a size that
// overflows the address space.
void validate(const Transform& transform);

// "8x1080x1920", with ":axes=0,2" where not all dimensions are transformed; the batch, if any, stands first with '*'.
[[nodiscard]] std::string to_string(const Transform& transform);

}  // namespace twiddle
