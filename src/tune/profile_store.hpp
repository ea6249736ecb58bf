// Device profiles on disk, in a file of the user's beside that of the choices. Safe with many processes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "tune/profile_book.hpp"

namespace twiddle::tuning {

// $TWIDDLE_PROFILES, else $XDG_CONFIG_HOME/twiddle/profiles.json, else ~/.config/twiddle/profiles.json; empty where
// TWIDDLE_PROFILES is "" or "off", or no home is known.
[[nodiscard]] std::filesystem::path default_profile_file();

// Whether profiles may be read and measured at all: not where TWIDDLE_PROFILES is "off".
[[nodiscard]] bool profiles_allowed();

// Empty where there is no such file. Throws InvalidArgument, naming the file, where it holds something else, and
// DeviceError where it cannot be read.
[[nodiscard]] ProfileBook read_profile_book(const std::filesystem::path& path);

// Adds profiles, which replace those of the same devices. Throws what read_profile_book throws, and DeviceError where
// it cannot be written: then everything is as it was.
void add_to_profile_book(const std::filesystem::path& path, const ProfileBook& additions);

struct StoredProfile {
  std::optional<plan::DeviceProfile> profile;  // what the default file has for the device
  std::string complaint;                       // why the file cannot be read; it counts as empty then
};
[[nodiscard]] StoredProfile stored_profile(const DeviceInfo& info);

}  // namespace twiddle::tuning
