// Plans through a module's C functions.
#include "module_library.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <system_error>

#include "peer_module.h"
#include "twiddle/error.hpp"

namespace twiddle::bench {
namespace {

class ModuleContender : public Contender {
 public:
  ModuleContender(const SharedObject& module, void* plan)
      : run_(module.get<decltype(run_)>("twiddle_peer_run")),
        destroy_(module.get<decltype(destroy_)>("twiddle_peer_destroy")),
        plan_(plan) {}
  ~ModuleContender() override { destroy_(plan_); }
  ModuleContender(const ModuleContender&) = delete;
  ModuleContender& operator=(const ModuleContender&) = delete;
  void run() override { run_(plan_); }

 private:
  decltype(&twiddle_peer_run) run_;
  decltype(&twiddle_peer_destroy) destroy_;
  void* plan_;
};

class ModuleLibrary : public Library {
 public:
  ModuleLibrary(const std::string& name, const std::string& file) : Library(name), module_(file) {}

  [[nodiscard]] std::string version() const override { return module_.version(); }

  [[nodiscard]] std::unique_ptr<Contender> plan(const Problem& problem, void* input, void* output,
                                                std::size_t threads) override {
    return module_.plan(problem, {.input = input, .output = output, .threads = threads});
  }

 private:
  PeerModule module_;
};

}  // namespace

PeerModule::PeerModule(const std::string& file) : module_(file) {
  for (const char* name : {"twiddle_peer_version", "twiddle_peer_plan", "twiddle_peer_run", "twiddle_peer_destroy"}) {
    static_cast<void>(module_.get<void*>(name));
  }
}

std::string PeerModule::version() const {
  return module_.get<decltype(&twiddle_peer_version)>("twiddle_peer_version")();
}

std::unique_ptr<Contender> PeerModule::plan(const Problem& problem, const PeerMemory& memory) const {
  check_plain_problem(problem);
  const Transform& transform = problem.transform;
  const TwiddlePeerProblem request{.real = transform.kind == Kind::r2c,
                                   .inverse = problem.direction == Direction::inverse,
                                   .in_place = problem.placement == Placement::in_place,
                                   .double_precision = transform.precision == Precision::float64,
                                   .rank = transform.lengths.size(),
                                   .lengths = transform.lengths.data(),
                                   .batch = transform.batch,
                                   .threads = memory.threads,
                                   .input = memory.input,
                                   .output = memory.output,
                                   .stream = memory.stream};
  std::array<char, 300> complaint{};
  void* const made =
      module_.get<decltype(&twiddle_peer_plan)>("twiddle_peer_plan")(&request, complaint.data(), complaint.size());
  if (made == nullptr) throw Unsupported(complaint.data());
  return std::make_unique<ModuleContender>(module_, made);
}

std::string find_module(const std::string& name, const std::string& folder) {
  const std::string file = fmt::format("libtwiddle_peer_{}.so", name);
  std::error_code none;
  const std::filesystem::path given = std::filesystem::path(folder) / file;
  if (std::filesystem::exists(given, none)) return given.string();
  return (std::filesystem::read_symlink("/proc/self/exe", none).parent_path() / file).string();
}

std::unique_ptr<Library> open_module(const std::string& name, const std::string& file) {
  return std::make_unique<ModuleLibrary>(name, file);
}

}  // namespace twiddle::bench
