// The CUDA engine on a fake driver (fake_cuda.hpp): what it calls when, and what it says when a call fails.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "backend/cuda/cuda_loader.hpp"
#include "backend/cuda/fake_cuda.hpp"
#include "backend/engine.hpp"
#include "support/environment.hpp"
#include "twiddle/twiddle.hpp"

namespace twiddle {
namespace {

using test::FakeBooks;
using test::ScopedVariable;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using Complex = std::complex<float>;

FakeBooks& books() {
  static FakeBooks* all = [] {
    void* library = dlopen(std::getenv("TWIDDLE_CUDA_LIBRARY"), RTLD_NOW | RTLD_LOCAL);
    return reinterpret_cast<test::FakeBooksFunction>(dlsym(library, test::fake_books_function))();
  }();
  return *all;
}

class CudaEngine : public ::testing::Test {
 protected:
  void SetUp() override { clear(); }

  // Nothing that a test asked the driver for is left.
  void TearDown() override {
    EXPECT_EQ(books().contexts, 0);
    EXPECT_EQ(books().pushed, 0);
    EXPECT_EQ(books().streams, 0);
    EXPECT_EQ(books().events, 0);
    EXPECT_EQ(books().modules, 0);
    EXPECT_EQ(books().programs, 0);
    EXPECT_TRUE(books().memory.empty());
  }

  static void clear() {
    books().calls.clear();
    books().launches.clear();
    books().compilations.clear();
  }

  static std::size_t count(const std::string& call) {
    return static_cast<std::size_t>(std::count(books().calls.begin(), books().calls.end(), call));
  }

