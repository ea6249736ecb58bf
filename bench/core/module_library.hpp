// Libraries that come as modules with the interface of peer_module.h.
#pragma once

#include <memory>
#include <string>

#include "library.hpp"

namespace twiddle::bench {

// Throws Unsupported where the file cannot be loaded or is no such module.
[[nodiscard]] std::unique_ptr<Library> open_module(const std::string& name, const std::string& file);

}  // namespace twiddle::bench
