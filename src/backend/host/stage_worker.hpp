// Computes the transforms of one stage, item by item; items are independent of each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "backend/engine.hpp"
#include "backend/host/side_memory.hpp"
#include "plan/lower/stage.hpp"
#include "plan/recipe/host_division.hpp"

namespace twiddle::backend::host {

// What a worker may assume about where it runs.
struct WorkerOptions {
  std::int64_t targets = 0;     // SIMD targets to choose from
  std::size_t threads = 1;      // that share the items
  std::size_t first_cache = 0;  // bytes of a core's first-level cache
  std::size_t core_cache = 0;   // bytes of a core's own cache
  bool in_place = false;        // results are stored over what is read; said beside a large core's cache alone, where
                                // it matters, as elsewhere either way shares a worker
  bool prefetched = false;      // the data is too large for a core's own cache: fetch inputs ahead
  bool from_memory = false;     // inputs are too many even for the last-level cache
  bool over_memory = false;     // likewise, and results are stored over them
  bool streamed = false;        // results are too many for the cache: store past it where possible
  bool halved_vectors = false;  // DeviceLimits::halved_vectors
  // As of Intel's servers (2 MiB), where a few choices are others than beside the 512 KiB to 1.25 MiB of other cores.
  [[nodiscard]] bool large_core_cache() const { return core_cache >= plan::large_second_cache; }
  bool operator==(const WorkerOptions&) const = default;
};

// Immutable; several threads run different items at once.
class StageWorker : public HostCall {
 public:
  [[nodiscard]] virtual std::uint64_t items() const = 0;
  // `input` and `output` are the starts of the memories.
  virtual void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const = 0;
  // The same for stages with a filter bank, which also read `spectra`; others do not.
  virtual void run_bank(const std::byte* input, const std::byte* spectra, std::byte* output, std::uint64_t begin,
                        std::uint64_t end) const {
    static_cast<void>(spectra);
    run(input, output, begin, end);
  }
  // The same for stages whose imaginary parts are apart on either side; others do not have any.
  virtual void run_apart(const InputMemory& input, const OutputMemory& output, std::uint64_t begin,
                         std::uint64_t end) const {
    run(input.start, output.start, begin, end);
  }
  // All items.
  void call(const std::byte* input, std::byte* output) const override { run(input, output, 0, items()); }
  // The same call, by a shorter way where there is one. As long as the worker lives.
  [[nodiscard]] virtual const HostCall* shortest_call() const { return this; }
};

// Stages below are in scalars (scalar_stage.hpp), T is the type of their arithmetic.

// One transform at a time, its elements in the lanes.
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_row_worker(const plan::Stage& stage, const WorkerOptions& options);

// As many transforms at a time as a vector has lanes, neighbours along `lane_loop`.
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_bundle_worker(const plan::Stage& stage, std::size_t lane_loop,
                                                              const WorkerOptions& options);

// The same two where one side is real (real_line.hpp), and the radices of that.
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_real_row_worker(const plan::Stage& stage, std::vector<unsigned> radices,
                                                                const WorkerOptions& options);
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_real_bundle_worker(const plan::Stage& stage,
                                                                   std::vector<unsigned> radices, std::size_t lane_loop,
                                                                   const WorkerOptions& options);

// Lines as short as a butterfly that follow each other without gaps; null for any other stage.
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_short_row_worker(const plan::Stage& stage,
                                                                 const WorkerOptions& options);

// Columns of complex numbers as short as a butterfly, side by side on both sides; null for any other stage, and where
// whole vectors of them are stored past the cache.
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_short_column_worker(const plan::Stage& stage,
                                                                    const WorkerOptions& options);

// So few short lines of composite lengths that they do not fill a vector side by side; null for any other stage.
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_packed_line_worker(const plan::Stage& stage,
                                                                   const WorkerOptions& options);

// So few lines of a prime length without a butterfly that they do not fill a vector; null for any other stage.
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_prime_row_worker(const plan::Stage& stage,
                                                                 const WorkerOptions& options);

// Lines that are transformed by convolution, neighbours along `lane_loop` side by side where that is better.
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_convolution_worker(const plan::Stage& stage, std::size_t lane_loop,
                                                                   const WorkerOptions& options);

// The same one after the other, where passes on packed numbers serve their convolutions; null for any other stage.
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_packed_convolution_worker(const plan::Stage& stage,
                                                                          const WorkerOptions& options);

// Rows that go there and back (Stage::returns), of adjacent numbers: throws Unsupported for others.
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_returning_worker(const plan::Stage& stage,
                                                                 const WorkerOptions& options);

// Lines with maps of real transforms, one after the other; null where the maps are of pairs of lines, or elements lie
// apart, and for any other stage. `by_vectors`: also where a map goes by a table of its elements.
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_mapped_row_worker(const plan::Stage& stage, bool by_vectors,
                                                                  const WorkerOptions& options);

// A few lines as short as a butterfly whose elements lie apart; null for any other stage.
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_spread_line_worker(const plan::Stage& stage,
                                                                   const WorkerOptions& options);

// Lines, complex or real, whose elements lie apart, one after the other; null for any other stage.
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_gathered_line_worker(const plan::Stage& stage,
                                                                     const WorkerOptions& options);

// Lines of a few reals to reals, rows or columns on both sides, as products with a matrix; null for any other
// stage.
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_matrix_worker(const plan::Stage& stage, const WorkerOptions& options);

// Elements moved to other places as they are, where neighbours do not stay neighbours; null for any other stage.
[[nodiscard]] std::unique_ptr<StageWorker> make_moved_element_worker(const plan::Stage& stage);

// No transform at all: elements copied (length 1), or made by a map.
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_copy_worker(const plan::Stage& stage, const WorkerOptions& options);

// A map of a real transform between interleaved lines of adjacent elements; null for any other stage.
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_mirrored_map_worker(const plan::Stage& stage,
                                                                    const WorkerOptions& options);

// A map whose elements are made together with their mirror images (Stage::mirrored), of any storage; null for any other
// stage.
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_paired_element_worker(const plan::Stage& stage,
                                                                      const WorkerOptions& options);

// A map of one spectrum or real line alone, between lines of adjacent elements, in the precision of the arithmetic,
// without hooks; null for any other stage, and where it would go by a table of less than `shortest` elements.
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_line_map_worker(const plan::Stage& stage, std::size_t shortest,
                                                                std::int64_t targets);

// The same by the rule of the places instead of a table, for stages that make_line_map_worker serves; null where the
// map has no such rule.
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_ruled_map_worker(const plan::Stage& stage, std::int64_t targets);

// The columns of lines whose map is spread over them (Stage::shared_map), r2c_store on adjacent elements; null for any
// other stage.
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_shared_map_worker(const plan::Stage& stage,
                                                                  const WorkerOptions& options);

// Stages with a filter bank, as the planner made them (not in scalars).
template <class T>
[[nodiscard]] std::unique_ptr<StageWorker> make_bank_worker(const plan::Stage& stage, const WorkerOptions& options);

// The best of these for a stage as the planner made it.
[[nodiscard]] std::unique_ptr<StageWorker> make_worker(const plan::Stage& stage, const WorkerOptions& options);

}  // namespace twiddle::backend::host
