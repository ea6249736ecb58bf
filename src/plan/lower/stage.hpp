// A Stage is one pass over memory: many equal short transforms at regular places, with everything that is folded into
// their loads and stores. A plan is a list of stages; engines execute them, natively or through generated kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plan/convolution/filter_bank.hpp"
#include "plan/lower/element_rules.hpp"
#include "plan/lower/line_map.hpp"
#include "plan/recipe/convolution.hpp"
#include "twiddle/convolution.hpp"
#include "twiddle/device.hpp"
#include "twiddle/problem.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::plan {

// One dimension of the set of transforms: `count` of them, this many elements apart.
struct Loop {
  std::uint64_t count = 1;
  std::int64_t input_stride = 0;
  std::int64_t output_stride = 0;
  bool operator==(const Loop&) const = default;
};

// A function of the user's on every element that is loaded (first thing), or stored (last thing). Elements that a bound
// leaves out are not seen by it. Its index is the element's position in memory, in units of `unit`.
struct StageHook {
  std::shared_ptr<const Hook> hook;
  std::int64_t unit = 1;
  // Not 0: of pairs of reals taken as complex numbers. It is called for each real by itself; the index of the second
  // one is by so much larger.
  std::int64_t part = 0;
  bool operator==(const StageHook&) const = default;
};

// Transforms spread a value that is not finite over all of their results. On devices, what is not finite when it is
// stored is made anew by the source of a hook that gathers: the result that stands at `index` (TW_WIDE, in results from
// where the memory begins) from `memory`, which is Operands::store_user, and `spectra`, Operand::spectra. Nothing else
// calls it, and nothing but the scale comes before. Kernels have it once, beside what they do else.
struct Repair {
  std::shared_ptr<const Hook> hook;
  bool real = false;  // results are real numbers, also where the stage stores two as one complex number
  bool operator==(const Repair&) const = default;
};

// `spectra` is what a convolution's plan keeps of its filters (filter_bank.hpp).
enum class Operand { input, output, scratch, spectra };

// How a generated kernel is laid out on a device with work-groups. The host ignores it.
struct KernelShape {
  // What neighbouring work-items walk over, so that their accesses fall together in memory.
  enum class Lanes {
    elements,   // neighbours hold neighbouring elements of one transform
    transforms  // neighbours hold the same element of neighbouring transforms
  };
  // How data passes between work-items between two radices.
  enum class Exchange {
    none,     // one radix: nothing to exchange
    complex,  // both parts at once
    split     // real parts, then imaginary parts, through the same local memory
  };
  std::uint32_t items_per_transform = 1;  // of one group
  std::uint32_t transforms_per_group = 1;
  // Neighbouring complex numbers that a work-item moves at once, 1 or 2 (vectors.hpp): of one transform where its
  // elements are neighbours on both sides, else of so many neighbouring transforms, whose items are the same ones.
  std::uint32_t vector = 1;
  // Groups that share each transform, each holding an equal part of it and sending the others theirs through their
  // local memory once (cluster.hpp); 1: a transform stays in one group.
  std::uint32_t groups_per_transform = 1;
  Lanes load = Lanes::elements;
  Lanes store = Lanes::elements;
  Exchange exchange = Exchange::none;
  std::uint32_t exchange_rounds = 1;  // the exchange happens in this many parts, so that less local memory is needed
  std::uint32_t padding = 0;          // one unused slot in local memory after so many; 0: none
  std::uint32_t registers = 0;  // 32-bit registers that a work-item may use, so that groups fit side by side; 0: any
  // So many share out all of the work: of a filter bank, or of lines fetched ahead; 0: one for each transform.
  std::uint32_t groups = 0;
  // Of a filter bank: what they share out are pairs of a segment and a filter, in runs; or segments, each with all of
  // its filters, in runs; or each takes one segment in every turn, and of those that are too few for a turn they share
  // pairs.
  enum class Sharing { pairs, segments, turns };
  Sharing sharing = Sharing::pairs;
  std::uint32_t block = 0;           // of swaps: elements along the side of a block; of direct sums: lines
  bool stage_through_local = false;  // short transforms of neighbouring elements: a group moves them element by element
  // Results of lines that are neighbours in memory go to local memory, from where the group stores them as one run.
  bool stores_together = false;
  // The kernel may be launched while the one before it ends. Then each of its work-items waits for that end before it
  // touches memory; a bank's segments behind their filters' kernel read the signal before (follows_filters).
  bool dependent_launch = false;
  // Of the roots that a butterfly's outputs are multiplied by, those of outputs below this and of its multiples are
  // read from memory, and the others are products of two of these; 0: all are read.
  std::uint32_t root_step = 0;
  // The stage twiddle comes from tables with an entry for each transform of its loop, not gathered from those of two
  // digits (root_steps.hpp).
  bool column_roots = false;
  // Of a filter bank whose items have one butterfly of each pass: the roots that are read stay in registers for all
  // segments and filters.
  bool keeps_roots = false;
  // Of a filter bank: so many pairs of elements of the next filter's spectrum are read before the last butterflies of
  // the filter at hand, so that they are there when its results are stored.
  std::uint32_t fetched_ahead = 0;
  // Each group takes one line or tile after the other; the next is copied to local memory meanwhile (prefetch.hpp).
  bool prefetch = false;
  // A convolution goes back by the passes that it went there by, of which the first and the last have one radix
  // (way_back.hpp).
  bool same_way_back = false;
  // Results do not go through a unit's own cache (past_cache.hpp). Those of filter banks never do, whatever this says.
  bool past_cache = false;
  bool operator==(const KernelShape&) const = default;
};

