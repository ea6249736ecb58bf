// Lending device memory.
#include "run/memory_pool.hpp"

#include <utility>

namespace twiddle::run {

MemoryPool::Loan MemoryPool::borrow(std::size_t bytes) {
  if (bytes == 0) return {};
  {
    const std::lock_guard lock(mutex_);
    if (const auto piece = idle_.lower_bound(bytes); piece != idle_.end()) return Loan(*this, idle_.extract(piece));
    idle_.clear();
  }
  Pieces fresh;
  const auto piece = fresh.emplace(bytes, engine_.allocate(bytes));
  return Loan(*this, fresh.extract(piece));
}

void MemoryPool::take_back(Pieces::node_type piece) {
  const std::lock_guard lock(mutex_);
  idle_.insert(std::move(piece));
}

}  // namespace twiddle::run
