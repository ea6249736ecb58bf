// Workers of equal stages are made once: a plan's executions in place and out of place, and plans that live at the same
// time, share them and their tables.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>

#include "backend/host/stage_worker.hpp"
#include "plan/lower/stage.hpp"

namespace twiddle::backend::host {

// Knows the latest stages whose workers are still in use. Safe to use from several threads.
class WorkerStore {
 public:
  // As make_worker. Which memories the stage works on does not matter to a worker, but for what the options say of them.
  [[nodiscard]] std::shared_ptr<const StageWorker> find_or_make(const plan::Stage& stage, const WorkerOptions& options);

 private:
  struct Entry {
    plan::Stage stage;
    WorkerOptions options;
    std::weak_ptr<const StageWorker> worker;
  };
  static constexpr std::size_t known_workers = 16;
  std::mutex mutex_;
  std::array<Entry, known_workers> entries_;
  std::size_t next_ = 0;  // to be replaced
};

}  // namespace twiddle::backend::host
