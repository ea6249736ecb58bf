// Choices of radices, and of work-items to share a transform, from a cost model over device limits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "twiddle/device.hpp"

namespace twiddle::plan {

// Prime factors, ascending, with repetition; empty for 1.
[[nodiscard]] std::vector<std::size_t> prime_factors(std::size_t n);

// Points of a line whose passes have these radices.
[[nodiscard]] std::uint64_t product(const std::vector<unsigned>& radices);

// How work-items share one on-chip transform.
struct ChipChoice {
  std::vector<unsigned> radices;
  std::uint32_t items = 1;     // work-items per transform
  std::uint32_t elements = 1;  // the most complex elements that one of them holds
  double cost = 0;             // of the model; comparable between choices for one length
  bool operator==(const ChipChoice&) const = default;
};

// Prime factors up to this have butterflies of their own on every device but the host. Where they take more registers
// than there are, some spill: which is less than what any other algorithm does for such a factor. Convolutions of 43
// points would round more than FFTW's; larger butterflies take long to compile.
inline constexpr unsigned largest_chip_prime = 43;

// A prime with a butterfly for lines of so many points, since their convolution would round more than FFTW's, but not
// for one of several passes: 94 points would take 1.18 times as long on an H200, in double 3.5 times.
inline constexpr unsigned lone_chip_prime = 47;

// Larger butterflies that fill a work-item's registers with single precision, for shapes that were measured to be
// faster with them than with two passes or a convolution. The model does not look for them.
inline constexpr std::array<unsigned, 3> longest_radices{49, 61, 81};

// Whether a device with work-groups has a butterfly for a radix of at least 2.
[[nodiscard]] bool has_butterfly(unsigned radix, const DeviceLimits& limits);

// Complex elements that a work-item can hold in registers beside its other variables, at least 13.
[[nodiscard]] std::uint32_t elements_per_item(const DeviceLimits& limits);

// The most complex elements that one of `items` work-items holds of so many points in passes of these radices.
[[nodiscard]] std::uint64_t held_elements(const std::vector<unsigned>& radices, std::uint64_t points,
                                          std::uint64_t items);

// Registers of all work-groups that stand side by side on a compute unit, or of one, as far as any current GPU allows.
inline constexpr std::uint64_t group_registers = 65536;

// True where the exchange between two passes may happen in two halves.
[[nodiscard]] bool halves_possible(const std::vector<unsigned>& radices);

// Bytes of local memory that an exchange takes, offsets of the transforms against bank conflicts included.
// `scalars`: 2 for complex elements, 1 where real and imaginary parts go one after the other. `padding` as in
// KernelShape.
[[nodiscard]] std::uint64_t exchange_bytes(std::uint64_t length, std::uint32_t transforms, unsigned scalars,
                                           std::uint32_t rounds, std::uint32_t padding);

// Whether local memory holds one part, real or imaginary, of so many whole lines: as convolutions exchange them, and as
// maps behind a transform find them.
[[nodiscard]] bool exchanges_whole(std::uint64_t length, std::uint32_t transforms, const DeviceLimits& limits);

// The cheapest choice for `transforms` neighbouring transforms of `length` points in one work-group, or nothing where
// the registers and local memory of a group cannot hold them.
[[nodiscard]] std::optional<ChipChoice> choose_radices(std::size_t length, std::uint32_t transforms,
                                                       const DeviceLimits& limits);

// The cheapest number of work-items for radices that are given.
[[nodiscard]] std::optional<ChipChoice> choose_items(const std::vector<unsigned>& radices, std::uint32_t transforms,
                                                     const DeviceLimits& limits);

// Every number of work-items that some pass of these radices keeps busy, also those that choose_items thinks too many
// or too few for the registers: for who measures them.
[[nodiscard]] std::vector<ChipChoice> item_choices(const std::vector<unsigned>& radices, const DeviceLimits& limits);

// Radices for one launch each.
[[nodiscard]] std::vector<unsigned> staged_radices(std::size_t length, const DeviceLimits& limits);

// Transforms that a group should take side by side so that its accesses across them fill a memory segment.
[[nodiscard]] std::uint32_t tile_width(const DeviceLimits& limits);

}  // namespace twiddle::plan
