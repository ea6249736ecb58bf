// Chirps by vectors of roots; their spectra by columns and rows (D. H. Bailey, FFTs in external or hierarchical memory,
// 1990), half of either where the sequence is its own mirror image.
#include "backend/host/chirp_tables.hpp"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "backend/host/double_double_line.hpp"
#include "backend/host/twiddle_tables.hpp"
#include "backend/host/vector_roots.hpp"

namespace twiddle::backend::host {
namespace {

constexpr std::size_t block_lines = 8;     // neighbouring columns or rows that go to memory together
constexpr std::size_t chirp_piece = 8192;  // values that a thread makes at least

// Calls body(begin, end) for pieces of `count` things, at least `piece` each, that a chirp of this length is made of. A
// thread that waits for others takes no work but this: somebody else's might wait for what is made here.
template <class Body>
void share(std::uint64_t length, std::size_t count, std::size_t piece, const Body& body) {
  if (length < shortest_shared_chirp) return body(0, count);
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, piece),
                      [&](const auto& range) { body(range.begin(), range.end()); });
  });
}

// Calls put(i, block, at) for the values exp(-pi i j^2 / length) of j = first, first + step, ..., `count` of them: the
// one at `at` in a block.
template <class Put>
void for_each_of_chirp(std::uint64_t first, std::uint64_t step, std::size_t count, std::uint64_t length,
                       const DoubleDoubleKernels& kernels, const Put& put) {
  const RootSteps steps(2 * length);
  const std::uint64_t modulus = 2 * length;  // of squares, whose differences are a progression
  step %= modulus;
  std::uint64_t square = first * first % modulus;
  std::uint64_t difference = (2 * first + step) % modulus * step % modulus;
  const std::uint64_t increase = 2 * step * step % modulus;
  std::array<double, RootBlocks::size> squares{};  // those behind the last one are read as well
  RootBlock block;
  for (std::size_t begin = 0; begin < count; begin += squares.size()) {
    const std::size_t size = std::min(squares.size(), count - begin);
    for (std::size_t i = 0; i < size; ++i) {
      squares[i] = static_cast<double>(square);
      square += difference;
      if (square >= modulus) square -= modulus;
      difference += increase;
      if (difference >= modulus) difference -= modulus;
    }
    kernels.roots(steps, squares.data(), size, block.planes());
    for (std::size_t i = 0; i < size; ++i) put(begin + i, block, i);
  }
}

// The divisor that is nearest to the root, not above it.
std::size_t rows_of(std::size_t points) {
  auto rows = static_cast<std::size_t>(std::sqrt(static_cast<double>(points)));
  while (points % rows != 0) --rows;
  return rows;
}

// Element row * columns + column, then frequency row + rows * column.
template <class T>
class ChirpSpectrum {
 public:
  ChirpSpectrum(const plan::Factor& factor, long double scale, const DoubleDoubleKernels& kernels)
      : factor_(factor),
        kernels_(kernels),
        points_(factor.padded),
        rows_(rows_of(points_)),
        columns_(points_ / rows_),
        mirrored_(factor.inputs == factor.outputs),
        kept_rows_(mirrored_ ? rows_ / 2 + 1 : rows_),
        scale_(in_doubles(scale)),
        range_(std::min(1.0, static_cast<double>(double_double_most_points) / std::bit_ceil(points_))),
        memory_(DoubleDoubles::scalars(rows_) + DoubleDoubles::scalars(columns_) +
                DoubleDoubles::scalars(kept_rows_ * columns_)),
        next_(memory_.data()),
        column_line_(rows_, kernels, next_),
        row_line_(columns_, kernels, next_),
        spectra_(next_, kept_rows_ * columns_) {}

  void run(std::complex<T>* to) {
    tbb::enumerable_thread_specific<Desk> desks([&] { return Desk(columns_, kept_rows_); });
    in_blocks(mirrored_ ? columns_ / 2 + 1 : columns_, [&](std::size_t begin, std::size_t lines) {
      Desk& desk = desks.local();
      for (std::size_t i = 0; i < lines; ++i) transform_column(begin + i, desk, i);
      keep_columns(begin, lines, desk);
    });
    in_blocks(kept_rows_,
              [&](std::size_t begin, std::size_t lines) { transform_rows(begin, lines, desks.local(), to); });
  }

