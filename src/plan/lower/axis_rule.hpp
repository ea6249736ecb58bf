// What the transform of one axis is beside its complex transforms: their length and direction, what is done before and
// after them.
#pragma once

#include <cstdint>
#include <optional>

#include "plan/lower/line_map.hpp"
#include "twiddle/device.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::plan {

// What is transformed for a line of a real-to-real kind; lines of other kinds are whole.
enum class LineForm {
  whole,
  halved,     // half of the points: neighbouring elements of what would be transformed are the parts of complex numbers
  symmetric,  // of dct1 and dst1: the whole line, of which two stages keep a quarter (symmetric_line.hpp)
  extended    // the same, of which stages keep a half, or means of a quarter, which rounds less (real_halves.hpp)
};

// Of lines of reals that are transformed as a whole, although half of them says everything.
enum class Symmetry { none, even, odd };

struct AxisRule {
  std::uint64_t points = 1;                  // of the complex transform
  Direction direction = Direction::forward;  // of the complex transform
  std::optional<LineMap> first_map;          // a stage of its own before everything else
  std::optional<LineMap> load_map;
  std::optional<LineMap> store_map;
  bool packed_input = false;  // two reals are read as one complex number
  bool packed_output = false;
  bool lone_real = false;                   // of those the last one is by itself
  std::optional<std::uint64_t> load_count;  // complex elements that exist, where fewer than `points` and no map says so
  std::optional<std::uint64_t> store_count;
  bool real_result = false;
  Symmetry symmetry = Symmetry::none;  // others have stages of their own (symmetric_line.hpp), and count all that exist
  bool extended = false;               // of such a line: its stages are those in real_halves.hpp, or keep means
  bool weighted_ends = false;          // of an even line, which makes its transform orthogonal
};

// Whether a hook sees each element as it is read or written; one that gathers makes elements instead.
[[nodiscard]] bool hooks_see_elements(const Transform& transform);

// For one axis of a transform, of whose elements the first `source_count` exist, and `count` are wanted. `form`
// is that of its recipe.
[[nodiscard]] AxisRule axis_rule(const Transform& transform, Direction direction, std::size_t axis,
                                 std::uint64_t source_count, std::uint64_t count, const DeviceLimits& limits,
                                 LineForm form);

// Of the complex transforms along an axis forward, the first so many elements that are there, and that are wanted; of
// the inverse the other way round.
struct LineExtents {
  std::uint64_t inputs = 1;
  std::uint64_t outputs = 1;
  bool in_one_stage = true;    // whether lines in one stage make use of it, too
  bool in_two_stages = false;  // whether two are worth comparing with one: whole lines without a map of their own
  bool heavy_maps = false;     // whether maps multiply all elements on both sides
  bool unmapped = false;       // complex lines without any map
  bool odd_reals = false;      // an odd number of reals and half of their spectrum, all of both
};

// Where `paired`, lines of an odd number of reals are transformed two at a time, which takes both halves of their
// spectrum. Half of that of reals to reals is enough where Bluestein's algorithm goes through memory
// (keep_half_spectrum).
[[nodiscard]] LineExtents line_extents(const Transform& transform, std::size_t axis, LineForm form, bool paired,
                                       const DeviceLimits& limits);

// Points of the complex transforms along an axis, the same in both directions.
[[nodiscard]] std::uint64_t axis_points(const Transform& transform, std::size_t axis, LineForm form,
                                        const DeviceLimits& limits);

// Whether lines of reals become others by way of their spectrum, whose halves are mirror images.
[[nodiscard]] bool has_spectrum_of_reals(const AxisRule& rule);

// Of such lines, an odd number of points, half of the spectrum behind the complex transform, or before it: the maps
// make up for the rest.
void keep_half_spectrum(AxisRule& rule);

// From lines of an odd number of reals to half spectra, or back, all of their frequencies: two lines as one. The other
// way: each by itself.
void take_two_spectra(AxisRule& rule);
void take_one_spectrum(AxisRule& rule);

// The form that lines of this kind and length have on every device.
[[nodiscard]] LineForm usual_form(const Transform& transform, std::size_t axis);

// Whether a line on the host that is the only one is faster by half of its points; two lines are one complex line of
// all of them, which costs each as much.
[[nodiscard]] bool is_faster_halved_alone(const Transform& transform, std::size_t axis);
// The same of a few lines that are rows, whose maps then go by vectors.
[[nodiscard]] bool is_faster_halved_in_rows(const Transform& transform, std::size_t axis, std::uint64_t lines);

// Whether lines can be halved, and so are where the whole takes several stages.
[[nodiscard]] bool can_be_halved(const Transform& transform, std::size_t axis);

// The form that halved lines may have instead: symmetric in two stages, or extended where these would not be exact
// enough.
[[nodiscard]] std::optional<LineForm> symmetric_form(const Transform& transform, std::size_t axis,
                                                     const DeviceLimits& limits);

}  // namespace twiddle::plan
