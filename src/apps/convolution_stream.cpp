// Streams: samples gathered in blocks, levels run when theirs is full, their results added up until they are settled.
#include "twiddle/convolution_stream.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "apps/stream_level.hpp"
#include "apps/stream_state.hpp"
#include "backend/host/settings.hpp"
#include "plan/convolution/stream_levels.hpp"
#include "twiddle/error.hpp"

namespace twiddle {
namespace {

constexpr std::size_t largest_block = std::size_t{1} << 26;
constexpr std::size_t most_scalars = std::size_t{1} << 40;  // of filters, and of a block of all results

void validate(const StreamSettings& settings) {
  if (settings.filter_length == 0 || settings.filters == 0 || settings.signals == 0) {
    throw InvalidArgument(
        fmt::format("a stream of {} signals with {} filters of {} samples; expected at least one of each",
                    settings.signals, settings.filters, settings.filter_length));
  }
  if (settings.precision != Precision::float32 && settings.precision != Precision::float64) {
    throw InvalidArgument(
        fmt::format("streams of precision {} were asked for; expected f32 or f64", to_string(settings.precision)));
  }
  const std::size_t rows = std::max<std::size_t>(settings.signals, 1);
  if (settings.block > largest_block || settings.filter_length > most_scalars / settings.filters ||
      settings.filters > most_scalars / rows / largest_block) {
    throw InvalidArgument(fmt::format(
        "a stream of {} signals with {} filters of {} samples in blocks of {}; expected blocks of at most {} "
        "samples and operands that fit in memory",
        settings.signals, settings.filters, settings.filter_length, settings.block, largest_block));
  }
}

std::size_t scalars_of(const StreamSettings& settings) { return settings.complex ? 2 : 1; }

class Stream {
 public:
  virtual ~Stream() = default;
  virtual void push(std::span<const std::byte> samples) = 0;
  virtual void finish() = 0;
  [[nodiscard]] virtual std::size_t available() const = 0;
  virtual void pop(std::span<std::byte> results) = 0;
  virtual void reset() = 0;
  [[nodiscard]] virtual std::vector<std::byte> save() const = 0;
  virtual void restore(std::span<const std::byte> state) = 0;
};

template <class T>
class StreamOf : public Stream {
 public:
  StreamOf(const Device& device, const StreamSettings& settings, const std::vector<plan::StreamLevel>& levels,
           std::span<const std::byte> filters)
      : settings_(settings),
        scalars_(scalars_of(settings)),
        rows_(settings.signals * settings.filters),
        filters_hash_(XXH3_64bits(filters.data(), filters.size())) {
    std::size_t history = 0;
    std::size_t ahead = 0;
    std::vector<T> values(filters.size() / sizeof(T));
    std::memcpy(values.data(), filters.data(), filters.size());
    for (const plan::StreamLevel& level : levels) {
      levels_.emplace_back(device, settings, level, std::span<const T>(values), backend::host::simd_targets());
      history = std::max(history, level.segment);
      ahead = std::max(ahead, level.offset + level.block);
    }
    const auto whole_blocks = [&](std::size_t samples) { return (samples / settings.block + 2) * settings.block; };
    history_ = whole_blocks(history);
    ahead_ = whole_blocks(ahead);
    samples_.resize(settings.signals * history_ * scalars_);
    pending_.resize(rows_ * ahead_ * scalars_);
    settled_.resize(rows_);
    spoiled_.resize(settings.signals);
  }

  void push(std::span<const std::byte> bytes) override {
    if (finished_) throw InvalidArgument("samples were pushed into a stream after finish(); reset() begins a new one");
    const std::size_t sample = scalars_ * sizeof(T);
    if (bytes.size() % (settings_.signals * sample) != 0) {
      throw InvalidArgument(
          fmt::format("{} bytes were pushed; expected whole samples of each of {} signals, {} bytes each", bytes.size(),
                      settings_.signals, sample));
    }
    const std::size_t count = bytes.size() / sample / settings_.signals;
    add(count, [&](std::size_t signal, std::size_t begin, std::size_t some, T* to) {
      std::memcpy(to, bytes.data() + (signal * count + begin) * sample, some * sample);
    });
  }

