// The part of a stage kernel that uses local memory: how elements get from one work-item to another.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernel/stage_layout.hpp"
#include "kernel/stage_memory.hpp"
#include "kernel/text.hpp"

namespace twiddle::kernel {

class StageExchange {
 public:
  using Lanes = plan::KernelShape::Lanes;
  // Where in the text the work-items meet: from one character to before another.
  struct Meeting {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  StageExchange(const Prepared& prepared, const StageLayout& layout, StageMemory& memory, Text& text)
      : stage_(prepared.stage), layout_(layout), memory_(memory), text_(text), lanes_now_(stage_.shape.load) {}

  // Declares `lane` and `slot`: which of the items that share a transform this work-item is, and which transform.
  void declare_lanes(Lanes lanes) { write_mapping(lanes, true); }
  // What follows is done again and again: readers of the turn before may still be there at the first exchange.
  void repeats() { exchanged_ = true; }
  // `body` with these lanes, which may not be those of the pass at hand.
  void with_lanes(Lanes lanes, const std::function<void()>& body);

  // Sends the outputs of one pass to the work-items that need them in the next.
  void pass_on(const Pass& from, const Pass& to);
  // Where groups share a line: says that this one has read its columns, before its last butterflies of them. Once all have
  // said so, their results may be sent to the groups that hold their rows.
  void columns_read();
  // The first of these, when all work-items have read their elements; nothing where passes are not exchanged.
  [[nodiscard]] const std::optional<Meeting>& first_meeting() const { return first_meeting_; }
  // Between a run of memory, spread evenly over the group, and whole transforms in single work-items.
  void pass_run(bool loading);
  // Between lines in local memory and the single work-items that transform them.
  void receive_line();
  void send_line();
  // The outputs of the last pass, one part of them or all (""), to where place() finds them.
  void send_outputs(const Pass& pass, const char* part);
  // Where local memory keeps an element of the current transform's line.
  [[nodiscard]] std::string place(const std::string& element) const { return place(element, "slot"); }
  // Of the transform in another slot.
  [[nodiscard]] std::string place(const std::string& element, const char* slot) const;

 private:
  void write_mapping(Lanes lanes, bool declare);
  void change_lanes(Lanes lanes);
  void meet();
  void wait_for_readers();
  void pass_across(const Pass& from, const Pass& to);
  void look_up_places(const Pass& from, const Pass& to);
  [[nodiscard]] static const char* places(const Pass& to);
  void send(const Pass& from, const Pass& to, const char* part, std::uint32_t round);
  void receive(const Pass& to, const char* part, std::uint32_t round, const std::string& target);
  [[nodiscard]] std::string address(const std::string& base, const std::string& index, std::uint32_t stride) const;
  [[nodiscard]] std::string address(const std::string& position) const;
  [[nodiscard]] std::string padded(const std::string& position) const;
  // In the slot of the transform at hand: that of turn m, where work-items take several.
  [[nodiscard]] std::string slot_address(const std::string& padded) const;
  [[nodiscard]] std::string slot_address(const std::string& padded, const std::string& slot) const;
  [[nodiscard]] std::vector<const char*> parts() const;

  const plan::Stage& stage_;
  const plan::KernelShape& shape_ = stage_.shape;
  const StageLayout& layout_;
  StageMemory& memory_;
  Text& text_;
  bool exchanged_ = false;
  std::optional<Meeting> first_meeting_;
  std::uint32_t skipped_ = 1;  // slots that are left out after so many as the padding says
  Lanes lanes_now_;
};

}  // namespace twiddle::kernel
