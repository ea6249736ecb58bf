// The maps of long lines as stages of their own, element by element from memory to memory: lines in pieces, so that
// threads share them, and without planar arrays of the whole line, which would not stay in a core's cache.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "backend/host/scalar_stage.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"
#include "plan/line_map.hpp"

namespace twiddle::backend::host {
namespace {

constexpr std::size_t piece = 8192;     // elements of an item
constexpr std::size_t shortest = 1024;  // below, neighbouring lines are made side by side, in the lanes of vectors

// CombinationTerm in less memory, which is most of what is read.
template <class T>
struct Term {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  T first_real = 0;
  T first_imaginary = 0;
  T second_real = 0;
  T second_imaginary = 0;
};

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

// Zero times element 0 where there is none.
template <class T>
std::vector<Term<T>> terms_of(const plan::MapTables& tables) {
  std::vector<Term<T>> terms(tables.first.size());
  for (std::size_t k = 0; k < terms.size(); ++k) {
    Term<T>& term = terms[k];
    if (tables.first[k] != plan::MapTables::none) {
      term.first = static_cast<std::uint32_t>(tables.first[k]);
      term.first_real = static_cast<T>(tables.a[k].real());
      term.first_imaginary = static_cast<T>(tables.a[k].imag());
    }
    if (tables.second[k] != plan::MapTables::none) {
      term.second = static_cast<std::uint32_t>(tables.second[k]);
      term.second_real = static_cast<T>(tables.b[k].real());
      term.second_imaginary = static_cast<T>(tables.b[k].imag());
    }
  }
  return terms;
}

template <class T>
class LineMapWorker final : public StageWorker {
 public:
  LineMapWorker(const plan::Stage& stage, const plan::MapTables& tables)
      : terms_(terms_of<T>(tables)),
        loops_(stage, StageLoops::no_loop, 1),
        pieces_((terms_.size() + piece - 1) / piece),
        reads_reals_(stage.input_storage.form == plan::Storage::Form::real),
        writes_reals_(stage.output_storage.form == plan::Storage::Form::real),
        sign_(tables.conjugate ? T{-1} : T{1}),
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
  return only_loads(beside) && only_stores(stage) && !stage.twiddle && !plan::holds_two_spectra(stage.load_map->rule) &&
         stage.load_map->source_count <= std::numeric_limits<std::uint32_t>::max() &&
         adjacent(stage.input_storage, stage.input_stride, stage.precision) &&
         adjacent(stage.output_storage, stage.output_stride, stage.precision);
}

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_line_map_worker(const plan::Stage& stage) {
  if (!serves(stage)) return nullptr;
  const plan::MapTables tables = plan::map_tables(*stage.load_map);
  if (tables.real_end != plan::MapTables::none) return nullptr;
  return std::make_unique<LineMapWorker<T>>(stage, tables);
}

template std::unique_ptr<StageWorker> make_line_map_worker<float>(const plan::Stage&);
template std::unique_ptr<StageWorker> make_line_map_worker<double>(const plan::Stage&);
template std::unique_ptr<StageWorker> make_line_map_worker<long double>(const plan::Stage&);

}  // namespace twiddle::backend::host
