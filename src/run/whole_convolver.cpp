// Convolution by transforms of the whole signal, padded with zeros: a plan's forward transform, the product with each
// filter's spectrum, the inverse.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>
#include <utility>

#include "run/convolver.hpp"
#include "run/memory_pool.hpp"
#include "twiddle/error.hpp"

namespace twiddle::run {
namespace {

using Lengths = std::vector<std::size_t>;

std::size_t product(const Lengths& lengths) {
  std::size_t result = 1;
  for (const std::size_t length : lengths) result *= length;
  return result;
}

// Calls visit(index of the element, its position in `dimensions`) for every element of an array.
template <class Visit>
void for_each_element(const Lengths& lengths, const Visit& visit) {
  Lengths at(lengths.size(), 0);
  const std::size_t count = product(lengths);
  for (std::size_t i = 0; i < count; ++i) {
    visit(i, at);
    for (std::size_t d = lengths.size(); d-- > 0 && ++at[d] == lengths[d];) at[d] = 0;
  }
}

Layout compact(const Lengths& lengths) {
  Layout layout;
  std::int64_t stride = 1;
  layout.strides.assign(lengths.size(), 1);
  for (std::size_t d = lengths.size(); d-- > 0;) {
    layout.strides[d] = stride;
    stride *= static_cast<std::int64_t>(lengths[d]);
  }
  layout.batch_stride = stride;
  return layout;
}

// Where each axis' outputs begin in the linear convolution.
std::vector<std::int64_t> starts(const Convolution& convolution) {
  std::vector<std::int64_t> result = convolution.past.empty() ? default_past(convolution) : convolution.past;
  for (std::size_t d = 0; d < result.size(); ++d) {
    result[d] = static_cast<std::int64_t>(convolution.kernel_lengths[d]) - 1 - result[d];
  }
  return result;
}

template <class T>
class WholeConvolver : public Convolver {
 public:
  WholeConvolver(const Workspace& workspace, const Convolution& convolution, const Lengths& padded)
      : workspace_(workspace),
        convolution_(convolution),
        padded_(padded),
        outputs_(convolved_lengths(convolution)),
        extended_(convolution.boundary != Boundary::zero),
        given_(convolution.signal_lengths),
        filter_plan_(workspace, transform(convolution, padded, padded, padded)),
        signal_plan_(workspace, transform(convolution, padded, extents(convolution), extents(convolution))),
        result_plan_(workspace, transform(convolution, padded, outputs_, outputs_)),
        points_(spectrum_points()),
        spectra_(workspace.device(), convolution.filters * points_ * sizeof(std::complex<T>)) {
    if (extended_) given_ = extents(convolution);
  }

  void set_filters(backend::Memory& filters) override {
    const std::size_t scalars = convolution_.complex ? 2 : 1;
    const std::size_t taps = product(convolution_.kernel_lengths);
    const auto* from = reinterpret_cast<const T*>(filters.host_pointer());
    auto* spectra = spectra_data();
    const Loan padded_loan = workspace_.pool().borrow(product(padded_) * scalars * sizeof(T));
    auto* padded = scalars_of(padded_loan);
    for (std::size_t filter = 0; filter < convolution_.filters; ++filter) {
      std::fill_n(padded, product(padded_) * scalars, T{0});
      place_filter(from + filter * taps * scalars, padded);
      filter_plan_.execute_bytes(Direction::forward, bytes(padded, product(padded_) * scalars),
                                 bytes(reinterpret_cast<T*>(spectra + filter * points_), 2 * points_));
    }
  }

  void execute(backend::Memory& signal, backend::Memory& output, Profile* profile) const override {
    const std::size_t scalars = convolution_.complex ? 2 : 1;
    const auto* from = reinterpret_cast<T*>(signal.host_pointer());
    auto* to = reinterpret_cast<T*>(output.host_pointer());
    const std::size_t outputs = product(outputs_) * scalars;
    const std::size_t signal_size = product(convolution_.signal_lengths) * scalars;
    const Loan spectrum_loan = workspace_.pool().borrow(points_ * sizeof(std::complex<T>));
    const Loan product_loan = workspace_.pool().borrow(points_ * sizeof(std::complex<T>));
    const Loan extended_loan = workspace_.pool().borrow(extended_ ? product(given_) * scalars * sizeof(T) : 0);
    T* const spectrum = scalars_of(spectrum_loan);
    T* const products = scalars_of(product_loan);
    for (std::size_t i = 0; i < convolution_.signals; ++i) {
      const T* line = from + i * signal_size;
      if (extended_) line = extend(line, scalars_of(extended_loan));
      signal_plan_.execute_bytes(Direction::forward, bytes(line, product(given_) * scalars),
                                 bytes(spectrum, 2 * points_), profile);
      for (std::size_t filter = 0; filter < convolution_.filters; ++filter) {
        multiply(spectrum, reinterpret_cast<const T*>(spectra_data() + filter * points_), products);
        result_plan_.execute_bytes(Direction::inverse, bytes(static_cast<const T*>(products), 2 * points_),
                                   bytes(to + (i * convolution_.filters + filter) * outputs, outputs), profile);
      }
    }
  }

