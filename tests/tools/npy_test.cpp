// .npy files: what is written reads back, also by xtensor's reader; what is malformed is refused with a reason.
#include "npy.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <xtensor/xadapt.hpp>
#include <xtensor/xnpy.hpp>

#include "errors.hpp"
#include "tools/command.hpp"

namespace twiddle::tool {
namespace {

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
    NpyArray array{.shape = shape, .fortran_order = shape.size() == 2};
    std::size_t count = 1;
    for (const std::size_t length : shape) count *= length;
    for (std::size_t i = 0; i < count; ++i) array.values.emplace_back(static_cast<float>(i), -1.5F);
    write_npy(folder.path("a.npy"), array);
    const NpyArray back = read_npy(folder.path("a.npy"));
    EXPECT_EQ(back.shape, array.shape);
    EXPECT_EQ(back.fortran_order, array.fortran_order);
    EXPECT_EQ(back.values, array.values);
    EXPECT_EQ((folder.read("a.npy").size() - count * sizeof(Value)) % 64, 0U);
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.npy"});
}

TEST(Npy, AgreesWithXtensor) {
  const test::Folder folder;
  const std::vector<Value> values = {{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, 12}};
  write_npy(folder.path("ours.npy"), {.shape = {2, 3}, .values = values});
  const auto theirs = xt::load_npy<Value>(folder.path("ours.npy"));
  EXPECT_EQ(std::vector<std::size_t>(theirs.shape().begin(), theirs.shape().end()), (std::vector<std::size_t>{2, 3}));
  EXPECT_TRUE(std::equal(theirs.begin(), theirs.end(), values.begin()));
  xt::dump_npy(folder.path("theirs.npy"), xt::adapt(values, std::vector<std::size_t>{3, 2}));
  const NpyArray ours = read_npy(folder.path("theirs.npy"));
  EXPECT_EQ(ours.shape, (std::vector<std::size_t>{3, 2}));
  EXPECT_EQ(ours.values, values);
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

TEST(Npy, OtherTypesAreNamed) {
  const auto with_type = [](const std::string& type) {
    return message_of(npy_bytes("{'descr': " + type + ", 'fortran_order': False, 'shape': (2,), }", 16));
  };
  EXPECT_NE(with_type("'<f8'").find("expected elements of type complex64 ('<c8'), but they are float64 ('<f8')"),
            std::string::npos);
  EXPECT_NE(with_type("'<c16'").find("complex128"), std::string::npos);
  EXPECT_NE(with_type("'>c8'").find("foreign byte order"), std::string::npos);
  EXPECT_NE(with_type("'|O'").find("object"), std::string::npos);
  EXPECT_NE(with_type("'<U7'").find("'<U7'"), std::string::npos);
  EXPECT_NE(with_type("[('re', '<f4'), ('im', '<f4')]").find("structures"), std::string::npos);
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
  EXPECT_NE(message_of(npy_bytes("{'descr': '<c8', 'fortran_order': False, 'shape': (3, 0), }", 0)).find("no elements"),
            std::string::npos);
  // Neither a huge nor an overflowing shape may be believed.
  EXPECT_NE(message_of(npy_bytes("{'descr': '<c8', 'fortran_order': False, 'shape': (1000000, 1000000), }", 16))
                .find("truncated"),
            std::string::npos);
  EXPECT_NE(message_of(npy_bytes("{'descr': '<c8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", 0))
                .find("larger than any memory"),
            std::string::npos);
  std::string long_header = good;
  long_header[6] = 2;
  long_header.replace(8, 2, "\xFF\xFF\xFF\x7F");
  EXPECT_NE(message_of(long_header).find("claims"), std::string::npos);
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