  TemporaryFolder folder_;
  ScopedVariable cache_{"TWIDDLE_CACHE_DIR", folder_.path().c_str()};
};

template <class Exception, class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Exception& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST_F(CudaEngine, ListsDevicesWithWhatTheDriverSaysOfThem) {
  const ScopedVariable two("FAKE_CUDA_DEVICES", "2");
  std::vector<DeviceInfo> found;
  for (const DeviceInfo& info : list_devices().devices) {
    if (info.backend == BackendKind::cuda) found.push_back(info);
  }
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(device_name(found[1]), "cuda:1");
  EXPECT_EQ(found[1].name, "Fake 90 too");
  EXPECT_EQ(found[0].driver, "CUDA 13.0, NVRTC 13.0, compute capability 9.0");
  EXPECT_EQ(found[0].limits.local_memory, 232448U);
  EXPECT_EQ(found[0].limits.compute_units, 132U);
  EXPECT_EQ(found[0].limits.level2_cache, 60U << 20);
  EXPECT_EQ(found[0].limits.max_buffer, std::uint64_t{1} << 37);
  EXPECT_EQ(Device::open("cuda:1").info().name, "Fake 90 too");
  EXPECT_EQ(Device::best().info().backend, BackendKind::cuda);
  EXPECT_THAT(message_of<Unsupported>([] { static_cast<void>(Device::open("cuda:2")); }),
              AllOf(HasSubstr("there are 2 CUDA devices"), HasSubstr("cuda:1 (Fake 90 too)")));
}

TEST_F(CudaEngine, LaunchesAStageAsItsKernelSays) {
  const Device device = Device::open("cuda");
  const Plan plan(device, {.lengths = {16}, .batch = 1000});
  Buffer data = Buffer::of<Complex>(device, 16000);
  plan.forward(data);
  ASSERT_EQ(books().launches.size(), 1U);
  const test::FakeLaunch& launch = books().launches[0];
  EXPECT_EQ(launch.parameters[0], cuda::pointer(data));
  EXPECT_EQ(launch.parameters[1], cuda::pointer(data));
  EXPECT_TRUE(books().memory.contains(launch.parameters[2]));
  EXPECT_EQ(launch.parameters[3], 1000U);
  EXPECT_EQ(launch.groups, (1000 + launch.group_size - 1) / launch.group_size);
  EXPECT_EQ(launch.stream, reinterpret_cast<std::uintptr_t>(cuda::stream(device).handle));
}

TEST_F(CudaEngine, CallsNothingButLaunchesOncePrepared) {
  const Device device = Device::open("cuda");
  const std::size_t points = std::size_t{1} << 20;  // two stages and working memory
  const Plan plan(device, {.lengths = {points}});
  Buffer input = Buffer::of<Complex>(device, points);
  Buffer output = Buffer::of<Complex>(device, points);
  const cuda::Stream stream{reinterpret_cast<void*>(0x77)};
  plan.prepare(stream, Direction::inverse, Placement::out_of_place);
  plan.prepare(Direction::inverse, Placement::out_of_place);
  for (const bool own : {true, false}) {
    clear();
    if (own) plan.execute(Direction::inverse, input, output);
    if (!own) plan.execute(stream, Direction::inverse, input, output);
    EXPECT_EQ(books().launches.size(), 2U);
    for (const std::string& call : books().calls) {
      EXPECT_TRUE(call == "cuLaunchKernelEx" || call == "cuCtxGetCurrent" || call == "cuCtxPushCurrent_v2" ||
                  call == "cuCtxPopCurrent_v2")
          << call;
    }
  }
}

// Its counters are cleared in the stream of the launch, so that it can be captured into a graph.
TEST_F(CudaEngine, ClearsTheCountersOfStagesInOneLaunch) {
  const Device device = Device::open("cuda");
  const Plan plan(device, {.lengths = {std::size_t{1} << 18}, .batch = 56});
  Buffer data = Buffer::of<Complex>(device, std::size_t{56} << 18);
  plan.prepare(Direction::forward, Placement::in_place);
  clear();
  plan.forward(data);
  ASSERT_EQ(books().launches.size(), 1U);
  EXPECT_EQ(books().launches[0].parameters[3], 56U);
  std::vector<std::string> calls = books().calls;
  std::erase_if(calls, [](const std::string& call) { return call.starts_with("cuCtx"); });
  EXPECT_EQ(calls, (std::vector<std::string>{"cuMemsetD32Async", "cuLaunchKernel"}));
}

TEST_F(CudaEngine, LeavesItsContextAloneWhereItIsTheCallers) {
  const Device device = Device::open("cuda");
  const Plan plan(device, {.lengths = {16}});
  Buffer data = Buffer::of<Complex>(device, 16);
  plan.forward(data);
  const backend::cuda::Driver& driver = backend::cuda::driver();
  backend::cuda::ContextHandle context = nullptr;
  ASSERT_EQ(driver.cuDevicePrimaryCtxRetain(&context, 0), 0);
  ASSERT_EQ(driver.cuCtxPushCurrent_v2(context), 0);
  clear();
  plan.forward(data);
  EXPECT_THAT(books().calls, ElementsAre("cuCtxGetCurrent", "cuLaunchKernelEx"));
  ASSERT_EQ(driver.cuCtxPopCurrent_v2(&context), 0);
  ASSERT_EQ(driver.cuDevicePrimaryCtxRelease_v2(0), 0);
}

TEST_F(CudaEngine, AsksForSharedMemoryBeyondWhatLaunchesMayUse) {
  const Device device = Device::open("cuda");
  const Plan plan(device, {.lengths = {8192}});
  Buffer data = Buffer::of<Complex>(device, 8192);
  plan.forward(data);
  ASSERT_EQ(books().launches.size(), 1U);
  EXPECT_GT(books().launches[0].shared_bytes, 48U * 1024);
  EXPECT_EQ(books().largest_dynamic_shared, static_cast<int>(books().launches[0].shared_bytes));
}

TEST_F(CudaEngine, UsesThePointersAndStreamsOfTheCaller) {
  const Device device = Device::open("cuda");
  const Plan plan(device, {.lengths = {16}});
  {
    Buffer data = cuda::wrap(device, 0x12340, 128);
    EXPECT_EQ(cuda::pointer(data), 0x12340U);
    plan.execute(cuda::Stream{reinterpret_cast<void*>(0x77)}, Direction::forward, data);
    plan.execute(cuda::Stream{}, Direction::forward, data);
  }
  EXPECT_EQ(count("cuMemFree_v2"), 0U);
  ASSERT_EQ(books().launches.size(), 2U);
  EXPECT_EQ(books().launches[0].parameters[0], 0x12340U);
  EXPECT_EQ(books().launches[0].stream, 0x77U);
  EXPECT_EQ(books().launches[1].stream, 0U);
}

TEST_F(CudaEngine, KeepsTheWorkingMemoryOfStreamsApart) {
  const Device device = Device::open("cuda");
  const std::size_t points = std::size_t{1} << 20;
  const Plan plan(device, {.lengths = {points}});
  Buffer data = Buffer::of<Complex>(device, points);
  std::set<std::uint64_t> scratch;
  for (const std::uintptr_t handle : {0x70, 0x77, 0x70, 0x77}) {
    clear();
    plan.execute(cuda::Stream{reinterpret_cast<void*>(handle)}, Direction::forward, data);
    for (const auto& launch : books().launches) scratch.insert({launch.parameters[0], launch.parameters[1]});
  }
  scratch.erase(cuda::pointer(data));
  EXPECT_EQ(scratch.size(), 2U);
}

TEST_F(CudaEngine, RefusesPointersAndStreamsThatCannotBeUsed) {
  const Device device = Device::open("cuda");
  EXPECT_THAT(message_of<InvalidArgument>([&] { (void)cuda::wrap(device, 0, 8); }), HasSubstr("0x0"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { (void)cuda::wrap(device, 0x1008, 8); }), HasSubstr("multiple of 16"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { (void)cuda::wrap(device, 0x1000, 0); }), HasSubstr("0 bytes"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { (void)cuda::wrap(device, 0x10000, 8); }), HasSubstr("CUDA device 1"));
  EXPECT_THAT(message_of<DeviceError>([&] { (void)cuda::wrap(device, 0xdead0, 8); }), HasSubstr("0xdead0"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { (void)cuda::wrap(Device::host(), 0x1000, 8); }), HasSubstr("host"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { (void)cuda::stream(Device::host()); }), HasSubstr("host"));
  const Plan plan(Device::host(), {.lengths = {16}});
  Buffer data = Buffer::of<Complex>(Device::host(), 16);
  EXPECT_THAT(message_of<InvalidArgument>([&] { plan.execute(cuda::Stream{}, Direction::forward, data); }),
              HasSubstr("expected one of a CUDA device"));
}

TEST_F(CudaEngine, TimesStagesByEvents) {
  const Device device = Device::open("cuda");
  const Plan plan(device, {.lengths = {16}});
  Buffer data = Buffer::of<Complex>(device, 16);
  Profile profile;
  plan.execute(Direction::forward, data, &profile);
  ASSERT_EQ(profile.size(), 1U);
  EXPECT_EQ(profile[0].milliseconds, 1.5);
}

TEST_F(CudaEngine, CopiesAndWaits) {
  const Device device = Device::open("cuda");
  Buffer data = Buffer::of<float>(device, 3);
  data.write(std::vector<float>{1, 2, 3});
  std::vector<float> result(3);
  clear();
  data.read(result);
  EXPECT_THAT(result, ElementsAre(1, 2, 3));
  EXPECT_THAT(books().calls, ElementsAre("cuCtxGetCurrent", "cuCtxPushCurrent_v2", "cuMemcpyDtoHAsync_v2",
                                         "cuStreamSynchronize", "cuCtxPopCurrent_v2"));
}

TEST_F(CudaEngine, NamesTheFailingCallTheProblemAndTheRemedy) {
  const Device device = Device::open("cuda");
  {
    const ScopedVariable full("FAKE_CUDA_FAIL", "cuMemAlloc_v2=2");
    EXPECT_THAT(message_of<DeviceError>([&] { const Buffer data(device, 4096); }),
                AllOf(HasSubstr("cuMemAlloc_v2 failed with CUDA_ERROR_OUT_OF_MEMORY (2: an explanation)"),
                      HasSubstr("allocating 4096 bytes on cuda:0 (Fake 90)"), HasSubstr("transform less at once")));
  }
  const Plan plan(device, {.lengths = {16}});
  Buffer data = Buffer::of<Complex>(device, 16);
  const ScopedVariable broken("FAKE_CUDA_FAIL", "cuLaunchKernelEx=999");
  EXPECT_THAT(message_of<DeviceError>([&] { plan.forward(data); }),
              AllOf(HasSubstr("cuLaunchKernelEx"), HasSubstr("999: no explanation"), HasSubstr("running stage '16")));
}

TEST_F(CudaEngine, WhoseContextIsRefusedIsNotMade) {
  for (const char* failure : {"cuDevicePrimaryCtxRetain=2", "cuStreamCreate=2", "nvrtcGetSupportedArchs=1"}) {
    const ScopedVariable refused("FAKE_CUDA_FAIL", failure);
    EXPECT_THROW(static_cast<void>(Device::open("cuda")), DeviceError) << failure;
  }
}

class CudaProgram : public CudaEngine {
 protected:
  // In an engine of its own: nothing but the folder carries programs over.
  static void make_plan() { const Plan plan(Device::open("cuda"), {.lengths = {16}}); }

