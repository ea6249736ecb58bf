// Device memory of one size, lent out and taken back, so that repeated executions allocate nothing.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "backend/engine.hpp"

namespace twiddle::run {

// Grows to as many pieces as were in use at once. Safe to use from several threads. A piece may be given back as soon
// as the work on it is submitted, because engines run everything in the order of submission.
class MemoryPool {
 public:
  // Memory on loan; goes back to the pool, which must live longer.
  class Loan {
   public:
    Loan() = default;
    Loan(MemoryPool& pool, std::unique_ptr<backend::Memory> memory) : pool_(&pool), memory_(std::move(memory)) {}
    ~Loan() {
      if (memory_) pool_->take_back(std::move(memory_));
    }
    Loan(Loan&&) = default;
    Loan& operator=(Loan&&) = delete;

    [[nodiscard]] backend::Memory* get() const { return memory_.get(); }

   private:
    MemoryPool* pool_ = nullptr;
    std::unique_ptr<backend::Memory> memory_;
  };

  MemoryPool(backend::Engine& engine, std::size_t count) : engine_(engine), count_(count) {}

  // A piece of `count` elements with undefined contents; an empty loan where count is 0.
  [[nodiscard]] Loan borrow();

 private:
  void take_back(std::unique_ptr<backend::Memory> memory);

  backend::Engine& engine_;
  std::size_t count_;
  std::mutex mutex_;
  std::size_t pieces_ = 0;  // idle and on loan
  std::vector<std::unique_ptr<backend::Memory>> idle_;
};

}  // namespace twiddle::run
