// Reading and writing pictures. GraphicsMagick decodes from memory with the format that the content shows, so that no
// file name is ever interpreted and no decoder beyond these five runs on a stranger's file.
#include "image.hpp"

#include <Magick++.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <mutex>
#include <string_view>

#include "errors.hpp"
#include "files.hpp"
#include "tiff_header.hpp"

namespace twiddle::tool {
namespace {

constexpr unsigned widened = 257;  // GraphicsMagick holds 16 bits a sample: an 8-bit sample v is there as 257 v

// No picture of this many pixels is read. Below, the file's size sets the limit: deflate, the densest coding of the
// five, packs at most about 1032 samples into a byte, so a file that declares far more cannot be whole.
constexpr std::uint64_t most_pixels = std::uint64_t{1} << 28;
constexpr std::uint64_t most_pixels_per_byte = 8 * 1032;
constexpr std::uint64_t pixels_always_allowed = std::uint64_t{1} << 20;

std::uint64_t pixel_limit(std::size_t file_bytes) {
  return std::clamp<std::uint64_t>(file_bytes * most_pixels_per_byte, pixels_always_allowed, most_pixels);
}

void start_magick(std::uint64_t pixels) {
  static std::once_flag once;
  std::call_once(once, [] { Magick::InitializeMagick(nullptr); });
  const auto limit = [](MagickLib::ResourceType type, std::uint64_t value) {
    MagickLib::SetMagickResourceLimit(type, static_cast<MagickLib::magick_int64_t>(value));
  };
  limit(MagickLib::PixelsResource, pixels);
  limit(MagickLib::WidthResource, most_pixels);
  limit(MagickLib::HeightResource, most_pixels);
  limit(MagickLib::MemoryResource, 64 * pixels + (std::uint64_t{64} << 20));
  limit(MagickLib::MapResource, 0);  // never spill to files: what does not fit in memory is refused
  limit(MagickLib::DiskResource, 0);
}

// "Magick: Read Exception () reported by coders/png.c:828 (png_get_data)" -> "Read Exception"
std::string reason(const std::exception& error) {
  std::string text = error.what();
  if (const auto end = text.find(" reported by "); end != std::string::npos) text.erase(end);
  if (text.starts_with("Magick: ")) text.erase(0, 8);
  if (text.ends_with(" ()")) text.erase(text.size() - 3);
  return text;
}

// GraphicsMagick's name of the format that the first bytes show; empty for none that we read.
std::string format_of_content(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.size() > 2 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '6') return "PNM";
  if (bytes.starts_with("\x89PNG"sv)) return "PNG";
  if (bytes.starts_with("\xFF\xD8\xFF"sv)) return "JPEG";
  for (const std::string_view start : {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv}) {
    if (bytes.starts_with(start)) return "TIFF";
  }
  return "";
}

// The format that a name's extension asks for; empty for none that we write.
std::string format_of_name(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  if (extension == ".pgm") return "PGM";
  if (extension == ".ppm") return "PPM";
  if (extension == ".png") return "PNG";
  if (extension == ".tif" || extension == ".tiff") return "TIFF";
  if (extension == ".jpg" || extension == ".jpeg") return "JPEG";
  return "";
}

Magick::Image decode(const std::string& path, std::string bytes, const std::string& format) {
  start_magick(pixel_limit(bytes.size()));
  const bool text = format == "PNM" && bytes[1] <= '3';
  if (text) bytes += '\n';  // may end without a newline, which the decoder misses
  Magick::Image picture;
  picture.magick(format);
  try {
    picture.read(Magick::Blob(bytes.data(), bytes.size()));
  } catch (const Magick::WarningCoder&) {
    // Oddities beside the pixels, such as an unknown tag or a doubtful colour profile: the picture is whole.
  } catch (const std::exception& error) {
    throw FileError(
        fmt::format("cannot read picture '{}': it is damaged, truncated or too large ({})", path, reason(error)));
  }
  if (picture.columns() == 0 || picture.rows() == 0) {
    throw FileError(fmt::format("cannot read picture '{}': it holds no pixels", path));
  }
  picture.autoOrient();
  const Magick::ColorspaceType space = picture.colorSpace();
  if (space != Magick::RGBColorspace && space != Magick::sRGBColorspace && space != Magick::GRAYColorspace) {
    throw FileError(fmt::format("cannot read picture '{}': expected grey or RGB, but it is {}; convert it first", path,
                                space == Magick::CMYKColorspace ? "CMYK" : "in another colour space"));
  }
  return picture;
}

Image to_image(Magick::Image& picture, unsigned depth) {
  Image image{.height = picture.rows(), .width = picture.columns(), .depth = depth};
  const std::size_t count = image.pixels();
  const Magick::PixelPacket* pixels = picture.getConstPixels(0, 0, picture.columns(), picture.rows());
  const auto sample = [depth](Magick::Quantum value) -> std::uint16_t {
    return static_cast<std::uint16_t>(depth == 16 ? value : (value + widened / 2) / widened);
  };
  const auto plane = [&](auto value) {
    Samples samples(count);
    for (std::size_t i = 0; i < count; ++i) samples[i] = sample(value(pixels[i]));
    return samples;
  };
  const bool grey = std::all_of(pixels, pixels + count, [](const Magick::PixelPacket& pixel) {
    return pixel.red == pixel.green && pixel.red == pixel.blue;
  });
  image.channels.push_back(plane([](const Magick::PixelPacket& pixel) { return pixel.red; }));
  if (!grey) {
    image.channels.push_back(plane([](const Magick::PixelPacket& pixel) { return pixel.green; }));
    image.channels.push_back(plane([](const Magick::PixelPacket& pixel) { return pixel.blue; }));
  }
  if (picture.matte()) {  // GraphicsMagick stores opacity: 0 is opaque
    image.alpha =
        plane([](const Magick::PixelPacket& pixel) { return static_cast<Magick::Quantum>(MaxRGB - pixel.opacity); });
  }
  return image;
}

Magick::Image to_picture(const Image& image) {
  Magick::Image picture(Magick::Geometry(static_cast<unsigned>(image.width), static_cast<unsigned>(image.height)),
                        Magick::Color(0, 0, 0));
  const bool grey = image.channels.size() == 1;
  const bool alpha = !image.alpha.empty();
  picture.modifyImage();
  picture.classType(Magick::DirectClass);
  picture.matte(alpha);
  Magick::PixelPacket* pixels = picture.setPixels(0, 0, picture.columns(), picture.rows());
  const unsigned factor = image.depth == 8 ? widened : 1;
  const auto quantum = [factor](std::uint16_t sample) { return static_cast<Magick::Quantum>(sample * factor); };
  for (std::size_t i = 0; i < image.pixels(); ++i) {
    pixels[i].red = quantum(image.channels[0][i]);
    pixels[i].green = quantum(image.channels[grey ? 0 : 1][i]);
    pixels[i].blue = quantum(image.channels[grey ? 0 : 2][i]);
    pixels[i].opacity = alpha ? static_cast<Magick::Quantum>(MaxRGB - quantum(image.alpha[i])) : 0;
  }
  picture.syncPixels();
  picture.depth(image.depth);
  if (grey) {
    picture.type(alpha ? Magick::GrayscaleMatteType : Magick::GrayscaleType);
  } else {
    picture.type(alpha ? Magick::TrueColorMatteType : Magick::TrueColorType);
  }
  return picture;
}

}  // namespace

