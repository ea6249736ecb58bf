// Neighbouring lines that are adjacent in memory, each number times a value of its own on the way to a bundle or back:
// the ends of Bluestein's algorithm through memory, where the values are the chirp.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "backend/host/pass.hpp"
#include "backend/host/stage_loops.hpp"
#include "plan/lower/stage.hpp"
#include "plan/numbers/long_vector.hpp"

namespace twiddle::backend::host {

template <class T>
class MultipliedLanes {
 public:
  enum class Side { load, store };

  // Of a stage in scalars, whose neighbours along `lane_step` stand side by side. Complex numbers are in the lanes as
  // `order` says, reals in their own. Nothing where the side has no factor, or more than that to do but for a twiddle;
  // for numbers that are not adjacent, or not of the arithmetic's precision; and for values that are not adjacent.
  static std::optional<MultipliedLanes> make(const plan::Stage& stage, Side side, const Position& lane_step,
                                             LaneOrder order, std::int64_t targets);

  // Whether memory has reals: then the lanes are in their own order.
  [[nodiscard]] bool has_reals() const { return real_; }
  // How many elements any line has at most in memory.
  [[nodiscard]] std::size_t most_elements() const;
  // How many elements, from the first on, the lines that begin there have in memory; nothing where some have more than
  // others.
  [[nodiscard]] std::optional<std::size_t> elements(const Position& position, std::size_t lanes) const;

  // That many of each line, to planes in the transform's direction; the others become zero.
  void load(const T* from, const Position& position, std::size_t elements, std::size_t lanes,
            const Planes<T>& to) const;
  // And back, times `scale`.
  void store(const Planes<T>& from, const Position& position, std::size_t elements, std::size_t lanes, T scale,
             T* to) const;

 private:
  // Numbers below this, counted by elements and lanes from a line's own position on, are there.
  struct Range {
    std::int64_t count = 0;
    std::int64_t element_stride = 1;
    [[nodiscard]] std::int64_t below(std::int64_t base, std::int64_t lane) const;
  };
  MultipliedLanes() = default;
  [[nodiscard]] std::int64_t value_position(const Position& position) const;

  std::shared_ptr<const plan::LongVector<std::complex<T>>> values_;
  MoveFunction<T> move_ = nullptr;
  Side side_ = Side::load;
  bool real_ = false;
  bool real_first_ = false;  // the first value's number counts without its imaginary part
  std::size_t length_ = 1;
  std::int64_t stride_ = 2;  // from an element to the next in memory
  Range factor_;
  std::optional<Range> bound_;
};

}  // namespace twiddle::backend::host
