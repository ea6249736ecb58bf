// Turns on a CUDA device: who is right and is timed, who is wrong, absent or refuses; and the files of results.
#include "cuda_contest.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>

#include "backend/cuda/fake_cuda.hpp"
#include "cuda_report.hpp"
#include "plan_contender.hpp"
#include "twiddle/twiddle.hpp"

namespace twiddle::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// By the definition, on memory that is really the host's.
template <class Real>
void transform_lines(void* data, std::size_t length, std::size_t batch) {
  auto* const values = static_cast<std::complex<Real>*>(data);
  for (std::size_t line = 0; line < batch; ++line) {
    std::vector<std::complex<long double>> sums(length);
    for (std::size_t k = 0; k < length; ++k) {
      for (std::size_t n = 0; n < length; ++n) {
        const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(k * n % length) /
                                  static_cast<long double>(length);
        sums[k] += std::complex<long double>(values[line * length + n]) * std::polar(1.0L, angle);
      }
    }
    for (std::size_t k = 0; k < length; ++k) values[line * length + k] = std::complex<Real>(sums[k]);
  }
}

// Knows complex lines of up to 1000 points.
class HonestPeer : public bench::CudaPeer {
 public:
  explicit HonestPeer(int& runs) : CudaPeer("honest"), runs_(runs) {}
  [[nodiscard]] std::string version() const override { return "1"; }
  [[nodiscard]] std::unique_ptr<bench::Contender> plan(const Transform& transform,
                                                       const bench::CudaPlace& place) override {
    if (transform.kind != Kind::c2c || transform.lengths.front() > 1000) throw Unsupported("too hard");
    return std::make_unique<Lines>(transform, place, runs_);
  }

 private:
  class Lines : public bench::Contender {
   public:
    Lines(const Transform& transform, const bench::CudaPlace& place, int& runs)
        : transform_(transform), data_(reinterpret_cast<void*>(place.pointer)), runs_(runs) {}
    void run() override {
      ++runs_;
      const auto work = transform_.precision == Precision::float64 ? transform_lines<double> : transform_lines<float>;
      work(data_, transform_.lengths.front(), transform_.batch);
    }

   private:
    Transform transform_;
    void* data_;
    int& runs_;
  };
  int& runs_;
};

class CudaContestTest : public ::testing::Test {
 protected:
  bench::CudaContest contest() {
    std::vector<std::unique_ptr<bench::CudaPeer>> peers;
    peers.push_back(std::make_unique<HonestPeer>(runs_));
    peers.push_back(bench::open_cuda_peer("vkfft", TWIDDLE_IDLE_PEERS));
    return {device_, std::move(peers), 1 << 16, 1 << 17};
  }
  int runs_ = 0;
  Device device_ = Device::open("cuda");
};

TEST_F(CudaContestTest, TimesWhatIsRightAndNamesWhatIsWrong) {
  bench::CudaContest turns = contest();
  for (const char* problem : {"c2c:f32:5*20:inplace", "c2c:f64:3*33:inplace"}) {
    SCOPED_TRACE(problem);
    runs_ = 0;
    const bench::CudaResult result = turns.measure(parse_problem(problem), 5);
    ASSERT_EQ(result.entries.size(), 3U);
    EXPECT_EQ(result.entries[0].library, "twiddle");
    EXPECT_THAT(result.entries[0].complaint, StartsWith("wrong result"));  // the fake device's kernels do nothing
    EXPECT_EQ(result.entries[0].milliseconds, 0);
    EXPECT_EQ(result.entries[1].complaint, "");
    EXPECT_LT(result.entries[1].error, problem[5] == '6' ? 1e-15 : 1e-7);
    EXPECT_EQ(result.entries[1].milliseconds, 1.5);  // as the fake device's events say
    EXPECT_EQ(runs_, 1 + 1 + 5);                     // checked, for the number of executions, in turns
    EXPECT_THAT(result.entries[2].complaint, StartsWith("wrong result"));
  }
}

