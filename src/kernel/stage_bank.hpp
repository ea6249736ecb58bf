// The body of a stage kernel that carries out a bank of filters: the spectra of the filters, and segments of signals
// through all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "kernel/stage_exchange.hpp"
#include "kernel/stage_layout.hpp"
#include "kernel/stage_memory.hpp"
#include "kernel/text.hpp"

namespace twiddle::kernel {

// A group has one segment at a time. Its spectrum stays where the last forward pass leaves it, in registers, while each
// filter's is read, multiplied and transformed back. The groups share out all pairs of a segment and a filter evenly,
// in runs, so that a segment's forward transform is repeated only where two groups meet in it.
class StageBank {
 public:
  // Writes the passes from one to before another.
  using Passes = std::function<void(std::size_t from, std::size_t to)>;

  StageBank(const plan::Stage& stage, const StageLayout& layout, StageMemory& memory, StageExchange& exchange,
            Text& text)
      : stage_(stage), layout_(layout), memory_(memory), exchange_(exchange), text_(text) {}

  // Whether the kernel has the spectra as a parameter.
  [[nodiscard]] bool reads_spectra() const;
  // Of the launch.
  [[nodiscard]] std::uint64_t groups() const;

  void write_body(const Passes& passes);

 private:
  void make_spectra(const Passes& passes);
  void apply(const Passes& passes);
  void share_out();
  void multiply_by_filter();
  [[nodiscard]] std::uint32_t held() const;
  [[nodiscard]] bool in_pairs() const;
  [[nodiscard]] bool finds_largest() const;

  const plan::Stage& stage_;
  const StageLayout& layout_;
  StageMemory& memory_;
  StageExchange& exchange_;
  Text& text_;
};

}  // namespace twiddle::kernel
