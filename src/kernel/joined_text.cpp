// In the words of the instruction set: accesses that groups agree on, and the second-level cache's policies.
#include "kernel/joined_text.hpp"

#include <fmt/format.h>

#include "twiddle/error.hpp"

namespace twiddle::kernel {
namespace {

// {0}: the type of a scalar in the instruction set, {1}: its sort of register. What is moved once leaves the cache
// first, so that what passes between the stages stays there; that is read past a unit's own cache, which other groups'
// stores do not reach. Whoever sees a count by look_up sees what was stored before it was announced, and stores behind
// what was read before.
constexpr std::string_view cuda_joined = R"(
TW_INLINE TW_WIDE leaves_first() {{
  TW_WIDE policy;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}}
TW_INLINE TW_COMPLEX load_once(const TW_COMPLEX* place, const TW_WIDE policy) {{
  TW_COMPLEX value;
  asm volatile("ld.global.L1::no_allocate.L2::cache_hint.v2.{0} {{%0, %1}}, [%2], %3;"
               : "={1}"(value.x), "={1}"(value.y)
               : "l"(__cvta_generic_to_global(place)), "l"(policy));
  return value;
}}
TW_INLINE void store_once(TW_COMPLEX* place, const TW_COMPLEX value, const TW_WIDE policy) {{
  asm volatile("st.global.L1::no_allocate.L2::cache_hint.v2.{0} [%0], {{%1, %2}}, %3;" ::"l"(
                   __cvta_generic_to_global(place)),
               "{1}"(value.x), "{1}"(value.y), "l"(policy)
               : "memory");
}}
#define TW_LOAD_ONCE(place) load_once(place, leaves_first())
#define TW_STORE_ONCE(place, value) store_once(place, value, leaves_first())
#define TW_LOAD_SHARED(place) __ldcg(place)
TW_INLINE TW_UINT draw_ticket(TW_UINT* counters) {{ return atomicAdd(counters, 1u); }}
TW_INLINE TW_UINT look_up(const TW_UINT* counter) {{
  TW_UINT count;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(count) : "l"(__cvta_generic_to_global(counter)) : "memory");
  return count;
}}
TW_INLINE void announce(TW_UINT* counter) {{
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(__cvta_generic_to_global(counter)) : "memory");
}}
)";

}  // namespace

std::string joined_prelude(Dialect dialect, Precision precision) {
  if (dialect != Dialect::cuda) {
    throw Unsupported("two stages are one launch in CUDA only; plan for limits without bulk copies");
  }
  const bool wide = precision == Precision::float64;
  return fmt::format(fmt::runtime(cuda_joined), wide ? "f64" : "f32", wide ? "d" : "f");
}

}  // namespace twiddle::kernel
