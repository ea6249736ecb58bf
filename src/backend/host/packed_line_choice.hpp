// Which short lines are computed one after the other on packed numbers, by which radices and vectors.
#pragma once

#include <cstdint>
#include <optional>

#include "backend/host/contiguous_line.hpp"
#include "backend/host/packed_radices.hpp"
#include "backend/host/stage_worker.hpp"

namespace twiddle::backend::host {

struct PackedLineChoice {
  PackedRadices radices;
  std::int64_t targets;  // the options', or those of them with narrower vectors
};

// Nothing for lines that are better off side by side, or that do not fit: too long, by other factors, or with vectors
// that have no such kernels.
template <class T>
[[nodiscard]] std::optional<PackedLineChoice> choose_packed_line(const plan::Stage& stage, const ContiguousLine& line,
                                                                 const WorkerOptions& options);

}  // namespace twiddle::backend::host
