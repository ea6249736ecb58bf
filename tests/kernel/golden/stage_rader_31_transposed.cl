// A inverse transform of 31 points.
// Rader's algorithm: a convolution of 30 points = 3 * 5 * 2.
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
#define TW_PAD(i) ((i))

TW_INLINE TW_COMPLEX multiply(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, -(a.y * b.y)), TW_FMA(a.x, b.y, a.y * b.x));
}

// a times the conjugate of b.
TW_INLINE TW_COMPLEX multiply_conjugate(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, a.y * b.y), TW_FMA(a.y, b.x, -(a.x * b.y)));
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

TW_INLINE void butterfly_2_inverse(TW_COMPLEX* v) {
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL t0 = i0 + i1;
  const TW_REAL t1 = i0 - i1;
  const TW_REAL t2 = r0 + r1;
  v[0].x = t2;
  v[0].y = t0;
  const TW_REAL t3 = r0 - r1;
  v[1].x = t3;
  v[1].y = t1;
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

TW_INLINE void butterfly_5_forward(TW_COMPLEX* v) {
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL r4 = v[4].x;
  const TW_REAL i4 = v[4].y;
  const TW_REAL t0 = r1 + r4;
  const TW_REAL t1 = r1 - r4;
  const TW_REAL r2 = v[2].x;
  const TW_REAL i2 = v[2].y;
  const TW_REAL r3 = v[3].x;
  const TW_REAL i3 = v[3].y;
  const TW_REAL t2 = r2 + r3;
  const TW_REAL t3 = r2 - r3;
  const TW_REAL t4 = t0 + t2;
  const TW_REAL t5 = t0 - t2;
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL t6 = r0 + t4;
  const TW_REAL t7 = TW_FMA(-0.250000000000000000000f, t4, r0);
  const TW_REAL t8 = TW_FMA(0.559017002582550048828f, t5, t7);
  const TW_REAL t9 = TW_FMA(-0.559017002582550048828f, t5, t7);
  const TW_REAL t10 = TW_FMA(0.618033945560455322266f, t3, t1);
  const TW_REAL t11 = TW_FMA(-0.618033945560455322266f, t1, t3);
  const TW_REAL t12 = i1 + i4;
  const TW_REAL t13 = i1 - i4;
  const TW_REAL t14 = i2 + i3;
  const TW_REAL t15 = i2 - i3;
  const TW_REAL t16 = TW_FMA(0.618033945560455322266f, t15, t13);
  const TW_REAL t17 = TW_FMA(-0.618033945560455322266f, t13, t15);
  const TW_REAL t18 = TW_FMA(0.951056540012359619141f, t17, t9);
  const TW_REAL t19 = TW_FMA(-0.951056540012359619141f, t17, t9);
  const TW_REAL t20 = TW_FMA(0.951056540012359619141f, t16, t8);
  const TW_REAL t21 = TW_FMA(-0.951056540012359619141f, t16, t8);
  const TW_REAL t22 = t12 + t14;
  const TW_REAL t23 = t12 - t14;
  const TW_REAL t24 = i0 + t22;
  v[0].x = t6;
  v[0].y = t24;
  const TW_REAL t25 = TW_FMA(-0.250000000000000000000f, t22, i0);
  const TW_REAL t26 = TW_FMA(0.559017002582550048828f, t23, t25);
  const TW_REAL t27 = TW_FMA(-0.559017002582550048828f, t23, t25);
  const TW_REAL t28 = TW_FMA(-0.951056540012359619141f, t11, t27);
  v[3].x = t18;
  v[3].y = t28;
  const TW_REAL t29 = TW_FMA(0.951056540012359619141f, t11, t27);
  v[2].x = t19;
  v[2].y = t29;
  const TW_REAL t30 = TW_FMA(-0.951056540012359619141f, t10, t26);
  v[1].x = t20;
  v[1].y = t30;
  const TW_REAL t31 = TW_FMA(0.951056540012359619141f, t10, t26);
  v[4].x = t21;
  v[4].y = t31;
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


// 15 items for each transform, 4 transforms in a group.
TW_KERNEL(60, 1) stage(TW_GLOBAL const TW_COMPLEX* input, TW_GLOBAL TW_COMPLEX* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count, TW_GLOBAL const TW_UINT* indices) {
  TW_LOCAL_ARRAY(TW_COMPLEX, exchange, 144);
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[5];
  TW_COMPLEX zeroth;
  TW_UINT lane = item % 15;
  TW_UINT slot = item / 15;
  
  // load
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 4 + slot;
    const TW_INDEX loop0 = (own < count ? own : count - 1);
    TW_GLOBAL const TW_COMPLEX* source = input + (loop0 * 31);
    zeroth = source[0];
  }
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 4 + slot;
    const TW_INDEX loop0 = (own < count ? own : count - 1);
    TW_GLOBAL const TW_COMPLEX* source = input + (loop0 * 31 + (TW_INDEX)lane);
    #pragma unroll
    for (TW_UINT m = 0; m < 2; ++m) {
      const TW_UINT b = lane + m * 15;
      #pragma unroll
      for (TW_UINT k = 0; k < 1; ++k) {
        const TW_UINT element = b + k * 30 + 1;
        v[m * 1 + k] = source[m * 15 + k * 30 + 1];
        const TW_UINT turn = (TW_UINT)(element) * (TW_UINT)loop0;
        const TW_COMPLEX root = multiply(constants[30 + turn % 32], constants[62 + turn / 32]);
        v[m * 1 + k] = multiply(v[m * 1 + k], root);
      }
    }
  }
  
  // exchange
  TW_UINT load_places[2];
  #pragma unroll
  for (TW_UINT m = 0; m < 2; ++m) {
    const TW_UINT b = lane + m * 15;
    #pragma unroll
    for (TW_UINT j = 0; j < 1; ++j) {
      load_places[m * 1 + j] = indices[0 + b + j * 30];
    }
  }
  #pragma unroll
  for (TW_UINT m = 0; m < 2; ++m) {
    const TW_UINT b = lane + m * 15;
    #pragma unroll
    for (TW_UINT j = 0; j < 1; ++j) {
      exchange[slot * 36 + TW_PAD(load_places[m * 1 + j])] = v[m * 1 + j];
    }
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane < 10 ? lane : 9;
    #pragma unroll
    for (TW_UINT k = 0; k < 3; ++k) {
      v[m * 3 + k] = exchange[slot * 36 + TW_PAD(b) + k * 10];
    }
  }
  
  // radix 3
  butterfly_3_inverse(v + 0);
  
  // exchange
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    if (b < 10) {
      const TW_UINT base = b / 1 * 3 + b % 1;
      #pragma unroll
      for (TW_UINT j = 0; j < 3; ++j) {
        exchange[slot * 36 + TW_PAD(base) + j * 1] = v[m * 3 + j];
      }
    }
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane < 6 ? lane : 5;
    #pragma unroll
    for (TW_UINT k = 0; k < 5; ++k) {
      v[m * 5 + k] = exchange[slot * 36 + TW_PAD(b) + k * 6];
    }
  }
  
  // radix 5
  butterfly_5_inverse(v + 0);
  
  // exchange
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    if (b < 6) {
      const TW_UINT base = b / 3 * 15 + b % 3;
      #pragma unroll
      for (TW_UINT j = 0; j < 5; ++j) {
        exchange[slot * 36 + TW_PAD(base) + j * 3] = v[m * 5 + j];
      }
    }
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    #pragma unroll
    for (TW_UINT k = 0; k < 2; ++k) {
      v[m * 2 + k] = exchange[slot * 36 + TW_PAD(b) + k * 15];
    }
  }
  
  // radix 2
  butterfly_2_inverse(v + 0);
  
  // times the spectrum
  const TW_COMPLEX total = TW_MAKE(zeroth.x + v[0].x, zeroth.y + v[0].y);
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    #pragma unroll
    for (TW_UINT j = 0; j < 2; ++j) {
      v[m * 2 + j] = multiply(v[m * 2 + j], constants[0 + b + j * 15]);
    }
  }
  if (lane == 0) v[0] = TW_MAKE(v[0].x + zeroth.x, v[0].y + zeroth.y);
  zeroth = total;
  
  // radix 2
  butterfly_2_forward(v + 0);
  
  // exchange
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    #pragma unroll
    for (TW_UINT j = 0; j < 2; ++j) {
      exchange[slot * 36 + TW_PAD(b) + j * 15] = v[m * 2 + j];
    }
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane < 6 ? lane : 5;
    const TW_UINT base = b / 3 * 15 + b % 3;
    #pragma unroll
    for (TW_UINT k = 0; k < 5; ++k) {
      v[m * 5 + k] = exchange[slot * 36 + TW_PAD(base) + k * 3];
    }
  }
  
  // radix 5
  butterfly_5_forward(v + 0);
  
  // exchange
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    if (b < 6) {
      #pragma unroll
      for (TW_UINT j = 0; j < 5; ++j) {
        exchange[slot * 36 + TW_PAD(b) + j * 6] = v[m * 5 + j];
      }
    }
  }
  TW_BARRIER();
  lane = item / 4;
  slot = item % 4;
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane < 10 ? lane : 9;
    const TW_UINT base = b / 1 * 3 + b % 1;
    #pragma unroll
    for (TW_UINT k = 0; k < 3; ++k) {
      v[m * 3 + k] = exchange[slot * 36 + TW_PAD(base) + k * 1];
    }
  }
  
  // radix 3
  butterfly_3_forward(v + 0);
  
  // store
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 4 + slot;
    const TW_INDEX loop0 = own;
    TW_GLOBAL TW_COMPLEX* destination = output + (loop0);
    if (own < count) {
      #pragma unroll
      for (TW_UINT m = 0; m < 1; ++m) {
        const TW_UINT b = lane;
        if (b < 10) {
          #pragma unroll
          for (TW_UINT j = 0; j < 3; ++j) {
            const TW_UINT element = indices[30 + b + j * 10];
            destination[(TW_INDEX)(element) * 10] = v[m * 3 + j];
          }
        }
      }
    }
  }
  lane = item % 15;
  slot = item / 15;
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 4 + slot;
    const TW_INDEX loop0 = own;
    TW_GLOBAL TW_COMPLEX* destination = output + (loop0);
    if (lane == 0 && own < count) {
      destination[0] = zeroth;
    }
  }
  lane = item / 4;
  slot = item % 4;
}
