// Lending device memory.
#include "run/memory_pool.hpp"

#include <utility>

namespace twiddle::run {

MemoryPool::Loan MemoryPool::borrow(std::size_t bytes, Queue queue) {
  if (bytes == 0) return {};
  {
    const std::lock_guard lock(mutex_);
    const auto piece = idle_.lower_bound({queue, bytes});
    if (piece != idle_.end() && piece->first.first == queue) return Loan(*this, idle_.extract(piece));
    idle_.erase(idle_.lower_bound({queue, 0}), piece);
  }
  Pieces fresh;
  const auto piece = fresh.emplace(Pieces::key_type{queue, bytes}, engine_.allocate(bytes));
  return Loan(*this, fresh.extract(piece));
}

void MemoryPool::take_back(Pieces::node_type piece) {
  const std::lock_guard lock(mutex_);
  idle_.insert(std::move(piece));
}

}  // namespace twiddle::run
