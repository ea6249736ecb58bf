// Reads problems; errors say what is wrong where.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "plan/problem/split.hpp"
#include "twiddle/error.hpp"
#include "twiddle/hook.hpp"
#include "twiddle/problem.hpp"

namespace twiddle {
namespace {

using plan::split;

constexpr std::array all_kinds = {Kind::c2c,  Kind::r2c,  Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                                  Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4, Kind::dht};
constexpr std::array all_precisions = {Precision::float16, Precision::float32, Precision::float64, Precision::extended};
constexpr std::array all_normalizations = {Normalization::backward, Normalization::ortho, Normalization::forward,
                                           Normalization::none};

class ProblemParser {
 public:
  explicit ProblemParser(std::string_view text) : text_(text) {}

  Problem parse() {
    const std::vector<std::string_view> parts = split(text_, ':');
    if (parts.size() < 3) {
      throw InvalidArgument(
          fmt::format("problem '{}' has {} of the 3 parts that it needs; expected "
                      "KIND:PRECISION:SHAPE and options, such as c2c:f32:16*1080x1920:inverse",
                      text_, text_.empty() ? 0 : parts.size()));
    }
    read_kind(parts[0]);
    read_precision(parts[1]);
    read_shape(parts[2]);
    for (std::size_t i = 3; i < parts.size(); ++i) read_option(parts[i]);
    return finish();
  }

 private:
  struct Option {
    std::string_view name;
    bool has_value;
    std::string_view expected;
    void (ProblemParser::*read)(const Option& option, std::string_view part, std::string_view value);
  };

  // `found` is what is wrong within `part`.
  [[noreturn]] void fail(std::string_view part, std::string_view found, std::string_view what,
                         std::string_view expected) const {
    const std::string within = found == part ? "" : fmt::format(" in '{}'", part);
    throw InvalidArgument(fmt::format("problem '{}': '{}'{} {}; expected {}", text_, found, within, what, expected));
  }

  template <class Number>
  Number number(std::string_view part, std::string_view digits, std::string_view expected) const {
    Number value{};
    const char* last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, value);
    if (error == std::errc::result_out_of_range && end == last) {
      fail(part, digits, fmt::format("is out of range (at most {})", std::numeric_limits<Number>::max()), expected);
    }
    if (error != std::errc() || end != last) {
      fail(part, digits, std::is_integral_v<Number> ? "is not a whole number" : "is not a number", expected);
    }
    return value;
  }

  template <class Number>
  std::vector<Number> numbers(std::string_view part, std::string_view list, char separator,
                              std::string_view expected) const {
    std::vector<Number> values;
    for (const std::string_view digits : split(list, separator)) {
      values.push_back(number<Number>(part, digits, expected));
    }
    return values;
  }

  void read_kind(std::string_view part) {
    if (part == "c2r") {
      problem_.transform.kind = Kind::r2c;
      problem_.direction = Direction::inverse;
      return;
    }
    for (const Kind kind : all_kinds) {
      if (part == to_string(kind)) {
        problem_.transform.kind = kind;
        return;
      }
    }
    fail(part, part, "is no kind of transform",
         "one of c2c, r2c, c2r, dct1 to dct4, dst1 to dst4 and dht first, such as c2c:f32:1000");
  }

  void read_precision(std::string_view part) {
    for (const Precision precision : all_precisions) {
      if (part == to_string(precision)) {
        problem_.transform.precision = precision;
        return;
      }
    }
    fail(part, part, "is no precision",
         "one of f16, f32, f64 and f80 (long double) after the kind, such as c2c:f32:1000");
  }

  void read_shape(std::string_view part) {
    constexpr std::string_view expected =
        "lengths from 1 joined by 'x', after the number of arrays and '*' where there are several, such as "
        "16*1080x1920";
    std::string_view lengths = part;
    if (const auto star = part.find('*'); star != std::string_view::npos) {
      problem_.transform.batch = number<std::size_t>(part, part.substr(0, star), expected);
      lengths = part.substr(star + 1);
    }
    problem_.transform.lengths = numbers<std::size_t>(part, lengths, 'x', expected);
  }

  void read_option(std::string_view part) {
    const auto equals = part.find('=');
    const std::string_view name = part.substr(0, equals);
    for (const Option& option : options) {
      if (name != option.name) continue;
      if (!given_.insert(name).second) fail(part, name, "is given twice", "each option at most once");
      if (option.has_value != (equals != std::string_view::npos)) {
        fail(part, part, option.has_value ? "has no value" : "has a value but takes none", option.expected);
      }
      (this->*option.read)(option, part, option.has_value ? part.substr(equals + 1) : "");
      return;
    }
    std::vector<std::string_view> names;
    for (const Option& option : options) names.push_back(option.name);
    fail(part, part, "is no option", fmt::format("one of {}, such as axes=0,2", fmt::join(names, ", ")));
  }

  void read_axes(const Option& option, std::string_view part, std::string_view value) {
    problem_.transform.axes = numbers<std::size_t>(part, value, ',', option.expected);
  }

  void read_inverse(const Option& option, std::string_view part, std::string_view) {
    if (problem_.direction == Direction::inverse) {
      fail(part, part, "is said of c2r, which is the inverse of r2c already", option.expected);
    }
    problem_.direction = Direction::inverse;
  }

