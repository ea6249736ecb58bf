// A search for an accelerated pulsar, as radio astronomers do it in the frequency domain (S. M. Ransom, S. S.
// Eikenberry, J. Middleditch, Fourier techniques for very long astrophysical time-series analysis, 2002). A pulsar in
// an orbit drifts in frequency while it is observed, so that its power is spread over many frequencies of the spectrum
// and drowns in noise. A template for each drift, correlated with the spectrum, gathers it again: the plane of all
// drifts and frequencies has its maximum where the pulsar is.
//
//   pulsar_search [SAMPLES [PLOT.png]]      2^23 samples unless told otherwise
#include <Magick++.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <iostream>
#include <numbers>
#include <random>
#include <span>
#include <twiddle/twiddle.hpp>
#include <vector>

namespace {

using Complex = std::complex<float>;

constexpr std::size_t templates = 97;  // drifts of -96, -94, ... 96 frequencies during the observation
constexpr int drift_step = 2;
constexpr std::size_t reach = 128;  // frequencies on either side of a template's middle
constexpr std::size_t template_length = 2 * reach + 1;
constexpr std::size_t shown = 128;  // frequencies of the plot on either side of the maximum

int drift_of(std::size_t index) { return drift_step * (static_cast<int>(index) - static_cast<int>(templates / 2)); }

// The phase, in turns, of a wave that has `frequency` periods in all and gains `drift` frequencies on the way; time
// from 0 to 1.
double turns(double frequency, double drift, double time) {
  return frequency * time + drift / 2 * (time * time - time);
}

// Noise of unit variance and a wave too weak to be seen in it.
std::vector<float> observe(std::size_t samples, double frequency, double drift, double amplitude) {
  std::mt19937_64 generator(20021);
  std::normal_distribution<float> noise;
  std::vector<float> series(samples);
  for (std::size_t i = 0; i < samples; ++i) {
    const double phase = turns(frequency, drift, static_cast<double>(i) / static_cast<double>(samples));
    series[i] =
        noise(generator) + static_cast<float>(amplitude * std::cos(2 * std::numbers::pi * (phase - std::floor(phase))));
  }
  return series;
}

// The filters of a correlation with the spectrum of each drifting wave: that of a wave at frequency 0, conjugated and
// turned around.
std::vector<Complex> make_templates(const twiddle::Device& device) {
  constexpr std::size_t points = 4096;  // many more than the frequencies that a template spans
  const twiddle::Plan plan(device, {.lengths = {points}});
  std::vector<Complex> filters(templates * template_length);
  std::vector<Complex> wave(points);
  for (std::size_t index = 0; index < templates; ++index) {
    for (std::size_t i = 0; i < points; ++i) {
      const double phase = turns(0, drift_of(index), static_cast<double>(i) / points);
      wave[i] = std::polar(1.0F / points, static_cast<float>(2 * std::numbers::pi * phase));
    }
    plan.forward(wave);
    for (std::size_t m = 0; m < template_length; ++m) {
      filters[index * template_length + m] = std::conj(wave[(points + reach - m) % points]);
    }
  }
  return filters;
}

struct Peak {
  float power = 0;  // 1 is the mean of the noise
  int drift = 0;
  std::size_t frequency = 0;
};

// Goes through the plane piece by piece; rows of `plane` are the templates. Nobody keeps all of it.
template <class Visit>
void search(const twiddle::Device& device, std::span<const Complex> spectrum, std::span<const Complex> filters,
            Visit visit) {
  constexpr std::size_t piece = 32768;
  twiddle::ConvolutionStream stream(device, {.filter_length = template_length, .filters = templates, .complex = true},
                                    filters);
  std::vector<Complex> plane;
  std::size_t first = 0;  // result n is of frequency n - reach
  const auto drain = [&] {
    const std::size_t count = stream.available();
    plane.resize(templates * count);
    stream.pop(plane);
    visit(first, count, std::span<const Complex>(plane));
    first += count;
  };
  for (std::size_t begin = 0; begin < spectrum.size(); begin += piece) {
    stream.push(spectrum.subspan(begin, std::min(piece, spectrum.size() - begin)));
    drain();
  }
  stream.finish();
  drain();
}

// The plane around the peak: drifts upwards, frequencies to the right, powers as brightness.
void draw(const std::vector<float>& powers, float brightest, const std::string& path) {
  constexpr std::size_t zoom = 4;
  constexpr std::size_t width = 2 * shown + 1;
  Magick::Image picture(Magick::Geometry(width * zoom, templates * zoom), Magick::Color("black"));
  picture.modifyImage();
  picture.classType(Magick::DirectClass);
  Magick::PixelPacket* pixel = picture.setPixels(0, 0, width * zoom, templates * zoom);
  for (std::size_t y = 0; y < templates * zoom; ++y) {
    for (std::size_t x = 0; x < width * zoom; ++x, ++pixel) {
      const float level = std::sqrt(powers[(templates - 1 - y / zoom) * width + x / zoom] / brightest);
      const auto ramp = [level](float from) {
        return static_cast<Magick::Quantum>(std::clamp(3 * level - from, 0.0F, 1.0F) * MaxRGB);
      };
      *pixel = Magick::Color(ramp(0), ramp(1), ramp(2));  // black, red, yellow, white
    }
  }
  picture.syncPixels();
  picture.write(path);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::size_t samples = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : std::size_t{1} << 23;
    if (samples < 4096) {
      std::cerr << "usage: pulsar_search [SAMPLES [PLOT.png]], 4096 samples or more\n";
      return 2;
    }
    const auto count = static_cast<double>(samples);
    const int true_drift = 62;
    const double true_frequency = std::floor(0.137 * count);
    const double amplitude = 2 * std::sqrt(150 / count);  // 150 times the mean power of noise, if it did not drift
    const twiddle::Device device = twiddle::Device::host();
    const std::vector<float> series = observe(samples, true_frequency, true_drift, amplitude);

    std::vector<Complex> spectrum(samples / 2 + 1);
    twiddle::Plan(device, {.lengths = {samples}, .kind = twiddle::Kind::r2c}).forward(series, spectrum);
    const float scale = 1 / std::sqrt(static_cast<float>(samples));
    for (Complex& value : spectrum) value *= scale;
    spectrum[0] = 0;
    const float plain = std::norm(*std::max_element(spectrum.begin(), spectrum.end(), [](Complex left, Complex right) {
      return std::norm(left) < std::norm(right);
    }));

    const std::vector<Complex> filters = make_templates(device);
    Peak peak;
    search(device, spectrum, filters, [&](std::size_t first, std::size_t results, std::span<const Complex> plane) {
      for (std::size_t index = 0; index < templates; ++index) {
        for (std::size_t i = 0; i < results; ++i) {
          const float power = std::norm(plane[index * results + i]);
          if (power > peak.power && first + i >= 2 * reach && first + i < spectrum.size()) {
            peak = {power, drift_of(index), first + i - reach};
          }
        }
      }
    });
    std::cout << samples << " samples; strongest single frequency: power " << plain << "\n"
              << "plane of " << templates << " drifts: power " << peak.power << " at drift " << peak.drift
              << ", frequency " << peak.frequency << " (put in: drift " << true_drift << ", frequency "
              << static_cast<std::size_t>(true_frequency) << ")\n";

    if (argc > 2) {
      std::vector<float> powers(templates * (2 * shown + 1));
      const std::size_t from = std::max(peak.frequency, shown + reach) - shown - reach;
      const std::size_t to = std::min(spectrum.size(), from + 2 * (shown + reach) + 1);
      search(device, std::span(spectrum).subspan(from, to - from), filters,
             [&](std::size_t first, std::size_t results, std::span<const Complex> plane) {
               for (std::size_t i = 0; i < results; ++i) {
                 if (first + i < 2 * reach || first + i > 2 * (reach + shown)) continue;
                 for (std::size_t index = 0; index < templates; ++index) {
                   powers[index * (2 * shown + 1) + first + i - 2 * reach] = std::norm(plane[index * results + i]);
                 }
               }
             });
      Magick::InitializeMagick(nullptr);
      draw(powers, peak.power, argv[2]);
      std::cout << "drawn around the maximum: " << argv[2] << "\n";
    }
    const bool found = peak.drift == true_drift && std::abs(static_cast<double>(peak.frequency) - true_frequency) <= 1;
    return found && peak.power > 3 * plain ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "pulsar_search: " << error.what() << '\n';
    return 1;
  }
}
