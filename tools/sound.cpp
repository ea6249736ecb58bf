// Sound files through libsndfile. Samples are numbers from -1 to 1, whatever the file holds.
#include <fmt/format.h>
#include <sndfile.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <string_view>

#include "errors.hpp"
#include "files.hpp"
#include "signal_files.hpp"

namespace twiddle::tool {
namespace {

struct Close {
  void operator()(SNDFILE* file) const { sf_close(file); }
};
using File = std::unique_ptr<SNDFILE, Close>;

// A header may declare more data than there are: libsndfile then writes " data : 4000 (should be 1234)" into its log
// and goes on with what it finds. Streams of unknown length declare the largest number there is.
void check_whole(SNDFILE* file, const std::string& path) {
  std::array<char, 16384> log{};
  sf_command(file, SFC_GET_LOG_INFO, log.data(), log.size());
  const std::string_view text(log.data());
  const std::size_t should = text.find(" (should be ");
  const std::size_t line = text.rfind('\n', should);
  if (should == std::string_view::npos) return;
  const std::string_view entry = text.substr(line + 1, should - line - 1);
  const std::size_t number = entry.find_last_not_of("0123456789");
  std::uint64_t declared = 0;
  std::uint64_t found = 0;
  std::from_chars(entry.data() + number + 1, entry.data() + entry.size(), declared);
  const char* const rest = text.data() + should + 12;
  std::from_chars(rest, text.data() + text.size(), found);
  if (declared <= found || declared >= 0x7FFFF000) return;
  throw FileError(fmt::format("cannot read '{}': its header declares {} bytes, but there are {}: it is truncated", path,
                              declared, found));
}

class SoundSource : public SignalSource {
 public:
  explicit SoundSource(const std::string& path) : path_(path), file_(sf_open(path.c_str(), SFM_READ, &info_)) {
    if (!file_)
      throw FileError(
          fmt::format("cannot read '{}': it is neither .npy nor a sound file ({})", path, sf_strerror(nullptr)));
    check_whole(file_.get(), path);
    if (info_.frames <= 0 || info_.channels <= 0) {
      throw FileError(fmt::format("cannot read '{}': it holds no samples, or does not say how many", path));
    }
  }
  std::size_t rows() const override { return static_cast<std::size_t>(info_.channels); }
  std::size_t samples() const override { return static_cast<std::size_t>(info_.frames); }
  bool has_rows() const override { return info_.channels > 1; }
  std::optional<SoundFormat> sound() const override { return SoundFormat{info_.samplerate, info_.format}; }

  ElementType type() const override {
    const int kind = info_.format & SF_FORMAT_SUBMASK;
    const bool wide = kind == SF_FORMAT_DOUBLE || kind == SF_FORMAT_PCM_32;
    return {wide ? Precision::float64 : Precision::float32, false};
  }

  void read(std::uint64_t first, std::size_t count, ElementType to, std::span<std::byte> samples) override {
    frames_.resize(count * rows());
    if (next_ != first && sf_seek(file_.get(), static_cast<sf_count_t>(first), SEEK_SET) < 0) fail();
    const sf_count_t read = sf_readf_double(file_.get(), frames_.data(), static_cast<sf_count_t>(count));
    if (read != static_cast<sf_count_t>(count)) {
      throw FileError(fmt::format("cannot read '{}': it ends after {} of {} samples: it is truncated or damaged", path_,
                                  first + static_cast<std::uint64_t>(std::max<sf_count_t>(read, 0)), info_.frames));
    }
    next_ = first + count;
    row_.resize(count);
    const std::size_t bytes = count * element_bytes(to);
    for (std::size_t row = 0; row < rows(); ++row) {
      for (std::size_t i = 0; i < count; ++i) row_[i] = frames_[i * rows() + row];
      convert_elements(std::as_bytes(std::span(row_)), {Precision::float64, false}, samples.subspan(row * bytes, bytes),
                       to);
    }
  }

 private:
  [[noreturn]] void fail() const {
    throw FileError(fmt::format("cannot read '{}': {}", path_, sf_strerror(file_.get())));
  }

