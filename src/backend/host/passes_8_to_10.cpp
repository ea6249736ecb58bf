// Stockham passes of radix 8 to 10.
#define TWIDDLE_HOST_FILE "backend/host/passes_8_to_10.cpp"
#define TWIDDLE_HOST_RADICES 8, 9, 10
#include "backend/host/passes_of_radices.h"
