// Stockham passes of radix 20 to 32.
#define TWIDDLE_HOST_FILE "backend/host/passes_20_to_32.cpp"
#define TWIDDLE_HOST_RADICES 20, 24, 25, 32
#include "backend/host/passes_of_radices.h"
