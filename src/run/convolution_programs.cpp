// The programs of convolvers on devices, by name.
#include "run/convolution_programs.hpp"

#include <utility>

#include "plan/convolution/lower_sums.hpp"
#include "plan/shape/shape.hpp"
#include "run/whole_programs.hpp"

namespace twiddle::run {
namespace {

void add(std::vector<NamedProgram>& all, const std::string& name, plan::Program program) {
  if (!program.stages.empty()) all.push_back({name, std::move(program)});
}

void add_bank(std::vector<NamedProgram>& all, const std::string& condition, const Convolution& convolution,
              const plan::BankRecipe& recipe, const DeviceLimits& limits) {
  plan::BankPrograms programs = bank_programs(convolution, recipe, /*on_host=*/false);
  add(all, "filters" + condition, plan::shaped(std::move(programs.prepare), limits));
  add(all, "signals" + condition, plan::shaped(std::move(programs.apply), limits));
  add(all, "results" + condition, plan::shaped(std::move(programs.results), limits));
}

void add_whole(std::vector<NamedProgram>& all, const std::string& condition, const Convolution& convolution,
               const plan::ConvolutionRecipe& recipe, const DeviceLimits& limits) {
  WholePrograms programs =
      lower_whole(WholeGeometry(convolution, {recipe.padded.begin(), recipe.padded.end()}, recipe.step), limits);
  add(all, "filters" + condition, std::move(programs.filters.program));
  add(all, "taps of the filters" + condition, std::move(programs.taps));
  if (programs.extension) add(all, "signals beyond their ends" + condition, std::move(*programs.extension));
  add(all, "signals" + condition, std::move(programs.signal.program));
  for (std::size_t i = 0; i < programs.results.size(); ++i) {
    add(all, (i == 0 ? "all filters" : "all filters, the last segment") + condition,
        std::move(programs.results[i].program));
  }
  if (programs.made) add(all, "results" + condition, std::move(*programs.made));
}

}  // namespace

plan::BankPrograms bank_programs(const Convolution& convolution, const plan::BankRecipe& recipe, bool on_host) {
  return recipe.radices.empty() && !on_host ? plan::lower_sums(convolution, recipe.separable)
                                            : plan::lower_bank(convolution, recipe);
}

std::vector<NamedProgram> convolution_programs(const Convolution& convolution, const DeviceLimits& limits) {
  const plan::ConvolutionRecipe recipe = plan::make_convolution_recipe(convolution, limits);
  std::vector<NamedProgram> all;
  std::string condition;
  if (recipe.separable) {
    add_bank(all, ", where all filters are products of a column and a row", convolution, *recipe.separable, limits);
    condition = ", where a filter is no product of a column and a row";
  }
  if (recipe.padded.empty()) {
    add_bank(all, condition, convolution, recipe.bank, limits);
  } else {
    add_whole(all, condition, convolution, recipe, limits);
  }
  return all;
}

}  // namespace twiddle::run
