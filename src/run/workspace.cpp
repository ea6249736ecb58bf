// Shared working memory.
#include "twiddle/workspace.hpp"

#include "run/memory_pool.hpp"

namespace twiddle {

Workspace::Workspace(Device device)
    : device_(std::move(device)), pool_(std::make_shared<run::MemoryPool>(device_.engine())) {}

}  // namespace twiddle
