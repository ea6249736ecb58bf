// What to compute: the kind of transform, the shape of the data and where it lies. A plain value; no device is involved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

struct Hook;  // hook.hpp

enum class Direction { forward, inverse };

// The transforms, by their usual names. `inverse` undoes `forward`, up to the scaling that Normalization says.
// Real-to-real kinds are those of FFTW and SciPy, unscaled as there, and applied to each transformed axis in turn:
//   dct1  y[k] = x[0] + (-1)^k x[n-1] + 2 sum_{0<j<n-1} x[j] cos(pi j k / (n-1)), n >= 2      inverse: itself
//   dct2  y[k] = 2 sum_j x[j] cos(pi (j + 1/2) k / n)                                          inverse: dct3
//   dct3  y[k] = x[0] + 2 sum_{j>0} x[j] cos(pi j (k + 1/2) / n)                               inverse: dct2
//   dct4  y[k] = 2 sum_j x[j] cos(pi (j + 1/2) (k + 1/2) / n)                                  inverse: itself
//   dst1  y[k] = 2 sum_j x[j] sin(pi (j + 1) (k + 1) / (n+1))                                  inverse: itself
//   dst2  y[k] = 2 sum_j x[j] sin(pi (j + 1/2) (k + 1) / n)                                    inverse: dst3
//   dst3  y[k] = (-1)^k x[n-1] + 2 sum_{j<n-1} x[j] sin(pi (j + 1) (k + 1/2) / n)              inverse: dst2
//   dst4  y[k] = 2 sum_j x[j] sin(pi (j + 1/2) (k + 1/2) / n)                                  inverse: itself
//   dht   y[k] = sum_j x[j] (cos(2 pi j k / n) + sin(2 pi j k / n))                            inverse: itself
enum class Kind {
  c2c,  // complex to complex: X[k] = sum_j x[j] exp(-2 pi i j k / n); the inverse has + in the exponent
  r2c,  // real to complex: of the last transformed axis only frequencies 0..n/2 are stored; the inverse (C2R) takes
        // these and gives real data; it ignores the imaginary parts that real data cannot have
  dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4, dht
};

// Of the scalars in memory. Arithmetic is in the same precision, for float16 in float32.
enum class Precision {
  float16,  // IEEE binary16, see half.hpp
  float32,
  float64,
  extended  // long double, on the host only
};

// Which direction carries the factor 1/N (SciPy's words). N is the product over the transformed axes of the length n,
// or for real-to-real kinds of 2 (n-1) for dct1, 2 (n+1) for dst1, n for dht and 2 n for the others.
enum class Normalization {
  backward,  // the inverse is scaled by 1/N
  ortho,     // both directions are scaled by 1/sqrt(N); dct1, dct2, dct3, dst2 and dst3 also have the first or last
             // elements of each line weighted so that the transform is orthogonal, as in SciPy (which up to 1.10 has the
             // wrong element for dst2 and dst3: its issue 18452)
  forward,   // the forward transform is scaled by 1/N
  none       // nothing is scaled
};

// Where the elements of an array lie. An element is a complex number, or a scalar for real data and planar complex data;
// strides and offsets count elements.
struct Layout {
  enum class Format {
    interleaved,  // real part, imaginary part, real part, ...
    planar        // the real parts, and `imaginary_offset` scalars behind each its imaginary part
  };
  Format format = Format::interleaved;    // of complex data; without meaning for real data
  std::vector<std::int64_t> strides{};    // one for each dimension, may be negative; empty: row-major without gaps
  std::optional<std::int64_t> batch_stride{};      // from array to array; default: one array after the other
  std::uint64_t offset = 0;                        // of element (0, 0, ...) from the start of the memory
  std::optional<std::int64_t> imaginary_offset{};  // planar only; default: all real parts, then all imaginary parts
  bool operator==(const Layout&) const = default;
};

// A transform of arrays of `lengths`, row-major, in `batch` copies. `input` and `output` are those of the forward
// transform: the inverse reads where forward writes, and the other way round.
struct Transform {
  std::vector<std::size_t> lengths;  // the array's shape, at most 8 dimensions; of r2c: that of the real data
  std::vector<std::size_t> axes{};   // which dimensions are transformed; empty means all of them
  std::size_t batch = 1;             // number of arrays
  Normalization normalization = Normalization::backward;
  Kind kind = Kind::c2c;
  Precision precision = Precision::float32;
  Layout input{};
  Layout output{};
  // Zero padding and pruning: the first so many elements of each dimension are there; the rest of the input is zero and
  // is neither stored nor read, the rest of the output is not computed where that can be avoided, and not stored. Empty:
  // all of them. For r2c the last transformed axis of the output has n/2+1.
  std::vector<std::size_t> input_extents{};
  std::vector<std::size_t> output_extents{};
  double forward_factor = 1;  // multiplies the result, beside what `normalization` says
  double inverse_factor = 1;
  bool overwrite_input = false;  // out of place, the input may be used as working memory
  // Applied to every element that is read, and before an element is written, in both directions. Equal where they are the
  // same object.
  std::shared_ptr<const Hook> load_hook{};
  std::shared_ptr<const Hook> store_hook{};

  bool operator==(const Transform&) const = default;
};

inline constexpr std::size_t largest_rank = 8;

// Elements of one array of `lengths`, and of all arrays together.
[[nodiscard]] std::size_t array_elements(const Transform& transform);
[[nodiscard]] std::size_t total_elements(const Transform& transform);

// The axes that are transformed, ascending: `axes`, or all dimensions where that is empty.
[[nodiscard]] std::vector<std::size_t> transformed_axes(const Transform& transform);

// The factor that a transform in `direction` multiplies its result by, normalization included.
[[nodiscard]] long double scale_factor(const Transform& transform, Direction direction);

[[nodiscard]] bool is_real_to_real(Kind kind);
// The kind that undoes a kind: dct3 for dct2; c2c, r2c and the symmetric ones themselves.
[[nodiscard]] Kind inverse_kind(Kind kind);

// Throws InvalidArgument for no or too many lengths, a zero length or batch, an axis out of range or named twice, a
// length that the kind does not have, extents beyond the lengths, layouts with the wrong number of strides or whose
// elements overlap where they are written, and sizes that overflow the address space.
void validate(const Transform& transform);

[[nodiscard]] std::string_view to_string(Kind kind);                    // "c2c"
[[nodiscard]] std::string_view to_string(Precision precision);          // "f32"
[[nodiscard]] std::string_view to_string(Normalization normalization);  // "backward"
// In the grammar of problem.hpp, without direction and placement: "c2c:f32:8x1080x1920:axes=1,2".
[[nodiscard]] std::string to_string(const Transform& transform);

}  // namespace twiddle
