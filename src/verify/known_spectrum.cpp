// Sums of products of lines, in blocks of rows.
#include "verify/known_spectrum.hpp"

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numeric>
#include <vector>

#include "plan/lower/view.hpp"
#include "twiddle/plan.hpp"
#include "verify/bound.hpp"
#include "verify/product_line.hpp"
#include "verify/reference.hpp"

namespace twiddle::verify {

class KnownSpectrum::Elements {
 public:
  Elements() = default;
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;
  virtual ~Elements() = default;
  virtual void fill(std::span<std::byte> memory) const = 0;
  [[nodiscard]] virtual double error(std::span<const std::byte> memory) const = 0;
};

namespace {

constexpr std::uint64_t block_elements = 1 << 16;  // that a thread computes at a time
constexpr std::size_t terms = 2;

bool contiguous_rows(const plan::View& view) {
  return view.storage.form != plan::Storage::Form::planar && (view.strides.back() == 1 || view.extents.back() == 1);
}

// Scalar: what memory holds. Real: what is computed in.
template <class Scalar, class Real>
class TypedElements final : public KnownSpectrum::Elements {
  using Complex = std::complex<Real>;

 public:
  TypedElements(const Problem& problem, std::uint64_t seed)
      : sides_(plan::sides_of(problem.transform, problem.direction, problem.placement)),
        forward_(problem.direction == Direction::forward),
        scale_(static_cast<Real>(expected_scale(problem))),
        seed_(seed) {
    const Transform& transform = problem.transform;
    const auto axes = transformed_axes(transform);
    for (std::size_t axis = 0; axis < transform.lengths.size(); ++axis) {
      const bool transformed = std::ranges::find(axes, axis) != axes.end();
      if (!forward_ && transformed) scale_ *= static_cast<Real>(transform.lengths[axis]);
      for (std::size_t term = 0; term < terms; ++term) {
        lines_[term].emplace_back(transform.lengths[axis], transform.kind == Kind::r2c, transformed,
                                  seed * 100 + 10 * term + axis);
      }
    }
  }

  void fill(std::span<std::byte> memory) const override {
    const plan::View& view = sides_.read;
    auto* scalars = reinterpret_cast<Scalar*>(memory.data());
    const bool real = view.storage.form == plan::Storage::Form::real;
    for_each_block(view, !forward_, [&](std::size_t, std::int64_t position, std::span<const Complex> values) {
      Scalar* place = scalars + position * (real ? 1 : 2);
      for (const Complex& value : values) {
        *place++ = static_cast<Scalar>(value.real());
        if (!real) *place++ = static_cast<Scalar>(value.imag());
      }
    });
  }

  double error(std::span<const std::byte> memory) const override {
    const plan::View& view = sides_.written;
    const auto* scalars = reinterpret_cast<const Scalar*>(memory.data());
    const bool real = view.storage.form == plan::Storage::Form::real;
    // Sums by block, added up in order, are the same every time.
    std::vector<std::array<double, 2>> sums(block_count(view));
    for_each_block(view, forward_, [&](std::size_t block, std::int64_t position, std::span<const Complex> values) {
      const Scalar* place = scalars + position * (real ? 1 : 2);
      double difference = 0, norm = 0;
      for (const Complex& value : values) {
        const Real expected = scale_ * value.real();
        const auto distance = static_cast<double>(*place++ - expected);
        difference += distance * distance;
        norm += static_cast<double>(expected * expected);
        if (real) continue;
        const Real imaginary = scale_ * value.imag();
        const auto other = static_cast<double>(*place++ - imaginary);
        difference += other * other;
        norm += static_cast<double>(imaginary * imaginary);
      }
      sums[block][0] += difference;
      sums[block][1] += norm;
    });
    long double difference = 0, norm = 0;
    for (const auto& sum : sums) {
      difference += sum[0];
      norm += sum[1];
    }
    return static_cast<double>(std::sqrt(difference / norm));
  }

 private:
  // A block is a part of one row, or several rows.
  static std::uint64_t parts_of_row(const plan::View& view) {
    return (view.extents.back() + block_elements - 1) / block_elements;
  }
  static std::uint64_t rows_of_block(const plan::View& view) {
    return std::max<std::uint64_t>(1, block_elements / view.extents.back());
  }
  static std::uint64_t row_count(const plan::View& view) { return plan::element_count(view) / view.extents.back(); }
  static std::size_t block_count(const plan::View& view) {
    const std::uint64_t rows = rows_of_block(view);
    return static_cast<std::size_t>((row_count(view) + rows - 1) / rows * parts_of_row(view));
  }

  // Calls visit(block, position, values) for stretches of neighbouring elements, one block at a time in each thread.
  template <class Visit>
  void for_each_block(const plan::View& view, bool spectrum, Visit visit) const {
    const std::uint64_t parts = parts_of_row(view), rows = rows_of_block(view), all_rows = row_count(view);
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, block_count(view)), [&](const auto& range) {
      const std::uint64_t room = std::min<std::uint64_t>(block_elements, view.extents.back());
      std::array<std::vector<Complex>, terms> rooms;
      rooms.fill(std::vector<Complex>(room));
      std::vector<Complex> values(room);
      for (std::size_t block = range.begin(); block < range.end(); ++block) {
        const std::uint64_t column = block % parts * block_elements;
        const std::uint64_t columns = std::min(block_elements, view.extents.back() - column);
        std::array<const Complex*, terms> ends;
        for (std::size_t term = 0; term < terms; ++term) {
          ends[term] = lines_[term].back().values(spectrum, column, columns, rooms[term].data());
        }
        const std::uint64_t first_row = block / parts * rows;
        for (std::uint64_t row = first_row; row < std::min(first_row + rows, all_rows); ++row) {
          const auto [position, factors] = row_at(view, spectrum, row);
          add_up(factors, ends, std::span(values).first(columns));
          visit(block, position + static_cast<std::int64_t>(column), std::span(values).first(columns));
        }
      }
    });
  }

