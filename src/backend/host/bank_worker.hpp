// What all workers of filter banks share: which segment and which filters an item is, and storing what is made of
// results.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "backend/host/bank_kernels.hpp"
#include "backend/host/bank_memory.hpp"
#include "backend/host/combination.hpp"
#include "backend/host/result_hook.hpp"
#include "backend/host/stage_worker.hpp"
#include "plan/recipe/host_sharing.hpp"
#include "twiddle/error.hpp"

namespace twiddle::backend::host {

// `run_bank` is left to the methods.
template <class T>
class BankWorker : public StageWorker {
 public:
  BankWorker(const plan::Stage& stage, const WorkerOptions& options)
      : stage_(stage),
        combinations_(find_combinations<T>(options.targets)),
        kernels_(find_bank_kernels<T>(options.targets)),
        halo_(plan::halo_of(stage)),
        first_(stage.store_bound->first_element),
        paired_(stage.input_storage.form == plan::Storage::Form::planar) {
    if (stage.output_stride != 1 || stage.scale != 1) {
      throw Unsupported("a filter bank on the host stores its results next to each other, without a scale");
    }
    if (stage.store_hook) {
      hook_.emplace(stage.store_hook->hook, stage.output_storage.form == plan::Storage::Form::interleaved, kernels_);
    }
    groups_ =
        bank_.post.maximum ? 1 : filter_groups(plan::transform_count(stage), bank_.filters, sharers(stage, options));
  }

  std::uint64_t items() const override { return plan::transform_count(stage_) * groups_; }

  void run(const std::byte*, std::byte*, std::uint64_t, std::uint64_t) const override {
    throw InvalidArgument("a stage with a filter bank needs the spectra of its filters");
  }

 protected:
  // Threads that share the stage: each group of filters transforms its segment anew, which is lost where one thread has
  // them all.
  static std::uint64_t sharers(const plan::Stage& stage, const WorkerOptions& options) {
    return std::min<std::uint64_t>(options.threads, plan::host_pieces(plan::host_points(stage)));
  }

  struct FilterRange {
    std::uint64_t begin, end;
  };
  [[nodiscard]] BankSegment segment(std::uint64_t item) const { return bank_segment(stage_, item / groups_); }
  [[nodiscard]] FilterRange filters(std::uint64_t item) const {
    const std::uint64_t group = item % groups_;
    return {bank_.filters * group / groups_, bank_.filters * (group + 1) / groups_};
  }

  // Elements of the segment from this one on give no outputs that are stored, nor neighbours of such.
  [[nodiscard]] std::int64_t outputs_end(const BankSegment& segment) const {
    const plan::Bound& bound = *stage_.store_bound;
    return static_cast<std::int64_t>(bound.count + halo_.right) - segment.store_position;
  }

  // Scalars that store() works in: a line of results, and the maxima of both parts with their filters.
  [[nodiscard]] std::size_t result_room() const { return 5 * made(stage_.store_bound->end_element - first_ + 16); }

  // Stores the results of a filter; `y` are the planes of all elements. `room`: see result_room().
  void store(const BankSegment& segment, const Planes<T>& y, std::uint64_t filter, T* room, T* output) const {
    if (!paired_) return store_part(segment, 0, {y.real, y.imaginary}, filter, room, output);
    store_part(segment, 0, {y.real, nullptr}, filter, room, output);
    store_part(segment, 1, {y.imaginary, nullptr}, filter, room, output);
  }

  const plan::Stage stage_;
  const plan::FilterBank& bank_ = *stage_.bank;
  CombinationKernels<T> combinations_;
  BankKernels<T> kernels_;
  plan::Halo halo_;
  std::size_t first_;
  bool paired_;
  std::uint64_t groups_ = 1;

 private:
  // Where there are fewer segments than threads, these share the filters of each; and where there are few more, of
  // which one thread would have one more than the others, as long as a segment's transform is little beside its
  // filters'.
  static std::uint64_t filter_groups(std::uint64_t segments, std::uint64_t filters, std::uint64_t threads) {
    constexpr std::uint64_t even_items = 4;  // of each thread
    constexpr std::uint64_t many_filters = 8;
    if (threads <= 1) return 1;
    const auto groups = [&](std::uint64_t items) { return (items + segments - 1) / segments; };
    const std::uint64_t shared =
        std::max(groups(threads), std::min(groups(even_items * threads), filters / many_filters));
    return std::min(filters, shared);
  }

  // Elements stored for so many results.
  [[nodiscard]] std::size_t made(std::size_t results) const {
    return plan::stored_outputs(bank_.post.function, bank_.post.decimation, results);
  }

  void store_part(const BankSegment& segment, std::int64_t part, const Planes<const T>& y, std::uint64_t filter,
                  T* room, T* output) const {
    const plan::Bound& bound = *stage_.store_bound;
    const std::int64_t position =
        segment.store_position + static_cast<std::int64_t>(first_) + part * bound.imaginary_step;
    const auto left = static_cast<std::int64_t>(bound.count) - position;
    if (left <= 0) return;
    const std::size_t count = std::min<std::size_t>(static_cast<std::size_t>(left), bound.end_element - first_);
    const bool complex = stage_.output_storage.form == plan::Storage::Form::interleaved;
    const std::int64_t element = segment.output + (paired_ ? part * stage_.output_storage.imaginary_offset : 0);
    T* to = output + element * (complex ? 2 : 1);
    PostCall<T> call;
    call.y = {y.real + first_, y.imaginary == nullptr ? nullptr : y.imaginary + first_};
    call.count = count;
    call.function = bank_.post.function;
    call.decimation = bank_.post.decimation;
    if (!bank_.post.maximum) {
      call.to = to + static_cast<std::int64_t>(filter) * bank_.filter_stride * (complex ? 2 : 1);
      if (hook_) return hook_->store(call, static_cast<std::uint64_t>(call.to - output) / (complex ? 2 : 1));
      if (complex && call.function == PostProcessing::Function::none && call.decimation == 1)
        return store_complex(call);
      return kernels_.process(call);
    }
    const std::size_t results = made(count);
    T* const largest = room + (result_room() / 5) * static_cast<std::size_t>(1 + 2 * part);
    T* const winners = largest + result_room() / 5;
    call.to = filter == 0 ? largest : room;
    kernels_.process(call);
    if (filter == 0) {
      std::fill_n(winners, results, T{0});
    } else {
      kernels_.keep_larger(room, results, static_cast<T>(filter), largest, winners);
    }
    if (filter + 1 < bank_.filters) return;
    std::copy_n(largest, results, to);
    std::copy_n(winners, results, to + bank_.index_offset);
  }

  void store_complex(const PostCall<T>& call) const { combinations_.put_together(call.y, call.count, T{1}, call.to); }

  std::optional<ResultHook<T>> hook_;
};

// Direct sums, and filters in partitions: workers behind make_bank_worker().
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_direct_bank_worker(const plan::Stage& stage,
                                                                   const WorkerOptions& options);
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_partitioned_bank_worker(const plan::Stage& stage,
                                                                        const WorkerOptions& options);

}  // namespace twiddle::backend::host
