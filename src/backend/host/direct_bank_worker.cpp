// Stages with a filter bank by direct sums, also of columns first and then along rows.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "backend/host/aligned_array.hpp"
#include "backend/host/bank_worker.hpp"

namespace twiddle::backend::host {
namespace {

// Sums from the signal as it is in memory; only the elements that the first and the last outputs need beyond the
// signal's ends are copied. Of a filter that is a column and a row, each element is the sum of a column first, in a
// plane that stays in the core's cache; these are summed along the row.
template <class T>
class DirectWorker : public BankWorker<T> {
 public:
  DirectWorker(const plan::Stage& stage, const WorkerOptions& options)
      : BankWorker<T>(stage, options),
        scalars_(this->bank_.real_taps ? 1 : 2),
        row_taps_(this->bank_.kind == plan::FilterBank::Kind::separable ? this->bank_.taps : 0),
        taps_(row_taps_ != 0 ? 1 : this->bank_.taps),
        all_taps_(plan::all_taps(this->bank_)),
        lines_((all_taps_ - row_taps_) / taps_),
        begin_(this->first_ - this->halo_.left - (row_taps_ != 0 ? row_taps_ - 1 : 0)),
        end_(stage.store_bound->end_element + this->halo_.right),
        plane_size_((stage.length + 15) / 16 * 16 + 16) {
    if (stage.input_stride != 1 || stage.load_hook || this->paired_) {
      throw Unsupported("direct sums on the host take signals whose samples are next to each other, without a hook");
    }
  }

  void run_bank(const std::byte* input, const std::byte* spectra, std::byte* output, std::uint64_t begin,
                std::uint64_t end) const override {
    const std::size_t copies = 2 * lines_ * plane_size_ * scalars_;
    const std::size_t planes = row_taps_ != 0 ? 6 : 2;
    const std::size_t scalars = copies + planes * plane_size_ + this->result_room();
    auto* scratch =
        static_cast<T*>(thread_scratch(scalars * sizeof(T) + cache_line + 3 * lines_ * sizeof(DirectLine<T>)));
    const auto behind =
        (reinterpret_cast<std::uintptr_t>(scratch + scalars) + cache_line - 1) / cache_line * cache_line;
    T* const sums = scratch + copies;
    const Work work{scratch,
                    {sums, scalars_ == 1 ? nullptr : sums + plane_size_},
                    sums + planes * plane_size_,
                    reinterpret_cast<DirectLine<T>*>(behind)};
    for (std::uint64_t item = begin; item < end; ++item) {
      convolve(item, reinterpret_cast<const T*>(input), reinterpret_cast<const T*>(spectra), work,
               reinterpret_cast<T*>(output));
    }
  }

 private:
  struct Work {
    T* copies;
    Planes<T> sums;
    T* room;  // of store()
    DirectLine<T>* lines;
  };

  // Outputs [begin, end), from `count` lines.
  struct Piece {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    const DirectLine<T>* lines = nullptr;
    std::size_t count = 0;
  };

  void convolve(std::uint64_t item, const T* input, const T* taps, const Work& work, T* output) const {
    const BankSegment segment = this->segment(item);
    const auto length = static_cast<std::int64_t>(this->stage_.length);
    const InsideRange inside = inside_range(*this->stage_.load_bound, segment.load_position, length);
    // Outputs [begin_, left) and [right, last) need samples beyond the ends, or there are none within at all.
    const auto first = static_cast<std::int64_t>(begin_);
    const std::int64_t last = std::clamp(this->outputs_end(segment), first, static_cast<std::int64_t>(end_));
    std::int64_t left = std::clamp(inside.begin + static_cast<std::int64_t>(taps_) - 1, first, last);
    std::int64_t right = std::clamp(inside.end, left, last);
    // Copies of a few more fill a vector.
    const auto vector = static_cast<std::int64_t>(row_taps_ != 0 ? 0 : this->combinations_.vector);
    if (left > first) left = std::min(last, std::max(left, first + vector));
    if (right < last) right = std::min(right, last - vector);
    if (right <= left) left = right = last;
    T* const second_copies = work.copies + lines_ * plane_size_ * scalars_;
    Piece pieces[3] = {{}, make_piece(item, segment, left, right, input, nullptr, work.lines + lines_), {}};
    const std::optional<Sources> outside = sources_outside(segment, first, left, right, last);
    if (!outside) {
      pieces[0] = make_piece(item, segment, first, left, input, work.copies, work.lines);
      pieces[2] = make_piece(item, segment, right, last, input, second_copies, work.lines + 2 * lines_);
    }
    const auto [filters_begin, filters_end] = this->filters(item);
    for (std::uint64_t filter = filters_begin; filter < filters_end; ++filter) {
      for (const Piece& piece : pieces) {
        if (piece.begin == piece.end) continue;
        DirectCall<T> call;
        call.lines = piece.lines;
        call.line_count = piece.count;
        call.taps = taps + filter * all_taps_ * scalars_;
        call.tap_count = taps_;
        call.count = static_cast<std::size_t>(piece.end - piece.begin);
        call.to = {work.sums.real + piece.begin, scalars_ == 1 ? nullptr : work.sums.imaginary + piece.begin};
        this->kernels_.direct(call);
      }
      if (outside) fill_outside(*outside, work.sums);
      const Planes<T> results =
          row_taps_ == 0 ? work.sums : sum_row(work, taps + (filter * all_taps_ + lines_) * scalars_, first, last);
      this->store(segment, results, filter, work.room, output);
    }
  }

