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

std::string pair_call(const char* name, const std::string& real, const std::string& imaginary, const char* memory,
                      const std::string& pointer, const std::string& offset, std::int64_t part) {
  return fmt::format("TW_MAKE({}.x, {}.x)", hook_call(name, real, memory, pointer, offset),
                     hook_call(name, imaginary, memory, pointer, fmt::format("({}) + ({})", offset, part)));
}

std::string gathering_call(const char* name, const char* memory, const std::string& pointer, const std::string& offset,
                           const plan::Storage& storage) {
  if (storage.form != plan::Storage::Form::planar) return hook_call(name, memory, memory, pointer, offset);
  return pair_call(name, memory, memory, memory, pointer, offset, storage.imaginary_offset);
}

std::string repair_functions(const plan::Repair& repair, const plan::Storage& storage, Dialect dialect) {
  using Form = plan::Storage::Form;
  const char* const operands = "TW_GLOBAL const void* memory, TW_GLOBAL const TW_COMPLEX* spectra";
  const char* const apart =
      dialect == Dialect::cuda ? "__device__ __noinline__ static" : "static __attribute__((noinline))";
  const auto made = [](const std::string& index) { return fmt::format("made_anew({}, memory, spectra)", index); };
  std::string both = made("index");
  if (storage.form == Form::planar) {
    both = fmt::format("TW_MAKE({}.x, {}.x)", both, made(fmt::format("index + {}", storage.imaginary_offset)));
  } else if (repair.real && storage.form == Form::interleaved) {
    both = fmt::format("TW_MAKE({}.x, {}.x)", made("2 * index"), made("2 * index + 1"));
  }
  return fmt::format(
      "{0} TW_COMPLEX made_anew(const TW_WIDE index, {1}) {{\n  TW_COMPLEX value = TW_MAKE(0, 0);\n{{\n{2}\n}}\n"
      "  return value;\n}}\n\n"
      "TW_INLINE TW_COMPLEX repaired(const TW_COMPLEX value, const TW_WIDE index, {1}) {{\n"
      "  const TW_REAL sum = value.x + value.y;\n  if (sum - sum == 0) return value;\n  return {3};\n}}\n\n",
      apart, operands, repair.hook->source, both);
}

std::string repair_call(const std::string& value, const std::string& pointer, const std::string& offset) {
  return fmt::format("repaired({}, (TW_INDEX)({} - output) + (TW_INDEX)({}), store_hook_user, spectra)", value, pointer,
                     offset);
}

}  // namespace twiddle::kernel
