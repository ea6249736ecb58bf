// Checks and sizes of the public Transform value.
#include "twiddle/transform.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "twiddle/error.hpp"

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

double scale_factor(const Transform& transform, Direction direction) {
  double points = 1;
  for (std::size_t axis : transformed_axes(transform)) points *= static_cast<double>(transform.lengths[axis]);
  switch (transform.normalization) {
    case Normalization::backward:
      return direction == Direction::inverse ? 1 / points : 1;
    case Normalization::ortho:
      return 1 / std::sqrt(points);
    case Normalization::forward:
      return direction == Direction::forward ? 1 / points : 1;
    case Normalization::none:
      break;
  }
  return 1;
}

void validate(const Transform& transform) {
  if (transform.lengths.empty()) {
    throw InvalidArgument("a transform needs at least one length, got none");
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
  (void)total_elements(transform);
}

std::string to_string(const Transform& transform) {
  std::string text = transform.batch == 1 ? "" : fmt::format("{}*", transform.batch);
  text += fmt::format("{}", fmt::join(transform.lengths, "x"));
  if (transformed_axes(transform).size() != transform.lengths.size()) {
    text += fmt::format(":axes={}", fmt::join(transformed_axes(transform), ","));
  }
  return text;
}

}  // namespace twiddle
