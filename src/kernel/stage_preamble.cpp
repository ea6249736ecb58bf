// What stands ahead of a stage's kernel.
#include "kernel/stage_preamble.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "kernel/bank_text.hpp"
#include "kernel/butterfly.hpp"
#include "kernel/hook_text.hpp"

namespace twiddle::kernel {
namespace {

using plan::Stage;

constexpr std::string_view product = R"(
TW_INLINE TW_COMPLEX multiply(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, -(a.y * b.y)), TW_FMA(a.x, b.y, a.y * b.x));
}

)";

}  // namespace

std::string_view direction_name(Direction direction) { return direction == Direction::forward ? "forward" : "inverse"; }

std::string_view product_function() { return product; }

std::set<std::pair<unsigned, Direction>> butterflies_of(const StageLayout& layout) {
  std::set<std::pair<unsigned, Direction>> found;
  for (const Pass& pass : layout.passes) {
    if (pass.radix != 1) found.emplace(pass.radix, pass.direction);
  }
  return found;
}

void write_preamble(const Stage& stage, const StageLayout& layout, const StageMemory& memory, Dialect dialect,
                    bool dependent_launch, Text& text) {
  const std::string factors = stage.radices.size() > 1 ? fmt::format(" = {}", fmt::join(stage.radices, " * ")) : "";
  text.line("// A {} transform of {} points{}.", direction_name(stage.direction), stage.length,
            stage.convolution ? "" : factors);
  if (stage.bank) text.line("// {}.", plan::to_string(*stage.bank));
  if (stage.convolution) {
    text.line("// {}'s algorithm: a convolution of {} points{}.", plan::to_string(stage.convolution->algorithm),
              stage.convolution->points, factors);
  }
  if (stage.returns) text.line("// Each line is then multiplied and transformed back.");
  if (stage.load_map) text.line("// Each line is first made by the map '{}'.", plan::to_string(*stage.load_map));
  if (stage.store_map) text.line("// Each line is then made into '{}'.", plan::to_string(*stage.store_map));
  const auto uses = [&](Precision precision) {
    return stage.precision == precision || stage.input_storage.precision == precision ||
           stage.output_storage.precision == precision;
  };
  if (uses(Precision::float64)) text.raw(double_prelude(dialect));
  text.raw(prelude(dialect, stage.precision, stage.shape.registers != 0));
  if (uses(Precision::float16)) text.raw(half_prelude(dialect));
  if (stage.input_storage.words_apart || stage.output_storage.words_apart) text.raw(word_prelude(dialect));
  if (stage.shape.vector > 1) text.raw(vector_prelude(dialect));
  if (layout.rows != 0) text.raw(cluster_prelude(dialect));
  if (stage.shape.prefetch) text.raw(prefetch_prelude(dialect));
  if (stage.shape.past_cache) text.raw(stream_prelude(dialect, stage.precision));
  if (dependent_launch) text.raw(dependent_launch_prelude(dialect));
  if (dependent_launch && stage.bank) text.raw(early_start_prelude(dialect));
  text.line("#define TW_INDEX {}", layout.wide_index ? "TW_WIDE" : "TW_UINT");
  if (memory.steps_back() || (stage.bank && stage.load_bound)) {
    text.line("#define TW_OFFSET {}", signed_type(dialect, layout.wide_index));
  }
  if (layout.slots > 0) {
    text.line("#define TW_PAD(i) ({})",
              stage.shape.padding == 0 ? "(i)" : fmt::format("(i) + (i) / {}", stage.shape.padding));
  }
  if (layout.rows != 0 && stage.shape.vector > 1) {
    text.line(
        "#define TW_PAD_VECTORS(i) ({})",
        stage.shape.padding == 0 ? "(i)" : fmt::format("(i) + (i) / {} * {}", stage.shape.padding, stage.shape.vector));
  }
  text.raw(product);
  if (std::ranges::any_of(layout.passes, &Pass::mirrored)) {
    text.raw(R"(// a times the conjugate of b.
TW_INLINE TW_COMPLEX multiply_conjugate(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, a.y * b.y), TW_FMA(a.y, b.x, -(a.x * b.y)));
}

)");
  }
  text.raw(BankText(stage, text).functions(dialect));
  text.raw(memory.input().load_function());
  text.raw(memory.output().store_function());
  const auto is_real = [](const plan::Storage& storage) { return storage.form == plan::Storage::Form::real; };
  if (stage.load_hook) {
    text.raw(hook_function(*stage.load_hook, "load_hook", stage.precision,
                           is_real(stage.input_storage) || stage.load_hook->part != 0));
  }
  if (stage.store_hook) {
    text.raw(hook_function(*stage.store_hook, "store_hook", stage.precision,
                           is_real(stage.output_storage) || stage.store_hook->part != 0));
  }
  if (stage.repair) text.raw(repair_functions(*stage.repair, stage.output_storage, dialect));
  const Rounding rounding = stage.convolution ? Rounding::least : Rounding::usual;
  for (const auto& [radix, direction] : butterflies_of(layout)) {
    text.raw(kept_butterfly_source(radix, direction, dialect, stage.precision, rounding, layout.passes.size() == 1));
    text.raw("\n");
  }
}

}  // namespace twiddle::kernel
