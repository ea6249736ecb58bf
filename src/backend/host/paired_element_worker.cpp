// Maps whose elements are made together with their mirror images: of both a block is read before either is stored, so
// that lines may keep to their places. Any storage, also floats of which a half is elsewhere.
#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <optional>

#include "backend/host/aligned_array.hpp"
#include "backend/host/memory_access.hpp"
#include "backend/host/mirrored_line.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"
#include "backend/host/twiddle_tables.hpp"
#include "plan/lower/map_entries.hpp"

namespace twiddle::backend::host {
namespace {

using plan::LineMap;
using Rule = LineMap::Rule;

constexpr std::size_t block = 256;            // pairs at once: their planes fit a core's first cache
constexpr std::size_t blocks_of_a_piece = 8;  // of a line, so that threads share it

// From a spectrum, or pairs that stand for one.
bool is_way_back(Rule rule) { return rule == Rule::c2r_load || rule == Rule::dct3_pairs_load; }

// Between the transform of half of the points and half of the reals' spectrum, which the map is or has within it.
LineMap spectrum_map(const LineMap& map) {
  const Rule rule = is_way_back(map.rule) ? Rule::c2r_load : Rule::r2c_store;
  return {rule, map.length, full_source_count(rule, map.length), full_count(rule, map.length)};
}

template <class T>
using Numbers = std::array<T, 2 * block + 2>;  // of a block, and of its mirror images behind it, from 1 on

template <class T>
class PairedElementWorker final : public StageWorker {
 public:
  PairedElementWorker(const plan::Stage& stage, const WorkerOptions& options)
      : map_(*stage.load_map),
        scale_(static_cast<T>(stage.scale)),
        spectrum_(*MirroredLine<T>::make(spectrum_map(map_), scale_, options.targets)),
        half_(map_.length / 2),
        pieces_((half_ / 2 + block * blocks_of_a_piece) / (block * blocks_of_a_piece)),
        input_(stage.input_storage),
        output_(stage.output_storage),
        input_stride_(stage.input_stride),
        output_stride_(stage.output_stride),
        load_hook_(stage.load_hook),
        store_hook_(stage.store_hook),
        loops_(stage, StageLoops::no_loop, 1),
        kernels_(options.targets),
        first_(plan::MapEntries<T>(map_)(0)) {
    const bool cosines = map_.rule == Rule::dct2_pairs_store || map_.rule == Rule::dct3_pairs_load;
    if (!cosines) return;
    turn_real_ = AlignedArray<T>(half_);
    turn_imaginary_ = AlignedArray<T>(half_);
    const bool back = is_way_back(map_.rule);
    for_each_root<T>(4 * map_.length, 1, half_, options.targets, [&](std::size_t k, const auto& root) {
      turn_real_[k] = static_cast<T>(root.real()) * (back ? 1 : 2);
      turn_imaginary_[k] = static_cast<T>(root.imag()) * (back ? -1 : 2);
    });
  }

  std::uint64_t items() const override { return loops_.items() * pieces_; }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    run_apart(input, output, begin, end);
  }

  void run_apart(const InputMemory& input, const OutputMemory& output, std::uint64_t begin,
                 std::uint64_t end) const override {
    for (std::uint64_t i = begin; i < end; ++i) {
      const Position position = loops_.item(i / pieces_).position;
      const std::size_t pairs = half_ / 2;  // but for element 0
      const std::size_t piece = i % pieces_;
      if (piece == 0) make_ends(input, output, position);
      const std::size_t last = (piece + 1) * pairs / pieces_;
      for (std::size_t k = piece * pairs / pieces_ + 1; k <= last; k += block) {
        make_block(input, output, position, k, std::min(block, last + 1 - k));
      }
    }
  }

 private:
  Block elements(std::int64_t first, std::int64_t stride, std::size_t k, std::size_t count) const {
    Block result{.length = count, .active = 1, .first = first + static_cast<std::int64_t>(k) * stride};
    result.element_stride = stride;
    return result;
  }

  // Of so many elements from k on, those before `end`.
  static std::size_t existing(std::size_t k, std::size_t count, std::size_t end) {
    return k < end ? std::min(count, end - k) : 0;
  }

  // What is not there is zero.
  void read(const InputMemory& memory, const Position& position, std::size_t k, std::size_t count,
            const Planes<T>& planes) const {
    const Block block = elements(position.input, input_stride_, k, existing(k, count, map_.source_count));
    for (T* const plane : {planes.real, planes.imaginary}) std::fill(plane + block.length, plane + count, T{0});
    if (block.length == 0) return;
    read_block(input_, memory, block, 1, kernels_, planes);
    if (load_hook_) apply_hook(*load_hook_, block, 1, planes);
  }

