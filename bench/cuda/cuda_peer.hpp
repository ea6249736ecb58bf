// Libraries that transform on CUDA devices, to compare with. They are found at run time: nothing is linked.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "library.hpp"
#include "twiddle/cuda.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::bench {

// Where a library computes: memory of the device, and the stream that it submits to.
struct CudaPlace {
  std::uint64_t pointer = 0;
  cuda::Stream stream;
};

class CudaPeer {
 public:
  explicit CudaPeer(std::string name) : name_(std::move(name)) {}
  virtual ~CudaPeer() = default;
  CudaPeer(const CudaPeer&) = delete;
  CudaPeer& operator=(const CudaPeer&) = delete;
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] virtual std::string version() const = 0;
  // Plans the unscaled forward transform in place, complex or of reals in rows of 2 (n / 2 + 1); run() submits it. The
  // device's context is current whenever plan(), run() or the destructor is called. Throws Unsupported for what the
  // library cannot do.
  [[nodiscard]] virtual std::unique_ptr<Contender> plan(const Transform& transform, const CudaPlace& place) = 0;

 private:
  std::string name_;
};

// Names for open_cuda_peer().
[[nodiscard]] const std::vector<std::string>& cuda_peer_names();

// A library by its name:
//   cufft    $TWIDDLE_CUFFT_LIBRARY, libcufft.so.12 or libcufft.so.11
//   vkfft    the module libtwiddle_peer_vkfft_cuda.so in `folder`, or beside the program
//   serial   this library, each kernel after the end of the one before (serial_launches.hpp)
// Throws InvalidArgument for another name, Unsupported where the library is not there.
[[nodiscard]] std::unique_ptr<CudaPeer> open_cuda_peer(const std::string& name, const std::string& folder);

// Those of the names that are there; of the others `missing` is told the reason.
[[nodiscard]] std::vector<std::unique_ptr<CudaPeer>> open_cuda_peers(
    const std::vector<std::string>& names, const std::string& folder,
    const std::function<void(const std::string& name, const std::string& reason)>& missing);

}  // namespace twiddle::bench
