// A transform made ready for a device: created once, executed many times, from any thread.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "twiddle/buffer.hpp"
#include "twiddle/cuda.hpp"
#include "twiddle/device.hpp"
#include "twiddle/half.hpp"
#include "twiddle/hook.hpp"
#include "twiddle/problem.hpp"
#include "twiddle/transform.hpp"
#include "twiddle/workspace.hpp"

namespace twiddle {

// One timed step of an execution.
struct ProfileEntry {
  std::string step;     // "axis 1: 1000 = 10.10.10"
  double milliseconds;  // on the device, by its own events; on the host, by the steady clock
};
using Profile = std::vector<ProfileEntry>;

// The precision of the scalars of an element type: that of float for float and std::complex<float>.
template <class T>
inline constexpr Precision precision_of = [] {
  using U = std::remove_cv_t<T>;
  static_assert(std::is_same_v<U, Half> || std::is_same_v<U, ComplexHalf> || std::is_same_v<U, float> ||
                    std::is_same_v<U, std::complex<float>> || std::is_same_v<U, double> ||
                    std::is_same_v<U, std::complex<double>> || std::is_same_v<U, long double> ||
                    std::is_same_v<U, std::complex<long double>>,
                "elements are Half, float, double, long double, or complex numbers of them");
  if (std::is_same_v<U, Half> || std::is_same_v<U, ComplexHalf>) return Precision::float16;
  if (std::is_same_v<U, float> || std::is_same_v<U, std::complex<float>>) return Precision::float32;
  if (std::is_same_v<U, double> || std::is_same_v<U, std::complex<double>>) return Precision::float64;
  return Precision::extended;
}();

// Immutable after creation. Executing one plan from many threads at once is allowed when each uses buffers of its own.
class Plan {
 public:
  // Throws InvalidArgument for a malformed transform, Unsupported for one that this device cannot compute (such as
  // float64 on a device without it), DeviceError where compilation fails. Compiles the forward transform: in place for
  // c2c with equal layouts, else out of place; but on the host without hooks, which makes tables alone. Whatever is
  // missing is compiled, or made, when first executed, or by prepare().
  Plan(Device device, Transform transform);
  // The same with working memory that several plans of a device share, and memory for the sources of the transform's
  // hooks.
  Plan(Workspace workspace, Transform transform, HookBuffers hook_buffers = {});
  ~Plan();
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;

  [[nodiscard]] const Transform& transform() const;
  [[nodiscard]] const Device& device() const;

  // Bytes that the memory read or written in a direction must have at least: up to the last element of its layout.
  // In place the memory must satisfy both. Real transforms with default layouts have rows of n/2+1 complex numbers in
  // place, of which the real side uses the first n scalars, as in FFTW.
  [[nodiscard]] std::size_t input_bytes(Direction direction, Placement placement) const;
  [[nodiscard]] std::size_t output_bytes(Direction direction, Placement placement) const;

  // Transforms in place, or from `input`, which stays as it was unless the transform may overwrite it, to `output`.
  // Buffers must be of this plan's device and have exactly input_bytes() and output_bytes(); in place the larger.
  // Returns once the work is submitted; reading a buffer waits for it. With a profile, waits and appends one entry per
  // step.
  void execute(Direction direction, Buffer& data, Profile* profile = nullptr) const;
  void execute(Direction direction, const Buffer& input, Buffer& output, Profile* profile = nullptr) const;

  // The same on host memory, whatever the device; returns when the result is there. `input` and `output` must not
  // overlap unless they are the same memory, which transforms in place. Elements between strided ones are not touched.
  template <std::ranges::contiguous_range Data>
  void execute(Direction direction, Data&& data, Profile* profile = nullptr) const {
    check_precision(precision_of<std::ranges::range_value_t<Data>>);
    execute_bytes(direction, std::as_writable_bytes(std::span(data)), profile);
  }
  template <std::ranges::contiguous_range From, std::ranges::contiguous_range To>
  void execute(Direction direction, const From& input, To&& output, Profile* profile = nullptr) const {
    check_precision(precision_of<std::ranges::range_value_t<From>>);
    check_precision(precision_of<std::ranges::range_value_t<To>>);
    execute_bytes(direction, std::as_bytes(std::span(input)), std::as_writable_bytes(std::span(output)), profile);
  }
  // The same for memory whose type is known at run time only.
  void execute_bytes(Direction direction, std::span<std::byte> data, Profile* profile = nullptr) const {
    profile == nullptr ? execute_unprofiled(direction, data) : execute_profiled(direction, data, *profile);
  }
  void execute_bytes(Direction direction, std::span<const std::byte> input, std::span<std::byte> output,
                     Profile* profile = nullptr) const {
    profile == nullptr ? execute_unprofiled(direction, input, output)
                       : execute_profiled(direction, input, output, *profile);
  }

  // The same on a stream of the caller's, for plans of CUDA devices (InvalidArgument for others); see cuda.hpp.
  void execute(const cuda::Stream& stream, Direction direction, Buffer& data) const;
  void execute(const cuda::Stream& stream, Direction direction, const Buffer& input, Buffer& output) const;

  // Compiles what an execution needs and reserves its working memory, so that executions only submit work: those of
  // this direction and placement that run one at a time, on the device's own queue or on that stream.
  void prepare(Direction direction, Placement placement) const;
  void prepare(const cuda::Stream& stream, Direction direction, Placement placement) const;

  template <class... Data>
  void forward(Data&&... data) const {
    execute(Direction::forward, std::forward<Data>(data)...);
  }
  template <class... Data>
  void inverse(Data&&... data) const {
    execute(Direction::inverse, std::forward<Data>(data)...);
  }

  // Working memory that one execution needs on the device, in bytes: the most of all directions and placements.
  [[nodiscard]] std::size_t scratch_bytes() const;

  // The algorithm and its passes, for people: one line per step.
  [[nodiscard]] std::string describe() const;

 private:
  // Apart, so that what the most frequent executions are given fits registers: short transforms feel it.
  void execute_unprofiled(Direction direction, std::span<std::byte> data) const;
  void execute_unprofiled(Direction direction, std::span<const std::byte> input, std::span<std::byte> output) const;
  void execute_profiled(Direction direction, std::span<std::byte> data, Profile& profile) const;
  void execute_profiled(Direction direction, std::span<const std::byte> input, std::span<std::byte> output,
                        Profile& profile) const;
  void check_precision(Precision precision) const;
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace twiddle
