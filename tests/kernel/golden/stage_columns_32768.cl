// A forward transform of 32 points = 4 * 4 * 2.
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
#define TW_PAD(i) ((i) + (i) / 4)

TW_INLINE TW_COMPLEX multiply(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, -(a.y * b.y)), TW_FMA(a.x, b.y, a.y * b.x));
}

TW_INLINE void butterfly_2_forward(TW_COMPLEX* v) {
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL t0 = r0 + r1;
  const TW_REAL t1 = r0 - r1;
  const TW_REAL t2 = i0 + i1;
  v[0].x = t0;
  v[0].y = t2;
  const TW_REAL t3 = i0 - i1;
  v[1].x = t1;
  v[1].y = t3;
}

TW_INLINE void butterfly_4_forward(TW_COMPLEX* v) {
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL r2 = v[2].x;
  const TW_REAL i2 = v[2].y;
  const TW_REAL t0 = r0 + r2;
  const TW_REAL t1 = r0 - r2;
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL r3 = v[3].x;
  const TW_REAL i3 = v[3].y;
  const TW_REAL t2 = r1 + r3;
  const TW_REAL t3 = r1 - r3;
  const TW_REAL t4 = t0 + t2;
  const TW_REAL t5 = t0 - t2;
  const TW_REAL t6 = i0 - i2;
  const TW_REAL t7 = i0 + i2;
  const TW_REAL t8 = t6 - t3;
  const TW_REAL t9 = t6 + t3;
  const TW_REAL t10 = i1 + i3;
  const TW_REAL t11 = i1 - i3;
  const TW_REAL t12 = t1 + t11;
  v[1].x = t12;
  v[1].y = t8;
  const TW_REAL t13 = t1 - t11;
  v[3].x = t13;
  v[3].y = t9;
  const TW_REAL t14 = t7 + t10;
  v[0].x = t4;
  v[0].y = t14;
  const TW_REAL t15 = t7 - t10;
  v[2].x = t5;
  v[2].y = t15;
}


// 4 items for each transform, 16 transforms in a group.
TW_KERNEL(64, 1) stage(TW_GLOBAL const TW_COMPLEX* input, TW_GLOBAL TW_COMPLEX* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count) {
  TW_LOCAL_ARRAY(TW_COMPLEX, exchange, 624);
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[8];
  TW_UINT lane = item / 16;
  TW_UINT slot = item % 16;
  
  // load
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 16 + slot;
    const TW_INDEX transform = (own < count ? own : count - 1);
    const TW_INDEX loop0 = transform % 1024;
    const TW_INDEX rest0 = transform / 1024;
    const TW_INDEX loop1 = rest0;
    TW_GLOBAL const TW_COMPLEX* source = input + (loop0 + loop1 * 32768 + (TW_INDEX)lane * 1024);
    #pragma unroll
    for (TW_UINT m = 0; m < 2; ++m) {
      #pragma unroll
      for (TW_UINT k = 0; k < 4; ++k) {
        v[m * 4 + k] = source[(TW_INDEX)(m * 4 + k * 8) * 1024];
      }
    }
  }
  
  // radix 4
  butterfly_4_forward(v + 0);
  butterfly_4_forward(v + 4);
  
  // twiddle
  #pragma unroll
  for (TW_UINT m = 0; m < 2; ++m) {
    const TW_UINT b = lane + m * 4;
    const TW_UINT p = b / 1;
    TW_GLOBAL const TW_COMPLEX* roots = constants + 0 + p;
    #pragma unroll
    for (TW_UINT j = 1; j < 4; ++j) {
      v[m * 4 + j] = multiply(v[m * 4 + j], roots[(j - 1) * 8]);
    }
  }
  
  // exchange
  #pragma unroll
  for (TW_UINT m = 0; m < 2; ++m) {
    const TW_UINT b = lane + m * 4;
    const TW_UINT base = b / 1 * 4 + b % 1;
    #pragma unroll
    for (TW_UINT j = 0; j < 4; ++j) {
      exchange[(TW_PAD(base) + j * 1) * 16 + slot] = v[m * 4 + j];
    }
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 2; ++m) {
    const TW_UINT b = lane + m * 4;
    #pragma unroll
    for (TW_UINT k = 0; k < 4; ++k) {
      v[m * 4 + k] = exchange[(TW_PAD(b) + k * 10) * 16 + slot];
    }
  }
  
  // radix 4
  butterfly_4_forward(v + 0);
  butterfly_4_forward(v + 4);
  
  // twiddle
  #pragma unroll
  for (TW_UINT m = 0; m < 2; ++m) {
    const TW_UINT b = lane + m * 4;
    const TW_UINT p = b / 4;
    TW_GLOBAL const TW_COMPLEX* roots = constants + 24 + p;
    #pragma unroll
    for (TW_UINT j = 1; j < 4; ++j) {
      v[m * 4 + j] = multiply(v[m * 4 + j], roots[(j - 1) * 2]);
    }
  }
  
  // exchange
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 2; ++m) {
    const TW_UINT b = lane + m * 4;
    const TW_UINT base = b / 4 * 16 + b % 4;
    #pragma unroll
    for (TW_UINT j = 0; j < 4; ++j) {
      exchange[(TW_PAD(base) + j * 5) * 16 + slot] = v[m * 4 + j];
    }
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 4; ++m) {
    const TW_UINT b = lane + m * 4;
    #pragma unroll
    for (TW_UINT k = 0; k < 2; ++k) {
      v[m * 2 + k] = exchange[(TW_PAD(b) + k * 20) * 16 + slot];
    }
  }
  
  // radix 2
  butterfly_2_forward(v + 0);
  butterfly_2_forward(v + 2);
  butterfly_2_forward(v + 4);
  butterfly_2_forward(v + 6);
  
  // store
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 16 + slot;
    const TW_INDEX transform = own;
    const TW_INDEX loop0 = transform % 1024;
    const TW_INDEX rest0 = transform / 1024;
    const TW_INDEX loop1 = rest0;
    TW_GLOBAL TW_COMPLEX* destination = output + (loop0 + loop1 * 32768 + (TW_INDEX)lane * 1024);
    if (own < count) {
      #pragma unroll
      for (TW_UINT m = 0; m < 4; ++m) {
        const TW_UINT b = lane + m * 4;
        #pragma unroll
        for (TW_UINT j = 0; j < 2; ++j) {
          const TW_UINT element = b + j * 16;
          const TW_UINT turn = (TW_UINT)(element) * (TW_UINT)loop0;
          const TW_COMPLEX root = multiply(constants[30 + turn % 256], constants[286 + turn / 256]);
          v[m * 2 + j] = multiply(v[m * 2 + j], root);
          destination[(TW_INDEX)(m * 4 + j * 16) * 1024] = v[m * 2 + j];
        }
      }
    }
  }
}
