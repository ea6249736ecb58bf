// The variants of image convolution, from one work-item a sample to blocks of four rows of four samples an item. Items
// whose window lies within the picture read at fixed distances; the others ask for the place of every neighbour.
#include "kernel/image_kernel.hpp"

#include <fmt/format.h>

#include <cmath>

#include "twiddle/error.hpp"

namespace twiddle::kernel {
namespace {

using plan::ImagePass;
using Part = ImagePass::Part;
using Sums = ImagePass::Sums;
using Variant = ImageConvolution::Variant;

constexpr std::size_t group_size = 64;
constexpr std::size_t most_weights = 1024;  // each is a line of text for each sample of a block
constexpr std::uint64_t most_samples = std::uint64_t{1} << 31;

class ImageText {
 public:
  ImageText(const ImagePass& pass, Dialect dialect)
      : pass_(pass),
        dialect_(dialect),
        dependent_launch_(pass.dependent_launch && has_dependent_launches(dialect)),
        channels_(pass.format.channels),
        row_(pass.format.width * channels_),
        across_(pass.variant == Variant::reference || pass.variant == Variant::addressed ? 1 : 4),
        down_(pass.variant == Variant::blocked && pass.part == Part::whole ? 4 : 1),
        across_items_((row_ + across_ - 1) / across_) {}

  [[nodiscard]] std::uint64_t items() const { return across_items_ * ((pass_.format.height + down_ - 1) / down_); }

  [[nodiscard]] std::string write() {
    const bool doubles = pass_.sums == Sums::doubles;
    if (doubles) text_ += double_prelude(dialect_);
    text_ += prelude(dialect_, doubles ? Precision::float64 : Precision::float32);
    if (dependent_launch_) text_ += dependent_launch_prelude(dialect_);
    line("#define SAMPLE {}", sample_type());
    line("#define SUM {}", sum_type());
    line("#define IN {}", pass_.part == Part::rows ? "SUM" : "SAMPLE");
    line("#define OUT {}", pass_.part == Part::columns ? "SUM" : "SAMPLE");
    write_place();
    write_finish();
    write_anywhere();
    write_kernel();
    return std::move(text_);
  }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    text_ += fmt::format(format, std::forward<Values>(values)...);
    text_ += '\n';
  }

  std::string sample_type() const { return pass_.format.bits == 8 ? "unsigned char" : "unsigned short"; }

  std::string sum_type() const {
    switch (pass_.sums) {
      case Sums::integers:
        return "int";
      case Sums::wide_integers:
        return std::string(signed_type(dialect_, true));
      case Sums::floats:
        return "float";
      case Sums::doubles:
        break;
    }
    return "double";
  }

  bool whole_numbers() const { return pass_.sums == Sums::integers || pass_.sums == Sums::wide_integers; }

  std::string number(double value) const {
    if (whole_numbers()) return fmt::format("(SUM){}", static_cast<std::int64_t>(value));
    return literal(value, pass_.sums == Sums::doubles ? Precision::float64 : Precision::float32);
  }

  // Where a position lies in a line of `count` elements; -1 for nowhere.
  void write_place() {
    line("TW_INLINE int place(int position, const int count) {{");
    switch (pass_.boundary) {
      case Boundary::zero:
        line("  return position < 0 || position >= count ? -1 : position;");
        break;
      case Boundary::nearest:
        line("  return position < 0 ? 0 : position >= count ? count - 1 : position;");
        break;
      case Boundary::periodic:
        line("  position %= count;");
        line("  return position < 0 ? position + count : position;");
        break;
      case Boundary::reflect:
        line("  position %= 2 * count;");
        line("  if (position < 0) position += 2 * count;");
        line("  return position < count ? position : 2 * count - 1 - position;");
        break;
    }
    line("}}");
  }