  [[nodiscard]] std::filesystem::path binary() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.path().extension() == ".bin") return entry.path();
    }
    return {};
  }
};

TEST_F(CudaProgram, IsCompiledForTheDeviceAndKept) {
  make_plan();
  ASSERT_EQ(books().compilations.size(), 1U);
  EXPECT_THAT(books().compilations[0], Contains("--gpu-architecture=sm_90"));
  EXPECT_EQ(count("nvrtcGetCUBIN"), 1U);
  make_plan();
  EXPECT_EQ(books().compilations.size(), 1U);
}

TEST_F(CudaProgram, IsCompiledOnceForEqualTexts) {
  const ScopedVariable off("TWIDDLE_CACHE_DIR", "off");
  const Device device = Device::open("cuda");
  const Plan one(device, {.lengths = {16}, .batch = 1000});
  const Plan two(device, {.lengths = {16}, .batch = 2000});
  EXPECT_EQ(books().compilations.size(), 1U);
}

TEST_F(CudaProgram, IsCompiledAnewWhereTheEntryIsDamaged) {
  make_plan();
  std::filesystem::resize_file(binary(), std::filesystem::file_size(binary()) / 2);
  make_plan();
  EXPECT_EQ(books().compilations.size(), 2U);
}

TEST_F(CudaProgram, IsCompiledAnewWhereTheDriverRefusesTheBinary) {
  make_plan();
  const ScopedVariable refuse("FAKE_CUDA_REFUSE", "compiled");
  EXPECT_THROW(make_plan(), DeviceError);  // the new one is refused as well
  EXPECT_EQ(books().compilations.size(), 2U);
}

