// The preludes: what each dialect calls the few things that a kernel needs beyond plain C.
#include "kernel/dialect.hpp"

#include <fmt/format.h>

#include "twiddle/error.hpp"

namespace twiddle::kernel {
namespace {

constexpr std::string_view opencl_kernel =
    "#define TW_KERNEL(items, groups) __kernel __attribute__((reqd_work_group_size(items, 1, 1))) void\n";
// NVIDIA's compiler takes no other limit of registers where the text says the size of a group.
constexpr std::string_view opencl_limited_kernel = "#define TW_KERNEL(items, groups) __kernel void\n";

constexpr std::string_view opencl_prelude = R"(#define TW_INLINE static inline
#define TW_GLOBAL __global
#define TW_LOCAL_ARRAY(type, name, count) __local type name[count]
#define TW_BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define TW_ITEM ((TW_UINT)get_local_id(0))
#define TW_GROUP ((TW_UINT)get_group_id(0))
#define TW_UINT uint
#define TW_WIDE ulong
)";

constexpr std::string_view opencl_float = R"(#define TW_REAL float
#define TW_COMPLEX float2
#define TW_MAKE(re, im) ((TW_COMPLEX)((re), (im)))
#ifdef FP_FAST_FMAF
#define TW_FMA(a, b, c) fma(a, b, c)
#else
#define TW_FMA(a, b, c) ((a) * (b) + (c))
#endif
)";

constexpr std::string_view opencl_double = R"(#define TW_REAL double
#define TW_COMPLEX double2
#define TW_MAKE(re, im) ((TW_COMPLEX)((re), (im)))
#ifdef FP_FAST_FMA
#define TW_FMA(a, b, c) fma(a, b, c)
#else
#define TW_FMA(a, b, c) ((a) * (b) + (c))
#endif
)";

constexpr std::string_view cuda_prelude =
    R"(#define TW_KERNEL(items, groups) extern "C" __global__ void __launch_bounds__(items, groups)
#define TW_INLINE __device__ __forceinline__ static
#define TW_GLOBAL
#define TW_LOCAL_ARRAY(type, name, count) extern __shared__ __align__(16) type name[]
#define TW_BARRIER() __syncthreads()
#define TW_ITEM threadIdx.x
#define TW_GROUP blockIdx.x
#define TW_UINT unsigned int
#define TW_WIDE unsigned long long
)";

constexpr std::string_view cuda_float = R"(#define TW_REAL float
#define TW_COMPLEX float2
#define TW_MAKE(re, im) make_float2((re), (im))
#define TW_FMA(a, b, c) __fmaf_rn(a, b, c)
)";

constexpr std::string_view cuda_double = R"(#define TW_REAL double
#define TW_COMPLEX double2
#define TW_MAKE(re, im) make_double2((re), (im))
#define TW_FMA(a, b, c) __fma_rn(a, b, c)
)";

constexpr std::string_view opencl_half = R"(#define TW_HALF ushort
#define TW_LOAD_HALF(data) vload_half(0, (TW_GLOBAL const half*)(data))
#define TW_LOAD_HALF2(data) vload_half2(0, (TW_GLOBAL const half*)(data))
#define TW_STORE_HALF(data, value) vstore_half_rte((float)(value), 0, (TW_GLOBAL half*)(data))
#define TW_STORE_HALF2(data, re, im) vstore_half2_rte((float2)((re), (im)), 0, (TW_GLOBAL half*)(data))
)";

// In the words of the instruction set, since CUDA's own header of half precision may not be there.
constexpr std::string_view cuda_half = R"(#define TW_HALF unsigned short
TW_INLINE float from_half(const TW_HALF bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}
TW_INLINE TW_HALF to_half(const float value) {
  TW_HALF bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}
#define TW_LOAD_HALF(data) from_half(*(data))
#define TW_LOAD_HALF2(data) make_float2(from_half((data)->x), from_half((data)->y))
#define TW_STORE_HALF(data, value) (*(data) = to_half((float)(value)))
#define TW_STORE_HALF2(data, re, im) (*(data) = make_ushort2(to_half((float)(re)), to_half((float)(im))))
)";

constexpr std::string_view word_functions =
    R"(#define TW_JOIN_WORDS(upper, lower) TW_FROM_BITS((TW_UINT)(upper) << 16 | (lower))
#define TW_UPPER_WORD(value) ((TW_HALF)(TW_BITS(value) >> 16))
#define TW_LOWER_WORD(value) ((TW_HALF)(TW_BITS(value) & 65535))
)";

constexpr std::string_view opencl_bits = R"(#define TW_BITS(value) as_uint(value)
#define TW_FROM_BITS(bits) as_float(bits)
)";

constexpr std::string_view cuda_bits = R"(#define TW_BITS(value) __float_as_uint(value)
#define TW_FROM_BITS(bits) __uint_as_float(bits)
)";

constexpr std::string_view opencl_vector = R"(#define TW_VECTOR float4
#define TW_LOAD_VECTOR(data) (*(TW_GLOBAL const TW_VECTOR*)(data))
#define TW_STORE_VECTOR(data, a, b) (*(TW_GLOBAL TW_VECTOR*)(data) = (TW_VECTOR)((a), (b)))
#define TW_ALIGNED(data) (((TW_WIDE)(data) & 15) == 0)
)";

