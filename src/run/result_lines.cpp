// Lines of results through the kernels of filter banks.
#include "run/result_lines.hpp"

#include <algorithm>

#include "backend/host/settings.hpp"
#include "plan/convolution/filter_bank.hpp"
#include "run/whole_geometry.hpp"

namespace twiddle::run {

template <class T>
ResultLines<T>::ResultLines(const Convolution& convolution)
    : convolution_(convolution),
      combinations_(backend::host::find_combinations<T>(backend::host::simd_targets())),
      kernels_(backend::host::find_bank_kernels<T>(backend::host::simd_targets())),
      count_(convolved_lengths(convolution).back()),
      left_(plan::halo_of(convolution).left),
      wide_(left_ + count_ + plan::halo_of(convolution).right),
      lines_(element_count(convolved_lengths(convolution)) / count_),
      stored_(output_lengths(convolution).back()),
      scalars_(convolution.complex ? 2 : 1),
      out_scalars_(has_complex_output(convolution) ? 2 : 1) {
  if (convolution.store_hook) hook_.emplace(convolution.store_hook, has_complex_output(convolution), kernels_);
}

template <class T>
std::size_t ResultLines<T>::room() const {
  return 2 * wide_ + stored_;
}

template <class T>
void ResultLines<T>::store(const T* results, std::size_t signal, std::size_t filter, T* room, T* output) const {
  const PostProcessing& post = convolution_.post;
  const std::size_t bank = post.maximum ? 1 : convolution_.filters;
  for (std::size_t line = 0; line < lines_; ++line) {
    const T* from = results + line * wide_ * scalars_;
    backend::host::Planes<const T> y{from, nullptr};
    if (scalars_ == 2) {
      combinations_.take_apart(from, wide_, {room, room + wide_});
      y = {room, room + wide_};
    }
    const std::size_t first = ((signal * bank + (post.maximum ? 0 : filter)) * lines_ + line) * stored_;
    T* const to = output + first * out_scalars_;
    backend::host::PostCall<T> call;
    call.y = {y.real + left_, y.imaginary == nullptr ? nullptr : y.imaginary + left_};
    call.count = count_;
    call.function = post.function;
    call.decimation = post.decimation;
    call.to = post.maximum && filter > 0 ? room + 2 * wide_ : to;
    if (hook_) {
      hook_->store(call, first);
      continue;
    }
    kernels_.process(call);
    if (!post.maximum) continue;
    T* const winners = to + convolution_.signals * lines_ * stored_;
    if (filter == 0) {
      std::fill_n(winners, stored_, T{0});
    } else {
      kernels_.keep_larger(call.to, stored_, static_cast<T>(filter), to, winners);
    }
  }
}

template class ResultLines<float>;
template class ResultLines<double>;

}  // namespace twiddle::run