  void finish() override {
    if (finished_) return;
    finished_ = true;
    if (received_ == 0) return;
    const std::uint64_t total = received_ + settings_.filter_length - 1;
    while (emitted_ < total) {
      add(settings_.block - static_cast<std::size_t>(received_ % settings_.block),
          [&](std::size_t, std::size_t, std::size_t some, T* to) { std::fill_n(to, some * scalars_, T{0}); });
    }
    const auto excess = static_cast<std::size_t>(emitted_ - total) * scalars_;
    for (std::vector<T>& row : settled_) row.resize(row.size() - excess);
  }

  std::size_t available() const override { return settled_[0].size() / scalars_ - taken_; }

  void pop(std::span<std::byte> bytes) override {
    const std::size_t sample = scalars_ * sizeof(T);
    const std::size_t count = bytes.size() / sample / rows_;
    if (bytes.size() % (rows_ * sample) != 0 || count > available()) {
      throw InvalidArgument(
          fmt::format("results of {} bytes were asked for; expected whole results of {} rows, {} bytes "
                      "each, of which {} are available",
                      bytes.size(), rows_, sample, available()));
    }
    for (std::size_t row = 0; row < rows_; ++row) {
      if (count != 0) {
        std::memcpy(bytes.data() + row * count * sample, settled_[row].data() + taken_ * scalars_, count * sample);
      }
    }
    taken_ += count;
    if (available() != 0 && taken_ < settings_.block) return;  // moved seldom
    for (std::vector<T>& row : settled_) {
      row.erase(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(taken_ * scalars_));
    }
    taken_ = 0;
  }

  void reset() override {
    std::fill(samples_.begin(), samples_.end(), T{0});
    std::fill(pending_.begin(), pending_.end(), T{0});
    for (auto& level : levels_) level.reset();
    for (std::vector<T>& row : settled_) row.clear();
    std::fill(spoiled_.begin(), spoiled_.end(), 0);
    received_ = emitted_ = 0;
    taken_ = 0;
    finished_ = false;
  }

  std::vector<std::byte> save() const override {
    apps::StateWriter writer;
    writer.value(fingerprint());
    writer.value(received_);
    writer.value(emitted_);
    writer.value(std::uint64_t{finished_ ? 1U : 0U});
    writer.value(std::uint64_t{available()});
    writer.values(std::span<const T>(samples_));
    writer.values(std::span<const T>(pending_));
    for (const auto& level : levels_) level.save(writer);
    writer.values(std::span<const std::uint64_t>(spoiled_));
    for (const std::vector<T>& row : settled_) writer.values(std::span<const T>(row).subspan(taken_ * scalars_));
    return writer.take();
  }

  void restore(std::span<const std::byte> state) override {
    apps::StateReader reader(state);
    if (reader.value<Fingerprint>() != fingerprint()) {
      throw InvalidArgument(
          "the saved state is of a stream with other settings or filters, or of another version; expected those of "
          "this stream");
    }
    reader.check_whole();
    const auto received = reader.value<std::uint64_t>();
    const auto emitted = reader.value<std::uint64_t>();
    const auto finished = reader.value<std::uint64_t>();
    const auto settled = reader.value<std::uint64_t>();
    std::size_t scalars = samples_.size() + pending_.size();
    for (const auto& level : levels_) scalars += level.line_size();
    const std::size_t rest = scalars * sizeof(T) + (levels_.size() + spoiled_.size()) * sizeof(std::uint64_t);
    const std::size_t row = rows_ * scalars_ * sizeof(T);
    if (reader.left() < rest || (reader.left() - rest) % row != 0 || (reader.left() - rest) / row != settled) {
      throw InvalidArgument(
          fmt::format("the saved state has {} bytes after its head; expected {}", reader.left(), rest + settled * row));
    }
    received_ = received;
    emitted_ = emitted;
    finished_ = finished != 0;
    taken_ = 0;
    reader.values(std::span(samples_));
    reader.values(std::span(pending_));
    for (auto& level : levels_) level.restore(reader);
    reader.values(std::span(spoiled_));
    for (std::vector<T>& values : settled_) {
      values.resize(static_cast<std::size_t>(settled) * scalars_);
      reader.values(std::span(values));
    }
  }

 private:
  using Fingerprint = std::array<std::uint64_t, 8>;
  static constexpr std::uint64_t version = 0x7477737472656103;  // "twstrea", 3

