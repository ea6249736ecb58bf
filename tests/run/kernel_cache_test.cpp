// The kernel cache: entries come back whole or not at all, whatever happens to the folder.
#include "run/kernel_cache.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <numeric>

#include "support/environment.hpp"

namespace twiddle::run {
namespace {

using test::ScopedVariable;
using test::TemporaryFolder;

constexpr KernelIdentity identity{"kernel void f() {}", "-cl-std=CL1.2", "a device", "driver 1"};

KernelCache::Binary sample_binary(std::size_t size = 10000) {
  KernelCache::Binary binary(size);
  std::iota(binary.begin(), binary.end(), static_cast<unsigned char>(1));
  return binary;
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void overwrite(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

std::size_t file_count(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(KernelCache, GivesBackWhatWasStoredAndKeepsTheSource) {
  const TemporaryFolder folder;
  const KernelCache cache(folder.path() / "made" / "on" / "demand");
  EXPECT_FALSE(cache.load(identity).has_value());
  ASSERT_TRUE(cache.store(identity, sample_binary()));
  EXPECT_EQ(cache.load(identity), sample_binary());
  auto source = cache.entry_path(identity);
  source.replace_extension(".cl");
  EXPECT_EQ(contents(source), identity.source);
  EXPECT_EQ(file_count(folder.path() / "made" / "on" / "demand"), 2U);
}

TEST(KernelCache, DependsOnEveryPartOfTheIdentity) {
  const TemporaryFolder folder;
  const KernelCache cache(folder.path());
  ASSERT_TRUE(cache.store(identity, sample_binary()));
  for (auto part :
       {&KernelIdentity::source, &KernelIdentity::options, &KernelIdentity::device, &KernelIdentity::driver}) {
    KernelIdentity other = identity;
    other.*part = "something else";
    EXPECT_FALSE(cache.load(other).has_value());
  }
  // The same characters, divided otherwise.
  EXPECT_NE(cache.entry_path({"ab", "c", "", ""}), cache.entry_path({"a", "bc", "", ""}));
}

TEST(KernelCache, IgnoresATruncatedEntryAndReplacesIt) {
  const TemporaryFolder folder;
  const KernelCache cache(folder.path());
  ASSERT_TRUE(cache.store(identity, sample_binary()));
  const std::string whole = contents(cache.entry_path(identity));
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{55}, std::size_t{56}, whole.size() - 1}) {
    overwrite(cache.entry_path(identity), whole.substr(0, size));
    EXPECT_FALSE(cache.load(identity).has_value()) << size << " bytes";
  }
  overwrite(cache.entry_path(identity), whole + "x");
  EXPECT_FALSE(cache.load(identity).has_value());
  ASSERT_TRUE(cache.store(identity, sample_binary()));
  EXPECT_EQ(cache.load(identity), sample_binary());
}

TEST(KernelCache, IgnoresAnEntryWithAnyByteChanged) {
  const TemporaryFolder folder;
  const KernelCache cache(folder.path());
  ASSERT_TRUE(cache.store(identity, sample_binary(100)));
  const std::string whole = contents(cache.entry_path(identity));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    overwrite(cache.entry_path(identity), damaged);
    EXPECT_FALSE(cache.load(identity).has_value()) << "byte " << i;
  }
}

TEST(KernelCache, IgnoresTheEntryOfAnotherKernelUnderThisName) {
  const TemporaryFolder folder;
  const KernelCache cache(folder.path());
  constexpr KernelIdentity other{"another kernel", "", "", ""};
  ASSERT_TRUE(cache.store(other, sample_binary()));
  std::filesystem::rename(cache.entry_path(other), cache.entry_path(identity));
  EXPECT_FALSE(cache.load(identity).has_value());
}

TEST(KernelCache, WorksWithoutAFolderThatCanBeMade) {
  const TemporaryFolder folder;
  overwrite(folder.path() / "file", "not a folder");  // stops root as well, whom permissions do not
  const KernelCache cache(folder.path() / "file" / "cache");
  EXPECT_FALSE(cache.store(identity, sample_binary()));
  EXPECT_FALSE(cache.load(identity).has_value());
  EXPECT_EQ(file_count(folder.path()), 1U);
}

TEST(KernelCache, WorksWithAReadOnlyFolder) {
  const TemporaryFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms{0555});
  const KernelCache cache(folder.path());
  const uid_t user = geteuid();
  constexpr uid_t nobody = 65534;
  if (user == 0) {
    ASSERT_EQ(seteuid(nobody), 0);  // root may write to read-only folders
  }
  const bool stored = cache.store(identity, sample_binary());
  ASSERT_EQ(seteuid(user), 0);
  EXPECT_FALSE(stored);
  EXPECT_FALSE(cache.load(identity).has_value());
  EXPECT_EQ(file_count(folder.path()), 0U);
}

TEST(KernelCache, LeavesNothingBehindWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  const KernelCache cache(folder.path());
  // A limit on the size of files fails writes half-way, as a full disk does.
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  const rlimit limit{4096, old_limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  const bool stored = cache.store(identity, sample_binary(100000));
  setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_FALSE(stored);
  EXPECT_EQ(file_count(folder.path()), 0U);
}

TEST(KernelCache, IsSafeWithManyProcesses) {
  const TemporaryFolder folder;
  const KernelCache cache(folder.path());
  const auto binary = sample_binary(200000);
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      bool right = true;
      for (int round = 0; round < 25; ++round) {
        right = cache.store(identity, binary) && right;
        const auto loaded = cache.load(identity);  // ours or another's, but always whole
        right = loaded == binary && right;
      }
      _exit(right ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_EQ(cache.load(identity), binary);
  EXPECT_EQ(file_count(folder.path()), 2U);
}

TEST(KernelCache, FindsItsFolderInTheEnvironment) {
  const ScopedVariable home("HOME", "/home/someone");
  const ScopedVariable caches("XDG_CACHE_HOME", nullptr);
  const ScopedVariable chosen("TWIDDLE_CACHE_DIR", nullptr);
  EXPECT_EQ(KernelCache::default_folder(), "/home/someone/.cache/twiddle");
  {
    const ScopedVariable set("XDG_CACHE_HOME", "/caches");
    EXPECT_EQ(KernelCache::default_folder(), "/caches/twiddle");
    const ScopedVariable preferred("TWIDDLE_CACHE_DIR", "/mine");
    EXPECT_EQ(KernelCache::default_folder(), "/mine");
  }
  for (const char* off : {"", "off"}) {
    const ScopedVariable set("TWIDDLE_CACHE_DIR", off);
    EXPECT_TRUE(KernelCache::default_folder().empty()) << "'" << off << "'";
  }
  const ScopedVariable no_home("HOME", nullptr);
  EXPECT_TRUE(KernelCache::default_folder().empty());
}

TEST(KernelCache, CanBeSwitchedOff) {
  const KernelCache cache({});
  EXPECT_TRUE(cache.is_off());
  EXPECT_FALSE(cache.store(identity, sample_binary()));
  EXPECT_FALSE(cache.load(identity).has_value());
}

}  // namespace
}  // namespace twiddle::run
