// Blocks of neighbouring roots, and roots anywhere.
#include "backend/host/vector_roots.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "plan/numbers/exact_number.hpp"

namespace twiddle::backend::host {
namespace {

using plan::ExactNumber;

constexpr ExactNumber pi{0x1.921fb54442d18p1, 0x1.1a62633145c07p-53};

ExactNumber normalized(double high, double low) {
  const double sum = high + low;
  return {sum, low - (sum - high)};
}

ExactNumber product(const ExactNumber& a, const ExactNumber& b) {
  const double high = a.high * b.high;
  return normalized(high, std::fma(a.high, b.high, -high) + (a.high * b.low + a.low * b.high));
}

ExactNumber quotient(const ExactNumber& a, double divisor) {
  const double high = a.high / divisor;
  return normalized(high, (std::fma(-high, divisor, a.high) + a.low) / divisor);
}

// [part][cosine, its rest, sine, its rest] of the eighth of a turn in so many parts: powers of the first, which is so
// small that few terms of its series are left.
using RootTable = std::array<double, 4 * (RootSteps::parts + 1)>;
RootTable cosines_and_sines() {
  const ExactNumber angle = quotient(pi, 4.0 * RootSteps::parts);
  ExactNumber terms[2] = {1, 0};  // cosine and sine
  ExactNumber power = 1;
  for (int i = 1; i <= 12; ++i) {
    power = quotient(product(power, angle), i);
    terms[i % 2] = terms[i % 2] + (i % 4 < 2 ? power : -power);
  }
  RootTable table{};
  ExactNumber c = 1;
  ExactNumber s = 0;
  for (std::size_t part = 0; part <= RootSteps::parts; ++part) {
    if (part == RootSteps::parts) s = c;  // exactly the same there
    std::ranges::copy(std::array{c.high, c.low, s.high, s.low}, table.begin() + 4 * part);
    const ExactNumber next = product(c, terms[0]) - product(s, terms[1]);
    s = product(s, terms[0]) + product(c, terms[1]);
    c = next;
  }
  return table;
}

class VectorRoots final : public plan::ManyRoots {
 public:
  VectorRoots(std::uint64_t n, const DoubleDoubleKernels& kernels) : steps_(n), kernels_(kernels) {}
  void make(const double* powers, std::size_t count, const std::array<double*, 4>& to) const override {
    kernels_.roots(steps_, powers, count, to);
  }

 private:
  RootSteps steps_;
  const DoubleDoubleKernels& kernels_;
};

}  // namespace

RootSteps::RootSteps(std::uint64_t n) : count(static_cast<double>(n)) {
  static const RootTable cosines = cosines_and_sines();
  table = cosines.data();
  const ExactNumber step = quotient(pi, 4.0 * parts * count);
  angle = step.high;
  angle_low = step.low;
}

RootBlocks::RootBlocks(std::uint64_t n, std::uint64_t step, std::uint64_t count, const DoubleDoubleKernels& kernels,
                       std::uint64_t first)
    : kernels_(kernels), steps_(n), n_(n), step_(size * step % n), blocks_((count + size - 1) / size), power_(first) {
  make(step, std::min<std::uint64_t>(size, count), first_);
  power_ = 0;
}

DoubleDoublePlanes RootBlocks::places(Planes& planes) {
  return {planes[0].data(), planes[1].data(), planes[2].data(), planes[3].data()};
}

void RootBlocks::make(std::uint64_t step, std::size_t count, Planes& to) {
  std::array<double, size> powers{};  // those behind the last one are read as well
  for (std::size_t i = 0; i < count; ++i) {
    powers[i] = static_cast<double>(power_);
    power_ += step;
    if (power_ >= n_) power_ -= n_;
  }
  kernels_.roots(steps_, powers.data(), count, places(to));
}

void RootBlocks::next(std::size_t count, const DoubleDoublePlanes& to) {
  if (turn_ == size) {
    const std::uint64_t blocks = std::min<std::uint64_t>(size, blocks_);
    make(step_, blocks, turns_);
    blocks_ -= blocks;
    turn_ = 0;
  }
  const std::size_t turn = turn_++;
  kernels_.turn(places(first_), {turns_[0][turn], turns_[1][turn], turns_[2][turn], turns_[3][turn]}, count, to);
}

plan::MakeManyRoots vector_roots(std::int64_t targets) {
  const DoubleDoubleKernels* const kernels = find_double_double(targets);
  if (kernels == nullptr) return {};
  return [kernels](std::uint64_t n) -> std::unique_ptr<const plan::ManyRoots> {
    if (n > RootSteps::most) return nullptr;
    return std::make_unique<VectorRoots>(n, *kernels);
  };
}

}  // namespace twiddle::backend::host
