// Conversions between float and half precision.
#include "twiddle/half.hpp"

#include <fp16.h>

namespace twiddle {

Half to_half(float value) { return {fp16_ieee_from_fp32_value(value)}; }

float to_float(Half value) { return fp16_ieee_to_fp32_value(value.bits); }

}  // namespace twiddle
