// A forward transform of 1 points.
// Each line is first made by the map 'c2r before 24'.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define TW_KERNEL(items, groups) __kernel __attribute__((reqd_work_group_size(items, 1, 1))) void
#define TW_INLINE static inline
#define TW_GLOBAL __global
#define TW_LOCAL_ARRAY(type, name, count) __local type name[count]
#define TW_BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define TW_ITEM ((TW_UINT)get_local_id(0))
#define TW_GROUP ((TW_UINT)get_group_id(0))
#define TW_UINT uint
#define TW_WIDE ulong
#define TW_REAL double
#define TW_COMPLEX double2
#define TW_MAKE(re, im) ((TW_COMPLEX)((re), (im)))
#ifdef FP_FAST_FMA
#define TW_FMA(a, b, c) fma(a, b, c)
#else
#define TW_FMA(a, b, c) ((a) * (b) + (c))
#endif
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
