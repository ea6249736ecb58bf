// Sums with what stands beyond a signal's ends; positions of loops and of taps across lines as
// plan/convolution/filter_bank.hpp has them.
#include "kernel/sum_kernel.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "kernel/bank_text.hpp"
#include "kernel/text.hpp"
#include "twiddle/error.hpp"

namespace twiddle::kernel {
namespace {

using plan::FilterBank;
using plan::OuterTaps;

constexpr std::uint64_t most = std::uint64_t{1} << 31;  // what distances of 32 bits reach

class SumKernel {
 public:
  SumKernel(const plan::Stage& stage, Dialect dialect)
      : stage_(stage),
        bank_(*stage.bank),
        dialect_(dialect),
        dependent_launch_(stage.shape.dependent_launch && has_dependent_launches(dialect)),
        complex_(stage.input_storage.form == plan::Storage::Form::interleaved),
        separable_(bank_.kind == FilterBank::Kind::separable),
        items_(stage.shape.items_per_transform),
        lines_(bank_.outer.empty() ? 1 : stage.shape.block),
        first_(stage.store_bound->first_element),
        outputs_(stage.store_bound->end_element - first_),
        tiles_((outputs_ + items_ - 1) / items_) {
    if (stage.precision == Precision::extended) throw Unsupported("long double is computed on the host only");
    if (bank_.post != PostProcessing{} || stage.store_hook || stage.load_hook) {
      throw Unsupported("direct sums on devices store results as they are; other stages make something of them");
    }
  }

  KernelSource write() {
    KernelSource source;
    source.group_size = items_;
    source.groups = tiles_ * bank_.filters;
    for (std::size_t i = 0; i < stage_.loops.size(); ++i) source.groups *= turns(i);
    source.transforms = plan::transform_count(stage_);
    source.entry = "stage";
    source.wide_index = wide();
    source.reads_spectra = true;
    source.dependent_launch = dependent_launch_;
    const std::size_t scalars = (complex_ ? 2 : 1) * plan::scalar_bytes(stage_.precision);
    source.local_memory = separable_ ? lines_ * width() * scalars : 0;
    write_preamble();
    text_.line("TW_KERNEL({}, 1) stage(TW_GLOBAL const TW_VALUE* input, TW_GLOBAL TW_VALUE* output,", items_);
    text_.open(
        "    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count, TW_GLOBAL const TW_COMPLEX* spectra) {{");
    if (separable_) text_.line("TW_LOCAL_ARRAY(TW_VALUE, columns, {});", lines_ * width());
    if (dependent_launch_) text_.line("TW_DEPENDENCY_WAIT();");
    locate();
    if (separable_) {
      write_separable();
    } else {
      write_direct();
    }
    text_.close();
    source.text = text_.take();
    source.constants.resize(2 *
                            plan::scalar_bytes(stage_.precision));  // a kernel has constants, also where it needs none
    return source;
  }

 private:
  // Of a loop in groups: neighbouring lines share one.
  [[nodiscard]] std::uint64_t turns(std::size_t loop) const {
    const std::uint64_t count = stage_.loops[loop].count;
    return blocked(loop) ? (count + lines_ - 1) / lines_ : count;
  }
  [[nodiscard]] bool blocked(std::size_t loop) const { return !bank_.outer.empty() && bank_.outer.back().loop == loop; }
  // Columns that a group sums.
  [[nodiscard]] std::uint64_t width() const { return items_ + bank_.taps - 1; }

  [[nodiscard]] bool wide() const {
    std::uint64_t read = stage_.load_bound->count + stage_.length;
    std::uint64_t written = outputs_ + static_cast<std::uint64_t>(bank_.filter_stride) * bank_.filters;
    for (const OuterTaps& outer : bank_.outer) {
      read += (outer.count + outer.taps) * static_cast<std::uint64_t>(outer.input_stride);
    }
    for (const plan::Loop& loop : stage_.loops) {
      read += loop.count * static_cast<std::uint64_t>(loop.input_stride);
      written += loop.count * static_cast<std::uint64_t>(loop.output_stride);
    }
    return read >= most || written >= most || tiles_ * bank_.filters * plan::transform_count(stage_) >= most;
  }

