// The three kinds of failure that twiddle reports. Every message names the expected and the actual value.
#pragma once

#include <stdexcept>
#include <string>

namespace twiddle {

// Base of all exceptions that the library throws on purpose.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The caller passed something that can never work: a zero length, a span of the wrong size, a cut-off out of range.
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

// A sensible request that this build or this device cannot serve. The message says what would.
class Unsupported : public Error {
 public:
  using Error::Error;
};

// A device, driver, file or the library itself failed while doing something that should have worked.
class DeviceError : public Error {
 public:
  using Error::Error;
};

}  // namespace twiddle
