// The engine that runs stages as native code on this CPU.
#pragma once

#include <memory>

#include "backend/engine.hpp"

namespace twiddle::backend {

[[nodiscard]] std::shared_ptr<Engine> make_host_engine();

}  // namespace twiddle::backend
