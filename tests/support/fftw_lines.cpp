// FFTW's plans for many lines, FFTW_ESTIMATE.
#include "support/fftw_lines.hpp"

#include <fftw3.h>

#include <mutex>
#include <stdexcept>

#include "verify/reference.hpp"

namespace twiddle::test {
namespace {

// FFTW's names for one precision.
template <class Real>
struct Library;

#define TWIDDLE_FFTW_LIBRARY(REAL, PREFIX)                       \
  template <>                                                    \
  struct Library<REAL> {                                         \
    using Complex = PREFIX##_complex;                            \
    static constexpr auto plan_c2c = PREFIX##_plan_many_dft;     \
    static constexpr auto plan_r2c = PREFIX##_plan_many_dft_r2c; \
    static constexpr auto plan_c2r = PREFIX##_plan_many_dft_c2r; \
    static constexpr auto plan_r2r = PREFIX##_plan_many_r2r;     \
    static constexpr auto execute = PREFIX##_execute;            \
    static constexpr auto destroy = PREFIX##_destroy_plan;       \
  };
TWIDDLE_FFTW_LIBRARY(float, fftwf)
TWIDDLE_FFTW_LIBRARY(double, fftw)
TWIDDLE_FFTW_LIBRARY(long double, fftwl)
#undef TWIDDLE_FFTW_LIBRARY

fftw_r2r_kind fftw_kind(Kind kind) {
  switch (kind) {
    case Kind::dct1:
      return FFTW_REDFT00;
    case Kind::dct2:
      return FFTW_REDFT10;
    case Kind::dct3:
      return FFTW_REDFT01;
    case Kind::dct4:
      return FFTW_REDFT11;
    case Kind::dst1:
      return FFTW_RODFT00;
    case Kind::dst2:
      return FFTW_RODFT10;
    case Kind::dst3:
      return FFTW_RODFT01;
    case Kind::dst4:
      return FFTW_RODFT11;
    case Kind::dht:
      return FFTW_DHT;
    default:
      throw std::logic_error("not a real-to-real kind");
  }
}

// The kind that a direction executes; not as the library has it, which is what FFTW is to check.
Kind executed(Kind kind, Direction direction) {
  Problem problem;
  problem.transform.kind = kind;
  problem.direction = direction;
  return verify::executed_kind(problem);
}

bool is_complex(Kind kind) { return kind == Kind::c2c || kind == Kind::r2c; }

}  // namespace

std::size_t line_scalars(Kind kind, Direction direction, std::size_t n, bool written) {
  if (kind == Kind::c2c) return 2 * n;
  const bool frequencies = written == (direction == Direction::forward);
  return kind == Kind::r2c && frequencies ? 2 * (n / 2 + 1) : n;
}

template <class Real>
std::vector<Real> fftw_lines(Kind kind, Direction direction, std::size_t n, std::vector<Real> input) {
  static std::mutex planner;  // FFTW's planner is not safe to call from several threads
  using Fftw = Library<Real>;
  using Complex = typename Fftw::Complex;
  const std::size_t read = line_scalars(kind, direction, n, false);
  const std::size_t written = line_scalars(kind, direction, n, true);
  const int count = static_cast<int>(input.size() / read);
  const int length = static_cast<int>(n);
  const bool forward = direction == Direction::forward;
  const auto apart = [&](std::size_t scalars) { return static_cast<int>(is_complex(kind) ? scalars / 2 : scalars); };
  std::vector<Real> output(static_cast<std::size_t>(count) * written);
  auto* complex_input = reinterpret_cast<Complex*>(input.data());
  auto* complex_output = reinterpret_cast<Complex*>(output.data());
  std::unique_lock lock(planner);
  const auto plan = [&] {
    if (kind == Kind::c2c) {
      return Fftw::plan_c2c(1, &length, count, complex_input, nullptr, 1, apart(read), complex_output, nullptr, 1,
                            apart(written), forward ? FFTW_FORWARD : FFTW_BACKWARD, FFTW_ESTIMATE);
    }
    if (kind == Kind::r2c && forward) {
      return Fftw::plan_r2c(1, &length, count, input.data(), nullptr, 1, length, complex_output, nullptr, 1,
                            apart(written), FFTW_ESTIMATE);
    }
    if (kind == Kind::r2c) {
      return Fftw::plan_c2r(1, &length, count, complex_input, nullptr, 1, apart(read), output.data(), nullptr, 1,
                            length, FFTW_ESTIMATE);
    }
    const fftw_r2r_kind real_kind = fftw_kind(executed(kind, direction));
    return Fftw::plan_r2r(1, &length, count, input.data(), nullptr, 1, length, output.data(), nullptr, 1, length,
                          &real_kind, FFTW_ESTIMATE);
  }();
  if (plan == nullptr) throw std::runtime_error("FFTW made no plan");
  lock.unlock();
  Fftw::execute(plan);
  lock.lock();
  Fftw::destroy(plan);
  return output;
}

template std::vector<float> fftw_lines(Kind, Direction, std::size_t, std::vector<float>);
template std::vector<double> fftw_lines(Kind, Direction, std::size_t, std::vector<double>);
template std::vector<long double> fftw_lines(Kind, Direction, std::size_t, std::vector<long double>);

}  // namespace twiddle::test
