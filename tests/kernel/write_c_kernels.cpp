// Writes kernels for CUDA without their preludes and hints to unroll, for tests that compile them as C++ with words of
// their own: write_c_kernels cluster|prefetch|joined|plane|way_back|summed OUTPUT.
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel/cluster_stages.hpp"
#include "kernel/joined_programs.hpp"
#include "kernel/joined_text.hpp"
#include "kernel/kernel_source.hpp"
#include "kernel/plane_programs.hpp"
#include "kernel/prefetch_stages.hpp"
#include "kernel/summed_stages.hpp"
#include "kernel/way_back_stages.hpp"

namespace {

using namespace twiddle;

std::string without(std::string text, std::string_view part) {
  const std::size_t at = text.find(part);
  return at == std::string::npos ? text : text.erase(at, part.size());
}

// Of the kinds whose kernels are of one stage.
std::vector<plan::Stage> stages_of(std::string_view kind) {
  if (kind == "prefetch") return test::prefetch_stages();
  if (kind == "way_back") return test::way_back_stages();
  if (kind == "summed") return test::summed_stages();
  std::vector<plan::Stage> stages;
  for (const test::ClusterProblem& problem : test::cluster_problems()) stages.push_back(test::cluster_stage(problem));
  return stages;
}

struct Written {
  Precision precision = Precision::float32;
  bool limits_registers = false;
  std::string text;
};

std::vector<Written> kernels(std::string_view kind) {
  std::vector<Written> all;
  if (kind == "joined") {
    for (const plan::Program& program : test::joined_programs()) {
      all.push_back({program.stages[0].precision, program.stages[0].shape.registers != 0,
                     joined_kernel(program, kernel::Dialect::cuda).text});
    }
    return all;
  }
  if (kind == "plane") {
    for (const test::PlaneProgram& asked : test::plane_programs()) {
      const plan::Program program = test::lowered(asked);
      all.push_back({program.stages[0].precision, program.stages[0].shape.registers != 0,
                     plane_kernel(program, kernel::Dialect::cuda).text});
    }
    return all;
  }
  for (const plan::Stage& stage : stages_of(kind)) {
    all.push_back({stage.precision, stage.shape.registers != 0, stage_kernel(stage, kernel::Dialect::cuda).text});
  }
  return all;
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 3) return 2;
  const std::string_view kind = arguments[1];
  std::ofstream file(arguments[2]);
  file << "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wunused-variable\"\n";
  int number = 0;
  for (const Written& kernel : kernels(kind)) {
    std::string text = kernel.text;
    for (const std::string& part : {kernel::prelude(kernel::Dialect::cuda, kernel.precision, kernel.limits_registers),
                                    kernel::joined_prelude(kernel::Dialect::cuda, kernel.precision),
                                    std::string(kernel::cluster_prelude(kernel::Dialect::cuda)),
                                    std::string(kernel::vector_prelude(kernel::Dialect::cuda)),
                                    std::string(kernel::prefetch_prelude(kernel::Dialect::cuda)),
                                    std::string(kernel::dependent_launch_prelude(kernel::Dialect::cuda))}) {
      text = without(std::move(text), part);
    }
    for (std::string before; before != text;) {
      before = text;
      text = without(without(std::move(text), "#pragma unroll\n"), "#pragma unroll 1\n");
    }
    const char* scalar = kernel.precision == Precision::float64 ? "double" : "float";
    file << "namespace kernel_" << number++ << " {\n#define TW_REAL " << scalar << "\n"
         << text << (kind == "plane" || kind == "joined" ? "#undef TW_GROUP\n#define TW_GROUP here.number\n" : "")
         << "#undef TW_INDEX\n#undef TW_OFFSET\n#undef TW_PAD\n#undef TW_PAD_VECTORS\n#undef TW_REAL\n}\n";
  }
  file << "#pragma GCC diagnostic pop\n";
  file.close();
  return file ? 0 : 1;
}
