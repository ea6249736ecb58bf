// Checks and sizes of the public Transform value.
#include "twiddle/transform.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "plan/convolution/filter_bank.hpp"
#include "plan/lower/view.hpp"
#include "twiddle/error.hpp"
#include "twiddle/hook.hpp"

namespace twiddle {
namespace {

// The product, or InvalidArgument where arrays of that many complex elements could not be addressed.
std::size_t checked_product(const std::vector<std::size_t>& factors) {
  constexpr std::size_t most = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(float) / 2;
  std::size_t product = 1;
  for (std::size_t factor : factors) {
    if (factor != 0 && product > most / factor) {
      throw InvalidArgument(fmt::format("the array {} has more than {} elements, which cannot be addressed",
                                        fmt::join(factors, "x"), most));
    }
    product *= factor;
  }
  return product;
}

// The points of the complex transform that a real one of length n is part of.
long double logical_points(Kind kind, std::size_t n) {
  const auto points = static_cast<long double>(n);
  switch (kind) {
    case Kind::c2c:
    case Kind::r2c:
    case Kind::dht:
      return points;
    case Kind::dct1:
      return 2 * (points - 1);
    case Kind::dst1:
      return 2 * (points + 1);
    default:
      return 2 * points;
  }
}

void check_extents(const std::vector<std::size_t>& extents, const std::vector<std::size_t>& lengths, const char* name) {
  if (extents.empty()) return;
  if (extents.size() != lengths.size()) {
    throw InvalidArgument(fmt::format("{} {} extents were given; expected one for each of the {} dimension(s)",
                                      extents.size(), name, lengths.size()));
  }
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (extents[axis] == 0 || extents[axis] > lengths[axis]) {
      throw InvalidArgument(
          fmt::format("the {} extent of axis {} is {}; expected 1 to {}", name, axis, extents[axis], lengths[axis]));
    }
  }
}

// Of dimensions that are not transformed both sides have the same elements.
void check_untransformed(const Transform& transform) {
  const std::vector<std::size_t> axes = transformed_axes(transform);
  for (std::size_t d = 0; d < transform.lengths.size(); ++d) {
    if (std::find(axes.begin(), axes.end(), d) != axes.end()) continue;
    const auto extent = [&](const std::vector<std::size_t>& extents) {
      return extents.empty() ? transform.lengths[d] : extents[d];
    };
    if (extent(transform.input_extents) != extent(transform.output_extents)) {
      throw InvalidArgument(
          fmt::format("axis {} is not transformed, but its input extent is {} and its output extent {}; "
                      "expected the same",
                      d, extent(transform.input_extents), extent(transform.output_extents)));
    }
  }
}

void check_layout(const Layout& layout, const Transform& transform, const char* name) {
  if (!layout.strides.empty() && layout.strides.size() != transform.lengths.size()) {
    throw InvalidArgument(fmt::format("the {} layout has {} stride(s); expected one for each of the {} dimension(s)",
                                      name, layout.strides.size(), transform.lengths.size()));
  }
  if (layout.imaginary_offset && layout.format != Layout::Format::planar) {
    throw InvalidArgument(
        fmt::format("the {} layout has an imaginary offset but is interleaved; expected planar", name));
  }
}

}  // namespace

std::size_t array_elements(const Transform& transform) { return checked_product(transform.lengths); }

std::size_t total_elements(const Transform& transform) {
  std::vector<std::size_t> factors{transform.batch};
  factors.insert(factors.end(), transform.lengths.begin(), transform.lengths.end());
  return checked_product(factors);
}

std::vector<std::size_t> transformed_axes(const Transform& transform) {
  std::vector<std::size_t> axes = transform.axes;
  if (axes.empty()) {
    for (std::size_t axis = 0; axis < transform.lengths.size(); ++axis) axes.push_back(axis);
  }
  std::sort(axes.begin(), axes.end());
  return axes;
}

long double scale_factor(const Transform& transform, Direction direction) {
  long double points = 1;
  for (std::size_t axis : transformed_axes(transform))
    points *= logical_points(transform.kind, transform.lengths[axis]);
  const long double factor = direction == Direction::forward ? transform.forward_factor : transform.inverse_factor;
  switch (transform.normalization) {
    case Normalization::backward:
      return direction == Direction::inverse ? factor / points : factor;
    case Normalization::ortho:
      return factor / std::sqrt(points);
    case Normalization::forward:
      return direction == Direction::forward ? factor / points : factor;
    case Normalization::none:
      break;
  }
  return factor;
}

