// A inverse transform of 35 points = 7 * 5.
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
#define TW_OFFSET int
#define TW_PAD(i) ((i))

TW_INLINE TW_COMPLEX multiply(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, -(a.y * b.y)), TW_FMA(a.x, b.y, a.y * b.x));
}

TW_INLINE TW_COMPLEX load_element(TW_GLOBAL const float* data) {
  return TW_MAKE((TW_REAL)*(data), (TW_REAL)0);
}

TW_INLINE void butterfly_5_inverse(TW_COMPLEX* v) {
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL r4 = v[4].x;
  const TW_REAL i4 = v[4].y;
  const TW_REAL t0 = i1 + i4;
  const TW_REAL t1 = i1 - i4;
  const TW_REAL r2 = v[2].x;
  const TW_REAL i2 = v[2].y;
  const TW_REAL r3 = v[3].x;
  const TW_REAL i3 = v[3].y;
  const TW_REAL t2 = i2 + i3;
  const TW_REAL t3 = i2 - i3;
  const TW_REAL t4 = t0 + t2;
  const TW_REAL t5 = t0 - t2;
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL t6 = i0 + t4;
  const TW_REAL t7 = TW_FMA(-0.250000000000000000000f, t4, i0);
  const TW_REAL t8 = TW_FMA(0.559017002582550048828f, t5, t7);
  const TW_REAL t9 = TW_FMA(-0.559017002582550048828f, t5, t7);
  const TW_REAL t10 = TW_FMA(0.618033945560455322266f, t3, t1);
  const TW_REAL t11 = TW_FMA(-0.618033945560455322266f, t1, t3);
  const TW_REAL t12 = r1 + r4;
  const TW_REAL t13 = r1 - r4;
  const TW_REAL t14 = r2 + r3;
  const TW_REAL t15 = r2 - r3;
  const TW_REAL t16 = TW_FMA(0.618033945560455322266f, t15, t13);
  const TW_REAL t17 = TW_FMA(-0.618033945560455322266f, t13, t15);
  const TW_REAL t18 = TW_FMA(0.951056540012359619141f, t17, t9);
  const TW_REAL t19 = TW_FMA(-0.951056540012359619141f, t17, t9);
  const TW_REAL t20 = TW_FMA(0.951056540012359619141f, t16, t8);
  const TW_REAL t21 = TW_FMA(-0.951056540012359619141f, t16, t8);
  const TW_REAL t22 = t12 + t14;
  const TW_REAL t23 = t12 - t14;
  const TW_REAL t24 = r0 + t22;
  v[0].x = t24;
  v[0].y = t6;
  const TW_REAL t25 = TW_FMA(-0.250000000000000000000f, t22, r0);
  const TW_REAL t26 = TW_FMA(0.559017002582550048828f, t23, t25);
  const TW_REAL t27 = TW_FMA(-0.559017002582550048828f, t23, t25);
  const TW_REAL t28 = TW_FMA(-0.951056540012359619141f, t11, t27);
  v[3].x = t28;
  v[3].y = t18;
  const TW_REAL t29 = TW_FMA(0.951056540012359619141f, t11, t27);
  v[2].x = t29;
  v[2].y = t19;
  const TW_REAL t30 = TW_FMA(-0.951056540012359619141f, t10, t26);
  v[1].x = t30;
  v[1].y = t20;
  const TW_REAL t31 = TW_FMA(0.951056540012359619141f, t10, t26);
  v[4].x = t31;
  v[4].y = t21;
}

