// A forward transform of 1 points.
// Each line is first made by the map 'dct3 after 36'.
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
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count, TW_GLOBAL const TW_UINT* indices) {
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[1];
  TW_UINT lane = 0;
  TW_UINT slot = item;
  if ((TW_INDEX)TW_GROUP * 128 + slot >= count) return;
  
  // load
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 128 + slot;
    const TW_INDEX transform = own;
    const TW_INDEX loop0 = transform % 36;
    const TW_INDEX rest0 = transform / 36;
    const TW_INDEX loop1 = rest0;
    TW_GLOBAL const TW_COMPLEX* source = input + (loop1 * 36);
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      const TW_UINT b = lane;
      #pragma unroll
      for (TW_UINT k = 0; k < 1; ++k) {
        const TW_INDEX element = loop0;
        {
          TW_COMPLEX made = TW_MAKE(0, 0);
          {
            const TW_UINT index = indices[0 + element];
            if (index != 4294967295u) {
              TW_COMPLEX part = source[index];
              made.x += part.x;
              made.y += part.y;
            }
          }
          v[m * 1 + k] = made;
        }
      }
    }
  }
  
  // store
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 128 + slot;
    const TW_INDEX transform = own;
    const TW_INDEX loop0 = transform % 36;
    const TW_INDEX rest0 = transform / 36;
    const TW_INDEX loop1 = rest0;
    TW_GLOBAL TW_COMPLEX* destination = output + (loop0 + loop1 * 36 + (TW_INDEX)lane);
    {
      #pragma unroll
      for (TW_UINT m = 0; m < 1; ++m) {
        #pragma unroll
        for (TW_UINT j = 0; j < 1; ++j) {
          destination[j * 1] = v[m * 1 + j];
        }
      }
    }
  }
}
