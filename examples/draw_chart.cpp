// Draws examples/chart.png, the picture that `make demo` filters: fine detail of many kinds under a woven interference
// whose two waves share one radial frequency, so that a narrow band-stop removes it and leaves the detail.
//
//   draw_chart FONT.ttf OUT.png        (the committed one: DejaVuSans.ttf of Debian's fonts-dejavu-core)
#include <Magick++.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <numbers>
#include <string>
#include <vector>

namespace {

constexpr int width = 1024;
constexpr int height = 768;
constexpr double pi = std::numbers::pi;

// Levels of 8 bits. The drawing keeps to dark..light, so that the interference never clips: clipping would spread it
// over other frequencies.
constexpr double dark = 64;
constexpr double middle = 128;
constexpr double light = 192;
constexpr double interference_amplitude = 18;

// Whole numbers of waves over the picture. Radial frequency: sqrt((192 / 1024)^2 + (96 / 768)^2) = 0.2253 cycles/pixel.
constexpr double waves_across = 192;
constexpr double waves_down = 96;

using Canvas = std::vector<double>;

double& at(Canvas& canvas, int x, int y) {
  return canvas[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)];
}

// Sets the pixels of a box to the mean of `level(x, y)` over 8 x 8 points of each; a negative level is transparent.
template <class Level>
void paint(Canvas& canvas, int left, int top, int right, int bottom, Level level) {
  constexpr int points = 8;
  for (int y = top; y < bottom; ++y) {
    for (int x = left; x < right; ++x) {
      double sum = 0;
      for (int i = 0; i < points * points; ++i) {
        const double value = level(x + (i % points + 0.5) / points - 0.5, y + (i / points + 0.5) / points - 0.5);
        sum += value < 0 ? at(canvas, x, y) : value;
      }
      at(canvas, x, y) = sum / (points * points);
    }
  }
}

// Frequencies from 0 in the centre to 0.4 cycles per pixel at the rim. Sampled, not averaged: fine rings keep contrast.
void zone_plate(Canvas& canvas, int centre_x, int centre_y, int radius) {
  for (int y = -radius; y <= radius; ++y) {
    for (int x = -radius; x <= radius; ++x) {
      const double square = x * x + y * y;
      if (square > radius * radius) continue;
      at(canvas, centre_x + x, centre_y + y) = middle + (light - middle) * std::cos(pi * 0.4 / radius * square);
    }
  }
}

void siemens_star(Canvas& canvas, int centre_x, int centre_y, int radius, int spokes) {
  paint(canvas, centre_x - radius, centre_y - radius, centre_x + radius + 1, centre_y + radius + 1,
        [&](double x, double y) {
          const double angle = std::atan2(y - centre_y, x - centre_x);
          if (std::hypot(x - centre_x, y - centre_y) > radius) return -1.0;
          return std::sin(spokes * angle) > 0 ? light : dark;
        });
}

// Line gratings of several periods, upright above and lying below.
void gratings(Canvas& canvas, int left, int top, int side, int gap) {
  constexpr std::array<int, 8> periods = {2, 3, 4, 5, 6, 8, 12, 20};
  for (std::size_t i = 0; i < periods.size(); ++i) {
    const int x0 = left + static_cast<int>(i) * (side + gap);
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const auto line = [&](int position) { return 2 * (position % periods[i]) < periods[i] ? dark : light; };
        at(canvas, x0 + x, top + y) = line(x);
        at(canvas, x0 + x, top + side + gap + y) = line(y);
      }
    }
  }
}

void staircase(Canvas& canvas, int left, int top, int steps, int step_width, int step_height) {
  for (int i = 0; i < steps; ++i) {
    const double level = dark + (light - dark) * i / (steps - 1);
    paint(canvas, left + i * step_width, top, left + (i + 1) * step_width, top + step_height,
          [&](double, double) { return level; });
  }
}

// Text is drawn by GraphicsMagick, black on white, and mixed in as darkness.
void text(Canvas& canvas, const std::string& font) {
  Magick::Image page(Magick::Geometry(width, height), Magick::Color("white"));
  page.font(font);
  page.fillColor(Magick::Color("black"));
  const auto write = [&page](double size, double x, double y, const std::string& words) {
    page.fontPointsize(size);
    page.draw(Magick::DrawableText(x, y, words));
  };
  write(76, 374, 120, "twiddle");
  write(20, 378, 160, "forward, filter, inverse");
  const std::string words = "every wave has its place in the spectrum";
  double y = 210;
  for (const double size : {14, 13, 12, 11, 10, 9, 8}) {
    write(size, 378, y, words);
    y += size + 12;
  }
  write(13, 150, 384, "zone plate");
  write(13, 789, 384, "Siemens star");
  write(13, 40, 428, "lines: 2, 3, 4, 5, 6, 8, 12 and 20 pixels apart");
  const Magick::PixelPacket* pixels = page.getConstPixels(0, 0, width, height);
  for (std::size_t i = 0; i < canvas.size(); ++i) {
    const double paper = static_cast<double>(pixels[i].green) / MaxRGB;
    canvas[i] = canvas[i] * paper + dark * (1 - paper);
  }
}

Canvas draw(const std::string& font) {
  Canvas canvas(static_cast<std::size_t>(width) * height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) at(canvas, x, y) = middle + 40 + 20 * std::cos(pi * y / height);
  }
  zone_plate(canvas, 190, 200, 160);
  siemens_star(canvas, 834, 200, 160, 36);
  gratings(canvas, 40, 440, 104, 16);
  staircase(canvas, 40, 704, 16, 59, 40);
  text(canvas, font);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double across = 2 * pi * waves_across * x / width;
      const double down = 2 * pi * waves_down * y / height;
      at(canvas, x, y) += interference_amplitude * (std::cos(across + down) + std::cos(across - down));
    }
  }
  return canvas;
}

void save(const Canvas& canvas, const std::string& path) {
  Magick::Image picture(Magick::Geometry(width, height), Magick::Color("black"));
  picture.modifyImage();
  picture.classType(Magick::DirectClass);
  Magick::PixelPacket* pixels = picture.setPixels(0, 0, width, height);
  for (std::size_t i = 0; i < canvas.size(); ++i) {
    const auto level = static_cast<Magick::Quantum>(std::lround(canvas[i]) * 257);
    pixels[i].red = pixels[i].green = pixels[i].blue = level;
    pixels[i].opacity = 0;
  }
  picture.syncPixels();
  picture.depth(8);
  picture.type(Magick::GrayscaleType);
  picture.quality(95);
  picture.write(path);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: draw_chart FONT.ttf OUT.png\n");
    return 2;
  }
  try {
    Magick::InitializeMagick(nullptr);
    save(draw(argv[1]), argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "draw_chart: %s\n", error.what());
    return 1;
  }
  return 0;
}
