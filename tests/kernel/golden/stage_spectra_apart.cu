// A forward transform of 1 points.
// Each line is first made by the map 'two spectra after 45'.
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
#define TW_INDEX TW_UINT

TW_INLINE TW_COMPLEX multiply(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, -(a.y * b.y)), TW_FMA(a.x, b.y, a.y * b.x));
}


// 1 items for each transform, 128 transforms in a group.
TW_KERNEL(128, 1) stage(TW_GLOBAL const TW_COMPLEX* input, TW_GLOBAL TW_COMPLEX* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count) {
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[2];
  TW_UINT lane = 0;
  TW_UINT slot = item;
  if ((TW_INDEX)TW_GROUP * 128 + slot >= count) return;
  
  // load
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 128 + slot;
    const TW_INDEX transform = own;
    const TW_INDEX loop0 = transform % 23;
    const TW_INDEX rest0 = transform / 23;
    const TW_INDEX loop1 = rest0;
    TW_GLOBAL const TW_COMPLEX* source = input + (loop1 * 64);
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      const TW_UINT b = lane;
      #pragma unroll
      for (TW_UINT k = 0; k < 1; ++k) {
        const TW_INDEX element = loop0;
        {
          const TW_INDEX mirrored = element == 0 ? 0 : 45 - element;
          const TW_COMPLEX p = source[element];
          const TW_COMPLEX q = source[mirrored];
          const TW_COMPLEX made = TW_MAKE((TW_REAL)0.5f * (p.x + q.x), (TW_REAL)0.5f * (p.y - q.y));
          const TW_COMPLEX opposite = TW_MAKE((TW_REAL)0.5f * (p.y + q.y), (TW_REAL)0.5f * (q.x - p.x));
          v[1] = opposite;
          v[m * 1 + k] = made;
        }
      }
    }
  }
  
  // store
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 128 + slot;
    const TW_INDEX transform = own;
    const TW_INDEX loop0 = transform % 23;
    const TW_INDEX rest0 = transform / 23;
    const TW_INDEX loop1 = rest0;
    TW_GLOBAL TW_COMPLEX* destination = output + (loop0 + loop1 * 23 + (TW_INDEX)lane);
    {
      #pragma unroll
      for (TW_UINT m = 0; m < 1; ++m) {
        #pragma unroll
        for (TW_UINT j = 0; j < 1; ++j) {
          destination[j * 1] = TW_MAKE(v[m * 1 + j].x * 5.000000000e-01f, v[m * 1 + j].y * 5.000000000e-01f);
          (destination + (80))[j * 1] = TW_MAKE(v[1].x * 5.000000000e-01f, v[1].y * 5.000000000e-01f);
        }
      }
    }
  }
}
