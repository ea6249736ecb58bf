// Device profiles as text and as a file.
#include "tune/profile_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "support/environment.hpp"
#include "tune/record_file.hpp"
#include "twiddle/error.hpp"

namespace twiddle::tuning {
namespace {

using ::testing::HasSubstr;

ProfileBook some_book() {
  plan::DeviceProfile gpu;
  gpu.wait_seconds = 1.25e-5;
  gpu.stage = plan::SizeCurve({{4096, 3e-6}, {65536, 4.5e-6}});
  gpu.strided_slowdown = 1.5;
  gpu.double_slowdown = 16;
  gpu.to_device = plan::SizeCurve({{4096, 1e-5}});
  gpu.from_device = plan::SizeCurve({{4096, 2e-5}, {1 << 20, 1e-4}});
  plan::DeviceProfile host;
  host.stage = plan::SizeCurve({{4096, 1e-7}});
  host.line = plan::SizeCurve({{4096, 1e-7}, {65536, 3e-6}});
  host.after_writing = plan::SizeCurve({{4096, 2e-7}});
  host.long_strided_slowdown = 2;
  host.short_slowdown = 0.5;
  host.many_short_slowdown = 0.375;
  host.shortest_slowdown = 0.75;
  host.cached_strided_slowdown = 1.25;
  host.aligned_strided_slowdown = 1.125;
  host.row_mapping = 20.5;
  host.column_mapping = 36.5;
  return {{{"opencl", "A \"fast\" card", "1.2", 132}, gpu}, {{"host", "some CPU", "AVX2", 16}, host}};
}

std::string message_of(const std::string& text) {
  try {
    (void)parse_profile_book(text);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "no error";
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ProfileBook, ReadsWhatItPrints) {
  EXPECT_EQ(parse_profile_book(print_profile_book(some_book())), some_book());
  EXPECT_EQ(parse_profile_book(print_profile_book({})), ProfileBook{});
}

// They are measured again, and the others stay.
TEST(ProfileBook, LeavesOutWhatOtherVersionsMeasured) {
  const ProfileBook book = some_book();
  const std::string field = "\"revision\":2,";
  for (const std::string other : {"", "\"revision\":1,", "\"revision\":\"2\","}) {
    std::string text = print_profile_book(book);
    ASSERT_NE(text.find(field), std::string::npos) << text;
    text.replace(text.find(field), field.size(), other);
    EXPECT_EQ(parse_profile_book(text), (ProfileBook{*std::next(book.begin())}));
  }
}

TEST(ProfileBook, SaysWhereTextIsWrong) {
  EXPECT_THAT(message_of("{"), HasSubstr("no profiles of twiddle's"));
  EXPECT_THAT(message_of(R"({"format": "twiddle choices", "version": 1})"),
              HasSubstr(R"("format" is "twiddle choices"; expected "twiddle profiles")"));
  EXPECT_THAT(message_of(R"({"format": "twiddle profiles", "version": 9})"), HasSubstr("\"version\" is 9; expected 1"));
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = print_profile_book(some_book());
    const std::size_t position = text.find(from);
    EXPECT_NE(position, std::string::npos) << from;
    return message_of(text.replace(position, from.size(), to));
  };
  EXPECT_THAT(changed("[4096,1e-07]", "[4096,-1]"), HasSubstr("at some CPU: a time is -1; expected a positive number"));
  EXPECT_THAT(changed("[4096,1e-07]", "4096"), HasSubstr("expected pairs of bytes and seconds"));
  EXPECT_THAT(changed("\"line\"", "\"lien\""), HasSubstr("line"));
  EXPECT_THAT(changed("\"line\":[[4096,1e-07],[65536,3e-06]]", "\"line\":null"),
              HasSubstr("at some CPU: \"line\" is null; expected a list"));
  EXPECT_THAT(message_of(R"({"format": "twiddle profiles", "version": 1, "devices": null})"),
              HasSubstr("\"devices\" is null; expected a list"));
  EXPECT_THAT(message_of(R"({"format": "twiddle profiles", "version": 1, "devices": [{"line_rate": 1}, "x"]})"),
              HasSubstr("device 2"));
  EXPECT_THAT(changed("[[4096,1e-07]]", "[]"), HasSubstr("no stage was measured"));
  EXPECT_THAT(changed("\"units\":16", "\"units\":\"many\""), HasSubstr("device 1"));
  EXPECT_THAT(changed("\"wait_seconds\":1.25e-05", "\"wait_seconds\":-1"), HasSubstr("the time to wait is -1"));
  EXPECT_THAT(changed("\"double_slowdown\":16.0", "\"double_slowdown\":0"), HasSubstr("double precision is 0"));
}

TEST(ProfileStore, AddsToWhatIsThere) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "new" / "profiles.json";
  EXPECT_EQ(read_profile_book(path), ProfileBook{});
  const ProfileBook book = some_book();
  for (const auto& entry : book) add_to_profile_book(path, {entry});
  EXPECT_EQ(read_profile_book(path), book);
  ProfileBook changed = book;
  changed.begin()->second.wait_seconds = 1;
  add_to_profile_book(path, {*changed.begin()});
  EXPECT_EQ(read_profile_book(path), changed);
}

TEST(ProfileStore, NeverWritesOverWhatItCannotRead) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "profiles.json";
  std::ofstream(path) << "damaged";
  EXPECT_THROW(add_to_profile_book(path, some_book()), InvalidArgument);
  EXPECT_EQ(text_of(path), "damaged");
}

TEST(ProfileStore, FindsTheDeviceOfTheSameDriverAndSize) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "profiles.json";
  const test::ScopedVariable variable("TWIDDLE_PROFILES", path.c_str());
  EXPECT_TRUE(profiles_allowed());
  DeviceInfo info;
  info.backend = BackendKind::opencl;
  info.name = "A \"fast\" card";
  info.driver = "1.2";
  info.limits.compute_units = 132;
  EXPECT_FALSE(stored_profile(info).profile.has_value());
  add_to_profile_book(path, some_book());
  EXPECT_EQ(stored_profile(info).profile, some_book().at(profile_key_of(info)));
  info.driver = "1.3";
  EXPECT_FALSE(stored_profile(info).profile.has_value());
  info.driver = "1.2";
  info.limits.compute_units = 66;
  EXPECT_FALSE(stored_profile(info).profile.has_value());
  std::ofstream(path) << "damaged";
  EXPECT_THAT(stored_profile(info).complaint, HasSubstr("move the file away"));
}

TEST(ProfileStore, CanBeTurnedOff) {
  const test::ScopedVariable variable("TWIDDLE_PROFILES", "off");
  EXPECT_FALSE(profiles_allowed());
  EXPECT_EQ(default_profile_file(), std::filesystem::path{});
}

}  // namespace
}  // namespace twiddle::tuning
