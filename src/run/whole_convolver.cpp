// Convolution by transforms of the whole signal on the host, padded with zeros: a plan's forward transform, the product
// with each filter's spectrum, the inverse.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "run/convolver.hpp"
#include "run/memory_pool.hpp"
#include "run/result_lines.hpp"
#include "run/whole_geometry.hpp"

namespace twiddle::run {
namespace {

using Lengths = WholeGeometry::Lengths;

// An odd number of reals in a row is transformed with one more, which is zero, or not wanted: reals are taken two at a
// time, in half of the points, where their number is even.
Lengths in_pairs(Lengths rows, const WholeGeometry& geometry) {
  const bool pairs = !geometry.convolution().complex && geometry.padded().back() % 2 == 0;
  if (pairs && rows.back() % 2 != 0) ++rows.back();
  return rows;
}

// Rows with `pitch` elements from one to the next as rows with another pitch, zeros between them where they are farther
// apart than before. The memory may be the same: rows move all towards its beginning, or all towards its end.
template <class T>
void move_rows(const T* from, std::size_t pitch, T* to, std::size_t new_pitch, std::size_t rows) {
  const std::size_t kept = std::min(pitch, new_pitch);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t row = new_pitch > pitch ? rows - 1 - i : i;
    std::memmove(to + row * new_pitch, from + row * pitch, kept * sizeof(T));
    std::fill_n(to + row * new_pitch + kept, new_pitch - kept, T{0});
  }
}

template <class T>
class WholeConvolver : public Convolver {
 public:
  WholeConvolver(const Workspace& workspace, WholeGeometry geometry)
      : workspace_(workspace),
        geometry_(std::move(geometry)),
        read_(in_pairs(geometry_.given(), geometry_)),
        written_(in_pairs(geometry_.outputs(), geometry_)),
        filter_plan_(workspace, geometry_.transform(geometry_.padded())),
        signal_plan_(workspace, geometry_.transform(read_)),
        result_plan_(workspace, geometry_.transform(written_)),
        points_(geometry_.points()),
        scalars_(geometry_.scalars()),
        lines_(geometry_.convolution()),
        spectra_(workspace.device(), geometry_.convolution().filters * points_ * sizeof(std::complex<T>)) {}

  void set_filters(backend::Memory& filters) override {
    const Convolution& convolution = geometry_.convolution();
    const std::size_t taps = element_count(convolution.kernel_lengths);
    const std::size_t padded_size = element_count(geometry_.padded()) * scalars_;
    const auto* from = reinterpret_cast<const T*>(filters.host_pointer());
    const Loan padded_loan = workspace_.pool().borrow(padded_size * sizeof(T));
    T* const padded = scalars_of(padded_loan);
    for (std::size_t filter = 0; filter < convolution.filters; ++filter) {
      std::fill_n(padded, padded_size, T{0});
      geometry_.place_filter(from + filter * taps * scalars_, padded);
      filter_plan_.execute_bytes(Direction::forward, bytes(static_cast<const T*>(padded), padded_size),
                                 bytes(spectrum_of(filter), 2 * points_));
    }
  }

  void execute(backend::Memory& signal, backend::Memory& output, Profile* profile) const override {
    const Convolution& convolution = geometry_.convolution();
    const auto* from = reinterpret_cast<T*>(signal.host_pointer());
    auto* to = reinterpret_cast<T*>(output.host_pointer());
    const std::size_t outputs = element_count(geometry_.outputs()) * scalars_;
    const std::size_t signal_size = element_count(convolution.signal_lengths) * scalars_;
    const std::size_t read_size = element_count(read_) * scalars_;
    const std::size_t written_size = element_count(written_) * scalars_;
    const Loan spectrum_loan = workspace_.pool().borrow(points_ * sizeof(std::complex<T>));
    const Loan product_loan = workspace_.pool().borrow(points_ * sizeof(std::complex<T>));
    const Loan extended_loan = workspace_.pool().borrow(extended_bytes());
    const Loan result_loan = workspace_.pool().borrow(result_bytes());
    T* const spectrum = scalars_of(spectrum_loan);
    T* const products = scalars_of(product_loan);
    for (std::size_t i = 0; i < convolution.signals; ++i) {
      const T* line = from + i * signal_size;
      T* const extended = extended_bytes() == 0 ? nullptr : scalars_of(extended_loan);
      if (geometry_.extends()) {
        geometry_.extend(line, extended);
        line = extended;
      }
      if (read_ != geometry_.given()) {
        move_rows(line, geometry_.given().back(), extended, read_.back(), read_size / read_.back());
        line = extended;
      }
      signal_plan_.execute_bytes(Direction::forward, bytes(line, read_size), bytes(spectrum, 2 * points_), profile);
      const std::vector<bool> touched = hide_samples(line, spectrum);
      for (std::size_t filter = 0; filter < convolution.filters; ++filter) {
        multiply(spectrum, spectrum_of(filter), products);
        const bool as_they_are = geometry_.stores_outputs();
        T* const stored = to + (i * convolution.filters + filter) * outputs;
        T* const results = result_bytes() == 0 ? stored : scalars_of(result_loan);
        result_plan_.execute_bytes(Direction::inverse, bytes(static_cast<const T*>(products), 2 * points_),
                                   bytes(results, written_size), profile);
        if (written_ != geometry_.outputs()) {
          move_rows(static_cast<const T*>(results), written_.back(), as_they_are ? stored : results,
                    geometry_.outputs().back(), written_size / written_.back());
        }
        spoil(touched, as_they_are ? stored : results);
        if (!as_they_are) lines_.store(results, i, filter, results + written_size, to);
      }
    }
  }

