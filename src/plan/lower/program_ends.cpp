// Which stages call the hooks.
#include "plan/lower/program_ends.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "plan/lower/bind.hpp"
#include "plan/lower/moved_hook.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::plan {
namespace {

// Whether a step only moves halves, which it leaves, or finds, as such on that side.
bool moves_halves(const std::vector<Part>& step, Storage Stage::*side) {
  return std::ranges::all_of(step, [&](const Part& part) {
    return only_move(part.stages) && std::ranges::all_of(part.stages, [&](const Stage& stage) {
             return (stage.*side).precision == Precision::float16 && !(stage.*side).is_apart();
           });
  });
}

std::shared_ptr<const Hook> hook_beside(const std::vector<Part>& copies, const std::shared_ptr<const Hook>& hook,
                                        bool loads, const View& user) {
  std::vector<Stage> stages;
  for (const Part& part : copies) std::ranges::copy(part.stages, std::back_inserter(stages));
  return hook_beside_copies(hook, stages, loads, user.storage.form == Storage::Form::real);
}

bool bind_load_hooks(Steps& steps, std::shared_ptr<const Hook> hook, const View& read, bool beside_copies) {
  if (!hook) return true;
  auto step = steps.rbegin();
  if (beside_copies && steps.size() > 1 && moves_halves(*step, &Stage::output_storage)) {
    hook = hook_beside(*step++, hook, true, read);
    if (!hook || moves_halves(*step, &Stage::output_storage)) return false;
  }
  for (Part& part : *step) {
    for (std::size_t i = 0; i < part.reading; ++i) bind_load_hook(part.stages[i], hook, read);
  }
  return true;
}

bool bind_store_hooks(Steps& steps, std::shared_ptr<const Hook> hook, const View& written, bool beside_copies) {
  if (!hook) return true;
  auto step = steps.begin();
  if (beside_copies && steps.size() > 1 && moves_halves(*step, &Stage::input_storage)) {
    hook = hook_beside(*step++, hook, false, written);
    if (!hook || moves_halves(*step, &Stage::input_storage)) return false;
  }
  for (Part& part : *step) {
    for (std::size_t i = 0; i < part.writing; ++i) {
      bind_store_hook(part.stages[part.stages.size() - 1 - i], hook, written);
    }
  }
  return true;
}

}  // namespace

bool mark_ends(Steps& steps, const PlaceRules& rules) {
  for (Part& part : steps.front()) {
    for (std::size_t i = 0; i < part.writing; ++i) part.stages[part.stages.size() - 1 - i].ends = true;
  }
  const bool beside = rules.hooks_beside_copies;
  return bind_load_hooks(steps, rules.load_hook, rules.sides.read, beside) &&
         bind_store_hooks(steps, rules.store_hook, rules.sides.written, beside);
}

}  // namespace twiddle::plan
