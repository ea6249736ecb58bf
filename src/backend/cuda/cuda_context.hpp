// A device's primary context, which an application's own CUDA code shares, and the stream on which this library works
// where the caller gives none.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "backend/cuda/cuda_api.hpp"

namespace twiddle::backend::cuda {

class Context {
 public:
  // Throws DeviceError where the driver refuses. The stream does not wait for the legacy default stream.
  Context(DeviceHandle device, std::string device_name);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] StreamHandle stream() const { return stream_; }
  [[nodiscard]] const std::string& device_name() const { return device_name_; }
  [[nodiscard]] DeviceHandle device() const { return device_; }

  // For destructors: false where the driver refuses; else the caller pops the context.
  [[nodiscard]] bool make_current() const;

  // Makes the context the calling thread's for as long as the object lives; afterwards it is what it was.
  class Scope {
   public:
    explicit Scope(const Context& context);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    bool pushed_ = false;  // it was another's, or none
  };

 private:
  DeviceHandle device_;
  std::string device_name_;
  ContextHandle context_ = nullptr;
  StreamHandle stream_ = nullptr;
};

// Device memory that this library allocated, or the caller's. Freed with the object where it is ours.
class Allocation {
 public:
  Allocation(std::shared_ptr<const Context> context, std::size_t bytes);
  Allocation(std::shared_ptr<const Context> context, DevicePointer callers)
      : context_(std::move(context)), pointer_(callers), owned_(false) {}
  ~Allocation();
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;

  [[nodiscard]] DevicePointer pointer() const { return pointer_; }
  // Copies, on the context's stream, and waits.
  void write(const void* source, std::size_t bytes) const;
  void read(void* destination, std::size_t bytes) const;

 private:
  std::shared_ptr<const Context> context_;
  DevicePointer pointer_ = 0;
  bool owned_ = true;
};

}  // namespace twiddle::backend::cuda
