// Where the array between two stages of a program may be, and how it lies there.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "plan/lower/place.hpp"

namespace twiddle::plan {

// Where the array between two stages may be.
enum class Spot {
  input,  // as the user laid it out; after the first stage only where the input may be written
  output,
  output_work,  // in the output's memory, packed
  input_work,   // in the input's memory, packed
  apart,        // in place of the user's halves as floats, a half of each number in the output's memory: real parts of
                // complex numbers, upper words where these are planar, and of reals; the others are in scratch memory
  halves,  // the input before the first stage, or the results behind the last one, in scratch memory, where what is
           // apart has the other parts of the same numbers
  scratch,
  spaced,  // likewise, where the elements of a larger frame lie that was there before: what pruning leaves of them
  second   // behind what `scratch` uses of the same memory
};
inline constexpr std::array<Spot, 9> all_spots{Spot::input,      Spot::output, Spot::output_work,
                                               Spot::input_work, Spot::apart,  Spot::halves,
                                               Spot::scratch,    Spot::spaced, Spot::second};

[[nodiscard]] Operand operand(Spot spot);
[[nodiscard]] bool in_scratch(Spot spot);
// Whether a part of what is there is in scratch memory, or all of it.
[[nodiscard]] bool uses_scratch(Spot spot);

// So many bytes, and those to the end of the last cache line.
[[nodiscard]] std::uint64_t in_whole_lines(std::uint64_t bytes);

// The spots of a program of these groups. The rules must outlive it.
class Spots {
 public:
  Spots(const std::vector<DraftGroup>& groups, const PlaceRules& rules);

  // A frame without gaps, as working memory has it.
  [[nodiscard]] View packed(const Frame& frame) const;

  // The same as it will be written, where a copy of it is all that follows.
  [[nodiscard]] View packed_result(const Frame& frame) const;

  // A frame in scratch memory from so many bytes on, or so many further on.
  [[nodiscard]] View scratch_view(Spot spot, const Frame& frame, std::uint64_t second, std::uint64_t begin = 0) const;

  // How a frame lies in a spot; nothing where it cannot be there. `begin`, `end`: it is what the program begins or ends
  // with.
  [[nodiscard]] std::optional<View> view(Spot spot, const Frame& frame, bool begin, bool end) const;

  [[nodiscard]] bool same_memory(Spot a, Spot b) const;

  // Whether what is apart shares scratch memory with what is at the other spot; halves have the same places there.
  [[nodiscard]] static bool share_scratch(Spot a, Spot b);

  // Of scratch memory up to the end of a frame; 0 where it lies elsewhere. `end`: it is what the program ends with.
  [[nodiscard]] std::uint64_t frame_bytes(Spot spot, const Frame& frame, bool end = false) const;

 private:
  [[nodiscard]] bool may_write_input() const;
  // Whether elements that the hook sees may be copied as they are before it does, or behind it.
  [[nodiscard]] bool allows_copies(const std::shared_ptr<const Hook>& hook) const;
  // An intermediate frame in a layout of the user's.
  [[nodiscard]] std::optional<View> laid_out_as(View view, const Frame& frame) const;
  [[nodiscard]] bool can_be_apart(const Frame& frame) const;
  // An intermediate frame of floats in place of the user's halves.
  [[nodiscard]] std::optional<View> in_place_of_halves(const Frame& frame) const;
  [[nodiscard]] std::optional<View> in_place_of_halves(const Frame& frame, const View& side) const;
  // The user's memory as an array of halves without gaps that has room for every frame, for PlaceRules::packed_parts;
  // nothing where it has gaps itself, or too few halves.
  [[nodiscard]] std::optional<View> side_for_all(const std::vector<DraftGroup>& groups) const;
  // The halves of a side of the user's memory as a frame has them: as they are, or the parts of complex numbers as
  // reals, which take up the rows of the numbers that they become, or come from.
  [[nodiscard]] std::optional<View> as_frame(const Frame& frame, const View& side) const;
  // A frame that the program begins or ends with as halves, at the places that it has, or its numbers have, on that
  // side of the user's memory.
  [[nodiscard]] std::optional<View> halves_beside_parts(const Frame& frame, const View& side) const;
  // In place on the other side if not on the one.
  [[nodiscard]] std::optional<View> halves_beside_parts(const Frame& frame, const View& side, const View& other) const;
  // A part of the first frame between groups that has more, where that one has it.
  [[nodiscard]] std::optional<View> within_larger(const Frame& frame) const;
  // An intermediate frame packed into memory that the user's data fills.
  [[nodiscard]] std::optional<View> within(const Frame& frame, const View& user) const;

  const PlaceRules& rules_;
  std::vector<Frame> between_;  // groups, in order
  bool read_fills_ = false;
  bool read_overlaps_ = false;
  bool written_fills_ = false;
  std::uint64_t largest_frame_ = 0;  // bytes, packed, between groups
  std::optional<View> packed_side_{};
};

}  // namespace twiddle::plan
