// The maps of long lines as stages of their own, element by element from memory to memory: lines in pieces, so that
// threads share them, and without planar arrays of the whole line, which would not stay in a core's cache.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "backend/host/combination_terms.hpp"
#include "backend/host/scalar_stage.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"
#include "plan/line_map.hpp"

namespace twiddle::backend::host {
namespace {

constexpr std::size_t piece = 8192;     // elements of an item
constexpr std::size_t shortest = 1024;  // below, neighbouring lines are made side by side, in the lanes of vectors

// In less memory, which is most of what is read.
template <class T>
using Term = CombinationTerm<T, std::uint32_t>;

template <class T>
struct Element {
  T real = 0;
  T imaginary = 0;
};

template <bool reals, class T>
Element<T> element(const T* line, std::size_t place) {
  if constexpr (reals) return {line[place], T{0}};
  return {line[2 * place], line[2 * place + 1]};
}

template <class T>
class LineMapWorker final : public StageWorker {
 public:
  explicit LineMapWorker(const plan::Stage& stage)
      : terms_(combination_terms<T, std::uint32_t>(*stage.load_map)),
        loops_(stage, StageLoops::no_loop, 1),
        pieces_((terms_.size() + piece - 1) / piece),
        reads_reals_(stage.input_storage.form == plan::Storage::Form::real),
        writes_reals_(stage.output_storage.form == plan::Storage::Form::real),
        sign_(plan::map_rules(*stage.load_map).conjugate ? T{-1} : T{1}),
        scale_(static_cast<T>(stage.scale)) {}

  std::uint64_t items() const override { return loops_.items() * pieces_; }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    for (std::uint64_t i = begin; i < end; ++i) {
      const Position position = loops_.item(i / pieces_).position;
      const std::size_t first = i % pieces_ * piece;
      const std::size_t last = std::min(first + piece, terms_.size());
      const T* const from = reinterpret_cast<const T*>(input) + position.input;
      T* const to = reinterpret_cast<T*>(output) + position.output;
      if (reads_reals_) {
        writes_reals_ ? make<true, true>(from, to, first, last) : make<true, false>(from, to, first, last);
      } else {
        writes_reals_ ? make<false, true>(from, to, first, last) : make<false, false>(from, to, first, last);
      }
    }
  }

 private:
  template <bool from_reals, bool to_reals>
  void make(const T* from, T* to, std::size_t begin, std::size_t end) const {
    const T sign = sign_;
    const T scale = scale_;
    for (std::size_t k = begin; k < end; ++k) {
      const Term<T>& term = terms_[k];
      const Element<T> a = element<from_reals>(from, term.first);
      const Element<T> b = element<from_reals>(from, term.second);
      const T b_im = b.imaginary * sign;
      const T real = term.first_real * a.real - term.first_imaginary * a.imaginary + term.second_real * b.real -
                     term.second_imaginary * b_im;
      if constexpr (to_reals) {
        to[k] = real * scale;
      } else {
        const T imaginary = term.first_real * a.imaginary + term.first_imaginary * a.real + term.second_real * b_im +
                            term.second_imaginary * b.real;
        to[2 * k] = real * scale;
        to[2 * k + 1] = imaginary * scale;
      }
    }
  }

  std::vector<Term<T>> terms_;
  StageLoops loops_;
  std::size_t pieces_;
  bool reads_reals_;
  bool writes_reals_;
  T sign_;
  T scale_;
};

// Elements of the arithmetic's precision, one behind the other.
bool adjacent(const plan::Storage& storage, std::int64_t stride, Precision precision) {
  if (storage.form == plan::Storage::Form::real) return storage.precision == precision && stride == 1;
  return is_interleaved(storage, precision) && stride == 2;
}

// Of all of the rules' results, one line each, by its terms alone.
bool serves(const plan::Stage& stage) {
  if (!stage.radices.empty() || stage.direct || !stage.load_map || stage.length < shortest) return false;
  plan::Stage beside = stage;
  beside.load_map.reset();
  const plan::LineMap& map = *stage.load_map;
  return only_loads(beside) && only_stores(stage) && !stage.twiddle && !plan::holds_two_spectra(map.rule) &&
         plan::map_rules(map).real_end == plan::MapTables::none &&
         map.source_count <= std::numeric_limits<std::uint32_t>::max() &&
         adjacent(stage.input_storage, stage.input_stride, stage.precision) &&
         adjacent(stage.output_storage, stage.output_stride, stage.precision);
}

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_line_map_worker(const plan::Stage& stage) {
  return serves(stage) ? std::make_unique<LineMapWorker<T>>(stage) : nullptr;
}

template std::unique_ptr<StageWorker> make_line_map_worker<float>(const plan::Stage&);
template std::unique_ptr<StageWorker> make_line_map_worker<double>(const plan::Stage&);
template std::unique_ptr<StageWorker> make_line_map_worker<long double>(const plan::Stage&);

}  // namespace twiddle::backend::host
