// The kernel of a stage, written top to bottom: load, butterfly, twiddle, exchange, ..., store.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

#include "kernel/kernel_source.hpp"
#include "kernel/stage_bank.hpp"
#include "kernel/stage_exchange.hpp"
#include "kernel/stage_layout.hpp"
#include "kernel/stage_memory.hpp"
#include "kernel/stage_parts.hpp"
#include "kernel/stage_preamble.hpp"
#include "kernel/stage_prefetch.hpp"
#include "kernel/sum_kernel.hpp"
#include "kernel/swap_kernel.hpp"
#include "kernel/text.hpp"
#include "plan/convolution/bank_shape.hpp"
#include "plan/shape/summed_rows.hpp"

namespace twiddle::kernel {
namespace {

using plan::KernelShape;
using plan::Stage;
using Exchange = KernelShape::Exchange;

template <class Real>
std::vector<std::byte> rounded(const plan::LongVector<std::complex<long double>>& values) {
  std::vector<std::byte> bytes(values.size() * 2 * sizeof(Real));
  std::byte* to = bytes.data();
  for (const auto& value : values) {
    const Real parts[2] = {static_cast<Real>(value.real()), static_cast<Real>(value.imag())};
    to = std::ranges::copy(std::as_bytes(std::span(parts)), to).out;
  }
  return bytes;
}

class StageKernel {
 public:
  StageKernel(const Stage& stage, Dialect dialect, Caching load, Caching store)
      : prepared_(prepare(stage)),
        layout_(lay_out(stage_, prepared_.line)),
        dialect_(dialect),
        dependent_launch_(shape_.dependent_launch && has_dependent_launches(dialect)),
        memory_(prepared_, layout_, text_, load, store),
        exchange_(prepared_, layout_, memory_, text_),
        prefetch_(stage_, layout_, memory_, text_),
        bank_(stage_, layout_, memory_, exchange_, text_, dependent_launch_) {}

  KernelSource write() {
    if (shape_.column_roots) add_line_roots(stage_, layout_);
    layout_.idle_return = returns_idle();
    KernelSource source;
    source.group_size = plan::group_items(shape_);
    source.transforms = plan::transform_count(stage_);
    const std::uint64_t together = plan::launch_transforms(stage_);
    source.launches = source.transforms / together;
    source.groups =
        (together + shape_.transforms_per_group - 1) / shape_.transforms_per_group * shape_.groups_per_transform;
    if (stage_.bank) source.groups = bank_.groups();
    if (shape_.prefetch) source.groups = prefetch_.groups();
    source.reads_spectra = bank_.reads_spectra() || stage_.repair;
    source.parts_apart = plan::has_parts_apart(stage_);
    source.wide_index = layout_.wide_index;
    source.entry = "stage";
    const std::size_t slot_scalars = shape_.exchange == Exchange::split ? 1 : 2;
    source.local_memory =
        shape_.prefetch ? prefetch_.local_bytes() : layout_.slots * slot_scalars * plan::scalar_bytes(stage_.precision);
    source.registers = shape_.registers;
    source.dependent_launch = dependent_launch_;
    source.starts_early = bank_.starts_early();
    write_preamble(stage_, layout_, memory_, dialect_, dependent_launch_, text_);
    text_.line("");
    std::string cluster;
    if (shape_.groups_per_transform > 1) {
      text_.line("// {} groups of {} items for each transform.", shape_.groups_per_transform,
                 shape_.items_per_transform);
      cluster = fmt::format("TW_CLUSTER({}) ", shape_.groups_per_transform);
    } else {
      text_.line("// {} items for each {}, {} transforms in a group.", shape_.items_per_transform,
                 plan::bundles_transforms(shape_) ? fmt::format("{} transforms", shape_.vector) : "transform",
                 shape_.transforms_per_group);
    }
    text_.line("TW_KERNEL({}, {}) {}stage(TW_GLOBAL const {}* input, TW_GLOBAL {}* output,", source.group_size,
               plan::groups_side_by_side(shape_), cluster, memory_.input().type(), memory_.output().type());
    text_.open("    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count{}{}{}{}{}{}{}) {{",
               stage_.launched_loops == 0 ? "" : ", const TW_INDEX begin",
               layout_.tables.indices.empty() ? "" : ", TW_GLOBAL const TW_UINT* indices",
               stage_.load_hook ? ", TW_GLOBAL const void* load_hook_user" : "",
               plan::stores_with_user(stage_) ? ", TW_GLOBAL const void* store_hook_user" : "",
               source.reads_spectra ? ", TW_GLOBAL const TW_COMPLEX* spectra" : "",
               source.parts_apart ? ", TW_GLOBAL TW_REAL* apart" : "",
               bank_.starts_early() ? ", const TW_UINT follows_filters" : "");
    if (shape_.prefetch) {
      prefetch_.declare_memory();
    } else if (layout_.slots > 0) {
      text_.line("TW_LOCAL_ARRAY({}, exchange, {});", shape_.exchange == Exchange::split ? "TW_REAL" : "TW_COMPLEX",
                 layout_.slots);
    }
    if (dependent_launch_)
      text_.line("{}TW_DEPENDENCY_WAIT();", bank_.starts_early() ? "if (follows_filters == 0) " : "");
    if (shape_.prefetch) prefetch_.declare_arrays();
    write_body();
    text_.close();
    source.text = text_.take();
    source.constants = constants();
    source.indices = std::move(layout_.tables.indices);
    return source;
  }

