// Preparation of a line's passes.
#include "backend/host/line_passes.hpp"

#include <fmt/format.h>

#include "backend/host/twiddle_tables.hpp"
#include "twiddle/error.hpp"

namespace twiddle::backend::host {

LinePasses::LinePasses(const plan::Stage& stage, LineShape shape, std::size_t lanes, std::int64_t targets)
    : lanes_(lanes) {
  const std::size_t vector = vector_lanes(targets);
  planar_size_ = stage.length * lanes + 2 * vector;
  std::size_t done = 1;
  for (unsigned radix : stage.radices) {
    Pass pass{radix, stage.length / done / radix, done * lanes, {}, nullptr};
    done *= radix;
    const bool last = done == stage.length;
    pass.middle = find_pass(last ? PassKind::last_planar : PassKind::middle, radix, targets);
    if (pass.middle == nullptr) {
      throw Unsupported(
          fmt::format("the host has no kernel for radix {} (length {}, step '{}')", radix, stage.length, stage.step));
    }
    if (!last) {
      pass.twiddles = passes_.empty() && shape == LineShape::row ? column_twiddles(pass.columns, radix, vector)
                                                                 : broadcast_twiddles(pass.columns, radix);
    }
    passes_.push_back(std::move(pass));
  }
}

PassCall<float> LinePasses::call(std::size_t i) const {
  PassCall<float> call;
  call.columns = passes_[i].columns;
  call.run = passes_[i].run;
  call.twiddles = passes_[i].twiddles.data();
  call.lanes = lanes_;
  return call;
}

std::size_t LinePasses::run_middle(std::size_t first, std::size_t last, Planes planes[2], std::size_t from,
                                   const PassCall<float>& prefetch) const {
  for (std::size_t i = first; i < last; ++i, from = 1 - from) {
    PassCall<float> call = this->call(i);
    call.input = planes[from].real;
    call.input_imaginary = planes[from].imaginary;
    call.output = planes[1 - from].real;
    call.output_imaginary = planes[1 - from].imaginary;
    call.prefetch = prefetch.prefetch;
    call.prefetch_lines = prefetch.prefetch_lines;
    passes_[i].middle(call);
  }
  return from;
}

}  // namespace twiddle::backend::host
