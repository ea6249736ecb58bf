// Work-items as threads, for tests that compile kernels as C++ and run them on no device: what the kernels of
// work-groups take from a dialect's prelude. Included once by such a test, ahead of the kernels.
#pragma once

#include <barrier>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <thread>
#include <vector>

#include "kernel/kernel_source.hpp"

namespace twiddle::test {

template <class Real>
struct Complex {
  Real x, y;
};

// A group that runs: its local memory, aligned to 16 bytes as on devices, is no number before something is written.
struct WorkGroup {
  WorkGroup(std::size_t items, std::size_t bytes)
      : barrier(static_cast<std::ptrdiff_t>(items)), memory((bytes + 15) / 16, Complex<double>{NAN, NAN}) {}
  std::barrier<> barrier;
  std::vector<Complex<double>> memory;
};

// Where a thread stands.
template <class Group>
struct WorkItem {
  Group* group = nullptr;
  unsigned number = 0;  // of the group
  unsigned groups = 1;
  unsigned item = 0;
};

// A kernel's tables as it reads them.
template <class Real>
std::vector<Complex<Real>> tables(const kernel::KernelSource& source) {
  std::vector<Complex<Real>> constants(source.constants.size() / sizeof(Complex<Real>));
  std::memcpy(constants.data(), source.constants.data(), source.constants.size());
  return constants;
}

// Calls with each work-item of a group, all at once, and returns when all are done.
template <class Group, class Call>
void run_group(Group& group, unsigned number, const kernel::KernelSource& source, const Call& call) {
  std::vector<std::thread> threads;
  for (unsigned item = 0; item < source.group_size; ++item) {
    threads.emplace_back(call, WorkItem<Group>{&group, number, static_cast<unsigned>(source.groups), item});
  }
  for (std::thread& thread : threads) thread.join();
}

// The same of all groups, one after the other.
template <class Call>
void run_groups(const kernel::KernelSource& source, const Call& call) {
  for (unsigned number = 0; number < source.groups; ++number) {
    WorkGroup group(source.group_size, source.local_memory);
    run_group(group, number, source, call);
  }
}

}  // namespace twiddle::test

// `here` is the WorkItem of the thread.
#define TW_INLINE static inline
#define TW_GLOBAL
#define TW_LOCAL_ARRAY(type, name, count) type* const name = reinterpret_cast<type*>(here.group->memory.data())
#define TW_BARRIER() here.group->barrier.arrive_and_wait()
#define TW_ITEM here.item
#define TW_GROUP here.number
#define TW_GROUPS here.groups
#define TW_UINT unsigned
#define TW_WIDE unsigned long long
#define TW_COMPLEX twiddle::test::Complex<TW_REAL>
#define TW_MAKE(re, im) (TW_COMPLEX{static_cast<TW_REAL>(re), static_cast<TW_REAL>(im)})
#define TW_FMA(a, b, c) std::fma(a, b, c)
#define TW_KERNEL(items, groups) static void
#define TW_DEPENDENCY_WAIT()