  Fingerprint fingerprint() const {
    return {version,   settings_.filter_length, settings_.filters, settings_.signals, scalars_,
            sizeof(T), settings_.block,         filters_hash_};
  }

  // Takes `count` samples of every signal from `copy`, in pieces that end with blocks.
  template <class Copy>
  void add(std::size_t count, const Copy& copy) {
    for (std::size_t begin = 0; begin < count;) {
      const std::size_t in_block = static_cast<std::size_t>(received_ % settings_.block);
      const std::size_t some = std::min(count - begin, settings_.block - in_block);
      const std::size_t at = static_cast<std::size_t>(received_ % history_);
      for (std::size_t signal = 0; signal < settings_.signals; ++signal) {
        copy(signal, begin, some, samples_.data() + (signal * history_ + at) * scalars_);
      }
      begin += some;
      received_ += some;
      if (received_ % settings_.block == 0) run_block();
    }
  }

  void run_block() {
    for (auto& worker : levels_) {
      const plan::StreamLevel& level = worker.level();
      if (received_ % level.block != 0) continue;
      for (std::size_t signal = 0; signal < settings_.signals; ++signal) {
        copy_latest(signal, level.segment, worker.segments().data() + signal * level.segment * scalars_);
      }
      const std::uint64_t start = worker.count() * level.block + level.offset;
      worker.run();
      for (std::size_t row = 0; row < rows_; ++row) add_pending(row, start, worker.result(row));
    }
    for (std::size_t row = 0; row < rows_; ++row) {
      T* const from = pending_.data() + (row * ahead_ + static_cast<std::size_t>(emitted_ % ahead_)) * scalars_;
      settled_[row].insert(settled_[row].end(), from, from + settings_.block * scalars_);
      std::fill_n(from, settings_.block * scalars_, T{0});
    }
    // The first level had all samples of the block.
    for (std::size_t signal = 0; signal < settings_.signals; ++signal) {
      if (levels_.front().hid_samples() || spoiled_[signal] != 0) spoil(signal);
    }
    emitted_ += settings_.block;
  }

  // Makes no numbers of those results of the block that was settled last which samples that are not finite touch.
  void spoil(std::size_t signal) {
    const auto begin = static_cast<std::size_t>((received_ - settings_.block) % history_);
    const T* const block = samples_.data() + (signal * history_ + begin) * scalars_;
    std::uint64_t left = spoiled_[signal];
    for (std::size_t k = 0; k < settings_.block; ++k) {
      const T* const sample = block + k * scalars_;
      if (!std::isfinite(sample[0]) || !std::isfinite(sample[scalars_ - 1])) left = settings_.filter_length;
      if (left == 0) continue;
      --left;
      for (std::size_t filter = 0; filter < settings_.filters; ++filter) {
        std::vector<T>& row = settled_[signal * settings_.filters + filter];
        std::fill_n(row.end() - static_cast<std::ptrdiff_t>((settings_.block - k) * scalars_), scalars_,
                    std::numeric_limits<T>::quiet_NaN());
      }
    }
    spoiled_[signal] = left;
  }

  // The last `count` samples of a signal, out of the ring.
  void copy_latest(std::size_t signal, std::size_t count, T* to) const {
    const T* const ring = samples_.data() + signal * history_ * scalars_;
    const std::size_t end = static_cast<std::size_t>(received_ % history_);
    const std::size_t wrapped = count > end ? count - end : 0;
    to = std::copy_n(ring + (history_ - wrapped) * scalars_, wrapped * scalars_, to);
    std::copy_n(ring + (end + wrapped - count) * scalars_, (count - wrapped) * scalars_, to);
  }

  void add_pending(std::size_t row, std::uint64_t start, std::span<const T> values) {
    T* const ring = pending_.data() + row * ahead_ * scalars_;
    const std::size_t at = static_cast<std::size_t>(start % ahead_) * scalars_;
    const std::size_t before_end = std::min(values.size(), ahead_ * scalars_ - at);
    for (std::size_t i = 0; i < before_end; ++i) ring[at + i] += values[i];
    for (std::size_t i = before_end; i < values.size(); ++i) ring[i - before_end] += values[i];
  }

