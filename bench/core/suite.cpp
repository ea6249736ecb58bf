// The suites, and what belongs together in them.
#include "suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "measurement.hpp"
#include "twiddle/error.hpp"

namespace twiddle::bench {
namespace {

using Shapes = std::vector<std::vector<std::size_t>>;

Shapes all_shapes() {
  Shapes shapes;
  for (unsigned exponent = 1; exponent <= 22; ++exponent) shapes.push_back({std::size_t{1} << exponent});
  for (const std::size_t length :
       {3,    5,    6,    7,    9,    10,   11,   12,   13,   15,   20,    24,    25,    27,     30,     36,
        48,   49,   60,   81,   100,  120,  125,  210,  243,  343,  360,   500,   625,   720,    1000,   1080,
        1200, 1331, 1920, 2000, 2187, 2401, 3000, 3125, 4000, 5000, 10000, 15625, 30000, 100000, 1000000}) {
    shapes.push_back({length});
  }
  for (const std::size_t prime : {17, 31, 97, 127, 251, 509, 1009, 4099, 10007, 65537, 1000003}) {
    shapes.push_back({prime});
  }
  for (std::size_t side = 64; side <= 4096; side *= 2) shapes.push_back({side, side});
  for (const char* image : {"1000x1000", "3000x3000", "1080x1920"}) shapes.push_back(parse_lengths(image));
  for (const std::size_t side : {64, 128, 256}) shapes.push_back({side, side, side});
  return shapes;
}

Shapes few_shapes() {
  return {{16},   {64},   {256},   {1024}, {4096}, {65536},    {1048576},    {60},
          {1000}, {2187}, {10000}, {127},  {1009}, {512, 512}, {1080, 1920}, {64, 64, 64}};
}

struct Combination {
  Kind kind;
  Precision precision;
  Placement placement;
  std::size_t threads;
};

std::vector<Combination> all_combinations() {
  std::vector<Combination> combinations;
  for (const std::size_t threads : {1, 2}) {
    for (const Placement placement : {Placement::out_of_place, Placement::in_place}) {
      for (const Precision precision : {Precision::float32, Precision::float64}) {
        for (const Kind kind : {Kind::c2c, Kind::r2c}) combinations.push_back({kind, precision, placement, threads});
      }
    }
  }
  return combinations;
}

std::vector<Combination> few_combinations() {
  return {{Kind::c2c, Precision::float32, Placement::out_of_place, 1},
          {Kind::c2c, Precision::float32, Placement::in_place, 2},
          {Kind::r2c, Precision::float32, Placement::out_of_place, 1},
          {Kind::c2c, Precision::float64, Placement::out_of_place, 1}};
}

}  // namespace

std::vector<Case> make_suite(std::string_view name, bool quick) {
  if (name != "throughput" && name != "latency") {
    throw InvalidArgument(fmt::format("there is no suite '{}'; expected throughput or latency", name));
  }
  const Shapes shapes = quick ? few_shapes() : all_shapes();
  std::vector<Case> cases;
  for (const Combination& combination : quick ? few_combinations() : all_combinations()) {
    for (const auto& lengths : shapes) {
      Problem problem{.transform = {.lengths = lengths, .kind = combination.kind, .precision = combination.precision},
                      .placement = combination.placement};
      if (name == "throughput") {
        problem.transform.batch = std::max<std::size_t>(1, throughput_points / array_elements(problem.transform));
      }
      cases.push_back({std::string(name), std::move(problem), combination.threads});
    }
  }
  return cases;
}

std::string_view family_of(const Problem& problem) {
  const std::vector<std::size_t>& lengths = problem.transform.lengths;
  if (lengths.size() == 2) return families[3];
  if (lengths.size() > 2) return families[4];
  std::size_t rest = lengths.front();
  if (std::has_single_bit(rest)) return families[0];
  for (const std::size_t prime : {2, 3, 5, 7, 11, 13}) {
    while (rest % prime == 0) rest /= prime;
  }
  return rest == 1 ? families[1] : families[2];
}

double nominal_operations(const Transform& transform) {
  double length = 1;
  for (const std::size_t axis : transformed_axes(transform)) length *= static_cast<double>(transform.lengths[axis]);
  const double operations = 5.0 * static_cast<double>(total_elements(transform)) * std::log2(length);
  return transform.kind == Kind::c2c ? operations : 0.5 * operations;
}

}  // namespace twiddle::bench
