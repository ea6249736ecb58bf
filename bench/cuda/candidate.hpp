// Other ways to compute a problem than its plan's, as text: what tables of measured choices are made of. Values; no
// device is involved.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/lower/stage.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::bench {

// What stands in each line of a file, the problem first:
//   r2c:f32:1024*131072:inplace lines 16.16/16x16 16.16/16x16 registers=80 groups=3 ring=48 lag=512
//   c2c:f64:32*1048575:inplace divided 11.5.15/55x4 41.31/41x4
//   c2c:f32:1023*65537:inplace padded 16.16/16x16 16.32/16x8 scratch=32
//   c2c:f32:1024*256x256:inplace images 16.16/16x16 16.16/16x16 registers=80 groups=3 ahead=12288
//   c2c:f32:16384*64x64:inplace planes 8.8/8 8.8/8 registers=40 exchange=split
//   c2c:f32:195652*343:inplace stage 7.7.7/49x2 registers=64 exchange=split roots=4 cache=past store=apart
//   c2c:f32:131072*53:inplace stage 2.13.2/26x4 back=same
//   c2c:f32:64*1048576:inplace stage 32.32/32x16 exchange=split fetch=1 twiddle=column
//   c2c:f32:2048*32768:inplace stage 16.8.16.16/512 cluster=4 registers=64
//   dct2:f32:8192 divided 16.16.16/256 form=halved
//   c2c:f32:41 stage 41/41
//   c2c:f32:41 direct
//   c2c:f32:1024*256x256:inplace apart
// Of a stage its passes, the work-items of a line, and how many lines a group takes. `lines` (plan/shape/joined.hpp),
// `images` (plan/shape/joined_images.hpp) and `planes` (plan/shape/planes.hpp) are both stages in one launch, `divided`
// lines as such columns and rows in two, as more parts in as many, or whole in one, `padded` lines by Bluestein's
// algorithm in such columns, rows there and back, and columns, in three, in slices that need so many MiB of scratch
// memory. `stage` is one stage with another kernel shape, also passes for a convolution, of whatever points serve it;
// first=1 says that this is, or begins with, the second one of the plan; `fetch`, how many groups of a compute unit
// fetch lines or tiles ahead (0: none do). A single pass of as many work-items as points sums its results. Divided
// lines may be halved: real elements as the parts of half as many points. `direct` are the sums of the definition, each
// from memory, and `apart` has every stage in a launch of its own. Registers that are not said are as many as the
// compiler likes; what else is not said of a stage is as the plan has it.
struct Candidate {
  Problem problem;
  std::string way;
};

// Throws InvalidArgument for a line that does not begin with a problem.
[[nodiscard]] Candidate parse_candidate(std::string_view line);

// Of a file: all lines but empty ones and those that begin with '#'. Throws what parse_candidate throws, and
// std::runtime_error where it cannot be read.
[[nodiscard]] std::vector<Candidate> read_candidates(const std::string& file);

// The problem's program for such a device, computed that way. Throws InvalidArgument, naming what is wrong, where the
// way is none, and Unsupported where the stages or the device do not allow it.
[[nodiscard]] plan::Program candidate_program(const Candidate& candidate, const DeviceLimits& limits);

}  // namespace twiddle::bench
