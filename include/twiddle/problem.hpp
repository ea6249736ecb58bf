// A short grammar in which transforms are written down, for command lines, tests and error messages.
#pragma once

#include <string>
#include <string_view>

#include "twiddle/transform.hpp"

namespace twiddle {

// In place: input and output are the same memory.
enum class Placement { in_place, out_of_place };

// One execution of a transform. The grammar has words for a few hooks (named_hook() in hook.hpp), not for yours.
struct Problem {
  Transform transform;
  Direction direction = Direction::forward;
  Placement placement = Placement::out_of_place;
  bool operator==(const Problem&) const = default;
};

// A problem is KIND:PRECISION:SHAPE followed by any of the options below, each after a colon and at most once, in any
// order; there are no spaces, and letters are small:
//   KIND       c2c r2c c2r dct1..dct4 dst1..dst4 dht; c2r is r2c:...:inverse
//   PRECISION  f16 f32 f64 f80 (long double)
//   SHAPE      lengths joined by x, before it the batch and '*' where that is not 1: 16*1080x1920; for c2r as for r2c
//              those of the real data
//   axes=1,2             transformed axes, counted from 0 (default: all)
//   inverse              the inverse transform
//   inplace              (default: out of place)
//   norm=backward|ortho|forward|none     (default: backward)
//   factor=F             multiplies the result (default: 1); factor=F,G says also that of the other direction, which
//                        matters only where a plan is made of the problem's transform
//   in=..., out=...      layouts: any of these joined by '/': a list of strides "1000,1", batch=B, offset=O, planar,
//                        planar=P (the imaginary parts P scalars behind the real ones), such as in=2048,2/offset=3
//   nonzero=A,B          input extents: the rest of the input is zero, and not there
//   wanted=A,B           output extents: the rest of the output is not stored
//   load=H, store=H      hooks on what is read and written: alternate, bartlett/P, conjugate or power (hook.hpp)
//   overwrite            the input may be overwritten
// Forward and inverse swap what a Transform calls input and output: in= and nonzero= are those that are read here.
// Whole numbers are decimal and fit 64 bits. Throws InvalidArgument naming the part that is wrong and what is expected,
// also for a problem whose transform validate() refuses.
[[nodiscard]] Problem parse_problem(std::string_view text);

// The shortest text that parses to the same value: what has its default is not said.
[[nodiscard]] std::string to_string(const Problem& problem);

}  // namespace twiddle
