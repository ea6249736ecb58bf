// Accessors of storages. Pointers move by elements, so that offsets beyond 32 bits are added to pointers only.
#include "kernel/storage_text.hpp"

#include <fmt/format.h>

namespace twiddle::kernel {

using Form = plan::Storage::Form;

bool StorageText::is_plain() const { return storage_.form == Form::interleaved && storage_.precision == arithmetic_; }

std::string StorageText::type() const {
  if (is_plain()) return "TW_COMPLEX";
  const bool pairs = storage_.form == Form::interleaved;
  switch (storage_.precision) {
    case Precision::float16:
      return pairs ? "ushort2" : "TW_HALF";
    case Precision::float64:
      return pairs ? "double2" : "double";
    default:
      return pairs ? "float2" : "float";
  }
}

std::string StorageText::load_function() const {
  if (is_plain()) return {};
  if (storage_.words_apart) return load_words();
  const bool half = storage_.precision == Precision::float16;
  if (storage_.is_apart()) {
    return fmt::format(
        "TW_INLINE TW_COMPLEX load_element(TW_GLOBAL const {0}* data, TW_GLOBAL const {0}* imaginary) {{\n"
        "  return TW_MAKE((TW_REAL)*data, (TW_REAL)*imaginary);\n}}\n\n",
        type());
  }
  std::string body;
  if (storage_.form == Form::interleaved) {
    body = half ? "  const float2 value = TW_LOAD_HALF2(data);\n  return TW_MAKE(value.x, value.y);\n"
                : "  return TW_MAKE((TW_REAL)data->x, (TW_REAL)data->y);\n";
  } else {
    const std::string scalar = half ? "TW_LOAD_HALF({})" : "(TW_REAL)*({})";
    const std::string real = fmt::format(fmt::runtime(scalar), "data");
    const std::string imaginary =
        storage_.form == Form::real
            ? "(TW_REAL)0"
            : fmt::format(fmt::runtime(scalar), fmt::format("data + ({})", storage_.imaginary_offset));
    body = fmt::format("  return TW_MAKE({}, {});\n", real, imaginary);
  }
  return fmt::format("TW_INLINE TW_COMPLEX load_element(TW_GLOBAL const {}* data) {{\n{}}}\n\n", type(), body);
}

std::string StorageText::store_function() const {
  if (is_plain()) return {};
  if (storage_.words_apart) return store_words();
  const bool half = storage_.precision == Precision::float16;
  if (storage_.is_apart()) {
    return fmt::format(
        "TW_INLINE void store_element(TW_GLOBAL {0}* data, TW_GLOBAL {0}* imaginary, const TW_COMPLEX value) {{\n"
        "  *data = value.x;\n  *imaginary = value.y;\n}}\n\n",
        type());
  }
  std::string body;
  if (storage_.form == Form::interleaved) {
    body = half ? "  TW_STORE_HALF2(data, value.x, value.y);\n" : "  data->x = value.x;\n  data->y = value.y;\n";
  } else {
    const std::string scalar = half ? "  TW_STORE_HALF({}, {});\n" : "  *({}) = {};\n";
    body = fmt::format(fmt::runtime(scalar), "data", "value.x");
    if (storage_.form == Form::planar) {
      body += fmt::format(fmt::runtime(scalar), fmt::format("data + ({})", storage_.imaginary_offset), "value.y");
    }
  }
  return fmt::format("TW_INLINE void store_element(TW_GLOBAL {}* data, const TW_COMPLEX value) {{\n{}}}\n\n", type(),
                     body);
}

std::string StorageText::load_words() const {
  const bool pairs = storage_.form == Form::interleaved;
  const auto join = [](const std::string& upper, const std::string& lower) {
    return fmt::format("TW_JOIN_WORDS({}, {})", upper, lower);
  };
  const std::string offset = fmt::to_string(storage_.imaginary_offset);
  const std::string imaginary = pairs ? join("data->y", "lower->y")
                                : storage_.form == Form::real
                                    ? "0"
                                    : join(fmt::format("data[{}]", offset), fmt::format("lower[{}]", offset));
  return fmt::format(
      "TW_INLINE TW_COMPLEX load_element(TW_GLOBAL const {0}* data, TW_GLOBAL const {0}* lower) {{\n"
      "  return TW_MAKE({1}, {2});\n}}\n\n",
      type(), pairs ? join("data->x", "lower->x") : join("*data", "*lower"), imaginary);
}

std::string StorageText::store_words() const {
  const bool pairs = storage_.form == Form::interleaved;
  const auto part = [](const std::string& upper, const std::string& lower, const char* value) {
    return fmt::format("  {} = TW_UPPER_WORD({});\n  {} = TW_LOWER_WORD({});\n", upper, value, lower, value);
  };
  std::string body = pairs ? part("data->x", "lower->x", "value.x") : part("*data", "*lower", "value.x");
  if (pairs) body += part("data->y", "lower->y", "value.y");
  if (storage_.form == Form::planar) {
    const std::string offset = fmt::to_string(storage_.imaginary_offset);
    body += part(fmt::format("data[{}]", offset), fmt::format("lower[{}]", offset), "value.y");
  }
  return fmt::format(
      "TW_INLINE void store_element(TW_GLOBAL {0}* data, TW_GLOBAL {0}* lower, const TW_COMPLEX value) {{\n{1}}}\n\n",
      type(), body);
}

std::string StorageText::apart_of(const std::string& pointer, const char* parameter) const {
  const std::string start = storage_.words_apart ? fmt::format("(TW_GLOBAL {}*)apart", type()) : "apart";
  return fmt::format("{} + ({} - {})", start, pointer, parameter);
}

std::string StorageText::load(const std::string& pointer, const std::string& offset) const {
  if (storage_.is_apart())
    return fmt::format("load_element({0} + ({1}), {2} + ({1}))", pointer, offset, apart_of(pointer, "input"));
  if (is_plain() && caching_ == Caching::once) return fmt::format("TW_LOAD_ONCE({} + ({}))", pointer, offset);
  if (is_plain() && caching_ == Caching::shared) return fmt::format("TW_LOAD_SHARED({} + ({}))", pointer, offset);
  return is_plain() ? fmt::format("{}[{}]", pointer, offset) : fmt::format("load_element({} + ({}))", pointer, offset);
}

std::string StorageText::store(const std::string& pointer, const std::string& offset, const std::string& value) const {
  if (storage_.is_apart()) {
    return fmt::format("store_element({0} + ({1}), {3} + ({1}), {2});", pointer, offset, value,
                       apart_of(pointer, "output"));
  }
  if (is_plain() && caching_ == Caching::past_unit)
    return fmt::format("TW_STREAM({} + ({}), {});", pointer, offset, value);
  if (is_plain() && caching_ == Caching::once)
    return fmt::format("TW_STORE_ONCE({} + ({}), {});", pointer, offset, value);
  return is_plain() ? fmt::format("{}[{}] = {};", pointer, offset, value)
                    : fmt::format("store_element({} + ({}), {});", pointer, offset, value);
}

std::string StorageText::load_real(const std::string& pointer, const std::string& offset) const {
  if (storage_.words_apart) {
    return fmt::format("TW_MAKE(TW_JOIN_WORDS(*({0} + ({1})), *({2} + ({1}))), 0)", pointer, offset,
                       apart_of(pointer, "input"));
  }
  const char* const text = storage_.precision == Precision::float16 ? "TW_MAKE(TW_LOAD_HALF({} + ({})), 0)"
                                                                    : "TW_MAKE((TW_REAL)*({} + ({})), 0)";
  return fmt::format(fmt::runtime(text), pointer, offset);
}

std::string StorageText::store_real(const std::string& pointer, const std::string& offset,
                                    const std::string& value) const {
  if (storage_.words_apart) {
    return fmt::format("*({0} + ({1})) = TW_UPPER_WORD(({2}).x); *({3} + ({1})) = TW_LOWER_WORD(({2}).x);", pointer,
                       offset, value, apart_of(pointer, "output"));
  }
  const char* const text =
      storage_.precision == Precision::float16 ? "TW_STORE_HALF({} + ({}), ({}).x);" : "*({} + ({})) = ({}).x;";
  return fmt::format(fmt::runtime(text), pointer, offset, value);
}

}  // namespace twiddle::kernel
