// Executes a problem so often by one library, for count_instructions.sh: everything but the executions is outside of
// the function that is counted.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>

#include "library.hpp"
#include "page_memory.hpp"
#include "signal.hpp"
#include "twiddle/plan.hpp"

// Callgrind counts what happens in here, by this name.
extern "C" __attribute__((noinline)) void counted_executions(twiddle::bench::Contender& contender, int count) {
  for (int i = 0; i < count; ++i) contender.run();
}

int main(int argc, char** argv) {
  using namespace twiddle;
  if (argc != 5) {
    fmt::print(stderr, "usage: twiddle_bench_instructions PROBLEM LIBRARY COUNT PEERS_FOLDER\n");
    return 2;
  }
  try {
    const Problem problem = parse_problem(argv[1]);
    const std::string name = argv[2];
    const auto library =
        name == "twiddle" ? bench::own_library() : bench::open_peer(name, argv[4], bench::FftwPlanning::measure);
    const Plan plan(bench::host_with(1), problem.transform);
    const bench::PageMemory input(plan.input_bytes(problem.direction, problem.placement));
    const bench::PageMemory output(plan.output_bytes(problem.direction, problem.placement));
    const auto contender = library->plan(problem, input.data(), output.data(), 1);
    const auto signal = bench::random_input(problem.transform.precision, input.size());
    std::memcpy(input.data(), signal.data(), signal.size());
    contender->run();
    counted_executions(*contender, std::atoi(argv[3]));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
