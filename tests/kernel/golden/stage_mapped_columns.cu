// A forward transform of 1 points.
// Each line is first made by the map 'c2r before 24'.
#define TW_KERNEL(items, groups) extern "C" __global__ void __launch_bounds__(items, groups)
#define TW_INLINE __device__ __forceinline__ static
#define TW_GLOBAL
#define TW_LOCAL_ARRAY(type, name, count) extern __shared__ __align__(16) type name[]
#define TW_BARRIER() __syncthreads()
#define TW_ITEM threadIdx.x
#define TW_GROUP blockIdx.x
#define TW_UINT unsigned int
#define TW_WIDE unsigned long long
#define TW_REAL double
#define TW_COMPLEX double2
#define TW_MAKE(re, im) make_double2((re), (im))
#define TW_FMA(a, b, c) __fma_rn(a, b, c)
#define TW_INDEX TW_UINT

TW_INLINE TW_COMPLEX multiply(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, -(a.y * b.y)), TW_FMA(a.x, b.y, a.y * b.x));
}


// 1 items for each transform, 128 transforms in a group.
TW_KERNEL(128, 1) stage(TW_GLOBAL const TW_COMPLEX* input, TW_GLOBAL TW_COMPLEX* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count) {
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[1];
  TW_UINT lane = 0;
  TW_UINT slot = item;
  if ((TW_INDEX)TW_GROUP * 128 + slot >= count) return;
  
  // load
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 128 + slot;
    const TW_INDEX transform = own;
    const TW_INDEX loop0 = transform % 10;
    const TW_INDEX rest0 = transform / 10;
    const TW_INDEX loop1 = rest0;
    TW_GLOBAL const TW_COMPLEX* source = input + (loop0);
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      const TW_UINT b = lane;
      #pragma unroll
      for (TW_UINT k = 0; k < 1; ++k) {
        const TW_INDEX element = loop1;
        {
          const TW_INDEX mirrored = 12 - element;
          TW_COMPLEX p = source[(TW_INDEX)(element) * 12];
          TW_COMPLEX q = source[(TW_INDEX)(mirrored) * 12];
          if (element == 0) p.y = q.y = 0;
          const TW_COMPLEX root = constants[0 + element];
          const TW_COMPLEX sum = TW_MAKE(p.x + q.x, p.y - q.y);
          const TW_COMPLEX turned = multiply(TW_MAKE(p.x - q.x, p.y + q.y), root);
          const TW_COMPLEX made = TW_MAKE(sum.x + turned.x, sum.y + turned.y);
          v[m * 1 + k] = made;
        }
      }
    }
  }
  
  // store
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 128 + slot;
    const TW_INDEX transform = own;
    const TW_INDEX loop0 = transform % 10;
    const TW_INDEX rest0 = transform / 10;
    const TW_INDEX loop1 = rest0;
    TW_GLOBAL TW_COMPLEX* destination = output + (loop0 + loop1 * 12 + (TW_INDEX)lane * 12);
    {
      #pragma unroll
      for (TW_UINT m = 0; m < 1; ++m) {
        #pragma unroll
        for (TW_UINT j = 0; j < 1; ++j) {
          destination[(TW_INDEX)(j * 1) * 12] = v[m * 1 + j];
        }
      }
    }
  }
}
