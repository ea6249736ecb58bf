// Device memory, lent out and taken back, so that repeated executions allocate nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "backend/engine.hpp"

namespace twiddle::run {

// Grows to as many pieces as were in use at once. Safe to use from several threads. A piece may be given back as soon
// as the work on it is submitted, because a queue runs everything in the order of submission: pieces stay with the
// queue that they were used on (see backend::Operands; none: the engine's own).
class MemoryPool {
 public:
  using Queue = std::optional<std::uintptr_t>;
  // By queue and size in bytes. Nodes move between here and the loans, so that giving back cannot fail.
  using Pieces = std::multimap<std::pair<Queue, std::size_t>, std::unique_ptr<backend::Memory>>;

  // Memory on loan; goes back to the pool, which must live longer.
  class Loan {
   public:
    Loan() = default;
    Loan(MemoryPool& pool, Pieces::node_type piece) : pool_(&pool), piece_(std::move(piece)) {}
    ~Loan() {
      if (piece_) pool_->take_back(std::move(piece_));
    }
    Loan(Loan&&) = default;
    Loan& operator=(Loan&&) = delete;

    [[nodiscard]] backend::Memory* get() const { return piece_ ? piece_.mapped().get() : nullptr; }

   private:
    MemoryPool* pool_ = nullptr;
    Pieces::node_type piece_;
  };

  explicit MemoryPool(backend::Engine& engine) : engine_(engine) {}

  // A piece of at least `bytes` bytes with undefined contents; an empty loan where that is 0. Smaller idle pieces of
  // the queue are freed before a larger one is allocated.
  [[nodiscard]] Loan borrow(std::size_t bytes, Queue queue = std::nullopt);

 private:
  void take_back(Pieces::node_type piece);

  backend::Engine& engine_;
  std::mutex mutex_;
  Pieces idle_;
};

}  // namespace twiddle::run
