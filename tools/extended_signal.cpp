// Inside, samples are read as they come; outside, those that the boundary names are gathered.
#include "extended_signal.hpp"

#include <algorithm>
#include <cstring>

namespace twiddle::tool {
namespace {

// Samples around those that are wanted, read in one go rather than one by one.
constexpr std::uint64_t widest_read = 1 << 20;

}  // namespace

std::span<const std::byte> ExtendedSignal::read(std::int64_t begin, std::int64_t end) {
  const auto count = static_cast<std::size_t>(end - begin);
  const auto length = static_cast<std::int64_t>(source_.samples());
  samples_.resize(count * source_.rows() * element_bytes(type_));
  if (begin >= 0 && end <= length) {
    source_.read(static_cast<std::uint64_t>(begin), count, type_, samples_);
    return samples_;
  }
  std::fill(samples_.begin(), samples_.end(), std::byte{0});
  for (std::int64_t at = begin; at < end;) {
    const std::int64_t run_end = at < 0 ? std::min<std::int64_t>(end, 0) : at < length ? std::min(end, length) : end;
    read_run(begin, at, run_end, count);
    at = run_end;
  }
  return samples_;
}

void ExtendedSignal::read_run(std::int64_t first, std::int64_t begin, std::int64_t end, std::size_t count) {
  std::vector<std::uint64_t> from;
  for (std::int64_t at = begin; at < end; ++at) {
    const auto source = boundary_source(boundary_, at, source_.samples());
    if (!source) return;  // zeros, which stand there already
    from.push_back(*source);
  }
  const std::size_t element = element_bytes(type_);
  for (std::size_t i = 0; i < from.size();) {
    // As many as lie near each other.
    std::uint64_t low = from[i];
    std::uint64_t high = from[i];
    std::size_t next = i + 1;
    for (; next < from.size(); ++next) {
      const std::uint64_t wider_low = std::min(low, from[next]);
      const std::uint64_t wider_high = std::max(high, from[next]);
      if (wider_high - wider_low > widest_read) break;
      low = wider_low;
      high = wider_high;
    }
    const auto width = static_cast<std::size_t>(high - low + 1);
    piece_.resize(width * source_.rows() * element);
    source_.read(low, width, type_, piece_);
    for (std::size_t row = 0; row < source_.rows(); ++row) {
      std::byte* to = samples_.data() + (row * count + static_cast<std::size_t>(begin - first) + i) * element;
      for (std::size_t k = i; k < next; ++k, to += element) {
        std::memcpy(to, piece_.data() + (row * width + static_cast<std::size_t>(from[k] - low)) * element, element);
      }
    }
    i = next;
  }
}

}  // namespace twiddle::tool
