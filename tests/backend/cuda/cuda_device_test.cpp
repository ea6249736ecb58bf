// The caller's memory, streams and graphs, on a CUDA device; skipped where there is none.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "backend/cuda/cuda_context.hpp"
#include "backend/cuda/cuda_error.hpp"
#include "backend/cuda/cuda_loader.hpp"
#include "support/device_test.hpp"
#include "twiddle/twiddle.hpp"

namespace twiddle {
namespace {

namespace api = backend::cuda;
using Complex = std::complex<float>;

constexpr std::size_t points = std::size_t{1} << 16;  // two stages, with working memory between them

// The driver's functions for graphs and copies, which the library itself does not need.
struct Graphs {
  int (*begin)(api::StreamHandle stream, int mode);
  int (*end)(api::StreamHandle stream, void** graph);
  int (*instantiate)(void** executable, void* graph, unsigned long long flags);
  int (*launch)(void* executable, api::StreamHandle stream);
  int (*destroy)(void* executable);
  int (*copy)(api::DevicePointer destination, api::DevicePointer source, std::size_t bytes, api::StreamHandle stream);

  Graphs() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    };
    find(begin, "cuStreamBeginCapture_v2");
    find(end, "cuStreamEndCapture");
    find(instantiate, "cuGraphInstantiateWithFlags");
    find(launch, "cuGraphLaunch");
    find(destroy, "cuGraphExecDestroy");
    find(copy, "cuMemcpyDtoDAsync_v2");
  }
};

// The relative L2 norm of the difference.
double distance(const std::vector<Complex>& values, const std::vector<Complex>& expected) {
  double error = 0;
  double norm = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    error += std::norm(std::complex<double>(values[i]) - std::complex<double>(expected[i]));
    norm += std::norm(std::complex<double>(expected[i]));
  }
  return std::sqrt(error / norm);
}

class CudaCallers : public test::DeviceTest {
 protected:
  void SetUp() override {
    test::DeviceTest::SetUp();
    if (IsSkipped()) return;
    context_ = std::make_unique<api::Context>(static_cast<api::DeviceHandle>(device().info().index), "the device");
    signal_.resize(points);
    for (std::size_t i = 0; i < points; ++i) {
      signal_[i] = {static_cast<float>(i % 127) - 63, static_cast<float>(i % 31) - 15};
    }
    expected_ = signal_;
    Plan(device(), {.lengths = {points}}).forward(expected_);
  }

  std::unique_ptr<api::Context> context_;
  std::vector<Complex> signal_;
  std::vector<Complex> expected_;
};

