// The host engine: memory of this process, stages carried out by workers on the threads of an arena.
#include "backend/host/host_engine.hpp"

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "backend/host/aligned_array.hpp"
#include "backend/host/machine.hpp"
#include "backend/host/result_hook.hpp"
#include "backend/host/settings.hpp"
#include "backend/host/stage_worker.hpp"
#include "backend/host/worker_store.hpp"
#include "twiddle/error.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::backend {
namespace {

using host::AlignedArray;
using host::StageWorker;

// Below this many points a stage stays on the calling thread: waking another takes about 8 us, and costs as much as it
// saves up to here. Threads then take pieces of at least the second number.
constexpr std::uint64_t points_worth_a_thread = 98304;
constexpr std::uint64_t points_of_a_piece = 16384;

class HostMemory : public Memory {
 public:
  explicit HostMemory(std::size_t bytes) : HostMemory(AlignedArray<std::byte>(bytes)) {}
  void write(const void* source, std::size_t bytes) override { std::memcpy(host_pointer(), source, bytes); }
  void read(void* destination, std::size_t bytes) override { std::memcpy(destination, host_pointer(), bytes); }

 private:
  explicit HostMemory(AlignedArray<std::byte> owned) : Memory(owned.data()), owned_(std::move(owned)) {}
  AlignedArray<std::byte> owned_;
};

class HostExecutable : public Executable {
 public:
  HostExecutable(const plan::Stage& stage, std::shared_ptr<const StageWorker> worker,
                 std::shared_ptr<tbb::task_arena> arena)
      : source_(stage.source),
        destination_(stage.destination),
        reads_spectra_(stage.bank && stage.bank->kind != plan::FilterBank::Kind::spectra),
        worker_(std::move(worker)),
        arena_(std::move(arena)) {
    const std::uint64_t points = plan::chip_points(stage) * plan::transform_count(stage) * work_factor(stage);
    const std::uint64_t items = worker_->items();
    parallel_ = items > 1 && points >= points_worth_a_thread && arena_->max_concurrency() > 1;
    grain_ = std::max<std::uint64_t>(1, items * points_of_a_piece / std::max<std::uint64_t>(points, 1));
  }

  void run(const Operands& operands, double* milliseconds) const override {
    if (milliseconds == nullptr) return run_items(operands);
    const auto start = std::chrono::steady_clock::now();
    run_items(operands);
    *milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }

  const HostCall* host_call() const override { return parallel_ || reads_spectra_ ? nullptr : worker_.get(); }

 private:
  void run_items(const Operands& operands) const {
    const std::byte* input = memory(operands, source_).host_pointer();
    std::byte* output = memory(operands, destination_).host_pointer();
    const std::byte* spectra = reads_spectra_ ? memory(operands, plan::Operand::spectra).host_pointer() : nullptr;
    const auto run = [&](std::uint64_t begin, std::uint64_t end) {
      reads_spectra_ ? worker_->run_bank(input, spectra, output, begin, end) : worker_->run(input, output, begin, end);
    };
    const std::uint64_t items = worker_->items();
    if (!parallel_) return run(0, items);
    arena_->execute([&] {
      tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, items, grain_),
                        [&](const auto& range) { run(range.begin(), range.end()); });
    });
  }

  // Transforms, or sums of as many terms as one takes operations for a point, for each point of a stage.
  static std::uint64_t work_factor(const plan::Stage& stage) {
    if (!stage.bank || stage.bank->kind == plan::FilterBank::Kind::spectra) return 1;
    if (stage.bank->kind == plan::FilterBank::Kind::cyclic) return 1 + stage.bank->filters;
    return (plan::all_taps(*stage.bank) + 31) / 32 * stage.bank->filters;
  }

  static Memory& memory(const Operands& operands, plan::Operand operand) {
    Memory* const chosen = operands.memory(operand);
    if (chosen == nullptr || chosen->host_pointer() == nullptr) {
      throw InvalidArgument("a stage on the host needs memory of the host for its source and its destination");
    }
    return *chosen;
  }

  plan::Operand source_;
  plan::Operand destination_;
  bool reads_spectra_;
  std::shared_ptr<const StageWorker> worker_;
  std::shared_ptr<tbb::task_arena> arena_;
  bool parallel_ = false;
  std::uint64_t grain_ = 1;  // items of a piece
};

class HostEngine : public Engine {
 public:
  HostEngine()
      : targets_(host::simd_targets()),
        arena_(std::make_shared<tbb::task_arena>(static_cast<int>(host::thread_count()))),
        info_(host::describe_machine(targets_, static_cast<std::size_t>(arena_->max_concurrency()))),
        cache_(host::last_level_cache()) {}

  const DeviceInfo& info() const override { return info_; }

  std::unique_ptr<Memory> allocate(std::size_t bytes) override {
    if (bytes > info_.limits.max_buffer) {
      throw DeviceError(
          fmt::format("{} bytes are more than the host's memory of {} bytes holds", bytes, info_.limits.max_buffer));
    }
    return std::make_unique<HostMemory>(bytes);
  }

  bool works_on_host_memory() const override { return true; }

  std::shared_ptr<const Executable> compile(const plan::Stage& stage) override {
    if (stage.load_hook) host::require_function(*stage.load_hook->hook, "load");
    if (stage.store_hook) host::require_function(*stage.store_hook->hook, "store");
    const std::uint64_t bytes = stage.length * plan::transform_count(stage) * 2 * plan::scalar_bytes(stage.precision);
    const DeviceLimits& limits = info_.limits;
    const bool in_place = stage.source == stage.destination;
    const host::WorkerOptions options{.targets = targets_,
                                      .threads = limits.compute_units,
                                      .core_cache = limits.level2_cache,
                                      .prefetched = bytes > limits.level2_cache / 2,
                                      .streamed = bytes > host::results_kept(cache_, limits.compute_units, in_place)};
    return std::make_shared<HostExecutable>(stage, workers_.find_or_make(stage, options), arena_);
  }

  void synchronize() override {}

 private:
  std::int64_t targets_;
  std::shared_ptr<tbb::task_arena> arena_;
  DeviceInfo info_;
  host::LastLevelCache cache_;
  host::WorkerStore workers_;
};

}  // namespace

std::shared_ptr<Engine> make_host_engine() { return std::make_shared<HostEngine>(); }

}  // namespace twiddle::backend
