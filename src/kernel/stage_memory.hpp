// The part of a stage kernel that touches global memory: where elements lie, and what is folded into loads and stores.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernel/stage_layout.hpp"
#include "kernel/storage_text.hpp"
#include "kernel/text.hpp"

namespace twiddle::kernel {

class StageMemory {
 public:
  // Names the place in local memory of an element of the current transform.
  using Place = std::function<std::string(const std::string& element)>;

  StageMemory(const Prepared& prepared, const StageLayout& layout, Text& text, Caching load, Caching store)
      : stage_(prepared.stage),
        element_loop_(prepared.element_loop),
        layout_(layout),
        text_(text),
        input_(stage_.input_storage, stage_.precision, load),
        output_(stage_.output_storage, stage_.precision, store) {}

  [[nodiscard]] const StorageText& input() const { return input_; }
  [[nodiscard]] const StorageText& output() const { return output_; }
  // Whether positions in memory can lie before that of the first transform's first element.
  [[nodiscard]] bool steps_back() const {
    return steps_back(&plan::Loop::input_stride) || steps_back(&plan::Loop::output_stride);
  }

  // Ends work-items beyond the last transform, where the layout says so.
  void leave_idle();
  // v[m * radix + k] = input element k of butterfly m of the first pass, with bound, map, factor and twiddle; of a
  // convolution, what it makes of the line.
  void load(const Pass& pass);
  // Declares `source`, where the line of a transform begins in memory, from whose place in local memory load() takes it
  // once it has been fetched ahead; of a tile, its first line.
  void locate_input(const std::string& transform);
  // Outputs of the last pass, with twiddle, factor, bound and scale, where their transform exists.
  void store(const Pass& pass);

  // The twiddle by way of LineRoots, where the layout has such.
  void turn_by_line_roots(const Pass& pass);

  // A convolution's middle: outputs of the last pass there times the spectrum, as inputs of the first pass back.
  void multiply_by_spectrum(const Pass& pass);
  // Element 0, which Rader's algorithm keeps out of the convolution, in the variable `zeroth` of all who hold a line;
  // after multiply_by_spectrum(), that of the transform in lane 0.
  [[nodiscard]] bool has_zeroth() const;
  void load_zeroth();
  void store_zeroth();
  // finish_values() for it; and what a convolution leaves of the line, one part of it or all, put into local memory.
  void finish_zeroth();
  void send_line(const Pass& pass, const Place& exchange, const char* part);

  // Of a filter bank: the segment `segment` into v, `from_shared` past a unit's own cache; where its outputs go, once
  // for all filters; and v, which the last pass back has left, to the outputs of the filter `filter`, or the largest
  // over all filters into `best` and `chosen` and from there to memory. Neighbours of outputs are found in local
  // memory.
  void load_segment(const Pass& pass, bool from_shared);
  void locate_outputs();
  void store_filtered(const Pass& pass, const Place& exchange);
  void keep_best(const Pass& pass, const Place& exchange);
  void store_best(const Pass& pass);
  // The taps of the filter in v, as the first pass loaded it, for sums of results: those of all filters stand behind
  // the spectra. The work-item's results by their sums, of the filter `filter`, or the largest over all filters.
  void store_taps(const Pass& pass);
  void store_sums(const Pass& pass, bool from_shared);
  void store_best_sums(const Pass& pass, bool from_shared);
  [[nodiscard]] std::string scaled(const std::string& value) const;

  // The group's transforms as one run of memory, v[i] being element item + i * transforms of it.
  void load_run();
  void store_run();
  // Lines whose elements are neighbours in memory, moved by the whole group element by element.
  void load_lines(const Place& exchange);
  void store_lines(const Place& exchange);
  // Lines of several items, which local memory holds, as one run of memory.
  void store_group(const Place& exchange);
  // What store() folds in before it scales and stores, for outputs that a map takes from local memory.
  void finish_values(const Pass& pass);
  // The scale alone, for outputs that store_run() writes.
  void scale_values(const Pass& pass);
  // v[0] = result `lane` of a row that is summed (plan/shape/summed_rows.hpp), which local memory holds.
  void sum_line(const Place& exchange);
  // What the store map makes of the elements that `read` finds in local memory.
  void store_made(const Place& read);
  // The same where local memory holds real and imaginary parts one after the other: `keep_made` reads those that are
  // there first, from where `part` says, into registers, `store_kept` the others.
  void keep_made(const Place& part);
  void store_kept(const Place& part);

