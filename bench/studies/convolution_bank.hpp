// A filter bank over one long signal on a device, as stages: overlap-save in one kernel, and the same in kernels apart.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/engine.hpp"
#include "plan/lower/stage.hpp"
#include "twiddle/convolution.hpp"
#include "twiddle/twiddle.hpp"

namespace twiddle::bench {

// How one kernel does it: "16.16.16/128/2/256/4/kept/turns" names the radices and, where they are not what is chosen
// by itself (0, or left out), the registers of a work-item, the groups of a compute unit, the work-items of a group,
// the step of the roots it reads, whether it keeps these (kept or read), what groups share (pairs, segments or
// turns) and how many pairs of the next filter's spectrum are read ahead.
struct BankShape {
  std::vector<unsigned> radices;
  std::uint32_t registers = 0;
  std::uint32_t groups = 0;
  std::uint32_t items = 0;
  std::uint32_t root_step = 0;
  std::optional<bool> keeps_roots;
  std::optional<plan::KernelShape::Sharing> sharing;
  std::optional<std::uint32_t> fetched_ahead;
};
[[nodiscard]] BankShape parse_bank_shape(const std::string& text);
[[nodiscard]] std::string to_text(const std::vector<unsigned>& radices);

// What a benchmark runs: the filters' transforms included.
class BankRun {
 public:
  // In one kernel after the filters' own; without a shape as the library chooses.
  static BankRun fused(const Device& device, const Convolution& convolution, const std::optional<BankShape>& shape);
  // Forward, products, and back in kernels of their own; complex signals.
  static BankRun apart(const Device& device, const Convolution& convolution, std::uint64_t segment,
                       const std::vector<std::complex<float>>& filters);

  // Submits all of it, or all but the filters' transforms.
  void submit(const Buffer& signal, const Buffer& filters, Buffer& output, bool with_filters = true) const;
  [[nodiscard]] const std::string& text() const { return text_; }
  // From a filter's outputs to the next one's; 0 where there is nothing between them.
  [[nodiscard]] std::size_t pitch() const { return pitch_; }

 private:
  struct Step {
    std::shared_ptr<const backend::Executable> executable;
    bool reads_filters = false;
  };
  std::vector<Step> steps_;
  std::shared_ptr<Buffer> spectra_;
  std::shared_ptr<Buffer> scratch_;
  std::shared_ptr<Buffer> own_filters_;
  std::string text_;
  std::size_t pitch_ = 0;
};

}  // namespace twiddle::bench
