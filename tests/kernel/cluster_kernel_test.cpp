// Kernels for clusters of work-groups and of vectors, compiled as C++ and run with a thread for each work-item: no
// device is needed. What is out of step on a device is here as well: groups wait for each other only where the kernel
// says so.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
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

struct Float4 {
  float x, y, z, w;
};

bool is_aligned(const Float2* data) { return reinterpret_cast<std::uintptr_t>(data) % sizeof(Float4) == 0; }

// Where devices have an error.
void require_aligned(const Float2* data) {
  if (!is_aligned(data)) throw std::logic_error("a vector that is not aligned");
}

using Barrier = std::barrier<>;

// One cluster that runs: its groups' local memories follow each other.
struct Cluster {
  Cluster(std::size_t group_count, std::size_t items, std::size_t bytes)
      : groups(group_count),
        local((bytes + sizeof(Float4) - 1) / sizeof(Float4) * 2),  // each begins where vectors may
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
#define TW_LOCAL_ARRAY(type, name, count) \
  type* const name = here.cluster->memory.data() + here.part() * here.cluster->local
#define TW_BARRIER() here.cluster->barriers[here.part()]->arrive_and_wait()
#define TW_ITEM here.item
#define TW_GROUP here.group
#define TW_UINT unsigned
#define TW_COMPLEX Float2
#define TW_MAKE(re, im) (Float2{(re), (im)})
#define TW_FMA(a, b, c) std::fma(a, b, c)
#define TW_VECTOR Float4
#define TW_LOAD_VECTOR(data) load_vector(data)
#define TW_STORE_VECTOR(data, a, b) store_vector(data, a, b)
#define TW_ALIGNED(data) is_aligned(data)
Float4 load_vector(const Float2* data) {
  require_aligned(data);
  return {data[0].x, data[0].y, data[1].x, data[1].y};
}
void store_vector(Float2* data, Float2 a, Float2 b) {
  require_aligned(data);
  data[0] = a;
  data[1] = b;
}
#define TW_KERNEL(items, groups) static void
#define TW_CLUSTER(groups)
#define TW_DEPENDENCY_WAIT()
#define TW_CLUSTER_ARRIVE() here.arrived.emplace(here.cluster->all.arrive())
#define TW_CLUSTER_WAIT() here.cluster->all.wait(*std::move(here.arrived))
Float2* memory_of_group(Float2* own, unsigned group) {
  return own + (static_cast<std::ptrdiff_t>(group) - here.part()) * static_cast<std::ptrdiff_t>(here.cluster->local);
}

#include "cluster_kernels.inc"

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

// Elements whose first one lies `shift` complex numbers behind where vectors may begin.
struct Elements {
  Elements(std::size_t count, std::size_t shift) : memory(count + 2, Float2{NAN, NAN}), size(count) {
    data = memory.data() + (is_aligned(memory.data()) ? 0 : 1) + shift;
  }
  std::vector<Float2> memory;
  std::size_t size;
  Float2* data;
};

// The bound of every transform: 1.1 times FFTW's error. Of kernels of vectors, wherever the data begin.
void check(std::size_t number, Kernel kernel, std::size_t shift = 0) {
  const test::ClusterProblem asked = test::cluster_problems()[number];
  const Problem& problem = asked.problem;
  SCOPED_TRACE(to_string(problem.transform));
  const plan::Stage stage = test::cluster_stage(asked);
  const kernel::KernelSource source = kernel::stage_kernel(stage, kernel::Dialect::cuda);
  ASSERT_EQ(stage.shape.groups_per_transform, stage.length >= 16384 ? 8u : 1u);
  ASSERT_EQ(stage.shape.vector, asked.vector == 0 ? 1u : asked.vector);
  test::Signal input = test::random_signal(total_elements(problem.transform));
  Transform whole = problem.transform;
  if (!whole.input_extents.empty()) {
    std::fill(input.begin() + static_cast<std::ptrdiff_t>(whole.input_extents[0]), input.end(), 0.0f);
    whole.input_extents.clear();
  }
  Elements data(input.size(), shift);
  for (std::size_t i = 0; i < input.size(); ++i) data.data[i] = {input[i].real(), input[i].imag()};
  Elements output(input.size(), shift);
  const bool in_place = problem.placement == Placement::in_place;
  launch(kernel, stage, source, data.data, in_place ? data.data : output.data);
  test::Signal result;
  const Elements& results = in_place ? data : output;
  for (std::size_t i = 0; i < results.size; ++i) result.emplace_back(results.data[i].x, results.data[i].y);
  const auto expected = test::reference_transform(whole, problem.direction, input);
  const double error = test::relative_l2_error(result, expected);
  const double fftw = test::relative_l2_error(test::fftw_transform(whole, problem.direction, input), expected);
  EXPECT_LE(error, std::max(1.1 * fftw, 1e-7)) << error / fftw << " times FFTW's error";
}

TEST(ClusterKernel, TransformsALine) { check(0, kernel_0::stage); }
TEST(ClusterKernel, TransformsLinesInPlaceBack) { check(1, kernel_1::stage); }
TEST(ClusterKernel, TransformsAPaddedLine) { check(2, kernel_2::stage); }
TEST(VectorKernel, TransformsLinesOfClusters) { check(3, kernel_3::stage); }
TEST(VectorKernel, TransformsLinesOfClustersThatAreNotAligned) { check(3, kernel_3::stage, 1); }
TEST(VectorKernel, TransformsRows) { check(4, kernel_4::stage); }
TEST(VectorKernel, TransformsRowsThatAreNotAligned) { check(4, kernel_4::stage, 1); }
TEST(VectorKernel, TransformsColumns) { check(5, kernel_5::stage); }
TEST(VectorKernel, TransformsColumnsThatAreNotAligned) { check(5, kernel_5::stage, 1); }

}  // namespace
}  // namespace twiddle
