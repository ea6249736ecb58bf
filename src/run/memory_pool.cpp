// Lending device memory.
#include "run/memory_pool.hpp"

#include <utility>

namespace twiddle::run {

MemoryPool::Loan MemoryPool::borrow() {
  if (count_ == 0) return {};
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      Loan loan(*this, std::move(idle_.back()));
      idle_.pop_back();
      return loan;
    }
  }
  auto memory = engine_.allocate(count_);
  // Room for taking every piece back, so that giving back cannot fail.
  const std::lock_guard lock(mutex_);
  idle_.reserve(++pieces_);
  return Loan(*this, std::move(memory));
}

void MemoryPool::take_back(std::unique_ptr<backend::Memory> memory) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(memory));
}

}  // namespace twiddle::run
