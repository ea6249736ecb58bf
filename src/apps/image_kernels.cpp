// Kernels of images: those with a name, and how they are written.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <numeric>

#include "twiddle/error.hpp"
#include "twiddle/image_convolution.hpp"

namespace twiddle {
namespace {

struct NamedKernel {
  std::string_view name;
  std::string_view rows;
};
// As convolutions: sobel-x is positive where the picture becomes brighter to the right, sobel-y downwards, and emboss
// lights it from above on the left.
constexpr std::array named_kernels = {
    NamedKernel{"identity", "1"},
    NamedKernel{"sharpen", "0 -1 0; -1 5 -1; 0 -1 0"},
    NamedKernel{"smooth", "1 1 1; 1 1 1; 1 1 1"},
    NamedKernel{"smooth5", "1 1 1 1 1; 1 1 1 1 1; 1 1 1 1 1; 1 1 1 1 1; 1 1 1 1 1"},
    NamedKernel{"gaussian", "1 2 1; 2 4 2; 1 2 1"},
    NamedKernel{"gaussian5", "1 4 6 4 1; 4 16 24 16 4; 6 24 36 24 6; 4 16 24 16 4; 1 4 6 4 1"},
    NamedKernel{"sobel-x", "1 0 -1; 2 0 -2; 1 0 -1"},
    NamedKernel{"sobel-y", "1 2 1; 0 0 0; -1 -2 -1"},
    NamedKernel{"laplacian", "0 1 0; 1 -4 1; 0 1 0"},
    NamedKernel{"emboss", "2 1 0; 1 1 -1; 0 -1 -2"},
};

// Levenshtein's distance: the fewest letters to insert, remove or replace (V. I. Levenshtein, 1966), row by row.
std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < left.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < right.size(); ++j) {
      const std::size_t replaced = diagonal + (left[i] == right[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

[[noreturn]] void throw_unknown(std::string_view name) {
  const auto nearest = std::min_element(named_kernels.begin(), named_kernels.end(), [&](const auto& a, const auto& b) {
    return edit_distance(name, a.name) < edit_distance(name, b.name);
  });
  throw InvalidArgument(
      fmt::format("there is no kernel '{}'; did you mean {}? Known are {}, and rows of numbers such as \"0 -1 0; -1 5 "
                  "-1; 0 -1 0\"",
                  name, nearest->name, fmt::join(image_kernel_names(), ", ")));
}

bool is_blank(char letter) { return letter == ',' || std::isspace(static_cast<unsigned char>(letter)) != 0; }

double parse_number(std::string_view word, std::string_view text) {
  double value = 0;
  const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) {
    throw InvalidArgument(fmt::format("'{}' in the kernel '{}' is no number", word, text));
  }
  return value;
}

std::vector<double> parse_row(std::string_view row, std::string_view text) {
  std::vector<double> numbers;
  for (auto begin = std::find_if_not(row.begin(), row.end(), is_blank); begin != row.end();) {
    const auto end = std::find_if(begin, row.end(), is_blank);
    numbers.push_back(parse_number({begin, end}, text));
    begin = std::find_if_not(end, row.end(), is_blank);
  }
  return numbers;
}

ImageKernel parse_rows(std::string_view text) {
  ImageKernel kernel;
  for (std::string_view rest = text;;) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    const std::vector<double> row = parse_row(rest.substr(0, end), text);
    if (kernel.height == 0) kernel.width = row.size();
    ++kernel.height;
    if (row.size() != kernel.width || row.empty()) {
      throw InvalidArgument(fmt::format("row {} of the kernel '{}' has {} numbers; expected {}, as in row 1",
                                        kernel.height, text, row.size(), std::max<std::size_t>(kernel.width, 1)));
    }
    kernel.weights.insert(kernel.weights.end(), row.begin(), row.end());
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
  }
  if (kernel.height % 2 == 0 || kernel.width % 2 == 0) {
    throw InvalidArgument(
        fmt::format("the kernel '{}' is {} x {} (height x width); expected odd numbers, so that it has a centre: add a "
                    "row or column of zeros",
                    text, kernel.height, kernel.width));
  }
  return kernel;
}

}  // namespace

std::vector<std::string_view> image_kernel_names() {
  std::vector<std::string_view> names;
  for (const NamedKernel& kernel : named_kernels) names.push_back(kernel.name);
  return names;
}

ImageKernel parse_image_kernel(std::string_view text) {
  for (const NamedKernel& kernel : named_kernels) {
    if (kernel.name == text) return parse_rows(kernel.rows);
  }
  const bool is_name = !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
                       text.find(';') == std::string_view::npos;
  if (is_name) throw_unknown(text);
  return parse_rows(text);
}

std::string to_string(const ImageKernel& kernel) {
  std::string text;
  for (std::size_t i = 0; i < kernel.weights.size(); ++i) {
    if (i != 0) text += i % kernel.width == 0 ? "; " : " ";
    text += fmt::format("{}", kernel.weights[i]);
  }
  return text;
}

}  // namespace twiddle