std::string describe(const Image& image) {
  return fmt::format("{} x {}, {}{}, {} bit", image.width, image.height, image.channels.size() == 1 ? "grey" : "RGB",
                     image.alpha.empty() ? "" : " with alpha", image.depth);
}

Image read_image(const std::string& path) {
  const std::string bytes = read_file(path);
  if (bytes.empty()) throw FileError(fmt::format("cannot read picture '{}': the file is empty", path));
  const std::string format = format_of_content(bytes);
  if (format.empty()) {
    throw FileError(fmt::format("cannot read picture '{}': it is not PGM, PPM, PNG, TIFF or JPEG", path));
  }
  const unsigned tiff_depth = format == "TIFF" ? check_tiff_header(path, bytes) : 0;
  Magick::Image picture = decode(path, bytes, format);
  const unsigned depth = tiff_depth != 0 ? tiff_depth : picture.depth();
  return to_image(picture, depth <= 8 ? 8 : 16);
}

void check_image_name(const std::string& path) {
  if (format_of_name(path).empty()) {
    throw UsageError(
        fmt::format("cannot tell the picture format of '{}': expected a name that ends in .pgm, .ppm, "
                    ".png, .tif, .tiff, .jpg or .jpeg",
                    path));
  }
}

std::string write_image(const std::string& path, const Image& image) {
  check_image_name(path);
  const std::string format = format_of_name(path);
  if (format == "PGM" && image.channels.size() != 1) {
    throw UsageError(fmt::format("'{}': PGM holds grey only, but the picture is RGB; choose .ppm or .png", path));
  }
  start_magick(std::max<std::uint64_t>(most_pixels, image.pixels()));
  Magick::Blob blob;
  try {
    Magick::Image picture = to_picture(image);
    picture.magick(format);
    if (format == "TIFF") picture.compressType(Magick::ZipCompression);
    if (format == "JPEG") picture.quality(95);
    if (format == "PNG")
      picture.quality(35);  // zlib level 3, adaptive row filters: some 7% larger than level 7, 6x faster
    picture.write(&blob);
  } catch (const std::exception& error) {
    throw FileError(fmt::format("cannot encode '{}' as {}: {}", path, format, reason(error)));
  }
  write_file(path, {{static_cast<const char*>(blob.data()), blob.length()}});
  std::string note;
  if (format == "JPEG" && image.depth == 16) note = "JPEG holds 8 bits a sample, the picture has 16";
  if (!image.alpha.empty() && format != "PNG" && format != "TIFF") {
    note += fmt::format("{}{} holds no alpha channel, the picture's is left out", note.empty() ? "" : "; ", format);
  }
  return note;
}

}  // namespace twiddle::tool
