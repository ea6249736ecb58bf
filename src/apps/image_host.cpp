// The variants of image convolution on the CPU. All but the reference work on rows that are widened to the type of the
// sums and continued at both ends as the boundary says, so that every neighbour lies at a fixed distance.
#include "apps/image_host.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "backend/host/aligned_array.hpp"

namespace twiddle::apps {
namespace {

using backend::host::row_slack;
using backend::host::RowFinish;
using backend::host::rows_of_block;
using backend::host::RowSums;
using backend::host::RowTap;
using Variant = ImageConvolution::Variant;

template <class Sample>
Sample finish_sample(const ImageArithmetic& arithmetic, double sum) {
  const double level = std::floor((sum + arithmetic.before) * arithmetic.factor + arithmetic.after);
  return static_cast<Sample>(std::clamp(level, 0.0, static_cast<double>(std::numeric_limits<Sample>::max())));
}

template <class Sample>
void copy_alpha(const ImageFormat& format, const Sample* image, Sample* result, std::size_t row) {
  if (!format.keep_alpha || format.channels % 2 != 0) return;
  const std::size_t elements = format.width * format.channels;
  for (std::size_t i = format.channels - 1; i < elements; i += format.channels) {
    result[row * elements + i] = image[row * elements + i];
  }
}

// The definition.
template <class Sample>
class ReferenceWorker : public ImageWorker<Sample> {
 public:
  explicit ReferenceWorker(ImageTask task) : task_(std::move(task)) {}

  void run(const Sample* image, Sample* result, std::size_t first_row, std::size_t last_row) const override {
    const ImageFormat& format = task_.format;
    for (std::size_t y = first_row; y < last_row; ++y) {
      for (std::size_t x = 0; x < format.width; ++x) {
        for (std::size_t channel = 0; channel < format.channels; ++channel) {
          result[(y * format.width + x) * format.channels + channel] =
              finish_sample<Sample>(task_.arithmetic, sum(image, y, x, channel));
        }
      }
      copy_alpha(format, image, result, y);
    }
  }

 private:
  double sum(const Sample* image, std::size_t y, std::size_t x, std::size_t channel) const {
    const Window& window = task_.window;
    const ImageFormat& format = task_.format;
    double total = 0;
    for (std::size_t i = 0; i < window.height; ++i) {
      const auto row = static_cast<std::int64_t>(y + i) - static_cast<std::int64_t>(window.height / 2);
      const auto from_row = boundary_source(task_.boundary, row, format.height);
      for (std::size_t j = 0; j < window.width; ++j) {
        const auto column = static_cast<std::int64_t>(x + j) - static_cast<std::int64_t>(window.width / 2);
        const auto from_column = boundary_source(task_.boundary, column, format.width);
        if (!from_row || !from_column) continue;
        total += window.weights[i * window.width + j] *
                 image[(*from_row * format.width + *from_column) * format.channels + channel];
      }
    }
    return total;
  }

  ImageTask task_;
};

template <class Sum, class Sample>
class RowWorker : public ImageWorker<Sample> {
 public:
  RowWorker(ImageTask task, std::int64_t targets)
      : task_(std::move(task)),
        kernels_(backend::host::row_kernels<Sum, Sample>(targets)),
        elements_(task_.format.width * task_.format.channels),
        padded_((task_.format.width + task_.window.width - 1) * task_.format.channels),
        stride_((padded_ + row_slack + 31) / 32 * 32) {
    const auto reach = static_cast<std::int64_t>(task_.window.width / 2);
    const auto width = static_cast<std::int64_t>(task_.format.width);
    for (std::int64_t x = -reach; x < 0; ++x) add_edge(x + reach, x);
    for (std::int64_t x = width; x < width + reach; ++x) add_edge(x + reach, x);
    if constexpr (std::is_same_v<Sum, std::int16_t>) {
      finish_ = task_.arithmetic.short_finish;
    } else {
      finish_ = {static_cast<Sum>(task_.arithmetic.before), static_cast<Sum>(task_.arithmetic.factor),
                 static_cast<Sum>(task_.arithmetic.after)};
    }
    if (task_.variant == Variant::separable) {
      add_separable_taps();
    } else {
      add_taps(single_, 1);
      if (task_.variant == Variant::blocked) add_taps(pairs_, rows_of_block);
    }
  }