  StageParts parts(bool reads_exchange, bool writes_exchange) {
    add_line_roots(stage_, layout_);
    if (reads_exchange) exchange_.repeats();
    waits_to_store_ = writes_exchange;
    write_body();
    StageParts parts;
    const std::string body = text_.take();
    const auto meeting = exchange_.first_meeting().value_or(StageExchange::Meeting{body.size(), body.size()});
    parts.before_meeting = body.substr(0, meeting.begin);
    parts.behind_meeting = body.substr(meeting.end);
    parts.butterflies = butterflies_of(layout_);
    parts.constants = constants();
    parts.slots = layout_.slots;
    parts.wide_index = layout_.wide_index;
    parts.steps_back = memory_.steps_back();
    return parts;
  }

 private:
  [[nodiscard]] std::vector<std::byte> constants() const {
    return stage_.precision == Precision::float64 ? rounded<double>(layout_.tables.constants)
                                                  : rounded<float>(layout_.tables.constants);
  }

  // Whether work-items beyond the last transform end at once: where there are any, and no barrier at which the others
  // would wait for them.
  [[nodiscard]] bool returns_idle() const {
    return layout_.slots == 0 && !shape_.prefetch && !stage_.bank &&
           plan::launch_transforms(stage_) % shape_.transforms_per_group != 0;
  }

