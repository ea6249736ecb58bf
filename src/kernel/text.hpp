// Indented program text, line by line.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace twiddle::kernel {

class Text {
 public:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_.append(depth_ * 2, ' ');
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }

  // A line that begins a block; close() ends it.
  template <class... Arguments>
  void open(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    line(format, std::forward<Arguments>(arguments)...);
    ++depth_;
  }
  void close() {
    --depth_;
    line("}}");
  }

  // An unrolled counting loop.
  void loop(const char* variable, unsigned from, unsigned to, unsigned step = 1) {
    line("#pragma unroll");
    open("for (TW_UINT {0} = {1}; {0} < {2}; {3}) {{", variable, from, to,
         step == 1 ? fmt::format("++{}", variable) : fmt::format("{} += {}", variable, step));
  }

  void raw(std::string_view text) { text_ += text; }

  // Characters so far.
  [[nodiscard]] std::size_t size() const { return text_.size(); }

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  unsigned depth_ = 0;
};

}  // namespace twiddle::kernel
