// Prints problems.
#include "twiddle/problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "twiddle/hook.hpp"

namespace twiddle {
namespace {

std::string layout_text(std::string_view name, const Layout& layout) {
  std::vector<std::string> items;
  if (!layout.strides.empty()) items.push_back(fmt::format("{}", fmt::join(layout.strides, ",")));
  if (layout.batch_stride) items.push_back(fmt::format("batch={}", *layout.batch_stride));
  if (layout.offset != 0) items.push_back(fmt::format("offset={}", layout.offset));
  if (layout.format == Layout::Format::planar) {
    items.push_back(layout.imaginary_offset ? fmt::format("planar={}", *layout.imaginary_offset) : "planar");
  }
  return items.empty() ? "" : fmt::format(":{}={}", name, fmt::join(items, "/"));
}

std::string list_text(std::string_view name, const std::vector<std::size_t>& values) {
  return values.empty() ? "" : fmt::format(":{}={}", name, fmt::join(values, ","));
}

std::string hook_text(std::string_view side, const std::shared_ptr<const Hook>& hook) {
  return hook && !hook->name.empty() ? fmt::format(":{}={}", side, hook->name) : "";
}

}  // namespace

std::string to_string(const Problem& problem) {
  const Transform& transform = problem.transform;
  const bool forward = problem.direction == Direction::forward;
  const bool c2r = transform.kind == Kind::r2c && !forward;
  std::string text = fmt::format("{}:{}:", c2r ? "c2r" : to_string(transform.kind), to_string(transform.precision));
  if (transform.batch != 1) text += fmt::format("{}*", transform.batch);
  text += fmt::format("{}", fmt::join(transform.lengths, "x"));
  text += list_text("axes", transform.axes);
  if (!forward && !c2r) text += ":inverse";
  if (problem.placement == Placement::in_place) text += ":inplace";
  if (transform.normalization != Normalization::backward) {
    text += fmt::format(":norm={}", to_string(transform.normalization));
  }
  const double factor = forward ? transform.forward_factor : transform.inverse_factor;
  const double other = forward ? transform.inverse_factor : transform.forward_factor;
  if (factor != 1 || other != 1) text += fmt::format(":factor={}", factor);
  if (other != 1) text += fmt::format(",{}", other);
  text += layout_text("in", forward ? transform.input : transform.output);
  text += layout_text("out", forward ? transform.output : transform.input);
  text += list_text("nonzero", forward ? transform.input_extents : transform.output_extents);
  text += list_text("wanted", forward ? transform.output_extents : transform.input_extents);
  text += hook_text("load", transform.load_hook);
  text += hook_text("store", transform.store_hook);
  if (transform.overwrite_input) text += ":overwrite";
  return text;
}

std::string to_string(const Transform& transform) { return to_string(Problem{.transform = transform}); }

}  // namespace twiddle
