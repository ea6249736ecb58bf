// Writes the kernels of the stages of cluster_stages.hpp without their preludes and hints to unroll, for a test that
// compiles them as C++ with words of its own: write_cluster_kernels OUTPUT.
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "kernel/cluster_stages.hpp"
#include "kernel/kernel_source.hpp"

namespace {

std::string without(std::string text, std::string_view part) {
  const std::size_t at = text.find(part);
  return at == std::string::npos ? text : text.erase(at, part.size());
}

}  // namespace

int main(int argument_count, char** arguments) {
  using namespace twiddle;
  if (argument_count != 2) return 2;
  std::ofstream file(arguments[1]);
  int number = 0;
  for (const Problem& problem : test::cluster_problems()) {
    const plan::Stage stage = test::cluster_stage(problem);
    std::string text = kernel::stage_kernel(stage, kernel::Dialect::cuda).text;
    text = without(text, kernel::prelude(kernel::Dialect::cuda, stage.precision, stage.shape.registers != 0));
    text = without(text, kernel::cluster_prelude(kernel::Dialect::cuda));
    text = without(text, kernel::dependent_launch_prelude(kernel::Dialect::cuda));
    for (std::string before; before != text;) {
      before = text;
      text = without(std::move(text), "#pragma unroll\n");
    }
    file << "namespace kernel_" << number++ << " {\n" << text << "#undef TW_INDEX\n#undef TW_PAD\n}\n";
  }
  file.close();
  return file ? 0 : 1;
}