constexpr std::string_view cuda_vector = R"(#define TW_VECTOR float4
#define TW_LOAD_VECTOR(data) (*(const TW_VECTOR*)(data))
#define TW_STORE_VECTOR(data, a, b) store_vector((TW_VECTOR*)(data), (a), (b))
#define TW_ALIGNED(data) (((TW_WIDE)(data) & 15) == 0)
TW_INLINE void store_vector(TW_VECTOR* data, const TW_COMPLEX a, const TW_COMPLEX b) {
  *data = make_float4(a.x, a.y, b.x, b.y);
}
)";

// Likewise, since CUDA's header of groups that cooperate may not be there.
constexpr std::string_view cuda_cluster = R"(#define TW_CLUSTER(groups) __cluster_dims__(groups, 1, 1)
#define TW_CLUSTER_ARRIVE() asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory")
#define TW_CLUSTER_WAIT() asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory")
TW_INLINE TW_COMPLEX* memory_of_group(TW_COMPLEX* own, const TW_UINT group) {
  TW_COMPLEX* there;
  asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(own), "r"(group));
  return there;
}
)";

// Likewise. A line goes to local memory in one bulk copy, from a multiple of 16 bytes to such: what lies before the
// first and behind the last one in it, an element each at most, is copied for itself. The arrival counts both sorts of
// copies. Bulk copies do not go the way of other accesses, so that a fence comes before them: other work-items have
// read the line before from the same place (a barrier lies between), and a kernel before this one may have written the
// new one. Of a tile, each work-item copies 16 bytes at a time, past the unit's own cache, which has little room beside
// the tile: by elements, through that cache, it takes up to 1.5 times as long. Only memory that begins between
// multiples of 16 bytes is copied so.
constexpr std::string_view cuda_prefetch = R"(#define TW_GROUPS gridDim.x
#define TW_ARRIVAL unsigned long long
TW_INLINE TW_UINT local_address(const void* place) { return (TW_UINT)__cvta_generic_to_shared(place); }
TW_INLINE TW_UINT before_line(const TW_COMPLEX* source) {
  return (TW_UINT)((unsigned long long)source % 16 / sizeof(TW_COMPLEX));
}
TW_INLINE void prepare_arrival(TW_ARRIVAL* arrival) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 2;" ::"r"(local_address(arrival)) : "memory");
}
TW_INLINE void fetch_element(TW_COMPLEX* place, const TW_COMPLEX* source) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(local_address(place)),
               "l"(__cvta_generic_to_global(source)), "n"(sizeof(TW_COMPLEX))
               : "memory");
}
TW_INLINE void fetch_16_bytes(TW_COMPLEX* place, const TW_COMPLEX* source, const bool whole) {
  if (whole) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(local_address(place)),
                 "l"(__cvta_generic_to_global(source))
                 : "memory");
  } else {
    fetch_element(place, source);
    fetch_element(place + 1, source + 1);
  }
}
TW_INLINE void await_elements() { asm volatile("cp.async.wait_all;" ::: "memory"); }
TW_INLINE void fetch_line(TW_COMPLEX* memory, TW_ARRIVAL* arrival, const TW_COMPLEX* source, const TW_UINT length) {
  const TW_UINT unit = 16 / sizeof(TW_COMPLEX);
  const TW_UINT before = before_line(source);
  const TW_UINT copied = (length - before) / unit * unit;
  const TW_UINT bytes = copied * sizeof(TW_COMPLEX);
  TW_COMPLEX* const line = memory + before;
  asm volatile("fence.proxy.async;" ::: "memory");
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(local_address(arrival)), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   local_address(line + before)),
               "l"(__cvta_generic_to_global(source + before)), "r"(bytes), "r"(local_address(arrival))
               : "memory");
  if (before != 0) fetch_element(line, source);
  if (before + copied < length) fetch_element(line + length - 1, source + length - 1);
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(local_address(arrival)) : "memory");
}
TW_INLINE void await_line(TW_ARRIVAL* arrival, const TW_UINT turn) {
  TW_UINT arrived = 0;
  while (arrived == 0) {
    asm volatile(
        "{\n.reg .pred there;\nmbarrier.try_wait.parity.shared::cta.b64 there, [%1], %2;\nselp.u32 %0, 1, 0, there;\n}"
        : "=r"(arrived)
        : "r"(local_address(arrival)), "r"(turn % 2)
        : "memory");
  }
}
)";

// Likewise. A kernel is launched once all groups of the one before have left, and waits until that has ended, with all
// that it wrote in sight. That one waited as well: so nothing is read before it is written, or overwritten before it is
// read, however many kernels follow each other. The compiler moves no access to memory ahead. Only the kernel that
// makes the spectra of filters asks for the next to be launched sooner, once it has waited itself; the groups of others
// would lose their places to those of the next.
constexpr std::string_view cuda_dependent_launch =
    R"(#define TW_DEPENDENCY_WAIT() asm volatile("griddepcontrol.wait;" ::: "memory")
)";

