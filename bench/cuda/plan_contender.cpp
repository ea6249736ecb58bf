// Prepared once, so that each run is launches and nothing else.
#include "plan_contender.hpp"

#include "forward_data.hpp"
#include "twiddle/twiddle.hpp"

namespace twiddle::bench {
namespace {

class PlanContender : public Contender {
 public:
  PlanContender(const Device& device, const Transform& transform, const CudaPlace& place)
      : plan_(device, transform),
        data_(cuda::wrap(device, place.pointer, data_bytes(transform))),
        stream_(place.stream) {
    plan_.prepare(stream_, Direction::forward, Placement::in_place);
  }
  void run() override { plan_.execute(stream_, Direction::forward, data_); }

 private:
  Plan plan_;
  Buffer data_;
  cuda::Stream stream_;
};

}  // namespace

std::unique_ptr<Contender> make_plan_contender(const Device& device, const Transform& transform,
                                               const CudaPlace& place) {
  return std::make_unique<PlanContender>(device, transform, place);
}

}  // namespace twiddle::bench
