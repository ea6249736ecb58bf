// Interpolation of measured times.
#include "plan/device/device_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "twiddle/error.hpp"

namespace twiddle::plan {
namespace {

void require_positive(const char* name, double value) {
  if (std::isfinite(value) && value > 0) return;
  throw InvalidArgument(fmt::format("{} is {}; expected a positive number", name, value));
}

}  // namespace

SizeCurve::SizeCurve(std::vector<Point> points) : points_(std::move(points)) {
  std::uint64_t before = 0;
  for (const auto& [bytes, seconds] : points_) {
    if (bytes <= before) {
      throw InvalidArgument(fmt::format("sizes are {} bytes after {}; expected ascending ones", bytes, before));
    }
    require_positive("a time", seconds);
    before = bytes;
  }
}

double SizeCurve::seconds(double bytes) const {
  if (points_.empty() || bytes <= 0) return 0;
  const auto size = [](const Point& point) { return static_cast<double>(point.bytes); };
  const auto above =
      std::find_if(points_.begin(), points_.end(), [&](const Point& point) { return size(point) >= bytes; });
  if (above == points_.begin()) return above->seconds;
  const Point& low = *(above - 1);
  if (above == points_.end()) return low.seconds * bytes / size(low);
  const double part = std::log(bytes / size(low)) / std::log(size(*above) / size(low));
  return low.seconds * std::pow(above->seconds / low.seconds, part);
}

double SizeCurve::peak_rate(double bytes) const {
  if (points_.empty()) return std::numeric_limits<double>::infinity();
  const auto rate = [](const Point& point) { return static_cast<double>(point.bytes) / point.seconds; };
  double best = rate(points_.front());
  for (const Point& point : points_) {
    if (static_cast<double>(point.bytes) < bytes) best = std::max(best, rate(point));
  }
  return best;
}

void validate(const DeviceProfile& profile) {
  if (profile.stage.points().empty()) throw InvalidArgument("no stage was measured; expected at least one size");
  require_positive("the slowdown of cached columns", profile.cached_strided_slowdown);
  require_positive("the slowdown of columns", profile.strided_slowdown);
  require_positive("the slowdown of long columns", profile.long_strided_slowdown);
  require_positive("the slowdown of aligned columns", profile.aligned_strided_slowdown);
  require_positive("the slowdown of double precision", profile.double_slowdown);
  require_positive("the slowdown of short lines", profile.short_slowdown);
  require_positive("the slowdown of many short lines", profile.many_short_slowdown);
  require_positive("the slowdown of the shortest lines", profile.shortest_slowdown);
  require_positive("the operations of a map", profile.row_mapping);
  require_positive("the operations of a map in columns", profile.column_mapping);
  if (profile.wait_seconds != 0) require_positive("the time to wait", profile.wait_seconds);
}

}  // namespace twiddle::plan
