// Transforms of double-double numbers by self-sorting passes.
#include "backend/host/double_double_line.hpp"

#include <utility>

#include "backend/host/vector_roots.hpp"
#include "plan/recipe/radices.hpp"

namespace twiddle::backend::host {
namespace {

constexpr std::size_t largest_radix = 13;

// Those with which the least is left. 0 where none divides the length into rows that are lines.
std::size_t mirrored_radix(std::size_t length, const DoubleDoubleKernels& kernels) {
  for (const std::size_t radix : {7, 5, 3, 4}) {
    if (length % radix == 0 && DoubleDoubleLine::serves(length / radix, kernels)) return radix;
  }
  return 0;
}

// Pairs of twos as fours; these first, for whose short runs there are kernels, then the largest.
std::vector<std::size_t> radices_of(std::size_t length) {
  std::vector<std::size_t> radices;
  for (const std::size_t prime : plan::prime_factors(length)) {
    if (prime == 2 && !radices.empty() && radices.back() == 2) {
      radices.back() = 4;
    } else {
      radices.push_back(prime);
    }
  }
  std::sort(radices.begin(), radices.end(),
            [](std::size_t a, std::size_t b) { return std::pair(a == 4, a) > std::pair(b == 4, b); });
  return radices;
}

}  // namespace

std::array<double, 4> in_doubles(const std::complex<long double>& value) {
  const auto low = [](long double part) { return static_cast<double>(part - static_cast<double>(part)); };
  return {static_cast<double>(value.real()), low(value.real()), static_cast<double>(value.imag()), low(value.imag())};
}

DoubleDoubles roots_of_unity(std::uint64_t n, std::uint64_t count, const DoubleDoubleKernels& kernels,
                             double*& memory) {
  DoubleDoubles roots(memory, count);
  RootBlocks blocks(n, 1, count, kernels);
  for (std::uint64_t k = 0; k < count; k += RootBlocks::size) {
    blocks.next(std::min<std::uint64_t>(RootBlocks::size, count - k), roots.from(k));
  }
  return roots;
}

bool DoubleDoubleLine::serves(std::size_t length, const DoubleDoubleKernels& kernels) {
  return length >= largest_radix * kernels.vector && plan::prime_factors(length).back() <= largest_radix;
}

DoubleDoubleLine::DoubleDoubleLine(std::size_t length, const DoubleDoubleKernels& kernels, double*& memory)
    : kernels_(kernels),
      length_(length),
      radices_(radices_of(length)),
      roots_(roots_of_unity(length, length, kernels, memory)) {}

DoubleDoubles DoubleDoubleLine::run(DoubleDoubles from, DoubleDoubles other) const {
  DoubleDoublePass pass{.done = 1, .rest = length_, .roots = roots_.from(0)};
  for (const std::size_t radix : radices_) {
    pass.radix = radix;
    pass.rest /= radix;
    pass.from = from.from(0);
    pass.to = other.from(0);
    kernels_.pass(pass);
    pass.done *= radix;
    std::swap(from, other);
  }
  return from;
}

bool DoubleDoubleMirroredLine::serves(std::size_t length, const DoubleDoubleKernels& kernels) {
  return mirrored_radix(length, kernels) != 0;
}

DoubleDoubleMirroredLine::DoubleDoubleMirroredLine(std::size_t length, const DoubleDoubleKernels& kernels,
                                                   double*& memory)
    : kernels_(kernels),
      radix_(mirrored_radix(length, kernels)),
      rest_(length / radix_),
      pitch_(rest_ + DoubleDoubles::widest_vector),
      constants_(roots_of_unity(radix_, radix_ / 2 + 1, kernels, memory)),
      roots_(roots_of_unity(length, rest_ / 2 + 1, kernels, memory)),
      rows_(memory, (radix_ / 2 + 1) * pitch_),
      other_(memory, rest_),
      line_(rest_, kernels, memory) {}

}  // namespace twiddle::backend::host