// What happens to a transform, in this order: elements are loaded (bound), made from others (load_map), multiplied
// (load_factor, twiddle), transformed, multiplied (twiddle, store_factor), made from each other (store_map), scaled and
// stored (bound). With a load_map, the elements in memory are the map's source, and the bound on loading is the map's.
// With a store_map, those in memory are what the map makes, and the bound on storing is the map's. A stage whose
// radices are empty does not transform, unless by the sum as it stands (`direct`, never in place): with a load_map it
// makes `length` elements of each line, in place only if `mirrored`; else it moves them, on the way doing what the rest
// of the stage says. A stage with a filter bank has neither maps, factors nor a twiddle, and never works in place; it
// reads Operand::spectra beside its source.
struct Stage {
  Precision precision = Precision::float32;  // of the arithmetic; never float16
  std::uint64_t length = 1;                  // points of each transform
  std::vector<unsigned> radices;  // Stockham passes in order; their product is chip_points(); empty without passes
  std::optional<Convolution> convolution;  // instead of plain passes
  std::optional<FilterBank> bank;          // likewise
  bool direct = false;                     // likewise: each result is the sum of the definition
  // What the passes make, times the store factor, goes back by them in the opposite direction and is stored then: the
  // middle of a convolution through memory. Such a stage has neither maps nor a twiddle.
  bool returns = false;
  std::int64_t input_stride = 1;  // between the elements of one transform
  std::int64_t output_stride = 1;
  std::int64_t input_offset = 0;  // of the first transform's first element
  std::int64_t output_offset = 0;
  Storage input_storage;
  Storage output_storage;
  std::vector<Loop> loops;         // which transforms there are; loops[0] is the innermost (fastest)
  std::size_t launched_loops = 0;  // so many of the outermost loops: each of their turns is a launch of its own
  // Elements of one memory change places: (i, j) and (j, i), of the two loops whose strides on the one side are each
  // other's on the other; nothing else happens to them.
  bool swaps = false;
  bool on_host = false;  // the elements go to the host and back, which carries out the stage
  std::optional<StageTwiddle> twiddle;
  std::optional<Factor> load_factor;
  std::optional<Factor> store_factor;
  std::optional<Bound> load_bound;
  std::optional<Bound> store_bound;
  std::optional<LineMap> load_map;
  std::optional<LineMap> store_map;
  // A load_map alone: elements are made together with their mirror images, so in place as well. Of a spectrum the first
  // frequencies alone may be there, or wanted; else the map is whole.
  bool mirrored = false;
  // With a map of two spectra: how far the second one lies from the first, which begins where the transform's elements
  // do.
  std::int64_t second_spectrum = 0;
  // The line of its one map is spread over the transforms of loops[0], of which there is an even number n: element
  // i + n k of the line is element k of the transform in turn i (the first or the last pass of a four-step transform).
  // Where the map is behind, a transform and the one that mirrors it are read before either is stored: in place they
  // may have each other's elements.
  bool shared_map = false;
  std::optional<StageHook> load_hook;
  std::optional<StageHook> store_hook;
  std::optional<Repair> repair;
  // Of slices: the caches have what it reads, which the stage before left there, or what it writes over, which one of
  // the slice's stages read.
  bool reads_recent = false;
  bool writes_over_recent = false;
  bool ends = false;         // a part of what it writes, or all, is what the program ends with
  long double scale = 1.0L;  // multiplies every output
  Direction direction = Direction::forward;
  Operand source = Operand::input;
  Operand destination = Operand::output;
  KernelShape shape;
  std::string step;  // for profiles and people: "axis 1, columns of 1048576"

  bool operator==(const Stage&) const = default;
};

// The strides over the stage's loops of all that counts positions beside memory: its factors and bounds.
[[nodiscard]] std::vector<std::vector<std::int64_t>*> position_strides(Stage& stage);

// Whether elements are multiplied or left out by their positions, a twiddle aside.
[[nodiscard]] bool counts_positions(const Stage& stage);

// Whether it does more to elements than to move, to leave out and to scale them.
[[nodiscard]] bool computes(const Stage& stage);

// Whether imaginary parts on either side are apart, or the words of floats.
[[nodiscard]] bool has_parts_apart(const Stage& stage);

// Work-items of a group.
[[nodiscard]] std::uint32_t group_items(const KernelShape& shape);

// Whether each work-item takes `vector` neighbouring transforms instead of neighbouring elements.
[[nodiscard]] bool bundles_transforms(const KernelShape& shape);