TEST_F(CudaProgram, OfACompilerOlderThanTheDeviceIsTranslatedByTheDriver) {
  const ScopedVariable newest("FAKE_NVRTC_NEWEST", "80");
  make_plan();
  ASSERT_EQ(books().compilations.size(), 1U);
  EXPECT_THAT(books().compilations[0], Contains("--gpu-architecture=compute_80"));
  EXPECT_EQ(count("nvrtcGetPTX"), 1U);
}

TEST_F(CudaProgram, HasClustersWhereTheDeviceAndTheCompilerKnowThem) {
  const auto largest = [] { return Device::open("cuda").limits().largest_cluster; };
  EXPECT_EQ(largest(), 8U);
  {
    const ScopedVariable newest("FAKE_NVRTC_NEWEST", "80");
    EXPECT_EQ(largest(), 1U);
  }
  {
    const ScopedVariable older("FAKE_NVRTC_MAJOR", "11");  // which compiles for Hopper, but not clusters' barriers
    EXPECT_EQ(largest(), 1U);
  }
  const ScopedVariable without("FAKE_CUDA_CLUSTERS", "0");
  EXPECT_EQ(largest(), 1U);
}

TEST_F(CudaProgram, HasBulkCopiesWhereTheDeviceAndTheCompilerKnowThem) {
  EXPECT_TRUE(Device::open("cuda").limits().bulk_copies);
  {
    const ScopedVariable older("FAKE_NVRTC_MAJOR", "11");
    EXPECT_FALSE(Device::open("cuda").limits().bulk_copies);
  }
  const ScopedVariable newest("FAKE_NVRTC_NEWEST", "80");
  EXPECT_FALSE(Device::open("cuda").limits().bulk_copies);
}

// Of a plan of two stages.
TEST_F(CudaProgram, StartsEarlyWhereTheDeviceTheCompilerAndTheDriverKnowHow) {
  const auto expect_launches = [](bool dependent) {
    const Device device = Device::open("cuda");
    EXPECT_EQ(device.limits().dependent_launch, dependent);
    const std::size_t points = std::size_t{1} << 20;
    const Plan plan(device, {.lengths = {points}});
    Buffer data = Buffer::of<Complex>(device, points);
    clear();
    plan.forward(data);
    plan.forward(data);
    ASSERT_EQ(books().launches.size(), 4U);
    for (const test::FakeLaunch& launch : books().launches) EXPECT_EQ(launch.dependent, dependent);
    EXPECT_EQ(count(dependent ? "cuLaunchKernelEx" : "cuLaunchKernel"), 4U);
  };
  expect_launches(true);
  {
    const ScopedVariable newest("FAKE_NVRTC_NEWEST", "80");
    expect_launches(false);
  }
  const ScopedVariable old("FAKE_CUDA_DRIVER", "12020");
  expect_launches(false);
}

TEST_F(CudaProgram, NeedsACompilerThatKnowsTheDevice) {
  const ScopedVariable oldest("FAKE_NVRTC_OLDEST", "100");
  const ScopedVariable newest("FAKE_NVRTC_NEWEST", "120");
  EXPECT_THAT(message_of<DeviceError>([] { make_plan(); }),
              AllOf(HasSubstr("Fake 90"), HasSubstr("older CUDA toolkit")));
}

TEST_F(CudaProgram, SaysWhatTheCompilerSaidAndStoresNothing) {
  const ScopedVariable fail("FAKE_CUDA_FAIL", "nvrtcCompileProgram=6");
  EXPECT_THAT(
      message_of<DeviceError>([] { make_plan(); }),
      AllOf(HasSubstr("nvrtcCompileProgram failed with NVRTC_ERROR_COMPILATION (6)"),
            HasSubstr("kernel.cu(1): error: nonsense"), HasSubstr("Fake 90"),
            HasSubstr("where the text of a hook is at fault, correct it"), Not(HasSubstr("NVRTC is complete"))));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  const ScopedVariable other("FAKE_CUDA_FAIL", "nvrtcCompileProgram=11");  // NVRTC_ERROR_INTERNAL_ERROR
  EXPECT_THAT(message_of<DeviceError>([] { make_plan(); }),
              AllOf(HasSubstr("(11)"), HasSubstr("check that NVRTC is complete"), Not(HasSubstr("hook"))));
}

}  // namespace
}  // namespace twiddle
