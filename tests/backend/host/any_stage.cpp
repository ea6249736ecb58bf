// Memory of any precision as bytes and as the interpreter sees it.
#include "backend/host/any_stage.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "support/stage_interpreter.hpp"
#include "twiddle/half.hpp"

namespace twiddle::test {
namespace {

using plan::Stage;
using plan::Storage;

constexpr std::int64_t guard = 5;  // scalars before and behind what a stage owns

template <class S>
void put(std::byte* at, S value) {
  std::memcpy(at, &value, sizeof value);
}

template <class S>
S get(const std::byte* at) {
  S value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// Scalars of one precision.
class Bytes {
 public:
  Bytes(Precision precision, std::size_t count)
      : precision_(precision), size_(plan::scalar_bytes(precision)), bytes_(count * size_) {}

  std::byte* data() { return bytes_.data(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_.size(); }
  [[nodiscard]] std::size_t count() const { return bytes_.size() / size_; }
  void set(std::size_t i, double value) {
    std::byte* at = bytes_.data() + i * size_;
    switch (precision_) {
      case Precision::float16:
        return put(at, to_half(static_cast<float>(value)));
      case Precision::float32:
        return put(at, static_cast<float>(value));
      case Precision::float64:
        return put(at, value);
      case Precision::extended:
        return put(at, static_cast<long double>(value));
    }
  }
  [[nodiscard]] long double value(std::size_t i) const {
    const std::byte* at = bytes_.data() + i * size_;
    switch (precision_) {
      case Precision::float16:
        return to_float(get<Half>(at));
      case Precision::float32:
        return get<float>(at);
      case Precision::float64:
        return get<double>(at);
      case Precision::extended:
        break;
    }
    return get<long double>(at);
  }
  [[nodiscard]] bool same(std::size_t i, const Bytes& other) const {
    return std::memcmp(bytes_.data() + i * size_, other.bytes_.data() + i * size_, size_) == 0;
  }
  [[nodiscard]] std::vector<long double> values() const {
    std::vector<long double> result(count());
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = value(i);
    return result;
  }
  bool operator==(const Bytes&) const = default;

 private:
  Precision precision_;
  std::size_t size_;
  std::vector<std::byte> bytes_;
};

Bytes random_bytes(Precision precision, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Bytes bytes(precision, count);
  for (std::size_t i = 0; i < count; ++i) bytes.set(i, uniform(random));
  return bytes;
}

// First and last scalar of one side, were its offset 0.
struct Span {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

// Scalars of an element that are beside each other.
std::int64_t unit(const Storage& storage) { return storage.form == Storage::Form::interleaved ? 2 : 1; }

Span span(const Stage& stage, bool input) {
  const Storage& storage = input ? stage.input_storage : stage.output_storage;
  const std::int64_t scalars = unit(storage);
  std::uint64_t elements = stage.length;
  if (input && stage.load_map) elements = stage.load_map->source_count;
  if (!input && stage.store_map) elements = stage.store_map->count;
  using Rule = plan::LineMap::Rule;
  const auto& map = input || stage.radices.empty() ? stage.load_map : stage.store_map;
  const bool two = map && map->rule == (input ? Rule::two_spectra_load : Rule::two_spectra_store);
  if (two) elements /= 2;
  Span result;
  const auto walk = [&](std::int64_t turns, std::int64_t stride) {
    (stride < 0 ? result.first : result.last) += turns * stride;
  };
  // The first loop's transforms make up the line of a shared map.
  const bool shared = !input && stage.store_map && stage.shared_map;
  const std::int64_t sharers = shared ? static_cast<std::int64_t>(stage.loops[0].count) : 1;
  walk(static_cast<std::int64_t>(elements) - 1, scalars * (input ? stage.input_stride : stage.output_stride) / sharers);
  for (std::size_t i = shared ? 1 : 0; i < stage.loops.size(); ++i) {
    const plan::Loop& loop = stage.loops[i];
    walk(static_cast<std::int64_t>(loop.count) - 1, scalars * (input ? loop.input_stride : loop.output_stride));
  }
  if (two) walk(1, scalars * stage.second_spectrum);
  if (scalars == 2) result.last += 1;
  if (storage.form == Storage::Form::planar) walk(1, storage.imaginary_offset);
  return result;
}

// The offset that puts the first scalar behind the guard, and the memory's size.
std::size_t place(const Storage& storage, const Span& span, std::int64_t& offset) {
  const std::int64_t scalars = unit(storage);
  offset = (guard - span.first + scalars - 1) / scalars;
  return static_cast<std::size_t>(offset * scalars + span.last + 1 + guard);
}

long double tolerance(const Stage& stage) {
  if (stage.output_storage.precision == Precision::float16) return 5e-4L;
  if (stage.precision == Precision::float32 || stage.output_storage.precision == Precision::float32) return 4e-7L;
  if (stage.precision == Precision::float64 || stage.output_storage.precision == Precision::float64) return 8e-16L;
  return 6e-19L;
}

}  // namespace

testing::AssertionResult computes_any_stage(backend::Engine& engine, Stage stage) {
  const bool in_place = stage.source == stage.destination;
  const std::int64_t apart = stage.output_offset * unit(stage.output_storage) -  // in place
                             stage.input_offset * unit(stage.input_storage);
  std::size_t inputs = place(stage.input_storage, span(stage, true), stage.input_offset);
  std::size_t outputs = place(stage.output_storage, span(stage, false), stage.output_offset);
  if (in_place) {
    const std::int64_t read = stage.input_offset * unit(stage.input_storage);
    const std::int64_t written = stage.output_offset * unit(stage.output_storage);
    std::int64_t begin = std::max(read, written - apart);
    begin += begin % 2;
    stage.input_offset = begin / unit(stage.input_storage);
    stage.output_offset = (begin + apart) / unit(stage.output_storage);
    inputs += static_cast<std::size_t>(begin - read);
    outputs += static_cast<std::size_t>(begin + apart - written);
  }
  Bytes source = random_bytes(stage.input_storage.precision, in_place ? std::max(inputs, outputs) : inputs, 11);
  Bytes result = in_place ? source : random_bytes(stage.output_storage.precision, outputs, 12);
  const Bytes source_before = source;
  const Bytes result_before = result;

  ScalarMemory given(source.values());
  ScalarMemory expected(result.count());
  interpret(stage, given, expected);
  if (in_place) interpret(stage, given, given);  // throws where the stage may not work so

  backend::HostSpan to(result.data());
  backend::HostSpan from(in_place ? result.data() : source.data());
  engine.compile(stage)->run({&from, &to, nullptr}, nullptr);

  long double error = 0;
  long double norm = 0;
  long double owned = 1e-30L;
  for (std::size_t i = 0; i < result.count(); ++i) {
    if (expected.written[i]) {
      const long double difference = result.value(i) - expected.values[i];
      error += difference * difference;
      norm += expected.values[i] * expected.values[i];
      owned += 1;
    } else if (!result.same(i, result_before)) {
      return testing::AssertionFailure() << "scalar " << i << " of " << result.count()
                                         << ", which the stage does not own, was written; " << to_string(stage);
    }
  }
  if (source != source_before) return testing::AssertionFailure() << "input was written; " << to_string(stage);
  // Where a few outputs are much smaller than a transform's outputs are, by cancellation or by symmetry, its rounding
  // errors are not: a third of their usual size is the least to measure against.
  const auto usual =
      static_cast<long double>(stage.scale) * (stage.radices.empty() ? 1.0L : std::sqrt(stage.length / 3.0L));
  error = std::sqrt(error / std::max(norm, owned * usual * usual / 9));
  if (!(error <= tolerance(stage))) {
    return testing::AssertionFailure() << "error " << static_cast<double>(error) << "; " << to_string(stage);
  }
  return testing::AssertionSuccess();
}

}  // namespace twiddle::test