// Product of the loops' counts.
[[nodiscard]] std::uint64_t transform_count(const Stage& stage);

// Neighbouring outputs that a stage with a filter bank makes each one of.
[[nodiscard]] Halo halo_of(const Stage& stage);

// Of one launch.
[[nodiscard]] std::uint64_t launch_transforms(const Stage& stage);

// Product of the launched loops' counts.
[[nodiscard]] std::uint64_t launch_count(const Stage& stage);

// The stage without its launched loops, where one launch has its transforms. No twiddle, factor or bound depends on
// them.
[[nodiscard]] Stage one_launch(Stage stage, std::uint64_t launch);

// How many of `count` elements of a transform a bound leaves, where it speaks of their index alone; else all of them.
[[nodiscard]] std::uint64_t bounded_count(std::uint64_t count, const std::optional<Bound>& bound);

// Complex numbers of each line on chip: its length, or the points of the convolution that computes it.
[[nodiscard]] std::uint64_t chip_points(const Stage& stage);

// Puts the loops in canonical form without changing what the stage computes: loops of one turn dropped, neighbours in
// memory first, loops that continue each other merged.
void tidy_loops(Stage& stage);

// Whether it takes complex numbers of the arithmetic's precision to others, as they lie, and does nothing beside its
// transform or convolution but to scale and to multiply by a twiddle.
[[nodiscard]] bool keeps_plain_complex(const Stage& stage);

// Whether it also transforms them as they are, without a convolution.
[[nodiscard]] bool is_plain_complex(const Stage& stage);

// Whether results are stored with a user's memory at hand: that of a hook, or that which a repair reads.
[[nodiscard]] bool stores_with_user(const Stage& stage);

// One line: "1000 = 10.10.10, 64 x (in 1/1000, out 1/1000), input -> output, 100 items x 2".
[[nodiscard]] std::string to_string(const Stage& stage);

// What a plan executes for one direction and placement.
struct Program {
  // Stages that follow each other and are carried out for one slice of their lines after the other, so that each slice
  // has the same scratch memory: the first launch of each stage, then the second of each, and so on. All have as many
  // launches, by one loop, which no twiddle, factor or bound depends on.
  struct Turns {
    std::size_t first = 0;
    std::size_t stages = 0;
    // So many slices may be carried out at once, each in scratch memory that begins so many bytes behind the one
    // before; no bytes: they need none.
    std::uint64_t places = 1;
    std::uint64_t slice_bytes = 0;
    std::uint64_t slices_begin = 0;  // of scratch memory: what all slices read or write may be before
    bool operator==(const Turns&) const = default;
  };
  // Two stages in one launch on devices: of lines, each in a place of a ring (joined.hpp), or of images, which stay
  // where the first one leaves them (joined_images.hpp). As values, memory included, they are as in two.
  struct Joined {
    std::size_t first = 0;
    std::uint64_t lines = 0;          // or images
    std::uint64_t line_elements = 0;  // between the stages
    std::uint64_t ring = 0;           // lines that scratch memory has places for, from its beginning; 0: of images
    std::uint64_t lag = 0;            // of the first stage's work, in parts of a line, ahead of the second's
    std::uint64_t parts = 0;          // of a line: each so many groups of the first stage, and so many of the second
    std::uint32_t groups = 0;         // that share out all of the work
    std::uint64_t counters = 0;       // where these begin in scratch memory, in bytes
    std::uint64_t counter_bytes = 0;  // zero when the launch begins
    bool operator==(const Joined&) const = default;
  };
  // Two stages that follow each other, along both dimensions of planes, and are one launch on devices, of which a group
  // holds a plane in local memory in between (planes.hpp). As values they are what they would be in two.
  struct Planes {
    std::size_t first = 0;
    std::uint64_t count = 0;
    std::uint64_t elements = 0;  // of a plane between the stages
    std::uint32_t pitch = 0;     // in local memory, from one row to the next
    bool operator==(const Planes&) const = default;
  };
  std::vector<Stage> stages;
  std::uint64_t scratch_bytes = 0;
  std::vector<Turns> turns{};      // in order; all other stages are carried out as a whole
  std::optional<Joined> joined{};  // takes no turns
  std::optional<Planes> planes{};  // takes no turns
  bool operator==(const Program&) const = default;
};

// Where stages that take turns begin with this one: "for each of 4 slices, the next 3 stages:".
[[nodiscard]] std::optional<std::string> turns_text(const Program& program, std::size_t stage);

// Where stages that are one launch begin with this one: "in one launch, by way of 12 of 256 lines:".
[[nodiscard]] std::optional<std::string> joined_text(const Program& program, std::size_t stage);

using twiddle::Placement;

// Bytes of a scalar in memory.
[[nodiscard]] std::size_t scalar_bytes(Precision precision);
// The precision of arithmetic on scalars of a precision.
[[nodiscard]] Precision arithmetic_precision(Precision precision);

}  // namespace twiddle::plan