  // From a sum to a sample. Columns leave sums as they are.
  void write_finish() {
    line("TW_INLINE OUT finish(SUM sum) {{");
    const unsigned largest = (1U << pass_.format.bits) - 1;
    if (pass_.part == Part::columns) {
      line("  return sum;");
    } else if (whole_numbers()) {
      line("  sum += {};", number(pass_.offset * pass_.scale + std::floor(pass_.scale / 2)));
      line("  if (sum < 0) return 0;");
      // Unsigned division by a constant is a multiplication.
      line("  const {0} level = ({0})sum / {1}U;", pass_.sums == Sums::integers ? "TW_UINT" : "TW_WIDE",
           static_cast<std::uint64_t>(pass_.scale));
      line("  return level > {0} ? {0} : (SAMPLE)level;", largest);
    } else {
      line("  const SUM level = sum * {} + {};", number(1 / pass_.scale), number(pass_.offset + 0.5));
      line("  return level <= 0 ? 0 : level >= {0} ? {0} : (SAMPLE)level;", largest);
    }
    line("}}");
  }

  // The definition, for a sample anywhere.
  void write_anywhere() {
    const plan::Window& window = pass_.window;
    line("TW_INLINE IN neighbour(TW_GLOBAL const IN* image, const int y, const int x, const int channel) {{");
    line("  const int row = place(y, {});", pass_.format.height);
    line("  const int column = place(x, {});", pass_.format.width);
    line(
        "  return row < 0 || column < 0 ? (IN)0 : image[(TW_UINT)row * {}U + (TW_UINT)column * {}U + "
        "(TW_UINT)channel];",
        row_, channels_);
    line("}}");
    line("TW_INLINE OUT anywhere(TW_GLOBAL const IN* image, const int y, const int element) {{");
    line("  const int x = element / {};", channels_);
    line("  const int channel = element % {};", channels_);
    line("  SUM sum = 0;");
    each_weight([&](std::size_t i, std::size_t j, double weight) {
      line("  sum += {} * (SUM)neighbour(image, y + {}, x + {}, channel);", number(weight),
           static_cast<int>(i) - static_cast<int>(window.height / 2),
           static_cast<int>(j) - static_cast<int>(window.width / 2));
    });
    line("  return finish(sum);");
    line("}}");
  }

  template <class Action>
  void each_weight(Action action) const {
    for (std::size_t i = 0; i < pass_.window.height; ++i) {
      for (std::size_t j = 0; j < pass_.window.width; ++j) {
        const double weight = pass_.window.weights[i * pass_.window.width + j];
        if (weight != 0) action(i, j, weight);
      }
    }
  }

  void write_kernel() {
    line(
        "TW_KERNEL({}, 1) convolve_image(TW_GLOBAL const IN* input, TW_GLOBAL OUT* output, TW_GLOBAL const TW_COMPLEX* "
        "constants, const TW_UINT count) {{",
        group_size);
    if (dependent_launch_) line("  TW_DEPENDENCY_WAIT();");
    line("  const TW_UINT item = TW_GROUP * {}U + TW_ITEM;", group_size);
    line("  if (item >= count) return;");
    line("  const int y = (int)(item / {0}U) * {1};", across_items_, down_);
    line("  const int element = (int)(item % {0}U) * {1};", across_items_, across_);
    if (pass_.variant != Variant::reference) {
      write_condition();
      line("    TW_GLOBAL const IN* from = input + ((TW_UINT)(y - {}) * {}U + (TW_UINT)element - {}U);",
           pass_.window.height / 2, row_, pass_.window.width / 2 * channels_);
      write_inside();
      line("    return;");
      line("  }}");
    }
    line("  for (int down = 0; down < {} && y + down < {}; ++down) {{", down_, pass_.format.height);
    line("    for (int across = 0; across < {} && element + across < {}; ++across) {{", across_, row_);
    line("      const TW_UINT at = (TW_UINT)(y + down) * {}U + (TW_UINT)(element + across);", row_);
    if (keeps_alpha())
      line("      if ((element + across) % {} == {}) {{ output[at] = (OUT)input[at]; continue; }}", channels_,
           channels_ - 1);
    line("      output[at] = anywhere(input, y + down, element + across);");
    line("    }}");
    line("  }}");
    line("}}");
  }