bool is_real_to_real(Kind kind) { return kind != Kind::c2c && kind != Kind::r2c; }

Kind inverse_kind(Kind kind) {
  switch (kind) {
    case Kind::dct2:
      return Kind::dct3;
    case Kind::dct3:
      return Kind::dct2;
    case Kind::dst2:
      return Kind::dst3;
    case Kind::dst3:
      return Kind::dst2;
    default:
      return kind;
  }
}

std::string_view to_string(Kind kind) {
  constexpr std::array<std::string_view, 11> names = {"c2c",  "r2c",  "dct1", "dct2", "dct3", "dct4",
                                                      "dst1", "dst2", "dst3", "dst4", "dht"};
  return names.at(static_cast<std::size_t>(kind));
}

std::string_view to_string(Precision precision) {
  constexpr std::array<std::string_view, 4> names = {"f16", "f32", "f64", "f80"};
  return names.at(static_cast<std::size_t>(precision));
}

std::string_view to_string(Normalization normalization) {
  constexpr std::array<std::string_view, 4> names = {"backward", "ortho", "forward", "none"};
  return names.at(static_cast<std::size_t>(normalization));
}

void validate(const Transform& transform) {
  if (transform.lengths.empty()) {
    throw InvalidArgument("a transform needs at least one length, got none");
  }
  if (transform.lengths.size() > largest_rank) {
    throw InvalidArgument(
        fmt::format("a transform has at most {} dimensions, got {}", largest_rank, transform.lengths.size()));
  }
  for (std::size_t axis = 0; axis < transform.lengths.size(); ++axis) {
    if (transform.lengths[axis] == 0) {
      throw InvalidArgument(fmt::format("every length must be at least 1, but axis {} of {} has length 0", axis,
                                        fmt::join(transform.lengths, "x")));
    }
  }
  if (transform.batch == 0) throw InvalidArgument("the batch must be at least 1, got 0");
  std::vector<std::size_t> axes = transform.axes;
  std::sort(axes.begin(), axes.end());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] >= transform.lengths.size()) {
      throw InvalidArgument(fmt::format("axis {} does not exist: {} has {} dimension(s), numbered from 0", axes[i],
                                        fmt::join(transform.lengths, "x"), transform.lengths.size()));
    }
    if (i > 0 && axes[i] == axes[i - 1]) {
      throw InvalidArgument(fmt::format("axis {} is named twice; each axis can be transformed once", axes[i]));
    }
  }
  for (const auto& hook : {transform.load_hook, transform.store_hook}) {
    if (hook && plan::reads_neighbours(*hook)) {
      throw InvalidArgument(
          fmt::format("a hook of a transform reads {} neighbours before and {} behind each element; expected none: "
                      "only hooks on the results of convolutions have neighbours",
                      hook->left, hook->right));
    }
  }
  if (transform.store_hook && transform.store_hook->gathers) {
    throw InvalidArgument("the store hook gathers; expected one that changes what is stored: only load hooks gather");
  }
  if (transform.load_hook && transform.load_hook->gathers && transform.overwrite_input) {
    throw InvalidArgument(
        "the load hook gathers from all of the input, which may not be overwritten before it is done; "
        "expected overwrite_input to be false");
  }
  (void)total_elements(transform);
  for (const std::size_t axis : transformed_axes(transform)) {
    if (transform.kind == Kind::dct1 && transform.lengths[axis] < 2) {
      throw InvalidArgument(fmt::format("dct1 needs at least 2 points, but axis {} has length 1", axis));
    }
  }
  for (const double factor : {transform.forward_factor, transform.inverse_factor}) {
    if (!std::isfinite(factor)) {
      throw InvalidArgument(fmt::format("a factor of the result is {}; expected a finite number", factor));
    }
  }
  check_extents(transform.input_extents, transform.lengths, "input");
  const std::vector<std::uint64_t> frequencies = plan::full_extents(transform, true);
  check_extents(transform.output_extents, {frequencies.begin() + 1, frequencies.end()}, "output");
  check_untransformed(transform);
  check_layout(transform.input, transform, "input");
  check_layout(transform.output, transform, "output");
}

}  // namespace twiddle
