// What was measured of a device: how long launches, transfers and transforms take on it. Plain numbers, so that devices
// can be compared that are not there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "twiddle/transform.hpp"

namespace twiddle::plan {

// Seconds by number of bytes, measured at a few sizes: between them a power law, below the first the same time, beyond
// the last one in proportion. Sizes ascend; empty: no time at all.
class SizeCurve {
 public:
  struct Point {
    std::uint64_t bytes = 1;
    double seconds = 0;
    bool operator==(const Point&) const = default;
  };

  SizeCurve() = default;
  // Throws InvalidArgument for sizes that do not ascend from 1, and for times that are not positive and finite.
  explicit SizeCurve(std::vector<Point> points);

  [[nodiscard]] double seconds(double bytes) const;
  // The most bytes in a second at any of the sizes below `bytes`, or else at the first; infinite where the curve is
  // empty.
  [[nodiscard]] double peak_rate(double bytes = std::numeric_limits<double>::infinity()) const;

  [[nodiscard]] const std::vector<Point>& points() const { return points_; }
  bool operator==(const SizeCurve&) const = default;

 private:
  std::vector<Point> points_;
};

struct DeviceProfile {
  // Of one execution, beside its stages: until it is submitted, and until the host knows that it is done.
  double wait_seconds = 0;
  // One stage: complex lines of `reference_length` in single precision, side by side; by the bytes read and written.
  SizeCurve stage;
  // Times what such a stage takes beyond its launch:
  double cached_strided_slowdown = 1;  // for columns, where they stay in the caches,
  double strided_slowdown = 1;         // where they leave them,
  double long_strided_slowdown = 1;    // of `column_length` instead, whose rows fall into the same few sets of a cache,
  double aligned_strided_slowdown = 1;  // of these where they are written to whole cache lines: the host's neighbouring
                                        // columns share none then,
  double double_slowdown = 1;           // in double precision with as many bytes; 1 where there is none,
  double short_slowdown = 1;            // for lines of `short_length` with as many bytes, `few_short_bytes`,
  double many_short_slowdown = 1;       // of `many_short_bytes`, where rows leave the caches sooner than such lines,
  double shortest_slowdown = 1;         // and for lines of `shortest_length`, few again.
  // Operations that it takes as long as, on a CPU, to make one number by a map that is folded into lines side by side,
  // and into columns; not measured: of PoCL on a Xeon.
  double row_mapping = 8;
  double column_mapping = 8;
  // One line in single precision on its own, which one core works on, beyond its launch; empty: no slower than many.
  SizeCurve line;
  // How much longer the first execution takes on the host whose input one thread has just written, by the bytes of
  // that: its other threads wake up and take what lies in the caches of one core; empty: no longer.
  SizeCurve after_writing;
  // Between the host's memory and the device's; empty on the host.
  SizeCurve to_device;
  SizeCurve from_device;
  bool operator==(const DeviceProfile&) const = default;
};

inline constexpr std::size_t reference_length = 256;
inline constexpr std::size_t reference_point_bytes = 2 * sizeof(float) * 2;  // read and written of such a line's point
inline constexpr std::size_t short_length = 64;
inline constexpr std::size_t shortest_length = 16;
inline constexpr std::size_t column_length = 1024;
inline constexpr double few_short_bytes = 1 << 22;  // read and written
inline constexpr double many_short_bytes = 1 << 26;

// Throws InvalidArgument for numbers that no measurement gives: they come from files.
void validate(const DeviceProfile& profile);

}  // namespace twiddle::plan
