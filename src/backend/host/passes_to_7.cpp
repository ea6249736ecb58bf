// Stockham passes of radix 1 to 7.
#define TWIDDLE_HOST_FILE "backend/host/passes_to_7.cpp"
#define TWIDDLE_HOST_RADICES 1, 2, 3, 4, 5, 6, 7
#include "backend/host/passes_of_radices.h"