TW_INLINE void butterfly_7_inverse(TW_COMPLEX* v) {
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL r6 = v[6].x;
  const TW_REAL i6 = v[6].y;
  const TW_REAL t0 = i1 + i6;
  const TW_REAL t1 = i1 - i6;
  const TW_REAL r3 = v[3].x;
  const TW_REAL i3 = v[3].y;
  const TW_REAL r4 = v[4].x;
  const TW_REAL i4 = v[4].y;
  const TW_REAL t2 = i3 + i4;
  const TW_REAL t3 = i3 - i4;
  const TW_REAL t4 = t0 + t2;
  const TW_REAL r2 = v[2].x;
  const TW_REAL i2 = v[2].y;
  const TW_REAL r5 = v[5].x;
  const TW_REAL i5 = v[5].y;
  const TW_REAL t5 = i2 + i5;
  const TW_REAL t6 = i2 - i5;
  const TW_REAL t7 = t5 + t4;
  const TW_REAL t8 = t0 - t5;
  const TW_REAL t9 = t2 - t5;
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL t10 = i0 + t7;
  const TW_REAL t11 = TW_FMA(-0.166666656732559204102f, t7, i0);
  const TW_REAL t12 = TW_FMA(-0.929312407970428466797f, t9, t8);
  const TW_REAL t13 = TW_FMA(-0.0706876069307327270508f, t8, t9);
  const TW_REAL t14 = t12 + t13;
  const TW_REAL t15 = TW_FMA(0.790156483650207519531f, t12, t11);
  const TW_REAL t16 = TW_FMA(0.790156483650207519531f, t13, t11);
  const TW_REAL t17 = TW_FMA(-0.790156483650207519531f, t14, t11);
  const TW_REAL t18 = TW_FMA(0.445041865110397338867f, t3, t6);
  const TW_REAL t19 = TW_FMA(0.801937758922576904297f, t1, t18);
  const TW_REAL t20 = TW_FMA(-0.801937758922576904297f, t3, t1);
  const TW_REAL t21 = TW_FMA(0.445041865110397338867f, t1, t3);
  const TW_REAL t22 = TW_FMA(-0.801937758922576904297f, t6, t21);
  const TW_REAL t23 = TW_FMA(-0.445041865110397338867f, t6, t20);
  const TW_REAL t24 = r1 + r6;
  const TW_REAL t25 = r1 - r6;
  const TW_REAL t26 = r3 + r4;
  const TW_REAL t27 = r3 - r4;
  const TW_REAL t28 = t24 + t26;
  const TW_REAL t29 = r2 + r5;
  const TW_REAL t30 = r2 - r5;
  const TW_REAL t31 = t29 + t28;
  const TW_REAL t32 = t24 - t29;
  const TW_REAL t33 = t26 - t29;
  const TW_REAL t34 = r0 + t31;
  v[0].x = t34;
  v[0].y = t10;
  const TW_REAL t35 = TW_FMA(-0.166666656732559204102f, t31, r0);
  const TW_REAL t36 = TW_FMA(-0.929312407970428466797f, t33, t32);
  const TW_REAL t37 = TW_FMA(-0.0706876069307327270508f, t32, t33);
  const TW_REAL t38 = t36 + t37;
  const TW_REAL t39 = TW_FMA(0.790156483650207519531f, t36, t35);
  const TW_REAL t40 = TW_FMA(0.790156483650207519531f, t37, t35);
  const TW_REAL t41 = TW_FMA(-0.790156483650207519531f, t38, t35);
  const TW_REAL t42 = TW_FMA(0.974927902221679687500f, t22, t41);
  const TW_REAL t43 = TW_FMA(-0.974927902221679687500f, t22, t41);
  const TW_REAL t44 = TW_FMA(0.974927902221679687500f, t23, t40);
  const TW_REAL t45 = TW_FMA(-0.974927902221679687500f, t23, t40);
  const TW_REAL t46 = TW_FMA(-0.974927902221679687500f, t19, t39);
  const TW_REAL t47 = TW_FMA(0.974927902221679687500f, t19, t39);
  const TW_REAL t48 = TW_FMA(0.445041865110397338867f, t27, t30);
  const TW_REAL t49 = TW_FMA(0.801937758922576904297f, t25, t48);
  const TW_REAL t50 = TW_FMA(0.974927902221679687500f, t49, t15);
  v[1].x = t46;
  v[1].y = t50;
  const TW_REAL t51 = TW_FMA(-0.974927902221679687500f, t49, t15);
  v[6].x = t47;
  v[6].y = t51;
  const TW_REAL t52 = TW_FMA(-0.801937758922576904297f, t27, t25);
  const TW_REAL t53 = TW_FMA(0.445041865110397338867f, t25, t27);
  const TW_REAL t54 = TW_FMA(-0.801937758922576904297f, t30, t53);
  const TW_REAL t55 = TW_FMA(-0.445041865110397338867f, t30, t52);
  const TW_REAL t56 = TW_FMA(-0.974927902221679687500f, t55, t16);
  v[5].x = t44;
  v[5].y = t56;
  const TW_REAL t57 = TW_FMA(0.974927902221679687500f, t55, t16);
  v[2].x = t45;
  v[2].y = t57;
  const TW_REAL t58 = TW_FMA(-0.974927902221679687500f, t54, t17);
  v[4].x = t42;
  v[4].y = t58;
  const TW_REAL t59 = TW_FMA(0.974927902221679687500f, t54, t17);
  v[3].x = t43;
  v[3].y = t59;
}


