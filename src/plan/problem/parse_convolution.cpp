// Reads convolutions, where errors say what is wrong where, and writes them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <functional>
#include <set>
#include <type_traits>

#include "plan/problem/split.hpp"
#include "twiddle/convolution_text.hpp"
#include "twiddle/error.hpp"

namespace twiddle {
namespace {

using plan::split;

using Mode = Convolution::Mode;
using Method = Convolution::Method;
using Function = PostProcessing::Function;

constexpr std::string_view prefix = "conv:";
constexpr std::array precisions{Precision::float32, Precision::float64};
constexpr std::array modes{Mode::full, Mode::same, Mode::valid};
constexpr std::array boundaries{Boundary::zero, Boundary::periodic, Boundary::reflect, Boundary::nearest};
constexpr std::array methods{Method::automatic, Method::direct, Method::separable, Method::whole, Method::overlap_save};
constexpr std::array functions{Function::none,       Function::power,         Function::magnitude,
                               Function::derivative, Function::interbin_pi_4, Function::interbin_2_pi};

class ConvolutionParser {
 public:
  explicit ConvolutionParser(std::string_view text) : text_(text) {}

  Convolution parse() {
    const std::vector<std::string_view> parts = split(text_, ':');
    if (parts.size() < 5 || parts[0] != "conv") {
      throw InvalidArgument(
          fmt::format("convolution '{}': expected conv:ELEMENTS:PRECISION:SIGNALS:FILTERS and options, such as "
                      "conv:real:f32:1048576:32*257",
                      text_));
    }
    if (parts[1] != "real" && parts[1] != "complex") fail(parts[1], "real or complex");
    result_.complex = parts[1] == "complex";
    result_.precision = named(parts[2], precisions);
    read_shape(parts[3], result_.signals, result_.signal_lengths);
    read_shape(parts[4], result_.filters, result_.kernel_lengths);
    for (std::size_t i = 5; i < parts.size(); ++i) read_option(parts[i]);
    validate(result_);
    return result_;
  }

 private:
  [[noreturn]] void fail(std::string_view part, std::string_view expected) const {
    throw InvalidArgument(fmt::format("convolution '{}': '{}' was given; expected {}", text_, part, expected));
  }

  [[nodiscard]] std::size_t number(std::string_view digits) const {
    std::size_t value = 0;
    const char* last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, value);
    if (error != std::errc() || end != last) fail(digits, "a whole number");
    return value;
  }

  // The value whose name the text is.
  template <class Values>
  typename Values::value_type named(std::string_view text, const Values& values) const {
    std::vector<std::string_view> names;
    for (const auto value : values) {
      if (to_string(value) == text) return value;
      names.push_back(to_string(value));
    }
    fail(text, fmt::format("one of {}", fmt::join(names, ", ")));
  }

  void read_shape(std::string_view part, std::size_t& count, std::vector<std::size_t>& lengths) const {
    if (const auto star = part.find('*'); star != std::string_view::npos) {
      count = number(part.substr(0, star));
      part.remove_prefix(star + 1);
    }
    for (const std::string_view length : split(part, 'x')) lengths.push_back(number(length));
  }

  void read_option(std::string_view part) {
    const auto sign = part.find('=');
    const std::string_view name = part.substr(0, sign);
    const std::string_view value = sign == std::string_view::npos ? "" : part.substr(sign + 1);
    if (!read_.insert(name).second) fail(part, fmt::format("'{}' at most once", name));
    if (part == "correlate") {
      result_.operation = Convolution::Operation::correlate;
    } else if (part == "maximum") {
      result_.post.maximum = true;
    } else if (name == "mode") {
      result_.mode = named(value, modes);
    } else if (name == "boundary") {
      result_.boundary = named(value, boundaries);
    } else if (name == "method") {
      result_.method = named(value, methods);
    } else if (name == "segment") {
      result_.segment = number(value);
    } else if (name == "post") {
      result_.post.function = named(value, functions);
    } else if (name == "decimation") {
      result_.post.decimation = number(value);
    } else {
      fail(part,
           "correlate, mode=, boundary=, method=, segment=, post=, maximum or decimation=, as in "
           "conv:complex:f32:1048576:32*257:mode=same:post=power");
    }
  }

  std::string_view text_;
  Convolution result_;
  std::set<std::string_view> read_;
};

std::string shape_text(std::size_t count, const std::vector<std::size_t>& lengths) {
  return (count == 1 ? "" : fmt::format("{}*", count)) + fmt::format("{}", fmt::join(lengths, "x"));
}

}  // namespace

std::string convolution_text(const Convolution& convolution) {
  const Convolution usual;
  std::string text =
      fmt::format("{}{}:{}:{}:{}", prefix, convolution.complex ? "complex" : "real", to_string(convolution.precision),
                  shape_text(convolution.signals, convolution.signal_lengths),
                  shape_text(convolution.filters, convolution.kernel_lengths));
  const auto add = [&](std::string_view name, const auto& value, const auto& unless) {
    if (value == unless) return;
    if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(value)>>) {
      text += fmt::format(":{}={}", name, value);
    } else {
      text += fmt::format(":{}={}", name, to_string(value));
    }
  };
  if (convolution.operation == Convolution::Operation::correlate) text += ":correlate";
  add("mode", convolution.mode, usual.mode);
  add("boundary", convolution.boundary, usual.boundary);
  add("method", convolution.method, usual.method);
  add("segment", convolution.segment, usual.segment);
  add("post", convolution.post.function, usual.post.function);
  if (convolution.post.maximum) text += ":maximum";
  add("decimation", convolution.post.decimation, usual.post.decimation);
  return text;
}

bool is_convolution_text(std::string_view text) { return text.starts_with(prefix); }

Convolution parse_convolution(std::string_view text) { return ConvolutionParser(text).parse(); }

}  // namespace twiddle
