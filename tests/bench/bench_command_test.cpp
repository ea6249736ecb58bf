// twiddle bench as its users run it: beside FFTW, beside a library that is wrong, interrupted, and on devices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/device_test.hpp"
#include "support/environment.hpp"
#include "tools/command.hpp"

namespace twiddle::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class BenchCommand : public DeviceTest {
 protected:
  static CommandResult run_bench(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "bench");
    arguments.insert(arguments.end(), {"--rounds", "5"});
    return run_twiddle(arguments);
  }
  void SetUp() override {
    DeviceTest::SetUp();
    const bool on_host = device_under_test() == "host";
    const bool for_devices =
        std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) == "OnADevice";
    if (on_host == for_devices) GTEST_SKIP() << "for other devices";
  }
  Folder folder_;
};

TEST_F(BenchCommand, ComparesWithFftwAndGoesOnWhereItStopped) {
  const std::string csv = folder_.path("results.csv");
  const std::vector<std::string> problems{"c2c:f32:3*64:inplace",
                                          "r2c:f64:10x12",
                                          "c2r:f32:15:norm=none",
                                          "--peer",
                                          "fftw",
                                          "--fftw-planning",
                                          "estimate",
                                          "--threads",
                                          "1,2",
                                          "--csv",
                                          csv};
  const CommandResult result = run_bench(problems);
  ASSERT_EQ(result.exit_code, 0) << result.errors << result.output;
  EXPECT_THAT(result.output, HasSubstr("[6/6] c2r:f32:15:norm=none, 2 threads\n  twiddle"));
  EXPECT_THAT(result.output, HasSubstr("Worst beside fftw:\n"));
  const std::string results = folder_.read("results.csv");
  EXPECT_THAT(results, HasSubstr("\n,c2c:f32:3*64:inplace,2,fftw,"));
  const CommandResult again = run_bench(problems);
  EXPECT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_THAT(again.output, Not(HasSubstr("[1/6]")));
  EXPECT_EQ(folder_.read("results.csv"), results);
}

// A result that differs fails, so FFTW's problem must be ours.
TEST_F(BenchCommand, ComparesLayoutsAndRealToRealKindsWithFftw) {
  const CommandResult result = run_bench({"c2c:f32:4*30:in=3/batch=90/offset=2:out=2/batch=-60/offset=180",
                                          "c2c:f64:12x10:inverse:norm=none:in=planar",
                                          "c2c:f32:3*16:inplace:in=2/batch=32:out=2/batch=32",
                                          "r2c:f32:3*8x9:in=27,3/batch=1:out=planar",
                                          "c2r:f64:6x10:norm=none:in=planar",
                                          "c2c:f32:5x6x7:axes=0,2",
                                          "dct2:f64:3*6x8",
                                          "dct3:f32:20:in=2",
                                          "dct2:f32:9:inverse:norm=none",
                                          "dst1:f64:2*15",
                                          "dst2:f64:12",
                                          "dst3:f64:12",
                                          "dst4:f64:4x12:axes=0",
                                          "dct1:f64:5x9",
                                          "dct4:f64:14",
                                          "dht:f64:3*10x6:axes=1",
                                          "--peer",
                                          "fftw",
                                          "--fftw-planning",
                                          "estimate"});
  ASSERT_EQ(result.exit_code, 0) << result.errors << result.output;
  EXPECT_THAT(result.output, HasSubstr("[16/16] dht:f64:3*10x6:axes=1"));
  EXPECT_THAT(result.output, Not(HasSubstr("peers")));
  EXPECT_THAT(result.output, Not(HasSubstr("no plan")));
}

TEST_F(BenchCommand, RefusesWrongResultsAndNamesWhatPeersCannotDo) {
  const CommandResult result =
      run_bench({"c2c:f32:64", "r2c:f32:64", "dct2:f32:64", "--peer", "vkfft", "--peers-folder", TWIDDLE_IDLE_PEERS});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.output, HasSubstr("  vkfft        its result differs from ours: 1.0e+00 of the norm\n"));
  EXPECT_THAT(result.output, HasSubstr("  vkfft        no reals of 64 points\n"));
  EXPECT_THAT(result.output,
              HasSubstr("  vkfft        it is given complex and real transforms of all axes in default layouts"));
  EXPECT_THAT(result.errors, HasSubstr("1 results differ"));
}

TEST_F(BenchCommand, DoesWithoutPeersThatAreNotThere) {
  const CommandResult result =
      run_bench({"c2c:f32:axes=0:8x4", "--peer", "fftw-avx512", "--peers-folder", folder_.path("none")});
  EXPECT_EQ(result.exit_code, 2);  // the shape comes third
  const CommandResult other =
      run_bench({"c2c:f32:8x4:axes=0", "--peer", "fftw-avx512", "--peers-folder", folder_.path("none")});
  EXPECT_EQ(other.exit_code, 0) << other.errors;
  EXPECT_THAT(other.errors, HasSubstr("twiddle: without fftw-avx512: cannot load "));
  EXPECT_THAT(other.output, HasSubstr(" GFLOP/s "));
}

// Of a fake device, whose kernels do nothing.
TEST_F(BenchCommand, NamesWrongResultsOfACudaDevice) {
  const ScopedVariable driver("TWIDDLE_CUDA_LIBRARY", TWIDDLE_FAKE_CUDA);
  const ScopedVariable compiler("TWIDDLE_NVRTC_LIBRARY", TWIDDLE_FAKE_CUDA);
  const std::string csv = folder_.path("cuda.csv");
  const CommandResult result =
      run_bench({"c2c:f32:8*64:inplace", "r2c:f64:100:inplace", "c2c:f32:8", "--device", "cuda", "--peer", "vkfft",
                 "--peers-folder", TWIDDLE_IDLE_PEERS, "--csv", csv});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("2 results are wrong"));
  EXPECT_THAT(result.output, HasSubstr("vkfft: idle\n"));
  EXPECT_THAT(result.output, HasSubstr("\nc2c:f32:8*64:inplace "));
  EXPECT_THAT(result.output, HasSubstr("twiddle: wrong result: error "));
  EXPECT_THAT(result.output, HasSubstr("vkfft: no reals of 100 points\n"));
  EXPECT_THAT(result.output, HasSubstr("say inplace"));
  EXPECT_THAT(folder_.read("cuda.csv"), HasSubstr("\nr2c:f64:100:inplace,0.00000,"));
}

TEST_F(BenchCommand, WrongArgumentsExitWithTwo) {
  for (const auto& [arguments, reason] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{}, "nothing to measure"},
           {{"--suite", "speed"}, "there is no suite 'speed'"},
           {{"c2c:f32:8", "--peer", "fftv"}, "'fftv' is no library"},
           {{"--summary"}, "say --csv FILE"},
           {{"c2c:f32:8", "--device", "opencl", "--peer", "fftw"}, "are for the host"},
           {{"c2c:f32:8", "--device", "opencl", "--plot", "a.png"}, "--plot is for the host"},
           {{"c2c:f32:8", "--device", "cuda", "--peer", "fftw"}, "'fftw' is no library to compare with on CUDA"}}) {
    const CommandResult result = run_bench(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.errors, HasSubstr(reason));
  }
}

TEST_F(BenchCommand, OnADevice) {
  const CommandResult result = run_bench({"c2c:f32:8*64:inplace", "r2c:f32:100", "--device", device_under_test()});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("of copy"));
  EXPECT_THAT(result.output, HasSubstr("\nr2c:f32:100 "));
}

}  // namespace
}  // namespace twiddle::test