// 5 items for each transform, 4 transforms in a group.
TW_KERNEL(20, 16) stage(TW_GLOBAL const float* input, TW_GLOBAL TW_COMPLEX* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count) {
  TW_LOCAL_ARRAY(TW_COMPLEX, exchange, 140);
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[10];
  TW_UINT lane = item / 4;
  TW_UINT slot = item % 4;
  
  // load
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 4 + slot;
    const TW_INDEX transform = (own < count ? own : count - 1);
    const TW_INDEX loop0 = transform % 19;
    const TW_INDEX rest0 = transform / 19;
    const TW_INDEX loop1 = rest0;
    TW_GLOBAL const float* source = input + -1 + ((TW_OFFSET)(loop0 + loop1 * 633 + (TW_INDEX)lane * 36));
    const TW_INDEX bounded = loop0;
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      const TW_UINT b = lane;
      #pragma unroll
      for (TW_UINT k = 0; k < 7; ++k) {
        const TW_UINT element = b + k * 5;
        const TW_INDEX position = bounded + (TW_INDEX)(element) * 36;
        const int upper = position > 630;
        const TW_INDEX kept = upper ? 1260 - position : position;
        v[m * 7 + k] = TW_MAKE(0.0f, 0.0f);
        if (kept - 1 < 629) v[m * 7 + k] = load_element(source + ((TW_OFFSET)((TW_OFFSET)((TW_INDEX)(k * 5) * 36) + kept - position)));
        if (upper) v[m * 7 + k].x = -v[m * 7 + k].x;
      }
    }
  }
  
  // radix 7
  butterfly_7_inverse(v + 0);
  
  // twiddle
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    const TW_UINT p = b / 1;
    TW_GLOBAL const TW_COMPLEX* roots = constants + 0 + p;
    #pragma unroll
    for (TW_UINT j = 1; j < 7; ++j) {
      v[m * 7 + j] = multiply(v[m * 7 + j], roots[(j - 1) * 5]);
    }
  }
  
  // exchange
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    const TW_UINT base = b / 1 * 7 + b % 1;
    #pragma unroll
    for (TW_UINT j = 0; j < 7; ++j) {
      exchange[(TW_PAD(base) + j * 1) * 4 + slot] = v[m * 7 + j];
    }
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 2; ++m) {
    const TW_UINT b = lane + m * 5 < 7 ? lane + m * 5 : 6;
    #pragma unroll
    for (TW_UINT k = 0; k < 5; ++k) {
      v[m * 5 + k] = exchange[(TW_PAD(b) + k * 7) * 4 + slot];
    }
  }
  
  // radix 5
  butterfly_5_inverse(v + 0);
  butterfly_5_inverse(v + 5);
  
  // store
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 4 + slot;
    const TW_INDEX transform = own;
    const TW_INDEX loop0 = transform % 19;
    const TW_INDEX rest0 = transform / 19;
    const TW_INDEX loop1 = rest0;
    TW_GLOBAL TW_COMPLEX* destination = output + (loop0 + loop1 * 344 + (TW_INDEX)lane * 19);
    const TW_INDEX bounded = 0;
    if (own < count) {
      #pragma unroll
      for (TW_UINT m = 0; m < 2; ++m) {
        const TW_UINT b = lane + m * 5;
        if (b < 7) {
          #pragma unroll
          for (TW_UINT j = 0; j < 5; ++j) {
            const TW_UINT element = b + j * 7;
            const TW_UINT turn = (TW_UINT)(element) * (TW_UINT)loop0;
            const TW_COMPLEX root = multiply(constants[30 + turn % 64], constants[94 + turn / 64]);
            v[m * 5 + j] = multiply(v[m * 5 + j], root);
            const TW_INDEX position = bounded + element;
            if (position < 18) {
              destination[(TW_INDEX)(m * 5 + j * 7) * 19] = v[m * 5 + j];
            }
          }
        }
      }
    }
  }
}