  std::size_t scratch_bytes() const override {
    const std::size_t scalars = convolution_.complex ? 2 : 1;
    return 2 * points_ * sizeof(std::complex<T>) + (extended_ ? product(given_) * scalars * sizeof(T) : 0) +
           std::max(signal_plan_.scratch_bytes(), result_plan_.scratch_bytes());
  }
  std::size_t spectra_bytes() const override { return spectra_.size_bytes(); }
  std::string describe() const override { return signal_plan_.describe(); }

 private:
  using Loan = MemoryPool::Loan;

  static Transform transform(const Convolution& convolution, const Lengths& padded, const Lengths& input,
                             const Lengths& stored) {
    Transform result{.lengths = padded,
                     .kind = convolution.complex ? Kind::c2c : Kind::r2c,
                     .precision = convolution.precision,
                     .input = compact(stored),
                     .input_extents = input};
    return result;
  }

  // What the signal's transform reads: all of the signal, or with what stands beyond its ends.
  static Lengths extents(const Convolution& convolution) {
    if (convolution.boundary == Boundary::zero) return convolution.signal_lengths;
    Lengths result = convolved_lengths(convolution);
    for (std::size_t d = 0; d < result.size(); ++d) result[d] += convolution.kernel_lengths[d] - 1;
    return result;
  }

  static T* scalars_of(const Loan& loan) { return reinterpret_cast<T*>(loan.get()->host_pointer()); }
  std::complex<T>* spectra_data() const { return reinterpret_cast<std::complex<T>*>(spectra_.memory().host_pointer()); }
  static std::span<const std::byte> bytes(const T* data, std::size_t count) {
    return std::as_bytes(std::span(data, count));
  }
  static std::span<std::byte> bytes(T* data, std::size_t count) {
    return std::as_writable_bytes(std::span(data, count));
  }

  std::size_t spectrum_points() const {
    Lengths lengths = padded_;
    if (!convolution_.complex) lengths.back() = lengths.back() / 2 + 1;
    return product(lengths);
  }

  // Moved so that the first output is the cyclic convolution's element 0; reversed and conjugated for correlation.
  void place_filter(const T* from, T* padded) const {
    const bool correlated = convolution_.operation == Convolution::Operation::correlate;
    const std::vector<std::int64_t> start = starts(convolution_);
    for_each_element(convolution_.kernel_lengths, [&](std::size_t i, const Lengths& at) {
      std::size_t to = 0;
      for (std::size_t d = 0; d < at.size(); ++d) {
        const auto taps = static_cast<std::int64_t>(convolution_.kernel_lengths[d]);
        const auto points = static_cast<std::int64_t>(padded_[d]);
        const auto index = static_cast<std::int64_t>(at[d]);
        const std::int64_t moved = (correlated ? taps - 1 - index : index) - (extended_ ? taps - 1 : start[d]);
        to = to * padded_[d] + static_cast<std::size_t>((moved % points + points) % points);
      }
      if (!convolution_.complex) {
        padded[to] = from[i];
        return;
      }
      padded[2 * to] = from[2 * i];
      padded[2 * to + 1] = correlated ? -from[2 * i + 1] : from[2 * i + 1];
    });
  }

  const T* extend(const T* line, T* extended) const {
    const std::vector<std::int64_t> start = starts(convolution_);
    const std::size_t scalars = convolution_.complex ? 2 : 1;
    for_each_element(given_, [&](std::size_t i, const Lengths& at) {
      std::size_t from = 0;
      for (std::size_t d = 0; d < at.size(); ++d) {
        const std::int64_t position =
            static_cast<std::int64_t>(at[d]) + start[d] - static_cast<std::int64_t>(convolution_.kernel_lengths[d] - 1);
        from = from * convolution_.signal_lengths[d] +
               *boundary_source(convolution_.boundary, position, convolution_.signal_lengths[d]);
      }
      std::copy_n(line + from * scalars, scalars, extended + i * scalars);
    });
    return extended;
  }

  void multiply(const T* a, const T* b, T* to) const {
    for (std::size_t i = 0; i < 2 * points_; i += 2) {
      const T re = a[i] * b[i] - a[i + 1] * b[i + 1];
      const T im = a[i] * b[i + 1] + a[i + 1] * b[i];
      to[i] = re;
      to[i + 1] = im;
    }
  }

  Workspace workspace_;
  Convolution convolution_;
  Lengths padded_;
  Lengths outputs_;
  bool extended_;
  Lengths given_;
  Plan filter_plan_;
  Plan signal_plan_;
  Plan result_plan_;  // its inverse, whose output is what `input` describes
  std::size_t points_;
  Buffer spectra_;
};

}  // namespace

std::unique_ptr<Convolver> make_whole_convolver(const Workspace& workspace, const Convolution& convolution,
                                                const std::vector<std::uint64_t>& padded) {
  const Lengths lengths(padded.begin(), padded.end());
  if (convolution.precision == Precision::float64) {
    return std::make_unique<WholeConvolver<double>>(workspace, convolution, lengths);
  }
  return std::make_unique<WholeConvolver<float>>(workspace, convolution, lengths);
}

}  // namespace twiddle::run
