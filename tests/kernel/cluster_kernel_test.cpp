// Kernels for clusters of work-groups, compiled as C++ and run with a thread for each work-item: no device is needed.
// What is out of step on a device is here as well: groups wait for each other only where the kernel says so.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <complex>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "kernel/cluster_stages.hpp"
#include "kernel/kernel_source.hpp"
#include "support/reference.hpp"
#include "twiddle/error.hpp"

namespace twiddle {
namespace {

struct Float2 {
  float x, y;
};

using Barrier = std::barrier<>;

// One cluster that runs: its groups' local memories follow each other.
struct Cluster {
  Cluster(std::size_t group_count, std::size_t items, std::size_t bytes)
      : groups(group_count),
        local(bytes / sizeof(Float2)),
        all(static_cast<std::ptrdiff_t>(groups * items)),
        memory(groups * local, Float2{NAN, NAN}) {
    for (std::size_t i = 0; i < groups; ++i) {
      barriers.push_back(std::make_unique<Barrier>(static_cast<std::ptrdiff_t>(items)));
    }
  }
  std::size_t groups;
  std::size_t local;
  Barrier all;
  std::vector<std::unique_ptr<Barrier>> barriers;
  std::vector<Float2> memory;
};

// Where a thread stands.
struct Here {
  Cluster* cluster = nullptr;
  unsigned group = 0;  // of the launch
  unsigned item = 0;
  std::optional<Barrier::arrival_token> arrived{};
  [[nodiscard]] unsigned part() const { return group % static_cast<unsigned>(cluster->groups); }
};
thread_local Here here;

#define TW_INLINE static inline
#define TW_GLOBAL
#define TW_LOCAL_ARRAY(type, name, count) type* const name = here.cluster->memory.data() + here.part() * (count)
#define TW_BARRIER() here.cluster->barriers[here.part()]->arrive_and_wait()
#define TW_ITEM here.item
#define TW_GROUP here.group
#define TW_UINT unsigned
#define TW_COMPLEX Float2
#define TW_MAKE(re, im) (Float2{(re), (im)})
#define TW_FMA(a, b, c) std::fma(a, b, c)
#define TW_KERNEL(items, groups) static void
#define TW_CLUSTER(groups)
#define TW_DEPENDENCY_WAIT()
#define TW_CLUSTER_ARRIVE() here.arrived.emplace(here.cluster->all.arrive())
#define TW_CLUSTER_WAIT() here.cluster->all.wait(*std::move(here.arrived))
Float2* memory_of_group(Float2* own, unsigned group) {
  return own + (static_cast<std::ptrdiff_t>(group) - here.part()) * static_cast<std::ptrdiff_t>(here.cluster->local);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
#include "cluster_kernels.inc"
#pragma GCC diagnostic pop

using Kernel = void (*)(const Float2*, Float2*, const Float2*, unsigned);

void launch(Kernel kernel, const plan::Stage& stage, const kernel::KernelSource& source, const Float2* input,
            Float2* output) {
  std::vector<Float2> constants(source.constants.size() / sizeof(Float2));
  std::memcpy(constants.data(), source.constants.data(), source.constants.size());
  const std::size_t groups = stage.shape.groups_per_transform;
  const auto count = static_cast<unsigned>(source.transforms);
  for (std::size_t first = 0; first < source.groups; first += groups) {
    Cluster cluster(groups, source.group_size, source.local_memory);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < groups * source.group_size; ++i) {
      threads.emplace_back([&, i] {
        here = {&cluster, static_cast<unsigned>(first + i / source.group_size),
                static_cast<unsigned>(i % source.group_size)};
        kernel(input, output, constants.data(), count);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

// The bound of every transform: 1.1 times FFTW's error.
void check(std::size_t number, Kernel kernel) {
  const Problem problem = test::cluster_problems()[number];
  SCOPED_TRACE(to_string(problem.transform));
  const plan::Stage stage = test::cluster_stage(problem);
  const kernel::KernelSource source = kernel::stage_kernel(stage, kernel::Dialect::cuda);
  ASSERT_EQ(stage.shape.groups_per_transform, 8u);
  ASSERT_EQ(source.groups, 8 * source.transforms);
  test::Signal input = test::random_signal(total_elements(problem.transform));
  Transform whole = problem.transform;
  if (!whole.input_extents.empty()) {
    std::fill(input.begin() + static_cast<std::ptrdiff_t>(whole.input_extents[0]), input.end(), 0.0f);
    whole.input_extents.clear();
  }
  std::vector<Float2> data(input.size());
  for (std::size_t i = 0; i < input.size(); ++i) data[i] = {input[i].real(), input[i].imag()};
  std::vector<Float2> output(input.size(), Float2{NAN, NAN});
  const bool in_place = problem.placement == Placement::in_place;
  launch(kernel, stage, source, data.data(), in_place ? data.data() : output.data());
  test::Signal result;
  for (const Float2& value : in_place ? data : output) result.emplace_back(value.x, value.y);
  const auto expected = test::reference_transform(whole, problem.direction, input);
  const double error = test::relative_l2_error(result, expected);
  const double fftw = test::relative_l2_error(test::fftw_transform(whole, problem.direction, input), expected);
  EXPECT_LE(error, std::max(1.1 * fftw, 1e-7)) << error / fftw << " times FFTW's error";
}

TEST(ClusterKernel, TransformsALine) { check(0, kernel_0::stage); }
TEST(ClusterKernel, TransformsLinesInPlaceBack) { check(1, kernel_1::stage); }
TEST(ClusterKernel, TransformsAPaddedLine) { check(2, kernel_2::stage); }

}  // namespace
}  // namespace twiddle
