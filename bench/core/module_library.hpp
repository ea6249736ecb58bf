// Libraries that come as modules with the interface of peer_module.h.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "library.hpp"
#include "shared_object.hpp"

namespace twiddle::bench {

// Where a module computes, and with what.
struct PeerMemory {
  void* input = nullptr;
  void* output = nullptr;
  std::size_t threads = 1;
  void* stream = nullptr;  // of a device
};

class PeerModule {
 public:
  // Throws Unsupported where the file cannot be loaded or is no such module.
  explicit PeerModule(const std::string& file);
  [[nodiscard]] std::string version() const;
  // Throws Unsupported for what the library, or any peer, cannot do.
  [[nodiscard]] std::unique_ptr<Contender> plan(const Problem& problem, const PeerMemory& memory) const;

 private:
  SharedObject module_;
};

// libtwiddle_peer_NAME.so in `folder`, else beside the program.
[[nodiscard]] std::string find_module(const std::string& name, const std::string& folder);

// A module for the host. Throws as PeerModule does.
[[nodiscard]] std::unique_ptr<Library> open_module(const std::string& name, const std::string& file);

}  // namespace twiddle::bench
