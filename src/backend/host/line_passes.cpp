// Preparation of a line's passes.
#include "backend/host/line_passes.hpp"

#include <fmt/format.h>

#include "backend/host/twiddle_tables.hpp"
#include "twiddle/error.hpp"

namespace twiddle::backend::host {

template <class T>
LinePasses<T>::LinePasses(const plan::Stage& stage, LineShape shape, std::size_t lanes, std::int64_t targets,
                          bool parted) {
  const std::size_t vector = vector_lanes<T>(targets);
  std::vector<unsigned> radices = stage.radices;
  const auto direct = [&](unsigned radix) { return find_pass<T>(PassKind::first_row, radix, targets) == nullptr; };
  if (shape != LineShape::inner) {
    if (direct(radices.front())) radices.insert(radices.begin(), 1);
    if (direct(radices.back())) radices.push_back(1);
  }
  const AllRoots<T> roots = radices.size() > 1 ? all_roots<T>(stage.length, targets) : AllRoots<T>();
  std::vector<std::size_t> lane_columns;
  if (shape == LineShape::interleaved_row) lane_columns = elements_in_blocks<T>(targets);
  std::size_t done = 1;
  for (unsigned radix : radices) {
    Pass pass{radix, stage.length / done / radix, done, 0, steps_, {}, {}, {}, nullptr};
    done *= radix;
    pass.middle = find_pass<T>(pass.columns == 1 ? PassKind::last_planar : PassKind::middle, radix, targets);
    if (pass.middle == nullptr) {
      throw Unsupported(
          fmt::format("the host has no kernel for radix {} (length {}, step '{}')", radix, stage.length, stage.step));
    }
    const bool across_columns = passes_.empty() && (shape == LineShape::row || shape == LineShape::interleaved_row);
    if (pass.columns > 1 && across_columns && parted) {
      pass.twiddles = first_column_twiddles(roots, pass.columns, radix, vector);
      pass.lane_twiddles = lane_twiddles<T>(radix, lane_columns, {.modulus = pass.columns * radix}, targets);
    } else if (pass.columns > 1) {
      pass.twiddles = across_columns ? column_twiddles(roots, pass.columns, radix, radix, vector, lane_columns)
                                     : broadcast_twiddles(roots, pass.columns, radix, radix);
    }
    if (direct(radix)) pass.roots = direct_roots<T>(radix, targets);
    pass.steps = across_columns ? (pass.columns + vector - 1) / vector
                                : pass.columns * ((pass.run * lanes + vector - 1) / vector);
    steps_ += pass.steps;
    passes_.push_back(std::move(pass));
  }
}

template <class T>
PassCall<T> LinePasses<T>::call(std::size_t i, std::size_t lanes, const Prefetch& prefetch) const {
  const Pass& pass = passes_[i];
  PassCall<T> call;
  call.radix = pass.radix;
  call.roots = pass.roots.data();
  call.columns = pass.columns;
  call.run = pass.run * lanes;
  call.twiddles = pass.twiddles.data();
  if (pass.lane_twiddles.size() > 0) {  // from k = 1 on
    call.lane_twiddles = pass.lane_twiddles.data() + pass.lane_twiddles.size() / pass.radix;
  }
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

template <class T>
std::size_t LinePasses<T>::run_middle(std::size_t first, std::size_t last, std::size_t lanes, const Planes<T> planes[2],
                                      std::size_t at, const Prefetch& prefetch) const {
  for (std::size_t i = first; i < last; ++i, at = 1 - at) {
    PassCall<T> call = this->call(i, lanes, prefetch);
    call.input = planes[at].real;
    call.input_imaginary = planes[at].imaginary;
    call.output = planes[1 - at].real;
    call.output_imaginary = planes[1 - at].imaginary;
    passes_[i].middle(call);
  }
  return at;
}

template class LinePasses<float>;
template class LinePasses<double>;
template class LinePasses<long double>;

}  // namespace twiddle::backend::host
