// Preparation of a line's passes.
#include "backend/host/line_passes.hpp"

#include <fmt/format.h>

#include "backend/host/twiddle_tables.hpp"
#include "twiddle/error.hpp"

namespace twiddle::backend::host {

LinePasses::LinePasses(const plan::Stage& stage, LineShape shape, std::size_t lanes, std::int64_t targets) {
  const std::size_t vector = vector_lanes(targets);
  planar_size_ = stage.length * lanes + 2 * vector;
  std::vector<unsigned> radices = stage.radices;
  const auto direct = [&](unsigned radix) { return find_pass(PassKind::first_row, radix, targets) == nullptr; };
  if (direct(radices.front())) radices.insert(radices.begin(), 1);
  if (direct(radices.back())) radices.push_back(1);
  std::size_t done = 1;
  for (unsigned radix : radices) {
    Pass pass{radix, stage.length / done / radix, done, 0, steps_, {}, {}, nullptr};
    done *= radix;
    pass.middle = find_pass(pass.columns == 1 ? PassKind::last_planar : PassKind::middle, radix, targets);
    if (pass.middle == nullptr) {
      throw Unsupported(
          fmt::format("the host has no kernel for radix {} (length {}, step '{}')", radix, stage.length, stage.step));
    }
    const bool across_columns = passes_.empty() && shape == LineShape::row;
    if (pass.columns > 1) {
      pass.twiddles =
          across_columns ? column_twiddles(pass.columns, radix, vector) : broadcast_twiddles(pass.columns, radix);
    }
    if (direct(radix)) pass.roots = direct_roots(radix);
    pass.steps = across_columns ? (pass.columns + vector - 1) / vector
                                : pass.columns * ((pass.run * lanes + vector - 1) / vector);
    steps_ += pass.steps;
    passes_.push_back(std::move(pass));
  }
}

PassCall<float> LinePasses::call(std::size_t i, std::size_t lanes, const Prefetch& prefetch) const {
  const Pass& pass = passes_[i];
  PassCall<float> call;
  call.radix = pass.radix;
  call.roots = pass.roots.data();
  call.columns = pass.columns;
  call.run = pass.run * lanes;
  call.twiddles = pass.twiddles.data();
  call.lanes = lanes;
  if (prefetch.start == nullptr) return call;
  // As many pieces a step as are needed to be done at the end of the last pass.
  const std::size_t begin = prefetch.pieces * pass.steps_before / steps_;
  const std::size_t end = prefetch.pieces * (pass.steps_before + pass.steps) / steps_;
  call.prefetch = prefetch.start + prefetch.stride * static_cast<std::ptrdiff_t>(begin);
  call.prefetch_count = (end - begin + pass.steps - 1) / pass.steps;
  call.prefetch_lines = prefetch.lines;
  call.prefetch_stride = prefetch.stride;
  return call;
}

std::size_t LinePasses::run_middle(std::size_t first, std::size_t last, std::size_t lanes, const Planes planes[2],
                                   const Prefetch& prefetch) const {
  std::size_t at = 0;
  for (std::size_t i = first; i < last; ++i, at = 1 - at) {
    PassCall<float> call = this->call(i, lanes, prefetch);
    call.input = planes[at].real;
    call.input_imaginary = planes[at].imaginary;
    call.output = planes[1 - at].real;
    call.output_imaginary = planes[1 - at].imaginary;
    passes_[i].middle(call);
  }
  return at;
}

}  // namespace twiddle::backend::host
