// Choices as text and as a file that many processes add to.
#include "tune/choice_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "support/environment.hpp"
#include "tune/record_file.hpp"
#include "twiddle/error.hpp"

namespace twiddle::tuning {
namespace {

using plan::LineKey;
using plan::LineUse;
using ::testing::HasSubstr;

const DeviceIdentity some_device{"cuda", "A \"fast\" card", ""};

ChoiceBook some_book() {
  ChoiceBook book;
  book[some_device].set({1000, LineUse::rows, Precision::float32}, {0, {{10, 10, 10}, 100, 2, 96, true}});
  book[some_device].set({1000, LineUse::columns, Precision::float32}, {0, {{10, 10, 10}, 100, 8, 64, false, 2}});
  book[some_device].set({1 << 20, LineUse::columns, Precision::float64}, {512, {}});
  book[{"host", "some CPU", "AVX2"}].set({360, LineUse::mapped_rows, Precision::extended}, {0, {{9, 8, 5}, 0, 0}});
  book[{"host", "some CPU", "AVX2"}].set({512, LineUse::columns, Precision::float64}, {0, {{8, 8, 8}, 0, 16}});
  book[some_device].set(
      {257, plan::FilterCount::many, true, Precision::float32},
      {.segment = 1024, .radices = {32, 32}, .items = 32, .registers = 168, .groups = 4, .root_step = 8});
  book[{"host", "some CPU", "AVX2"}].set({65, plan::FilterCount::one, false, Precision::float64},
                                         {.segment = 256, .partitioned = true});
  return book;
}

std::string message_of(const std::string& text) {
  try {
    (void)parse_choice_book(text);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "no error";
}

TEST(ChoiceBook, ReadsWhatItPrints) {
  EXPECT_EQ(parse_choice_book(print_choice_book(some_book())), some_book());
  EXPECT_EQ(parse_choice_book(print_choice_book({})), ChoiceBook{});
}

TEST(ChoiceBook, HasAStableForm) {
  ChoiceBook book;
  book[{"host", "some CPU", "AVX2"}].set({360, LineUse::rows, Precision::float32}, {0, {{9, 8, 5}, 0, 0}});
  EXPECT_EQ(print_choice_book(book),
            "{\"format\": \"twiddle choices\", \"version\": 1, \"devices\": [\n"
            "{\"backend\": \"host\", \"name\": \"some CPU\", \"target\": \"AVX2\", \"lines\": [\n"
            "  {\"length\":360,\"use\":\"rows\",\"precision\":\"f32\",\"radices\":[9,8,5]}]}]}\n");
}

// Files of before there was a choice of vectors.
TEST(ChoiceBook, ReadsLinesWithoutVectors) {
  const ChoiceBook book = parse_choice_book(
      R"({"format": "twiddle choices", "version": 1, "devices": [{"backend": "cuda", "name": "A", "lines": [)"
      R"({"length": 64, "use": "rows", "precision": "f32", "radices": [8, 8], "items": 8, "transforms": 8}]}]})");
  EXPECT_EQ(book.begin()->second.lines().begin()->second, (plan::LineChoice{0, {{8, 8}, 8, 8, 0, false, 1}}));
}

TEST(ChoiceBook, ReadsTargetsByTheirFormerNames) {
  std::string text = print_choice_book({{{"host", "some CPU", "AVX3"}, {}}, {{"host", "some CPU", "SCALAR"}, {}}});
  ASSERT_THAT(text, HasSubstr("AVX3"));
  const ChoiceBook expected{{{"host", "some CPU", "AVX-512"}, {}}, {{"host", "some CPU", "plain"}, {}}};
  EXPECT_EQ(parse_choice_book(text), expected);
}

TEST(ChoiceBook, SaysWhereTextIsWrong) {
  EXPECT_THAT(message_of(""), HasSubstr("parse error"));
  EXPECT_THAT(message_of("[]"), HasSubstr("no choices of twiddle's"));
  EXPECT_THAT(message_of(R"({"format": "other", "version": 1})"),
              HasSubstr(R"("format" is "other"; expected "twiddle choices")"));
  EXPECT_THAT(message_of(R"({"format": "twiddle choices", "version": 2})"), HasSubstr("\"version\" is 2; expected 1"));
  const auto with_line = [](const std::string& line) {
    return R"({"format": "twiddle choices", "version": 1, "devices": [{"backend": "host", "name": "X", "lines": [)" +
           line + "]}]}";
  };
  EXPECT_THAT(message_of(with_line(R"({"length": 8, "use": "diagonal"})")),
              HasSubstr("at X, choice 1: \"use\" is \"diagonal\"; expected one of rows, mapped_rows, columns"));
  EXPECT_THAT(message_of(with_line(R"({"length": -8, "use": "rows", "precision": "f32"})")),
              HasSubstr("\"length\" is -8; expected a whole number"));
  EXPECT_THAT(message_of(with_line(R"({"length": 8, "use": "rows", "precision": "f32", "radices": [8.5]})")),
              HasSubstr("\"radices\" is 8.5"));
  EXPECT_THAT(message_of(with_line(R"({"length": 8, "use": "rows", "precision": "f32", "radices": 8})")),
              HasSubstr("\"radices\" is 8; expected a list"));
  EXPECT_THAT(message_of(R"({"format": "twiddle choices", "version": 1, "devices": [)"
                         R"({"backend": "host", "name": "X", "lines": [], "banks": null}]})"),
              HasSubstr("\"banks\" is null; expected a list"));
  EXPECT_THAT(message_of(with_line(R"({"length": 8, "use": "rows", "precision": "f32"})")), HasSubstr("radices"));
}

TEST(ChoiceBook, SaysWhichBankIsWrong) {
  const auto with_bank = [](const std::string& bank) {
    return message_of(
        R"({"format": "twiddle choices", "version": 1, "devices": [{"backend": "host", "name": "X", "lines": [], "banks": [)" +
        bank + "]}]}");
  };
  EXPECT_EQ(with_bank(R"({"taps": 9, "filters": "few", "complex": true, "precision": "f32", "segment": 64})"),
            "no error");
  EXPECT_THAT(with_bank(R"({"taps": 9, "filters": "all"})"),
              HasSubstr("at X, bank 1: \"filters\" is \"all\"; expected one of one, few, many"));
  EXPECT_THAT(with_bank(R"({"taps": 9.5, "filters": "few"})"), HasSubstr("\"taps\" is 9.5; expected a whole number"));
  EXPECT_THAT(with_bank(R"({"taps": 9, "filters": "few", "complex": 1, "precision": "f32", "segment": 64})"),
              HasSubstr("at X, bank 1: "));
  EXPECT_THAT(with_bank(R"({"taps": 9, "filters": "few", "complex": true, "precision": "f32"})"), HasSubstr("segment"));
  EXPECT_THAT(
      with_bank(
          R"({"taps": 9, "filters": "few", "complex": true, "precision": "f32", "segment": 64, "radices": [8, 8]})"),
      HasSubstr("items"));
}

class ChoiceStore : public ::testing::Test {
 protected:
  test::TemporaryFolder temporary_;
  std::filesystem::path folder_ = temporary_.path();
};

TEST_F(ChoiceStore, AddsToWhatIsThere) {
  const auto path = folder_ / "new" / "choices.json";
  EXPECT_EQ(read_choice_book(path), ChoiceBook{});
  add_to_choice_book(path, some_book());
  ChoiceBook more;
  more[some_device].set({1000, LineUse::rows, Precision::float32}, {0, {{20, 50}, 50, 1}});
  more[some_device].set({64, LineUse::rows, Precision::float32}, {0, {{8, 8}, 8, 8}});
  add_to_choice_book(path, more);
  ChoiceBook all = some_book();
  all[some_device].merge(more[some_device]);
  EXPECT_EQ(read_choice_book(path), all);
}

TEST_F(ChoiceStore, LosesNothingWhenManyProcessesAdd) {
  const auto path = folder_ / "choices.json";
  constexpr std::uint64_t processes = 8;
  for (std::uint64_t process = 0; process < processes; ++process) {
    if (fork() != 0) continue;
    for (std::uint64_t i = 0; i < 10; ++i) {
      ChoiceBook book;
      book[some_device].set({2 + process * 10 + i, LineUse::rows, Precision::float32}, {0, {{2}, 1, 1}});
      add_to_choice_book(path, book);
    }
    _exit(0);
  }
  for (std::uint64_t process = 0; process < processes; ++process) wait(nullptr);
  EXPECT_EQ(read_choice_book(path).at(some_device).lines().size(), processes * 10);
}

TEST_F(ChoiceStore, LeavesADamagedFileAlone) {
  const auto path = folder_ / "choices.json";
  std::ofstream(path) << "half of";
  EXPECT_THROW((void)read_choice_book(path), InvalidArgument);
  EXPECT_THROW(add_to_choice_book(path, some_book()), InvalidArgument);
  std::string text;
  std::getline(std::ifstream(path), text);
  EXPECT_EQ(text, "half of");
}

// As if it were not there, for devices; its choices may be what another version of the program needs.
TEST_F(ChoiceStore, LeavesAFileOfAnotherVersionAlone) {
  const auto path = folder_ / "choices.json";
  const std::string newer = R"({"format": "twiddle choices", "version": 2, "devices": []})";
  std::ofstream(path) << newer;
  EXPECT_THROW((void)read_choice_book(path), InvalidArgument);
  EXPECT_THROW(add_to_choice_book(path, some_book()), InvalidArgument);
  std::string text;
  std::getline(std::ifstream(path), text);
  EXPECT_EQ(text, newer);
  const test::ScopedVariable chosen("TWIDDLE_CHOICES", path.c_str());
  EXPECT_EQ(Device::host().limits().choices, nullptr);
}

// What was tuned for a card that was pulled out stays for when it is back, and counts for no other device.
TEST_F(ChoiceStore, KeepsChoicesOfDevicesThatAreGone) {
  const auto path = folder_ / "choices.json";
  const test::ScopedVariable chosen("TWIDDLE_CHOICES", path.c_str());
  add_to_choice_book(path, some_book());
  const Device host = Device::host();
  EXPECT_EQ(host.limits().choices, nullptr);
  ChoiceBook here;
  here[identity_of(host.info())].set({64, LineUse::rows, Precision::float32}, {0, {{8, 8}, 0, 0}});
  add_to_choice_book(path, here);
  EXPECT_EQ(read_choice_book(path).at(some_device), some_book().at(some_device));
  ASSERT_NE(host.limits().choices, nullptr);
  EXPECT_EQ(*host.limits().choices, here.begin()->second);
}

TEST_F(ChoiceStore, FailsWithoutPermission) {
  using std::filesystem::perms;
  const auto path = folder_ / "choices.json";
  add_to_choice_book(path, some_book());
  std::filesystem::permissions(path, perms::none);
  std::filesystem::permissions(folder_, perms{0555});
  const Device host = Device::host();
  const test::ScopedVariable chosen("TWIDDLE_CHOICES", path.c_str());
  const uid_t user = getuid();
  constexpr uid_t nobody = 65534;
  if (user == 0) {
    ASSERT_EQ(setresuid(nobody, nobody, user), 0);  // root may do anything
  }
  EXPECT_THROW((void)read_choice_book(path), DeviceError);
  EXPECT_THROW(add_to_choice_book(path, some_book()), DeviceError);
  EXPECT_THROW(add_to_choice_book(folder_ / "other.json", some_book()), DeviceError);
  EXPECT_THROW(check_record_folder(folder_ / "other.json"), DeviceError);
  EXPECT_EQ(host.limits().choices, nullptr);
  ASSERT_EQ(setresuid(user, user, user), 0);
  std::filesystem::permissions(path, perms{0600});
  std::filesystem::permissions(folder_, perms{0700});
  EXPECT_EQ(read_choice_book(path), some_book());
}

TEST_F(ChoiceStore, FailsWhereNothingCanBeWritten) {
  const auto file = folder_ / "file";
  std::ofstream(file) << "no folder";
  EXPECT_THROW(add_to_choice_book(file / "choices.json", some_book()), DeviceError);
  EXPECT_THROW(check_record_folder(file / "choices.json"), DeviceError);
  EXPECT_THROW(check_record_folder(file / "folder" / "choices.json"), DeviceError);
  check_record_folder(folder_ / "new" / "folder" / "choices.json");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "new"));
}

TEST_F(ChoiceStore, IsNoFolder) {
  EXPECT_THROW((void)read_choice_book(folder_), DeviceError);
  const test::ScopedVariable chosen("TWIDDLE_CHOICES", folder_.c_str());
  EXPECT_EQ(Device::host().limits().choices, nullptr);
}

// Devices see what the default file holds at the time, and nothing where it is damaged.
TEST_F(ChoiceStore, IsReadByDevicesAndReadAgainWhenItChanges) {
  const auto path = folder_ / "choices.json";
  const test::ScopedVariable chosen("TWIDDLE_CHOICES", path.c_str());
  const Device host = Device::host();
  EXPECT_EQ(host.limits().choices, nullptr);
  ChoiceBook book;
  book[identity_of(host.info())].set({64, LineUse::rows, Precision::float32}, {0, {{8, 8}, 0, 0}});
  add_to_choice_book(path, book);
  ASSERT_NE(host.limits().choices, nullptr);
  EXPECT_EQ(*host.limits().choices, book.begin()->second);
  EXPECT_EQ(host.with_choices(nullptr).limits().choices, nullptr);
  std::ofstream(path) << "damaged now";
  EXPECT_EQ(host.limits().choices, nullptr);
  const test::ScopedVariable off("TWIDDLE_CHOICES", "off");
  EXPECT_TRUE(default_choice_file().empty());
}

TEST(ChoiceFile, IsInTheConfigurationFolder) {
  const test::ScopedVariable chosen("TWIDDLE_CHOICES", nullptr);
  const test::ScopedVariable home("HOME", "/home/someone");
  const test::ScopedVariable none("XDG_CONFIG_HOME", nullptr);
  EXPECT_EQ(default_choice_file(), "/home/someone/.config/twiddle/choices.json");
  const test::ScopedVariable configuration("XDG_CONFIG_HOME", "/configuration");
  EXPECT_EQ(default_choice_file(), "/configuration/twiddle/choices.json");
  const test::ScopedVariable relative("XDG_CONFIG_HOME", "here");
  const test::ScopedVariable no_home("HOME", nullptr);
  EXPECT_TRUE(default_choice_file().empty());
}

}  // namespace
}  // namespace twiddle::tuning
