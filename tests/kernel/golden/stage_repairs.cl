// 2 filters of 16385.
#define TW_KERNEL(items, groups) __kernel __attribute__((reqd_work_group_size(items, 1, 1))) void
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
#define TW_INDEX TW_UINT
#define TW_OFFSET int
#define TW_VALUE TW_COMPLEX
#define TW_ZERO TW_MAKE(0, 0)

// Where the sample is that stands at a position; below 0 where there is none.
TW_INLINE TW_OFFSET sample_at(const TW_OFFSET position, const TW_OFFSET length) {
  if (position >= 0 && position < length) return position;
  return -1;
}

TW_INLINE TW_VALUE add_product(const TW_VALUE sum, const TW_VALUE a, const TW_VALUE b) {
  return TW_MAKE(TW_FMA(a.x, b.x, TW_FMA(-a.y, b.y, sum.x)),
                 TW_FMA(a.x, b.y, TW_FMA(a.y, b.x, sum.y)));
}

TW_INLINE int is_finite(const TW_VALUE value) {
  const TW_REAL sum = value.x + value.y;
  return sum - sum == 0;
}

TW_INLINE int is_no_number(const TW_VALUE value) {
  return value.x != value.x && value.y != value.y;
}

TW_KERNEL(256, 1) stage(TW_GLOBAL const TW_VALUE* input, TW_GLOBAL TW_VALUE* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count, TW_GLOBAL const TW_COMPLEX* spectra) {
  TW_OFFSET rest = (TW_OFFSET)TW_GROUP;
  const TW_OFFSET tile = rest % 518;
  rest /= 518;
  const TW_OFFSET filter = rest % 2;
  rest /= 2;
  const TW_OFFSET turn_0 = rest % 1;
  rest /= 1;
  const TW_OFFSET turn_1 = rest;
  const TW_OFFSET start = -16384 + turn_0 * 4210688 + turn_1 * 0;
  TW_GLOBAL const TW_VALUE* from = input + (-16384 + turn_0 * 4210688 + turn_1 * 4194304 - start * 1);
  TW_GLOBAL TW_VALUE* to = output + (0 + filter * 4210688 + turn_0 * 4210688 + turn_1 * 8421376);
  TW_GLOBAL const TW_VALUE* taps = (TW_GLOBAL const TW_VALUE*)spectra + filter * 16385;
  const TW_OFFSET begin = tile / 14 * 114688;
  const TW_OFFSET end = begin + 114688 < 4210688 ? begin + 114688 : 4210688;
  const TW_OFFSET first = begin + tile % 14 * 256 + (TW_OFFSET)TW_ITEM;
  if (first >= end || is_finite(to[first * 1])) return;
  #pragma unroll 1
  for (TW_OFFSET result = first; result < end; result += 3584) {
    TW_VALUE sum[1];
    #pragma unroll
    for (TW_UINT r = 0; r < 1; ++r) {
      sum[r] = TW_ZERO;
    }
    {
      TW_GLOBAL const TW_VALUE* line = from;
      const TW_OFFSET tap = (0) * 16385;
      for (TW_OFFSET m = 0; m < 16385; ++m) {
        const TW_OFFSET at = sample_at(start + 16384 + result - m, 4194304);
        if (at < 0) continue;
        const TW_VALUE value = line[at * 1];
        #pragma unroll
        for (TW_UINT r = 0; r < 1; ++r) {
          sum[r] = add_product(sum[r], taps[tap + m], value);
        }
        if (is_no_number(sum[0])) break;
      }
    }
    #pragma unroll
    for (TW_UINT r = 0; r < 1; ++r) {
      to[result * 1 + (TW_OFFSET)r * 0] = sum[r];
    }
  }
}
