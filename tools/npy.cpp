// Strict reading and writing of .npy files.
#include "npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "errors.hpp"
#include "files.hpp"
#include "npy_types.hpp"

namespace twiddle::tool {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view magic = "\x93NUMPY"sv;
constexpr std::size_t longest_header = 65536;  // of an array of 64 dimensions, NumPy's most, ten times over

// Reads the dictionary from left to right; keys may come in any order, as the format demands.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : rest_(text) {}

  NpyHeader parse() {
    std::optional<std::string> type;
    std::optional<bool> fortran_order;
    std::optional<std::vector<std::size_t>> shape;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr" && !type) {
        type = type_name();
      } else if (key == "fortran_order" && !fortran_order) {
        fortran_order = boolean();
      } else if (key == "shape" && !shape) {
        shape = tuple();
      } else {
        fail(fmt::format("unexpected or repeated key '{}'", key));
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_spaces();
    if (!rest_.empty()) fail("text after the dictionary");
    if (!type || !fortran_order || !shape) fail("expected the keys 'descr', 'fortran_order' and 'shape'");
    return {.type = *type, .fortran_order = *fortran_order, .shape = *shape};
  }

 private:
  [[noreturn]] static void fail(const std::string& what) { throw FileError("malformed .npy header: " + what); }

  void skip_spaces() {
    const auto first = rest_.find_first_not_of(" \n\t\r");
    rest_.remove_prefix(first == std::string_view::npos ? rest_.size() : first);
  }

  bool accept(char wanted) {
    skip_spaces();
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted)) fail(fmt::format("expected '{}' before '{}'", wanted, rest_.substr(0, 12)));
  }

  std::string string() {
    skip_spaces();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    if (quote != '\'' && quote != '"') fail("expected a quoted string");
    const auto end = rest_.find(quote, 1);
    if (end == std::string_view::npos) fail("unterminated string");
    std::string value(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return value;
  }

  std::string type_name() {
    skip_spaces();
    if (rest_.starts_with('[')) {
      throw FileError("expected numbers, but its elements are structures; write one of their fields: array['name']");
    }
    return string();
  }

  bool boolean() {
    skip_spaces();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (rest_.starts_with(word)) {
        rest_.remove_prefix(word.size());
        return value;
      }
    }
    fail("'fortran_order' is neither True nor False");
  }

  std::vector<std::size_t> tuple() {
    std::vector<std::size_t> values;
    expect('(');
    while (!accept(')')) {
      skip_spaces();
      std::size_t value = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
      if (error != std::errc()) fail("'shape' holds something other than a length");
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      values.push_back(value);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return values;
  }

  std::string_view rest_;
};

// Elements of the shape, of which each takes so many bytes; throws where there are none or too many to count.
std::size_t count_elements(const std::vector<std::size_t>& shape, std::size_t bytes_each) {
  if (shape.empty()) throw FileError("expected an array of at least one dimension, but its shape is ()");
  std::size_t bytes = bytes_each;
  for (const std::size_t length : shape) {
    if (length == 0)
      throw FileError(fmt::format("the array has no elements: its shape is ({})", fmt::join(shape, ", ")));
    if (__builtin_mul_overflow(bytes, length, &bytes)) {
      throw FileError(fmt::format("the shape ({}) is larger than any memory", fmt::join(shape, ", ")));
    }
  }
  return bytes / bytes_each;
}

std::string read_exactly(std::ifstream& stream, std::size_t count) {
  std::string bytes(count, '\0');
  if (!stream.read(bytes.data(), static_cast<std::streamsize>(count))) {
    throw FileError("the file ends within its header");
  }
  return bytes;
}

// The dictionary's text; leaves the stream at the first element.
std::string read_header(std::ifstream& stream) {
  const std::string start = read_exactly(stream, magic.size() + 2);
  if (!start.starts_with(magic)) throw FileError("it is not a .npy file (it does not start with \\x93NUMPY)");
  const unsigned version = static_cast<unsigned char>(start[magic.size()]);
  if (version < 1 || version > 3) throw FileError(fmt::format("expected .npy format 1, 2 or 3, but it is {}", version));
  std::size_t length = 0;
  const std::string bytes = read_exactly(stream, version == 1 ? 2 : 4);
  for (std::size_t i = bytes.size(); i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[i]);
  if (length > longest_header) throw FileError(fmt::format("its header claims to be {} bytes long", length));
  return read_exactly(stream, length);
}

NpyArray read_array(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw FileError(std::strerror(errno));
  const NpyHeader header = parse_npy_header(read_header(stream));
  const NpyType type = parse_npy_type(header.type);
  NpyArray array{.shape = header.shape, .fortran_order = header.fortran_order, .type = type.element()};
  const std::size_t count = count_elements(header.shape, std::max(type.bytes, element_bytes(array.type)));
  // The file must hold exactly what its header declares: checked before anything of that size is allocated.
  const std::uintmax_t expected = count * type.bytes;
  const std::uintmax_t actual = std::filesystem::file_size(path) - static_cast<std::uintmax_t>(stream.tellg());
  if (actual != expected) {
    throw FileError(fmt::format("the shape ({}) needs {} bytes of data, but the file holds {}: it is {}",
                                fmt::join(header.shape, ", "), expected, actual,
                                actual < expected ? "truncated" : "followed by something else"));
  }
  array.bytes.resize(expected);
  if (!stream.read(reinterpret_cast<char*>(array.bytes.data()), static_cast<std::streamsize>(expected))) {
    throw FileError(std::strerror(errno));
  }
  if (type.is_integer()) {
    std::vector<std::byte> doubles(count * sizeof(double));
    decode_integers(array.bytes, type, {reinterpret_cast<double*>(doubles.data()), count});
    array.bytes = std::move(doubles);
  }
  return array;
}

}  // namespace

NpyHeader parse_npy_header(std::string_view text) { return HeaderParser(text).parse(); }

NpyArray read_npy(const std::string& path) {
  try {
    if (std::filesystem::is_directory(path)) throw FileError("it is a folder");
    return read_array(path);
  } catch (const std::filesystem::filesystem_error& error) {
    throw FileError(fmt::format("cannot read '{}': {}", path, error.code().message()));
  } catch (const FileError& error) {
    throw FileError(fmt::format("cannot read '{}': {}", path, error.what()));
  }
}

void write_npy(const std::string& path, const NpyArray& array) {
  std::string dictionary = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}{}), }}",
                                       npy_type_code(array.type), array.fortran_order ? "True" : "False",
                                       fmt::join(array.shape, ", "), array.shape.size() == 1 ? "," : "");
  // Data starts at a multiple of 64 bytes. 64 dimensions of 20 digits still fit the 16-bit length of format 1.0.
  const std::size_t start = magic.size() + 4;
  dictionary.append(63 - (start + dictionary.size()) % 64, ' ');
  dictionary += '\n';
  std::string header = fmt::format("{}{}{}", magic, '\1', '\0');
  header += static_cast<char>(dictionary.size() & 0xFF);
  header += static_cast<char>(dictionary.size() >> 8);
  header += dictionary;
  write_file(path, {header, {reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size()}});
}

}  // namespace twiddle::tool
