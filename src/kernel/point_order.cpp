// Orders of points, from the last pass to the first.
#include "kernel/point_order.hpp"

#include <algorithm>
#include <numeric>

namespace twiddle::kernel {

PointOrder point_order(std::span<const Pass> passes) {
  PointOrder order{{0}, {0}};
  for (std::size_t i = passes.size(); i-- > 0;) {
    const auto groups = static_cast<std::uint32_t>(order.elements.size());
    const std::uint32_t radix = passes[i].radix;
    const std::uint32_t points = radix * groups;
    const bool coprime = passes[i].coprime;
    PointOrder longer{std::vector<std::uint32_t>(points), std::vector<std::uint32_t>(points)};
    std::vector<std::uint32_t> place(groups);  // of each frequency
    for (std::uint32_t p = 0; p < groups; ++p) place[order.frequencies[p]] = p;
    for (std::uint32_t n = 0; n < points; ++n) {
      const std::uint32_t element = order.elements[n % groups];
      longer.elements[n] = coprime ? (radix * element + n / groups * groups) % points : element + n / groups * groups;
      longer.frequencies[n % radix + radix * place[coprime ? n % groups : n / radix]] = n;
    }
    order = std::move(longer);
  }
  return order;
}

void leave_out_twiddles(const plan::Stage& stage, std::vector<Pass>& passes) {
  if (!is_by_rader(stage) || stage.shape.same_way_back) return;
  for (Pass& pass : passes) pass.coprime = std::gcd(pass.radix, pass.groups) == 1;
}

}  // namespace twiddle::kernel
