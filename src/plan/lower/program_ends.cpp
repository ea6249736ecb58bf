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

// Moves on from the outermost step to that which calls the hook, and makes it what that one calls. False where that
// can't be.
template <class Step>
bool find_caller(Step& step, std::shared_ptr<const Hook>& hook, const Steps& steps, bool loads,
                 const PlaceRules& rules) {
  const auto side = loads ? &Stage::output_storage : &Stage::input_storage;
  if (!rules.hooks_beside_copies || steps.size() == 1 || !moves_halves(*step, side)) return true;
  hook = hook_beside(*step++, hook, loads, loads ? rules.sides.read : rules.sides.written);
  return hook && !moves_halves(*step, side);
}

bool bind_load_hooks(Steps& steps, const PlaceRules& rules) {
  auto step = steps.rbegin();
  std::shared_ptr<const Hook> hook = rules.load_hook;
  if (!find_caller(step, hook, steps, true, rules)) return false;
  for (Part& part : *step) {
    for (std::size_t i = 0; i < part.reading; ++i) bind_load_hook(part.stages[i], hook, rules.sides.read);
  }
  return true;
}

bool bind_store_hooks(Steps& steps, const PlaceRules& rules) {
  auto step = steps.begin();
  std::shared_ptr<const Hook> hook = rules.store_hook;
  if (!find_caller(step, hook, steps, false, rules)) return false;
  for (Part& part : *step) {
    for (std::size_t i = 0; i < part.writing; ++i) {
      bind_store_hook(part.stages[part.stages.size() - 1 - i], hook, rules.sides.written);
    }
  }
  return true;
}

}  // namespace

bool mark_ends(Steps& steps, const PlaceRules& rules) {
  for (Part& part : steps.front()) {
    for (std::size_t i = 0; i < part.writing; ++i) part.stages[part.stages.size() - 1 - i].ends = true;
  }
  return (!rules.load_hook || bind_load_hooks(steps, rules)) && (!rules.store_hook || bind_store_hooks(steps, rules));
}

}  // namespace twiddle::plan
