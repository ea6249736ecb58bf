// Which elements are read and written, and where they lie in the files.
#include "array_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "errors.hpp"
#include "npy_types.hpp"
#include "options.hpp"

namespace twiddle::tool {
namespace {

// One dimension of the problem.
struct Dimension {
  std::size_t length = 1;  // of the transform, or simply how many there are
  bool transformed = false;
  bool halved = false;  // only frequencies 0..length/2 are stored
  std::size_t read = 1;
  std::size_t written = 1;
  std::int64_t read_stride = 1;
  std::int64_t written_stride = 1;
};

bool is_c2r(const ArrayOptions& options) { return options.kind == Kind::r2c && options.inverse; }

std::vector<std::size_t> axes_of(const ArrayOptions& options, std::size_t rank) {
  std::vector<std::size_t> axes = resolve_axes(options.axes, rank);
  const std::size_t named = std::max(options.crop.size(), options.zero_pad.size());
  if (axes.empty()) {
    if (named > rank) {
      throw UsageError(fmt::format("{} lengths were given for an array of {} dimension(s)", named, rank));
    }
    axes.resize(named == 0 ? rank : named);
    std::iota(axes.begin(), axes.end(), rank - axes.size());
  }
  for (const auto& [name, lengths] : {std::pair{"--crop", options.crop}, std::pair{"--zero-pad", options.zero_pad}}) {
    if (!lengths.empty() && lengths.size() != axes.size()) {
      throw UsageError(fmt::format("{} was given {} length(s); expected one for each of the {} transformed axes", name,
                                   lengths.size(), axes.size()));
    }
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (std::find(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(i), axes[i]) !=
        axes.begin() + static_cast<std::ptrdiff_t>(i)) {
      throw UsageError(fmt::format("axis {} is named twice; each axis can be transformed once", axes[i]));
    }
  }
  return axes;
}

// The axis that is number `i` of the transformed ones, and has `present` elements in the array.
Dimension transformed_dimension(const ArrayOptions& options, std::size_t axis, std::size_t i, bool halved,
                                std::size_t present) {
  if (present == 0) {
    throw UsageError(fmt::format("axis {} is to be transformed, but has no elements; expected at least one", axis));
  }
  Dimension dimension{.transformed = true, .halved = halved};
  dimension.read = options.crop.empty() ? present : options.crop[i];
  if (dimension.read == 0 || dimension.read > present) {
    throw UsageError(
        fmt::format("--crop {} of axis {} is out of range: the axis has {} element(s); --zero-pad makes it "
                    "longer",
                    dimension.read, axis, present));
  }
  std::size_t count = options.zero_pad.empty() ? dimension.read : options.zero_pad[i];
  if (count < dimension.read) {
    throw UsageError(
        fmt::format("--zero-pad {} of axis {} is less than the {} element(s) there are; --crop makes it "
                    "shorter",
                    count, axis, dimension.read));
  }
  if (count > std::numeric_limits<std::size_t>::max() / 4) {
    throw UsageError(fmt::format("--zero-pad {} of axis {} is longer than any memory", count, axis));
  }
  if (!halved) {
    dimension.length = dimension.written = count;
  } else if (!is_c2r(options)) {
    dimension.length = count;
    dimension.written = count / 2 + 1;
  } else {
    dimension.length = dimension.written = options.length.value_or(2 * (count - 1));
    if (dimension.length == 0) {
      throw UsageError(fmt::format(
          "{} frequencies of axis {} give {} points; expected at least 1: --length says how many there shall be", count,
          axis, dimension.length));
    }
    dimension.read = std::min(dimension.read, dimension.length / 2 + 1);
  }
  return dimension;
}

// In the order of the array's axes.
std::vector<Dimension> dimensions_of(const ArrayOptions& options, const std::vector<std::size_t>& shape) {
  std::vector<Dimension> dimensions;
  for (const std::size_t length : shape) dimensions.push_back({.length = length, .read = length, .written = length});
  const std::vector<std::size_t> axes = axes_of(options, shape.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const bool halved = options.kind == Kind::r2c && i + 1 == axes.size();
    dimensions[axes[i]] = transformed_dimension(options, axes[i], i, halved, shape[axes[i]]);
  }
  return dimensions;
}

// The array's axes as they lie in memory, the contiguous one last.
std::vector<std::size_t> memory_order(std::size_t count, bool fortran_order) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (fortran_order) std::reverse(order.begin(), order.end());
  return order;
}

// The layout and extents of one side, left empty where they are the default.
struct Side {
  Layout layout;
  std::vector<std::size_t> extents;
};

Side side_of(const std::vector<Dimension>& dimensions, bool frequencies, std::size_t Dimension::*count,
             std::int64_t Dimension::*stride) {
  Side side;
  bool packed = true;
  bool whole = true;
  std::int64_t room = 1;
  for (auto dimension = dimensions.rbegin(); dimension != dimensions.rend(); ++dimension) {
    const std::size_t extent = (*dimension).*count;
    const bool halved = dimension->halved && frequencies;
    whole = whole && extent == (halved ? dimension->length / 2 + 1 : dimension->length);
    packed = packed && (extent == 1 || (*dimension).*stride == room);
    room *= static_cast<std::int64_t>(extent);
  }
  for (const Dimension& dimension : dimensions) {
    if (!packed) side.layout.strides.push_back(dimension.*stride);
    if (!whole) side.extents.push_back(dimension.*count);
  }
  return side;
}

void check_type(const ArrayOptions& options, ElementType type) {
  if (options.length && !is_c2r(options)) {
    throw UsageError(
        "--length is for --kind c2r, whose result has one of two lengths; --zero-pad and --crop are for all");
  }
  if (options.kind == Kind::r2c && !options.inverse && type.complex) {
    throw UsageError(
        fmt::format("--kind r2c transforms real arrays, but the elements are {}; expected real ones, or "
                    "--kind c2c",
                    type_name(type)));
  }
}

// Dimensions in the order in which a problem has them: as they lie in memory, but the halved one last of the
// transformed ones. Where there are more than a transform can have, neighbours that are not transformed become one.
std::vector<Dimension> in_memory(const std::vector<Dimension>& dimensions, const std::vector<std::size_t>& shape,
                                 bool fortran_order, bool separate_parts) {
  std::vector<Dimension> result;
  std::int64_t read_stride = 1;
  std::int64_t written_stride = 1;
  const bool merge = shape.size() + (separate_parts ? 1 : 0) > largest_rank;
  if (separate_parts) {
    result.push_back({.length = 2, .read = 2, .written = 2});
    read_stride = written_stride = 2;
  }
  const std::vector<std::size_t> order = memory_order(shape.size(), fortran_order);
  for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
    Dimension dimension = dimensions[*axis];
    dimension.read_stride = read_stride;
    dimension.written_stride = written_stride;
    read_stride *= static_cast<std::int64_t>(shape[*axis]);
    written_stride *= static_cast<std::int64_t>(dimension.written);
    if (merge && !result.empty() && !dimension.transformed && !result.back().transformed) {
      const std::size_t count = result.back().length * dimension.length;
      result.back().length = result.back().read = result.back().written = count;
    } else {
      result.push_back(dimension);
    }
  }
  std::reverse(result.begin(), result.end());
  const auto halved = std::find_if(result.begin(), result.end(), [](const Dimension& d) { return d.halved; });
  if (halved != result.end() &&
      std::any_of(halved + 1, result.end(), [](const Dimension& dimension) { return dimension.transformed; })) {
    std::rotate(halved, halved + 1, result.end());
  }
  return result;
}

}  // namespace

