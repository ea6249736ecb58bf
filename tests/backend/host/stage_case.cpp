// The reference for a stage, element by element.
#include "backend/host/stage_case.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <span>

#include "backend/host/host_engine.hpp"
#include "plan/recipe/host_radices.hpp"
#include "support/reference.hpp"
#include "twiddle/error.hpp"

namespace twiddle::test {
namespace {

using Complex = std::complex<float>;
using Wide = std::complex<long double>;

// Elements from the first to the last that a stage touches on one side; strides are not negative in these tests.
std::size_t extent(const plan::Stage& stage, bool input) {
  std::uint64_t last = (stage.length - 1) * (input ? stage.input_stride : stage.output_stride);
  for (const plan::Loop& loop : stage.loops) {
    last += (loop.count - 1) * (input ? loop.input_stride : loop.output_stride);
  }
  return last + 1;
}

void for_each_transform(const plan::Stage& stage,
                        const std::function<void(std::size_t, std::size_t, const std::vector<std::uint64_t>&)>& visit) {
  std::vector<std::uint64_t> index(stage.loops.size(), 0);
  for (std::uint64_t i = 0; i < plan::transform_count(stage); ++i) {
    std::size_t from = 0;
    std::size_t to = 0;
    std::uint64_t rest = i;
    for (std::size_t loop = 0; loop < index.size(); ++loop) {
      index[loop] = rest % stage.loops[loop].count;
      rest /= stage.loops[loop].count;
      from += index[loop] * stage.loops[loop].input_stride;
      to += index[loop] * stage.loops[loop].output_stride;
    }
    visit(from, to, index);
  }
}

// exp(-+ 2 pi i k / n)
Wide root(std::uint64_t k, std::uint64_t n, Direction direction) {
  const long double angle = 2 * 3.14159265358979323846264338327950288L * static_cast<long double>(k % n) / n;
  return std::polar(1.0L, direction == Direction::forward ? -angle : angle);
}

// By the definition where that is quick, else by FFTW's long-double library.
Spectrum line_reference(Spectrum line, Direction direction) {
  if (line.size() <= 48) return direct_sum(line, direction);
  const Transform transform{.lengths = {line.size()}, .normalization = Normalization::none};
  return reference_transform(transform, direction, std::move(line));
}

}  // namespace

testing::AssertionResult computes_stage(backend::Engine& engine, const plan::Stage& stage, std::size_t beyond) {
  const bool in_place = stage.source == stage.destination;
  const Signal input = random_signal(std::max(extent(stage, true), in_place ? extent(stage, false) : 0), stage.length);
  const Signal before = in_place ? input : random_signal(extent(stage, false), 77);
  constexpr std::size_t line = 64 / sizeof(Complex);  // elements of a cache line
  Signal memory(before.size() + 2 * line);
  const std::size_t within = reinterpret_cast<std::uintptr_t>(memory.data()) / sizeof(Complex) % line;
  const std::span<Complex> output = std::span(memory).subspan((line - within) % line + beyond, before.size());
  std::copy(before.begin(), before.end(), output.begin());
  Spectrum expected(output.begin(), output.end());
  std::vector<bool> owned(output.size(), false);
  for_each_transform(stage, [&](std::size_t from, std::size_t to, const std::vector<std::uint64_t>& index) {
    const std::uint64_t j = stage.twiddle ? index[stage.twiddle->loop] : 0;
    const auto twiddle = [&](std::uint64_t k) { return root(k * j, stage.twiddle->modulus, stage.direction); };
    Spectrum line;
    for (std::size_t k = 0; k < stage.length; ++k) {
      line.emplace_back(input[from + k * stage.input_stride]);
      if (stage.twiddle && stage.twiddle->on_load) line.back() *= twiddle(k);
    }
    line = line_reference(std::move(line), stage.direction);
    for (std::size_t k = 0; k < stage.length; ++k) {
      if (stage.twiddle && !stage.twiddle->on_load) line[k] *= twiddle(k);
      expected[to + k * stage.output_stride] = line[k] * static_cast<long double>(stage.scale);
      owned[to + k * stage.output_stride] = true;
    }
  });

  Signal source = input;
  backend::HostSpan from(in_place ? output.data() : source.data());
  backend::HostSpan to(output.data());
  engine.compile(stage)->run({&from, &to, nullptr}, nullptr);

  Spectrum wanted;
  Signal given;
  for (std::size_t i = 0; i < output.size(); ++i) {
    if (owned[i]) {
      wanted.push_back(expected[i]);
      given.push_back(output[i]);
    } else if (Wide(output[i]) != expected[i]) {
      return testing::AssertionFailure() << "element " << i << " of " << output.size()
                                         << ", which no transform owns, was written; " << to_string(stage);
    }
  }
  if (!in_place && source != input) return testing::AssertionFailure() << "input was written; " << to_string(stage);
  const double error = relative_l2_error(given, wanted);
  if (!(error <= 3e-7)) return testing::AssertionFailure() << "error " << error << "; " << to_string(stage);
  return testing::AssertionSuccess();
}

plan::Stage row_stage(backend::Engine& engine, std::size_t length, std::uint64_t count) {
  plan::Stage stage;
  stage.length = length;
  stage.radices = plan::host_radices(length, engine.info().limits);
  const auto pitch = static_cast<std::int64_t>(length);
  stage.loops = {{count, pitch, pitch}};
  return stage;
}

plan::Stage column_stage(backend::Engine& engine, std::size_t length, std::uint64_t count, std::int64_t width) {
  plan::Stage stage = row_stage(engine, length, count);
  stage.input_stride = stage.output_stride = width;
  stage.loops = {{count, 1, 1}};
  return stage;
}

ScopedEnvironment::ScopedEnvironment(const char* name, const char* value) : name_(name) {
  if (const char* before = std::getenv(name)) before_ = before;
  setenv(name, value, 1);
}

ScopedEnvironment::~ScopedEnvironment() {
  if (before_) {
    setenv(name_, before_->c_str(), 1);
  } else {
    unsetenv(name_);
  }
}

std::shared_ptr<backend::Engine> host_engine(const char* simd) {
  const ScopedEnvironment environment("TWIDDLE_SIMD", simd);
  try {
    return backend::make_host_engine();
  } catch (const InvalidArgument&) {
    return nullptr;
  }
}

}  // namespace twiddle::test