  void write_preamble() {
    text_.line("// {}.", plan::to_string(bank_));
    if (stage_.precision == Precision::float64) text_.raw(double_prelude(dialect_));
    text_.raw(prelude(dialect_, stage_.precision, false));
    if (dependent_launch_) text_.raw(dependent_launch_prelude(dialect_));
    text_.line("#define TW_INDEX {}", wide() ? "TW_WIDE" : "TW_UINT");
    text_.line("#define TW_OFFSET {}", signed_type(dialect_, wide()));
    text_.line("#define TW_VALUE {}", complex_ ? "TW_COMPLEX" : "TW_REAL");
    text_.line("#define TW_ZERO {}", complex_ ? "TW_MAKE(0, 0)" : "0");
    text_.raw("\n// Where the sample is that stands at a position; below 0 where there is none.\n");
    text_.raw("TW_INLINE TW_OFFSET sample_at(const TW_OFFSET position, const TW_OFFSET length) {\n");
    text_.raw("  if (position >= 0 && position < length) return position;\n");
    const Boundary outside = stage_.load_bound->outside;
    text_.raw(outside == Boundary::zero ? std::string("  return -1;\n") : std::string(boundary_body(outside)));
    text_.raw("}\n\nTW_INLINE TW_VALUE add_product(const TW_VALUE sum, const TW_VALUE a, const TW_VALUE b) {\n");
    text_.raw(complex_ ? "  return TW_MAKE(TW_FMA(a.x, b.x, TW_FMA(-a.y, b.y, sum.x)),\n"
                         "                 TW_FMA(a.x, b.y, TW_FMA(a.y, b.x, sum.y)));\n}\n\n"
                       : "  return TW_FMA(a, b, sum);\n}\n\n");
  }

  // Declares which results the group has, `tile` of a line, `filter` and turn_0, turn_1, ... of the loops; where their
  // taps are; `from`, where position 0 of the lines is, `position` of the first result's latest sample, and `to`.
  void locate() {
    text_.line("TW_OFFSET rest = (TW_OFFSET)TW_GROUP;");
    const auto take = [&](const std::string& name, std::uint64_t count, std::uint64_t times) {
      text_.line("const TW_OFFSET {} = rest % {}{};", name, count, times == 1 ? "" : fmt::format(" * {}", times));
      text_.line("rest /= {};", count);
    };
    take("tile", tiles_, items_);
    take("filter", bank_.filters, 1);
    std::string from = fmt::format("{}", stage_.input_offset);
    std::string position = fmt::format("{}", stage_.load_bound->offset);
    std::string to = fmt::format("{} + filter * {}", stage_.output_offset, bank_.filter_stride);
    for (std::size_t i = 0; i < stage_.loops.size(); ++i) {
      const std::string turn = fmt::format("turn_{}", i);
      if (i + 1 < stage_.loops.size()) {
        take(turn, turns(i), blocked(i) ? lines_ : 1);
      } else {
        text_.line("const TW_OFFSET {} = rest;", turn);
      }
      from += fmt::format(" + {} * {}", turn, stage_.loops[i].input_stride);
      position += fmt::format(" + {} * {}", turn, stage_.load_bound->loop_strides[i]);
      to += fmt::format(" + {} * {}", turn, stage_.loops[i].output_stride);
    }
    text_.line("const TW_OFFSET start = {};", position);
    text_.line("TW_GLOBAL const TW_VALUE* from = input + ({} - start * {});", from, stage_.input_stride);
    text_.line("TW_GLOBAL TW_VALUE* to = output + ({});", to);
    text_.line("TW_GLOBAL const TW_VALUE* taps = (TW_GLOBAL const TW_VALUE*)spectra + filter * {};",
               plan::all_taps(bank_));
    text_.line("const TW_OFFSET result = tile + (TW_OFFSET)TW_ITEM;");
  }

  // Opens loops over the lines that results are summed from; `line` is where the current one is, `tap` what the taps of
  // it are that the first of the item's lines takes: those of neighbours lie `step` further on each.
  void open_lines(std::uint64_t step) {
    std::string before = "0";
    std::string line = "from";
    for (std::size_t i = 0; i < bank_.outer.size(); ++i) {
      const OuterTaps& outer = bank_.outer[i];
      const bool last = i + 1 == bank_.outer.size();
      text_.open("for (TW_OFFSET o_{0} = 0; o_{0} < {1}; ++o_{0}) {{", i, outer.taps + (last ? lines_ - 1 : 0));
      // The last loop goes up the places, so that lines of neighbours follow each other.
      text_.line("const TW_OFFSET line_{0} = sample_at(turn_{1} + ({2}) {3} o_{0}, {4});", i, outer.loop,
                 last ? outer.offset - static_cast<std::int64_t>(outer.taps) + 1 : outer.offset, last ? "+" : "-",
                 outer.count);
      text_.line("if (line_{} < 0) continue;", i);
      line += fmt::format(" + line_{} * {}", i, outer.input_stride);
      const std::string own = last ? fmt::format("({} - o_{})", outer.taps - 1, i) : fmt::format("o_{}", i);
      before = fmt::format("({}) * {} + {}", before, outer.taps, own);
    }
    text_.line("TW_GLOBAL const TW_VALUE* line = {};", line);
    text_.line("const TW_OFFSET tap = ({}) * {};", before, step);
  }

  void close_lines() {
    for (std::size_t i = 0; i < bank_.outer.size(); ++i) text_.close();
  }

  // Adds the sample `value` times its tap to the sums of all lines that have one for it.
  void add_to_sums(const char* tap, std::uint64_t step) {
    text_.loop("r", 0, static_cast<unsigned>(lines_));
    if (lines_ > 1) {
      const std::size_t i = bank_.outer.size() - 1;
      text_.line(
          "if (o_{0} - {1} <= (TW_OFFSET)r && (TW_OFFSET)r <= o_{0}) sum[r] = add_product(sum[r], taps[{2} + "
          "(TW_OFFSET)r * {3}], value);",
          i, bank_.outer[i].taps - 1, tap, step);
    } else {
      text_.line("sum[r] = add_product(sum[r], taps[{}], value);", tap);
    }
    text_.close();
  }