ArrayProblem make_array_problem(const ArrayOptions& options, const std::vector<std::size_t>& shape, bool fortran_order,
                                ElementType type) {
  check_type(options, type);
  ArrayProblem result;
  Transform& transform = result.problem.transform;
  transform.kind = options.kind;
  transform.precision =
      options.precision.value_or(type.precision == Precision::float16 ? Precision::float32 : type.precision);
  transform.normalization = options.normalization;
  result.problem.direction = options.inverse ? Direction::inverse : Direction::forward;

  std::vector<Dimension> logical = dimensions_of(options, shape);
  for (const Dimension& dimension : logical) result.output_shape.push_back(dimension.written);
  std::vector<std::size_t> present = shape;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] == 0) {
      logical[axis] = {};
      present[axis] = 1;
    }
    transform.lengths.push_back(logical[axis].length);
  }
  static_cast<void>(total_elements(transform));  // products of lengths are safe from here on
  const bool real_to_real = is_real_to_real(options.kind);
  const std::vector<Dimension> dimensions = in_memory(logical, present, fortran_order, real_to_real && type.complex);
  transform.lengths.clear();
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    transform.lengths.push_back(dimensions[i].length);
    if (dimensions[i].transformed) transform.axes.push_back(i);
  }
  if (transform.axes.size() == dimensions.size()) transform.axes.clear();
  validate(transform);

  Side read = side_of(dimensions, options.inverse, &Dimension::read, &Dimension::read_stride);
  Side written = side_of(dimensions, !options.inverse, &Dimension::written, &Dimension::written_stride);
  result.input = {transform.precision, real_to_real ? type.complex : options.kind == Kind::c2c || options.inverse};
  result.output = {transform.precision, real_to_real ? type.complex : options.kind == Kind::c2c || !options.inverse};
  if (options.kind != Kind::r2c && read.layout == written.layout && read.extents.empty() &&
      result.output_shape == shape) {
    result.problem.placement = Placement::in_place;
  }
  if (options.inverse) std::swap(read, written);
  transform.input = std::move(read.layout);
  transform.input_extents = std::move(read.extents);
  transform.output = std::move(written.layout);
  transform.output_extents = std::move(written.extents);
  return result;
}

}  // namespace twiddle::tool
