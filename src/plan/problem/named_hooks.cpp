// The hooks that problems can name.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>

#include "twiddle/error.hpp"
#include "twiddle/hook.hpp"

namespace twiddle {
namespace {

using Complex = std::complex<double>;

Hook bartlett(std::uint64_t period) {
  Hook hook;
  hook.source = fmt::format(
      "const TW_INDEX place = index % {0}u;\n"
      "const TW_REAL weight = (TW_REAL)(place < {0}u - place ? place : {0}u - place) * parameters[0];\n"
      "value.x *= weight;\nvalue.y *= weight;",
      period);
  hook.function = [period](Complex value, std::uint64_t index) {
    const std::uint64_t place = index % period;
    return value * (2.0 * static_cast<double>(std::min(place, period - place)) / static_cast<double>(period));
  };
  hook.parameters = {2.0 / static_cast<double>(period)};
  return hook;
}

Hook make(std::string_view name) {
  Hook hook;
  if (name == "alternate") {
    hook.source = "if (index % 2u != 0u) value = TW_MAKE(-value.x, -value.y);";
    hook.function = [](Complex value, std::uint64_t index) { return index % 2 != 0 ? -value : value; };
  } else if (name == "conjugate") {
    hook.source = "value.y = -value.y;";
    hook.function = [](Complex value, std::uint64_t) { return std::conj(value); };
  } else if (name == "power") {
    hook.source = "value = TW_MAKE(value.x * value.x + value.y * value.y, (TW_REAL)0);";
    hook.function = [](Complex value, std::uint64_t) { return Complex(std::norm(value)); };
  } else if (name.starts_with("bartlett/")) {
    const std::string_view digits = name.substr(9);
    std::uint32_t period = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), period);
    if (error != std::errc() || end != digits.data() + digits.size() || period < 1 || period > 0x7fffffff) {
      throw InvalidArgument(
          fmt::format("hook '{}': '{}' is no period; expected a whole number from 1 to 2147483647, such "
                      "as bartlett/1024",
                      name, digits));
    }
    hook = bartlett(period);
  } else {
    throw InvalidArgument(fmt::format(
        "'{}' is no hook; expected alternate, bartlett/P, conjugate or power, such as bartlett/1024", name));
  }
  return hook;
}

}  // namespace

std::shared_ptr<const Hook> named_hook(std::string_view name) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const Hook>, std::less<>> hooks;
  const std::lock_guard lock(mutex);
  if (const auto known = hooks.find(name); known != hooks.end()) return known->second;
  Hook hook = make(name);
  hook.name = name;
  return hooks.emplace(name, std::make_shared<const Hook>(std::move(hook))).first->second;
}

}  // namespace twiddle
