// `twiddle bench --device cuda --peer ...`.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "twiddle/problem.hpp"

namespace twiddle::tool {

struct CudaBenchOptions {
  std::string device = "cuda";
  std::vector<std::string> peers{};
  std::string peers_folder{};
  std::string csv{};
  std::size_t rounds = 0;  // 0: 11
};

// Measures each problem until `over` says that there is no time left; peers that are not there are named. Returns the
// number of wrong results of twiddle's. Throws UsageError for another device and for peers that cannot be had on one.
[[nodiscard]] std::size_t bench_on_cuda(const CudaBenchOptions& options, const std::vector<Problem>& problems,
                                        const std::function<bool()>& over);

}  // namespace twiddle::tool
