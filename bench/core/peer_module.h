/* What a module with a library that has no C interface of its own exports (bench/peers), and twiddle bench loads. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A transform of `batch` arrays without gaps; unscaled. In place, rows of reals are 2 (n / 2 + 1) long. */
struct TwiddlePeerProblem {
  int real; /* real to complex, inverse: complex to real */
  int inverse;
  int in_place; /* input and output are the same memory */
  int double_precision;
  size_t rank;
  const size_t* lengths;
  size_t batch;
  size_t threads;
  void* input; /* where the transform will read and write, every time */
  void* output;
  void* stream; /* of a device, whose context is current, and whose memory the pointers are; null on the host */
};

/* "pocketfft (SciPy 1.10)" */
const char* twiddle_peer_version(void);

/* A plan, or null with the reason in `complaint`, of `size` bytes. */
void* twiddle_peer_plan(const struct TwiddlePeerProblem* problem, char* complaint, size_t size);

/* Executes the plan and waits for the result; on a device, only submits it. Nothing in it may fail. */
void twiddle_peer_run(void* plan);

void twiddle_peer_destroy(void* plan);

#ifdef __cplusplus
}
#endif
