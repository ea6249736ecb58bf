// Finding workers by their stages.
#include "backend/host/worker_store.hpp"

#include <utility>

namespace twiddle::backend::host {

std::shared_ptr<const StageWorker> WorkerStore::find_or_make(const plan::Stage& stage, const WorkerOptions& options) {
  plan::Stage key = stage;
  key.source = plan::Operand::input;
  key.destination = plan::Operand::output;
  key.step.clear();
  {
    const std::lock_guard lock(mutex_);
    for (const Entry& entry : entries_) {
      if (!(entry.options == options && entry.stage == key)) continue;
      if (auto worker = entry.worker.lock()) return worker;
    }
  }
  std::shared_ptr<const StageWorker> worker = make_worker(stage, options);
  const std::lock_guard lock(mutex_);
  entries_[next_] = {std::move(key), options, worker};
  next_ = (next_ + 1) % known_workers;
  return worker;
}

}  // namespace twiddle::backend::host