  std::string path_;
  SF_INFO info_{};
  File file_;
  std::uint64_t next_ = 0;
  std::vector<double> frames_;
  std::vector<double> row_;
};

struct Container {
  std::string_view extension;
  int format;
  int samples;  // unless those of the signal's own file can be kept
};
constexpr std::array containers = {
    Container{".wav", SF_FORMAT_WAV, SF_FORMAT_FLOAT},   Container{".flac", SF_FORMAT_FLAC, SF_FORMAT_PCM_24},
    Container{".ogg", SF_FORMAT_OGG, SF_FORMAT_VORBIS},  Container{".aiff", SF_FORMAT_AIFF, SF_FORMAT_FLOAT},
    Container{".aif", SF_FORMAT_AIFF, SF_FORMAT_FLOAT},  Container{".au", SF_FORMAT_AU, SF_FORMAT_FLOAT},
    Container{".caf", SF_FORMAT_CAF, SF_FORMAT_FLOAT},   Container{".w64", SF_FORMAT_W64, SF_FORMAT_FLOAT},
    Container{".rf64", SF_FORMAT_RF64, SF_FORMAT_FLOAT},
};

// The bits of a sample; 0 for those that are not kept one by one (Vorbis and the like).
int sample_bits(int format) {
  switch (format & SF_FORMAT_SUBMASK) {
    case SF_FORMAT_PCM_S8:
    case SF_FORMAT_PCM_U8:
      return 8;
    case SF_FORMAT_PCM_16:
      return 16;
    case SF_FORMAT_PCM_24:
      return 24;
    case SF_FORMAT_PCM_32:
    case SF_FORMAT_FLOAT:
      return 32;
    case SF_FORMAT_DOUBLE:
      return 64;
    default:
      return 0;
  }
}

constexpr std::uint64_t largest_wav = 0xFFFF0000;  // bytes

SF_INFO output_info(const std::string& path, const SignalShape& shape, std::size_t rows) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  const auto* const container = std::find_if(containers.begin(), containers.end(),
                                             [&](const Container& known) { return known.extension == extension; });
  if (container == containers.end()) {
    throw UsageError(
        fmt::format("cannot tell the format of '{}': expected a name that ends in .npy, .wav, .flac, .ogg, "
                    ".aiff, .au, .caf or .w64",
                    path));
  }
  if (shape.type.complex) {
    throw UsageError(fmt::format("'{}': sound files hold real numbers, but the result is complex; choose .npy", path));
  }
  if (!shape.sound) {
    throw UsageError(
        fmt::format("'{}': the signal is an array, which has no sample rate; choose .npy for the result", path));
  }
  SF_INFO info{};
  info.samplerate = shape.sound->rate;
  info.channels = static_cast<int>(rows);
  const int format = container->format == SF_FORMAT_WAV && shape.shape.back() * rows * 8 > largest_wav
                         ? SF_FORMAT_RF64
                         : container->format;
  info.format = format | (shape.sound->format & SF_FORMAT_SUBMASK);
  const bool lossy_elsewhere = format != SF_FORMAT_OGG && (info.format & SF_FORMAT_SUBMASK) == SF_FORMAT_VORBIS;
  if (lossy_elsewhere || sf_format_check(&info) == 0) info.format = format | container->samples;
  if (sf_format_check(&info) == 0) {
    throw UsageError(fmt::format("'{}': {} holds no {} channels at {} Hz; choose .wav", path, extension, info.channels,
                                 info.samplerate));
  }
  return info;
}

class SoundSink : public SignalSink {
 public:
  SoundSink(const std::string& path, const SignalShape& shape)
      : path_(path),
        rows_(std::accumulate(shape.shape.begin(), shape.shape.end() - 1, std::size_t{1}, std::multiplies<>())),
        type_(shape.type),
        signal_bits_(sample_bits(shape.sound ? shape.sound->format : 0)),
        info_(output_info(path, shape, rows_)),
        output_(path),
        file_(sf_open_fd(output_.descriptor(), SFM_WRITE, &info_, 0)) {
    if (!file_) throw FileError(fmt::format("cannot write '{}': {}", path, sf_strerror(nullptr)));
    sf_command(file_.get(), SFC_SET_CLIPPING, nullptr, SF_TRUE);
    const int kind = info_.format & SF_FORMAT_SUBMASK;
    clips_ = kind != SF_FORMAT_FLOAT && kind != SF_FORMAT_DOUBLE;
  }

  void write(std::span<const std::byte> samples, std::size_t count) override {
    frames_.resize(count * rows_);
    row_.resize(count);
    const std::size_t bytes = count * element_bytes(type_);
    for (std::size_t row = 0; row < rows_; ++row) {
      convert_elements(samples.subspan(row * bytes, bytes), type_, std::as_writable_bytes(std::span(row_)),
                       {Precision::float64, false});
      for (std::size_t i = 0; i < count; ++i) {
        frames_[i * rows_ + row] = row_[i];
        if (!(std::abs(row_[i]) <= 1)) ++beyond_;
        peak_ = std::max(peak_, std::abs(row_[i]));
      }
    }
    if (sf_writef_double(file_.get(), frames_.data(), static_cast<sf_count_t>(count)) !=
        static_cast<sf_count_t>(count)) {
      throw FileError(fmt::format("cannot write '{}': {}", path_, sf_strerror(file_.get())));
    }
  }

  std::string commit() override {
    const int error = sf_close(file_.release());
    if (error != 0) throw FileError(fmt::format("cannot write '{}': {}", path_, sf_error_number(error)));
    output_.commit();
    std::string note;
    if (const int bits = sample_bits(info_.format); bits != 0 && bits < signal_bits_) {
      note = fmt::format("'{}' holds {} bits a sample where the signal has {}", path_, bits, signal_bits_);
    }
    if (!clips_ || beyond_ == 0) return note;
    return fmt::format(
        "{}{}{} samples beyond full scale were clipped (the largest is {:.3g}); {:.2g} of this gain avoids it", note,
        note.empty() ? "" : "; ", beyond_, peak_, std::floor(100 / peak_) / 100);
  }

 private:
  std::string path_;
  std::size_t rows_;
  ElementType type_;
  int signal_bits_;
  SF_INFO info_;
  OutputFile output_;
  File file_;
  bool clips_ = false;
  std::uint64_t beyond_ = 0;
  double peak_ = 0;
  std::vector<double> frames_;
  std::vector<double> row_;
};

}  // namespace

std::unique_ptr<SignalSource> open_sound(const std::string& path) { return std::make_unique<SoundSource>(path); }

std::unique_ptr<SignalSink> create_sound(const std::string& path, const SignalShape& shape) {
  return std::make_unique<SoundSink>(path, shape);
}

}  // namespace twiddle::tool