TEST_F(CudaCallers, MemoryAndStreamsGiveTheSameBits) {
  const Workspace workspace(device());
  const Plan plan(workspace, {.lengths = {points}});
  const auto worker = [&] {
    const api::Context own(context_->device(), "the device");  // a stream of its own
    const api::Allocation memory(std::make_shared<api::Context>(own.device(), "the device"), points * sizeof(Complex));
    memory.write(signal_.data(), points * sizeof(Complex));
    Buffer data = cuda::wrap(device(), memory.pointer(), points * sizeof(Complex));
    const cuda::Stream stream{own.stream()};
    for (int i = 0; i < 20; ++i) {
      plan.execute(stream, Direction::forward, data);
      plan.execute(stream, Direction::inverse, data);
    }
    const api::Context::Scope scope(own);
    api::driver().cuStreamSynchronize(own.stream());
    memory.write(signal_.data(), points * sizeof(Complex));
    plan.execute(stream, Direction::forward, data);
    api::driver().cuStreamSynchronize(own.stream());
    std::vector<Complex> result(points);
    memory.read(result.data(), points * sizeof(Complex));
    EXPECT_EQ(std::memcmp(result.data(), expected_.data(), points * sizeof(Complex)), 0);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(worker);
  for (std::thread& thread : threads) thread.join();
}

// Of one line; of many lines and of images, which have both stages in one launch, whose counters are cleared in every
// replay; and of planes, alone and as a part of volumes. The host says what is right.
TEST_F(CudaCallers, GraphsReplayWhatWasCaptured) {
  const Graphs graphs;
  for (const char* text : {"c2c:f32:65536:inplace", "c2c:f32:192*65536:inplace", "c2c:f32:56*262144:inplace",
                           "c2c:f32:97*256x256:inplace", "c2c:f32:132*64x64:inplace", "c2c:f32:64*64x64x64:inplace"}) {
    const Transform transform = parse_problem(text).transform;
    const Workspace workspace(device());
    const Plan plan(workspace, transform);
    std::vector<Complex> input(plan.input_bytes(Direction::forward, Placement::in_place) / sizeof(Complex));
    for (std::size_t i = 0; i < input.size(); ++i) input[i] = signal_[i % 65521];
    std::vector<Complex> expected = input;
    plan.forward(expected);
    std::vector<Complex> on_host = input;
    Plan(Device::host(), transform).forward(on_host);
    EXPECT_LT(distance(expected, on_host), 2e-6) << text;
    Buffer data = Buffer::of<Complex>(device(), input.size());
    data.write(input);
    const cuda::Stream stream{context_->stream()};
    plan.prepare(stream, Direction::forward, Placement::in_place);
    const api::Context::Scope scope(*context_);
    ASSERT_EQ(graphs.begin(context_->stream(), 0), 0);  // the strictest mode: no call may wait or allocate
    plan.execute(stream, Direction::forward, data);
    void* graph = nullptr;
    ASSERT_EQ(graphs.end(context_->stream(), &graph), 0);
    void* executable = nullptr;
    ASSERT_EQ(graphs.instantiate(&executable, graph, 0), 0);
    for (int replay = 0; replay < 3; ++replay) {
      data.write(input);
      ASSERT_EQ(graphs.launch(executable, context_->stream()), 0);
      ASSERT_EQ(api::driver().cuStreamSynchronize(context_->stream()), 0);
      std::vector<Complex> result(input.size());
      data.read(result);
      EXPECT_EQ(std::memcmp(result.data(), expected.data(), result.size() * sizeof(Complex)), 0)
          << text << ", replay " << replay;
    }
    graphs.destroy(executable);
  }
}

// Kernels that may be launched while the one before them ends, in graphs and outside: after a copy, after each other,
// and before a copy. Replays follow each other without a wait.
TEST_F(CudaCallers, ChainsOfExecutionsAndCopiesKeepTheirOrder) {
  const Graphs graphs;
  const Workspace workspace(device());
  const Plan plan(workspace, {.lengths = {points}});
  constexpr std::size_t bytes = points * sizeof(Complex);
  constexpr std::size_t turns = 8;
  Buffer signal = Buffer::of<Complex>(device(), points);
  signal.write(signal_);
  Buffer data = Buffer::of<Complex>(device(), points);
  Buffer results = Buffer::of<Complex>(device(), turns * points);
  const api::StreamHandle handle = context_->stream();
  const cuda::Stream stream{handle};
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    plan.prepare(stream, direction, Placement::in_place);
  }
  const api::Context::Scope scope(*context_);
  const auto chain = [&] {
    for (std::size_t turn = 0; turn < turns; ++turn) {
      ASSERT_EQ(graphs.copy(cuda::pointer(data), cuda::pointer(signal), bytes, handle), 0);
      for (std::size_t i = 0; i < turn; ++i) plan.execute(stream, Direction::inverse, data);
      ASSERT_EQ(graphs.copy(cuda::pointer(data), cuda::pointer(signal), bytes, handle), 0);
      plan.execute(stream, Direction::forward, data);
      ASSERT_EQ(graphs.copy(cuda::pointer(results) + turn * bytes, cuda::pointer(data), bytes, handle), 0);
    }
  };
  const auto expect_right = [&] {
    ASSERT_EQ(api::driver().cuStreamSynchronize(handle), 0);
    std::vector<Complex> all(turns * points);
    results.read(all);
    for (std::size_t turn = 0; turn < turns; ++turn) {
      EXPECT_EQ(std::memcmp(all.data() + turn * points, expected_.data(), bytes), 0) << turn;
    }
    results.write(std::vector<Complex>(turns * points));
  };
  for (int i = 0; i < 10; ++i) chain();
  expect_right();
  ASSERT_EQ(graphs.begin(handle, 0), 0);
  chain();
  void* graph = nullptr;
  ASSERT_EQ(graphs.end(handle, &graph), 0);
  void* executable = nullptr;
  ASSERT_EQ(graphs.instantiate(&executable, graph, 0), 0);
  for (int i = 0; i < 10; ++i) ASSERT_EQ(graphs.launch(executable, handle), 0);
  expect_right();
  graphs.destroy(executable);
}

