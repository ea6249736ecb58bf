// A kernel that multiplies by roots of unity between reals and complex numbers (TurnedRealsCall), with a table of them.
#pragma once

#include <cstddef>

#include "backend/host/aligned_array.hpp"
#include "backend/host/combination.hpp"

namespace twiddle::backend::host {

template <class T>
struct TurnedReals {
  TurnedRealsCall<T> call;  // but for the places and the items
  void (*turn)(const TurnedRealsCall<T>&) = nullptr;
  AlignedArray<T> roots;  // interleaved

  // Items begin..end-1, at least a vector of them.
  void apply(const T* source, T* to, std::size_t begin, std::size_t end) const {
    TurnedRealsCall<T> some = call;
    some.source = source;
    some.to = to;
    some.roots = roots.data();
    some.begin = begin;
    some.end = end;
    turn(some);
  }
};

}  // namespace twiddle::backend::host
