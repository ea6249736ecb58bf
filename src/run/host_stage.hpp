// A stage of a device's program that the host carries out.
#pragma once

#include <memory>

#include "backend/engine.hpp"

namespace twiddle::run {

// Copies what the stage reads to the host, executes it there and copies the results back: to compare with stages that stay on
// the device. Throws what compiling for the host throws.
[[nodiscard]] std::shared_ptr<const backend::Executable> make_host_stage(plan::Stage stage);

}  // namespace twiddle::run
