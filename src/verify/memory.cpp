// Elements in memory.
#include "verify/memory.hpp"

#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "twiddle/half.hpp"

namespace twiddle::verify {
namespace {

// Of the 16 that it takes: x87's format has 64 digits, that of 64-bit ARM fills them.
constexpr std::size_t long_double_bytes = std::numeric_limits<long double>::digits == 64 ? 10 : sizeof(long double);

template <class Scalar>
Scalar copy_out(ConstBytes memory, std::size_t index) {
  Scalar value;
  std::memcpy(&value, memory.subspan(index * sizeof(Scalar), sizeof(Scalar)).data(), sizeof(Scalar));
  return value;
}

template <class Scalar>
void copy_in(Bytes memory, std::size_t index, Scalar value) {
  std::memcpy(memory.subspan(index * sizeof(Scalar), sizeof(Scalar)).data(), &value, sizeof(Scalar));
}

long double load_scalar(ConstBytes memory, Precision precision, std::size_t index) {
  switch (precision) {
    case Precision::float16:
      return to_float(copy_out<Half>(memory, index));
    case Precision::float32:
      return copy_out<float>(memory, index);
    case Precision::float64:
      return copy_out<double>(memory, index);
    case Precision::extended:
      return copy_out<long double>(memory, index);
  }
  throw std::logic_error("unknown precision");
}

void store_scalar(Bytes memory, Precision precision, std::size_t index, long double value) {
  switch (precision) {
    case Precision::float16:
      return copy_in(memory, index, to_half(static_cast<float>(value)));
    case Precision::float32:
      return copy_in(memory, index, static_cast<float>(value));
    case Precision::float64:
      return copy_in(memory, index, static_cast<double>(value));
    case Precision::extended:
      std::memcpy(memory.subspan(index * sizeof(long double), sizeof(long double)).data(), &value, long_double_bytes);
  }
}

// Where the real and the imaginary part of an element stand, in scalars.
struct Parts {
  std::size_t real;
  std::size_t imaginary;
};

Parts parts_of(const plan::Storage& storage, std::int64_t position) {
  if (storage.form == plan::Storage::Form::interleaved) {
    return {static_cast<std::size_t>(2 * position), static_cast<std::size_t>(2 * position + 1)};
  }
  const std::int64_t imaginary =
      storage.form == plan::Storage::Form::planar ? position + storage.imaginary_offset : position;
  return {static_cast<std::size_t>(position), static_cast<std::size_t>(imaginary)};
}

bool is_real(const plan::Storage& storage) { return storage.form == plan::Storage::Form::real; }

}  // namespace

Value load(ConstBytes memory, const plan::Storage& storage, std::int64_t position) {
  const auto [real, imaginary] = parts_of(storage, position);
  return {load_scalar(memory, storage.precision, real),
          is_real(storage) ? 0 : load_scalar(memory, storage.precision, imaginary)};
}

void store(Bytes memory, const plan::Storage& storage, std::int64_t position, const Value& value) {
  const auto [real, imaginary] = parts_of(storage, position);
  store_scalar(memory, storage.precision, real, value.real());
  if (!is_real(storage)) store_scalar(memory, storage.precision, imaginary, value.imag());
}

std::vector<Value> load_array(ConstBytes memory, const plan::View& view, const std::vector<std::uint64_t>& full) {
  std::vector<Value> values(std::accumulate(full.begin(), full.end(), std::uint64_t{1}, std::multiplies<>()));
  for_each_element(view, full, [&](std::size_t index, std::int64_t position) {
    values[index] = load(memory, view.storage, position);
  });
  return values;
}

std::vector<bool> scalars_of(const plan::View& view, std::size_t memory_bytes) {
  std::vector<bool> belongs(memory_bytes / plan::scalar_bytes(view.storage.precision));
  for_each_element(view, view.extents, [&](std::size_t, std::int64_t position) {
    const auto [real, imaginary] = parts_of(view.storage, position);
    belongs.at(real) = true;
    belongs.at(imaginary) = true;
  });
  return belongs;
}

bool same_bits(ConstBytes a, ConstBytes b, Precision precision, const std::vector<bool>& counts) {
  const std::size_t step = plan::scalar_bytes(precision);
  const std::size_t bytes = precision == Precision::extended ? long_double_bytes : step;
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] && std::memcmp(a.data() + i * step, b.data() + i * step, bytes) != 0) return false;
  }
  return true;
}

}  // namespace twiddle::verify
