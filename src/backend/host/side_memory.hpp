// What a stage reads or writes: one memory, or two where imaginary parts are apart (Storage::Form::apart).
#pragma once

#include <cstddef>

namespace twiddle::backend::host {

// The start of a side's memory, and of that of imaginary parts where these are apart.
template <class Byte>
struct SideMemory {
  SideMemory(Byte* start, Byte* apart = nullptr) : start(start), apart(apart) {}  // NOLINT: mostly one memory
  Byte* start;
  Byte* apart;
};
using InputMemory = SideMemory<const std::byte>;
using OutputMemory = SideMemory<std::byte>;

}  // namespace twiddle::backend::host
