// What a profile is measured with: transforms, and transfers, on memory that they share.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "plan/device/device_profile.hpp"
#include "twiddle/buffer.hpp"
#include "twiddle/device.hpp"
#include "twiddle/plan.hpp"

namespace twiddle::tuning {

using Clock = std::chrono::steady_clock;

[[nodiscard]] inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Memory of a device and of the host that has been touched, which takes longer than most of what is measured: what
// needs as many bytes shares it. The host's lies as large arrays of programs do, 16 bytes beyond a cache line and on
// pages of the usual size: a line of 65536 points takes a fifth longer there than where it is aligned.
class SampleMemory {
 public:
  struct Arrays {
    Buffer input;
    Buffer output;  // not touched yet
  };

  explicit SampleMemory(Device device) : device_(std::move(device)) {}

  // So many bytes of the device each; the same ones whenever as many are asked for.
  [[nodiscard]] Arrays& arrays(std::uint64_t bytes);
  // The first bytes of the host's, 0 at first; until more are asked for.
  [[nodiscard]] std::span<std::byte> data(std::uint64_t bytes);
  // The same of what comes back, and of what the host's transforms write; `aligned` as its working memory is.
  [[nodiscard]] std::span<std::byte> results(std::uint64_t bytes, bool aligned = false);

 private:
  Device device_;
  std::map<std::uint64_t, Arrays> arrays_;
  std::vector<std::byte> data_;
  std::vector<std::byte> results_;
};

// A forward transform out of place of complex lines. The memory must outlive it.
class Sample {
 public:
  // What the host writes is aligned where `aligned` says so.
  Sample(const Device& device, Transform transform, SampleMemory& memory, bool aligned = false);

  [[nodiscard]] std::uint64_t bytes() const { return 2 * input_bytes_; }  // read and written

  // Of each of so many executions in a row, waiting included.
  [[nodiscard]] double seconds(std::size_t repetitions) const;
  // Of one execution among others: the median, since many threads share an execution differently each time.
  [[nodiscard]] double in_a_row() const;
  // Of one execution whose input, in memory of the host, this thread has just written, as programs do: the median.
  [[nodiscard]] double after_writing() const;

 private:
  void execute() const;

  Device device_;
  Plan plan_;
  SampleMemory* memory_;
  bool aligned_;
  std::uint64_t input_bytes_;
  SampleMemory::Arrays* arrays_ = nullptr;  // none on the host
};

// A transform and another one in turns, of which the shortest times count.
class Comparison {
 public:
  // So many executions in a row of each in a turn.
  Comparison(Sample sample, Sample reference, std::size_t repetitions)
      : sample_(std::move(sample)), reference_(std::move(reference)), repetitions_(repetitions) {}

  // Some turns; more whenever it is called again.
  void run();
  // How much longer than the other one it takes beyond `launch` seconds of each; nothing where the other takes less
  // than twice that, so that too little is left to tell.
  [[nodiscard]] std::optional<double> slowdown(double launch) const;

 private:
  Sample sample_;
  Sample reference_;
  std::size_t repetitions_;
  double sample_seconds_ = std::numeric_limits<double>::infinity();
  double reference_seconds_ = std::numeric_limits<double>::infinity();
};

// Memory of the host and of the device, copied in both directions.
class Transfer {
 public:
  Transfer(SampleMemory& memory, std::uint64_t bytes) : memory_(&memory), bytes_(bytes) {}

  // There, and back to other memory, as out of place: what a card's driver has just sent takes it up to twice as long
  // to receive. The host has just written what it sends, as programs have.
  void run();

  // Medians.
  [[nodiscard]] plan::SizeCurve::Point to() const;
  [[nodiscard]] plan::SizeCurve::Point from() const;

 private:
  SampleMemory* memory_;
  std::uint64_t bytes_;
  std::vector<double> to_;
  std::vector<double> from_;
};

inline constexpr std::size_t fewest_rounds = 3;   // of which the shortest counts, or the median
inline constexpr double shortest_seconds = 1e-9;  // of anything: clocks may show less

}  // namespace twiddle::tuning
