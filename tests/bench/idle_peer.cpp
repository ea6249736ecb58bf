// A library to compare with that is fast, since it computes nothing; and refuses real transforms.
#include <cstdio>

#include "peer_module.h"

const char* twiddle_peer_version() { return "idle"; }

void* twiddle_peer_plan(const TwiddlePeerProblem* problem, char* complaint, size_t size) {
  if (problem->real != 0) {
    std::snprintf(complaint, size, "no reals of %zu points", problem->lengths[0]);
    return nullptr;
  }
  return problem->output;
}

void twiddle_peer_run(void*) {}

void twiddle_peer_destroy(void*) {}
