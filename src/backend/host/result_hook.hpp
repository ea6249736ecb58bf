// Hooks of the user's on the results of convolutions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "backend/host/bank_kernels.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::backend::host {

// Throws Unsupported where a hook has no function that the host could call, or gathers; `side` says which it is:
// "load", "store".
void require_function(const Hook& hook, const char* side);

template <class T>
class ResultHook {
 public:
  // Of results that are stored as complex numbers, or as real ones.
  ResultHook(std::shared_ptr<const Hook> hook, bool complex, const BankKernels<T>& kernels);

  // Stores the results of the call as kernels.process() does, but what the hook makes of each. The first has this place
  // in the output. The hook's neighbours, too, are there in call.y.
  void store(const PostCall<T>& call, std::uint64_t index) const;

 private:
  void store_alone(const PostCall<T>& call, std::uint64_t index) const;
  void store_from_neighbours(const PostCall<T>& call, std::uint64_t index) const;

  std::shared_ptr<const Hook> hook_;
  std::size_t width_;  // scalars of a result
  BankKernels<T> kernels_;
};

}  // namespace twiddle::backend::host
