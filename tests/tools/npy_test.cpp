// .npy files: what is written reads back, also by xtensor's reader; what is malformed is refused with a reason.
#include "npy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <xtensor/xadapt.hpp>
#include <xtensor/xnpy.hpp>

#include "errors.hpp"
#include "tools/arrays.hpp"
#include "tools/command.hpp"
#include "twiddle/error.hpp"

namespace twiddle::tool {
namespace {

using test::make_array;
using test::values_of;
using Value = std::complex<float>;

// A file of format 1.0 (or another) with this dictionary and so many bytes of data.
std::string npy_bytes(const std::string& dictionary, std::size_t data_bytes, char version = 1) {
  const std::string text = dictionary + "\n";
  std::string bytes = "\x93NUMPY";
  bytes += {version, '\0'};
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) bytes += static_cast<char>(text.size() >> (8 * i) & 0xFF);
  return bytes + text + std::string(data_bytes, '\0');
}

std::string message_of(const std::string& bytes) {
  const test::Folder folder;
  folder.write("a.npy", bytes);
  try {
    static_cast<void>(read_npy(folder.path("a.npy")));
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

TEST(Npy, WhatIsWrittenReadsBack) {
  const test::Folder folder;
  for (const std::vector<std::size_t>& shape :
       {std::vector<std::size_t>{5}, {1}, {2, 3}, {4, 1, 3}, std::vector<std::size_t>(32, 1)}) {
    std::size_t count = 1;
    for (const std::size_t length : shape) count *= length;
    std::vector<Value> values;
    for (std::size_t i = 0; i < count; ++i) values.emplace_back(static_cast<float>(i), -1.5F);
    const NpyArray array = make_array(shape, values, shape.size() == 2);
    write_npy(folder.path("a.npy"), array);
    const NpyArray back = read_npy(folder.path("a.npy"));
    EXPECT_EQ(back.shape, array.shape);
    EXPECT_EQ(back.fortran_order, array.fortran_order);
    EXPECT_EQ(back.type, array.type);
    EXPECT_EQ(back.bytes, array.bytes);
    EXPECT_EQ((folder.read("a.npy").size() - count * sizeof(Value)) % 64, 0U);
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.npy"});
}

TEST(Npy, AgreesWithXtensor) {
  const test::Folder folder;
  const std::vector<Value> values = {{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, 12}};
  write_npy(folder.path("ours.npy"), make_array({2, 3}, values));
  const auto theirs = xt::load_npy<Value>(folder.path("ours.npy"));
  EXPECT_EQ(std::vector<std::size_t>(theirs.shape().begin(), theirs.shape().end()), (std::vector<std::size_t>{2, 3}));
  EXPECT_TRUE(std::equal(theirs.begin(), theirs.end(), values.begin()));
  xt::dump_npy(folder.path("theirs.npy"), xt::adapt(values, std::vector<std::size_t>{3, 2}));
  const NpyArray ours = read_npy(folder.path("theirs.npy"));
  EXPECT_EQ(ours.shape, (std::vector<std::size_t>{3, 2}));
  EXPECT_EQ(values_of<Value>(ours), values);
}

TEST(Npy, HeaderMayBeWrittenInManyWays) {
  const NpyHeader expected{.type = "<c8", .fortran_order = false, .shape = {2, 3}};
  for (const char* text : {"{'descr': '<c8', 'fortran_order': False, 'shape': (2, 3), }   \n",
                           "{'shape':(2,3),'descr':'<c8','fortran_order':False}",
                           "{\"fortran_order\": False, \"shape\": (2, 3,), \"descr\": \"<c8\"}"}) {
    EXPECT_EQ(parse_npy_header(text), expected) << text;
  }
  EXPECT_EQ(
      message_of(npy_bytes("{'descr': '<c8', 'fortran_order': False, 'shape': (2, 3)}" + std::string(200, ' '), 48)),
      "");
  EXPECT_EQ(message_of(npy_bytes("{'descr': '<c8', 'fortran_order': True, 'shape': (6,)}", 48, 2)), "");
  EXPECT_EQ(message_of(npy_bytes("{'descr': '<c8', 'fortran_order': True, 'shape': (6,)}", 48, 3)), "");
}

TEST(Npy, MalformedHeadersAreRefused) {
  for (const char* text :
       {"", "{", "{}", "{'descr': '<c8'}", "{'descr': '<c8', 'fortran_order': False, 'shape': (2,)} x",
        "{'descr': '<c8', 'fortran_order': 0, 'shape': (2,)}", "{'descr': '<c8', 'fortran_order': False, 'shape': [2]}",
        "{'descr': '<c8', 'fortran_order': False, 'shape': (-2,)}",
        "{'descr': '<c8, 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '<c8', 'fortran_order': False, 'shape': (2 3)}",
        "{'descr': '<c8', 'fortran_order': False, 'shape': (2,",
        "{'descr': '<c8', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<c8', 'descr': '<c8', 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '<c8', 'fortran_order': False, 'shape': (2,), 'more': 'x'}"}) {
    EXPECT_THROW(static_cast<void>(parse_npy_header(text)), FileError) << text;
  }
}

// Reads an array of one dimension with these elements under a type code; float64 is what integers become.
template <class T>
NpyArray read_as(const std::string& code, const std::vector<T>& values) {
  const test::Folder folder;
  std::string bytes = npy_bytes(
      "{'descr': '" + code + "', 'fortran_order': False, 'shape': (" + std::to_string(values.size()) + ",)}", 0);
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  folder.write("a.npy", bytes);
  return read_npy(folder.path("a.npy"));
}

template <class T>
void expect_integers_as_doubles(const std::string& code) {
  const std::vector<T> values = {0, 1, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), 77};
  const std::vector<double> expected(values.begin(), values.end());
  EXPECT_EQ(values_of<double>(read_as(code, values)), expected) << code;
}

TEST(Npy, IntegersAndBooleansBecomeDoubles) {
  expect_integers_as_doubles<std::int8_t>("|i1");
  expect_integers_as_doubles<std::int16_t>("<i2");
  expect_integers_as_doubles<std::int32_t>("<i4");
  expect_integers_as_doubles<std::int64_t>("=i8");
  expect_integers_as_doubles<std::uint8_t>("|u1");
  expect_integers_as_doubles<std::uint16_t>("<u2");
  expect_integers_as_doubles<std::uint32_t>("<u4");
  expect_integers_as_doubles<std::uint64_t>("<u8");
  EXPECT_EQ(values_of<double>(read_as("|b1", std::vector<std::uint8_t>{0, 1, 1})), (std::vector<double>{0, 1, 1}));
}

template <class T>
void expect_kept(const std::string& code, const std::vector<T>& values) {
  const NpyArray array = read_as(code, values);
  const std::vector<T> kept = values_of<T>(array);
  ASSERT_EQ(kept.size(), values.size()) << code;
  const test::Folder folder;
  write_npy(folder.path("b.npy"), array);
  EXPECT_NE(folder.read("b.npy").find(code), std::string::npos);
  EXPECT_EQ(read_npy(folder.path("b.npy")).bytes, array.bytes);
}

TEST(Npy, FloatingPointIsKeptAsItIs) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  expect_kept<Half>("<f2", {to_half(1.5F), {0x7e00}, {0x7c00}});
  expect_kept<float>("<f4", {1.5F, std::numeric_limits<float>::quiet_NaN()});
  expect_kept<double>("<f8", {1.5, -infinity});
  expect_kept<long double>("<f16", {1.5L, 1e4000L});
  expect_kept<std::complex<double>>("<c16", {{1, 2}, {infinity, 0}});
  expect_kept<std::complex<long double>>("<c32", {{1, 2}});
  const tool::NpyArray half{.shape = {1}, .type = {Precision::float16, true}, .bytes = std::vector<std::byte>(4)};
  const test::Folder folder;
  EXPECT_THROW(write_npy(folder.path("c.npy"), half), InvalidArgument);
  EXPECT_TRUE(folder.names().empty());
}

// The values as numbers whose bytes stand in the other order, each part's of complex ones.
template <class Scalar, class T>
std::vector<T> turned_around(std::vector<T> values) {
  auto* const bytes = reinterpret_cast<std::byte*>(values.data());
  for (std::size_t at = 0; at < values.size() * sizeof(T); at += sizeof(Scalar)) {
    std::reverse(bytes + at, bytes + at + sizeof(Scalar));
  }
  return values;
}

TEST(Npy, EitherByteOrderIsRead) {
  const std::vector<std::int16_t> integers = {0, 1, -2, 32767};
  EXPECT_EQ(values_of<double>(read_as(">i2", turned_around<std::int16_t>(integers))),
            (std::vector<double>{0, 1, -2, 32767}));
  const std::vector<double> doubles = {1.5, -3e100};
  EXPECT_EQ(values_of<double>(read_as(">f8", turned_around<double>(doubles))), doubles);
  const std::vector<Half> halves = {to_half(1.5F), to_half(-2.0F)};
  EXPECT_EQ(values_of<Half>(read_as(">f2", turned_around<Half>(halves))), halves);
  const std::vector<Value> complex = {{1, 2}, {3.25F, -4}};
  EXPECT_EQ(values_of<Value>(read_as(">c8", turned_around<float>(complex))), complex);
}

TEST(Npy, OtherTypesAreNamed) {
  const auto with_type = [](const std::string& type) {
    return message_of(npy_bytes("{'descr': " + type + ", 'fortran_order': False, 'shape': (2,), }", 16));
  };
  EXPECT_NE(with_type("'|O'").find("Python objects"), std::string::npos);
  EXPECT_NE(with_type("'<U2'").find("text ('<U2'); convert them with array.astype"), std::string::npos);
  for (const char* type : {"''", "'<'", "'f8'", "'<f3'", "'<c4'", "'<f88'", "'x8'", "'<M8[ns]'", "'!f8'", "'<f-8'"}) {
    EXPECT_NE(with_type(type), "") << type;
  }
  EXPECT_NE(with_type("[('re', '<f4'), ('im', '<f4')]").find("structures"), std::string::npos);
}

TEST(Elements, ConvertWithoutSurprises) {
  const auto convert = [](const NpyArray& from, ElementType type) {
    NpyArray to{.shape = from.shape, .type = type};
    to.bytes.resize(from.bytes.size() / element_bytes(from.type) * element_bytes(type));
    convert_elements(from.bytes, from.type, to.bytes, type);
    return to;
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const NpyArray doubles = make_array<double>({4}, {1.25, -infinity, 1e300, -0.1});
  EXPECT_EQ(values_of<float>(convert(doubles, {Precision::float32, false})),
            (std::vector<float>{1.25F, -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity(),
                                -0.1F}));
  EXPECT_EQ(values_of<Half>(convert(doubles, {Precision::float16, false})),
            (std::vector<Half>{{0x3d00}, {0xfc00}, {0x7c00}, to_half(-0.1F)}));
  EXPECT_EQ(values_of<std::complex<long double>>(convert(doubles, {Precision::extended, true})),
            (std::vector<std::complex<long double>>{1.25L, -infinity, static_cast<long double>(1e300),
                                                    static_cast<long double>(-0.1)}));
  const NpyArray halves = make_array<Half>({2}, {to_half(1.5F), to_half(-2.0F)});
  EXPECT_EQ(values_of<Value>(convert(halves, {Precision::float32, true})), (std::vector<Value>{1.5F, -2.0F}));
  EXPECT_EQ(values_of<double>(convert(halves, {Precision::float64, false})), (std::vector<double>{1.5, -2.0}));
  EXPECT_THROW(static_cast<void>(convert(make_array<Value>({1}, {1}), {Precision::float32, false})), InvalidArgument);
  const NpyArray nan = make_array<double>({1}, {std::numeric_limits<double>::quiet_NaN()});
  EXPECT_TRUE(std::isnan(to_float(values_of<Half>(convert(nan, {Precision::float16, false})).at(0))));
}

TEST(Npy, DamagedFilesAreRefused) {
  const std::string good = npy_bytes("{'descr': '<c8', 'fortran_order': False, 'shape': (2, 2), }", 32);
  ASSERT_EQ(message_of(good), "");
  for (std::size_t length = 0; length < good.size(); ++length) {
    EXPECT_NE(message_of(good.substr(0, length)), "") << length;
  }
  EXPECT_NE(message_of(good.substr(0, good.size() - 1)).find("truncated"), std::string::npos);
  EXPECT_NE(message_of(good + "x").find("followed by something else"), std::string::npos);
  EXPECT_NE(message_of("PK" + good).find("not a .npy file"), std::string::npos);
  EXPECT_NE(message_of(npy_bytes("{'descr': '<c8', 'fortran_order': False, 'shape': (2,), }", 16, 9)).find("format"),
            std::string::npos);
  EXPECT_NE(message_of(npy_bytes("{'descr': '<c8', 'fortran_order': False, 'shape': (), }", 8)).find("()"),
            std::string::npos);
  EXPECT_EQ(message_of(npy_bytes("{'descr': '<c8', 'fortran_order': False, 'shape': (3, 0), }", 0)), "");
  EXPECT_NE(message_of(npy_bytes("{'descr': '<c8', 'fortran_order': False, 'shape': (3, 0), }", 8)).find("followed by"),
            std::string::npos);
  // Neither a huge nor an overflowing shape may be believed.
  EXPECT_NE(message_of(npy_bytes("{'descr': '<c8', 'fortran_order': False, 'shape': (1000000, 1000000), }", 16))
                .find("truncated"),
            std::string::npos);
  EXPECT_NE(message_of(npy_bytes("{'descr': '<c8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", 0))
                .find("larger than any memory"),
            std::string::npos);
  // Elements of one byte become eight: 2^61 of them do not fit where 2^61 bytes might.
  EXPECT_NE(message_of(npy_bytes("{'descr': '|u1', 'fortran_order': False, 'shape': (2305843009213693952,), }", 0))
                .find("larger than any memory"),
            std::string::npos);
  std::string long_header = good;
  long_header[6] = 2;
  long_header.replace(8, 2, "\xFF\xFF\xFF\x7F");
  EXPECT_NE(message_of(long_header).find("claims"), std::string::npos);
}

TEST(Npy, ChangedHeadersAreReadOrRefused) {
  const std::string good = npy_bytes("{'descr': '<c8', 'fortran_order': False, 'shape': (2, 2), }", 32);
  const std::size_t header = good.size() - 32;
  const test::Folder folder;
  constexpr std::string_view letters = "0123456789<>|=cfiubO(),'{}: \xff";
  std::mt19937 generator(2026);
  std::size_t read = 0;
  for (int i = 0; i < 500; ++i) {
    std::string bytes = good;
    for (std::size_t changes = 1 + generator() % 2; changes > 0; --changes) {
      bytes[generator() % header] = letters[generator() % letters.size()];
    }
    folder.write("a.npy", bytes);
    try {
      const NpyArray array = read_npy(folder.path("a.npy"));
      std::size_t count = 1;
      for (const std::size_t length : array.shape) count *= length;
      ASSERT_EQ(array.bytes.size(), count * element_bytes(array.type)) << bytes;
      ++read;
    } catch (const FileError&) {
    }
  }
  EXPECT_GT(read, 0U);  // a space more or less changes nothing
  EXPECT_LT(read, 400U);
}

TEST(Npy, MissingFilesAndFoldersAreNamed) {
  const test::Folder folder;
  for (const std::string& path : {folder.path("none.npy"), folder.path("")}) {
    try {
      static_cast<void>(read_npy(path));
      ADD_FAILURE() << path;
    } catch (const FileError& error) {
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace twiddle::tool
