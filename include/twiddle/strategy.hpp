// The steps by which published work made Fourier transforms faster, each to be chosen: what twiddle does by itself, or what
// was done before, to compare with. A plain value; plans follow that of their device (Device::with_strategy).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace twiddle {

// The defaults are what twiddle does by itself. docs/strategies.md says where each step comes from and what it does.
// Whatever can be computed is computed right under every strategy; a plan throws Unsupported where the device, or the
// transform, does not allow one, naming it and the reason.
struct Strategy {
  // Of the butterflies. Lengths with other prime factors go through Bluestein's algorithm.
  enum class Radices { all, four_and_two, two };
  // The roots of unity between passes: multiplied by in the passes, or in passes over memory of their own.
  enum class Twiddles { merged, separate };
  // The order of the results: every pass puts its own where they belong, or all work where they are and one last pass
  // over memory puts them in order.
  enum class DigitReversal { self_sorting, separate };
  // Whether the passes of a line are one launch in registers and local memory where these hold it, or one launch each.
  // Separate twiddles and a separate digit reversal need launches of their own, so that `chosen` is through_memory then.
  enum class Staging { chosen, on_chip, through_memory };
  // All lines (of one axis, in all arrays) in one launch, or one launch for each of them.
  enum class Launches { all_rows, one_per_row };
  // How lines whose elements are apart become rows, and rows become lines again: not at all, their transforms go across
  // memory; copied to the host, rearranged and copied back; by a kernel, one element an item; by blocks through local
  // memory; by swapping blocks within one memory, where rows and columns are equally many.
  enum class Transposes { none, host, elementwise, blocked, in_place };
  // Between work-items of a group: complex numbers at once, or real parts and then imaginary parts.
  enum class Exchange { chosen, complex, split };
  // The sum as it stands, a work-item for each result, or fast transforms.
  enum class Algorithm { chosen, direct, fft };
  // Of the complex arrays between launches.
  enum class Parts { interleaved, planar };

  Radices radices = Radices::all;
  Twiddles twiddles = Twiddles::merged;
  DigitReversal reversal = DigitReversal::self_sorting;
  Staging staging = Staging::chosen;
  Launches launches = Launches::all_rows;
  Transposes transposes = Transposes::none;
  std::uint32_t block = 0;     // elements along a side of a block of a transposition; 0: chosen
  std::uint32_t group = 0;     // most work-items of a work-group, which groups fill as far as they can; 0: chosen
  std::uint32_t elements = 0;  // most complex numbers that a work-item holds, which it holds where it can; 0: chosen
  std::uint32_t vector = 0;    // complex numbers that a work-item moves to or from memory at once, 1 or 2; 0: chosen
  Exchange exchange = Exchange::chosen;
  Algorithm algorithm = Algorithm::chosen;
  Parts parts = Parts::interleaved;
  std::uint64_t segment = 0;  // points of a segment of overlap-save, where the convolution leaves them open; 0: chosen

  bool operator==(const Strategy&) const = default;
};

// Any of these, joined by commas, each at most once; "default" or nothing is the default strategy.
//   radices=all|4|2           twiddles=merged|separate     reversal=self-sorting|separate
//   staging=chosen|on-chip|memory      launches=one|rows   transposes=none|host|elementwise|blocked|in-place
//   block=N  group=N  elements=N  vector=N  segment=N      (0: chosen)
//   exchange=chosen|complex|split      algorithm=chosen|direct|fft      parts=interleaved|planar
// Throws InvalidArgument naming the field that is wrong and what it accepts, also for what validate() refuses.
[[nodiscard]] Strategy parse_strategy(std::string_view text);

// The shortest text that parses to the same value, "default" where nothing is said.
[[nodiscard]] std::string describe(const Strategy& strategy);

// Throws InvalidArgument for what no device can do: a line's own launches beside a line in one launch
// (staging=on-chip with separate twiddles or digit reversal), blocks of a transposition that has none or beyond 64,
// vectors of more than 2 complex numbers, more than 64 elements, a direct sum together with what concerns fast
// transforms.
void validate(const Strategy& strategy);

}  // namespace twiddle
