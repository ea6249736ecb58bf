// The user's statements inside a function with documented names.
#include "kernel/hook_text.hpp"

#include <fmt/format.h>

#include "twiddle/error.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::kernel {

std::string hook_function(const plan::StageHook& hook, const char* name, Precision precision, bool real) {
  if (hook.hook->source.empty()) {
    throw Unsupported(
        fmt::format("the {} has no source text, which devices need; the host can call its function", name));
  }
  const bool neighbours = plan::reads_neighbours(*hook.hook);
  const char* const given = hook.hook->gathers ? "TW_GLOBAL const void* memory"
                            : neighbours       ? "const TW_COMPLEX* neighbours"
                                               : "TW_COMPLEX value";
  std::string text =
      fmt::format("TW_INLINE TW_COMPLEX {}({}, const TW_INDEX index, TW_GLOBAL const void* user) {{\n", name, given);
  if (hook.hook->gathers) text += "  TW_COMPLEX value = TW_MAKE(0, 0);\n";
  if (neighbours) text += "  TW_COMPLEX value = neighbours[0];\n";
  if (!hook.hook->parameters.empty()) {
    text += "  const TW_REAL parameters[] = {";
    for (const double parameter : hook.hook->parameters) text += fmt::format("{}, ", literal(parameter, precision));
    text += "};\n";
  }
  if (real) text += "  value.y = 0;\n";
  return text + fmt::format("{{\n{}\n}}\n  return {};\n}}\n\n", hook.hook->source,
                            real ? "TW_MAKE(value.x, (TW_REAL)0)" : "value");
}

std::string hook_call(const char* name, const std::string& value, const char* memory, const std::string& pointer,
                      const std::string& offset) {
  return fmt::format("{0}({1}, (TW_INDEX)({3} - {2}) + (TW_INDEX)({4}), {0}_user)", name, value, memory, pointer,
                     offset);
}

std::string gathering_call(const char* name, const char* memory, const std::string& pointer, const std::string& offset,
                           const plan::Storage& storage) {
  const std::string first = hook_call(name, memory, memory, pointer, offset);
  if (storage.form != plan::Storage::Form::planar) return first;
  const std::string second =
      hook_call(name, memory, memory, pointer, fmt::format("({}) + ({})", offset, storage.imaginary_offset));
  return fmt::format("TW_MAKE({}.x, {}.x)", first, second);
}

}  // namespace twiddle::kernel
