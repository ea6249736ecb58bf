// Short lines by convolution on packed numbers: which are, and that they are right.
#include <gtest/gtest.h>

#include <string>

#include "backend/host/pass.hpp"
#include "backend/host/scalar_stage.hpp"
#include "backend/host/settings.hpp"
#include "backend/host/stage_worker.hpp"
#include "plan/recipe/host_vectors.hpp"
#include "support/environment.hpp"
#include "support/planned_program.hpp"
#include "twiddle/error.hpp"
#include "verify/verify.hpp"

namespace twiddle::test {
namespace {

// By the vectors of this machine.
template <class T>
bool is_packed(const std::string& text) {
  const backend::host::WorkerOptions options{
      .targets = backend::host::simd_targets(), .first_cache = 48 << 10, .core_cache = 2 << 20};
  DeviceLimits limits = plan::named_limits("host");
  limits.sub_group_size = backend::host::vector_lanes<float>(options.targets);
  const plan::Stage stage = backend::host::in_scalars(program_of(text, limits).stages.at(0));
  EXPECT_TRUE(stage.convolution.has_value()) << text;
  return backend::host::make_packed_convolution_worker<T>(stage, options) != nullptr;
}

std::size_t vector_bytes() { return backend::host::vector_lanes<float>(backend::host::simd_targets()) * sizeof(float); }

TEST(PackedConvolution, ServesLinesOfComplexNumbersAndOddReals) {
  if (vector_bytes() < 32) GTEST_SKIP() << "vectors of 32 bytes and more";
  for (const char* text :
       {"c2c:f32:131", "c2c:f32:251", "c2c:f32:227", "r2c:f32:251", "c2r:f32:131", "c2c:f32:3*131"}) {
    EXPECT_TRUE(is_packed<float>(text)) << text;
  }
  EXPECT_TRUE(is_packed<double>("c2c:f64:131"));
  for (const char* text : {"r2c:f32:502", "dct2:f32:251", "c2c:f32:4099"})
    EXPECT_FALSE(is_packed<float>(text)) << text;
}

TEST(PackedConvolution, LeavesLongLinesToPlanes) {
  if (vector_bytes() != plan::long_vector_bytes) GTEST_SKIP() << "vectors of 64 bytes alone";
  EXPECT_TRUE(is_packed<float>("c2c:f32:631"));  // 5040 bytes
  EXPECT_FALSE(is_packed<float>("c2c:f32:701"));
  EXPECT_FALSE(is_packed<double>("c2c:f64:401"));
}

// 131, 151 and 199 by Rader's algorithm, 227 by Bluestein's.
TEST(PackedConvolution, LinesAreRight) {
  for (const char* target : {"avx512", "avx2", "sse4"}) {
    const ScopedVariable variable("TWIDDLE_SIMD", target);
    std::optional<Device> device;
    try {
      device = Device::host();
    } catch (const InvalidArgument&) {
      continue;  // this machine has no such vectors
    }
    std::uint64_t seed = 0;
    for (const char* kind : {"c2c", "r2c", "c2r"}) {
      for (const char* precision : {"f32", "f64"}) {
        for (const char* lines : {"131", "199", "227", "3*151"}) {
          for (const char* more : {"", ":inplace", ":norm=ortho"}) {
            Problem problem = parse_problem(std::string(kind) + ":" + precision + ":" + lines + more);
            for (const Direction direction : {Direction::forward, Direction::inverse}) {
              if (problem.transform.kind == Kind::c2c) problem.direction = direction;
              const verify::Outcome outcome = verify::verify(*device, problem, seed++);
              EXPECT_TRUE(outcome.within) << to_string(problem) << " by " << target << ": " << outcome.complaint;
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace twiddle::test