  std::size_t scratch_bytes() const override {
    return 2 * points_ * sizeof(std::complex<T>) + extended_bytes() + result_bytes() +
           std::max(signal_plan_.scratch_bytes(), result_plan_.scratch_bytes());
  }
  std::size_t spectra_bytes() const override { return spectra_.size_bytes(); }
  std::string describe() const override { return signal_plan_.describe(); }

 private:
  using Loan = MemoryPool::Loan;

  static T* scalars_of(const Loan& loan) { return reinterpret_cast<T*>(loan.get()->host_pointer()); }
  static std::span<const std::byte> bytes(const T* data, std::size_t count) {
    return std::as_bytes(std::span(data, count));
  }
  static std::span<std::byte> bytes(T* data, std::size_t count) {
    return std::as_writable_bytes(std::span(data, count));
  }

  [[nodiscard]] T* spectrum_of(std::size_t filter) const {
    return reinterpret_cast<T*>(spectra_.memory().host_pointer()) + 2 * filter * points_;
  }
  [[nodiscard]] std::size_t extended_bytes() const {
    const bool copied = geometry_.extends() || read_ != geometry_.given();
    return copied ? element_count(read_) * scalars_ * sizeof(T) : 0;
  }

  // Of results of which something is made before they are stored, or of more than are wanted.
  [[nodiscard]] std::size_t result_bytes() const {
    const std::size_t results = element_count(written_) * scalars_;
    if (!geometry_.stores_outputs()) return (results + lines_.room()) * sizeof(T);
    return written_ == geometry_.outputs() ? 0 : results * sizeof(T);
  }

  // Where the sum of all samples, the spectrum's first element, is not finite, takes those that are not for zeros,
  // which transforms would spread over all results. Returns which results these touch: those are spoilt. Else none.
  [[nodiscard]] std::vector<bool> hide_samples(const T* line, T* spectrum) const {
    if (std::isfinite(spectrum[0]) && std::isfinite(spectrum[1])) return {};
    const std::size_t row = geometry_.given().back();
    const std::size_t pitch = read_.back();
    std::vector<T> finite(line, line + element_count(read_) * scalars_);
    std::vector<bool> hidden(element_count(geometry_.given()));
    for (std::size_t i = 0; i < finite.size(); ++i) {
      if (std::isfinite(finite[i])) continue;
      finite[i] = T{0};
      const std::size_t element = i / scalars_;
      hidden[element / pitch * row + element % pitch] = true;
    }
    signal_plan_.execute_bytes(Direction::forward, bytes(static_cast<const T*>(finite.data()), finite.size()),
                               bytes(spectrum, 2 * points_));
    return geometry_.touched(std::move(hidden));
  }

  void spoil(const std::vector<bool>& touched, T* results) const {
    for (std::size_t i = 0; i < touched.size(); ++i) {
      if (touched[i]) std::fill_n(results + i * scalars_, scalars_, std::numeric_limits<T>::quiet_NaN());
    }
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
  WholeGeometry geometry_;
  Lengths read_;     // what the signal's transform reads
  Lengths written_;  // what the results' transforms write
  Plan filter_plan_;
  Plan signal_plan_;
  Plan result_plan_;  // its inverse, whose output is what `input` describes
  std::size_t points_;
  std::size_t scalars_;
  ResultLines<T> lines_;
  Buffer spectra_;
};

}  // namespace

std::unique_ptr<Convolver> make_whole_convolver(const Workspace& workspace, const Convolution& convolution,
                                                const plan::ConvolutionRecipe& recipe) {
  WholeGeometry geometry(convolution, {recipe.padded.begin(), recipe.padded.end()}, recipe.step);
  if (workspace.device().info().backend != BackendKind::host) {
    return make_device_whole_convolver(workspace, std::move(geometry));
  }
  if (convolution.precision == Precision::float64) {
    return std::make_unique<WholeConvolver<double>>(workspace, std::move(geometry));
  }
  return std::make_unique<WholeConvolver<float>>(workspace, std::move(geometry));
}

}  // namespace twiddle::run
