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
// in runs, so that a segment's forward transform is repeated only where two groups meet in it; or whole segments, where
// the shape says so or the largest output of all filters is wanted; or segments in turns, and pairs of those that
// remain.
class StageBank {
 public:
  // Writes the passes from one to before another.
  using Passes = std::function<void(std::size_t from, std::size_t to)>;

  StageBank(const plan::Stage& stage, const StageLayout& layout, StageMemory& memory, StageExchange& exchange,
            Text& text, bool dependent_launch)
      : stage_(stage),
        layout_(layout),
        memory_(memory),
        exchange_(exchange),
        text_(text),
        dependent_launch_(dependent_launch) {}

  // Whether the kernel has the spectra as a parameter.
  [[nodiscard]] bool reads_spectra() const;
  // Whether the kernel waits for the one before where it needs the spectra, if that makes them, and not sooner. By then
  // it has its first segment's spectrum. The kernel that makes the filters' has waited for all before it when it lets
  // this one start, so that signals are there; they are read past the first-level cache, which may hold older ones.
  [[nodiscard]] bool starts_early() const;
  // Of the launch.
  [[nodiscard]] std::uint64_t groups() const;

  // Whether the roots of a pass are in registers, as kept and the pass's `constants` name them: that of output j in
  // element j.
  [[nodiscard]] bool keeps_roots(const Pass& pass) const;

  void write_body(const Passes& passes);

 private:
  void make_spectra(const Passes& passes);
  void apply(const Passes& passes);
  void share_out();
  void take_segment();
  void declare_roots();
  void multiply_by_filter();
  void locate_spectrum(const std::string& filter);
  void fetch(const std::string& filter);
  void go_back(const Passes& passes);
  [[nodiscard]] std::uint32_t held() const;
  [[nodiscard]] bool in_pairs() const;
  [[nodiscard]] std::uint32_t fetched_ahead() const;
  [[nodiscard]] bool finds_largest() const;
  [[nodiscard]] bool takes_segments() const;
  [[nodiscard]] bool takes_turns() const;
  [[nodiscard]] bool has_many_groups() const;
  [[nodiscard]] bool looks_once() const;  // for results that are not finite

  const plan::Stage& stage_;
  const StageLayout& layout_;
  StageMemory& memory_;
  StageExchange& exchange_;
  Text& text_;
  bool dependent_launch_;
};

}  // namespace twiddle::kernel
