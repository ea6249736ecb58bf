// All of twiddle's public interface.
#pragma once

#include "twiddle/buffer.hpp"
#include "twiddle/convolution.hpp"
#include "twiddle/convolution_plan.hpp"
#include "twiddle/convolution_stream.hpp"
#include "twiddle/cuda.hpp"
#include "twiddle/device.hpp"
#include "twiddle/error.hpp"
#include "twiddle/filter.hpp"
#include "twiddle/good_size.hpp"
#include "twiddle/half.hpp"
#include "twiddle/hook.hpp"
#include "twiddle/image_convolution.hpp"
#include "twiddle/plan.hpp"
#include "twiddle/problem.hpp"
#include "twiddle/transform.hpp"
#include "twiddle/tune.hpp"