TEST_F(CudaContestTest, NamesWhatPeersRefuse) {
  bench::CudaContest turns = contest();
  const bench::CudaResult result = turns.measure(parse_problem("r2c:f32:2*30:inplace"), 5);
  EXPECT_EQ(result.entries[1].complaint, "too hard");
  EXPECT_EQ(result.entries[2].complaint, "no reals of 30 points");
}

TEST_F(CudaContestTest, RefusesWhatCannotBeCompared) {
  bench::CudaContest turns = contest();
  EXPECT_THROW(static_cast<void>(turns.measure(parse_problem("c2c:f32:8"), 5)), Unsupported);
  EXPECT_THROW(static_cast<void>(turns.measure(parse_problem("c2c:f32:8:inplace:inverse:norm=none"), 5)), Unsupported);
  EXPECT_THROW(static_cast<void>(turns.measure(parse_problem("dct2:f32:8:inplace"), 5)), Unsupported);
  EXPECT_THROW(static_cast<void>(turns.measure(parse_problem("c2c:f32:8193:inplace"), 5)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(bench::open_cuda_peer("fftw", ".")), InvalidArgument);
  EXPECT_THROW(static_cast<void>(bench::open_cuda_peer("vkfft", "/nonexistent")), Unsupported);
}

// Two launches each, on the same stream.
TEST_F(CudaContestTest, SerialPlansAreThoseWithoutDependentLaunches) {
  void* const library = dlopen(std::getenv("TWIDDLE_CUDA_LIBRARY"), RTLD_NOW | RTLD_LOCAL);
  auto& launches = reinterpret_cast<FakeBooksFunction>(dlsym(library, fake_books_function))()->launches;
  Buffer data = Buffer::of<std::complex<float>>(device_, 1 << 16);
  const Transform transform{.lengths = {1 << 16}};
  const bench::CudaPlace place{cuda::pointer(data), cuda::stream(device_)};
  const auto peer = bench::open_cuda_peer("serial", ".");
  const auto own = bench::make_plan_contender(device_, transform, place);
  const auto serial = peer->plan(transform, place);
  for (const bool dependent : {true, false}) {
    launches.clear();
    (dependent ? *own : *serial).run();
    ASSERT_EQ(launches.size(), 2U);
    for (const FakeLaunch& launch : launches) {
      EXPECT_EQ(launch.dependent, dependent);
      EXPECT_EQ(launch.stream, reinterpret_cast<std::uintptr_t>(place.stream.handle));
    }
  }
}

TEST_F(CudaContestTest, WritesAFileThatListsItsProblems) {
  bench::CudaContest turns = contest();
  const std::string file = (std::filesystem::temp_directory_path() / fmt::format("cuda_{}.csv", ::getpid())).string();
  {
    bench::CudaReport report(device_, turns, 5, file);
    bench::CudaResult result{parse_problem("c2c:f32:5*20:inplace"), {{"twiddle", "", 2, 0.01, 1e-7}}, 3, 0.5};
    result.entries.push_back({"honest", "", 3, 0.02, 2e-7});
    result.entries.push_back({"vkfft", "too hard"});
    report.add(result);
  }
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  EXPECT_THAT(text.str(), HasSubstr("honest: 1; vkfft: idle\n"));
  EXPECT_THAT(text.str(), HasSubstr("\nproblem,ms,spread,error,gbps,fraction_of_copy,honest_ms,"));
  EXPECT_THAT(text.str(), HasSubstr("\nc2c:f32:5*20:inplace,2.00000,0.0100,1e-07,3.0,0.5000,"
                                    "3.00000,0.0200,2e-07,1.500,,,,\n"));
  EXPECT_THAT(bench::read_problems(file), ElementsAre(parse_problem("c2c:f32:5*20:inplace")));
  std::filesystem::remove(file);
  EXPECT_THROW(static_cast<void>(bench::read_problems(file)), std::runtime_error);
}

}  // namespace
}  // namespace twiddle::test
