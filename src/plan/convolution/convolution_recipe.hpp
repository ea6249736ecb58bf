// By which method a convolution is computed, and what the others were estimated to cost.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/convolution/lower_bank.hpp"
#include "twiddle/convolution.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// What a method is estimated to take.
struct MethodCost {
  twiddle::Convolution::Method method = twiddle::Convolution::Method::direct;
  std::uint64_t segment = 0;  // points of a segment of overlap-save
  double nanoseconds = 0;
  bool operator==(const MethodCost&) const = default;
};

struct ConvolutionRecipe {
  twiddle::Convolution::Method method = twiddle::Convolution::Method::direct;  // never automatic
  BankRecipe bank;  // of direct sums, of separable ones and of overlap-save
  // Points of the transforms along each axis, of the whole and of overlap-save in segments through memory.
  std::vector<std::uint64_t> padded;
  std::uint64_t step = 0;      // outputs of each segment through memory; 0: the whole is one
  std::uint64_t segments = 1;  // of a signal, through memory
  // How to convolve by columns and rows where the filters prove to be products of these, because it is cheaper; only
  // where the choice was free.
  std::optional<BankRecipe> separable;
  std::vector<MethodCost> compared;  // the methods that were possible, cheapest first; of overlap-save its best segment
  bool operator==(const ConvolutionRecipe&) const = default;
};

// Chooses the method that the convolution asks for, or the cheapest. Throws InvalidArgument for a malformed
// convolution, Unsupported where the method asked for, or any, does not serve it on such a device.
[[nodiscard]] ConvolutionRecipe make_convolution_recipe(const twiddle::Convolution& convolution,
                                                        const DeviceLimits& limits);

// Segments of overlap-save on the host for a convolution of one dimension, the cheapest by its model first.
[[nodiscard]] std::vector<BankRecipe> host_segments(const twiddle::Convolution& convolution,
                                                    const DeviceLimits& limits);

// "overlap-save in segments of 4096 = 16.16.16", "overlap-save in segments of 131072 through memory".
[[nodiscard]] std::string to_string(const ConvolutionRecipe& recipe);

}  // namespace twiddle::plan
