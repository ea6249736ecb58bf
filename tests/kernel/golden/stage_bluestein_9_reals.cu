// A forward transform of 9 points.
// Bluestein's algorithm: a convolution of 18 points = 6 * 3.
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
#define TW_PAD(i) ((i))

TW_INLINE TW_COMPLEX multiply(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, -(a.y * b.y)), TW_FMA(a.x, b.y, a.y * b.x));
}

// a times the conjugate of b.
TW_INLINE TW_COMPLEX multiply_conjugate(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, a.y * b.y), TW_FMA(a.y, b.x, -(a.x * b.y)));
}

TW_INLINE TW_COMPLEX load_element(TW_GLOBAL const float* data) {
  return TW_MAKE((TW_REAL)*(data), (TW_REAL)0);
}

TW_INLINE void butterfly_3_forward(TW_COMPLEX* v) {
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL r2 = v[2].x;
  const TW_REAL i2 = v[2].y;
  const TW_REAL t0 = r1 + r2;
  const TW_REAL t1 = r1 - r2;
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL t2 = r0 + t0;
  const TW_REAL t3 = TW_FMA(-0.500000000000000000000f, t0, r0);
  const TW_REAL t4 = i1 + i2;
  const TW_REAL t5 = i1 - i2;
  const TW_REAL t6 = TW_FMA(0.866025388240814208984f, t5, t3);
  const TW_REAL t7 = TW_FMA(-0.866025388240814208984f, t5, t3);
  const TW_REAL t8 = i0 + t4;
  v[0].x = t2;
  v[0].y = t8;
  const TW_REAL t9 = TW_FMA(-0.500000000000000000000f, t4, i0);
  const TW_REAL t10 = TW_FMA(-0.866025388240814208984f, t1, t9);
  v[1].x = t6;
  v[1].y = t10;
  const TW_REAL t11 = TW_FMA(0.866025388240814208984f, t1, t9);
  v[2].x = t7;
  v[2].y = t11;
}

