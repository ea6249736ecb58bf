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

// Elements of the shape, of which each takes so many bytes; throws where there are too many to count, or none.
std::size_t count_elements(const std::vector<std::size_t>& shape, std::size_t bytes_each, Empty empty) {
  if (shape.empty()) throw FileError("expected an array of at least one dimension, but its shape is ()");
  std::size_t bytes = bytes_each;
  for (const std::size_t length : shape) {
    if (length == 0 && empty == Empty::refused)
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

// Throws unless the file holds exactly what its header declares: checked before anything of that size is allocated.
void check_size(const std::string& path, std::uint64_t start, const NpyHeader& header, const NpyType& type,
                Empty empty) {
  const std::size_t count = count_elements(header.shape, std::max(type.bytes, element_bytes(type.element())), empty);
  const std::uintmax_t expected = count * type.bytes;
  const std::uintmax_t actual = std::filesystem::file_size(path) - start;
  if (actual == expected) return;
  throw FileError(fmt::format("the shape ({}) needs {} bytes of data, but the file holds {}: it is {}",
                              fmt::join(header.shape, ", "), expected, actual,
                              actual < expected ? "truncated" : "followed by something else"));
}

// Names the file in what `action` throws.
template <class Action>
void naming_file(const std::string& path, Action action) {
  try {
    action();
  } catch (const std::filesystem::filesystem_error& error) {
    throw FileError(fmt::format("cannot read '{}': {}", path, error.code().message()));
  } catch (const FileError& error) {
    throw FileError(fmt::format("cannot read '{}': {}", path, error.what()));
  }
}

}  // namespace

NpyHeader parse_npy_header(std::string_view text) { return HeaderParser(text).parse(); }

NpyReader::NpyReader(const std::string& path, Empty empty) : path_(path) {
  naming_file(path, [&] {
    if (std::filesystem::is_directory(path)) throw FileError("it is a folder");
    stream_.open(path, std::ios::binary);
    if (!stream_) throw FileError(std::strerror(errno));
    header_ = parse_npy_header(read_header(stream_));
    type_ = parse_npy_type(header_.type);
    start_ = static_cast<std::uint64_t>(stream_.tellg());
    check_size(path, start_, header_, type_, empty);
  });
}

void NpyReader::read(std::uint64_t first, std::span<std::byte> elements) {
  naming_file(path_, [&] {
    const std::size_t count = elements.size() / element_bytes(type());
    std::span<std::byte> bytes = elements;
    if (type_.is_integer()) {
      encoded_.resize(count * type_.bytes);
      bytes = encoded_;
    }
    stream_.seekg(static_cast<std::streamoff>(start_ + first * type_.bytes));
    if (!stream_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()))) {
      throw FileError(errno != 0 ? std::strerror(errno) : "it became shorter while it was read");
    }
    to_own_order(bytes, type_);
    if (type_.is_integer()) {
      decode_integers(bytes, type_, {reinterpret_cast<double*>(elements.data()), count});
    }
  });
}

NpyArray read_npy(const std::string& path) {
  NpyReader reader(path, Empty::allowed);
  NpyArray array{.shape = reader.header().shape, .fortran_order = reader.header().fortran_order, .type = reader.type()};
  array.bytes.resize(count_elements(array.shape, element_bytes(array.type), Empty::allowed) *
                     element_bytes(array.type));
  reader.read(0, array.bytes);
  return array;
}

std::string npy_header(ElementType type, bool fortran_order, const std::vector<std::size_t>& shape) {
  std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}{}), }}", npy_type_code(type),
                  fortran_order ? "True" : "False", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  // Data starts at a multiple of 64 bytes. 64 dimensions of 20 digits still fit the 16-bit length of format 1.0.
  const std::size_t start = magic.size() + 4;
  dictionary.append(63 - (start + dictionary.size()) % 64, ' ');
  dictionary += '\n';
  std::string header = fmt::format("{}{}{}", magic, '\1', '\0');
  header += static_cast<char>(dictionary.size() & 0xFF);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

void write_npy(const std::string& path, const NpyArray& array) {
  const std::string header = npy_header(array.type, array.fortran_order, array.shape);
  write_file(path, {header, {reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size()}});
}

}  // namespace twiddle::tool
