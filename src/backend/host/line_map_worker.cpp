// The maps of long lines as stages of their own, element by element from memory to memory: lines in pieces, so that
// threads share them, and without planar arrays of the whole line, which would not stay in a core's cache.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "backend/host/aligned_array.hpp"
#include "backend/host/combination_terms.hpp"
#include "backend/host/scalar_stage.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"
#include "plan/lower/line_map.hpp"

namespace twiddle::backend::host {
namespace {

constexpr std::size_t item_elements = 8192;  // elements of an item, about

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

// Times real + i imaginary, as far as that is not zero, or needed.
template <bool of_real, bool to_real, class T>
Element<T> product(const Element<T>& element, T real, T imaginary) {
  Element<T> result{real * element.real, 0};
  if constexpr (!of_real) result.real -= imaginary * element.imaginary;
  if constexpr (!to_real) result.imaginary = imaginary * element.real;
  if constexpr (!of_real && !to_real) result.imaginary += real * element.imaginary;
  return result;
}

// In which order elements are made. Those of sources in rows (LineMap::source_parts), whose neighbours are a row's
// length apart at least, share cache lines with what is made so many elements later: they are made in tiles.
class Order {
 public:
  Order(std::size_t count, std::size_t rows, std::size_t numbers_of_a_line)
      : count_(count), rows_(rows), columns_(numbers_of_a_line) {
    const std::size_t strip = rows_ * columns_;
    piece_ = rows_ == 1 ? item_elements : std::max<std::size_t>(item_elements / strip, 1) * strip;
  }

  [[nodiscard]] std::size_t pieces() const { return (count_ + piece_ - 1) / piece_; }

  // Calls visit(first element, how many from there on, how many of all pieces were made before).
  template <class Visit>
  void of_piece(std::size_t number, const Visit& visit) const {
    const std::size_t begin = number * piece_;
    const std::size_t end = std::min(begin + piece_, count_);
    if (rows_ == 1) return visit(begin, end - begin, begin);
    std::size_t made = begin;
    for (std::size_t strip = begin; strip < end; strip += rows_ * columns_) {
      for (std::size_t row = 0; row < rows_; row += tile_rows) {
        for (std::size_t first = strip + row; first < std::min(end, strip + rows_ * columns_); first += rows_) {
          const std::size_t run = std::min({tile_rows, rows_ - row, end - first});
          visit(first, run, made);
          made += run;
        }
      }
    }
  }

 private:
  static constexpr std::size_t tile_rows = 8;

  std::size_t count_;
  std::size_t rows_;
  std::size_t columns_;  // of a tile
  std::size_t piece_;
};

std::size_t source_rows(const plan::LineMap& map) {
  std::size_t rows = 1;
  for (std::size_t i = 0; i + 1 < map.source_parts.size(); ++i) rows *= map.source_parts[i];
  return rows;
}

template <class T>
class LineMapWorker final : public StageWorker {
 public:
  LineMapWorker(const plan::Stage& stage, std::int64_t targets)
      : order_(stage.load_map->count, source_rows(*stage.load_map), cache_line / (2 * sizeof(T))),
        terms_(combination_terms<T, std::uint32_t>(*stage.load_map, targets)),
        loops_(stage, StageLoops::no_loop, 1),
        pieces_(order_.pieces()),
        reads_reals_(stage.input_storage.form == plan::Storage::Form::real),
        writes_reals_(stage.output_storage.form == plan::Storage::Form::real),
        sign_(plan::map_rules(*stage.load_map).conjugate ? T{-1} : T{1}),
        scale_(static_cast<T>(stage.scale)) {
    const std::span<const Term<T>> terms(terms_.data(), terms_.size());
    two_terms_ = std::ranges::any_of(
        terms, [](const Term<T>& term) { return term.second_real != 0 || term.second_imaginary != 0; });
    if (stage.load_map->source_parts.empty()) return;
    AlignedArray<Term<T>> in_order(terms_.size());
    for (std::size_t i = 0; i < pieces_; ++i) {
      order_.of_piece(i, [&](std::size_t first, std::size_t count, std::size_t made) {
        std::copy_n(terms_.data() + first, count, in_order.data() + made);
      });
    }
    terms_ = std::move(in_order);
  }

  std::uint64_t items() const override { return loops_.items() * pieces_; }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    for (std::uint64_t i = begin; i < end; ++i) {
      const Position position = loops_.item(i / pieces_).position;
      const T* const from = reinterpret_cast<const T*>(input) + position.input;
      T* const to = reinterpret_cast<T*>(output) + position.output;
      two_terms_ ? make<true>(from, to, i % pieces_) : make<false>(from, to, i % pieces_);
    }
  }

 private:
  template <bool two_terms>
  void make(const T* from, T* to, std::size_t number) const {
    if (reads_reals_) {
      writes_reals_ ? make<two_terms, true, true>(from, to, number) : make<two_terms, true, false>(from, to, number);
    } else {
      writes_reals_ ? make<two_terms, false, true>(from, to, number) : make<two_terms, false, false>(from, to, number);
    }
  }

  template <bool two_terms, bool from_reals, bool to_reals>
  void make(const T* from, T* to, std::size_t number) const {
    order_.of_piece(number, [&](std::size_t first, std::size_t count, std::size_t made) {
      run<two_terms, from_reals, to_reals>(from, to, first, count, terms_.data() + made);
    });
  }

  template <bool two_terms, bool from_reals, bool to_reals>
  void run(const T* from, T* to, std::size_t begin, std::size_t count, const Term<T>* terms) const {
    const T sign = sign_;
    const T scale = scale_;
    for (std::size_t k = begin; k < begin + count; ++k) {
      const Term<T>& term = *terms++;
      const Element<T> a = element<from_reals>(from, term.first);
      Element<T> sum = product<from_reals, to_reals>(a, term.first_real, term.first_imaginary);
      if constexpr (two_terms) {
        Element<T> b = element<from_reals>(from, term.second);
        b.imaginary *= sign;
        const Element<T> second = product<from_reals, to_reals>(b, term.second_real, term.second_imaginary);
        sum.real += second.real;
        sum.imaginary += second.imaginary;
      }
      if constexpr (to_reals) {
        to[k] = sum.real * scale;
      } else {
        to[2 * k] = sum.real * scale;
        to[2 * k + 1] = sum.imaginary * scale;
      }
    }
  }

  Order order_;
  AlignedArray<Term<T>> terms_;  // in that order
  StageLoops loops_;
  std::size_t pieces_;
  bool two_terms_ = true;  // some element is made of two others
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
  if (!stage.radices.empty() || stage.direct || !stage.load_map) return false;
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
std::unique_ptr<StageWorker> make_line_map_worker(const plan::Stage& stage, std::size_t shortest,
                                                  std::int64_t targets) {
  if (!serves(stage)) return nullptr;
  if (auto ruled = make_ruled_map_worker<T>(stage, targets)) return ruled;
  if (stage.length < shortest) return nullptr;
  return std::make_unique<LineMapWorker<T>>(stage, targets);
}

template std::unique_ptr<StageWorker> make_line_map_worker<float>(const plan::Stage&, std::size_t, std::int64_t);
template std::unique_ptr<StageWorker> make_line_map_worker<double>(const plan::Stage&, std::size_t, std::int64_t);
template std::unique_ptr<StageWorker> make_line_map_worker<long double>(const plan::Stage&, std::size_t, std::int64_t);

}  // namespace twiddle::backend::host
