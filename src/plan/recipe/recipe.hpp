// A Recipe says by which algorithm a transform is computed, without buffers, strides or devices.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "plan/choice/measured_choices.hpp"
#include "plan/lower/axis_rule.hpp"
#include "plan/recipe/convolution.hpp"
#include "twiddle/device.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::plan {

struct LineRecipe;

// Length 1: the identity.
struct Identity {
  bool operator==(const Identity&) const = default;
};

// The whole line on chip in one stage: Stockham's self-sorting passes, one per radix, in order of execution.
// (Decimation in frequency; Cochran et al. 1967, C. Van Loan, Computational Frameworks for the FFT, 1992, section 1.7.)
struct Stockham {
  std::vector<unsigned> radices;
  std::vector<unsigned> to_spectrum{};  // of reals, whose map their last pass carries out; empty: the same
  bool operator==(const Stockham&) const = default;
};

// The same passes, each a stage of its own through global memory, for devices without local memory. Separate twiddles
// are stages between them; with a separate digit reversal the passes keep to their places, and a last stage puts the
// results in order.
struct Staged {
  std::vector<unsigned> radices;
  Strategy::Twiddles twiddles = Strategy::Twiddles::merged;
  Strategy::DigitReversal reversal = Strategy::DigitReversal::self_sorting;
  bool operator==(const Staged&) const = default;
};

// N = columns * rows: transforms down the columns, twiddles, transforms along the rows, written transposed.
// (Gentleman and Sande 1966; D. H. Bailey, FFTs in external or hierarchical memory, 1990.) `columns` stays on chip,
// `rows` does or is a FourStep.
struct FourStep {
  std::shared_ptr<const LineRecipe> columns;
  std::shared_ptr<const LineRecipe> rows;
  bool operator==(const FourStep& other) const;
};

// The sum of the definition, each result by itself.
struct Direct {
  bool operator==(const Direct&) const = default;
};

// Any length as a cyclic convolution with a chirp, by transforms through memory of as many points as the elements that
// are there and those that are wanted have differences, or more: 2 n - 2, or of reals, for one half of their spectrum,
// n + n / 2. (L. I. Bluestein, A linear filtering approach to the computation of the discrete Fourier transform, 1970.)
// The transforms in between are left in the order that decimation in frequency gives and taken in that order, so
// nothing is reordered. The last part of the one and the first of the other may be a single stage, whose lines stay on
// chip in between.
struct Bluestein {
  std::shared_ptr<const LineRecipe> padded;
  bool middle_in_one = false;
  bool operator==(const Bluestein& other) const;
};

// A convolution that stays on chip in one stage: Bluestein's where it fits there, or Rader's.
struct Convolved {
  Convolution convolution;
  std::vector<unsigned> radices;  // of its points
  bool operator==(const Convolved&) const = default;
};

// How the transforms along one axis are computed.
struct LineRecipe {
  std::size_t length = 1;
  std::variant<Identity, Stockham, Staged, FourStep, Convolved, Bluestein, Direct> algorithm;
  bool operator==(const LineRecipe&) const = default;
};

// A whole transform: axes in order of execution, the last (contiguous) first.
struct Recipe {
  struct Axis {
    std::size_t axis;
    LineRecipe line;
    LineForm form = LineForm::whole;
    bool operator==(const Axis&) const = default;
  };
  std::vector<Axis> axes;
  bool operator==(const Recipe&) const = default;
};

// Chooses a recipe for a device. Throws InvalidArgument for a malformed transform.
[[nodiscard]] Recipe make_recipe(const Transform& transform, const DeviceLimits& limits);

// A line in stages of these passes, one or more: columns of the first ones, and rows that the others divide likewise.
[[nodiscard]] LineRecipe in_stages(std::vector<std::vector<unsigned>> passes);

// What the lines along an axis are, as far as their length's choice depends on it.
[[nodiscard]] LineUse line_use(const Transform& transform, std::size_t axis);

// Prime factors up to this have butterflies of their own on the device; larger ones are computed by convolution.
[[nodiscard]] unsigned largest_prime_factor(const DeviceLimits& limits);

// "1000 = 10.10.10", "1048576 = (1024 = 32.32) x (1024 = 32.32)".
[[nodiscard]] std::string to_string(const LineRecipe& line);
// The same, and whether it is that of a symmetric or an extended line.
[[nodiscard]] std::string to_string(const Recipe::Axis& axis);

}  // namespace twiddle::plan