  // What a shared map makes of the outputs v of the last pass and those that mirror them, which `mirrored` finds in
  // local memory; their real parts were put into the array `kept`, where that is named, by keep_mirrored().
  void keep_mirrored(const Pass& pass, const Place& mirrored);
  void store_shared(const Pass& pass, const Place& mirrored, const std::string& kept);

  // The loop over the butterflies b of this work-item in a pass, around writes: idle ones are left out. `b` is declared
  // where needed. With a `step`, once for so many in turn.
  void open_writes(const Pass& pass, bool needs_butterfly = true, std::uint32_t step = 1);
  void close_writes(const Pass& pass);
  // The same around reads: idle ones read what the last one does, since compilers fetch nothing ahead of a branch.
  void open_reads(const Pass& pass, bool needs_butterfly = true, std::uint32_t step = 1);
  void close_reads();

 private:
  using Stride = std::int64_t plan::Loop::*;
  [[nodiscard]] std::string own_transform() const;
  void open_existing();
  void locate(bool clamp);
  void locate_loops(std::string rest);
  [[nodiscard]] bool steps_back(Stride stride) const;
  [[nodiscard]] std::string distance(const std::string& expression, Stride stride) const;
  [[nodiscard]] std::string base(Stride stride) const;
  [[nodiscard]] std::string offset(Stride stride, bool with_lane) const;
  // The elements k of a butterfly from `from` to `to`: their positions are in the line for all butterflies, some or
  // none.
  enum class Within { all, some, none };
  struct Span {
    unsigned from = 0;
    unsigned to = 0;
    Within within = Within::all;
  };
  [[nodiscard]] std::vector<Span> spans(const Pass& pass) const;
  [[nodiscard]] bool has_chirp() const;
  // Whether what comes back is still to be multiplied by it: else it was where the ways turn.
  [[nodiscard]] bool stores_chirp() const { return has_chirp() && !stage_.shape.same_way_back; }
  [[nodiscard]] bool is_reordered(const Pass& pass) const { return has_zeroth() && !pass.line_order; }
  [[nodiscard]] std::string turn(const Pass& pass, std::uint32_t items) const;
  [[nodiscard]] std::string first_butterfly(const Pass& pass) const;
  // The butterfly of turn m, as the group counts its own.
  [[nodiscard]] std::string own_butterfly(const Pass& pass) const;
  void load_vectors(const Pass& pass);
  void store_vectors(const Pass& pass);
  // Neighbouring transforms that a work-item takes.
  [[nodiscard]] std::uint32_t taken_transforms() const;
  [[nodiscard]] std::string first_element(Stride stride) const;
  [[nodiscard]] std::string index_in(std::size_t loop) const;
  void turn_values(const Pass& pass);
  [[nodiscard]] bool moves_vectors(Stride stride) const;
  void sweep(Stride stride, const std::function<void(bool vectors)>& moves);
  [[nodiscard]] std::string neighbour(const Pass& pass, const char* index, Stride stride) const;
  // Which of the line's butterflies is the group's own `index`.
  [[nodiscard]] std::string butterfly(const Pass& pass, const std::string& index) const;
  // An expression times a stride, which wraps around as the sums that it is part of do where it is negative.
  [[nodiscard]] static std::string times(const std::string& expression, std::int64_t stride);
  [[nodiscard]] static std::string position(const Pass& pass, const char* index);
  // Declares `element`, that of the line which position `index` of butterfly b stands for when loading or storing.
  void declare_element(const Pass& pass, const char* index, bool loading);
  void declare_read_element(const Pass& pass, const char* index, const Span& span, bool loading);
  void write_factor(const std::string& value);
  // The factor that applies to what is stored: not where a line has been multiplied by it and has gone back.
  [[nodiscard]] std::optional<plan::Factor> stored_factor() const {
    return stage_.returns ? std::nullopt : stage_.store_factor;
  }
  void write_chirp(const std::string& value);
  void write_twiddle(const std::string& value, bool on_load);
  [[nodiscard]] std::string step(const Pass& pass, const char* index, Stride stride) const;
  [[nodiscard]] std::string step(const std::string& elements, Stride stride) const;
  [[nodiscard]] std::int64_t element_stride(Stride stride) const;
  void locate_sequence(const std::vector<std::int64_t>& loop_strides, const char* name, std::int64_t begin = 0);
  void turn_zeroth(bool on_load);
  static std::string within(const char* position, const plan::Bound& bound);
  static std::string whole(const std::optional<plan::Bound>& bound);
  std::string write_mirror(const plan::Bound& bound);
  void declare_mirror_image();
  void write_pair(const ReadTerm& read);
  void store_mirror_image(const std::string& place);
  void write_conjugate(const plan::Bound& bound, const std::string& value);
  void weigh_ends(const plan::Bound& bound, const std::string& value);
  [[nodiscard]] std::string kept_place(const std::optional<plan::Bound>& bound, const std::string& place,
                                       Stride stride) const;
  std::string write_conditions(const std::optional<plan::Factor>& factor, const std::optional<plan::Bound>& bound);
  [[nodiscard]] std::string read_element(const std::string& pointer, const std::string& offset) const;
  [[nodiscard]] std::string write_element(const std::string& pointer, const std::string& offset,
                                          const std::string& value) const;
  [[nodiscard]] std::string repaired(const std::string& value, const std::string& pointer,
                                     const std::string& offset) const;
  void write_root();
  void declare_mirror(const Pass& pass);
  void write_turn(const std::string& turn);
  void open_group_lines(std::uint64_t elements);
  [[nodiscard]] bool moves_together() const;
  void declare_source(bool with_lane);
  void declare_destination(bool with_lane);
  void write_sum(const std::string& target, const std::string& result, const std::function<void()>& declare);
  void sum_input(const std::string& target);
  void write_load(const std::string& target, const std::string& pointer, const std::string& place);
  void write_store(const std::string& value, const std::string& place);
  void open_lines(std::uint64_t elements);
  void open_turns();
  void write_made(const ReadTerm& read);
  [[nodiscard]] bool stores_pairs() const;
  [[nodiscard]] std::uint64_t made_in_turn() const;
  void open_run();
  void locate_bound(const plan::Bound& bound, const char* name);
  static std::string existence(const plan::Bound& bound, const std::string& element, const std::string& position);
  void load_bounded(const std::string& target, const std::string& position, const std::string& place,
                    const std::string& nothing, const std::function<std::string(const std::string&)>& read);
  void load_sample(const std::string& target, const std::string& place, const char* bounded, bool from_shared);
  void open_sums();
  [[nodiscard]] Place sums(bool from_shared);
  void open_stored(const Pass& pass);
  void close_stored();
  [[nodiscard]] std::string stored_place() const;
  [[nodiscard]] std::uint64_t stored_begin() const;
  [[nodiscard]] std::uint64_t stored_end() const;
  [[nodiscard]] std::vector<Span> stored_spans(const Pass& pass) const;
  // Calls `write` for each element that is stored, with its index in v.
  void for_stored(const Pass& pass, const std::function<void(const std::string& index)>& write);
  [[nodiscard]] std::string output_place(const Pass& pass) const;
  void declare_outputs(bool of_filter);
  void put(const std::string& value, const std::string& place, bool checked);
  void put_best(const std::string& value, const std::string& filter, const std::string& place);
  [[nodiscard]] std::uint64_t hook_neighbours() const;
  void open_neighbours();
  void put_from_neighbours(const Place& exchange, const std::string& place, bool checked);
  void store_checked(const std::function<void(bool checked)>& write);

  const plan::Stage& stage_;
  const std::optional<std::size_t>& element_loop_;
  const StageLayout& layout_;
  Text& text_;
  StorageText input_;
  StorageText output_;
};

}  // namespace twiddle::kernel
