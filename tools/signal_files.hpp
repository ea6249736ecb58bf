// Signals in files, read and written piece by piece: .npy arrays and sound files. A row is a channel of a sound file,
// or a line of an array; of signals with more dimensions, which are read whole, it is a signal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "elements.hpp"

namespace twiddle::tool {

// What a sound file has beside its samples. Formats are libsndfile's numbers.
struct SoundFormat {
  int rate = 0;    // samples of a channel in a second
  int format = 0;  // container and kind of samples
};

class SignalSource {
 public:
  virtual ~SignalSource() = default;
  [[nodiscard]] virtual std::size_t rows() const = 0;
  [[nodiscard]] virtual std::size_t samples() const = 0;  // of a row, at least 1
  [[nodiscard]] virtual ElementType type() const = 0;     // the least that holds the samples
  [[nodiscard]] virtual bool has_rows() const = 0;        // a dimension for them, even if there is only one row
  [[nodiscard]] virtual std::vector<std::size_t> lengths() const { return {samples()}; }  // of a row; their product
  [[nodiscard]] virtual std::optional<SoundFormat> sound() const = 0;
  // Samples `first` ... of every row, [row][sample], converted to `to`. FileError.
  virtual void read(std::uint64_t first, std::size_t count, ElementType to, std::span<std::byte> samples) = 0;
};

// Tells the kinds apart by content. Signals of an array have so many dimensions, and there may be one more for the
// rows. FileError for what is neither, damaged, truncated or without samples.
[[nodiscard]] std::unique_ptr<SignalSource> open_signal(const std::string& path, std::size_t dimensions = 1);

class SignalSink {
 public:
  virtual ~SignalSink() = default;
  // The next `count` samples of every row, [row][sample].
  virtual void write(std::span<const std::byte> samples, std::size_t count) = 0;
  // Makes the file appear. Returns a note for the user ("12 samples were clipped"), or nothing.
  [[nodiscard]] virtual std::string commit() = 0;
};

struct SignalShape {
  std::vector<std::size_t> shape{};  // of the array; the last is that of the rows
  ElementType type{};
  std::optional<SoundFormat> sound{};  // of the signal that this one is made from
};

// Whether a name asks for an array; else for a sound file. UsageError where it does neither.
[[nodiscard]] bool is_npy_name(const std::string& path);

// A file of the kind that its name says, all or nothing. UsageError where that kind cannot hold the samples.
[[nodiscard]] std::unique_ptr<SignalSink> create_signal(const std::string& path, const SignalShape& shape);

// The two kinds, for open_signal() and create_signal(). Without libsndfile those of sound files throw FileError.
[[nodiscard]] std::unique_ptr<SignalSource> open_sound(const std::string& path);
[[nodiscard]] std::unique_ptr<SignalSink> create_sound(const std::string& path, const SignalShape& shape);

}  // namespace twiddle::tool
