// The kernel of a stage, written top to bottom: load, butterfly, twiddle, exchange, ..., store.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <string>

#include "kernel/butterfly.hpp"
#include "kernel/hook_text.hpp"
#include "kernel/kernel_source.hpp"
#include "kernel/stage_layout.hpp"
#include "kernel/stage_memory.hpp"
#include "kernel/text.hpp"

namespace twiddle::kernel {
namespace {

using plan::KernelShape;
using plan::Stage;
using Lanes = KernelShape::Lanes;
using Exchange = KernelShape::Exchange;

std::string_view direction_name(Direction direction) { return direction == Direction::forward ? "forward" : "inverse"; }

// Groups that share a compute unit: as its 65536 registers allow, within what every NVIDIA GPU since Turing takes (16
// groups, 1024 work-items).
std::uint32_t groups_side_by_side(const KernelShape& shape) {
  if (shape.registers == 0) return 1;
  const std::uint32_t items = (shape.items_per_transform * shape.transforms_per_group + 31) / 32 * 32;
  return std::clamp(std::min(65536 / (shape.registers * items), 1024 / items), 1U, 16U);
}

template <class Real>
std::vector<std::byte> rounded(const std::vector<std::complex<long double>>& values) {
  std::vector<Real> scalars;
  scalars.reserve(2 * values.size());
  for (const auto& value : values) {
    scalars.push_back(static_cast<Real>(value.real()));
    scalars.push_back(static_cast<Real>(value.imag()));
  }
  const auto bytes = std::as_bytes(std::span(scalars));
  return {bytes.begin(), bytes.end()};
}

class StageKernel {
 public:
  StageKernel(const Stage& stage, Dialect dialect)
      : prepared_(prepare(stage)), layout_(lay_out(stage_)), dialect_(dialect), memory_(prepared_, layout_, text_) {}

  KernelSource write() {
    KernelSource source;
    source.group_size = std::size_t{shape_.items_per_transform} * shape_.transforms_per_group;
    source.transforms = plan::transform_count(stage_);
    source.groups = (source.transforms + shape_.transforms_per_group - 1) / shape_.transforms_per_group;
    source.wide_index = layout_.wide_index;
    source.entry = "stage";
    const std::size_t slot_scalars = shape_.exchange == Exchange::split ? 1 : 2;
    source.local_memory = layout_.slots * slot_scalars * plan::scalar_bytes(stage_.precision);
    source.registers = shape_.registers;
    write_preamble();
    text_.line("");
    text_.line("// {} items for each transform, {} transforms in a group.", shape_.items_per_transform,
               shape_.transforms_per_group);
    text_.line("TW_KERNEL({}, {}) stage(TW_GLOBAL const {}* input, TW_GLOBAL {}* output,", source.group_size,
               groups_side_by_side(shape_), memory_.input().type(), memory_.output().type());
    text_.open("    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count{}{}{}) {{",
               layout_.tables.indices.empty() ? "" : ", TW_GLOBAL const TW_UINT* indices",
               stage_.load_hook ? ", TW_GLOBAL const void* load_hook_user" : "",
               stage_.store_hook ? ", TW_GLOBAL const void* store_hook_user" : "");
    if (layout_.slots > 0) {
      text_.line("TW_LOCAL_ARRAY({}, exchange, {});", shape_.exchange == Exchange::split ? "TW_REAL" : "TW_COMPLEX",
                 layout_.slots);
    }
    write_body();
    text_.close();
    source.text = text_.take();
    source.constants = stage_.precision == Precision::float64 ? rounded<double>(layout_.tables.constants)
                                                              : rounded<float>(layout_.tables.constants);
    source.indices = std::move(layout_.tables.indices);
    return source;
  }

