// 2 filters of 3x5 as columns and rows.
#define TW_KERNEL(items, groups) extern "C" __global__ void __launch_bounds__(items, groups)
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
#define TW_DEPENDENCY_WAIT() asm volatile("griddepcontrol.wait;" ::: "memory")
#define TW_INDEX TW_UINT
#define TW_OFFSET int
#define TW_VALUE TW_REAL
#define TW_ZERO 0

// Where the sample is that stands at a position; below 0 where there is none.
TW_INLINE TW_OFFSET sample_at(const TW_OFFSET position, const TW_OFFSET length) {
  if (position >= 0 && position < length) return position;
  TW_OFFSET rest = position % (2 * length);
  if (rest < 0) rest += 2 * length;
  return rest < length ? rest : 2 * length - 1 - rest;
}

TW_INLINE TW_VALUE add_product(const TW_VALUE sum, const TW_VALUE a, const TW_VALUE b) {
  return TW_FMA(a, b, sum);
}

TW_KERNEL(256, 1) stage(TW_GLOBAL const TW_VALUE* input, TW_GLOBAL TW_VALUE* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count, TW_GLOBAL const TW_COMPLEX* spectra) {
  TW_LOCAL_ARRAY(TW_VALUE, columns, 2080);
  TW_DEPENDENCY_WAIT();
  TW_OFFSET rest = (TW_OFFSET)TW_GROUP;
  const TW_OFFSET tile = rest % 2 * 256;
  rest /= 2;
  const TW_OFFSET filter = rest % 2;
  rest /= 2;
  const TW_OFFSET turn_0 = rest % 1;
  rest /= 1;
  const TW_OFFSET turn_1 = rest % 5 * 8;
  rest /= 5;
  const TW_OFFSET turn_2 = rest;
  const TW_OFFSET start = -4 + turn_0 * 504 + turn_1 * 0 + turn_2 * 0;
  TW_GLOBAL const TW_VALUE* from = input + (-4 + turn_0 * 504 + turn_1 * 0 + turn_2 * 15500 - start * 1);
  TW_GLOBAL TW_VALUE* to = output + (0 + filter * 16632 + turn_0 * 504 + turn_1 * 504 + turn_2 * 33264);
  TW_GLOBAL const TW_VALUE* taps = (TW_GLOBAL const TW_VALUE*)spectra + filter * 8;
  const TW_OFFSET result = tile + (TW_OFFSET)TW_ITEM;
  for (TW_OFFSET column = (TW_OFFSET)TW_ITEM; column < 260; column += 256) {
    TW_VALUE sum[8];
    #pragma unroll
    for (TW_UINT r = 0; r < 8; ++r) {
      sum[r] = TW_ZERO;
    }
    const TW_OFFSET at = sample_at(start + 0 + tile + column, 500);
    if (at >= 0) {
      for (TW_OFFSET o_0 = 0; o_0 < 10; ++o_0) {
        const TW_OFFSET line_0 = sample_at(turn_1 + (-2) + o_0, 31);
        if (line_0 < 0) continue;
        TW_GLOBAL const TW_VALUE* line = from + line_0 * 500;
        const TW_OFFSET tap = ((0) * 3 + (2 - o_0)) * 1;
        const TW_VALUE value = line[at * 1];
        #pragma unroll
        for (TW_UINT r = 0; r < 8; ++r) {
          if (o_0 - 2 <= (TW_OFFSET)r && (TW_OFFSET)r <= o_0) sum[r] = add_product(sum[r], taps[tap + (TW_OFFSET)r * 1], value);
        }
      }
    }
    #pragma unroll
    for (TW_UINT r = 0; r < 8; ++r) {
      columns[r * 260 + column] = sum[r];
    }
  }
  TW_BARRIER();
  if (result >= 504 || 0 + result + turn_0 * 504 + turn_1 * 0 + turn_2 * 0 >= 504) return;
  TW_VALUE sum[8];
  #pragma unroll
  for (TW_UINT r = 0; r < 8; ++r) {
    sum[r] = TW_ZERO;
  }
  for (TW_OFFSET m = 0; m < 5; ++m) {
    const TW_VALUE value = taps[3 + m];
    #pragma unroll
    for (TW_UINT r = 0; r < 8; ++r) {
      sum[r] = add_product(sum[r], value, columns[r * 260 + (TW_OFFSET)TW_ITEM + 4 - m]);
    }
  }
  #pragma unroll
  for (TW_UINT r = 0; r < 8; ++r) {
    if (turn_1 + (TW_OFFSET)r < 33) to[result * 1 + (TW_OFFSET)r * 504] = sum[r];
  }
}
