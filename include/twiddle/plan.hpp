// A transform made ready for a device: created once, executed many times, from any thread.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "twiddle/buffer.hpp"
#include "twiddle/device.hpp"
#include "twiddle/transform.hpp"

namespace twiddle {

// One timed step of an execution.
struct ProfileEntry {
  std::string step;       // "axis 1: 1000 = 10.10.10"
  double milliseconds;    // on the device, by its own events; on the host, by the steady clock
};
using Profile = std::vector<ProfileEntry>;

// Immutable after creation. Executing one plan from many threads at once is allowed when each uses buffers of its own.
class Plan {
 public:
  // Throws InvalidArgument for a malformed transform, Unsupported for one that this version cannot compute (the message
  // names the axis, its length and the offending prime factor), DeviceError where compilation fails. Compiles the
  // forward transform in place; whatever differs for the other direction or out of place compiles when first executed.
  Plan(Device device, Transform transform);
  ~Plan();
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;

  [[nodiscard]] const Transform& transform() const;
  [[nodiscard]] const Device& device() const;

  // Transforms in place, or from `input`, which stays as it was, to `output`. Buffers must hold exactly
  // total_elements(transform()) elements of this plan's device. Returns once the work is submitted; reading a buffer
  // waits for it. With a profile, waits and appends one entry per step.
  void execute(Direction direction, Buffer& data, Profile* profile = nullptr) const;
  void execute(Direction direction, const Buffer& input, Buffer& output, Profile* profile = nullptr) const;

  // The same on host memory, whatever the device; returns when the result is there. `input` and `output` must not
  // overlap unless they are the same span, which transforms in place.
  void execute(Direction direction, std::span<std::complex<float>> data, Profile* profile = nullptr) const;
  void execute(Direction direction, std::span<const std::complex<float>> input, std::span<std::complex<float>> output,
               Profile* profile = nullptr) const;

  void forward(Buffer& data) const { execute(Direction::forward, data); }
  void inverse(Buffer& data) const { execute(Direction::inverse, data); }
  void forward(const Buffer& input, Buffer& output) const { execute(Direction::forward, input, output); }
  void inverse(const Buffer& input, Buffer& output) const { execute(Direction::inverse, input, output); }
  void forward(std::span<std::complex<float>> data) const { execute(Direction::forward, data); }
  void inverse(std::span<std::complex<float>> data) const { execute(Direction::inverse, data); }
  void forward(std::span<const std::complex<float>> input, std::span<std::complex<float>> output) const {
    execute(Direction::forward, input, output);
  }
  void inverse(std::span<const std::complex<float>> input, std::span<std::complex<float>> output) const {
    execute(Direction::inverse, input, output);
  }

  // Memory beyond the data that one execution needs, in bytes; the same for both directions.
  [[nodiscard]] std::size_t scratch_bytes() const;

  // The algorithm and its passes, for people: one line per step.
  [[nodiscard]] std::string describe() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace twiddle
