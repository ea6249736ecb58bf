// Memory as scalars for the interpreter, and as bytes for the device.
#include "backend/device_stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "backend/engine.hpp"
#include "support/stage_interpreter.hpp"
#include "twiddle/half.hpp"

namespace twiddle::test {
namespace {

using plan::Loop;
using plan::Operand;
using plan::Stage;
using plan::Storage;
using Form = Storage::Form;
using Bytes = std::vector<std::byte>;

constexpr std::size_t guard = 7;  // scalars behind the last one of a stage, which must stay as they were

// Scalars from the start of the memory to the last one of the stage.
std::size_t scalar_count(const Stage& stage, bool input) {
  const Storage& storage = input ? stage.input_storage : stage.output_storage;
  const bool map_alone = stage.radices.empty() && stage.load_map && !stage.direct;
  const auto& map = input || map_alone ? stage.load_map : stage.store_map;
  const bool shared = map && stage.shared_map;  // loops[0] walks over the map's line
  std::uint64_t elements = !map ? stage.length : input ? map->source_count : map->count;
  using Rule = plan::LineMap::Rule;
  const bool two = map && map->rule == (input ? Rule::two_spectra_load : Rule::two_spectra_store);
  if (two) elements /= 2;
  const auto furthest = [](std::uint64_t count, std::int64_t stride) {
    return std::max<std::int64_t>(0, static_cast<std::int64_t>(count - 1) * stride);
  };
  std::int64_t last = input ? stage.input_offset : stage.output_offset;
  const auto stride = input ? stage.input_stride : stage.output_stride;
  last += furthest(elements, shared ? stride / static_cast<std::int64_t>(stage.loops[0].count) : stride);
  if (two) last += std::max<std::int64_t>(0, stage.second_spectrum);
  for (std::size_t i = shared ? 1 : 0; i < stage.loops.size(); ++i) {
    const Loop& loop = stage.loops[i];
    last += furthest(loop.count, input ? loop.input_stride : loop.output_stride);
  }
  if (storage.form == Form::interleaved) last = 2 * last + 1;
  return static_cast<std::size_t>(last + std::max<std::int64_t>(0, storage.imaginary_offset)) + 1 + guard;
}

template <class Scalar>
void put(Bytes& bytes, std::size_t at, Scalar value) {
  std::memcpy(bytes.data() + at * sizeof(Scalar), &value, sizeof(Scalar));
}

template <class Scalar>
Scalar get(const Bytes& bytes, std::size_t at) {
  Scalar value;
  std::memcpy(&value, bytes.data() + at * sizeof(Scalar), sizeof(Scalar));
  return value;
}

// Uniform in [-1, 1), as the precision has it.
Bytes random_scalars(std::size_t count, Precision precision, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  Bytes bytes(count * plan::scalar_bytes(precision));
  for (std::size_t i = 0; i < count; ++i) {
    const double value = static_cast<double>(engine() >> 11) * 0x1p-52 - 1;
    if (precision == Precision::float16) put(bytes, i, to_half(static_cast<float>(value)));
    if (precision == Precision::float32) put(bytes, i, static_cast<float>(value));
    if (precision == Precision::float64) put(bytes, i, value);
  }
  return bytes;
}

std::vector<long double> values(const Bytes& bytes, Precision precision) {
  std::vector<long double> result(bytes.size() / plan::scalar_bytes(precision));
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = precision == Precision::float16   ? to_float(get<Half>(bytes, i))
                : precision == Precision::float32 ? get<float>(bytes, i)
                                                  : get<double>(bytes, i);
  }
  return result;
}

double tolerance(const Stage& stage) {
  const auto uses = [&](Precision precision) {
    return stage.precision == precision || stage.output_storage.precision == precision;
  };
  return uses(Precision::float16) ? 4e-4 : uses(Precision::float32) ? 3e-7 : 6e-16;
}

}  // namespace

testing::AssertionResult computes_stage(const Device& device, const Stage& stage) {
  const bool in_place = stage.source == stage.destination;
  const Precision precision = stage.output_storage.precision;
  std::size_t inputs = scalar_count(stage, true);
  if (in_place) inputs = std::max(inputs, scalar_count(stage, false));
  const Bytes input = random_scalars(inputs, stage.input_storage.precision, 1);
  const Bytes output = in_place ? input : random_scalars(scalar_count(stage, false), precision, 2);

  ScalarMemory source(values(input, stage.input_storage.precision));
  ScalarMemory expected(values(output, precision));
  const std::vector<long double> before = expected.values;
  interpret(stage, in_place ? expected : source, expected);

  backend::Engine& engine = device.engine();
  const auto first = engine.allocate(input.size());
  first->write(input.data(), input.size());
  const auto second = engine.allocate(output.size());
  second->write(output.data(), output.size());
  const auto executable = engine.compile(stage);
  const auto memory = [&](Operand operand) { return operand == stage.source ? first.get() : second.get(); };
  executable->run({memory(Operand::input), memory(Operand::output), memory(Operand::scratch)}, nullptr);
  Bytes result(output.size());
  memory(stage.destination)->read(result.data(), result.size());

  const std::vector<long double> actual = values(result, precision);
  const std::size_t bytes = plan::scalar_bytes(precision);
  long double error = 0, norm = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const bool untouched = expected.values[i] == before[i];
    if (untouched && std::memcmp(result.data() + i * bytes, output.data() + i * bytes, bytes) != 0) {
      return testing::AssertionFailure() << fmt::format("scalar {} of {} was {} and is now {}, but should not change",
                                                        i, actual.size(), before[i], actual[i]);
    }
    if (untouched) continue;
    error += (actual[i] - expected.values[i]) * (actual[i] - expected.values[i]);
    norm += expected.values[i] * expected.values[i];
  }
  const auto relative = static_cast<double>(std::sqrt(error / norm));
  if (relative < tolerance(stage)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << fmt::format("relative error {} (at most {}): {}", relative, tolerance(stage),
                                                    plan::to_string(stage));
}

}  // namespace twiddle::test
