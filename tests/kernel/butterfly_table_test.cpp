// The table of costs in docs/butterflies.md says what the generator does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "kernel/every_radix.hpp"
#include "kernel/fftw_codelets.hpp"
#include "kernel/schedule.hpp"

namespace twiddle::kernel {
namespace {

std::string table_row(unsigned radix) {
  const Design& design = chosen_design(radix);
  std::string algorithm(name(design.algorithm));
  if (design.first > 1) algorithm += fmt::format(" {} x {}", design.first, radix / design.first);
  const OperationCount count = butterfly_cost(radix);
  const auto codelet = std::find_if(test::fftw_codelets.begin(), test::fftw_codelets.end(),
                                    [&](const test::Codelet& row) { return row.radix == radix; });
  const std::string fftw =
      codelet == test::fftw_codelets.end()
          ? "|"
          : fmt::format("{} / {} | {}", codelet->additions, codelet->multiplications, codelet->fused_operations);
  return fmt::format("| {} | {} | {} / {} | {} | {} | {} |\n", radix, algorithm, count.additions, count.multiplications,
                     count.fused_operations, schedule(extract_factors(butterfly_graph(radix, Direction::forward))).peak,
                     fftw);
}

std::string table() {
  std::string text =
      "| N | algorithm | additions / multiplications | fused | registers | FFTW additions / multiplications | FFTW "
      "fused "
      "|\n"
      "|---|---|---|---|---|---|---|\n";
  for (const unsigned radix : test::every_radix()) text += table_row(radix);
  return text;
}

TEST(ButterflyTable, EqualsTheDocumentation) {
  const std::string path = std::string(TWIDDLE_DOCS_FOLDER) + "/butterflies.md";
  std::stringstream contents;
  contents << std::ifstream(path).rdbuf();
  const std::string text = contents.str();
  const std::string opening = "<!-- costs: begin -->\n";
  const std::size_t begin = text.find(opening);
  const std::size_t end = text.find("<!-- costs: end -->");
  ASSERT_NE(begin, std::string::npos) << path;
  ASSERT_NE(end, std::string::npos) << path;
  const std::size_t start = begin + opening.size();
  if (std::getenv("TWIDDLE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << text.substr(0, start) << table() << text.substr(end);
    return;
  }
  EXPECT_EQ(text.substr(start, end - start), table());
}

}  // namespace
}  // namespace twiddle::kernel
