// twiddle convolve on sound files: channels, clipping, and what is said of bad ones.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tools/convolve_signals.hpp"

namespace twiddle::test {
namespace {

using Complex = std::complex<double>;
using tool::NpyArray;

// WAV of integers with a header of 44 bytes.
template <class Sample>
std::string wav_bytes(const std::vector<Sample>& frames, std::uint16_t channels, std::uint32_t rate) {
  std::string bytes;
  const auto append = [&](auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
  const auto data = static_cast<std::uint32_t>(sizeof(Sample) * frames.size());
  bytes += "RIFF";
  append(data + 36);
  bytes += "WAVEfmt ";
  append(std::uint32_t{16});
  append(std::uint16_t{1});
  append(channels);
  append(rate);
  append(static_cast<std::uint32_t>(rate * sizeof(Sample) * channels));
  append(static_cast<std::uint16_t>(sizeof(Sample) * channels));
  append(static_cast<std::uint16_t>(8 * sizeof(Sample)));
  bytes += "data";
  append(data);
  bytes.append(reinterpret_cast<const char*>(frames.data()), data);
  return bytes;
}

class ConvolveSounds : public ConvolveSignals {
 protected:
  template <class Sample>
  std::string save_sound(const std::string& name, const std::vector<Sample>& frames, std::uint16_t channels,
                         std::uint32_t rate = 44100) {
    folder.write(name, wav_bytes(frames, channels, rate));
    return folder.path(name);
  }
};

TEST_F(ConvolveSounds, SoundChannelByChannel) {
  const auto frames = random_values<std::int16_t>(2 * 3000);
  const auto taps = random_values<std::int16_t>(2 * 40);
  const std::string sound = save_sound("sound.wav", frames, 2);
  const std::string room = save_sound("room.wav", taps, 2);
  const CommandResult result = convolve(sound, room, "out.npy", {"--gain", "0.5", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const auto report = nlohmann::json::parse(result.output);
  EXPECT_TRUE(report.at("problem") == "conv:real:f32:3000:40" && report.at("pairs") == 2) << report;
  const NpyArray actual = tool::read_npy(folder.path("out.npy"));
  ASSERT_EQ(actual.shape, (std::vector<std::size_t>{2, 3039}));
  std::vector<double> expected(2 * 3039);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    for (std::size_t m = 0; m < 40; ++m) {
      expected[i % 2 * 3039 + i / 2 + m] += 0.5 * frames[i] / 32768.0 * taps[2 * m + i % 2] / 32768.0;
    }
  }
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(actual.scalars<float>()[i], expected[i], 1e-6);

  // The same in a sound file of the signal's kind, which holds 16 bits a sample.
  ASSERT_EQ(convolve(sound, room, "out.wav", {"--gain", "0.5"}).exit_code, 0);
  const std::string bytes = folder.read("out.wav");
  ASSERT_EQ(bytes.size(), 44 + 2 * expected.size());
  EXPECT_EQ(bytes.substr(24, 4), std::string("\x44\xAC\0\0", 4));  // 44100 samples a second
  for (std::size_t i = 0; i < expected.size(); ++i) {
    std::int16_t sample = 0;
    std::memcpy(&sample, bytes.data() + 44 + 2 * i, 2);
    ASSERT_NEAR(sample, 32768 * expected[i % 2 * 3039 + i / 2], 1.01) << i;
  }
}

TEST_F(ConvolveSounds, OneChannelMeetsAll) {
  const std::string mono = save_sound("mono.wav", random_values<std::int16_t>(500), 1, 8000);
  const std::string stereo = save_sound("stereo.wav", random_values<std::int16_t>(500), 2, 8000);
  for (const auto& [signal, filter] : {std::pair{mono, stereo}, {stereo, mono}}) {
    ASSERT_EQ(convolve(signal, filter, "out.npy").exit_code, 0);
    EXPECT_EQ(tool::read_npy(folder.path("out.npy")).shape, (std::vector<std::size_t>{2, 749}));
  }
}

TEST_F(ConvolveSounds, ClippingIsReported) {
  const std::string sound = save_sound("sound.wav", std::vector<std::int16_t>(100, 16384), 1);
  const std::string filter = save("filter.npy", {1}, std::vector<float>{4});
  const CommandResult result = convolve(sound, filter, "out.wav");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.errors.find("100 samples beyond full scale were clipped (the largest is 2)"), std::string::npos)
      << result.errors;
  EXPECT_EQ(folder.read("out.wav").substr(44, 2), "\xFF\x7F");
}

TEST_F(ConvolveSounds, FewerBitsThanTheSignalsAreReported) {
  const std::string fine = save_sound("fine.wav", std::vector<std::int32_t>(100, 1 << 20), 1);
  const std::string coarse = save_sound("coarse.wav", std::vector<std::int16_t>(100, 1 << 10), 1);
  const std::string filter = save("filter.npy", {1}, std::vector<float>{1});
  const CommandResult cut = convolve(fine, filter, "out.flac");
  ASSERT_EQ(cut.exit_code, 0) << cut.errors;
  EXPECT_NE(cut.errors.find("holds 24 bits a sample where the signal has 32"), std::string::npos) << cut.errors;
  EXPECT_EQ(convolve(coarse, filter, "out.flac").errors.find("bits a sample"), std::string::npos);
  EXPECT_EQ(convolve(fine, filter, "out.wav").errors.find("bits a sample"), std::string::npos);
}

// The steps of a bar, in order.
std::vector<int> steps_of(const std::string& screen, const std::string& what) {
  std::vector<int> steps;
  const std::string end = "/100 " + what;
  for (std::size_t at = screen.find(end); at != std::string::npos; at = screen.find(end, at + 1)) {
    steps.push_back(std::stoi(screen.substr(screen.rfind(' ', at - 1) + 1)));
  }
  return steps;
}

// Longer than a piece of a stream and than one of a plan.
TEST_F(ConvolveSounds, LongFilesShowHowFarTheyAre) {
#ifdef TWIDDLE_SANITIZED
  GTEST_SKIP() << "how long it takes is the sanitizer's";
#endif
  const std::string sound = save_sound("sound.wav", std::vector<std::int16_t>(std::size_t{1} << 22, 1000), 1);
  const std::string room = save_sound("room.wav", random_values<std::int16_t>(3000), 1);
  for (const std::string method : {"automatic", "overlap-save"}) {
    CommandResult result;
    std::vector<int> steps;
    // So slowly that two of them are seen, however fast the machine is.
    for (std::chrono::milliseconds running{64}; running.count() > 0 && (steps.empty() || steps.front() == steps.back());
         running /= 2) {
      result = run_slowly_on_terminal(
          {"convolve", sound, room, folder.path("out.wav"), "--gain", "0.01", "--method", method}, running);
      ASSERT_EQ(result.exit_code, 0) << result.errors;
      steps = steps_of(result.errors, "convolving " + sound);
    }
    ASSERT_GE(steps.size(), 2U) << result.errors;
    EXPECT_TRUE(std::is_sorted(steps.begin(), steps.end())) << result.errors;
    EXPECT_GT(steps.back(), steps.front()) << result.errors;
    EXPECT_GT(steps.front(), 1) << result.errors;
    EXPECT_LE(steps.back(), 100) << result.errors;
    EXPECT_NE(result.errors.find("\r\033[K", result.errors.rfind(sound)), std::string::npos) << "wiped in the end";
  }
  EXPECT_EQ(convolve(sound, room, "out.wav", {"--gain", "0.01"}).errors, "") << "where nobody looks";
}

TEST_F(ConvolveSounds, BadSoundIsNamedAndNothingIsWritten) {
  const std::string sound = save_sound("sound.wav", random_values<std::int16_t>(600), 2);
  const std::string other_rate = save_sound("other.wav", random_values<std::int16_t>(60), 2, 48000);
  const std::string three = save_sound("three.wav", random_values<std::int16_t>(60), 3);
  folder.write("short.wav", folder.read("sound.wav").substr(0, 500));
  folder.write("nothing.wav", folder.read("sound.wav").substr(0, 44));
  folder.write("words.wav", "these are words");
  const std::string complex = save("complex.npy", {3}, random_values<Complex>(3));
  const std::string array = save("array.npy", {3}, random_values<float>(3));
  const std::vector<std::string> before = folder.names();
  expect_failure(convolve(folder.path("short.wav"), array, "out.wav"), 1, "truncated");
  expect_failure(convolve(folder.path("nothing.wav"), array, "out.wav"), 1, "nothing.wav");
  expect_failure(convolve(folder.path("words.wav"), array, "out.wav"), 1, "neither .npy nor a sound file");
  expect_failure(convolve(sound, other_rate, "out.wav"), 1, "48000");
  expect_failure(convolve(sound, three, "out.wav"), 1, "3; expected as many");
  expect_failure(convolve(sound, complex, "out.wav"), 2, "complex");
  expect_failure(convolve(array, sound, "out.wav"), 2, "sample rate");
  expect_failure(convolve(sound, array, "out.xyz"), 2, "cannot tell the format");
  expect_failure(convolve(sound, array, "out.wav", {"--decimate", "2"}), 2, "choose .npy");
  expect_failure(convolve(sound, sound, "out.npy", {"--maximum"}), 2, "compares filters");
  EXPECT_EQ(folder.names(), before);
  std::filesystem::create_symlink("/dev/full", folder.path("full.wav"));
  expect_failure(convolve(sound, array, "full.wav"), 1, "cannot write");
}

}  // namespace
}  // namespace twiddle::test
