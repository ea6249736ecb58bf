// A few lines of a prime length without a butterfly: neighbours would not fill the lanes, the results of one line do.
#include "backend/host/aligned_array.hpp"
#include "backend/host/contiguous_line.hpp"
#include "backend/host/prime_row.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"
#include "backend/host/twiddle_tables.hpp"

namespace twiddle::backend::host {
namespace {

template <class T>
class PrimeRowWorker : public StageWorker {
 public:
  PrimeRowWorker(const plan::Stage& stage, ShortRowsKind kind, std::size_t pitch, const WorkerOptions& options)
      : function_(find_prime_row<T>(kind, stage.direction == Direction::inverse, options.targets)),
        length_(stage.length),
        pitch_(pitch),
        scale_(static_cast<T>(stage.scale)),
        loops_(stage, StageLoops::no_loop, 1),
        real_roots_(length_ / 2 * pitch),
        imaginary_roots_(length_ / 2 * pitch) {
    const AllRoots<T> roots = all_roots<T>(length_, options.targets);
    for (std::size_t j = 1, at = 0; j <= length_ / 2; ++j) {
      for (std::size_t k = 1, power = j; k <= pitch; ++k, ++at, power += j) {
        if (power >= length_) power -= length_;
        real_roots_[at] = roots[power].real;
        imaginary_roots_[at] = roots[power].imaginary;
      }
    }
  }

  std::uint64_t items() const override { return loops_.items(); }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    PrimeRowCall<T> call;
    call.length = length_;
    call.pitch = pitch_;
    call.real_roots = real_roots_.data();
    call.imaginary_roots = imaginary_roots_.data();
    call.scale = scale_;
    for (std::uint64_t i = begin; i < end; ++i) {
      const StageLoops::Item item = loops_.item(i);
      call.input = reinterpret_cast<const T*>(input) + item.position.input;
      call.output = reinterpret_cast<T*>(output) + item.position.output;
      function_(call);
    }
  }

 private:
  PrimeRowFunction<T> function_;
  std::size_t length_;
  std::size_t pitch_;
  T scale_;
  StageLoops loops_;
  AlignedArray<T> real_roots_;
  AlignedArray<T> imaginary_roots_;
};

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_prime_row_worker(const plan::Stage& stage, const WorkerOptions& options) {
  const std::size_t vector = vector_lanes<T>(options.targets);
  const bool direct = stage.radices.size() == 1 && stage.length % 2 == 1 && stage.length <= largest_direct_radix &&
                      find_pass<T>(PassKind::first_row, stage.radices.front(), options.targets) == nullptr;
  if (!direct || 2 * plan::transform_count(stage) > vector) return nullptr;
  const auto line = contiguous_line(stage);
  if (!line || line->length != stage.length) return nullptr;  // pairs of reals are no primes
  const std::size_t pitch = (stage.length / 2 + vector - 1) / vector * vector;
  // Complex results would reach beyond the line.
  if (line->kind == ShortRowsKind::complex && 1 + pitch > stage.length) return nullptr;
  return std::make_unique<PrimeRowWorker<T>>(stage, line->kind, pitch, options);
}

template std::unique_ptr<StageWorker> make_prime_row_worker<float>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_prime_row_worker<double>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_prime_row_worker<long double>(const plan::Stage&, const WorkerOptions&);

}  // namespace twiddle::backend::host
