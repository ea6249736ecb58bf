// The file of device profiles.
#include "tune/profile_store.hpp"

#include <cstdlib>

#include "tune/record_file.hpp"

namespace twiddle::tuning {

namespace {
constexpr const char* variable = "TWIDDLE_PROFILES";
}

std::filesystem::path default_profile_file() { return user_file(variable, "profiles.json"); }

bool profiles_allowed() {
  const char* chosen = std::getenv(variable);
  return chosen == nullptr || std::string_view(chosen) != "off";
}

ProfileBook read_profile_book(const std::filesystem::path& path) { return read_records(path, parse_profile_book); }

void add_to_profile_book(const std::filesystem::path& path, const ProfileBook& additions) {
  change_record_file(path, [&](const std::filesystem::path& full) {
    ProfileBook book = read_profile_book(full);
    for (const auto& [key, profile] : additions) book[key] = profile;
    return print_profile_book(book);
  });
}

StoredProfile stored_profile(const DeviceInfo& info) {
  static RecordCache<ProfileBook> cache(read_profile_book);
  const auto content = cache.content(default_profile_file());
  StoredProfile result{std::nullopt, content.complaint};
  if (!content.records) return result;
  const auto found = content.records->find(profile_key_of(info));
  if (found != content.records->end()) result.profile = found->second;
  return result;
}

}  // namespace twiddle::tuning
