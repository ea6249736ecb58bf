// Reading names and sizes from the system.
#include "backend/host/machine.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <fstream>
#include <string>
#include <string_view>

#include "backend/host/pass.hpp"
#include "backend/host/settings.hpp"

namespace twiddle::backend::host {
namespace {

// The value of the first line "key : value" of /proc/cpuinfo; `otherwise` where there is none.
std::string processor_field(std::string_view key, std::string otherwise) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || !std::string_view(line).starts_with(key)) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    if (begin != std::string::npos) return line.substr(begin);
  }
  return otherwise;
}

// Read once: the kernel takes 50 us to write that file.
struct Processor {
  std::string name = processor_field("model name", "CPU");
  std::string vendor = processor_field("vendor_id", "unknown");
  std::string family = processor_field("cpu family", "");
};

const Processor& this_processor() {
  static const Processor processor;
  return processor;
}

// AMD's Zen 4: of family 25 only it has AVX-512. Zen 5, of family 26, computes whole vectors.
bool halves_vectors(const DeviceInfo& info) {
  constexpr std::size_t wide_vector = 64;  // bytes
  return info.limits.sub_group_size * sizeof(float) == wide_vector && info.vendor == "AuthenticAMD" &&
         this_processor().family == "25";
}

std::size_t system_size(int name, std::size_t otherwise) {
  const long value = sysconf(name);
  return value > 0 ? static_cast<std::size_t>(value) : otherwise;
}

// From sysfs, because sysconf adds up the caches of the whole socket, of which a core sees one.
LastLevelCache read_last_level_cache() {
  LastLevelCache last;
  for (int index = 0; index < 8; ++index) {
    const std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
    std::ifstream file(folder + "size");
    std::size_t size = 0;
    char unit = ' ';
    if (!(file >> size >> unit)) continue;
    size = unit == 'M' ? size << 20 : unit == 'K' ? size << 10 : size;
    if (size < last.bytes) continue;
    std::ifstream mask(folder + "shared_cpu_map");  // hexadecimal words and commas: a bit for each processor
    std::size_t processors = 0;
    for (std::string word; std::getline(mask, word, ',');) {
      std::uint32_t bits = 0;
      std::from_chars(word.data(), word.data() + word.size(), bits, 16);
      processors += static_cast<std::size_t>(std::popcount(bits));
    }
    last = {size, std::max<std::size_t>(processors, 1)};
  }
  return last.bytes != 0 ? last : LastLevelCache{system_size(_SC_LEVEL2_CACHE_SIZE, std::size_t{1} << 23), 1};
}

}  // namespace

DeviceInfo describe_machine(std::int64_t targets, std::size_t threads) {
  DeviceInfo info;
  info.backend = BackendKind::host;
  info.name = this_processor().name;
  info.vendor = this_processor().vendor;
  info.driver = target_name(targets);
  info.max_item_sizes = {1};
  info.global_memory = std::uint64_t{system_size(_SC_PHYS_PAGES, 0)} * system_size(_SC_PAGESIZE, 4096);
  DeviceLimits& limits = info.limits;
  limits.shape = DeviceLimits::Shape::owned;
  limits.max_group_size = 1;
  limits.local_memory = 0;
  limits.sub_group_size = vector_lanes<float>(targets);
  limits.memory_segment = 64;
  limits.compute_units = threads;
  limits.max_buffer = info.global_memory;
  limits.level1_cache = system_size(_SC_LEVEL1_DCACHE_SIZE, limits.level1_cache);
  limits.level2_cache = system_size(_SC_LEVEL2_CACHE_SIZE, limits.level2_cache);
  limits.halved_vectors = halves_vectors(info);
  return info;
}

LastLevelCache last_level_cache() {
  static const LastLevelCache cache = read_last_level_cache();
  return cache;
}

std::size_t results_kept(const LastLevelCache& cache, std::size_t threads, Results results) {
  // Virtual machines that state 480 MiB for two processors, or 300 MiB for 16, are parts of sockets whose other
  // processors use that cache as well. Beside their input, results of 20 MiB and more take 0.5 to 0.9 of the time past
  // it there, of 16 MiB 1.1 (rows) to 2.1 (long lines), on two to 16 threads as on one; over their input more take 1.1
  // to 1.6.
  constexpr std::size_t most_of_processor = std::size_t{64} << 20;
  constexpr std::size_t largest_of_few = std::size_t{128} << 20;
  constexpr std::size_t kept_of_larger = std::size_t{18} << 20;
  std::size_t share = cache.bytes / cache.processors;
  if (results != Results::over_input) share = std::min(share, most_of_processor);
  const std::size_t own = share * std::min(threads, cache.processors);
  const std::size_t used = std::max(own, std::min(cache.bytes, std::size_t{30} << 20));
  if (results != Results::beside_input) return used / 2;
  return std::min(used / 8 * 3, cache.bytes > largest_of_few ? kept_of_larger : cache.bytes);
}

}  // namespace twiddle::backend::host
