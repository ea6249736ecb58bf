// Measured kernel shapes: data that overrides the cost model where a device of the same class was measured.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "twiddle/device.hpp"

namespace twiddle::plan {

struct MeasuredChoice {
  std::vector<unsigned> radices;
  std::uint32_t items;       // work-items per transform
  std::uint32_t transforms;  // per group; 0: as the rules of choose_shape say
  std::uint32_t registers = 0;  // that a work-item may use in a stage that only transforms; 0: any
};

// The best shape measured for contiguous transforms (`strided` false), or for tiles of columns, of this length on
// devices like this one; nothing where none was measured.
[[nodiscard]] std::optional<MeasuredChoice> measured_choice(std::uint64_t length, bool strided,
                                                            const DeviceLimits& limits);

}  // namespace twiddle::plan