  void run(const Sample* image, Sample* result, std::size_t first_row, std::size_t last_row) const override {
    // Rows of the picture around those in work, in a ring, and the sums of columns.
    const std::size_t window_rows = task_.window.height + rows_of_block - 1;
    auto* const memory = static_cast<Sum*>(backend::host::thread_scratch((window_rows + 1) * stride_ * sizeof(Sum)));
    Sum* const columns = memory + window_rows * stride_;
    const auto ring_row = [&](std::size_t row) { return memory + row % window_rows * stride_; };
    std::vector<const Sum*> rows(window_rows);
    std::size_t laid = first_row;  // counted from half a window above the picture
    for (std::size_t y = first_row; y < last_row;) {
      const std::size_t count = pairs_.empty() || y + rows_of_block > last_row ? 1 : rows_of_block;
      for (; laid < y + task_.window.height + count - 1; ++laid) lay_row(image, laid, ring_row(laid));
      for (std::size_t i = 0; i < window_rows; ++i) rows[i] = ring_row(y + i);
      Sample* outputs[rows_of_block];
      for (std::size_t i = 0; i < count; ++i) outputs[i] = result + (y + i) * elements_;
      make_rows(rows.data(), columns, outputs, count);
      for (std::size_t i = 0; i < count; ++i) copy_alpha(task_.format, image, result, y + i);
      y += count;
    }
  }

 private:
  struct Edge {
    std::size_t to;                     // pixel of the padded row
    std::optional<std::uint64_t> from;  // pixel of the picture
  };

  void add_edge(std::int64_t to, std::int64_t x) {
    edges_.push_back({static_cast<std::size_t>(to), boundary_source(task_.boundary, x, task_.format.width)});
  }

  void add_taps(std::vector<RowTap<Sum>>& taps, std::size_t rows) const {
    const Window& window = task_.window;
    for (std::size_t i = 0; i < window.height + rows - 1; ++i) {
      for (std::size_t j = 0; j < window.width; ++j) {
        RowTap<Sum> tap{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j * task_.format.channels)};
        bool counts = false;
        for (std::size_t row = 0; row < rows; ++row) {
          if (i < row || i - row >= window.height) continue;
          tap.weight[row] = weight_of(window.weights[(i - row) * window.width + j]);
          counts = counts || tap.weight[row] != 0;
        }
        if (counts) taps.push_back(tap);
      }
    }
  }

  void add_separable_taps() {
    const Separation& separation = *task_.separation;
    for (std::size_t i = 0; i < separation.column.size(); ++i) {
      if (separation.column[i] == 0) continue;
      single_.push_back({static_cast<std::uint32_t>(i), 0, {weight_of(separation.column[i])}});
    }
    for (std::size_t j = 0; j < separation.row.size(); ++j) {
      if (separation.row[j] == 0) continue;
      along_.push_back({0, static_cast<std::uint32_t>(j * task_.format.channels), {weight_of(separation.row[j])}});
    }
  }

  // Sums in 16 bits are modulo 2^16, and so are weights.
  static Sum weight_of(double weight) {
    if constexpr (std::is_same_v<Sum, std::int16_t>) {
      return static_cast<Sum>(static_cast<std::uint16_t>(static_cast<std::int64_t>(weight)));
    } else {
      return static_cast<Sum>(weight);
    }
  }

