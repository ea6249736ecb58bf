// Stockham passes of radix 15 and 16.
#define TWIDDLE_HOST_FILE "backend/host/passes_15_16.cpp"
#define TWIDDLE_HOST_RADICES 15, 16
#include "backend/host/passes_of_radices.h"
