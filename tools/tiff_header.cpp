// TIFF tags through libtiff, from memory: nothing of the file is decoded here.
#include "tiff_header.hpp"

#include <fmt/format.h>
#include <tiffio.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "errors.hpp"

namespace twiddle::tool {
namespace {

struct Source {
  const std::string& bytes;
  std::size_t position = 0;
};

Source& source(thandle_t handle) { return *static_cast<Source*>(handle); }

tmsize_t read(thandle_t handle, void* target, tmsize_t size) {
  Source& from = source(handle);
  const std::size_t left = from.bytes.size() - std::min(from.position, from.bytes.size());
  const std::size_t count = std::min(left, static_cast<std::size_t>(size));
  std::memcpy(target, from.bytes.data() + (from.bytes.size() - left), count);
  from.position += count;
  return static_cast<tmsize_t>(count);
}

tmsize_t write(thandle_t, void*, tmsize_t) { return -1; }

toff_t seek(thandle_t handle, toff_t offset, int whence) {
  Source& from = source(handle);
  if (whence == SEEK_CUR) offset += from.position;
  if (whence == SEEK_END) offset += from.bytes.size();
  from.position = offset;
  return offset;
}

int close(thandle_t) { return 0; }

toff_t size(thandle_t handle) { return source(handle).bytes.size(); }

}  // namespace

unsigned check_tiff_header(const std::string& path, const std::string& bytes) {
  // What libtiff has to say would go to standard error; the decoder reports it again, as an exception.
  TIFFSetErrorHandler(nullptr);
  TIFFSetWarningHandler(nullptr);
  Source from{bytes};
  // 'm': no memory mapping.
  const std::unique_ptr<TIFF, decltype(&TIFFClose)> tiff(
      TIFFClientOpen(path.c_str(), "rm", &from, read, write, seek, close, size, nullptr, nullptr), TIFFClose);
  if (!tiff) throw FileError(fmt::format("cannot read picture '{}': its TIFF directory is damaged or truncated", path));
  std::uint16_t sample_format = SAMPLEFORMAT_UINT;
  std::uint16_t bits = 1;
  TIFFGetFieldDefaulted(tiff.get(), TIFFTAG_SAMPLEFORMAT, &sample_format);
  TIFFGetFieldDefaulted(tiff.get(), TIFFTAG_BITSPERSAMPLE, &bits);
  const char* kind = sample_format == SAMPLEFORMAT_IEEEFP ? "floating-point"
                     : sample_format == SAMPLEFORMAT_INT  ? "signed integer"
                                                          : "unsigned integer";
  if ((sample_format != SAMPLEFORMAT_UINT && sample_format != SAMPLEFORMAT_VOID) || bits > 16) {
    throw FileError(
        fmt::format("cannot read picture '{}': expected unsigned integer samples of 8 or 16 bits, but its "
                    "TIFF tags say {} of {} bits",
                    path, kind, bits));
  }
  return bits;
}

}  // namespace twiddle::tool
