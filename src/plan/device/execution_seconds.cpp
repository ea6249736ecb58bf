// Estimating how long plans take from what was measured of a device.
#include "plan/device/execution_seconds.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "plan/recipe/host_sharing.hpp"

namespace twiddle::plan {
namespace {

constexpr double point_bytes = reference_point_bytes;
// What the measured lines have for each of their bytes.
constexpr double reference_intensity = operations_by_doublings * (std::bit_width(reference_length) - 1) / point_bytes;

// Columns of so few bytes stay in the caches, and those of so many leave them.
constexpr double cached_bytes = 1 << 18;
constexpr double uncached_bytes = 1 << 22;

double share_between(double low, double high, double value) {
  return std::clamp(std::log(value / low) / std::log(high / low), 0.0, 1.0);
}

double short_line_slowdown(double length, double bytes, const DeviceProfile& profile) {
  const double many = share_between(few_short_bytes, many_short_bytes, bytes);
  const double slower = profile.short_slowdown * std::pow(profile.many_short_slowdown / profile.short_slowdown, many);
  if (length >= short_length) return std::pow(slower, 1 - share_between(short_length, reference_length, length));
  const double part = share_between(shortest_length, short_length, length);
  return profile.shortest_slowdown * std::pow(slower / profile.shortest_slowdown, part);
}

double sharing_units(const StageWork& stage, std::size_t units) {
  return std::clamp(static_cast<double>(units), 1.0, std::max(stage.pieces, 1.0));
}

// Beside rows. Of what several of the host's threads share, all but one thread's part lies in the caches of other
// cores.
double column_slowdown(const StageWork& stage, const DeviceProfile& profile, std::size_t units) {
  if (!stage.strided) return 1;
  if (stage.aligned) return profile.aligned_strided_slowdown;
  const double part = stage.crowded ? share_between(reference_length, column_length, stage.length) : 0;
  const double columns =
      profile.strided_slowdown * std::pow(profile.long_strided_slowdown / profile.strided_slowdown, part);
  const double elsewhere = stage.pieces == StageWork::unlimited ? 0 : 1 - 1 / sharing_units(stage, units);
  const double uncached = std::max(share_between(cached_bytes, uncached_bytes, stage.bytes), elsewhere);
  return profile.cached_strided_slowdown * std::pow(columns / profile.cached_strided_slowdown, uncached);
}

// Beside lines of the reference's length, as many bytes side by side, in single precision.
double line_slowdown(const StageWork& stage, const DeviceProfile& profile) {
  const double result =
      stage.operations == 0 ? 1 : short_line_slowdown(stage.length, stage.bytes, profile);  // of lines that are none
  return stage.precision == Precision::float32 ? result : result * profile.double_slowdown;
}

// Bytes of such lines in a second, where nothing but operations counts: as fast as they were at any size; on the host
// as fast as one thread was alone, which it is at small sizes, times those that share the stage: all of them together
// wait for memory.
double computing_rate(const StageWork& stage, const DeviceProfile& profile, std::size_t units) {
  if (stage.pieces == StageWork::unlimited) return profile.stage.peak_rate();
  return host_speedup(sharing_units(stage, units)) * profile.stage.peak_rate(host_shared_points * point_bytes);
}

// What the host waits for beside a stage of rows that is as many bytes: for threads to awake, for memory and for what
// lies in the caches of other cores. Of a shared one no less than of the smallest shared one that was measured.
double waiting_seconds(const StageWork& stage, const DeviceProfile& profile, std::size_t units) {
  const auto beside = [&](double bytes, double seconds) {
    StageWork measured = stage;
    measured.pieces = static_cast<double>(host_pieces(static_cast<std::uint64_t>(bytes / point_bytes)));
    return std::max(seconds - bytes / computing_rate(measured, profile, units), 0.0);
  };
  const double waiting = beside(stage.bytes, profile.stage.seconds(stage.bytes));
  if (sharing_units(stage, units) == 1) return waiting;
  for (const auto& [bytes, seconds] : profile.stage.points()) {
    const double size = static_cast<double>(bytes);
    if (size >= host_shared_points * point_bytes) return std::max(waiting, beside(size, seconds));
  }
  return waiting;
}

// Of the unit that has most lines. Operations beyond those of a line's own transform count as points. What only moves
// elements, or makes each of a few others, is shared out however few lines there are.
double lines_seconds(const StageWork& stage, const DeviceProfile& profile, std::size_t units) {
  if (stage.operations == 0) return 0;
  const bool wide = stage.precision != Precision::float32;
  const double points = stage.operations / (operations_by_doublings * std::log2(std::max(stage.length, 2.0)));
  const double bytes = std::max(stage.bytes / (wide ? 2 : 1), points * point_bytes) / stage.lines;
  const double rounds = std::ceil(stage.lines / sharing_units(stage, units));
  return rounds * profile.line.seconds(bytes) * (wide ? 2 * profile.double_slowdown : 1);
}

double stage_seconds(const StageWork& stage, const DeviceProfile& profile, std::size_t units) {
  const double launch = profile.stage.points().front().seconds;
  const double slower = line_slowdown(stage, profile);
  const double columns = column_slowdown(stage, profile, units);
  const double moving = (profile.stage.seconds(stage.bytes) - launch) * slower;
  // As many bytes of double precision hold half the numbers.
  const double numbers = stage.precision == Precision::float32 ? 1 : 2;
  const double mapping = stage.mapping + stage.mapped * (stage.strided ? profile.column_mapping : profile.row_mapping);
  const double computing =
      (stage.operations + mapping) * numbers * slower / (computing_rate(stage, profile, units) * reference_intensity);
  const double lines = lines_seconds(stage, profile, units);
  if (stage.pieces == StageWork::unlimited) return launch + std::max({moving * columns, computing * columns, lines});
  const double waiting = waiting_seconds(stage, profile, units) * slower;
  return launch + std::max(moving * columns, waiting * columns + std::max(computing * columns, lines));
}

}  // namespace

double execution_seconds(const Work& work, const DeviceProfile& profile, std::size_t units) {
  double seconds = profile.wait_seconds;
  for (const StageWork& stage : work.stages) seconds += stage_seconds(stage, profile, units);
  return seconds;
}

}  // namespace twiddle::plan