 private:
  void write_preamble() {
    const std::string factors = stage_.radices.size() > 1 ? fmt::format(" = {}", fmt::join(stage_.radices, " * ")) : "";
    text_.line("// A {} transform of {} points{}.", direction_name(stage_.direction), stage_.length,
               stage_.convolution ? "" : factors);
    if (stage_.convolution) {
      text_.line("// {}'s algorithm: a convolution of {} points{}.", plan::to_string(stage_.convolution->algorithm),
                 stage_.convolution->points, factors);
    }
    if (stage_.load_map) text_.line("// Each line is first made by the map '{}'.", plan::to_string(*stage_.load_map));
    if (stage_.store_map) text_.line("// Each line is then made into '{}'.", plan::to_string(*stage_.store_map));
    const auto uses = [&](Precision precision) {
      return stage_.precision == precision || stage_.input_storage.precision == precision ||
             stage_.output_storage.precision == precision;
    };
    if (uses(Precision::float64)) text_.raw(double_prelude(dialect_));
    text_.raw(prelude(dialect_, stage_.precision, shape_.registers != 0));
    if (uses(Precision::float16)) text_.raw(half_prelude(dialect_));
    text_.line("#define TW_INDEX {}", layout_.wide_index ? "TW_WIDE" : "TW_UINT");
    if (memory_.steps_back()) text_.line("#define TW_OFFSET {}", signed_type(dialect_, layout_.wide_index));
    if (layout_.slots > 0) {
      text_.line("#define TW_PAD(i) ({})", shape_.padding == 0 ? "(i)" : fmt::format("(i) + (i) / {}", shape_.padding));
    }
    text_.raw(R"(
TW_INLINE TW_COMPLEX multiply(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, -(a.y * b.y)), TW_FMA(a.x, b.y, a.y * b.x));
}

)");
    text_.raw(memory_.input().load_function());
    text_.raw(memory_.output().store_function());
    const bool real = stage_.input_storage.form == plan::Storage::Form::real;
    if (stage_.load_hook) text_.raw(hook_function(*stage_.load_hook, "load_hook", stage_.precision, real));
    if (stage_.store_hook) text_.raw(hook_function(*stage_.store_hook, "store_hook", stage_.precision, false));
    std::set<std::pair<unsigned, Direction>> butterflies;
    for (const Pass& pass : layout_.passes) butterflies.emplace(pass.radix, pass.direction);
    for (const auto& [radix, direction] : butterflies) {
      if (radix == 1) continue;
      text_.raw(butterfly_source(radix, direction, dialect_, stage_.precision));
      text_.raw("\n");
    }
  }

  void write_body() {
    const auto& passes = layout_.passes;
    text_.line("const TW_UINT item = TW_ITEM;");
    text_.line("TW_COMPLEX v[{}];", layout_.held);
    if (memory_.has_zeroth()) text_.line("TW_COMPLEX zeroth;");
    write_mapping(passes.front().lanes, true);
    text_.line("");
    text_.line("// load");
    if (layout_.one_run) {
      memory_.load_run();
      exchange_run(true);
    } else if (shape_.stage_through_local) {
      memory_.load_lines([&](const std::string& element) { return local(element); });
      receive_line();
    } else {
      if (memory_.has_zeroth()) with_lanes(middle_lanes(), [&] { memory_.load_zeroth(); });
      memory_.load(passes.front());
    }
    for (std::size_t i = 0; i < passes.size(); ++i) {
      write_butterflies(passes[i]);
      if (layout_.convolution && i + 1 == layout_.convolution->turn) {
        memory_.multiply_by_spectrum(passes[i]);
      } else if (i + 1 < passes.size()) {
        write_twiddles(passes[i]);
        write_exchange(passes[i], passes[i + 1]);
      }
    }
    text_.line("");
    text_.line("// store");
    if (layout_.one_run) {
      memory_.scale_values(passes.back());
      exchange_run(false);
      memory_.store_run();
    } else if (shape_.stage_through_local) {
      if (stage_.store_map) memory_.finish_values(passes.back());
      send_line();
      memory_.store_lines([&](const std::string& element) { return local(element); });
    } else if (stage_.store_map) {
      store_mapped(passes.back());
    } else {
      memory_.store(passes.back());
      if (memory_.has_zeroth()) with_lanes(middle_lanes(), [&] { memory_.store_zeroth(); });
    }
  }

  // Which transform of the group, and which of the items that share it, this work-item is.
  void write_mapping(Lanes lanes, bool declare) {
    const std::uint32_t items = shape_.items_per_transform;
    const std::uint32_t transforms = shape_.transforms_per_group;
    const bool across = lanes == Lanes::transforms;
    text_.line("{}lane = {};", declare ? "TW_UINT " : "",
               items == 1        ? "0"
               : transforms == 1 ? "item"
               : across          ? fmt::format("item / {}", transforms)
                                 : fmt::format("item % {}", items));
    text_.line("{}slot = {};", declare ? "TW_UINT " : "",
               transforms == 1 ? "0"
               : items == 1    ? "item"
               : across        ? fmt::format("item % {}", transforms)
                               : fmt::format("item / {}", items));
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
    text_.line("const TW_UINT p = b / {};", pass.before);
    text_.line("TW_GLOBAL const TW_COMPLEX* roots = constants + {} + p;", pass.constants);
    text_.loop("j", 1, pass.radix);
    text_.line("v[m * {0} + j] = multiply(v[m * {0} + j], roots[(j - 1) * {1}]);", pass.radix, pass.groups);
    text_.close();
    memory_.close_reads();
  }