  StreamSettings settings_;
  std::size_t scalars_;
  std::size_t rows_;
  std::uint64_t filters_hash_;
  std::vector<apps::StreamLevelWorker<T>> levels_;
  std::size_t history_ = 0;              // samples that the ring of a signal holds, in whole blocks
  std::size_t ahead_ = 0;                // results that the ring of a row holds, in whole blocks
  std::vector<T> samples_;               // [signal][history]
  std::vector<T> pending_;               // [row][ahead]: sums to which later blocks may still add
  std::vector<std::vector<T>> settled_;  // by row: results to be taken
  std::vector<std::uint64_t> spoiled_;   // by signal: results to come that samples of settled blocks spoil
  std::size_t taken_ = 0;                // of the settled ones
  std::uint64_t received_ = 0;           // samples, with those that finish() adds
  std::uint64_t emitted_ = 0;            // results
  bool finished_ = false;
};

}  // namespace

struct ConvolutionStream::Implementation {
  StreamSettings settings;
  std::vector<plan::StreamLevel> levels;
  std::unique_ptr<Stream> stream;

  void check_precision(Precision precision) const {
    if (precision == settings.precision) return;
    throw InvalidArgument(fmt::format("the elements are of precision {}; expected {}, as in the stream's settings",
                                      to_string(precision), to_string(settings.precision)));
  }
};

ConvolutionStream::ConvolutionStream(const Device& device, const StreamSettings& settings, Precision precision,
                                     std::span<const std::byte> filters)
    : implementation_(std::make_unique<Implementation>()) {
  validate(settings);
  implementation_->settings = settings;
  implementation_->check_precision(precision);
  const bool single = settings.precision == Precision::float32;
  const std::size_t bytes = settings.filters * settings.filter_length * scalars_of(settings) * (single ? 4 : 8);
  if (filters.size() != bytes) {
    throw InvalidArgument(fmt::format("the filters have {} bytes; expected {} ({} of {} samples)", filters.size(),
                                      bytes, settings.filters, settings.filter_length));
  }
  if (device.info().backend != BackendKind::host) {
    throw Unsupported(
        fmt::format("streams are convolved on the host, not on {}; use the device 'host'", device_name(device.info())));
  }
  implementation_->levels =
      plan::choose_stream_levels(settings.filter_length, settings.filters, settings.block, settings.complex);
  implementation_->settings.block = implementation_->levels.front().block;
  if (single) {
    implementation_->stream =
        std::make_unique<StreamOf<float>>(device, implementation_->settings, implementation_->levels, filters);
  } else {
    implementation_->stream =
        std::make_unique<StreamOf<double>>(device, implementation_->settings, implementation_->levels, filters);
  }
}

ConvolutionStream::~ConvolutionStream() = default;
ConvolutionStream::ConvolutionStream(ConvolutionStream&&) noexcept = default;
ConvolutionStream& ConvolutionStream::operator=(ConvolutionStream&&) noexcept = default;

const StreamSettings& ConvolutionStream::settings() const { return implementation_->settings; }

void ConvolutionStream::push_bytes(Precision precision, std::span<const std::byte> samples) {
  implementation_->check_precision(precision);
  implementation_->stream->push(samples);
}

void ConvolutionStream::finish() { implementation_->stream->finish(); }

std::size_t ConvolutionStream::available() const { return implementation_->stream->available(); }

void ConvolutionStream::pop_bytes(Precision precision, std::span<std::byte> results) {
  implementation_->check_precision(precision);
  implementation_->stream->pop(results);
}

void ConvolutionStream::reset() { implementation_->stream->reset(); }

std::vector<std::byte> ConvolutionStream::save() const { return implementation_->stream->save(); }

void ConvolutionStream::restore(std::span<const std::byte> state) { implementation_->stream->restore(state); }

std::string ConvolutionStream::describe() const {
  std::string text = fmt::format("block {}:", implementation_->settings.block);
  for (const plan::StreamLevel& level : implementation_->levels) {
    text += fmt::format("{} {} x {}", &level == &implementation_->levels.front() ? "" : ",", level.partitions,
                        level.partition);
    if (level.partition != level.block) text += fmt::format(" in segments of {}", level.segment);
  }
  return text;
}

}  // namespace twiddle
