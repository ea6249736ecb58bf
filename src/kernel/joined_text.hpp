// What a kernel of two stages says beside theirs: tickets, what they wait for, and caches.
#pragma once

#include <string>

#include "kernel/dialect.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::kernel {

// TW_LOAD_ONCE, TW_STORE_ONCE of what nobody moves again, TW_LOAD_SHARED of what other groups wrote; draw_ticket;
// look_up and announce counts of what was written and read. Throws
// Unsupported in dialects without.
[[nodiscard]] std::string joined_prelude(Dialect dialect, Precision precision);

}  // namespace twiddle::kernel
