// Elements of padded arrays, axis by axis.
#include "run/whole_geometry.hpp"

#include <algorithm>
#include <utility>

#include "plan/convolution/filter_bank.hpp"

namespace twiddle::run {
namespace {

using Lengths = WholeGeometry::Lengths;

// Calls visit(index of the element, its position in `dimensions`) for every element of an array.
template <class Visit>
void for_each_element(const Lengths& lengths, const Visit& visit) {
  Lengths at(lengths.size(), 0);
  const std::size_t count = element_count(lengths);
  for (std::size_t i = 0; i < count; ++i) {
    visit(i, at);
    for (std::size_t d = lengths.size(); d-- > 0 && ++at[d] == lengths[d];) at[d] = 0;
  }
}

Layout compact(const Lengths& lengths) {
  Layout layout;
  std::int64_t stride = 1;
  layout.strides.assign(lengths.size(), 1);
  for (std::size_t d = lengths.size(); d-- > 0;) {
    layout.strides[d] = stride;
    stride *= static_cast<std::int64_t>(lengths[d]);
  }
  layout.batch_stride = stride;
  return layout;
}

}  // namespace

std::size_t element_count(const std::vector<std::size_t>& lengths) {
  std::size_t result = 1;
  for (const std::size_t length : lengths) result *= length;
  return result;
}

WholeGeometry::WholeGeometry(Convolution convolution, Lengths padded, std::size_t step)
    : convolution_(std::move(convolution)),
      padded_(std::move(padded)),
      outputs_(convolved_lengths(convolution_)),
      given_(convolution_.signal_lengths),
      starts_(convolution_.past.empty() ? default_past(convolution_) : convolution_.past),
      step_(step) {
  const plan::Halo halo = plan::halo_of(convolution_);
  outputs_.back() += halo.left + halo.right;
  for (std::size_t d = 0; d < starts_.size(); ++d) {
    starts_[d] = static_cast<std::int64_t>(convolution_.kernel_lengths[d]) - 1 - starts_[d];
    if (d + 1 == starts_.size()) starts_[d] -= static_cast<std::int64_t>(halo.left);
    if (extends()) given_[d] = outputs_[d] + convolution_.kernel_lengths[d] - 1;
  }
  if (step_ != 0) {
    segments_ = (outputs_.back() + step_ - 1) / step_;
    given_.back() = (segments_ - 1) * step_ + padded_.back();
  }
  Lengths spectrum = padded_;
  if (!convolution_.complex) spectrum.back() = spectrum.back() / 2 + 1;
  points_ = element_count(spectrum);
}

Transform WholeGeometry::transform(const Lengths& stored) const {
  return {.lengths = padded_,
          .kind = convolution_.complex ? Kind::c2c : Kind::r2c,
          .precision = convolution_.precision,
          .input = compact(stored),
          .input_extents = stored};
}

// Neighbouring segments of each signal, of which so many elements each are stored.
Transform WholeGeometry::segment_transform(std::size_t segments, std::size_t stored) const {
  Transform transform = this->transform({stored});
  transform.lengths = {segments, padded_.back()};
  transform.axes = {1};
  transform.input.strides = {static_cast<std::int64_t>(step_), 1};
  transform.input_extents = {segments, stored};
  return transform;
}

Transform WholeGeometry::signal_transform() const {
  Transform result = segments_ == 1 ? transform(given_) : segment_transform(segments_, padded_.back());
  result.input.batch_stride = static_cast<std::int64_t>(element_count(given_));
  result.batch = convolution_.signals;
  return result;
}

Transform WholeGeometry::filter_transform() const {
  Transform result = transform(padded_);
  result.batch = convolution_.filters;
  return result;
}

// Of so many segments of each signal, of which so many elements are stored; the whole is one segment.
Transform WholeGeometry::result_transform(std::size_t first, std::size_t segments, const Lengths& stored) const {
  const auto with = [](std::vector<std::int64_t> outer, const std::vector<std::int64_t>& inner) {
    outer.insert(outer.end(), inner.begin(), inner.end());
    return outer;
  };
  const auto outputs = static_cast<std::int64_t>(element_count(outputs_));
  const auto points = static_cast<std::int64_t>(points_);
  const std::int64_t spectra = static_cast<std::int64_t>(segments_) * points;
  Lengths spectrum = padded_;
  if (!convolution_.complex) spectrum.back() = spectrum.back() / 2 + 1;
  Transform result = transform(stored);
  result.batch = convolution_.filters;
  result.axes.clear();
  for (std::size_t d = 0; d < padded_.size(); ++d) result.axes.push_back(d + 2);
  result.lengths = {convolution_.signals, segments};
  result.lengths.insert(result.lengths.end(), padded_.begin(), padded_.end());
  result.input_extents = {convolution_.signals, segments};
  result.input_extents.insert(result.input_extents.end(), stored.begin(), stored.end());
  result.input.strides =
      with({static_cast<std::int64_t>(convolution_.filters) * outputs, static_cast<std::int64_t>(step_)},
           compact(outputs_).strides);
  result.input.batch_stride = outputs;
  result.input.offset = first * step_;
  result.output.strides = with({spectra, points}, compact(spectrum).strides);
  result.output.batch_stride = static_cast<std::int64_t>(convolution_.signals) * spectra;
  result.output.offset = first * points_;
  return result;
}

std::vector<Transform> WholeGeometry::result_transforms() const {
  std::vector<Transform> result;
  if (segments_ > 1) result.push_back(result_transform(0, segments_ - 1, {step_}));
  Lengths rest = outputs_;
  rest.back() -= (segments_ - 1) * step_;
  result.push_back(result_transform(segments_ - 1, 1, rest));
  return result;
}

// Sample p of an axis touches outputs p + shift to p + shift + taps - 1: one axis after the other.
std::vector<bool> WholeGeometry::touched(std::vector<bool> samples) const {
  Lengths lengths = given_;
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
    const auto taps = static_cast<std::int64_t>(convolution_.kernel_lengths[axis]);
    const auto length = static_cast<std::int64_t>(lengths[axis]);
    const std::int64_t shift = extends() ? 1 - taps : -starts_[axis];
    lengths[axis] = 1;
    std::size_t stride = 1;
    for (std::size_t d = axis + 1; d < lengths.size(); ++d) stride *= lengths[d];
    std::vector<bool> results(element_count(lengths) * outputs_[axis]);
    for_each_element(lengths, [&](std::size_t line, const Lengths&) {
      const auto place = [&](std::size_t count, std::int64_t index) {
        return line / stride * stride * count + line % stride + static_cast<std::size_t>(index) * stride;
      };
      const auto outputs = static_cast<std::int64_t>(outputs_[axis]);
      std::int64_t marked = 0;  // outputs before are as they will be
      for (std::int64_t p = 0; p < length; ++p) {
        if (!samples[place(static_cast<std::size_t>(length), p)]) continue;
        const std::int64_t end = std::min(p + shift + taps, outputs);
        for (marked = std::max(marked, p + shift); marked < end; ++marked)
          results[place(outputs_[axis], marked)] = true;
      }
    });
    lengths[axis] = outputs_[axis];
    samples = std::move(results);
  }
  return samples;
}