 private:
  // What a thread works with.
  struct Desk {
    Desk(std::size_t columns, std::size_t kept_rows)
        : memory(2 * DoubleDoubles::scalars(columns) + 2 * block_lines * DoubleDoubles::scalars(kept_rows)),
          next(memory.data()),
          line(next, columns),
          other(next, columns),
          block(block_lines * columns) {
      for (std::size_t i = 0; i < block_lines; ++i) {
        turned.emplace_back(next, kept_rows);
        mirrors.emplace_back(next, kept_rows);
      }
    }

    AlignedArray<double> memory;
    double* next;
    DoubleDoubles line;  // a column or a row, which is not shorter
    DoubleDoubles other;
    std::vector<DoubleDoubles> turned;   // columns of a block,
    std::vector<DoubleDoubles> mirrors;  // and the conjugates of their mirror images
    std::vector<std::complex<T>> block;  // rows of one, rounded
  };

  // Calls body(begin, lines) for blocks of so many lines.
  template <class Body>
  void in_blocks(std::size_t count, const Body& body) const {
    share(factor_.length, (count + block_lines - 1) / block_lines, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t begin = first * block_lines; begin < std::min(count, last * block_lines); begin += block_lines) {
        body(begin, std::min(block_lines, count - begin));
      }
    });
  }

  // What is transformed, times the range, within which sums of all elements stay exact.
  void load_column(std::size_t column, DoubleDoubles& line) const {
    const auto rows_below = [&](std::uint64_t end) -> std::size_t {  // whose elements are before that one
      return end > column ? (end - column + columns_ - 1) / columns_ : 0;
    };
    const auto put = [&](std::size_t row, const RootBlock& block, std::size_t at) {
      const auto& [re, re_low, im, im_low] = block.parts;
      line.set(row, {range_ * re[at], range_ * re_low[at], -range_ * im[at], -range_ * im_low[at]});
    };
    const std::size_t outputs = rows_below(factor_.outputs);
    for_each_of_chirp(column, columns_, outputs, factor_.length, kernels_, put);
    const std::size_t inputs = std::max(outputs, rows_below(points_ - factor_.inputs + 1));
    line.clear(outputs, inputs);
    if (inputs == rows_) return;
    const std::uint64_t before = points_ - (inputs * columns_ + column);  // the end, round which they are mirrored
    for_each_of_chirp(2 * factor_.length - before, columns_, rows_ - inputs, factor_.length, kernels_,
                      [&](std::size_t i, const RootBlock& block, std::size_t at) { put(inputs + i, block, at); });
  }

  // The spectrum y of a column times its roots w, for the rows that are kept. That of the column's mirror image is
  // y[rows - k] conj(w): its conjugate is made.
  void transform_column(std::size_t column, Desk& desk, std::size_t place) const {
    load_column(column, desk.line);
    const DoubleDoubles spectrum = column_line_.run(desk.line, desk.other);
    const DoubleDoubles& turned = desk.turned[place];
    const DoubleDoubles& mirror = desk.mirrors[place];
    RootBlocks roots(points_, column, kept_rows_, kernels_);
    RootBlock block;
    RootBlock reversed;
    for (std::size_t begin = 0; begin < kept_rows_; begin += RootBlocks::size) {
      const std::size_t size = std::min(RootBlocks::size, kept_rows_ - begin);
      roots.next(size, block.planes());
      kernels_.multiply(spectrum.from(begin), block.planes(), size, turned.from(begin));
      if (!mirrored_) continue;
      for (std::size_t i = 0; i < size; ++i) {
        const auto [re, re_low, im, im_low] = spectrum[begin + i == 0 ? 0 : rows_ - begin - i];
        reversed.parts[0][i] = re;
        reversed.parts[1][i] = re_low;
        reversed.parts[2][i] = -im;
        reversed.parts[3][i] = -im_low;
      }
      kernels_.multiply(reversed.planes(), block.planes(), size, mirror.from(begin));
    }
  }

  void keep_columns(std::size_t begin, std::size_t lines, const Desk& desk) {
    for (std::size_t part = 0; part < 4; ++part) {
      const double sign = part < 2 ? 1 : -1;
      std::array<const double*, block_lines> turned;
      std::array<const double*, block_lines> mirrors;
      for (std::size_t i = 0; i < lines; ++i) {
        turned[i] = desk.turned[i].from(0)[part];
        mirrors[i] = desk.mirrors[i].from(0)[part];
      }
      double* to = spectra_.from(0)[part];
      for (std::size_t row = 0; row < kept_rows_; ++row, to += columns_) {
        for (std::size_t i = 0; i < lines; ++i) to[begin + i] = turned[i][row];
        if (!mirrored_) continue;
        for (std::size_t i = begin == 0 ? 1 : 0; i < lines; ++i) to[columns_ - begin - i] = sign * mirrors[i][row];
      }
    }
  }

  void transform_rows(std::size_t begin, std::size_t lines, Desk& desk, std::complex<T>* to) const {
    const double whole = 1 / range_;
    for (std::size_t i = 0; i < lines; ++i) {
      const DoubleDoublePlanes row = spectra_.from((begin + i) * columns_);
      for (std::size_t part = 0; part < 4; ++part) std::copy_n(row[part], columns_, desk.line.from(0)[part]);
      const DoubleDoubles spectrum = row_line_.run(desk.line, desk.other);
      if (scale_[0] != 1) kernels_.turn(spectrum.from(0), scale_, columns_, spectrum.from(0));
      for (std::size_t k = 0; k < columns_; ++k) {
        desk.block[i * columns_ + k] = std::complex<T>(spectrum.rounded(k) * whole);
      }
    }
    for (std::size_t k = 0; k < columns_; ++k) {
      const std::size_t first = begin + k * rows_;
      for (std::size_t i = 0; i < lines; ++i) to[first + i] = desk.block[i * columns_ + k];
      if (!mirrored_) continue;
      for (std::size_t i = first == 0 ? 1 : 0; i < lines; ++i) {
        to[points_ - first - i] = desk.block[i * columns_ + k];
      }
    }
  }

  const plan::Factor& factor_;
  const DoubleDoubleKernels& kernels_;
  std::size_t points_;
  std::size_t rows_;
  std::size_t columns_;
  bool mirrored_;
  std::size_t kept_rows_;  // of which frequencies are the mirror images of others
  std::array<double, 4> scale_;
  double range_;  // a power of two
  AlignedArray<double> memory_;
  double* next_;
  DoubleDoubleLine column_line_;
  DoubleDoubleLine row_line_;
  DoubleDoubles spectra_;  // of columns, row by row
};

}  // namespace

