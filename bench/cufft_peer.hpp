// NVIDIA's cuFFT as a peer, where its library is found at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "twiddle/cuda.hpp"

namespace twiddle::bench {

class CufftPlan {
 public:
  virtual ~CufftPlan() = default;
  // Submits the forward transform in place.
  virtual void run() = 0;
};

class Cufft {
 public:
  // Loads $TWIDDLE_CUFFT_LIBRARY, libcufft.so.12 or libcufft.so.11.
  Cufft();
  ~Cufft();
  // Why there is none; empty where there is.
  [[nodiscard]] const std::string& absence() const { return absence_; }
  [[nodiscard]] std::string version() const;
  // In place at the pointer, rows of real data padded as usual (n/2+1 complex numbers). Null where cuFFT refuses.
  [[nodiscard]] std::unique_ptr<CufftPlan> plan(const std::string& type, const std::vector<std::size_t>& lengths,
                                                std::size_t batch, std::uint64_t pointer, cuda::Stream stream) const;

 private:
  struct Functions;
  std::unique_ptr<Functions> functions_;
  std::string absence_;
};

}  // namespace twiddle::bench
