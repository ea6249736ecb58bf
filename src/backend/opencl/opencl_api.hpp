// OpenCL as this engine uses it: version 1.2, through the Khronos C++ bindings, with exceptions. Include this, never
// <CL/opencl.hpp>, so that every file agrees on the settings.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>
