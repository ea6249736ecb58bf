// The reference for a stage, element by element.
#include "backend/host/stage_case.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <span>

#include "backend/host/host_engine.hpp"
#include "plan/recipe/host_radices.hpp"
#include "support/factor_sequence.hpp"
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

// Of lines one after the other: by the definition where that is quick, else by FFTW's long-double library.
Spectrum lines_reference(Spectrum lines, std::size_t length, Direction direction) {
  if (length > 48) {
    const Transform transform{
        .lengths = {length}, .batch = lines.size() / length, .normalization = Normalization::none};
    return reference_transform(transform, direction, std::move(lines));
  }
  for (auto line = lines.begin(); line != lines.end(); line += static_cast<std::ptrdiff_t>(length)) {
    std::ranges::copy(direct_sum(std::span(line, length), direction), line);
  }
  return lines;
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
  std::optional<TwiddleRoots> roots;
  if (stage.twiddle) roots.emplace(stage.direction, stage.twiddle->modulus);
  const auto twiddle = [&](std::uint64_t k, const std::vector<std::uint64_t>& index, bool on_load) {
    return roots && stage.twiddle->on_load == on_load ? roots->at(k, index[stage.twiddle->loop]) : Wide(1);
  };
  Spectrum lines;
  for_each_transform(stage, [&](std::size_t from, std::size_t, const std::vector<std::uint64_t>& index) {
    for (std::size_t k = 0; k < stage.length; ++k) {
      lines.push_back(Wide(input[from + k * stage.input_stride]) * twiddle(k, index, true));
    }
  });
  lines = lines_reference(std::move(lines), stage.length, stage.direction);
  auto result = lines.cbegin();
  for_each_transform(stage, [&](std::size_t, std::size_t to, const std::vector<std::uint64_t>& index) {
    for (std::size_t k = 0; k < stage.length; ++k) {
      expected[to + k * stage.output_stride] =
          *result++ * twiddle(k, index, false) * static_cast<long double>(stage.scale);
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

namespace {

std::shared_ptr<backend::Engine> engine_beside(const backend::host::LastLevelCache& cache, const char* simd) {
  const ScopedEnvironment environment("TWIDDLE_SIMD", simd);
  try {
    return backend::make_host_engine(cache);
  } catch (const InvalidArgument&) {
    return nullptr;
  }
}

}  // namespace

std::shared_ptr<backend::Engine> host_engine(const char* simd) {
  return engine_beside(backend::host::last_level_cache(), simd);
}

std::shared_ptr<backend::Engine> host_engine_beside_small_cache(const char* simd) {
  return engine_beside({.bytes = std::size_t{1} << 20, .processors = 1}, simd);
}

}  // namespace twiddle::test