  void read_in_place(const Option&, std::string_view, std::string_view) { problem_.placement = Placement::in_place; }

  void read_normalization(const Option& option, std::string_view part, std::string_view value) {
    for (const Normalization normalization : all_normalizations) {
      if (value == to_string(normalization)) {
        problem_.transform.normalization = normalization;
        return;
      }
    }
    fail(part, value, "is no normalization", option.expected);
  }

  void read_factor(const Option& option, std::string_view part, std::string_view value) {
    const std::vector<double> factors = numbers<double>(part, value, ',', option.expected);
    for (const double factor : factors) {
      if (!std::isfinite(factor)) fail(part, value, "is not finite", option.expected);
    }
    if (factors.size() > 2) fail(part, value, "has more than two factors", option.expected);
    factor_ = factors[0];
    if (factors.size() > 1) other_factor_ = factors[1];
  }

  void read_layout(const Option& option, std::string_view part, std::string_view value) {
    Layout& layout = option.name == "in" ? read_ : written_;
    std::set<std::string_view> given;
    for (const std::string_view item : split(value, '/')) {
      const auto equals = item.find('=');
      const std::string_view name = item.substr(0, equals);
      const bool has_value = equals != std::string_view::npos;
      const std::string_view digits = has_value ? item.substr(equals + 1) : "";
      const bool strides = !has_value && name != "planar";
      if (!given.insert(strides ? "strides" : name).second) fail(part, item, "comes second", "each once");
      if (strides) {
        layout.strides = numbers<std::int64_t>(part, item, ',', option.expected);
      } else if (name == "batch") {
        layout.batch_stride = number<std::int64_t>(part, digits, option.expected);
      } else if (name == "offset") {
        layout.offset = number<std::uint64_t>(part, digits, option.expected);
      } else if (name == "planar") {
        layout.format = Layout::Format::planar;
        if (has_value) layout.imaginary_offset = number<std::int64_t>(part, digits, option.expected);
      } else {
        fail(part, item, "is no part of a layout", option.expected);
      }
    }
  }

  void read_extents(const Option& option, std::string_view part, std::string_view value) {
    (option.name == "nonzero" ? extents_read_ : extents_written_) =
        numbers<std::size_t>(part, value, ',', option.expected);
  }

  void read_hook(const Option& option, std::string_view part, std::string_view value) {
    try {
      (option.name == "load" ? problem_.transform.load_hook : problem_.transform.store_hook) = named_hook(value);
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(fmt::format("problem '{}': in '{}', {}", text_, part, error.what()));
    }
  }

  void read_overwrite(const Option&, std::string_view, std::string_view) { problem_.transform.overwrite_input = true; }

  // What is read and written becomes the input and output of the forward transform.
  Problem finish() {
    Transform& transform = problem_.transform;
    transform.input = std::move(read_);
    transform.output = std::move(written_);
    transform.input_extents = std::move(extents_read_);
    transform.output_extents = std::move(extents_written_);
    transform.forward_factor = factor_;
    transform.inverse_factor = other_factor_;
    if (problem_.direction == Direction::inverse) {
      std::swap(transform.input, transform.output);
      std::swap(transform.input_extents, transform.output_extents);
      std::swap(transform.forward_factor, transform.inverse_factor);
    }
    try {
      validate(transform);
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(fmt::format("problem '{}': {}", text_, error.what()));
    }
    return problem_;
  }

  static const std::array<Option, 12> options;

  std::string_view text_;
  Problem problem_;
  std::set<std::string_view> given_;
  double factor_ = 1;
  double other_factor_ = 1;
  Layout read_;
  Layout written_;
  std::vector<std::size_t> extents_read_;
  std::vector<std::size_t> extents_written_;
};

constexpr std::string_view layout_form =
    "strides, batch=B, offset=O and planar or planar=P, joined by '/', such as in=2048,2/offset=3";
constexpr std::string_view extents_form = "one extent for each dimension, joined by ',', such as nonzero=100,64";

const std::array<ProblemParser::Option, 12> ProblemParser::options = {
    {{"axes", true, "numbers of dimensions, from 0, joined by ',', such as axes=0,2", &ProblemParser::read_axes},
     {"inverse", false, "inverse alone, and not with c2r, such as c2c:f32:1000:inverse", &ProblemParser::read_inverse},
     {"inplace", false, "inplace alone, such as c2c:f32:1000:inplace", &ProblemParser::read_in_place},
     {"norm", true, "one of backward, ortho, forward and none, such as norm=ortho", &ProblemParser::read_normalization},
     {"factor", true, "a finite number, or two for both directions, such as factor=0.5", &ProblemParser::read_factor},
     {"in", true, layout_form, &ProblemParser::read_layout},
     {"out", true, layout_form, &ProblemParser::read_layout},
     {"nonzero", true, extents_form, &ProblemParser::read_extents},
     {"wanted", true, extents_form, &ProblemParser::read_extents},
     {"load", true, "a hook, such as load=alternate", &ProblemParser::read_hook},
     {"store", true, "a hook, such as store=power", &ProblemParser::read_hook},
     {"overwrite", false, "overwrite alone, such as c2r:f32:1000:overwrite", &ProblemParser::read_overwrite}}};

}  // namespace

Problem parse_problem(std::string_view text) { return ProblemParser(text).parse(); }

}  // namespace twiddle
