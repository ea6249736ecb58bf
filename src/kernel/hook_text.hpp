// Hooks of the user's as functions of a kernel.
#pragma once

#include <cstdint>
#include <string>

#include "kernel/dialect.hpp"
#include "plan/lower/stage.hpp"

namespace twiddle::kernel {

// The definition of `name`, a function of a value, its index and the user's memory that returns the value changed; of a
// hook that reads neighbours the value is where these are, of one that gathers there is the stage's input instead.
// Throws Unsupported for a hook without text. Where the memory is `real`, neither the value nor the result has an
// imaginary part.
[[nodiscard]] std::string hook_function(const plan::StageHook& hook, const char* name, Precision precision, bool real);

// A call of it for `value`, which stands at `pointer` + `offset`, an element of the memory that starts at `memory`.
[[nodiscard]] std::string hook_call(const char* name, const std::string& value, const char* memory,
                                    const std::string& pointer, const std::string& offset);

// Of a hook on pairs of reals, the second of which is `part` elements further: two calls, for `real` and `imaginary`,
// as one number.
[[nodiscard]] std::string pair_call(const char* name, const std::string& real, const std::string& imaginary,
                                    const char* memory, const std::string& pointer, const std::string& offset,
                                    std::int64_t part);

// Likewise of a hook that gathers, which makes the element that `storage` has there.
[[nodiscard]] std::string gathering_call(const char* name, const char* memory, const std::string& pointer,
                                         const std::string& offset, const plan::Storage& storage);

// What a kernel needs to call repair_call(): functions that look at a value and that make it anew.
[[nodiscard]] std::string repair_functions(const plan::Repair& repair, const plan::Storage& storage, Dialect dialect);
// `value`, or what takes its place where it is not finite; stored at `pointer` + `offset` of `output`.
[[nodiscard]] std::string repair_call(const std::string& value, const std::string& pointer, const std::string& offset);

}  // namespace twiddle::kernel
