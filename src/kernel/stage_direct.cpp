// Sums by the definition: a work-item for each result.
#include "kernel/stage_memory.hpp"

namespace twiddle::kernel {

using plan::Loop;

// Sets `target` to result `result`: products in fours, whose sums are added with what rounding lost carried along
// (W. Kahan, Further remarks on reducing truncation errors, 1965). `declare` declares `value`, that of `element`.
void StageMemory::write_sum(const std::string& target, const std::string& result,
                            const std::function<void()>& declare) {
  const std::uint32_t line = layout_.line;
  text_.open("{{");
  text_.line("const TW_INDEX result = {};", result);
  text_.line("TW_COMPLEX sum = TW_MAKE(0, 0);");
  text_.line("TW_COMPLEX lost = TW_MAKE(0, 0);");
  text_.line("TW_INDEX turn = 0;");
  text_.open("for (TW_UINT four = 0; four < {}; four += 4) {{", line);
  text_.line("TW_COMPLEX part = TW_MAKE(0, 0);");
  text_.loop("i", 0, 4);
  text_.line("const TW_INDEX element = four + i;");
  if (line % 4 != 0) text_.open("if (element < {}) {{", line);
  declare();
  text_.line("const TW_COMPLEX root = constants[{} + turn];", layout_.direct);
  text_.line("part = TW_MAKE(TW_FMA(value.x, root.x, TW_FMA(-value.y, root.y, part.x)),");
  text_.line("               TW_FMA(value.x, root.y, TW_FMA(value.y, root.x, part.y)));");
  text_.line("turn += result;");
  text_.line("if (turn >= {0}) turn -= {0};", line);
  if (line % 4 != 0) text_.close();
  text_.close();
  text_.line("part = TW_MAKE(part.x - lost.x, part.y - lost.y);");
  text_.line("const TW_COMPLEX longer = TW_MAKE(sum.x + part.x, sum.y + part.y);");
  text_.line("lost = TW_MAKE((longer.x - sum.x) - part.x, (longer.y - sum.y) - part.y);");
  text_.line("sum = longer;");
  text_.close();
  text_.line("{} = sum;", target);
  text_.close();
}

void StageMemory::sum_input(const std::string& target) {
  write_sum(target, "element", [&] {
    const std::string condition = write_conditions(stage_.load_factor, stage_.load_bound);
    text_.line("TW_COMPLEX value = TW_MAKE(0, 0);");
    text_.line("{}value = {};", condition.empty() ? "" : "if (" + condition + ") ",
               read_element("source", step("element", &Loop::input_stride)));
  });
}

void StageMemory::sum_line(const Place& exchange) {
  text_.line("");
  text_.line("// sum");
  write_sum("v[0]", "lane", [&] { text_.line("const TW_COMPLEX value = {};", exchange("element")); });
}

}  // namespace twiddle::kernel
