// The host engine: memory of this process, stages carried out by workers on the threads of an arena.
#include "backend/host/host_engine.hpp"

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <utility>

#include "backend/host/aligned_array.hpp"
#include "backend/host/chirp_tables.hpp"
#include "backend/host/machine.hpp"
#include "backend/host/result_hook.hpp"
#include "backend/host/settings.hpp"
#include "backend/host/stage_worker.hpp"
#include "backend/host/worker_store.hpp"
#include "plan/lower/view.hpp"
#include "plan/recipe/host_sharing.hpp"
#include "twiddle/error.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::backend {
namespace {

using host::AlignedArray;
using host::StageWorker;

class HostMemory : public Memory {
 public:
  explicit HostMemory(std::size_t bytes) : HostMemory(AlignedArray<std::byte>(bytes)) {}
  void write(const void* source, std::size_t bytes) override { std::memcpy(host_pointer(), source, bytes); }
  void read(void* destination, std::size_t bytes) override { std::memcpy(destination, host_pointer(), bytes); }

 private:
  explicit HostMemory(AlignedArray<std::byte> owned) : Memory(owned.data()), owned_(std::move(owned)) {}
  AlignedArray<std::byte> owned_;
};

// Some of a stage's transforms: those of its worker, in memories that begin so many bytes further on.
struct Launch {
  std::shared_ptr<const StageWorker> worker;
  std::ptrdiff_t input_shift = 0;
  std::ptrdiff_t output_shift = 0;
};

class HostExecutable : public Executable {
 public:
  HostExecutable(const plan::Stage& stage, std::vector<Launch> launches, std::shared_ptr<tbb::task_arena> arena)
      : source_(stage.source),
        destination_(stage.destination),
        reads_spectra_(stage.bank && stage.bank->kind != plan::FilterBank::Kind::spectra),
        apart_(plan::has_parts_apart(stage)),
        launches_(std::move(launches)),
        arena_(std::move(arena)) {
    const std::uint64_t pieces = plan::host_pieces(plan::host_points(stage));
    const std::uint64_t items = launches_.front().worker->items();
    parallel_ = items > 1 && pieces > 1 && arena_->max_concurrency() > 1;
    grain_ = std::max<std::uint64_t>(1, items / pieces);
  }

  void run(const Operands& operands, double* milliseconds) const override {
    if (milliseconds == nullptr) return run_items(operands);
    const auto start = std::chrono::steady_clock::now();
    run_items(operands);
    *milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }

  const HostCall* host_call() const override {
    const bool one = !parallel_ && !reads_spectra_ && !apart_ && launches_.size() == 1;
    return one ? launches_.front().worker->shortest_call() : nullptr;
  }

 private:
  void run_items(const Operands& operands) const {
    if (operands.launch) return run_items(operands, launches_[*operands.launch]);
    for (const Launch& launch : launches_) run_items(operands, launch);
  }

  void run_items(const Operands& operands, const Launch& launch) const {
    const StageWorker& worker = *launch.worker;
    const std::byte* input = memory(operands, source_).host_pointer() + launch.input_shift;
    std::byte* output = memory(operands, destination_).host_pointer() + launch.output_shift;
    const std::byte* spectra = reads_spectra_ ? memory(operands, plan::Operand::spectra).host_pointer() : nullptr;
    std::byte* const apart = apart_ ? memory(operands, plan::Operand::scratch).host_pointer() : nullptr;
    const auto run = [&](std::uint64_t begin, std::uint64_t end) {
      if (apart_)
        return worker.run_apart({input, apart + launch.input_shift}, {output, apart + launch.output_shift}, begin, end);
      reads_spectra_ ? worker.run_bank(input, spectra, output, begin, end) : worker.run(input, output, begin, end);
    };
    const std::uint64_t items = worker.items();
    if (!parallel_ || operands.on_one_thread) return run(0, items);
    arena_->execute([&] {
      tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, items, grain_),
                        [&](const auto& range) { run(range.begin(), range.end()); });
    });
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
  bool apart_;
  std::vector<Launch> launches_;
  std::shared_ptr<tbb::task_arena> arena_;
  bool parallel_ = false;
  std::uint64_t grain_ = 1;  // items of a piece
};

// Threads beyond the processors, which oneTBB has to be allowed: else it would have fewer, and print that it has.
std::unique_ptr<tbb::global_control> allow_threads(std::size_t count) {
  if (count <= static_cast<std::size_t>(tbb::info::default_concurrency())) return nullptr;
  return std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, count);
}

// Whether in place each row is stored where it was read. The cache then has it already, and stores past it take 1.1 to
// 2.5 times as long; columns, which come in pieces, gain by them all the same.
bool writes_over_rows(const plan::Stage& stage) {
  const auto input = static_cast<std::int64_t>(plan::element_bytes(stage.input_storage));
  const auto output = static_cast<std::int64_t>(plan::element_bytes(stage.output_storage));
  const auto same = [&](const plan::Loop& loop) { return loop.input_stride * input == loop.output_stride * output; };
  return stage.input_stride == 1 && stage.output_stride == 1 && std::ranges::all_of(stage.loops, same);
}

