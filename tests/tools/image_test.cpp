// Pictures: what is written reads back sample by sample; what is damaged or hostile is refused, in little memory.
#include "image.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <random>

#include "errors.hpp"
#include "tools/command.hpp"

namespace twiddle::tool {
namespace {

using namespace std::string_literals;

Image random_image(std::size_t height, std::size_t width, unsigned depth, std::size_t channels, bool alpha) {
  std::mt19937 generator(7);
  const auto plane = [&] {
    Samples samples(height * width);
    for (auto& sample : samples) sample = static_cast<std::uint16_t>(generator() & ((1U << depth) - 1));
    return samples;
  };
  Image image{.height = height, .width = width, .depth = depth};
  for (std::size_t i = 0; i < channels; ++i) image.channels.push_back(plane());
  if (alpha) image.alpha = plane();
  return image;
}

// Why a file with these bytes is not read; empty where it is.
std::string message_of(const std::string& bytes) {
  const test::Folder folder;
  folder.write("picture", bytes);
  try {
    static_cast<void>(read_image(folder.path("picture")));
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

std::string encoded(const Image& image, const std::string& name) {
  const test::Folder folder;
  static_cast<void>(write_image(folder.path(name), image));
  return folder.read(name);
}

// A little-endian TIFF of one strip of uncompressed grey samples; its directory stands before the data.
std::string tiff_bytes(std::uint32_t width, std::uint32_t height, std::uint16_t bits, std::uint16_t sample_format,
                       const std::string& data, std::uint32_t orientation = 1) {
  std::string bytes = "II*\0\x08\0\0\0"s;
  const auto append = [&bytes](auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof(value)); };
  const auto data_start = static_cast<std::uint32_t>(8 + 2 + 11 * 12 + 4);
  const auto data_size = static_cast<std::uint32_t>(data.size());
  // Width, height, bits, no compression, black is 0, strip, orientation, one sample a pixel, rows, size, kind.
  const std::vector<std::pair<std::uint16_t, std::uint32_t>> tags = {
      {256, width},  {257, height},     {258, bits},         {259, 1},
      {262, 1},      {273, data_start}, {274, orientation},  {277, 1},
      {278, height}, {279, data_size},  {339, sample_format}};
  append(static_cast<std::uint16_t>(tags.size()));
  for (const auto& [tag, value] : tags) {
    append(tag);
    append(std::uint16_t{4});  // LONG
    append(std::uint32_t{1});
    append(value);
  }
  append(std::uint32_t{0});
  return bytes + data;
}

// With a header chunk whose checksum is right, and a little data.
std::string png_bytes(const std::string& header_chunk) {
  return "\x89PNG\r\n\x1A\n"s + header_chunk + "\0\0\0\x0AIDAT\x78\x9C\x63\x60\0\0\0\x02\0\x01\x48\xAF\xA4\x71"s;
}

struct Case {
  const char* name;
  unsigned depth;
  std::size_t channels;
  bool alpha;
};

class RoundTrip : public testing::TestWithParam<Case> {};

TEST_P(RoundTrip, KeepsEverySample) {
  const Case& c = GetParam();
  const test::Folder folder;
  for (const auto& [height, width] : {std::pair<std::size_t, std::size_t>{7, 5}, {1, 9}, {9, 1}, {1, 1}, {64, 48}}) {
    const Image image = random_image(height, width, c.depth, c.channels, c.alpha);
    EXPECT_EQ(write_image(folder.path(c.name), image), "");
    const Image back = read_image(folder.path(c.name));
    EXPECT_EQ(back.height, height);
    EXPECT_EQ(back.width, width);
    EXPECT_EQ(back.depth, c.depth);
    EXPECT_EQ(back.channels, image.channels) << describe(image);
    EXPECT_EQ(back.alpha, image.alpha);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, RoundTrip,
                         testing::Values(Case{"a.pgm", 8, 1, false}, Case{"a.pgm", 16, 1, false},
                                         Case{"a.ppm", 8, 3, false}, Case{"a.ppm", 16, 3, false},
                                         Case{"a.png", 8, 1, false}, Case{"a.png", 16, 1, true},
                                         Case{"a.png", 8, 3, true}, Case{"a.PNG", 16, 3, false},
                                         Case{"a.tif", 8, 1, true}, Case{"a.tiff", 16, 1, false},
                                         Case{"a.tiff", 8, 3, false}, Case{"a.tiff", 16, 3, true}));

TEST(Image, JpegKeepsSizeAndNearlyTheSamples) {
  const test::Folder folder;
  for (const std::size_t channels : {1U, 3U}) {
    Image image = random_image(40, 30, 8, channels, false);
    for (std::size_t c = 0; c < channels; ++c) {
      for (std::size_t i = 0; i < image.pixels(); ++i) {
        image.channels[c][i] = static_cast<std::uint16_t>(100 + 20 * c + i % 30 + i / 30);
      }
    }
    static_cast<void>(write_image(folder.path("a.jpg"), image));
    const Image back = read_image(folder.path("a.jpg"));
    ASSERT_EQ(back.channels.size(), channels);
    EXPECT_EQ(back.depth, 8U);
    for (std::size_t i = 0; i < image.pixels(); ++i) EXPECT_NEAR(back.channels[0][i], image.channels[0][i], 6);
  }
}

TEST(Image, NotesWhatAFormatCannotHold) {
  const test::Folder folder;
  EXPECT_NE(write_image(folder.path("a.jpg"), random_image(4, 4, 16, 3, true)).find("8 bits"), std::string::npos);
  EXPECT_NE(write_image(folder.path("a.ppm"), random_image(4, 4, 8, 3, true)).find("alpha"), std::string::npos);
  EXPECT_THROW(static_cast<void>(write_image(folder.path("a.pgm"), random_image(4, 4, 8, 3, false))), UsageError);
  EXPECT_THROW(static_cast<void>(write_image(folder.path("a.gif"), random_image(4, 4, 8, 3, false))), UsageError);
  EXPECT_THROW(check_image_name("png"), UsageError);
}

TEST(Image, SmallPortableMaps) {
  const test::Folder folder;
  const auto levels = [&](const std::string& bytes) {
    folder.write("a", bytes);
    return read_image(folder.path("a")).channels[0];
  };
  EXPECT_EQ(levels("P5\n# made by hand\n3 1\n255\n\x01\x80\xFF"), (Samples{1, 128, 255}));
  EXPECT_EQ(levels("P5 3 1 65535 \0\x01\x03\xFF\xFF\xFE"s), (Samples{1, 0x3FF, 0xFFFE}));
  EXPECT_EQ(levels("P2\n3 1\n255\n1 2 200"), (Samples{1, 2, 200}));
  EXPECT_EQ(levels("P6 1 1 255 \x09\x09\x09"), (Samples{9}));  // equal channels: grey
}

TEST(Image, SeveralKindsOfTiff) {
  const test::Folder folder;
  folder.write("a", tiff_bytes(3, 2, 16, 1, "\1\0\2\0\3\0\4\0\5\0\6\1"s));
  const Image image = read_image(folder.path("a"));
  EXPECT_EQ(image.depth, 16U);
  EXPECT_EQ(image.channels[0], (Samples{1, 2, 3, 4, 5, 0x106}));
}

TEST(Image, IsTurnedUpright) {
  const test::Folder folder;
  folder.write("a", tiff_bytes(3, 2, 8, 1, "\1\2\3\4\5\6", 6));  // row 0 is the right side, column 0 the top
  const Image image = read_image(folder.path("a"));
  EXPECT_EQ(image.height, 3U);
  EXPECT_EQ(image.channels[0], (Samples{4, 1, 5, 2, 6, 3}));
}

TEST(BadImage, MissingEmptyAndUnknownFiles) {
  const test::Folder folder;
  EXPECT_THROW(static_cast<void>(read_image(folder.path("none.png"))), FileError);
  EXPECT_THROW(static_cast<void>(read_image(folder.path(""))), FileError);
  EXPECT_NE(message_of("").find("empty"), std::string::npos);
  EXPECT_NE(message_of("GIF89a....").find("not PGM, PPM, PNG, TIFF or JPEG"), std::string::npos);
  EXPECT_NE(message_of("push graphic-context\nviewbox 0 0 640 480").find("not PGM"), std::string::npos);
}

TEST(BadImage, EveryTruncationIsAnError) {
  for (const char* name : {"a.png", "a.jpg", "a.tiff", "a.ppm", "a.pgm"}) {
    const Image image = random_image(33, 20, 8, std::string(name) == "a.pgm" ? 1 : 3, false);
    const std::string whole = encoded(image, name);
    ASSERT_EQ(message_of(whole), "") << name;
    // The last bytes of a PNG or JPEG only say that this is the end; those of this TIFF tell its resolution and writer.
    const std::map<std::string, std::size_t> end_marks = {{"a.png", 12}, {"a.jpg", 2}, {"a.tiff", 200}};
    const std::size_t end_mark = end_marks.contains(name) ? end_marks.at(name) : 0;
    for (std::size_t length = 0; length + end_mark < whole.size(); length += 1 + length / 16) {
      EXPECT_NE(message_of(whole.substr(0, length)), "") << name << " cut to " << length << " of " << whole.size();
    }
    EXPECT_NE(message_of(whole.substr(0, whole.size() - end_mark - 1)), "") << name;
  }
  const std::string tiff = tiff_bytes(30, 20, 8, 1, std::string(600, 'x'));
  ASSERT_EQ(message_of(tiff), "");
  for (const std::size_t missing : {1U, 300U, 599U, 600U}) {
    EXPECT_NE(message_of(tiff.substr(0, tiff.size() - missing)), "") << "TIFF without its last " << missing;
  }
}

TEST(BadImage, ZeroSides) {
  EXPECT_NE(message_of("P5 0 4 255 "), "");
  EXPECT_NE(message_of("P6 4 0 255 "), "");
  EXPECT_NE(message_of(png_bytes("\0\0\0\x0DIHDR\0\0\0\0\0\0\0\x0A\x08\0\0\0\0\xBF\x7B\0\xA8"s)), "");
  EXPECT_NE(message_of(tiff_bytes(0, 4, 8, 1, "xxxx")), "");
  EXPECT_NE(message_of(tiff_bytes(4, 0, 8, 1, "xxxx")), "");
}

TEST(BadImage, HugeDeclaredSizes) {
  std::string jpeg = encoded(random_image(16, 16, 8, 1, false), "a.jpg");
  const std::size_t frame = jpeg.find("\xFF\xC0");
  ASSERT_NE(frame, std::string::npos);
  jpeg.replace(frame + 5, 4, "\xFD\xE8\xFD\xE8");  // 65000 x 65000
  EXPECT_NE(message_of(jpeg), "");
  EXPECT_NE(message_of("P5 60000 60000 255 abc"), "");
  EXPECT_NE(message_of("P2 60000 60000 255 1 2 3"), "");
  EXPECT_NE(message_of("P5 99999999999 99999999999 255 abc"), "");
  EXPECT_NE(message_of(png_bytes("\0\0\0\x0DIHDR\0\0\xEA\x60\0\0\xEA\x60\x08\0\0\0\0\xA5\xB9\x2A\x9E"s)), "");
  EXPECT_NE(message_of(png_bytes("\0\0\0\x0DIHDR\x77\x35\x94\0\0\0\0\x02\x08\0\0\0\0\x71\xEB\x3B\xDB"s)), "");
  EXPECT_NE(message_of(tiff_bytes(60000, 60000, 8, 1, "abc")), "");
  EXPECT_NE(message_of(tiff_bytes(0xFFFFFFFF, 0xFFFFFFFF, 16, 1, "abc")), "");
}

TEST(BadImage, FloatingPointTiff) {
  const float not_a_number = std::numeric_limits<float>::quiet_NaN();
  std::string data(sizeof(float), '\0');
  std::memcpy(data.data(), &not_a_number, sizeof(float));
  const std::string message = message_of(tiff_bytes(1, 1, 32, 3, data));
  EXPECT_NE(message.find("floating-point of 32 bits"), std::string::npos) << message;
  EXPECT_NE(message_of(tiff_bytes(1, 1, 16, 2, "ab")).find("signed integer of 16 bits"), std::string::npos);
  EXPECT_NE(message_of(tiff_bytes(1, 1, 32, 1, "abcd")).find("unsigned integer of 32 bits"), std::string::npos);
}

TEST(BadImage, DamagedBytesNeverCrash) {
  std::mt19937 generator(3);
  for (const char* name : {"a.png", "a.jpg", "a.tiff", "a.ppm"}) {
    const std::string whole = encoded(random_image(12, 10, 8, 3, false), name);
    for (int round = 0; round < 150; ++round) {
      std::string damaged = whole;
      for (int i = 0; i < 3; ++i) damaged[generator() % damaged.size()] = static_cast<char>(generator());
      static_cast<void>(message_of(damaged));
    }
  }
}

}  // namespace
}  // namespace twiddle::tool