  struct Row {
    std::int64_t position;
    std::array<Complex, terms> factors;
  };

  Row row_at(const plan::View& view, bool spectrum, std::uint64_t row) const {
    Row result{.position = view.offset, .factors = {}};
    result.factors.fill(Complex(1));
    for (std::size_t d = view.extents.size() - 1; d-- > 0; row /= view.extents[d]) {
      const std::uint64_t at = row % view.extents[d];
      result.position += static_cast<std::int64_t>(at) * view.strides[d];
      for (std::size_t term = 0; term < terms; ++term) {
        Complex room;
        const Complex factor = d == 0 ? batch_factor(term, at) : *lines_[term][d - 1].values(spectrum, at, 1, &room);
        result.factors[term] = multiplied(result.factors[term], factor);
      }
    }
    return result;
  }

  // An odd multiple of 1/16 that looks random: SplitMix64's finish.
  [[nodiscard]] Complex batch_factor(std::size_t term, std::uint64_t index) const {
    std::uint64_t mixed = (seed_ * terms + term) * 0x9e3779b97f4a7c15u + index * 0xd1342543de82ef95u + 1;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return (2 * static_cast<Real>(mixed >> 60) - 15) / 16;
  }

  static Complex multiplied(const Complex& a, const Complex& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }

  static void add_up(const std::array<Complex, terms>& factors, const std::array<const Complex*, terms>& ends,
                     std::span<Complex> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      Complex sum = multiplied(factors[0], ends[0][i]);
      for (std::size_t term = 1; term < terms; ++term) sum += multiplied(factors[term], ends[term][i]);
      values[i] = sum;
    }
  }

  plan::Sides sides_;
  bool forward_;
  Real scale_;
  std::uint64_t seed_;
  std::array<std::vector<ProductLine<Real>>, terms> lines_;
};

}  // namespace

bool KnownSpectrum::serves(const Problem& problem) {
  const Transform& transform = problem.transform;
  const bool precise = transform.precision == Precision::float32 || transform.precision == Precision::float64;
  if (!precise || (transform.kind != Kind::c2c && transform.kind != Kind::r2c)) return false;
  if (transform.load_hook || transform.store_hook) return false;
  if (!transform.input_extents.empty() || !transform.output_extents.empty()) return false;
  const plan::Sides sides = plan::sides_of(transform, problem.direction, problem.placement);
  return contiguous_rows(sides.read) && contiguous_rows(sides.written) && !plan::overlaps(sides.read) &&
         std::ranges::all_of(transform.lengths, [](std::uint64_t n) { return ProductLine<double>::serves(n); });
}

KnownSpectrum::KnownSpectrum(const Problem& problem, std::uint64_t seed) {
  if (problem.transform.precision == Precision::float32) {
    elements_ = std::make_unique<TypedElements<float, double>>(problem, seed);
  } else {
    elements_ = std::make_unique<TypedElements<double, long double>>(problem, seed);
  }
}

KnownSpectrum::~KnownSpectrum() = default;

void KnownSpectrum::fill(std::span<std::byte> memory) const { elements_->fill(memory); }

double KnownSpectrum::error(std::span<const std::byte> memory) const { return elements_->error(memory); }

Outcome verify_known_spectrum(const Device& device, const Problem& problem, std::uint64_t seed) {
  const Plan plan(device, problem.transform);
  const std::size_t read_bytes = plan.input_bytes(problem.direction, problem.placement);
  const std::size_t written_bytes = plan.output_bytes(problem.direction, problem.placement);
  const bool in_place = problem.placement == Placement::in_place;
  const KnownSpectrum known(problem, seed);
  const auto memory = std::make_unique_for_overwrite<std::byte[]>(std::max(read_bytes, written_bytes));
  const auto bytes = [&](std::size_t count) { return std::span(memory.get(), count); };
  Buffer source(device, in_place ? std::max(read_bytes, written_bytes) : read_bytes);
  known.fill(bytes(read_bytes));
  source.write_bytes(bytes(source.size_bytes()));
  if (in_place) {
    plan.execute(problem.direction, source);
    source.read_bytes(bytes(source.size_bytes()));
  } else {
    Buffer result(device, written_bytes);
    plan.execute(problem.direction, source, result);
    result.read_bytes(bytes(written_bytes));
  }
  // Spectra that are read are rounded once more.
  const bool rounded = problem.direction == Direction::inverse;
  const double rounding = problem.transform.precision == Precision::float32 ? 0x1p-24 : 0x1p-53;
  Outcome outcome{.error = known.error(bytes(written_bytes)),
                  .bound = arithmetic_bound(problem, device.limits().strategy) + (rounded ? rounding : 0)};
  outcome.within = outcome.error <= outcome.bound;
  if (!outcome.within) {
    outcome.complaint = fmt::format("the error is {:.3g}, more than {:.3g}, of a sum of products of lines",
                                    outcome.error, outcome.bound);
  }
  return outcome;
}

}  // namespace twiddle::verify
