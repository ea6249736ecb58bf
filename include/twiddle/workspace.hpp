// Working memory that plans use while they execute, and may share.
#pragma once

#include <memory>

#include "twiddle/device.hpp"

namespace twiddle {

namespace run {
class MemoryPool;
}

// Memory of a device, allocated as executions need it and kept for the next one; freed with the last copy. Plans that
// execute one after the other need only the largest of their workspaces; executions at the same time get pieces of their
// own. Cheap to copy: copies share the memory.
class Workspace {
 public:
  explicit Workspace(Device device);

  [[nodiscard]] const Device& device() const { return device_; }
  [[nodiscard]] run::MemoryPool& pool() const { return *pool_; }

 private:
  Device device_;
  std::shared_ptr<run::MemoryPool> pool_;  // after the device, so that it goes first
};

}  // namespace twiddle