  void lay_row(const Sample* image, std::size_t row, Sum* to) const {
    const auto y = static_cast<std::int64_t>(row) - static_cast<std::int64_t>(task_.window.height / 2);
    const auto source = boundary_source(task_.boundary, y, task_.format.height);
    std::fill(to + padded_, to + stride_, Sum{0});
    if (!source) {
      std::fill(to, to + padded_, Sum{0});
      return;
    }
    const std::size_t channels = task_.format.channels;
    Sum* const inside = to + task_.window.width / 2 * channels;
    kernels_.widen(image + *source * elements_, inside, elements_);
    for (const Edge& edge : edges_) {
      Sum* const pixel = to + edge.to * channels;
      if (edge.from) {
        std::copy_n(inside + *edge.from * channels, channels, pixel);
      } else {
        std::fill_n(pixel, channels, Sum{0});
      }
    }
  }

  void make_rows(const Sum* const* rows, Sum* columns, Sample* const* outputs, std::size_t count) const {
    RowSums<Sum> sums{rows, single_.data(), single_.size(), finish_, elements_};
    switch (task_.variant) {
      case Variant::addressed:
        return add_plainly(rows, outputs[0]);
      case Variant::vectors:
        return kernels_.single(sums, outputs);
      case Variant::separable: {
        sums.count = padded_;
        kernels_.partial(sums, columns);
        std::fill(columns + padded_, columns + stride_, Sum{0});
        const Sum* const row[] = {columns};
        return kernels_.wide({row, along_.data(), along_.size(), finish_, elements_}, outputs);
      }
      default:
        if (count == 1) return kernels_.wide(sums, outputs);
        sums.taps = pairs_.data();
        sums.tap_count = pairs_.size();
        return kernels_.pairs(sums, outputs);
    }
  }

  void add_plainly(const Sum* const* rows, Sample* output) const {
    using Wide = std::conditional_t<std::is_same_v<Sum, std::int16_t>, std::int32_t, Sum>;
    for (std::size_t x = 0; x < elements_; ++x) {
      Wide sum = 0;
      for (const RowTap<Sum>& tap : single_) sum += static_cast<Wide>(tap.weight[0]) * rows[tap.row][tap.offset + x];
      output[x] = finish_sample<Sample>(task_.arithmetic, static_cast<double>(sum));
    }
  }

  ImageTask task_;
  backend::host::RowKernels<Sum, Sample> kernels_;
  std::size_t elements_;  // of a row of the picture
  std::size_t padded_;    // with what is beyond its ends
  std::size_t stride_;    // with what vectors may read beyond that
  std::vector<Edge> edges_;
  RowFinish<Sum> finish_{};
  std::vector<RowTap<Sum>> single_;  // for a row; of the separable variant, down a column
  std::vector<RowTap<Sum>> pairs_;   // for a block of rows
  std::vector<RowTap<Sum>> along_;   // of the separable variant, along a row
};

}  // namespace

template <class Sample>
std::unique_ptr<ImageWorker<Sample>> make_image_worker(const ImageTask& task, std::int64_t targets) {
  if (task.variant == Variant::reference) return std::make_unique<ReferenceWorker<Sample>>(task);
  switch (task.arithmetic.sums) {
    case ImageArithmetic::Sums::short_integers:
      if constexpr (std::is_same_v<Sample, std::uint8_t>) {
        return std::make_unique<RowWorker<std::int16_t, Sample>>(task, targets);
      }
      break;
    case ImageArithmetic::Sums::floats:
      return std::make_unique<RowWorker<float, Sample>>(task, targets);
    case ImageArithmetic::Sums::doubles:
      break;
  }
  return std::make_unique<RowWorker<double, Sample>>(task, targets);
}

template std::unique_ptr<ImageWorker<std::uint8_t>> make_image_worker(const ImageTask&, std::int64_t);
template std::unique_ptr<ImageWorker<std::uint16_t>> make_image_worker(const ImageTask&, std::int64_t);

}  // namespace twiddle::apps
