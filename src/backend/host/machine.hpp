// What this machine is.
#pragma once

#include <cstddef>
#include <cstdint>

#include "twiddle/device.hpp"

namespace twiddle::backend::host {

// The host as a device, for the SIMD targets and the number of threads that are in use.
[[nodiscard]] DeviceInfo describe_machine(std::int64_t targets, std::size_t threads);

struct LastLevelCache {
  std::size_t bytes = 0;
  std::size_t processors = 1;  // that share it, hardware threads
};

// As the system describes it, read once; a guess where it does not.
[[nodiscard]] LastLevelCache last_level_cache();

// Where a stage's results go; read again: by the stages of another axis.
enum class Results { beside_input, read_again, over_input };

// How many bytes of results (as many are read) a stage on so many threads may leave in the cache, rather than store
// past it: what the cache holds beside the input, less what other programs take. Of a large cache that many processors
// share, that is the threads' own part, or 30 MiB (32 busy processors on 300 MiB: stores past the cache pay from 12 MiB
// of results beside an input, from 16 MiB in place). No thread's part is more than 64 MiB, but where
// results are stored over the input; beside it, of more than 128 MiB, no more than 18 MiB are kept on any number of
// threads.
[[nodiscard]] std::size_t results_kept(const LastLevelCache& cache, std::size_t threads, Results results);

}  // namespace twiddle::backend::host
