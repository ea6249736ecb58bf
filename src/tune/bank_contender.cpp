// Making contenders: plans of one convolution on the same memory.
#include "tune/bank_contender.hpp"

#include "tune/contender.hpp"

namespace twiddle::tuning {

BankArena::BankArena(const Device& device, const ConvolutionPlan& plan)
    : filters(random_samples(plan.filter_bytes(), plan.convolution().precision)),
      signal(device, plan.signal_bytes()),
      output(device, plan.output_bytes()) {
  signal.write(random_samples(plan.signal_bytes(), plan.convolution().precision));
}

BankContender::BankContender(const Device& device, const Convolution& convolution) : plan_(device, convolution) {}

std::vector<std::byte> BankContender::results(BankArena& arena) const {
  arena.output.write(std::vector<std::byte>(arena.output.size_bytes()));
  plan_.execute(arena.signal, arena.output);
  std::vector<std::byte> bytes(arena.output.size_bytes());
  arena.output.read(bytes);
  if (plan_.convolution().post.maximum) bytes.resize(bytes.size() / 2);
  return bytes;
}

double BankContender::milliseconds(BankArena& arena, std::size_t repetitions) const {
  return milliseconds_of(plan_.device(), repetitions, [&] { plan_.execute(arena.signal, arena.output); });
}

}  // namespace twiddle::tuning