  // Sends the outputs of one pass to the work-items that need them in the next.
  void write_exchange(const Pass& from, const Pass& to) {
    text_.line("");
    text_.line("// exchange");
    const bool in_rounds = shape_.exchange_rounds > 1;
    if (in_rounds) text_.line("TW_COMPLEX u{}[{}];", from.before, layout_.held);
    const std::string target = in_rounds ? fmt::format("u{}", from.before) : "v";
    const Lanes sender = from.lanes;
    for (const char* part : parts()) {
      for (std::uint32_t round = 0; round < shape_.exchange_rounds; ++round) {
        if (exchanged_) text_.line("TW_BARRIER();");
        exchanged_ = true;
        if (lanes_now_ != sender) change_lanes(sender);
        send(from, part, round);
        text_.line("TW_BARRIER();");
        if (to.lanes != sender) change_lanes(to.lanes);
        receive(to, part, round, target);
      }
    }
    if (in_rounds) {
      text_.loop("i", 0, to.rounds * to.radix);
      text_.line("v[i] = {}[i];", target);
      text_.close();
    }
  }

  // The transforms' outputs go to local memory, where the map finds its sources.
  void store_mapped(const Pass& pass) {
    memory_.finish_values(pass);
    if (memory_.has_zeroth()) with_lanes(middle_lanes(), [&] { memory_.finish_zeroth(); });
    const auto part = [&](const std::string& index) { return local(index); };
    if (shape_.exchange == Exchange::complex) {
      send_all(pass, "");
      return memory_.store_made(part);
    }
    send_all(pass, ".x");
    memory_.keep_made(part);
    send_all(pass, ".y");
    memory_.store_kept(part);
  }

  void send_all(const Pass& pass, const char* part) {
    if (exchanged_) text_.line("TW_BARRIER();");
    exchanged_ = true;
    if (layout_.convolution) {
      memory_.send_outputs(
          pass, [&](const std::string& element) { return local(element); }, part);
      if (memory_.has_zeroth()) {
        with_lanes(middle_lanes(), [&] { text_.line("if (lane == 0) {} = zeroth{};", local("0"), part); });
      }
    } else {
      memory_.open_writes(pass);
      text_.loop("j", 0, pass.radix);
      text_.line("exchange[{}] = v[m * {} + j]{};", address("b", "j", pass.butterflies), pass.radix, part);
      text_.close();
      memory_.close_writes(pass);
    }
    text_.line("TW_BARRIER();");
  }

  // Where local memory keeps an element of the current transform's line.
  [[nodiscard]] std::string local(const std::string& element) const {
    return fmt::format("exchange[{}]", address(element));
  }

  // Between lines in local memory and the work-items that transform them.
  void receive_line() {
    text_.line("TW_BARRIER();");
    text_.loop("i", 0, static_cast<unsigned>(stage_.length));
    text_.line("v[i] = {};", local("i"));
    text_.close();
    exchanged_ = true;
  }

  void send_line() {
    text_.line("TW_BARRIER();");
    text_.loop("i", 0, static_cast<unsigned>(stage_.length));
    text_.line("{} = v[i];", local("i"));
    text_.close();
    text_.line("TW_BARRIER();");
  }

  void change_lanes(Lanes lanes) {
    write_mapping(lanes, false);
    lanes_now_ = lanes;
  }

  void with_lanes(Lanes lanes, const std::function<void()>& body) {
    const Lanes before = lanes_now_;
    if (lanes != before) change_lanes(lanes);
    body();
    if (lanes != before) change_lanes(before);
  }

  // Of a convolution's last pass there and its first one back.
  [[nodiscard]] Lanes middle_lanes() const { return layout_.passes[layout_.convolution->turn - 1].lanes; }

