// A driver and a run-time compiler without a device, in a shared library of their own: they keep books on what is asked
// of them. Tests find the books through the loaded library; environment variables say how it behaves.
//   FAKE_CUDA_DEVICES      how many devices there are (default: 1)
//   FAKE_CUDA_FAIL         "cuMemAlloc_v2=2": that function answers with that code
//   FAKE_CUDA_REFUSE       cuModuleLoadData refuses binaries that hold this text
//   FAKE_CUDA_DRIVER       version of the driver (default: 13000)
//   FAKE_NVRTC_OLDEST, FAKE_NVRTC_NEWEST   architectures that the compiler knows (default: 75 and 100); devices have 90
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace twiddle::test {

struct FakeLaunch {
  std::string function;
  unsigned groups = 0;
  unsigned group_size = 0;
  unsigned shared_bytes = 0;
  std::uintptr_t stream = 0;
  bool dependent = false;                 // may be launched while the one before it ends
  std::vector<std::uint64_t> parameters;  // the first four as numbers: input, output, constants, count
};

struct FakeBooks {
  std::vector<std::string> calls;  // every function of the driver and the compiler, in order
  std::vector<FakeLaunch> launches;
  std::vector<std::vector<std::string>> compilations;  // options of each
  std::set<std::uint64_t> memory;                      // pointers that are allocated and not freed
  int contexts = 0;                                    // retained
  int pushed = 0;                                      // contexts on the stack
  int streams = 0;
  int events = 0;
  int modules = 0;
  int programs = 0;
  int largest_dynamic_shared = 0;  // as the attribute of a kernel was set last
};

// Exported by the library under this name.
inline constexpr const char* fake_books_function = "twiddle_fake_cuda_books";
using FakeBooksFunction = FakeBooks* (*)();

}  // namespace twiddle::test
