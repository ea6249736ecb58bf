// Loads and stores that the SIMD kernels do not do themselves: any strides, any factors, element by element, by way of
// an interleaved array [element][lane].
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend/host/stage_loops.hpp"
#include "plan/stage.hpp"

namespace twiddle::backend::host {

class Staging {
 public:
  // `twiddle_done`: the stage twiddle is applied elsewhere.
  Staging(const plan::Stage& stage, const Position& lane_step, bool twiddle_done);

  // staged[element * lanes + lane] = the inputs, times what the stage multiplies them by; zero beyond `active` lanes.
  void load(const std::complex<float>* input, const StageLoops::Item& item, std::size_t lanes,
            std::complex<float>* staged) const;
  // The same way back, `active` lanes only. Scale is not applied.
  void store(const std::complex<float>* staged, const StageLoops::Item& item, std::size_t lanes,
             std::complex<float>* output) const;

 private:
  struct Sequence {
    std::vector<std::complex<float>> values;  // empty: none
    std::int64_t element_stride = 0;
  };
  [[nodiscard]] std::complex<float> twiddle(std::uint64_t k, std::uint64_t index) const;

  std::size_t length_;
  std::int64_t input_stride_;
  std::int64_t output_stride_;
  Position lane_step_;
  Sequence load_factor_;
  Sequence store_factor_;
  bool twiddle_on_load_ = false;
  bool twiddle_on_store_ = false;
  std::uint64_t modulus_ = 1;
  // w^n = coarse[n / fine.size()] * fine[n % fine.size()]
  std::vector<std::complex<double>> fine_;
  std::vector<std::complex<double>> coarse_;
};

}  // namespace twiddle::backend::host