// What a kernel writes into the memory of a hook right before the kernel that has the hook, on any stream.
TEST_F(CudaCallers, HooksReadWhatTheKernelBeforeTheirsWrote) {
  const Graphs graphs;
  const Workspace workspace(device());
  const auto hook = std::make_shared<Hook>();
  hook->source =
      "const TW_COMPLEX factor = ((TW_GLOBAL const TW_COMPLEX*)user)[index];\n"
      "value.x *= factor.x;\nvalue.y *= factor.y;";
  const auto factors = std::make_shared<Buffer>(Buffer::of<Complex>(device(), points));
  const Plan before(workspace, {.lengths = {points}});
  const Plan hooked(workspace, {.lengths = {points}, .load_hook = hook}, {.load = factors});
  constexpr std::size_t bytes = points * sizeof(Complex);
  Buffer signal = Buffer::of<Complex>(device(), points);
  signal.write(signal_);
  Buffer data = Buffer::of<Complex>(device(), points);
  const api::Context::Scope scope(*context_);
  const auto results = [&](api::StreamHandle handle, bool wait) {
    const cuda::Stream stream{handle};
    std::vector<std::vector<Complex>> all;
    for (int executions = 1; executions <= 8; ++executions) {
      for (Buffer* buffer : {&data, factors.get()}) {
        EXPECT_EQ(graphs.copy(cuda::pointer(*buffer), cuda::pointer(signal), bytes, handle), 0);
      }
      for (int i = 0; i < executions; ++i) {
        before.execute(stream, i % 2 == 0 ? Direction::forward : Direction::inverse, *factors);
        if (!wait) continue;
        EXPECT_EQ(api::driver().cuStreamSynchronize(handle), 0);
      }
      hooked.execute(stream, Direction::forward, data);
      EXPECT_EQ(api::driver().cuStreamSynchronize(handle), 0);
      data.read(all.emplace_back(points));
    }
    return all;
  };
  const auto expected = results(context_->stream(), true);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(results(context_->stream(), false), expected);
    EXPECT_EQ(results(nullptr, false), expected);  // CUDA's default stream
  }
}

// The fewest lines that are fetched ahead and one more, in memory that begins anywhere between multiples of 16 bytes,
// there and back again and again, launched and replayed.
TEST_F(CudaCallers, LinesFetchedAheadBeginAnywhereAndKeepTheirOrder) {
  const Graphs graphs;
  constexpr std::size_t length = 10000;
  const std::size_t lines = 16 * device().limits().compute_units + 1;
  const cuda::Stream stream{context_->stream()};
  std::vector<Complex> signal(length * lines);
  for (std::size_t i = 0; i < signal.size(); ++i) signal[i] = signal_[i % points] / 64.0f;
  std::vector<Complex> expected = signal;
  Plan(Device::host(), {.lengths = {length}, .batch = lines}).forward(expected);
  const api::Context::Scope scope(*context_);
  std::vector<std::vector<Complex>> results;
  for (const std::size_t first : {0U, 1U}) {
    const Layout layout{.offset = first};
    const Plan plan(device(), {.lengths = {length}, .batch = lines, .input = layout, .output = layout});
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      plan.prepare(stream, direction, Placement::in_place);
    }
    std::vector<Complex> numbers(first);
    numbers.insert(numbers.end(), signal.begin(), signal.end());
    Buffer data = Buffer::of<Complex>(device(), numbers.size());
    data.write(numbers);
    const auto chain = [&] {
      for (int i = 0; i < 5; ++i) {
        plan.execute(stream, Direction::forward, data);
        if (i < 4) plan.execute(stream, Direction::inverse, data);
      }
    };
    chain();
    plan.execute(stream, Direction::inverse, data);
    ASSERT_EQ(graphs.begin(context_->stream(), 0), 0);
    chain();
    void* graph = nullptr;
    ASSERT_EQ(graphs.end(context_->stream(), &graph), 0);
    void* executable = nullptr;
    ASSERT_EQ(graphs.instantiate(&executable, graph, 0), 0);
    ASSERT_EQ(graphs.launch(executable, context_->stream()), 0);
    ASSERT_EQ(api::driver().cuStreamSynchronize(context_->stream()), 0);
    graphs.destroy(executable);
    data.read(numbers);
    results.emplace_back(numbers.begin() + static_cast<std::ptrdiff_t>(first), numbers.end());
    EXPECT_LT(distance(results.back(), expected), 2e-6);
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST_F(CudaCallers, ResultsAreTheSameBitsEveryTime) {
  for (const std::size_t length : {std::size_t{1000}, std::size_t{16384}, points}) {
    const Plan plan(device(), {.lengths = {length}});
    std::vector<Complex> first(signal_.begin(), signal_.begin() + static_cast<std::ptrdiff_t>(length));
    plan.forward(first);
    for (int i = 0; i < 100; ++i) {
      std::vector<Complex> again(signal_.begin(), signal_.begin() + static_cast<std::ptrdiff_t>(length));
      plan.forward(again);
      ASSERT_EQ(std::memcmp(again.data(), first.data(), length * sizeof(Complex)), 0) << length;
    }
  }
}

}  // namespace
}  // namespace twiddle
