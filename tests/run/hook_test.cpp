// Hooks: the user's functions on elements that are read and written, on every device.
#include "twiddle/hook.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "support/device_test.hpp"
#include "support/reference.hpp"
#include "support/sample.hpp"
#include "twiddle/plan.hpp"
#include "twiddle/problem.hpp"
#include "verify/verify.hpp"

namespace twiddle::test {
namespace {

using testing::HasSubstr;

Transform hooked(std::vector<std::size_t> lengths, const Hook* load, const Hook* store) {
  Transform transform;
  transform.lengths = std::move(lengths);
  if (load != nullptr) transform.load_hook = std::make_shared<const Hook>(*load);
  if (store != nullptr) transform.store_hook = std::make_shared<const Hook>(*store);
  return transform;
}

class HookTest : public DeviceTest {
 protected:
  template <class T>
  [[nodiscard]] std::shared_ptr<const Buffer> user_buffer(const std::vector<T>& values) const {
    auto buffer = std::make_shared<Buffer>(Buffer::of<T>(device(), values.size()));
    buffer->write(values);
    return buffer;
  }

  [[nodiscard]] Plan make_plan(Transform transform, HookBuffers buffers = {}) const {
    return Plan(Workspace(device()), std::move(transform), std::move(buffers));
  }
};

std::vector<float> hann(std::size_t n) {
  std::vector<float> window(n);
  for (std::size_t i = 0; i < n; ++i) {
    window[i] = static_cast<float>(
        0.5 - 0.5 * std::cos(2 * 3.14159265358979 * static_cast<double>(i) / static_cast<double>(n)));
  }
  return window;
}

TEST_F(HookTest, WindowsTheInputFromTheUsersBuffer) {
  const std::size_t n = 240;
  const std::vector<float> window = hann(n);
  Hook hook;
  hook.source =
      "const TW_REAL weight = ((TW_GLOBAL const float*)user)[index % 240];\n"
      "value.x *= weight;\nvalue.y *= weight;";
  hook.function = [&](std::complex<double> value, std::uint64_t index) { return value * double{window[index % n]}; };
  Transform transform = hooked({n}, &hook, nullptr);
  transform.batch = 3;
  const Plan plan = make_plan(transform, {.load = user_buffer(window)});
  const Signal input = random_signal(3 * n);
  Signal output(3 * n);
  plan.forward(input, output);
  Signal windowed = input;
  for (std::size_t i = 0; i < windowed.size(); ++i) windowed[i] *= window[i % n];
  const Transform plain{.lengths = {n}, .batch = 3};
  EXPECT_LT(relative_l2_error(output, reference_transform(plain, Direction::forward, windowed)), 5e-7);
}

TEST_F(HookTest, ReadsIntegersInsteadOfTheInput) {
  const std::size_t n = 100;
  std::vector<std::int16_t> samples(n);
  for (std::size_t i = 0; i < n; ++i)
    samples[i] = static_cast<std::int16_t>(static_cast<int>(i * i * 31 % 2000) - 1000);
  Hook hook;
  hook.source = "value.x = ((TW_GLOBAL const short*)user)[index] * parameters[0];";
  hook.function = [&](std::complex<double>, std::uint64_t index) { return samples[index] / 1024.0; };
  hook.parameters = {1.0 / 1024};
  Transform transform = hooked({n}, &hook, nullptr);
  transform.kind = Kind::r2c;
  const Plan plan = make_plan(transform, {.load = user_buffer(samples)});
  const std::vector<float> nothing(n);
  Signal output(n / 2 + 1);
  plan.forward(nothing, output);
  Spectrum values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = samples[i] / 1024.0L;
  Spectrum expected = reference_transform({.lengths = {n}}, Direction::forward, values);
  expected.resize(n / 2 + 1);
  EXPECT_LT(relative_l2_error(output, expected), 5e-7);
}

TEST_F(HookTest, StoresDecibelsOfEverySizeOfTransform) {
  Hook hook;
  hook.source = "value = TW_MAKE(parameters[0] * log10(value.x * value.x + value.y * value.y), (TW_REAL)0);";
  hook.function = [](std::complex<double> value, std::uint64_t) { return 10 * std::log10(std::norm(value)); };
  hook.parameters = {10};
  for (const std::size_t n :
       {std::size_t{4}, std::size_t{30}, std::size_t{1000}, std::size_t{1009}, std::size_t{65536}}) {
    const Transform transform = hooked({n}, nullptr, &hook);
    const Signal input = random_signal(n);
    Signal output(n);
    make_plan(transform).forward(input, output);
    const Spectrum spectrum = reference_transform({.lengths = {n}}, Direction::forward, input);
    double worst = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const double power = static_cast<double>(std::norm(spectrum[k]));
      if (power < 1e-2 * static_cast<double>(n)) continue;  // where the error of the transform is not small beside it
      worst = std::max(worst, std::abs(output[k].real() - 10 * std::log10(power)));
      EXPECT_EQ(output[k].imag(), 0.0F);
    }
    EXPECT_LT(worst, 1e-3) << n;
  }
}

TEST_F(HookTest, SeesPositionsOfStridedLayoutsAndOfBothDirections) {
  Hook mark;  // keeps only elements at positions that are multiples of 5
  mark.source = "if (index % 5 != 0) value = TW_MAKE((TW_REAL)0, (TW_REAL)0);";
  mark.function = [](std::complex<double> value, std::uint64_t index) { return index % 5 == 0 ? value : 0.0; };
  Transform transform = hooked({12, 7}, nullptr, &mark);
  transform.normalization = Normalization::none;
  transform.output.strides = {1, 13};
  transform.output.offset = 2;
  const Plan plan = make_plan(transform);
  const Signal input = random_signal(84);
  Signal output(plan.output_bytes(Direction::forward, Placement::out_of_place) / sizeof(std::complex<float>), {9, 9});
  plan.forward(input, output);
  Transform plain{.lengths = {12, 7}};
  const Spectrum expected = reference_transform(plain, Direction::forward, input);
  for (std::size_t i = 0; i < 12; ++i) {
    for (std::size_t j = 0; j < 7; ++j) {
      const std::size_t at = 2 + i + 13 * j;
      const std::complex<float> right = at % 5 == 0 ? std::complex<float>(expected[i * 7 + j]) : 0.0F;
      EXPECT_LT(std::abs(output[at] - right), 1e-4) << i << " " << j;
    }
  }
}

// Whatever the transform has computed for imaginary parts that are not stored, and however it moves numbers.
TEST_F(HookTest, SeesWhatIsStoredAndWhere) {
  for (const char* text :
       {"c2r:f32:3x46:norm=none:store=power", "c2c:f32:7:in=1/batch=11:out=2/batch=2/planar=1:store=alternate",
        "c2c:f32:3*64:in=2/batch=128/planar=1:load=alternate"}) {
    const verify::Outcome outcome = verify::verify(device(), parse_problem(text), 1);
    EXPECT_TRUE(outcome.within) << text << ": " << outcome.complaint;
  }
}

// Two reals are one complex number there; and both ends of a spectrum are made from one.
TEST_F(HookTest, SeesRealsOneByOneThatAreTakenTwoAtATime) {
  std::vector<std::string> problems;
  for (const char* shape : {"4", "1000", "16*36", "6*64:inplace", "3x100", "24x5:axes=0", "65536:inplace", "2*65536"}) {
    for (const char* kind : {"r2c:f32", "c2r:f32", "dht:f64", "r2c:f16", "c2r:f16"}) {
      for (const char* hooks : {"load=alternate", "store=power", "load=bartlett/7:store=alternate"}) {
        problems.push_back(fmt::format("{}:{}:{}", kind, shape, hooks));
      }
    }
  }
  problems.insert(problems.end(),
                  {"r2c:f32:5*60:in=3/batch=200:load=alternate", "c2r:f64:5*60:out=2/batch=130:store=power",
                   "r2c:f16:270000:store=power", "c2r:f16:270000:inplace:load=alternate"});
  for (const std::string& text : sampled_on_devices(problems, 11)) {
    const Problem problem = parse_problem(text);
    if (problem.transform.precision == Precision::float64 && !device().info().limits.float64) continue;
    const verify::Outcome outcome = verify::verify(device(), problem, 1);
    EXPECT_TRUE(outcome.within) << text << ": " << outcome.complaint;
  }
}

// All elements backwards: complex numbers, reals and halves of spectra, two reals at a time among them.
TEST_F(HookTest, GathersElementsFromTheWholeInput) {
  const std::vector<std::pair<const char*, int>> gatherings{{"c2c:f32:5*96", 5 * 96},
                                                            {"c2c:f32:2*12x4097:inverse", 2 * 12 * 4097},
                                                            {"r2c:f32:5*60", 5 * 60},
                                                            {"r2c:f32:7*45", 7 * 45},
                                                            {"r2c:f32:3*65536", 3 * 65536},
                                                            {"r2c:f32:5*60:inverse", 5 * 31},
                                                            {"r2c:f32:2*21x12288:inverse", 2 * 21 * 6145}};
  for (const auto& gathering : sampled_on_devices(gatherings, 3)) {
    const char* const text = gathering.first;
    const int elements = gathering.second;
    const Problem problem = parse_problem(text);
    const Transform& plain = problem.transform;
    const Direction direction = problem.direction;
    const bool reals = plain.kind == Kind::r2c && direction == Direction::forward;
    Hook hook;
    hook.gathers = true;
    hook.source = fmt::format("value{} = ((TW_GLOBAL const {}*)memory)[{} - index];", reals ? ".x" : "",
                              reals ? "TW_REAL" : "TW_COMPLEX", elements - 1);
    Transform gathered = plain;
    gathered.load_hook = std::make_shared<const Hook>(hook);
    if (device().info().backend == BackendKind::host) {
      EXPECT_THROW((void)make_plan(gathered), Unsupported) << text;
      continue;
    }
    const auto results = [&](const Transform& transform, const auto& input) {
      const Plan plan = make_plan(transform);
      Signal output(plan.output_bytes(direction, Placement::out_of_place) / sizeof(Signal::value_type));
      plan.execute(direction, input, output);
      return output;
    };
    const auto expect_equal = [&](auto input) {
      const Signal actual = results(gathered, input);
      std::reverse(input.begin(), input.end());
      const Signal expected = results(plain, input);
      EXPECT_LT(relative_l2_error(actual, Spectrum(expected.begin(), expected.end())), 3e-7) << text;
    };
    const Signal input = random_signal(static_cast<std::size_t>(elements));
    if (!reals) {
      expect_equal(input);
      continue;
    }
    std::vector<float> real(input.size());
    std::transform(input.begin(), input.end(), real.begin(), [](const auto& value) { return value.real(); });
    expect_equal(std::move(real));
  }
}

TEST_F(HookTest, GathersOnLoadingAlone) {
  Hook hook;
  hook.gathers = true;
  hook.source = "value = ((TW_GLOBAL const TW_COMPLEX*)memory)[index];";
  EXPECT_THROW((void)make_plan(hooked({8}, nullptr, &hook)), InvalidArgument);
  if (device().info().backend == BackendKind::host) return;
  Signal data(8);
  Transform transform = hooked({8}, &hook, nullptr);
  const Plan plan = make_plan(transform);
  EXPECT_THROW(plan.forward(data), InvalidArgument);  // in place
  EXPECT_EQ(plan.scratch_bytes(), 0U);
  EXPECT_NE(plan.describe(), "");
  transform.overwrite_input = true;
  EXPECT_THROW((void)make_plan(transform), InvalidArgument);
}

TEST_F(HookTest, SaysWhatIsMissingOrDoesNotCompile) {
  const auto message = [&](const Hook& hook) {
    try {
      (void)make_plan(hooked({8}, &hook, nullptr));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  if (device().info().backend == BackendKind::host) {
    EXPECT_THAT(message({.source = "value.x = 0;"}), HasSubstr("load hook has no function"));
  } else {
    EXPECT_THAT(message({.function = [](auto value, auto) { return value; }}),
                HasSubstr("load_hook has no source text"));
    const std::string complaint = message({.source = "value.x = undeclared_name;"});
    EXPECT_THAT(complaint, HasSubstr("undeclared_name"));
    if (device().info().backend == BackendKind::opencl) {
      EXPECT_THAT(complaint, HasSubstr("the text of a hook"));
    }
  }
}

}  // namespace
}  // namespace twiddle::test