std::int64_t WholeGeometry::first_sample(std::size_t axis) const {
  return extends() ? static_cast<std::int64_t>(convolution_.kernel_lengths[axis]) - 1 : starts_[axis];
}

std::int64_t WholeGeometry::first_tap(std::size_t axis) const {
  const auto points = static_cast<std::int64_t>(padded_[axis]);
  return (first_sample(axis) % points + points) % points;
}

template <class T>
void WholeGeometry::place_filter(const T* filter, T* padded) const {
  const bool correlated = convolution_.operation == Convolution::Operation::correlate;
  for_each_element(convolution_.kernel_lengths, [&](std::size_t i, const Lengths& at) {
    std::size_t to = 0;
    for (std::size_t d = 0; d < at.size(); ++d) {
      const auto taps = static_cast<std::int64_t>(convolution_.kernel_lengths[d]);
      const auto points = static_cast<std::int64_t>(padded_[d]);
      const auto index = static_cast<std::int64_t>(at[d]);
      const std::int64_t moved = (correlated ? taps - 1 - index : index) - first_tap(d) + points;
      to = to * padded_[d] + static_cast<std::size_t>(moved % points);
    }
    if (!convolution_.complex) {
      padded[to] = filter[i];
      return;
    }
    padded[2 * to] = filter[2 * i];
    padded[2 * to + 1] = correlated ? -filter[2 * i + 1] : filter[2 * i + 1];
  });
}

std::vector<std::int64_t> WholeGeometry::first_positions() const {
  std::vector<std::int64_t> result = starts_;
  for (std::size_t d = 0; d < result.size(); ++d) {
    result[d] -= static_cast<std::int64_t>(convolution_.kernel_lengths[d] - 1);
  }
  return result;
}

template <class T>
void WholeGeometry::extend(const T* signal, T* extended) const {
  const std::vector<std::int64_t> first = first_positions();
  const std::size_t last = given_.size() - 1;
  const auto columns = static_cast<std::int64_t>(given_[last]);
  const auto length = static_cast<std::int64_t>(convolution_.signal_lengths[last]);
  const auto source = [&](std::size_t axis, std::size_t index) {
    const std::int64_t position = static_cast<std::int64_t>(index) + first[axis];
    return *boundary_source(convolution_.boundary, position, convolution_.signal_lengths[axis]);
  };
  // The samples of a row that are there stand together.
  const std::int64_t begin = std::clamp<std::int64_t>(-first[last], 0, columns);
  const std::int64_t end = std::clamp<std::int64_t>(length - first[last], begin, columns);
  std::vector<std::pair<std::size_t, std::size_t>> beyond;  // other columns, and where their samples are
  for (std::int64_t column = 0; column < columns; ++column) {
    if (column >= begin && column < end) continue;
    const auto index = static_cast<std::size_t>(column);
    beyond.emplace_back(index, source(last, index));
  }
  Lengths rows = given_;
  rows[last] = 1;
  for_each_element(rows, [&](std::size_t row, const Lengths& at) {
    std::size_t line = 0;
    for (std::size_t axis = 0; axis < last; ++axis) {
      line = line * convolution_.signal_lengths[axis] + source(axis, at[axis]);
    }
    const T* const from = signal + line * convolution_.signal_lengths[last] * scalars();
    T* const to = extended + row * given_[last] * scalars();
    const auto scalars_of = [&](std::int64_t elements) { return static_cast<std::size_t>(elements) * scalars(); };
    if (end > begin)
      std::copy_n(from + scalars_of(begin + first[last]), scalars_of(end - begin), to + scalars_of(begin));
    for (const auto& [column, sample] : beyond)
      std::copy_n(from + sample * scalars(), scalars(), to + column * scalars());
  });
}

template void WholeGeometry::place_filter(const float*, float*) const;
template void WholeGeometry::place_filter(const double*, double*) const;
template void WholeGeometry::extend(const float*, float*) const;
template void WholeGeometry::extend(const double*, double*) const;

}  // namespace twiddle::run
