// Choices for filter banks that were made by measuring on one device: the segments of overlap-save, and on devices who
// computes them.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/lower/stage.hpp"
#include "twiddle/convolution.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// How often a segment's own transform serves: for one filter, a few (below few_filters) or many.
enum class FilterCount { one, few, many };
inline constexpr std::uint64_t few_filters = 16;
[[nodiscard]] FilterCount filter_count(std::uint64_t filters);
[[nodiscard]] std::string_view to_string(FilterCount count);

// Which banks a choice is for.
struct BankKey {
  std::uint64_t taps = 1;  // of each filter
  FilterCount filters = FilterCount::one;
  bool complex = false;
  Precision precision = Precision::float32;
  auto operator<=>(const BankKey&) const = default;
};

// Of a convolution of one dimension.
[[nodiscard]] BankKey bank_key(const twiddle::Convolution& convolution);

// How such banks are computed. The host looks at segment and partitions alone, devices have no partitions.
struct BankChoice {
  std::uint64_t segment = 0;        // points of a transform
  bool partitioned = false;         // filters are cut into partitions
  std::vector<unsigned> radices{};  // of the segment's passes; powers of two
  std::uint32_t items = 0;          // work-items of a group, which takes one segment after the other
  std::uint32_t registers = 0;      // that a work-item may use; 0: as many as the tables of bank_shape.cpp say
  std::uint32_t groups = 0;         // of each compute unit; 0: as many as the registers leave room for
  std::uint32_t root_step = 0;      // as in KernelShape
  bool operator==(const BankChoice&) const = default;
};

// Why no device with these limits, which are those for the precision (limits_for), can carry out the choice; nothing
// where one can.
[[nodiscard]] std::optional<std::string> objection(const BankKey& key, const BankChoice& choice,
                                                   const DeviceLimits& limits);

// Of a signal: fewer leave too much of the last one empty for what was measured to hold.
inline constexpr std::uint64_t fewest_tuned_segments = 4;

// The choice in limits.choices for a convolution of one dimension whose segments are left open and as many, if the
// device can carry it out. The limits are the device's.
[[nodiscard]] const BankChoice* tuned_bank(const twiddle::Convolution& convolution, const DeviceLimits& device_limits);

// The same for a stage with a bank on a device, where it is the one that the stage's radices are from. The limits are
// those for the precision.
[[nodiscard]] const BankChoice* tuned_bank(const Stage& stage, const DeviceLimits& limits);

// "bank of many x 257 taps, real, f32: segments of 1024 = 32.32, 32 items, 168 registers, 8 groups a unit".
[[nodiscard]] std::string to_string(const BankKey& key, const BankChoice& choice);

}  // namespace twiddle::plan