  std::complex<T> read(const InputMemory& memory, const Position& position, std::size_t k) const {
    T real = 0;
    T imaginary = 0;
    read(memory, position, k, 1, {&real, &imaginary});
    return {real, imaginary};
  }

  // What is scaled already.
  void write(const OutputMemory& memory, const Position& position, std::size_t k, std::size_t count,
             const Planes<T>& planes) const {
    const Block block = elements(position.output, output_stride_, k, existing(k, count, map_.count));
    if (block.length == 0) return;
    if (store_hook_) apply_hook(*store_hook_, block, 1, planes);
    write_block(output_, memory, block, 1, T{1}, kernels_, planes);
  }

  void write(const OutputMemory& memory, const Position& position, std::size_t k, std::complex<T> value) const {
    T parts[2] = {value.real() * scale_, value.imag() * scale_};
    write(memory, position, k, 1, {&parts[0], &parts[1]});
  }

  // Element 0, and the other end of a spectrum, where that is an element.
  void make_ends(const InputMemory& input, const OutputMemory& output, const Position& position) const {
    const std::complex<T> first = read(input, position, 0);
    if (map_.rule == Rule::r2c_store) {
      write(output, position, 0, first.real() + first.imag());
      return write(output, position, half_, first.real() - first.imag());
    }
    if (map_.rule == Rule::c2r_load) {
      const T last = read(input, position, half_).real();
      return write(output, position, 0, {first.real() + last, first.real() - last});
    }
    write(output, position, 0, first_.first.coefficient * first + first_.second.coefficient * std::conj(first));
  }

  void make_block(const InputMemory& input, const OutputMemory& output, const Position& position, std::size_t k,
                  std::size_t count) const {
    Numbers<T> real;
    Numbers<T> imaginary;
    Numbers<T> made_real;
    Numbers<T> made_imaginary;
    const std::size_t mirror = half_ + 1 - k - count;
    const Planes<T> near{&real[1], &imaginary[1]};
    const Planes<T> far{&real[1 + count], &imaginary[1 + count]};
    read(input, position, k, count, near);
    read(input, position, mirror, count, far);
    const bool back = is_way_back(map_.rule);
    if (back) turn_both(k, mirror, count, near, far);
    spectrum_.apply_block({real.data(), imaginary.data()}, {made_real.data(), made_imaginary.data()}, k, count);
    const Planes<T> made_near{&made_real[1], &made_imaginary[1]};
    const Planes<T> made_far{&made_real[1 + count], &made_imaginary[1 + count]};
    if (!back) turn_both(k, mirror, count, made_near, made_far);
    write(output, position, k, count, made_near);
    write(output, position, mirror, count, made_far);
  }

  // Frequencies times what makes pairs of results of them, or the other way.
  void turn_both(std::size_t k, std::size_t mirror, std::size_t count, const Planes<T>& near,
                 const Planes<T>& far) const {
    if (map_.rule == Rule::dht_pairs_store) {
      // By 1 + i; the far ones follow the near ones.
      for (std::size_t i = 0; i < 2 * count; ++i) {
        const T real = near.real[i];
        near.real[i] = real - near.imaginary[i];
        near.imaginary[i] = real + near.imaginary[i];
      }
    } else if (!is_half_spectrum(map_.rule)) {
      turn(k, count, near);
      turn(mirror, count, far);
    }
  }

  void turn(std::size_t k, std::size_t count, const Planes<T>& numbers) const {
    const T* const by_real = turn_real_.data() + k;
    const T* const by_imaginary = turn_imaginary_.data() + k;
    for (std::size_t i = 0; i < count; ++i) {
      const T real = numbers.real[i];
      numbers.real[i] = by_real[i] * real - by_imaginary[i] * numbers.imaginary[i];
      numbers.imaginary[i] = by_real[i] * numbers.imaginary[i] + by_imaginary[i] * real;
    }
  }

  LineMap map_;
  T scale_;
  MirroredLine<T> spectrum_;
  std::size_t half_;
  std::size_t pieces_;
  plan::Storage input_;
  plan::Storage output_;
  std::int64_t input_stride_;
  std::int64_t output_stride_;
  std::optional<plan::StageHook> load_hook_;
  std::optional<plan::StageHook> store_hook_;
  StageLoops loops_;
  BlockKernels<T> kernels_;
  plan::MapEntry<T> first_;
  AlignedArray<T> turn_real_;  // of frequencies that cosine transforms turn
  AlignedArray<T> turn_imaginary_;
};

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_paired_element_worker(const plan::Stage& stage, const WorkerOptions& options) {
  if (!stage.mirrored) return nullptr;
  return std::make_unique<PairedElementWorker<T>>(stage, options);
}

template std::unique_ptr<StageWorker> make_paired_element_worker<float>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_paired_element_worker<double>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_paired_element_worker<long double>(const plan::Stage&, const WorkerOptions&);

}  // namespace twiddle::backend::host
