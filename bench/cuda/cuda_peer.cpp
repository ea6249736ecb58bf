// Finding peers, and those that come as modules with the interface of peer_module.h.
#include "cuda_peer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cufft_peer.hpp"
#include "module_library.hpp"
#include "serial_launches.hpp"
#include "twiddle/error.hpp"

namespace twiddle::bench {
namespace {

class ModulePeer : public CudaPeer {
 public:
  ModulePeer(const std::string& name, const std::string& file) : CudaPeer(name), module_(file) {}
  [[nodiscard]] std::string version() const override { return module_.version(); }
  [[nodiscard]] std::unique_ptr<Contender> plan(const Transform& transform, const CudaPlace& place) override {
    auto* const data = reinterpret_cast<void*>(place.pointer);
    return module_.plan({.transform = transform, .placement = Placement::in_place},
                        {.input = data, .output = data, .stream = place.stream.handle});
  }

 private:
  PeerModule module_;
};

}  // namespace

const std::vector<std::string>& cuda_peer_names() {
  static const std::vector<std::string> names{"cufft", "vkfft", "serial"};
  return names;
}

std::unique_ptr<CudaPeer> open_cuda_peer(const std::string& name, const std::string& folder) {
  if (name == "cufft") return open_cufft();
  if (name == "serial") return open_serial_launches();
  if (name == "vkfft") return std::make_unique<ModulePeer>(name, find_module("vkfft_cuda", folder));
  throw InvalidArgument(fmt::format("'{}' is no library to compare with on CUDA devices; expected one of {}", name,
                                    fmt::join(cuda_peer_names(), ", ")));
}

std::vector<std::unique_ptr<CudaPeer>> open_cuda_peers(
    const std::vector<std::string>& names, const std::string& folder,
    const std::function<void(const std::string& name, const std::string& reason)>& missing) {
  std::vector<std::unique_ptr<CudaPeer>> peers;
  for (const std::string& name : names) {
    try {
      peers.push_back(open_cuda_peer(name, folder));
    } catch (const Unsupported& error) {
      missing(name, error.what());
    }
  }
  return peers;
}

}  // namespace twiddle::bench
