// Exchanges between the passes of a stage kernel.
#include "kernel/stage_exchange.hpp"

#include <fmt/format.h>

namespace twiddle::kernel {

using plan::KernelShape;

void StageExchange::write_mapping(Lanes lanes, bool declare) {
  const std::uint32_t items = shape_.items_per_transform;
  const std::uint32_t taken = plan::bundles_transforms(shape_) ? shape_.vector : 1;
  const std::uint32_t transforms = shape_.transforms_per_group / taken;
  const bool across = lanes == Lanes::transforms;
  const std::string times = taken == 1 ? "" : fmt::format(" * {}", taken);
  text_.line("{}lane = {};", declare ? "TW_UINT " : "",
             items == 1        ? "0"
             : transforms == 1 ? "item"
             : across          ? fmt::format("item / {}", transforms)
                               : fmt::format("item % {}", items));
  text_.line("{}slot = {};", declare ? "TW_UINT " : "",
             transforms == 1 ? "0"
             : items == 1    ? "item" + times
             : across        ? fmt::format("item % {}{}", transforms, times)
                             : fmt::format("item / {}{}", items, times));
}

void StageExchange::change_lanes(Lanes lanes) {
  write_mapping(lanes, false);
  lanes_now_ = lanes;
}

void StageExchange::with_lanes(Lanes lanes, const std::function<void()>& body) {
  const Lanes before = lanes_now_;
  if (lanes != before) change_lanes(lanes);
  body();
  if (lanes != before) change_lanes(before);
}

void StageExchange::meet() {
  const std::size_t begin = text_.size();
  text_.line("TW_BARRIER();");
  if (!first_meeting_) first_meeting_ = Meeting{begin, text_.size()};
}

// Local memory may be written again once all have read what was there.
void StageExchange::wait_for_readers() {
  if (exchanged_) meet();
  exchanged_ = true;
}

void StageExchange::pass_on(const Pass& from_line, const Pass& to_line) {
  const bool across = layout_.rows != 0 && to_line.before == layout_.passes[layout_.rows].before;
  if (across) return pass_across(from_line, to_line);
  const Pass from = within_group(from_line, shape_.groups_per_transform);
  const Pass to = within_group(to_line, shape_.groups_per_transform);
  text_.line("");
  text_.line("// exchange");
  const bool in_rounds = shape_.exchange_rounds > 1;
  if (in_rounds) text_.line("TW_COMPLEX u{}[{}];", from.before, layout_.held);
  const std::string target = in_rounds ? fmt::format("u{}", from.before) : "v";
  if (from.line_order || to.line_order) look_up_places(from, to);
  for (const char* part : parts()) {
    for (std::uint32_t round = 0; round < shape_.exchange_rounds; ++round) {
      wait_for_readers();
      if (lanes_now_ != from.lanes) change_lanes(from.lanes);
      send(from, to, part, round);
      meet();
      if (to.lanes != from.lanes) change_lanes(to.lanes);
      receive(to, part, round, target);
    }
  }
  if (in_rounds) {
    text_.loop("i", 0, to.rounds * to.radix);
    text_.line("v[i] = {}[i];", target);
    text_.close();
  }
}

// Between the order of Rader's line and that of its positions the sender looks up the places, before it waits for
// anyone.
void StageExchange::look_up_places(const Pass& from, const Pass& to) {
  const ConvolutionLayout& convolution = *layout_.convolution;
  text_.line("TW_UINT {}[{}];", places(to), from.rounds * from.radix);
  memory_.open_reads(from);
  text_.loop("j", 0, from.radix);
  text_.line("{}[m * {} + j] = indices[{} + b + j * {}];", places(to), from.radix,
             to.line_order ? convolution.store_order : convolution.load_order, from.butterflies);
  text_.close();
  memory_.close_reads();
}

const char* StageExchange::places(const Pass& to) { return to.line_order ? "store_places" : "load_places"; }

void StageExchange::send_outputs(const Pass& pass, const char* part) {
  wait_for_readers();
  if (layout_.convolution) {
    memory_.send_line(
        pass, [&](const std::string& element) { return place(element); }, part);
    if (memory_.has_zeroth()) {
      with_lanes(layout_.middle_lanes(), [&] { text_.line("if (lane == 0) {} = zeroth{};", place("0"), part); });
    }
  } else {
    memory_.open_writes(pass);
    text_.loop("j", 0, pass.radix);
    text_.line("exchange[{}] = v[m * {} + j]{};", address("b", "j", pass.butterflies), pass.radix, part);
    text_.close();
    memory_.close_writes(pass);
  }
  meet();
}

std::string StageExchange::place(const std::string& element, const char* slot) const {
  return fmt::format("exchange[{}]", slot_address(fmt::format("TW_PAD({})", element), slot));
}

void StageExchange::receive_line() {
  meet();
  text_.loop("i", 0, static_cast<unsigned>(stage_.length));
  text_.line("v[i] = {};", place("i"));
  text_.close();
  exchanged_ = true;
}

void StageExchange::send_line() {
  meet();
  text_.loop("i", 0, static_cast<unsigned>(stage_.length));
  text_.line("{} = v[i];", place("i"));
  text_.close();
  meet();
}

void StageExchange::send(const Pass& from, const Pass& to, const char* part, std::uint32_t round) {
  const auto chunk = static_cast<std::uint32_t>(plan::chip_points(stage_)) / shape_.exchange_rounds;
  const std::string value = fmt::format("v[m * {} + j]{}", from.radix, part);
  memory_.open_writes(from);
  const bool stays = from.mirrored || from.line_order;  // where the elements were taken from
  if (!stays) text_.line("const TW_UINT base = b / {0} * {1} + b % {0};", from.before, from.before * from.radix);
  text_.loop("j", 0, from.radix);
  if (to.line_order || from.line_order) {
    text_.line("exchange[{}] = {};", address(fmt::format("{}[m * {} + j]", places(to), from.radix)), value);
  } else if (stays) {
    text_.line("exchange[{}] = {};", address("b", "j", from.butterflies), value);
  } else if (shape_.exchange_rounds == 1) {
    text_.line("exchange[{}] = {};", address("base", "j", from.before), value);
  } else {
    text_.line("const TW_UINT at = base + j * {};", from.before);
    text_.line("if (at / {} == {}) exchange[{}] = {};", chunk, round, address(fmt::format("at % {}", chunk)), value);
  }
  text_.close();
  memory_.close_writes(from);
}

void StageExchange::receive(const Pass& to, const char* part, std::uint32_t round, const std::string& target) {
  const std::uint32_t rounds = shape_.exchange_rounds;
  const std::string value = fmt::format("{}[m * {} + k]{}", target, to.radix, part);
  memory_.open_reads(to);
  if (to.mirrored) text_.line("const TW_UINT base = b / {0} * {1} + b % {0};", to.before, to.before * to.radix);
  text_.loop("k", to.radix * round / rounds, to.radix * (round + 1) / rounds);
  if (to.mirrored) {
    text_.line("{} = exchange[{}];", value, address("base", "k", to.before));
  } else if (rounds == 1) {
    text_.line("{} = exchange[{}];", value, address("b", "k", to.butterflies));
  } else {
    const std::uint32_t skipped = static_cast<std::uint32_t>(plan::chip_points(stage_)) / rounds * round;
    text_.line("{} = exchange[{}];", value, address(fmt::format("b + k * {} - {}", to.butterflies, skipped)));
  }
  text_.close();
  memory_.close_reads();
}

void StageExchange::pass_run(bool loading) {
  const auto length = static_cast<unsigned>(stage_.length);
  const std::string run = fmt::format("exchange[TW_PAD(item + i * {})]", shape_.transforms_per_group);
  const std::string own = fmt::format("exchange[TW_PAD(item * {} + i)]", length);
  for (const char* part : parts()) {
    wait_for_readers();
    text_.loop("i", 0, length);
    text_.line("{} = v[i]{};", loading ? run : own, part);
    text_.close();
    meet();
    text_.loop("i", 0, length);
    text_.line("v[i]{} = {};", part, loading ? own : run);
    text_.close();
  }
}

// Where local memory keeps position `base` + `index` * `stride` of the current transform. The padding of a sum is the
// sum of the paddings where what is padded divides the stride, or `base`: a multiple of the first radix where the
// stride is 1. Then only `base` needs a division, and compilers see constants behind it.
std::string StageExchange::address(const std::string& base, const std::string& index, std::uint32_t stride) const {
  const std::uint32_t padding = shape_.padding;
  if (padding == 0 || stride % padding == 0) {
    const std::uint32_t step = stride + (padding == 0 ? 0 : stride / padding * skipped_);
    return slot_address(fmt::format("{} + {} * {}", padded(base), index, step));
  }
  const unsigned first = stage_.radices.front();
  if (stride != 1 || first % padding != 0) {
    return slot_address(padded(fmt::format("{} + {} * {}", base, index, stride)));
  }
  const std::string skipped = first == padding ? "" : fmt::format(" + {} / {} * {}", index, padding, skipped_);
  return slot_address(fmt::format("{} + {} * 1{}", padded(base), index, skipped));
}

std::string StageExchange::address(const std::string& position) const { return slot_address(padded(position)); }

// The place of a position behind all slots that are left out before it.
std::string StageExchange::padded(const std::string& position) const {
  return fmt::format("{}({})", skipped_ == 1 ? "TW_PAD" : "TW_PAD_VECTORS", position);
}

std::string StageExchange::slot_address(const std::string& padded) const {
  if (!plan::bundles_transforms(shape_)) return slot_address(padded, "slot");
  return slot_address(padded, fmt::format("(slot + m % {})", shape_.vector));
}

std::string StageExchange::slot_address(const std::string& padded, const std::string& slot) const {
  if (shape_.transforms_per_group == 1) return padded;
  if (layout_.transforms_inside) return fmt::format("({}) * {} + {}", padded, shape_.transforms_per_group, slot);
  return fmt::format("{} * {} + {}", slot, layout_.pitch, padded);
}

std::vector<const char*> StageExchange::parts() const {
  if (shape_.exchange == KernelShape::Exchange::split) return {".x", ".y"};
  return {""};
}

}  // namespace twiddle::kernel
