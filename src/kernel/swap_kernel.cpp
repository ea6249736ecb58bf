// Pairs of blocks: both into local memory, and each to where the other one was, transposed.
#include "kernel/swap_kernel.hpp"

#include <algorithm>
#include <string>

#include "kernel/stage_layout.hpp"
#include "kernel/storage_text.hpp"
#include "kernel/text.hpp"

namespace twiddle::kernel {
namespace {

class SwapKernel {
 public:
  SwapKernel(const plan::Stage& stage, Dialect dialect)
      : prepared_(prepare(stage)),
        layout_(lay_out(stage_, prepared_.line)),
        dialect_(dialect),
        dependent_launch_(stage_.shape.dependent_launch && has_dependent_launches(dialect)),
        memory_(stage_.output_storage, stage_.precision),
        block_(stage_.shape.block) {
    const auto moved = [](const plan::Loop& loop) { return loop.input_stride != loop.output_stride; };
    const auto row = std::find_if(stage_.loops.begin(), stage_.loops.end(), moved);
    extent_ = row->count;
    row_stride_ = row->input_stride;
    column_stride_ = row->output_stride;
    blocks_ = (extent_ + block_ - 1) / block_;
  }

  KernelSource write() {
    KernelSource source;
    source.group_size = stage_.shape.transforms_per_group;
    source.transforms = plan::transform_count(stage_);
    source.groups = source.transforms / (extent_ * extent_) * blocks_ * blocks_;
    source.entry = "stage";
    source.wide_index = layout_.wide_index;
    source.dependent_launch = dependent_launch_;
    source.local_memory = slots() * 2 * plan::scalar_bytes(stage_.precision);
    write_preamble();
    text_.open("TW_KERNEL({}, 1) stage(TW_GLOBAL const {}* input, TW_GLOBAL {}* output,", source.group_size,
               memory_.type(), memory_.type());
    text_.line("  TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count) {{");
    write_body();
    text_.close();
    source.text = text_.take();
    const std::size_t bytes = 2 * plan::scalar_bytes(stage_.precision);
    source.constants.resize(bytes);  // a kernel has constants, also where it needs none
    return source;
  }

 private:
  [[nodiscard]] std::uint64_t slots() const { return std::uint64_t{2} * block_ * (block_ + 1); }

  void write_preamble() {
    text_.line("// Rows and columns of squares of {0} x {0} elements change places, by blocks of {1} x {1}.", extent_,
               block_);
    const bool wide = stage_.precision == Precision::float64;
    if (wide) text_.raw(double_prelude(dialect_));
    text_.raw(prelude(dialect_, stage_.precision, false));
    if (dependent_launch_) text_.raw(dependent_launch_prelude(dialect_));
    text_.line("#define TW_INDEX {}", layout_.wide_index ? "TW_WIDE" : "TW_UINT");
    text_.raw(memory_.load_function());
    text_.raw(memory_.store_function());
    text_.line("");
  }

  // Of the element in row `row` and column `column`, which may lie before others.
  [[nodiscard]] std::string place(const char* row, const char* column) const {
    return fmt::format("{} * (TW_INDEX){} + {} * (TW_INDEX){}", row, row_stride_, column, column_stride_);
  }

  void write_body() {
    text_.line("TW_LOCAL_ARRAY(TW_COMPLEX, exchange, {});", slots());
    if (dependent_launch_) text_.line("TW_DEPENDENCY_WAIT();");
    text_.line("const TW_INDEX first = TW_GROUP % {};", blocks_);
    text_.line("const TW_INDEX second = TW_GROUP / {0} % {0};", blocks_);
    text_.line("if (first > second) return;");
    text_.line("TW_INDEX rest = TW_GROUP / {};", blocks_ * blocks_);
    text_.line("TW_INDEX square = {};", stage_.output_offset);
    for (const plan::Loop& loop : stage_.loops) {
      if (loop.input_stride != loop.output_stride) continue;
      text_.line("square += rest % {} * (TW_INDEX){};", loop.count, loop.output_stride);
      text_.line("rest /= {};", loop.count);
    }
    text_.line("TW_GLOBAL {}* data = output + square;", memory_.type());
    write_moves(true);
    text_.line("TW_BARRIER();");
    write_moves(false);
  }

  // All elements of both blocks: into local memory, or from where the other block's mirror image is there.
  void write_moves(bool loading) {
    text_.open("for (TW_UINT i = TW_ITEM; i < {}; i += {}) {{", block_ * block_, stage_.shape.transforms_per_group);
    text_.line("const TW_UINT down = i / {};", block_);
    text_.line("const TW_UINT across = i % {};", block_);
    for (const bool mirrored : {false, true}) {
      text_.open("{}{{", mirrored ? "if (first != second) " : "");
      text_.line("const TW_INDEX row = {} * {} + down;", mirrored ? "second" : "first", block_);
      text_.line("const TW_INDEX column = {} * {} + across;", mirrored ? "first" : "second", block_);
      text_.open("if (row < {0} && column < {0}) {{", extent_);
      const std::uint32_t half = block_ * (block_ + 1);
      const std::string own = fmt::format("exchange[{} + down * {} + across]", mirrored ? half : 0, block_ + 1);
      // On the diagonal a block is its own mirror image.
      const std::string other =
          fmt::format("exchange[{} + across * {} + down]",
                      mirrored ? "0" : fmt::format("(first != second ? {} : 0)", half), block_ + 1);
      if (loading) {
        text_.line("{} = {};", own, memory_.load("data", place("row", "column")));
      } else {
        text_.line("{}", memory_.store("data", place("row", "column"), other));
      }
      text_.close();
      text_.close();
    }
    text_.close();
  }

  Prepared prepared_;
  const plan::Stage& stage_ = prepared_.stage;
  StageLayout layout_;
  Dialect dialect_;
  bool dependent_launch_;
  Text text_;
  StorageText memory_;
  std::uint32_t block_;
  std::uint64_t extent_ = 1;
  std::int64_t row_stride_ = 0;
  std::int64_t column_stride_ = 0;
  std::uint64_t blocks_ = 1;
};

}  // namespace

KernelSource swap_kernel(const plan::Stage& stage, Dialect dialect) { return SwapKernel(stage, dialect).write(); }

}  // namespace twiddle::kernel