constexpr std::string_view cuda_early_start =
    R"(#define TW_DEPENDENT_START() asm volatile("griddepcontrol.launch_dependents;" ::: "memory")
#define TW_LOAD_SHARED(place) __ldcg(place)
)";

// Past a unit's own cache, where what is read again and again stays; compilers before 11.4 do not know how, nor do
// devices before Volta.
constexpr std::string_view cuda_stream = R"(
#if __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1104 && __CUDA_ARCH__ >= 700
TW_INLINE void store_past_cache(float* place, const float value) {
  asm volatile("st.global.L1::no_allocate.f32 [%0], %1;" ::"l"(__cvta_generic_to_global(place)), "f"(value));
}
TW_INLINE void store_past_cache(double* place, const double value) {
  asm volatile("st.global.L1::no_allocate.f64 [%0], %1;" ::"l"(__cvta_generic_to_global(place)), "d"(value));
}
TW_INLINE void store_past_cache(float2* place, const float2 value) {
  asm volatile("st.global.L1::no_allocate.v2.f32 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(place)),
               "f"(value.x), "f"(value.y));
}
TW_INLINE void store_past_cache(double2* place, const double2 value) {
  asm volatile("st.global.L1::no_allocate.v2.f64 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(place)),
               "d"(value.x), "d"(value.y));
}
#define TW_STREAM(place, value) store_past_cache(place, value)
#else
#define TW_STREAM(place, value) __stcs(place, value)
#endif
)";

// The same in OpenCL, which has no word of its own for it: {0} is the type in PTX, {1} the sort of register.
constexpr std::string_view opencl_stream = R"(
#ifdef {2}
TW_INLINE void __attribute__((overloadable)) store_past_cache(TW_GLOBAL TW_REAL* place, const TW_REAL value) {{
  asm volatile("st.global.L1::no_allocate.{0} [%0], %1;" ::"l"(place), "{1}"(value));
}}
TW_INLINE void __attribute__((overloadable)) store_past_cache(TW_GLOBAL TW_COMPLEX* place, const TW_COMPLEX value) {{
  asm volatile("st.global.L1::no_allocate.v2.{0} [%0], {{%1, %2}};" ::"l"(place), "{1}"(value.x), "{1}"(value.y));
}}
#define TW_STREAM(place, value) store_past_cache(place, value)
#else
#define TW_STREAM(place, value) (*(place) = (value))
#endif
)";

}  // namespace

std::string prelude(Dialect dialect, Precision precision, bool limits_registers) {
  const bool wide = precision == Precision::float64;
  switch (dialect) {
    case Dialect::opencl:
      return std::string(limits_registers ? opencl_limited_kernel : opencl_kernel) + std::string(opencl_prelude) +
             std::string(wide ? opencl_double : opencl_float);
    case Dialect::cuda:
      return std::string(cuda_prelude) + std::string(wide ? cuda_double : cuda_float);
    case Dialect::host:
      break;
  }
  return {};
}

std::string_view half_prelude(Dialect dialect) {
  return dialect == Dialect::opencl ? opencl_half : dialect == Dialect::cuda ? cuda_half : std::string_view();
}

std::string word_prelude(Dialect dialect) {
  if (dialect == Dialect::host) return {};
  return std::string(dialect == Dialect::opencl ? opencl_bits : cuda_bits) + std::string(word_functions);
}

std::string_view vector_prelude(Dialect dialect) { return dialect == Dialect::opencl ? opencl_vector : cuda_vector; }

std::string_view cluster_prelude(Dialect dialect) {
  if (dialect == Dialect::cuda) return cuda_cluster;
  throw Unsupported("work-groups reach each other's local memory in CUDA only; plan for limits without clusters");
}

std::string_view prefetch_prelude(Dialect dialect) {
  if (dialect == Dialect::cuda) return cuda_prefetch;
  throw Unsupported("lines are fetched ahead in CUDA only; plan for limits without bulk copies");
}

std::string_view dependent_launch_prelude(Dialect dialect) {
  return has_dependent_launches(dialect) ? cuda_dependent_launch : std::string_view();
}

std::string_view early_start_prelude(Dialect dialect) {
  return has_dependent_launches(dialect) ? cuda_early_start : std::string_view();
}

std::string stream_prelude(Dialect dialect, Precision precision) {
  if (dialect == Dialect::cuda) return std::string(cuda_stream);
  const bool wide = precision == Precision::float64;
  return fmt::format(fmt::runtime(opencl_stream), wide ? "f64" : "f32", wide ? "d" : "f", knows_ptx);
}

std::string_view double_prelude(Dialect dialect) {
  return dialect == Dialect::opencl ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "";
}

std::string_view signed_type(Dialect dialect, bool wide) {
  if (!wide) return "int";
  return dialect == Dialect::opencl ? "long" : "long long";
}

std::string literal(double value, Precision precision) {
  return precision == Precision::float64 ? fmt::format("{:.17e}", value)
                                         : fmt::format("{:.9e}f", static_cast<float>(value));
}

}  // namespace twiddle::kernel
