// Stages with a filter bank whose filters are cut into partitions: the spectra of the latest segments stay in a ring,
// and the products of all of them with the partitions' spectra are added up before one transform back.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "backend/host/bank_worker.hpp"
#include "backend/host/segment_transform.hpp"

namespace twiddle::backend::host {
namespace {

constexpr std::size_t block = 1024;  // points that stay in the first-level cache while products are added to them

// An item is a run of neighbouring segments of a line: it begins with the transforms of those before it.
template <class T>
class PartitionedWorker : public BankWorker<T> {
 public:
  PartitionedWorker(const plan::Stage& stage, const WorkerOptions& options)
      : BankWorker<T>(stage, options),
        transform_(stage, options.targets),
        plane_size_(transform_.plane_size(stage.length, this->combinations_.vector)),
        partitions_(stage.bank->partitions),
        segments_(stage.loops.at(0).count),
        lines_(plan::transform_count(stage) / segments_) {
    // Runs long enough that those transforms count little, a few for each thread; threads share filters otherwise.
    const std::uint64_t threads = this->sharers(stage, options);
    const std::uint64_t wanted = (2 * threads + lines_ - 1) / lines_;
    runs_ = std::clamp<std::uint64_t>(segments_ / (2 * partitions_), 1, wanted);
    const std::uint64_t apart = lines_ * runs_;
    const std::uint64_t parts = this->bank_.post.maximum ? 1 : (threads + apart - 1) / apart;
    this->groups_ = std::min<std::uint64_t>(this->bank_.filters, parts);
  }

  std::uint64_t items() const override { return lines_ * runs_ * this->groups_; }

  void run_bank(const std::byte* input, const std::byte* spectra, std::byte* output, std::uint64_t begin,
                std::uint64_t end) const override {
    const std::size_t planes = 2 * (partitions_ + 2);
    auto* scratch = static_cast<T*>(thread_scratch((planes * plane_size_ + this->result_room()) * sizeof(T)));
    Work work;
    for (std::size_t i = 0; i < planes; i += 2) {
      work.planes.push_back({scratch + i * plane_size_, scratch + (i + 1) * plane_size_});
    }
    work.spoiled.resize(partitions_);
    work.room = scratch + planes * plane_size_;
    for (std::uint64_t item = begin; item < end; ++item) {
      convolve(item, reinterpret_cast<const T*>(input), reinterpret_cast<const T*>(spectra), work,
               reinterpret_cast<T*>(output));
    }
  }

 private:
  struct Work {
    std::vector<Planes<T>> planes;                // of the ring; two more behind them
    std::vector<std::optional<Spoiled>> spoiled;  // of the ring
    T* room = nullptr;
  };

  // Where in the ring the segment is that a partition meets.
  [[nodiscard]] std::size_t earlier(std::size_t slot, std::size_t partition) const {
    return (slot + partitions_ - partition) % partitions_;
  }

  // A segment of a line, which may lie before its first one.
  [[nodiscard]] BankSegment segment_of(std::uint64_t line, std::int64_t turn) const {
    BankSegment segment = bank_segment(this->stage_, line * segments_);
    segment.input += turn * this->stage_.loops[0].input_stride;
    segment.output += turn * this->stage_.loops[0].output_stride;
    segment.load_position += turn * this->stage_.load_bound->loop_strides[0];
    segment.store_position += turn * this->stage_.store_bound->loop_strides[0];
    return segment;
  }

  void convolve(std::uint64_t item, const T* input, const T* spectra, Work& work, T* output) const {
    const std::uint64_t run = item / this->groups_ % runs_;
    const std::uint64_t line = item / this->groups_ / runs_;
    const auto first = static_cast<std::int64_t>(segments_ * run / runs_);
    const auto last = static_cast<std::int64_t>(segments_ * (run + 1) / runs_);
    const auto [filters_begin, filters_end] = this->filters(item);
    std::size_t slot = 0;
    for (std::int64_t turn = first - static_cast<std::int64_t>(partitions_) + 1; turn < last; ++turn) {
      const BankSegment segment = segment_of(line, turn);
      load_and_transform(segment, input, work, slot);
      for (std::uint64_t filter = filters_begin; turn >= first && filter < filters_end; ++filter) {
        add_products(work, slot, spectra + 2 * filter * partitions_ * this->stage_.length);
        const Planes<T>& sums = work.planes[partitions_];
        const Planes<T>& other = work.planes[partitions_ + 1];
        const Planes<T>& results = transform_.run(true, sums, other) == 0 ? sums : other;
        for (std::size_t partition = 0; partition < partitions_; ++partition) {
          const std::optional<Spoiled>& spoiled = work.spoiled[earlier(slot, partition)];
          const bool last_one = partition + 1 == partitions_;
          if (spoiled) spoiled->mark(last_one ? this->bank_.last_taps : this->bank_.taps, results);
        }
        this->store(segment, results, filter, work.room, output);
      }
      slot = (slot + 1) % partitions_;
    }
  }

  // The segment's spectrum into the ring.
  void load_and_transform(const BankSegment& segment, const T* input, Work& work, std::size_t slot) const {
    Planes<T>& planes = work.planes[slot];
    Planes<T>& other = work.planes[partitions_];
    const auto transform = [&] {
      if (transform_.run(false, planes, other) == 1) std::swap(planes, other);
    };
    work.spoiled[slot].reset();
    load_segment(this->stage_, segment, input, this->combinations_, planes);
    transform();
    if (!Spoiled::by(planes)) return;
    load_segment(this->stage_, segment, input, this->combinations_, planes);
    work.spoiled[slot].emplace(planes, this->stage_.length, !this->paired_);
    transform();
  }

  // Into the planes behind the ring. `factors`: the spectra of a filter's partitions.
  void add_products(const Work& work, std::size_t slot, const T* factors) const {
    const std::size_t points = this->stage_.length;
    const Planes<T>& sums = work.planes[partitions_];
    for (std::size_t k = 0; k < points; k += block) {
      for (std::size_t partition = 0; partition < partitions_; ++partition) {
        const Planes<T>& spectrum = work.planes[earlier(slot, partition)];
        const T* const factor = factors + 2 * partition * points + k;
        const ProductCall<T> call{{spectrum.real + k, spectrum.imaginary + k},
                                  {factor, factor + points},
                                  {sums.real + k, sums.imaginary + k},
                                  std::min(block, points - k)};
        partition == 0 ? this->kernels_.multiply(call) : this->kernels_.add_product(call);
      }
    }
  }

  SegmentTransform<T> transform_;
  std::size_t plane_size_;
  std::size_t partitions_;
  std::uint64_t segments_;  // of a line
  std::uint64_t lines_;
  std::uint64_t runs_ = 1;  // of a line
};

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_partitioned_bank_worker(const plan::Stage& stage, const WorkerOptions& options) {
  return std::make_unique<PartitionedWorker<T>>(stage, options);
}

template std::unique_ptr<StageWorker> make_partitioned_bank_worker<float>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_partitioned_bank_worker<double>(const plan::Stage&, const WorkerOptions&);

}  // namespace twiddle::backend::host
