// The format of an entry: a fixed header (magic, version, key, size, checksum), then the binary as the driver gave it.
#include "run/kernel_cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

#include "run/temporary_file.hpp"

namespace twiddle::run {
namespace {

constexpr std::array<char, 8> magic{'t', 'w', 'i', 'd', 'd', 'l', 'e', 'K'};
constexpr std::uint64_t format_version = 1;

struct Header {
  std::array<char, 8> magic;
  std::uint64_t version;
  XXH128_hash_t key;
  std::uint64_t size;
  XXH128_hash_t checksum;
};
static_assert(sizeof(Header) == 56, "the header is written as it lies in memory, so it must have no gaps");

// Each part is preceded by its length, so that no two identities give the same bytes.
XXH128_hash_t key_of(const KernelIdentity& identity) {
  std::string bytes;
  for (const std::string_view part : {identity.source, identity.options, identity.device, identity.driver}) {
    bytes += fmt::format("{}:", part.size());
    bytes += part;
  }
  return XXH3_128bits_withSeed(bytes.data(), bytes.size(), format_version);
}

bool make_private_folder(const std::filesystem::path& folder) {
  std::error_code error;
  if (std::filesystem::is_directory(folder, error)) return true;
  if (folder.has_parent_path()) std::filesystem::create_directories(folder.parent_path(), error);
  // Others must not be able to place binaries that we would run.
  return mkdir(folder.c_str(), S_IRWXU) == 0 || std::filesystem::is_directory(folder, error);
}

}  // namespace

std::filesystem::path KernelCache::default_folder() {
  if (const char* chosen = std::getenv("TWIDDLE_CACHE_DIR")) {
    return std::string_view(chosen) == "off" ? std::filesystem::path{} : std::filesystem::path(chosen);
  }
  if (const char* caches = std::getenv("XDG_CACHE_HOME"); caches != nullptr && *caches == '/') {
    return std::filesystem::path(caches) / "twiddle";
  }
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return {};
  return std::filesystem::path(home) / ".cache" / "twiddle";
}

std::filesystem::path KernelCache::entry_path(const KernelIdentity& identity) const {
  if (folder_.empty()) return {};
  const XXH128_hash_t key = key_of(identity);
  return folder_ / fmt::format("{:016x}{:016x}.bin", key.high64, key.low64);
}

std::optional<KernelCache::Binary> KernelCache::load(const KernelIdentity& identity) const {
  if (folder_.empty()) return std::nullopt;
  std::ifstream file(entry_path(identity), std::ios::binary | std::ios::ate);
  if (!file) return std::nullopt;
  const auto file_size = static_cast<std::uint64_t>(std::max<std::streamoff>(file.tellg(), 0));
  Header header{};
  file.seekg(0);
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return std::nullopt;
  if (header.magic != magic || header.version != format_version) return std::nullopt;
  if (!XXH128_isEqual(header.key, key_of(identity)) || header.size != file_size - sizeof header) return std::nullopt;
  Binary binary(header.size);
  if (!file.read(reinterpret_cast<char*>(binary.data()), static_cast<std::streamsize>(binary.size()))) {
    return std::nullopt;
  }
  if (!XXH128_isEqual(header.checksum, XXH3_128bits(binary.data(), binary.size()))) return std::nullopt;
  return binary;
}

bool KernelCache::store(const KernelIdentity& identity, const Binary& binary) const {
  if (folder_.empty() || binary.empty() || !make_private_folder(folder_)) return false;
  const Header header{magic, format_version, key_of(identity), binary.size(),
                      XXH3_128bits(binary.data(), binary.size())};
  const std::filesystem::path path = entry_path(identity);
  std::filesystem::path source_path = path;
  source_path.replace_extension(".cl");
  TemporaryFile source_file(folder_);
  TemporaryFile binary_file(folder_);
  return source_file.write(identity.source.data(), identity.source.size()) &&
         binary_file.write(&header, sizeof header) && binary_file.write(binary.data(), binary.size()) &&
         source_file.rename_to(source_path) && binary_file.rename_to(path);
}

}  // namespace twiddle::run
