// Strategies drawn field by field until one does not contradict itself.
#include "support/random_strategy.hpp"

#include "twiddle/error.hpp"
#include "verify/random.hpp"

namespace twiddle::test {
namespace {

template <class Value>
void draw(verify::Random& random, Value& field, const std::vector<Value>& values) {
  if (random.chance(50)) field = random.choose(values);
}

Strategy draw_all(verify::Random& random, bool kernels) {
  Strategy strategy;
  draw(random, strategy.radices, {Strategy::Radices::four_and_two, Strategy::Radices::two});
  draw(random, strategy.twiddles, {Strategy::Twiddles::separate});
  draw(random, strategy.reversal, {Strategy::DigitReversal::separate});
  draw(random, strategy.staging, {Strategy::Staging::through_memory});
  draw(random, strategy.transposes,
       {Strategy::Transposes::host, Strategy::Transposes::elementwise, Strategy::Transposes::blocked});
  if (strategy.transposes == Strategy::Transposes::blocked) draw(random, strategy.block, {2U, 3U, 8U, 32U});
  draw(random, strategy.algorithm, {Strategy::Algorithm::fft});
  draw(random, strategy.parts, {Strategy::Parts::planar});
  if (!kernels) return strategy;
  draw(random, strategy.staging, {Strategy::Staging::on_chip, Strategy::Staging::through_memory});
  draw(random, strategy.launches, {Strategy::Launches::one_per_row});
  if (strategy.block == 0 && random.chance(20)) strategy.transposes = Strategy::Transposes::in_place;
  if (random.chance(20)) strategy.algorithm = Strategy::Algorithm::direct;
  draw(random, strategy.group, {1U, 16U, 24U, 64U});
  draw(random, strategy.elements, {4U, 8U, 16U, 20U});
  draw(random, strategy.vector, {1U, 2U});
  draw(random, strategy.exchange, {Strategy::Exchange::complex, Strategy::Exchange::split});
  return strategy;
}

}  // namespace

Strategy random_strategy(std::uint64_t seed, bool kernels) {
  for (verify::Random random(seed);;) {
    const Strategy strategy = draw_all(random, kernels);
    try {
      validate(strategy);
      return strategy;
    } catch (const InvalidArgument&) {
      continue;
    }
  }
}

}  // namespace twiddle::test
