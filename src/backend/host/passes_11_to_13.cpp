// Stockham passes of radix 11 to 13.
#define TWIDDLE_HOST_FILE "backend/host/passes_11_to_13.cpp"
#define TWIDDLE_HOST_RADICES 11, 12, 13
#include "backend/host/passes_of_radices.h"
