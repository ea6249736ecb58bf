// Elements further apart than 32 bits can count, on the host: in memory that is reserved but mostly never touched.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <complex>
#include <cstddef>
#include <span>

#include "support/reference.hpp"
#include "twiddle/plan.hpp"

namespace twiddle::test {
namespace {

using Complex = std::complex<float>;
constexpr std::int64_t beyond = (std::int64_t{1} << 31) + 5;  // elements

// Address space without memory behind it until it is written.
class SparseMemory {
 public:
  explicit SparseMemory(std::size_t bytes)
      : bytes_(bytes),
        data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~SparseMemory() {
    if (exists()) munmap(data_, bytes_);
  }
  SparseMemory(const SparseMemory&) = delete;
  SparseMemory& operator=(const SparseMemory&) = delete;

  [[nodiscard]] bool exists() const { return data_ != MAP_FAILED; }
  [[nodiscard]] std::span<std::byte> bytes() const { return {static_cast<std::byte*>(data_), bytes_}; }
  template <class T>
  [[nodiscard]] T& at(std::int64_t element) const {
    return static_cast<T*>(data_)[element];
  }

 private:
  std::size_t bytes_;
  void* data_;
};

class LargeLayout : public testing::Test {
 protected:
  // Transforms `batch` lines of `n` points that lie in sparse memory by these strides, and compares with the reference.
  static void check(std::size_t n, std::size_t batch, std::int64_t stride, std::int64_t batch_stride) {
    Transform transform{.lengths = {n}, .batch = batch};
    transform.input.strides = {stride};
    transform.input.batch_stride = batch_stride;
    transform.output = transform.input;
    const Plan plan(Device::host(), transform);
    const std::size_t bytes = plan.input_bytes(Direction::forward, Placement::in_place);
    EXPECT_GT(bytes, std::size_t{1} << 34);
    const SparseMemory memory(bytes);
    if (!memory.exists()) GTEST_SKIP() << "no address space of " << bytes << " bytes";
    const Signal signal = random_signal(n * batch);
    const auto place = [&](std::size_t i) {
      return static_cast<std::int64_t>(i / n) * batch_stride + static_cast<std::int64_t>(i % n) * stride;
    };
    for (std::size_t i = 0; i < signal.size(); ++i) memory.at<Complex>(place(i)) = signal[i];
    plan.execute_bytes(Direction::forward, memory.bytes());
    Signal result(signal.size());
    for (std::size_t i = 0; i < signal.size(); ++i) result[i] = memory.at<Complex>(place(i));
    const Transform packed{.lengths = {n}, .batch = batch};
    EXPECT_LT(relative_l2_error(result, reference_transform(packed, Direction::forward, signal)), 3e-7);
  }
};

TEST_F(LargeLayout, BatchesFarApart) {
  check(60, 3, 1, beyond);
  check(1000, 2, 1, beyond);
  check(65536, 2, 1, beyond);
  check(1009, 2, 1, beyond);
}

TEST_F(LargeLayout, ElementsOfALineFarApart) {
  check(12, 2, beyond / 4, 1);
  check(9, 40, beyond / 4, 1);
}

TEST_F(LargeLayout, RealDataFarApart) {
  const std::size_t n = 48;
  Transform transform{.lengths = {n}, .batch = 2, .kind = Kind::r2c};
  transform.input.batch_stride = 2 * beyond;
  const Plan plan(Device::host(), transform);
  const SparseMemory memory(plan.input_bytes(Direction::forward, Placement::out_of_place));
  if (!memory.exists()) GTEST_SKIP() << "no address space";
  for (std::size_t i = 0; i < n; ++i) memory.at<float>(static_cast<std::int64_t>(2 * beyond + i)) = i == 1 ? 1.0F : 0.0F;
  Signal spectrum(2 * (n / 2 + 1));
  plan.execute_bytes(Direction::forward, memory.bytes(), std::as_writable_bytes(std::span(spectrum)));
  for (std::size_t k = 0; k <= n / 2; ++k) {
    EXPECT_EQ(spectrum[k], Complex(0));
    const auto expected = std::polar(1.0F, -2 * 3.14159265F * static_cast<float>(k) / static_cast<float>(n));
    EXPECT_LT(std::abs(spectrum[n / 2 + 1 + k] - expected), 1e-6F);
  }
}

}  // namespace
}  // namespace twiddle::test
