// How a device with work-groups carries out a bank of filters: which segments suit it, and who holds what.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/lower/stage.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// Of a work-item, as the measured GPU's, whose compiler heeds a limit of them.
inline constexpr std::uint32_t many_registers = 250;

// A segment, the radices of its transforms, and what one of them costs beside others, there and back being alike.
struct BankSegment {
  std::uint64_t length = 1;
  std::vector<unsigned> radices;
  double cost = 0;
  std::uint32_t held = 0;       // elements that a work-item holds, which keeps the roots of its butterflies, and
  std::uint32_t root_step = 0;  // as KernelShape's, on GPUs like the measured one; 0: as everywhere
  std::uint32_t ahead = 0;      // KernelShape::fetched_ahead, likewise
  bool operator==(const BankSegment&) const = default;
};

// All that groups of the device hold, shortest first; none where it has no work-groups that share local memory. The
// radices are those tuned for rows of the length (limits.choices), where the bank can be carried out by them and the
// model thinks them nearly as good as its own. The limits are those for the precision (limits_for).
[[nodiscard]] std::vector<BankSegment> bank_segments(const DeviceLimits& limits);

// The one that costs least where `lost` elements of each segment give no output, or none where all are too short. The
// segment's own transform is shared by the filters.
[[nodiscard]] std::optional<BankSegment> choose_bank_segment(std::uint64_t lost, std::uint64_t filters,
                                                             const DeviceLimits& limits);

// Whether a group holds the sums of columns for rows of so many taps.
[[nodiscard]] bool holds_columns(std::uint64_t taps, std::uint64_t element_bytes, const DeviceLimits& limits);

// Whether a group of so many work-items holds segments of that length by passes of these radices, and shares them out
// evenly where its spectrum is kept. An item may hold more elements than the tables give it.
[[nodiscard]] bool holds_bank(const std::vector<unsigned>& radices, std::uint64_t length, std::uint32_t items,
                              const DeviceLimits& limits);

// The shape of a stage with a bank: as it was tuned (bank_choice.hpp), else by the tables. Where one is cyclic and
// another makes its spectra, both are given the same items for the same segment, so that the one finds the spectra
// where the other leaves them, if the limits have the same choices. The limits are the device's. Throws Unsupported
// where no group of the device holds it.
[[nodiscard]] KernelShape choose_bank_shape(const Stage& stage, const DeviceLimits& device_limits);

// Work-items that a compute unit takes at once: of every NVIDIA GPU since Turing, and of those like the measured one.
inline constexpr std::uint32_t least_resident_items = 1024;
inline constexpr std::uint32_t measured_resident_items = 2048;

// Groups that share a compute unit: as its 65536 registers allow, within so many work-items and 16 groups.
[[nodiscard]] std::uint32_t groups_side_by_side(const KernelShape& shape,
                                                std::uint32_t resident_items = least_resident_items);

}  // namespace twiddle::plan