  void send(const Pass& pass, const char* part, std::uint32_t round) {
    const auto chunk = static_cast<std::uint32_t>(stage_.length) / shape_.exchange_rounds;
    memory_.open_writes(pass);
    text_.line("const TW_UINT base = b / {0} * {1} + b % {0};", pass.before, pass.before * pass.radix);
    text_.loop("j", 0, pass.radix);
    const std::string value = fmt::format("v[m * {} + j]{}", pass.radix, part);
    if (shape_.exchange_rounds == 1) {
      text_.line("exchange[{}] = {};", address("base", "j", pass.before), value);
    } else {
      text_.line("const TW_UINT at = base + j * {};", pass.before);
      text_.line("if (at / {} == {}) exchange[{}] = {};", chunk, round, address(fmt::format("at % {}", chunk)), value);
    }
    text_.close();
    memory_.close_writes(pass);
  }

  void receive(const Pass& pass, const char* part, std::uint32_t round, const std::string& target) {
    const std::uint32_t rounds = shape_.exchange_rounds;
    memory_.open_reads(pass);
    text_.loop("k", pass.radix * round / rounds, pass.radix * (round + 1) / rounds);
    const std::uint32_t skipped = static_cast<std::uint32_t>(stage_.length) / rounds * round;
    const std::string at = rounds == 1 ? address("b", "k", pass.butterflies)
                                       : address(fmt::format("b + k * {} - {}", pass.butterflies, skipped));
    text_.line("{}[m * {} + k]{} = exchange[{}];", target, pass.radix, part, at);
    text_.close();
    memory_.close_reads();
  }

  // Between a run of memory, spread evenly over the group, and whole transforms in single work-items.
  void exchange_run(bool loading) {
    const auto length = static_cast<unsigned>(stage_.length);
    const std::string run = fmt::format("exchange[TW_PAD(item + i * {})]", shape_.transforms_per_group);
    const std::string own = fmt::format("exchange[TW_PAD(item * {} + i)]", length);
    for (const char* part : parts()) {
      if (exchanged_) text_.line("TW_BARRIER();");
      exchanged_ = true;
      text_.loop("i", 0, length);
      text_.line("{} = v[i]{};", loading ? run : own, part);
      text_.close();
      text_.line("TW_BARRIER();");
      text_.loop("i", 0, length);
      text_.line("v[i]{} = {};", part, loading ? own : run);
      text_.close();
    }
  }

  // Where local memory keeps position `base` + `index` * `stride` of the current transform. Where the padding divides
  // the stride, the padding of a sum is the sum of the paddings, so that only `base` needs a division. Padded by the
  // first radix, it divides every stride of a plain transform's exchanges but the first one's 1, which stays within it.
  [[nodiscard]] std::string address(const std::string& base, const std::string& index, std::uint32_t stride) const {
    const std::uint32_t padding = shape_.padding;
    const bool divides = padding == layout_.passes.front().radix && (!layout_.convolution || stride % padding == 0);
    if (padding == 0 || divides) {
      const std::uint32_t step = stride + (padding == 0 ? 0 : stride / padding);
      return slot_address(fmt::format("TW_PAD({}) + {} * {}", base, index, step));
    }
    return slot_address(fmt::format("TW_PAD({} + {} * {})", base, index, stride));
  }

  [[nodiscard]] std::string address(const std::string& position) const {
    return slot_address(fmt::format("TW_PAD({})", position));
  }

  [[nodiscard]] std::string slot_address(const std::string& padded) const {
    if (shape_.transforms_per_group == 1) return padded;
    if (layout_.transforms_inside) return fmt::format("({}) * {} + slot", padded, shape_.transforms_per_group);
    return fmt::format("slot * {} + {}", layout_.pitch, padded);
  }

  [[nodiscard]] std::vector<const char*> parts() const {
    if (shape_.exchange == Exchange::split) return {".x", ".y"};
    return {""};
  }

  Prepared prepared_;
  const Stage& stage_ = prepared_.stage;
  const KernelShape& shape_ = stage_.shape;
  StageLayout layout_;
  Dialect dialect_;
  Text text_;
  StageMemory memory_;
  bool exchanged_ = false;
  Lanes lanes_now_ = stage_.shape.load;
};

}  // namespace

KernelSource stage_kernel(const Stage& stage, Dialect dialect) { return StageKernel(stage, dialect).write(); }

}  // namespace twiddle::kernel