  // Of columns beyond the signal's ends: the elements whose sums are theirs too, or none where these are 0.
  struct Source {
    std::int64_t element;
    std::optional<std::int64_t> same;
  };
  using Sources = std::vector<Source>;

  // Those of the elements [first, left) and [right, last), where each is that of an element of [left, right); only
  // columns are alike, sums along rows are not.
  std::optional<Sources> sources_outside(const BankSegment& segment, std::int64_t first, std::int64_t left,
                                         std::int64_t right, std::int64_t last) const {
    if (row_taps_ == 0) return std::nullopt;
    const plan::Bound& bound = *this->stage_.load_bound;
    Sources sources;
    for (std::int64_t k = first; k < last; ++k) {
      if (k == left) k = right;
      if (k == last) break;
      const std::int64_t position = segment.load_position + k;
      const auto source = boundary_source(bound.outside, position, bound.count);
      std::optional<std::int64_t> same;
      if (source) {
        same = k + static_cast<std::int64_t>(*source) - position;
        if (*same < left || *same >= right) return std::nullopt;
      }
      sources.push_back({k, same});
    }
    return sources;
  }

  static void fill_outside(const Sources& sources, const Planes<T>& sums) {
    for (const Source& source : sources) {
      sums.real[source.element] = source.same ? sums.real[*source.same] : T{0};
      if (sums.imaginary != nullptr) sums.imaginary[source.element] = source.same ? sums.imaginary[*source.same] : T{0};
    }
  }

  // Sums the columns' sums [first, last) along the row, into the planes behind them, whose elements from row_taps_ - 1
  // behind the first one on are then there.
  Planes<T> sum_row(const Work& work, const T* taps, std::int64_t first, std::int64_t last) const {
    const Planes<T> rows{work.sums.real + 2 * plane_size_,
                         work.sums.imaginary == nullptr ? nullptr : work.sums.real + 3 * plane_size_};
    const T* columns = work.sums.real + first;
    if (scalars_ == 2) {
      T* const joined = work.sums.real + 4 * plane_size_;
      const auto count = static_cast<std::size_t>(last - first);
      this->combinations_.put_together({work.sums.real + first, work.sums.imaginary + first}, count, T{1}, joined);
      columns = joined;
    }
    const auto before = static_cast<std::int64_t>(row_taps_) - 1;
    if (last - first <= before) return rows;
    const DirectLine<T> line{columns + static_cast<std::size_t>(before) * scalars_, 0};
    DirectCall<T> call;
    call.lines = &line;
    call.line_count = 1;
    call.taps = taps;
    call.tap_count = row_taps_;
    call.count = static_cast<std::size_t>(last - first - before);
    call.to = {rows.real + first + before, rows.imaginary == nullptr ? nullptr : rows.imaginary + first + before};
    this->kernels_.direct(call);
    return rows;
  }

  // From memory as it is, or where `copies` is given from copies there.
  Piece make_piece(std::uint64_t item, const BankSegment& segment, std::int64_t begin, std::int64_t end, const T* input,
                   T* copies, DirectLine<T>* lines) const {
    Piece piece{begin, end, lines, 0};
    if (begin == end) return piece;
    const auto needed = static_cast<std::int64_t>(taps_) - 1;
    for (std::uint64_t tap = 0; tap < lines_; ++tap) {
      const auto line = outer_line(this->stage_, item / this->groups_, tap);
      if (!line) continue;
      const std::int64_t first = segment.input + *line;
      const T* from = input + (first + begin) * static_cast<std::int64_t>(scalars_);
      if (copies != nullptr) {
        T* const copy = copies + piece.count * plane_size_ * scalars_;
        copy_elements(this->stage_, first, segment.load_position, begin - needed, end, input, copy);
        from = copy + static_cast<std::size_t>(needed) * scalars_;
      }
      lines[piece.count++] = {from, tap * taps_ * scalars_};
    }
    return piece;
  }

  std::size_t scalars_;
  std::size_t row_taps_;  // of a filter that is a column and a row, else 0
  std::size_t taps_;      // of a line
  std::size_t all_taps_;
  std::size_t lines_;
  std::size_t begin_;  // of the outputs that are summed, neighbours included
  std::size_t end_;
  std::size_t plane_size_;
};

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_direct_bank_worker(const plan::Stage& stage, const WorkerOptions& options) {
  return std::make_unique<DirectWorker<T>>(stage, options);
}

template std::unique_ptr<StageWorker> make_direct_bank_worker<float>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_direct_bank_worker<double>(const plan::Stage&, const WorkerOptions&);

}  // namespace twiddle::backend::host
