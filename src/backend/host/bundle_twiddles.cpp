// Tables of a stage's twiddles by vectors of its transforms.
#include "backend/host/bundle_twiddles.hpp"

#include "backend/host/twiddle_tables.hpp"

namespace twiddle::backend::host {

template <class T>
BundleTwiddles<T>::BundleTwiddles(const plan::Stage& stage, std::size_t lane_loop, long double scale,
                                  std::int64_t targets)
    : length_(stage.length), vector_(vector_lanes<T>(targets)) {
  const plan::StageTwiddle& twiddle = *stage.twiddle;
  const bool follow = twiddle.loop == lane_loop;
  if (follow) lanes_ = lane_twiddles<T>(length_, elements_in_blocks<T>(targets), twiddle, targets);
  const std::uint64_t count = stage.loops[twiddle.loop].count;
  const std::size_t step = follow ? vector_ : 1;
  blocks_ = block_twiddles<T>(length_, (count + step - 1) / step, step, twiddle, scale, targets);
}

template <class T>
void BundleTwiddles<T>::put(const StageLoops::Item& item, PassCall<T>& call) const {
  call.block_twiddles = block(follow_lanes() ? item.lane / vector_ : item.position.twiddle_index);
  call.block_step = follow_lanes() ? 2 * length_ : 0;
  call.lane_twiddles = follow_lanes() ? lanes_.data() : nullptr;
}

template <class T>
TurnCall<T> BundleTwiddles<T>::turn(const Planes<T>& line, const StageLoops::Item& item, std::size_t lanes) const {
  return {line, lanes, block(item.lane / vector_), lanes_.data(), length_};
}

template <class T>
void BundleTwiddles<T>::apply(const Planes<T>& line, const StageLoops::Item& item, std::size_t lanes,
                              const CombinationKernels<T>& kernels) const {
  TurnCall<T> call = turn(line, item, lanes);
  for (std::size_t lane = 0; lane < lanes; lane += vector_) {
    kernels.turn(call);
    call.line.real += vector_;
    call.line.imaginary += vector_;
    call.roots += 2 * length_;
  }
}

template class BundleTwiddles<float>;
template class BundleTwiddles<double>;
template class BundleTwiddles<long double>;

}  // namespace twiddle::backend::host
