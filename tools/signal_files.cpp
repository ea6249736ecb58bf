// Arrays as signals, and which kind a file is of.
#include "signal_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>

#include "errors.hpp"
#include "files.hpp"
#include "npy.hpp"

namespace twiddle::tool {
namespace {

class NpySource : public SignalSource {
 public:
  NpySource(const std::string& path, std::size_t dimensions) : reader_(path), dimensions_(dimensions) {
    const std::vector<std::size_t>& shape = reader_.header().shape;
    if (shape.size() != dimensions && shape.size() != dimensions + 1) {
      throw FileError(fmt::format("cannot convolve '{}': its shape is ({}); expected {} dimensions{}", path,
                                  fmt::join(shape, ", "),
                                  dimensions == 1 ? "one or two" : fmt::format("{} or {}", dimensions, dimensions + 1),
                                  dimensions == 1 ? ", or more with --dimensions" : ""));
    }
  }
  std::size_t rows() const override { return has_rows() ? reader_.header().shape[0] : 1; }
  std::size_t samples() const override {
    const std::vector<std::size_t> all = lengths();
    return std::accumulate(all.begin(), all.end(), std::size_t{1}, std::multiplies<>());
  }
  bool has_rows() const override { return reader_.header().shape.size() > dimensions_; }
  std::vector<std::size_t> lengths() const override {
    const std::vector<std::size_t>& shape = reader_.header().shape;
    return {shape.end() - static_cast<std::ptrdiff_t>(dimensions_), shape.end()};
  }
  std::optional<SoundFormat> sound() const override { return std::nullopt; }

  ElementType type() const override {
    const ElementType type = reader_.type();
    return {type.precision == Precision::float16 ? Precision::float32 : type.precision, type.complex};
  }

  void read(std::uint64_t first, std::size_t count, ElementType to, std::span<std::byte> samples) override {
    if (reader_.header().fortran_order) return read_columns(first, count, to, samples);
    row_.resize(count * element_bytes(reader_.type()));
    const std::size_t bytes = count * element_bytes(to);
    for (std::size_t row = 0; row < rows(); ++row) {
      reader_.read(row * this->samples() + first, row_);
      convert_elements(row_, reader_.type(), samples.subspan(row * bytes, bytes), to);
    }
  }

 private:
  // In Fortran order, where a sample of all rows stands together.
  void read_columns(std::uint64_t first, std::size_t count, ElementType to, std::span<std::byte> samples) {
    std::vector<std::size_t> shape = reader_.header().shape;
    if (dimensions_ == 1) shape.back() = count;  // others are read whole
    const std::size_t element = element_bytes(reader_.type());
    column_.resize(rows() * count * element);
    row_.resize(column_.size());
    reader_.read(first * rows(), column_);
    std::vector<std::size_t> at(shape.size(), 0);
    for (std::size_t i = 0; i < rows() * count; ++i) {
      std::size_t from = 0;
      for (std::size_t axis = shape.size(); axis-- > 0;) from = from * shape[axis] + at[axis];
      std::memcpy(row_.data() + i * element, column_.data() + from * element, element);
      for (std::size_t axis = shape.size(); axis-- > 0 && ++at[axis] == shape[axis];) at[axis] = 0;
    }
    convert_elements(row_, reader_.type(), samples, to);
  }

  NpyReader reader_;
  std::size_t dimensions_;
  std::vector<std::byte> row_;
  std::vector<std::byte> column_;
};

class NpySink : public SignalSink {
 public:
  NpySink(const std::string& path, const SignalShape& shape)
      : file_(path),
        rows_(std::accumulate(shape.shape.begin(), shape.shape.end() - 1, std::size_t{1}, std::multiplies<>())),
        row_bytes_(shape.shape.back() * element_bytes(shape.type)),
        element_(element_bytes(shape.type)) {
    const std::string header = npy_header(shape.type, false, shape.shape);
    if (rows_ > 1 && !file_.is_regular()) {
      throw FileError(
          fmt::format("cannot write '{}': several rows are written side by side, which needs a file that "
                      "can be written anywhere",
                      path));
    }
    file_.append(header);
    start_ = header.size();
  }

  void write(std::span<const std::byte> samples, std::size_t count) override {
    const std::size_t bytes = count * element_;
    if (rows_ == 1) return file_.append({reinterpret_cast<const char*>(samples.data()), bytes});
    for (std::size_t row = 0; row < rows_; ++row) {
      file_.write_at(start_ + row * row_bytes_ + written_, samples.subspan(row * bytes, bytes));
    }
    written_ += bytes;
  }

  std::string commit() override {
    file_.commit();
    return "";
  }

 private:
  OutputFile file_;
  std::size_t rows_;
  std::uint64_t row_bytes_;
  std::size_t element_;
  std::uint64_t start_ = 0;    // of the first row
  std::uint64_t written_ = 0;  // bytes of each row
};

}  // namespace

std::unique_ptr<SignalSource> open_signal(const std::string& path, std::size_t dimensions) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) {
    std::ifstream stream(path, std::ios::binary);
    char start[6] = {};
    stream.read(start, sizeof start);
    const std::string_view bytes(start, static_cast<std::size_t>(stream.gcount()));
    if (stream.is_open() && bytes.empty()) {
      throw FileError(fmt::format("cannot read '{}': the file is empty", path));
    }
    if (stream.is_open() && bytes != "\x93NUMPY") {
      if (dimensions == 1) return open_sound(path);
      throw UsageError(fmt::format("'{}' is no array; expected one for --dimensions {}", path, dimensions));
    }
  }
  return std::make_unique<NpySource>(path, dimensions);  // says what is wrong with what cannot be opened
}

bool is_npy_name(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".npy") return true;
  if (!extension.empty()) return false;
  throw UsageError(
      fmt::format("cannot tell the format of '{}': expected a name that ends in .npy, .wav, .flac, ...", path));
}

std::unique_ptr<SignalSink> create_signal(const std::string& path, const SignalShape& shape) {
  if (is_npy_name(path)) return std::make_unique<NpySink>(path, shape);
  return create_sound(path, shape);
}

}  // namespace twiddle::tool