TW_INLINE void butterfly_3_inverse(TW_COMPLEX* v) {
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL r2 = v[2].x;
  const TW_REAL i2 = v[2].y;
  const TW_REAL t0 = i1 + i2;
  const TW_REAL t1 = i1 - i2;
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL t2 = i0 + t0;
  const TW_REAL t3 = TW_FMA(-0.500000000000000000000f, t0, i0);
  const TW_REAL t4 = r1 + r2;
  const TW_REAL t5 = r1 - r2;
  const TW_REAL t6 = TW_FMA(0.866025388240814208984f, t5, t3);
  const TW_REAL t7 = TW_FMA(-0.866025388240814208984f, t5, t3);
  const TW_REAL t8 = r0 + t4;
  v[0].x = t8;
  v[0].y = t2;
  const TW_REAL t9 = TW_FMA(-0.500000000000000000000f, t4, r0);
  const TW_REAL t10 = TW_FMA(-0.866025388240814208984f, t1, t9);
  v[1].x = t10;
  v[1].y = t6;
  const TW_REAL t11 = TW_FMA(0.866025388240814208984f, t1, t9);
  v[2].x = t11;
  v[2].y = t7;
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

TW_INLINE void butterfly_6_inverse(TW_COMPLEX* v) {
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL r3 = v[3].x;
  const TW_REAL i3 = v[3].y;
  const TW_REAL t0 = i0 + i3;
  const TW_REAL t1 = i0 - i3;
  const TW_REAL t2 = r0 + r3;
  const TW_REAL t3 = r0 - r3;
  const TW_REAL r2 = v[2].x;
  const TW_REAL i2 = v[2].y;
  const TW_REAL r5 = v[5].x;
  const TW_REAL i5 = v[5].y;
  const TW_REAL t4 = i2 + i5;
  const TW_REAL t5 = i2 - i5;
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL r4 = v[4].x;
  const TW_REAL i4 = v[4].y;
  const TW_REAL t6 = i1 + i4;
  const TW_REAL t7 = i4 - i1;
  const TW_REAL t8 = t5 + t7;
  const TW_REAL t9 = t5 - t7;
  const TW_REAL t10 = t1 + t8;
  const TW_REAL t11 = TW_FMA(-0.500000000000000000000f, t8, t1);
  const TW_REAL t12 = t4 + t6;
  const TW_REAL t13 = t4 - t6;
  const TW_REAL t14 = t0 + t12;
  const TW_REAL t15 = TW_FMA(-0.500000000000000000000f, t12, t0);
  const TW_REAL t16 = r2 + r5;
  const TW_REAL t17 = r2 - r5;
  const TW_REAL t18 = r1 + r4;
  const TW_REAL t19 = r4 - r1;
  const TW_REAL t20 = t17 + t19;
  const TW_REAL t21 = t17 - t19;
  const TW_REAL t22 = TW_FMA(0.866025388240814208984f, t21, t11);
  const TW_REAL t23 = TW_FMA(-0.866025388240814208984f, t21, t11);
  const TW_REAL t24 = t3 + t20;
  v[3].x = t24;
  v[3].y = t10;
  const TW_REAL t25 = TW_FMA(-0.500000000000000000000f, t20, t3);
  const TW_REAL t26 = TW_FMA(-0.866025388240814208984f, t9, t25);
  v[1].x = t26;
  v[1].y = t22;
  const TW_REAL t27 = TW_FMA(0.866025388240814208984f, t9, t25);
  v[5].x = t27;
  v[5].y = t23;
  const TW_REAL t28 = t16 + t18;
  const TW_REAL t29 = t16 - t18;
  const TW_REAL t30 = TW_FMA(0.866025388240814208984f, t29, t15);
  const TW_REAL t31 = TW_FMA(-0.866025388240814208984f, t29, t15);
  const TW_REAL t32 = t2 + t28;
  v[0].x = t32;
  v[0].y = t14;
  const TW_REAL t33 = TW_FMA(-0.500000000000000000000f, t28, t2);
  const TW_REAL t34 = TW_FMA(-0.866025388240814208984f, t13, t33);
  v[4].x = t34;
  v[4].y = t30;
  const TW_REAL t35 = TW_FMA(0.866025388240814208984f, t13, t33);
  v[2].x = t35;
  v[2].y = t31;
}


// 6 items for each transform, 3 transforms in a group.
TW_KERNEL(18, 1) stage(TW_GLOBAL const float* input, TW_GLOBAL TW_COMPLEX* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count) {
  TW_LOCAL_ARRAY(TW_COMPLEX, exchange, 54);
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[6];
  TW_UINT lane = item % 6;
  TW_UINT slot = item / 6;
  
  // load
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 3 + slot;
    const TW_INDEX loop0 = (own < count ? own : count - 1);
    TW_GLOBAL const float* source = input + (loop0 * 9);
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      const TW_UINT b = lane < 3 ? lane : 2;
      TW_GLOBAL const float* first = source + (b);
      #pragma unroll
      for (TW_UINT k = 0; k < 3; ++k) {
        const TW_UINT element = b + k * 3;
        v[m * 6 + k] = load_element(first + (k * 3));
        v[m * 6 + k] = multiply(v[m * 6 + k], constants[33 + element]);
      }
      #pragma unroll
      for (TW_UINT k = 3; k < 6; ++k) {
        v[m * 6 + k] = TW_MAKE(0, 0);
      }
    }
  }
  
  // radix 6
  butterfly_6_forward(v + 0);
  
  // twiddle
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane < 3 ? lane : 2;
    const TW_UINT p = b / 1;
    TW_GLOBAL const TW_COMPLEX* roots = constants + 0 + p;
    #pragma unroll
    for (TW_UINT j = 1; j < 6; ++j) {
      v[m * 6 + j] = multiply(v[m * 6 + j], roots[(j - 1) * 3]);
    }
  }
  
  // exchange
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    if (b < 3) {
      const TW_UINT base = b / 1 * 6 + b % 1;
      #pragma unroll
      for (TW_UINT j = 0; j < 6; ++j) {
        exchange[slot * 18 + TW_PAD(base) + j * 1] = v[m * 6 + j];
      }
    }
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    #pragma unroll
    for (TW_UINT k = 0; k < 3; ++k) {
      v[m * 3 + k] = exchange[slot * 18 + TW_PAD(b) + k * 6];
    }
  }
  
  // radix 3
  butterfly_3_forward(v + 0);
  
  // times the spectrum
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    #pragma unroll
    for (TW_UINT j = 0; j < 3; ++j) {
      v[m * 3 + j] = multiply(v[m * 3 + j], constants[15 + b + j * 6]);
    }
  }
  
  // radix 3
  butterfly_3_inverse(v + 0);
  
  // exchange
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    #pragma unroll
    for (TW_UINT j = 0; j < 3; ++j) {
      exchange[slot * 18 + TW_PAD(b) + j * 6] = v[m * 3 + j];
    }
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane < 3 ? lane : 2;
    const TW_UINT base = b / 1 * 6 + b % 1;
    #pragma unroll
    for (TW_UINT k = 0; k < 6; ++k) {
      v[m * 6 + k] = exchange[slot * 18 + TW_PAD(base) + k * 1];
    }
  }
  
  // twiddle
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane < 3 ? lane : 2;
    const TW_UINT p = b / 1;
    TW_GLOBAL const TW_COMPLEX* roots = constants + 0 + p;
    #pragma unroll
    for (TW_UINT j = 1; j < 6; ++j) {
      v[m * 6 + j] = multiply_conjugate(v[m * 6 + j], roots[(j - 1) * 3]);
    }
  }
  
  // radix 6
  butterfly_6_inverse(v + 0);
  
  // store
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 3 + slot;
    const TW_INDEX loop0 = own;
    TW_GLOBAL TW_COMPLEX* destination = output + (loop0 * 5 + (TW_INDEX)lane);
    const TW_INDEX bounded = 0;
    if (own < count) {
      #pragma unroll
      for (TW_UINT m = 0; m < 1; ++m) {
        const TW_UINT b = lane;
        if (b < 3) {
          #pragma unroll
          for (TW_UINT j = 0; j < 3; ++j) {
            const TW_UINT element = b + j * 3;
            v[m * 6 + j] = multiply(v[m * 6 + j], constants[33 + element]);
            const TW_INDEX position = bounded + element;
            if (position < 5) {
              destination[j * 3] = v[m * 6 + j];
            }
          }
        }
      }
    }
  }
}
