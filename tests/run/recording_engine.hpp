// An engine without a device, which writes down what it is asked to do.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "backend/engine.hpp"
#include "twiddle/error.hpp"

namespace twiddle::test {

class RecordingEngine : public backend::Engine {
 public:
  struct Run {
    std::string step;
    backend::Operands operands;
  };

  explicit RecordingEngine(DeviceLimits limits, BackendKind backend = BackendKind::host) {
    info_.backend = backend;
    info_.name = "recorder";
    if (limits.shape != DeviceLimits::Shape::owned) info_.backend = BackendKind::opencl;
    info_.limits = limits;
  }

  const DeviceInfo& info() const override { return info_; }

  std::unique_ptr<backend::Memory> allocate(std::size_t bytes) override {
    allocations.push_back(bytes);
    return std::make_unique<NoMemory>();
  }

  std::shared_ptr<const backend::Executable> compile(const plan::Stage& stage) override {
    ++compilations;
    if (failing_compilations > 0) {
      --failing_compilations;
      throw DeviceError("the compiler is out of order");
    }
    stages.push_back(stage);
    return std::make_shared<Recorder>(*this, stage.step);
  }

  std::shared_ptr<const backend::Executable> compile_image(const plan::ImagePass&) override {
    ++compilations;
    return std::make_shared<Recorder>(*this, "image");
  }

  bool works_on_host_memory() const override { return on_host_memory; }

  void synchronize() override {}

  bool on_host_memory = false;
  std::vector<std::size_t> allocations;  // bytes asked for
  int compilations = 0;
  int failing_compilations = 0;  // so many to come will throw
  std::vector<plan::Stage> stages;   // that were compiled
  std::vector<Run> runs;

 private:
  class NoMemory : public backend::Memory {
   public:
    void write(const void*, std::size_t) override {}
    void read(void*, std::size_t) override {}
  };

  class Recorder : public backend::Executable {
   public:
    Recorder(RecordingEngine& engine, std::string step) : engine_(engine), step_(std::move(step)) {}
    void run(const backend::Operands& operands, double* milliseconds) const override {
      engine_.runs.push_back({step_, operands});
      if (milliseconds != nullptr) *milliseconds = 0.25;
    }

   private:
    RecordingEngine& engine_;
    std::string step_;
  };

  DeviceInfo info_;
};

}  // namespace twiddle::test
