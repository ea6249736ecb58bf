// Plans through a module's C functions.
#include "module_library.hpp"

#include <array>

#include "peer_module.h"
#include "shared_object.hpp"
#include "twiddle/error.hpp"

namespace twiddle::bench {
namespace {

struct Functions {
  explicit Functions(const SharedObject& module)
      : version(module.get<decltype(version)>("twiddle_peer_version")),
        plan(module.get<decltype(plan)>("twiddle_peer_plan")),
        run(module.get<decltype(run)>("twiddle_peer_run")),
        destroy(module.get<decltype(destroy)>("twiddle_peer_destroy")) {}
  decltype(&twiddle_peer_version) version;
  decltype(&twiddle_peer_plan) plan;
  decltype(&twiddle_peer_run) run;
  decltype(&twiddle_peer_destroy) destroy;
};

class ModuleContender : public Contender {
 public:
  ModuleContender(const Functions& functions, void* plan) : functions_(functions), plan_(plan) {}
  ~ModuleContender() override { functions_.destroy(plan_); }
  ModuleContender(const ModuleContender&) = delete;
  ModuleContender& operator=(const ModuleContender&) = delete;
  void run() override { functions_.run(plan_); }

 private:
  Functions functions_;
  void* plan_;
};

class ModuleLibrary : public Library {
 public:
  ModuleLibrary(const std::string& name, const std::string& file) : Library(name), functions_(SharedObject(file)) {}

  [[nodiscard]] std::string version() const override { return functions_.version(); }

  [[nodiscard]] std::unique_ptr<Contender> plan(const Problem& problem, void* input, void* output,
                                                std::size_t threads) override {
    check_peer_problem(problem);
    const Transform& transform = problem.transform;
    const TwiddlePeerProblem request{.real = transform.kind == Kind::r2c,
                                     .inverse = problem.direction == Direction::inverse,
                                     .in_place = problem.placement == Placement::in_place,
                                     .double_precision = transform.precision == Precision::float64,
                                     .rank = transform.lengths.size(),
                                     .lengths = transform.lengths.data(),
                                     .batch = transform.batch,
                                     .threads = threads,
                                     .input = input,
                                     .output = output};
    std::array<char, 300> complaint{};
    void* const made = functions_.plan(&request, complaint.data(), complaint.size());
    if (made == nullptr) throw Unsupported(complaint.data());
    return std::make_unique<ModuleContender>(functions_, made);
  }

 private:
  Functions functions_;
};

}  // namespace

std::unique_ptr<Library> open_module(const std::string& name, const std::string& file) {
  return std::make_unique<ModuleLibrary>(name, file);
}

}  // namespace twiddle::bench