  void write_body() {
    const auto& passes = layout_.passes;
    if (stage_.bank) return bank_.write_body([this](std::size_t from, std::size_t to) { write_passes(from, to); });
    text_.line("const TW_UINT item = TW_ITEM;");
    if (layout_.rows != 0) text_.line("const TW_UINT part = TW_GROUP % {};", shape_.groups_per_transform);
    text_.line("TW_COMPLEX v[{}];", layout_.held);
    if (memory_.has_zeroth()) text_.line("TW_COMPLEX zeroth;");
    exchange_.declare_lanes(passes.front().lanes);
    memory_.leave_idle();
    if (shape_.prefetch) prefetch_.open_lines();
    text_.line("");
    text_.line("// load");
    if (layout_.one_run) {
      memory_.load_run();
      exchange_.pass_run(true);
    } else if (shape_.stage_through_local) {
      memory_.load_lines([&](const std::string& element) { return exchange_.place(element); });
      exchange_.receive_line();
    } else {
      if (memory_.has_zeroth()) exchange_.with_lanes(layout_.middle_lanes(), [&] { memory_.load_zeroth(); });
      memory_.load(passes.front());
    }
    if (shape_.prefetch) prefetch_.fetch_next();
    if (plan::is_summed(stage_, shape_)) {
      exchange_.send_outputs(passes.front(), "");
      memory_.sum_line([this](const std::string& element) { return exchange_.place(element); });
    } else if (shape_.same_way_back) {
      write_both_ways();
    } else {
      write_passes(0, layout_.turn);
      if (layout_.turn < passes.size()) write_way_back();
    }
    text_.line("");
    if (waits_to_store_) text_.line("TW_BARRIER();");
    text_.line("// store");
    if (layout_.one_run) {
      memory_.scale_values(passes.back());
      exchange_.pass_run(false);
      memory_.store_run();
    } else if (shape_.stage_through_local) {
      if (stage_.store_map) memory_.finish_values(passes.back());
      exchange_.send_line();
      memory_.store_lines([&](const std::string& element) { return exchange_.place(element); });
    } else if (stage_.store_map && stage_.shared_map) {
      store_shared(passes.back());
    } else if (stage_.store_map) {
      store_mapped(passes.back());
    } else if (shape_.stores_together) {
      memory_.finish_values(passes.back());
      exchange_.send_outputs(passes.back(), "");
      memory_.store_group([&](const std::string& element) { return exchange_.place(element); });
    } else {
      memory_.store(passes.back());
      if (memory_.has_zeroth()) exchange_.with_lanes(layout_.middle_lanes(), [&] { memory_.store_zeroth(); });
    }
    if (shape_.prefetch) text_.close();
  }

  // By passes that mirror those there.
  void write_way_back() {
    const Pass& last = layout_.passes[layout_.turn - 1];
    if (stage_.returns) {
      memory_.finish_values(last);
    } else {
      memory_.multiply_by_spectrum(last);
    }
    write_passes(layout_.turn, layout_.passes.size());
  }

  // With real and imaginary parts exchanged before and after it, a transform is one in the other direction: both ways
  // are turns of one loop, with which compilers have half as much to do. As the first and the last radix are equal,
  // work-items begin the way back with the elements that they have. Both turns multiply what they end with: loads
  // behind a branch would wait for the last butterflies.
  void write_both_ways() {
    const auto& passes = layout_.passes;
    const std::size_t first = passes.front().line_order ? 1 : 0;
    const Pass& last = passes[layout_.turn - 1];
    if (first != 0) exchange_.pass_on(passes.front(), passes[first]);
    exchange_.repeats();
    text_.line("");
    text_.line("// there and back");
    text_.line("#pragma unroll 1");
    text_.open("for (TW_UINT way = 0; way < 2; ++way) {{");
    write_passes(first, layout_.turn);
    memory_.multiply_by_spectrum(last);
    text_.loop("i", 0, last.rounds * last.radix);
    text_.line("v[i] = TW_MAKE(v[i].y, v[i].x);");
    text_.close();
    text_.close();
    if (layout_.turn < passes.size()) exchange_.pass_on(last, passes[layout_.turn]);
  }

  // The passes from one to before another, and the exchanges between them.
  void write_passes(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const Pass& pass = layout_.passes[i];
      if (i + 1 == layout_.rows) exchange_.columns_read();
      if (pass.has_twiddles() && pass.mirrored) write_twiddles(pass);
      write_butterflies(pass);
      if (pass.has_twiddles() && !pass.mirrored) write_twiddles(pass);
      if (i + 1 < to) exchange_.pass_on(pass, layout_.passes[i + 1]);
    }
  }

  void write_butterflies(const Pass& pass) {
    if (pass.radix == 1) return;
    text_.line("");
    text_.line("// radix {}", pass.radix);
    for (std::uint32_t round = 0; round < pass.rounds; ++round) {
      text_.line("butterfly_{}_{}(v + {});", pass.radix, direction_name(pass.direction), round * pass.radix);
    }
  }

