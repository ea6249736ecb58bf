// Results go through the bank's kernels first; the hook then sees them one by one.
#include "backend/host/result_hook.hpp"

#include <fmt/format.h>

#include <complex>
#include <utility>
#include <vector>

#include "plan/convolution/filter_bank.hpp"
#include "twiddle/error.hpp"

namespace twiddle::backend::host {

void require_function(const Hook& hook, const char* side) {
  if (hook.gathers) throw Unsupported(fmt::format("the {} hook gathers its elements, which devices alone do", side));
  const bool neighbours = plan::reads_neighbours(hook);
  if (neighbours ? static_cast<bool>(hook.neighbour_function) : static_cast<bool>(hook.function)) return;
  throw Unsupported(fmt::format("the {} hook has no {}, which the host needs; devices compile its source text", side,
                                neighbours ? "neighbour_function" : "function"));
}

template <class T>
ResultHook<T>::ResultHook(std::shared_ptr<const Hook> hook, bool complex, const BankKernels<T>& kernels)
    : hook_(std::move(hook)), width_(complex ? 2 : 1), kernels_(kernels) {
  require_function(*hook_, "store");
}

template <class T>
void ResultHook<T>::store(const PostCall<T>& call, std::uint64_t index) const {
  plan::reads_neighbours(*hook_) ? store_from_neighbours(call, index) : store_alone(call, index);
}

template <class T>
void ResultHook<T>::store_alone(const PostCall<T>& call, std::uint64_t index) const {
  kernels_.process(call);
  const std::size_t stored = plan::stored_outputs(call.function, call.decimation, call.count);
  for (std::size_t i = 0; i < stored; ++i) {
    T* const result = call.to + i * width_;
    const std::complex<double> changed = hook_->function({result[0], width_ == 2 ? result[1] : T{0}}, index + i);
    result[0] = static_cast<T>(changed.real());
    if (width_ == 2) result[1] = static_cast<T>(changed.imag());
  }
}

template <class T>
void ResultHook<T>::store_from_neighbours(const PostCall<T>& call, std::uint64_t index) const {
  PostCall<T> wider = call;
  wider.y = {call.y.real - hook_->left, call.y.imaginary == nullptr ? nullptr : call.y.imaginary - hook_->left};
  wider.count = hook_->left + call.count + hook_->right;
  wider.decimation = 1;
  std::vector<T> scalars(wider.count * width_);
  wider.to = scalars.data();
  kernels_.process(wider);
  std::vector<std::complex<double>> values(wider.count);
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = {scalars[k * width_], width_ == 2 ? scalars[k * width_ + 1] : T{0}};
  }
  for (std::size_t k = 0, i = 0; k < call.count; k += call.decimation, ++i) {
    const std::complex<double> made = hook_->neighbour_function(values.data() + hook_->left + k, index + i);
    call.to[i * width_] = static_cast<T>(made.real());
    if (width_ == 2) call.to[i * width_ + 1] = static_cast<T>(made.imag());
  }
}

template class ResultHook<float>;
template class ResultHook<double>;

}  // namespace twiddle::backend::host