  // Between the passes of a separable kernel, alpha is a sample among sums.
  bool keeps_alpha() const { return pass_.format.keep_alpha && channels_ % 2 == 0; }

  // Whether all neighbours of all samples of the item lie within the picture.
  void write_condition() {
    const std::size_t above = pass_.window.height / 2;
    const std::size_t before = pass_.window.width / 2 * channels_;
    line("  if (y >= {} && y + {} <= {} && element >= {} && element + {} <= {}) {{", above, down_ + above,
         pass_.format.height, before, across_ + before, row_);
  }

  // Every neighbour is loaded once for all sums of the item that need it.
  void write_inside() {
    const plan::Window& window = pass_.window;
    for (std::size_t row = 0; row < down_; ++row) {
      for (std::size_t sample = 0; sample < across_; ++sample) line("    SUM sum_{}_{} = 0;", row, sample);
    }
    const std::size_t span = across_ + (window.width - 1) * channels_;
    for (std::size_t i = 0; i < window.height + down_ - 1; ++i) {
      line("    {{");
      std::string sums;
      std::vector<bool> needed(span);
      for (std::size_t row = 0; row < down_; ++row) {
        if (i < row || i - row >= window.height) continue;
        for (std::size_t j = 0; j < window.width; ++j) {
          const double weight = window.weights[(i - row) * window.width + j];
          if (weight == 0) continue;
          for (std::size_t sample = 0; sample < across_; ++sample) {
            needed[sample + j * channels_] = true;
            sums += fmt::format("      sum_{}_{} += {} * v{};\n", row, sample, number(weight), sample + j * channels_);
          }
        }
      }
      for (std::size_t k = 0; k < span; ++k) {
        if (needed[k]) line("      const SUM v{0} = (SUM)from[{1}];", k, i * row_ + k);
      }
      text_ += sums;
      line("    }}");
    }
    for (std::size_t row = 0; row < down_; ++row) {
      for (std::size_t sample = 0; sample < across_; ++sample) {
        const std::string at = fmt::format("(TW_UINT)(y + {}) * {}U + (TW_UINT)(element + {})", row, row_, sample);
        if (keeps_alpha()) {
          line("    output[{0}] = (element + {1}) % {2} == {3} ? (OUT)input[{0}] : finish(sum_{4}_{1});", at, sample,
               channels_, channels_ - 1, row);
        } else {
          line("    output[{0}] = finish(sum_{1}_{2});", at, row, sample);
        }
      }
    }
  }

  const ImagePass& pass_;
  Dialect dialect_;
  bool dependent_launch_;
  std::size_t channels_;
  std::size_t row_;     // elements of a row
  std::size_t across_;  // samples of an item along a row
  std::size_t down_;    // rows of an item
  std::size_t across_items_;
  std::string text_;
};

}  // namespace

KernelSource image_kernel(const ImagePass& pass, Dialect dialect) {
  const ImageFormat& format = pass.format;
  if (pass.window.weights.size() > most_weights) {
    throw Unsupported(fmt::format("a kernel of {} x {} weights on a device; expected at most {} weights: use the host",
                                  pass.window.height, pass.window.width, most_weights));
  }
  if (format.width * format.channels > most_samples / format.height) {
    throw Unsupported(
        fmt::format("an image of {} x {} pixels on a device; expected fewer than 2^31 samples: use the host",
                    format.width, format.height));
  }
  ImageText text(pass, dialect);
  KernelSource source;
  source.entry = "convolve_image";
  source.group_size = group_size;
  source.groups = (text.items() + group_size - 1) / group_size;
  source.transforms = text.items();
  source.dependent_launch = pass.dependent_launch && has_dependent_launches(dialect);
  source.constants.resize(16);  // unused
  source.text = text.write();
  return source;
}

}  // namespace twiddle::kernel
