// A forward transform of 6 points.
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

TW_INLINE void butterfly_6_forward(TW_COMPLEX* v) {
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL r3 = v[3].x;
  const TW_REAL i3 = v[3].y;
  const TW_REAL t0 = r0 + r3;
  const TW_REAL t1 = r0 - r3;
  const TW_REAL t2 = i0 + i3;
  const TW_REAL t3 = i0 - i3;
  const TW_REAL r2 = v[2].x;
  const TW_REAL i2 = v[2].y;
  const TW_REAL r5 = v[5].x;
  const TW_REAL i5 = v[5].y;
  const TW_REAL t4 = r2 + r5;
  const TW_REAL t5 = r2 - r5;
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL r4 = v[4].x;
  const TW_REAL i4 = v[4].y;
  const TW_REAL t6 = r1 + r4;
  const TW_REAL t7 = r4 - r1;
  const TW_REAL t8 = t5 + t7;
  const TW_REAL t9 = t5 - t7;
  const TW_REAL t10 = t1 + t8;
  const TW_REAL t11 = TW_FMA(-0.500000000000000000000f, t8, t1);
  const TW_REAL t12 = t4 + t6;
  const TW_REAL t13 = t4 - t6;
  const TW_REAL t14 = t0 + t12;
  const TW_REAL t15 = TW_FMA(-0.500000000000000000000f, t12, t0);
  const TW_REAL t16 = i2 + i5;
  const TW_REAL t17 = i2 - i5;
  const TW_REAL t18 = i1 + i4;
  const TW_REAL t19 = i4 - i1;
  const TW_REAL t20 = t17 + t19;
  const TW_REAL t21 = t17 - t19;
  const TW_REAL t22 = TW_FMA(0.866025388240814208984f, t21, t11);
  const TW_REAL t23 = TW_FMA(-0.866025388240814208984f, t21, t11);
  const TW_REAL t24 = t3 + t20;
  v[3].x = t10;
  v[3].y = t24;
  const TW_REAL t25 = TW_FMA(-0.500000000000000000000f, t20, t3);
  const TW_REAL t26 = TW_FMA(-0.866025388240814208984f, t9, t25);
  v[1].x = t22;
  v[1].y = t26;
  const TW_REAL t27 = TW_FMA(0.866025388240814208984f, t9, t25);
  v[5].x = t23;
  v[5].y = t27;
  const TW_REAL t28 = t16 + t18;
  const TW_REAL t29 = t16 - t18;
  const TW_REAL t30 = TW_FMA(0.866025388240814208984f, t29, t15);
  const TW_REAL t31 = TW_FMA(-0.866025388240814208984f, t29, t15);
  const TW_REAL t32 = t2 + t28;
  v[0].x = t14;
  v[0].y = t32;
  const TW_REAL t33 = TW_FMA(-0.500000000000000000000f, t28, t2);
  const TW_REAL t34 = TW_FMA(-0.866025388240814208984f, t13, t33);
  v[4].x = t30;
  v[4].y = t34;
  const TW_REAL t35 = TW_FMA(0.866025388240814208984f, t13, t33);
  v[2].x = t31;
  v[2].y = t35;
}


// 1 items for each transform, 128 transforms in a group.
TW_KERNEL(128, 1) stage(TW_GLOBAL const TW_COMPLEX* input, TW_GLOBAL TW_COMPLEX* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count) {
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[6];
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
    TW_GLOBAL const TW_COMPLEX* source = input + (loop0 + loop1 * 60 + (TW_INDEX)lane * 10);
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      #pragma unroll
      for (TW_UINT k = 0; k < 6; ++k) {
        v[m * 6 + k] = source[(TW_INDEX)(k * 1) * 10];
      }
    }
  }
  
  // radix 6
  butterfly_6_forward(v + 0);
  
  // store
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 128 + slot;
    const TW_INDEX transform = own;
    const TW_INDEX loop0 = transform % 10;
    const TW_INDEX rest0 = transform / 10;
    const TW_INDEX loop1 = rest0;
    TW_GLOBAL TW_COMPLEX* destination = output + (loop0 + loop1 * 60 + (TW_INDEX)lane * 10);
    {
      #pragma unroll
      for (TW_UINT m = 0; m < 1; ++m) {
        #pragma unroll
        for (TW_UINT j = 0; j < 6; ++j) {
          destination[(TW_INDEX)(j * 1) * 10] = v[m * 6 + j];
        }
      }
    }
  }
}
