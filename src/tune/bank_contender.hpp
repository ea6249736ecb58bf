// One way to convolve, ready to be timed and compared.
#pragma once

#include <cstddef>
#include <vector>

#include "twiddle/buffer.hpp"
#include "twiddle/convolution_plan.hpp"
#include "twiddle/device.hpp"

namespace twiddle::tuning {

// Signals and filters of noise, the same for all contenders, and memory that they work on in turn.
struct BankArena {
  BankArena(const Device& device, const ConvolutionPlan& plan);

  std::vector<std::byte> filters;
  Buffer signal;
  Buffer output;
};

class BankContender {
 public:
  // Compiles everything that the convolution needs.
  BankContender(const Device& device, const Convolution& convolution);

  [[nodiscard]] ConvolutionPlan& plan() { return plan_; }

  // The results for the arena's signals and filters, which the plan must have been given; of maxima without the indices
  // of their filters, which rounding decides where two are nearly alike.
  [[nodiscard]] std::vector<std::byte> results(BankArena& arena) const;

  // Of one execution, from so many in a row.
  [[nodiscard]] double milliseconds(BankArena& arena, std::size_t repetitions) const;

 private:
  ConvolutionPlan plan_;
};

}  // namespace twiddle::tuning