  void declare_sums() {
    text_.line("TW_VALUE sum[{}];", lines_);
    text_.loop("r", 0, static_cast<unsigned>(lines_));
    text_.line("sum[r] = TW_ZERO;");
    text_.close();
  }

  // Whether line r of the item's exists.
  [[nodiscard]] std::string line_exists() const {
    if (bank_.outer.empty()) return {};
    const std::size_t loop = bank_.outer.back().loop;
    if (stage_.loops[loop].count % lines_ == 0) return {};
    return fmt::format("if (turn_{} + (TW_OFFSET)r < {}) ", loop, stage_.loops[loop].count);
  }

  [[nodiscard]] std::string destination() const {
    const std::int64_t apart = bank_.outer.empty() ? 0 : stage_.loops[bank_.outer.back().loop].output_stride;
    return fmt::format("to[result * {} + (TW_OFFSET)r * {}]", stage_.output_stride, apart);
  }

  // Positions behind the last line's end, or of results that no other stage keeps, are not stored.
  [[nodiscard]] std::string missing() const {
    std::string position = fmt::format("{} + result", stage_.store_bound->offset + static_cast<std::int64_t>(first_));
    for (std::size_t i = 0; i < stage_.loops.size(); ++i) {
      position += fmt::format(" + turn_{} * {}", i, stage_.store_bound->loop_strides[i]);
    }
    return fmt::format("result >= {} || {} >= {}", outputs_, position, stage_.store_bound->count);
  }

  void write_direct() {
    text_.line("if ({}) return;", missing());
    declare_sums();
    if (bank_.outer.empty()) text_.open("{{");
    open_lines(bank_.taps);
    text_.open("for (TW_OFFSET m = 0; m < {}; ++m) {{", bank_.taps);
    text_.line("const TW_OFFSET at = sample_at(start + {} + result - m, {});", first_, stage_.load_bound->count);
    text_.line("if (at < 0) continue;");
    text_.line("const TW_VALUE value = line[at * {}];", stage_.input_stride);
    add_to_sums("tap + m", bank_.taps);
    text_.close();
    close_lines();
    if (bank_.outer.empty()) text_.close();
    text_.loop("r", 0, static_cast<unsigned>(lines_));
    text_.line("{}{} = sum[r];", line_exists(), destination());
    text_.close();
  }

  void write_separable() {
    const std::uint64_t before = bank_.taps - 1;
    text_.open("for (TW_OFFSET column = (TW_OFFSET)TW_ITEM; column < {}; column += {}) {{", width(), items_);
    declare_sums();
    text_.line("const TW_OFFSET at = sample_at(start + {} + tile + column, {});",
               static_cast<std::int64_t>(first_) - static_cast<std::int64_t>(before), stage_.load_bound->count);
    text_.open("if (at >= 0) {{");
    open_lines(1);
    text_.line("const TW_VALUE value = line[at * {}];", stage_.input_stride);
    add_to_sums("tap", 1);
    close_lines();
    text_.close();
    text_.loop("r", 0, static_cast<unsigned>(lines_));
    text_.line("columns[r * {} + column] = sum[r];", width());
    text_.close();
    text_.close();
    text_.line("TW_BARRIER();");
    text_.line("if ({}) return;", missing());
    declare_sums();
    text_.open("for (TW_OFFSET m = 0; m < {}; ++m) {{", bank_.taps);
    text_.line("const TW_VALUE value = taps[{} + m];", plan::outer_taps(bank_));
    text_.loop("r", 0, static_cast<unsigned>(lines_));
    text_.line("sum[r] = add_product(sum[r], value, columns[r * {} + (TW_OFFSET)TW_ITEM + {} - m]);", width(), before);
    text_.close();
    text_.close();
    text_.loop("r", 0, static_cast<unsigned>(lines_));
    text_.line("{}{} = sum[r];", line_exists(), destination());
    text_.close();
  }

  const plan::Stage& stage_;
  const FilterBank& bank_;
  Dialect dialect_;
  bool dependent_launch_;
  Text text_;
  bool complex_;
  bool separable_;
  std::uint64_t items_;
  std::uint64_t lines_;  // of a work-item
  std::uint64_t first_;
  std::uint64_t outputs_;  // of a line
  std::uint64_t tiles_;    // groups that share a line
};

}  // namespace

bool sums_directly(const plan::Stage& stage) {
  return stage.bank &&
         (stage.bank->kind == FilterBank::Kind::direct || stage.bank->kind == FilterBank::Kind::separable);
}

KernelSource sum_kernel(const plan::Stage& stage, Dialect dialect) { return SumKernel(stage, dialect).write(); }

}  // namespace twiddle::kernel