  void write_twiddles(const Pass& pass) {
    text_.line("");
    text_.line("// twiddle");
    memory_.open_reads(pass);
    const bool kept = bank_.keeps_roots(pass);
    if (!kept) {
      text_.line("const TW_UINT p = b / {};", pass.before);
      text_.line("TW_GLOBAL const TW_COMPLEX* roots = constants + {} + p;", pass.constants);
    }
    const auto root = [&](const std::string& output) {
      return kept ? fmt::format("kept{}[{}]", pass.constants, output)
                  : fmt::format("roots[({} - 1) * {}]", output, pass.groups);
    };
    text_.loop("j", 1, pass.radix);
    if (shape_.root_step == 0) {
      write_twiddle(pass, root("j"));
    } else {
      const std::uint32_t step = shape_.root_step;
      text_.line("const TW_COMPLEX root = j < {0} || j % {0} == 0 ? {1} : multiply({2}, {3});", step, root("j"),
                 root(fmt::format("j / {0} * {0}", step)), root(fmt::format("j % {}", step)));
      write_twiddle(pass, "root");
    }
    text_.close();
    memory_.close_reads();
  }

  void write_twiddle(const Pass& pass, const std::string& root) {
    text_.line("v[m * {0} + j] = multiply{1}(v[m * {0} + j], {2});", pass.radix, pass.mirrored ? "_conjugate" : "",
               root);
  }

  // The transforms' outputs go to local memory, where the map finds its sources, or are all there in one work-item.
  void store_mapped(const Pass& pass) {
    memory_.finish_values(pass);
    if (shape_.exchange == Exchange::none) {
      return memory_.store_made([](const std::string& index) { return fmt::format("v[{}]", index); });
    }
    if (memory_.has_zeroth()) exchange_.with_lanes(layout_.middle_lanes(), [&] { memory_.finish_zeroth(); });
    const auto part = [&](const std::string& index) { return exchange_.place(index); };
    if (shape_.exchange == Exchange::complex) {
      exchange_.send_outputs(pass, "");
      return memory_.store_made(part);
    }
    exchange_.send_outputs(pass, ".x");
    memory_.keep_made(part);
    exchange_.send_outputs(pass, ".y");
    memory_.store_kept(part);
  }

  // The same where the map's line is spread over several transforms: what mirrors an element is in the partner's slot.
  void store_shared(const Pass& pass) {
    const auto mirrored = [&](const std::string& index) { return exchange_.place(index, "partner"); };
    if (shape_.exchange == Exchange::complex) {
      exchange_.send_outputs(pass, "");
      return memory_.store_shared(pass, mirrored, {});
    }
    exchange_.send_outputs(pass, ".x");
    memory_.keep_mirrored(pass, mirrored);
    exchange_.send_outputs(pass, ".y");
    memory_.store_shared(pass, mirrored, "kept");
  }

  Prepared prepared_;
  const Stage& stage_ = prepared_.stage;
  const KernelShape& shape_ = stage_.shape;
  StageLayout layout_;
  Dialect dialect_;
  bool dependent_launch_;
  bool waits_to_store_ = false;
  Text text_;
  StageMemory memory_;
  StageExchange exchange_;
  StagePrefetch prefetch_;
  StageBank bank_;
};

}  // namespace

KernelSource stage_kernel(const Stage& stage, Dialect dialect) {
  if (stage.swaps) return swap_kernel(stage, dialect);
  if (sums_directly(stage)) return sum_kernel(stage, dialect);
  const Caching store = stage.shape.past_cache ? Caching::past_unit : Caching::usual;
  return StageKernel(stage, dialect, Caching::usual, store).write();
}

StageParts stage_parts(const Stage& stage, Dialect dialect, const PartPlace& place) {
  return StageKernel(stage, dialect, place.load, place.store).parts(place.reads_exchange, place.writes_exchange);
}

}  // namespace twiddle::kernel