template <class T>
void make_chirp(std::uint64_t length, const DoubleDoubleKernels& kernels, std::complex<T>* to) {
  const double sign = length % 2 == 0 ? 1 : -1;
  share(length, length / 2 + 1, chirp_piece, [&](std::size_t begin, std::size_t end) {
    const auto put = [&](std::size_t i, const RootBlock& block, std::size_t at) {
      const std::size_t j = begin + i;
      const auto& [re, re_low, im, im_low] = block.parts;
      const std::complex<double> value(re[at] + re_low[at], im[at] + im_low[at]);
      if (j < length) to[j] = std::complex<T>(value);
      if (2 * j < length && j != 0) to[length - j] = std::complex<T>(sign * value);
    };
    for_each_of_chirp(begin, 1, end - begin, length, kernels, put);
  });
}

bool makes_chirp_spectrum(std::size_t points, const DoubleDoubleKernels& kernels) {
  const std::size_t rows = rows_of(points);
  return DoubleDoubleLine::serves(rows, kernels) && DoubleDoubleLine::serves(points / rows, kernels);
}

template <class T>
void make_chirp_spectrum(const plan::Factor& factor, long double scale, const DoubleDoubleKernels& kernels,
                         std::complex<T>* to) {
  ChirpSpectrum<T>(factor, scale, kernels).run(to);
}

#define TWIDDLE_HOST_INSTANTIATE(T)                                                         \
  template void make_chirp<T>(std::uint64_t, const DoubleDoubleKernels&, std::complex<T>*); \
  template void make_chirp_spectrum<T>(const plan::Factor&, long double, const DoubleDoubleKernels&, std::complex<T>*);
TWIDDLE_HOST_INSTANTIATE(float)
TWIDDLE_HOST_INSTANTIATE(double)
#undef TWIDDLE_HOST_INSTANTIATE

}  // namespace twiddle::backend::host