// Where results go. Beside a large core's cache what another axis reads next may stay in the last one, rows as long as
// what is stored over the input: images and volumes take 0.49 to 0.98 of the time (two Xeons with 2 MiB), and long real
// lines, whose columns become rows, 0.6 to 0.95, but columns of a complex one that stay such would take 1.05 to 1.6.
host::Results kind_of_results(const plan::Stage& stage, bool large_core_cache) {
  using host::Results;
  if (stage.source == stage.destination) return Results::over_input;
  const bool to_rows = stage.output_stride == 1;
  if (!large_core_cache || stage.ends || (stage.twiddle && !to_rows)) return Results::beside_input;
  return to_rows && stage.input_stride == 1 ? Results::over_input : Results::read_again;
}

// Whether threads share the work of making the chirps that the stage multiplies by.
bool has_shared_tables(const plan::Stage& stage) {
  const auto is_long = [](const std::optional<plan::Factor>& factor) {
    return factor && factor->length >= host::shortest_shared_chirp;
  };
  const bool convolved = stage.convolution && stage.length >= host::shortest_shared_chirp;
  return convolved || is_long(stage.load_factor) || is_long(stage.store_factor);
}

class HostEngine : public Engine {
 public:
  explicit HostEngine(const host::LastLevelCache& cache)
      : targets_(host::simd_targets()),
        allowed_(allow_threads(host::thread_count())),
        arena_(std::make_shared<tbb::task_arena>(static_cast<int>(host::thread_count()))),
        info_(host::describe_machine(targets_, static_cast<std::size_t>(arena_->max_concurrency()))),
        cache_(cache) {}

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
    const auto bytes = [&stage](plan::Operand side, bool recent) {  // scratch memory is that of one launch
      const bool of_launch = recent || side == plan::Operand::scratch;
      const std::uint64_t lines = of_launch ? plan::launch_transforms(stage) : plan::transform_count(stage);
      return stage.length * lines * 2 * plan::scalar_bytes(stage.precision);
    };
    const std::uint64_t read = bytes(stage.source, stage.reads_recent);
    const std::uint64_t written = bytes(stage.destination, stage.writes_over_recent);
    const DeviceLimits& limits = info_.limits;
    const bool in_place = stage.source == stage.destination;
    host::WorkerOptions options{.targets = targets_,
                                .threads = limits.compute_units,
                                .first_cache = limits.level1_cache,
                                .core_cache = limits.level2_cache,
                                .prefetched = read > limits.level2_cache / 2,
                                .halved_vectors = limits.halved_vectors};
    const auto kept = [&](host::Results results) { return host::results_kept(cache_, options.threads, results); };
    options.in_place = in_place && options.large_core_cache();
    const host::Results results = kind_of_results(stage, options.large_core_cache());
    options.from_memory = read > kept(in_place ? host::Results::over_input : host::Results::beside_input);
    options.over_memory = in_place && options.from_memory;
    options.streamed = written > kept(results) && !(in_place && writes_over_rows(stage));
    if (!has_shared_tables(stage)) return std::make_shared<HostExecutable>(stage, launches_of(stage, options), arena_);
    return arena_->execute(
        [&] { return std::make_shared<HostExecutable>(stage, launches_of(stage, options), arena_); });
  }

  void take_turns(std::uint64_t turns, std::uint64_t places, const Turn& run) override {
    if (places == 1 || arena_->max_concurrency() == 1) return Engine::take_turns(turns, 1, run);
    std::atomic<std::uint64_t> next = 0;
    arena_->execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<std::uint64_t>(0, places, 1),
          [&](const auto& range) {
            for (std::uint64_t place = range.begin(); place < range.end(); ++place) {
              for (std::uint64_t turn = next++; turn < turns; turn = next++) run(turn, place);
            }
          },
          tbb::simple_partitioner());
    });
  }

  void synchronize() override {}

 private:
  // One worker serves all launches, where no hook sees the places of elements.
  std::vector<Launch> launches_of(const plan::Stage& stage, const host::WorkerOptions& options) {
    if (stage.launched_loops == 0) return {{workers_.find_or_make(stage, options)}};
    const bool hooked = stage.load_hook || stage.store_hook;
    const plan::Stage first = plan::one_launch(stage, 0);
    const auto bytes = [](std::int64_t elements, const plan::Storage& storage) {
      return elements * static_cast<std::ptrdiff_t>(plan::element_bytes(storage));
    };
    std::vector<Launch> launches{{workers_.find_or_make(first, options)}};
    for (std::uint64_t i = 1; i < plan::launch_count(stage); ++i) {
      const plan::Stage one = plan::one_launch(stage, i);
      if (hooked) {
        launches.push_back({workers_.find_or_make(one, options)});
      } else {
        launches.push_back({launches.front().worker, bytes(one.input_offset - first.input_offset, one.input_storage),
                            bytes(one.output_offset - first.output_offset, one.output_storage)});
      }
    }
    return launches;
  }

  std::int64_t targets_;
  std::unique_ptr<tbb::global_control> allowed_;
  std::shared_ptr<tbb::task_arena> arena_;
  DeviceInfo info_;
  host::LastLevelCache cache_;
  host::WorkerStore workers_;
};

}  // namespace

std::shared_ptr<Engine> make_host_engine(const host::LastLevelCache& cache) {
  return std::make_shared<HostEngine>(cache);
}

}  // namespace twiddle::backend
