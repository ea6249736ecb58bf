// The preludes: what each dialect calls the few things that a kernel needs beyond plain C.
#include "kernel/dialect.hpp"

namespace twiddle::kernel {
namespace {

constexpr std::string_view opencl_prelude = R"(#define TW_KERNEL(items, groups) __kernel __attribute__((reqd_work_group_size(items, 1, 1))) void
#define TW_INLINE static inline
#define TW_GLOBAL __global
#define TW_LOCAL_ARRAY(type, name, count) __local type name[count]
#define TW_BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define TW_ITEM ((TW_UINT)get_local_id(0))
#define TW_GROUP ((TW_UINT)get_group_id(0))
#define TW_UINT uint
#define TW_WIDE ulong
#define TW_REAL float
#define TW_COMPLEX float2
#define TW_MAKE(re, im) ((TW_COMPLEX)((re), (im)))
#ifdef FP_FAST_FMAF
#define TW_FMA(a, b, c) fma(a, b, c)
#else
#define TW_FMA(a, b, c) ((a) * (b) + (c))
#endif
)";

constexpr std::string_view cuda_prelude = R"(#define TW_KERNEL(items, groups) extern "C" __global__ void __launch_bounds__(items, groups)
#define TW_INLINE __device__ __forceinline__ static
#define TW_GLOBAL
#define TW_LOCAL_ARRAY(type, name, count) extern __shared__ __align__(16) type name[]
#define TW_BARRIER() __syncthreads()
#define TW_ITEM threadIdx.x
#define TW_GROUP blockIdx.x
#define TW_UINT unsigned int
#define TW_WIDE unsigned long long
#define TW_REAL float
#define TW_COMPLEX float2
#define TW_MAKE(re, im) make_float2((re), (im))
#define TW_FMA(a, b, c) __fmaf_rn(a, b, c)
)";

}  // namespace

std::string_view prelude(Dialect dialect) {
  switch (dialect) {
    case Dialect::opencl: return opencl_prelude;
    case Dialect::cuda: return cuda_prelude;
    case Dialect::host: break;
  }
  return {};
}

}  // namespace twiddle::kernel
