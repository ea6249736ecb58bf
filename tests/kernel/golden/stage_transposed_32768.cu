// A inverse transform of 64 points = 8 * 8.
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
#define TW_PAD(i) ((i) + (i) / 16)

TW_INLINE TW_COMPLEX multiply(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, -(a.y * b.y)), TW_FMA(a.x, b.y, a.y * b.x));
}

TW_INLINE void butterfly_8_inverse(TW_COMPLEX* v) {
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL r4 = v[4].x;
  const TW_REAL i4 = v[4].y;
  const TW_REAL t0 = i0 + i4;
  const TW_REAL t1 = i0 - i4;
  const TW_REAL r2 = v[2].x;
  const TW_REAL i2 = v[2].y;
  const TW_REAL r6 = v[6].x;
  const TW_REAL i6 = v[6].y;
  const TW_REAL t2 = i2 + i6;
  const TW_REAL t3 = i2 - i6;
  const TW_REAL t4 = r0 - r4;
  const TW_REAL t5 = r0 + r4;
  const TW_REAL t6 = r2 + r6;
  const TW_REAL t7 = r2 - r6;
  const TW_REAL t8 = t1 + t7;
  const TW_REAL t9 = t1 - t7;
  const TW_REAL t10 = t5 + t6;
  const TW_REAL t11 = t5 - t6;
  const TW_REAL t12 = t4 - t3;
  const TW_REAL t13 = t4 + t3;
  const TW_REAL t14 = t0 + t2;
  const TW_REAL t15 = t0 - t2;
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL r5 = v[5].x;
  const TW_REAL i5 = v[5].y;
  const TW_REAL t16 = i1 + i5;
  const TW_REAL t17 = i1 - i5;
  const TW_REAL t18 = r1 - r5;
  const TW_REAL t19 = r1 + r5;
  const TW_REAL r3 = v[3].x;
  const TW_REAL i3 = v[3].y;
  const TW_REAL r7 = v[7].x;
  const TW_REAL i7 = v[7].y;
  const TW_REAL t20 = i3 + i7;
  const TW_REAL t21 = i7 - i3;
  const TW_REAL t22 = t16 + t20;
  const TW_REAL t23 = t16 - t20;
  const TW_REAL t24 = t11 - t23;
  const TW_REAL t25 = t11 + t23;
  const TW_REAL t26 = t14 + t22;
  const TW_REAL t27 = t14 - t22;
  const TW_REAL t28 = r3 + r7;
  const TW_REAL t29 = r7 - r3;
  const TW_REAL t30 = t19 + t28;
  const TW_REAL t31 = t19 - t28;
  const TW_REAL t32 = t15 + t31;
  v[2].x = t24;
  v[2].y = t32;
  const TW_REAL t33 = t15 - t31;
  v[6].x = t25;
  v[6].y = t33;
  const TW_REAL t34 = t10 + t30;
  v[0].x = t34;
  v[0].y = t26;
  const TW_REAL t35 = t10 - t30;
  v[4].x = t35;
  v[4].y = t27;
  const TW_REAL t36 = t21 - t29;
  const TW_REAL t37 = t21 + t29;
  const TW_REAL t38 = t17 + t18;
  const TW_REAL t39 = t18 - t17;
  const TW_REAL t40 = t39 + t37;
  const TW_REAL t41 = t39 - t37;
  const TW_REAL t42 = TW_FMA(0.707106769084930419922f, t41, t9);
  const TW_REAL t43 = TW_FMA(-0.707106769084930419922f, t41, t9);
  const TW_REAL t44 = TW_FMA(0.707106769084930419922f, t40, t12);
  const TW_REAL t45 = TW_FMA(-0.707106769084930419922f, t40, t12);
  const TW_REAL t46 = t38 + t36;
  const TW_REAL t47 = t38 - t36;
  const TW_REAL t48 = TW_FMA(-0.707106769084930419922f, t47, t13);
  v[3].x = t48;
  v[3].y = t42;
  const TW_REAL t49 = TW_FMA(0.707106769084930419922f, t47, t13);
  v[7].x = t49;
  v[7].y = t43;
  const TW_REAL t50 = TW_FMA(0.707106769084930419922f, t46, t8);
  v[1].x = t44;
  v[1].y = t50;
  const TW_REAL t51 = TW_FMA(-0.707106769084930419922f, t46, t8);
  v[5].x = t45;
  v[5].y = t51;
}


// 8 items for each transform, 8 transforms in a group.
TW_KERNEL(64, 1) stage(TW_GLOBAL const TW_COMPLEX* input, TW_GLOBAL TW_COMPLEX* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count) {
  TW_LOCAL_ARRAY(TW_COMPLEX, exchange, 656);
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[8];
  TW_UINT lane = item % 8;
  TW_UINT slot = item / 8;
  
  // load
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 8 + slot;
    const TW_INDEX transform = (own < count ? own : count - 1);
    const TW_INDEX loop0 = transform % 32;
    const TW_INDEX rest0 = transform / 32;
    const TW_INDEX loop1 = rest0 % 16;
    const TW_INDEX rest1 = rest0 / 16;
    const TW_INDEX loop2 = rest1;
    TW_GLOBAL const TW_COMPLEX* source = input + (loop0 * 1024 + loop1 * 64 + loop2 * 32768 + (TW_INDEX)lane);
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      #pragma unroll
      for (TW_UINT k = 0; k < 8; ++k) {
        v[m * 8 + k] = source[k * 8];
      }
    }
  }
  
  // radix 8
  butterfly_8_inverse(v + 0);
  
  // twiddle
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    const TW_UINT p = b / 1;
    TW_GLOBAL const TW_COMPLEX* roots = constants + 0 + p;
    #pragma unroll
    for (TW_UINT j = 1; j < 8; ++j) {
      v[m * 8 + j] = multiply(v[m * 8 + j], roots[(j - 1) * 8]);
    }
  }
  
  // exchange
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    const TW_UINT base = b / 1 * 8 + b % 1;
    #pragma unroll
    for (TW_UINT j = 0; j < 8; ++j) {
      exchange[slot * 82 + TW_PAD(base + j * 1)] = v[m * 8 + j];
    }
  }
  TW_BARRIER();
  lane = item / 8;
  slot = item % 8;
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    #pragma unroll
    for (TW_UINT k = 0; k < 8; ++k) {
      v[m * 8 + k] = exchange[slot * 82 + TW_PAD(b + k * 8)];
    }
  }
  
  // radix 8
  butterfly_8_inverse(v + 0);
  
  // store
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 8 + slot;
    const TW_INDEX transform = own;
    const TW_INDEX loop0 = transform % 32;
    const TW_INDEX rest0 = transform / 32;
    const TW_INDEX loop1 = rest0 % 16;
    const TW_INDEX rest1 = rest0 / 16;
    const TW_INDEX loop2 = rest1;
    TW_GLOBAL TW_COMPLEX* destination = output + (loop0 + loop1 * 32 + loop2 * 32768 + (TW_INDEX)lane * 512);
    if (own < count) {
      #pragma unroll
      for (TW_UINT m = 0; m < 1; ++m) {
        #pragma unroll
        for (TW_UINT j = 0; j < 8; ++j) {
          destination[(TW_INDEX)(j * 8) * 512] = TW_MAKE(v[m * 8 + j].x * 3.051757812e-05f, v[m * 8 + j].y * 3.051757812e-05f);
        }
      }
    }
  }
}
