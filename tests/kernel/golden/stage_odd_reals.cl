// A forward transform of 243 points = 9 * 3 * 9.
#define TW_KERNEL(items, groups) __kernel void
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
#define TW_HALF ushort
#define TW_LOAD_HALF(data) vload_half(0, (TW_GLOBAL const half*)(data))
#define TW_LOAD_HALF2(data) vload_half2(0, (TW_GLOBAL const half*)(data))
#define TW_STORE_HALF(data, value) vstore_half_rte((float)(value), 0, (TW_GLOBAL half*)(data))
#define TW_STORE_HALF2(data, re, im) vstore_half2_rte((float2)((re), (im)), 0, (TW_GLOBAL half*)(data))
#define TW_BITS(value) as_uint(value)
#define TW_FROM_BITS(bits) as_float(bits)
#define TW_JOIN_WORDS(upper, lower) TW_FROM_BITS((TW_UINT)(upper) << 16 | (lower))
#define TW_UPPER_WORD(value) ((TW_HALF)(TW_BITS(value) >> 16))
#define TW_LOWER_WORD(value) ((TW_HALF)(TW_BITS(value) & 65535))
#define TW_INDEX TW_UINT
#define TW_PAD(i) ((i))

TW_INLINE TW_COMPLEX multiply(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, -(a.y * b.y)), TW_FMA(a.x, b.y, a.y * b.x));
}

TW_INLINE TW_COMPLEX load_element(TW_GLOBAL const TW_HALF* data, TW_GLOBAL const TW_HALF* lower) {
  return TW_MAKE(TW_JOIN_WORDS(*data, *lower), 0);
}

TW_INLINE void store_element(TW_GLOBAL TW_HALF* data, const TW_COMPLEX value) {
  TW_STORE_HALF(data, value.x);
  TW_STORE_HALF(data + (121), value.y);
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

TW_INLINE void butterfly_9_forward(TW_COMPLEX* v) {
  const TW_REAL r3 = v[3].x;
  const TW_REAL i3 = v[3].y;
  const TW_REAL r6 = v[6].x;
  const TW_REAL i6 = v[6].y;
  const TW_REAL t0 = r3 + r6;
  const TW_REAL t1 = r3 - r6;
  const TW_REAL t2 = i3 + i6;
  const TW_REAL t3 = i3 - i6;
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL t4 = TW_FMA(-0.500000000000000000000f, t2, i0);
  const TW_REAL t5 = i0 + t2;
  const TW_REAL t6 = TW_FMA(-0.500000000000000000000f, t0, r0);
  const TW_REAL t7 = r0 + t0;
  const TW_REAL r4 = v[4].x;
  const TW_REAL i4 = v[4].y;
  const TW_REAL r7 = v[7].x;
  const TW_REAL i7 = v[7].y;
  const TW_REAL t8 = r4 + r7;
  const TW_REAL t9 = r4 - r7;
  const TW_REAL t10 = i4 + i7;
  const TW_REAL t11 = i4 - i7;
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL t12 = TW_FMA(-0.500000000000000000000f, t10, i1);
  const TW_REAL t13 = i1 + t10;
  const TW_REAL t14 = TW_FMA(-0.500000000000000000000f, t8, r1);
  const TW_REAL t15 = r1 + t8;
  const TW_REAL r5 = v[5].x;
  const TW_REAL i5 = v[5].y;
  const TW_REAL r8 = v[8].x;
  const TW_REAL i8 = v[8].y;
  const TW_REAL t16 = r5 + r8;
  const TW_REAL t17 = r5 - r8;
  const TW_REAL r2 = v[2].x;
  const TW_REAL i2 = v[2].y;
  const TW_REAL t18 = r2 + t16;
  const TW_REAL t19 = TW_FMA(-0.500000000000000000000f, t16, r2);
  const TW_REAL t20 = t15 + t18;
  const TW_REAL t21 = t15 - t18;
  const TW_REAL t22 = t7 + t20;
  const TW_REAL t23 = TW_FMA(-0.500000000000000000000f, t20, t7);
  const TW_REAL t24 = i5 + i8;
  const TW_REAL t25 = i5 - i8;
  const TW_REAL t26 = TW_FMA(-0.500000000000000000000f, t24, i2);
  const TW_REAL t27 = i2 + t24;
  const TW_REAL t28 = t13 + t27;
  const TW_REAL t29 = t13 - t27;
  const TW_REAL t30 = TW_FMA(0.866025388240814208984f, t29, t23);
  const TW_REAL t31 = TW_FMA(-0.866025388240814208984f, t29, t23);
  const TW_REAL t32 = t5 + t28;
  v[0].x = t22;
  v[0].y = t32;
  const TW_REAL t33 = TW_FMA(-0.500000000000000000000f, t28, t5);
  const TW_REAL t34 = TW_FMA(-0.866025388240814208984f, t21, t33);
  v[3].x = t30;
  v[3].y = t34;
  const TW_REAL t35 = TW_FMA(0.866025388240814208984f, t21, t33);
  v[6].x = t31;
  v[6].y = t35;
  const TW_REAL t36 = TW_FMA(-0.866025388240814208984f, t17, t26);
  const TW_REAL t37 = TW_FMA(0.866025388240814208984f, t17, t26);
  const TW_REAL t38 = TW_FMA(0.866025388240814208984f, t25, t19);
  const TW_REAL t39 = TW_FMA(-0.866025388240814208984f, t25, t19);
  const TW_REAL t40 = TW_FMA(-0.363970220088958740234f, t37, t39);
  const TW_REAL t41 = TW_FMA(0.363970220088958740234f, t39, t37);
  const TW_REAL t42 = TW_FMA(0.176326975226402282715f, t38, t36);
  const TW_REAL t43 = TW_FMA(-0.176326975226402282715f, t36, t38);
  const TW_REAL t44 = TW_FMA(0.866025388240814208984f, t11, t14);
  const TW_REAL t45 = TW_FMA(-0.866025388240814208984f, t11, t14);
  const TW_REAL t46 = TW_FMA(-0.866025388240814208984f, t9, t12);
  const TW_REAL t47 = TW_FMA(0.866025388240814208984f, t9, t12);
  const TW_REAL t48 = TW_FMA(0.176326975226402282715f, t45, t47);
  const TW_REAL t49 = TW_FMA(-0.176326975226402282715f, t47, t45);
  const TW_REAL t50 = TW_FMA(0.839099645614624023438f, t46, t44);
  const TW_REAL t51 = TW_FMA(-0.839099645614624023438f, t44, t46);
  const TW_REAL t52 = TW_FMA(-0.777861893177032470703f, t51, t43);
  const TW_REAL t53 = TW_FMA(0.777861893177032470703f, t51, t43);
  const TW_REAL t54 = TW_FMA(-0.866025388240814208984f, t1, t4);
  const TW_REAL t55 = TW_FMA(0.866025388240814208984f, t1, t4);
  const TW_REAL t56 = TW_FMA(-0.984807789325714111328f, t52, t54);
  const TW_REAL t57 = TW_FMA(0.492403894662857055664f, t52, t54);
  const TW_REAL t58 = TW_FMA(-0.777861893177032470703f, t50, t42);
  const TW_REAL t59 = TW_FMA(0.777861893177032470703f, t50, t42);
  const TW_REAL t60 = TW_FMA(0.852868556976318359375f, t58, t57);
  const TW_REAL t61 = TW_FMA(-0.852868556976318359375f, t58, t57);
  const TW_REAL t62 = TW_FMA(0.954188883304595947266f, t41, t49);
  const TW_REAL t63 = TW_FMA(-0.954188883304595947266f, t41, t49);
  const TW_REAL t64 = TW_FMA(-0.984807789325714111328f, t62, t55);
  const TW_REAL t65 = TW_FMA(0.492403894662857055664f, t62, t55);
  const TW_REAL t66 = TW_FMA(0.954188883304595947266f, t40, t48);
  const TW_REAL t67 = TW_FMA(-0.954188883304595947266f, t40, t48);
  const TW_REAL t68 = TW_FMA(-0.852868556976318359375f, t66, t65);
  const TW_REAL t69 = TW_FMA(0.852868556976318359375f, t66, t65);
  const TW_REAL t70 = TW_FMA(0.866025388240814208984f, t3, t6);
  const TW_REAL t71 = TW_FMA(-0.866025388240814208984f, t3, t6);
  const TW_REAL t72 = TW_FMA(0.984807789325714111328f, t67, t71);
  v[2].x = t72;
  v[2].y = t64;
  const TW_REAL t73 = TW_FMA(-0.492403894662857055664f, t67, t71);
  const TW_REAL t74 = TW_FMA(-0.852868556976318359375f, t63, t73);
  v[5].x = t74;
  v[5].y = t68;
  const TW_REAL t75 = TW_FMA(0.852868556976318359375f, t63, t73);
  v[8].x = t75;
  v[8].y = t69;
  const TW_REAL t76 = TW_FMA(0.984807789325714111328f, t59, t70);
  v[1].x = t76;
  v[1].y = t56;
  const TW_REAL t77 = TW_FMA(-0.492403894662857055664f, t59, t70);
  const TW_REAL t78 = TW_FMA(0.852868556976318359375f, t53, t77);
  v[4].x = t78;
  v[4].y = t60;
  const TW_REAL t79 = TW_FMA(-0.852868556976318359375f, t53, t77);
  v[7].x = t79;
  v[7].y = t61;
}


// 27 items for each transform, 1 transforms in a group.
TW_KERNEL(27, 16) stage(TW_GLOBAL const TW_HALF* input, TW_GLOBAL TW_HALF* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count, TW_GLOBAL TW_REAL* apart) {
  TW_LOCAL_ARRAY(TW_COMPLEX, exchange, 243);
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[9];
  TW_UINT lane = item;
  TW_UINT slot = 0;
  
  // load
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP + slot;
    TW_GLOBAL const TW_HALF* source = input + ((TW_INDEX)lane);
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      #pragma unroll
      for (TW_UINT k = 0; k < 9; ++k) {
        v[m * 9 + k] = load_element(source + (k * 27), (TW_GLOBAL TW_HALF*)apart + (source - input) + (k * 27));
      }
    }
  }
  
  // radix 9
  butterfly_9_forward(v + 0);
  
  // twiddle
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    const TW_UINT p = b / 1;
    TW_GLOBAL const TW_COMPLEX* roots = constants + 0 + p;
    #pragma unroll
    for (TW_UINT j = 1; j < 9; ++j) {
      v[m * 9 + j] = multiply(v[m * 9 + j], roots[(j - 1) * 27]);
    }
  }
  
  // exchange
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    const TW_UINT base = b / 1 * 9 + b % 1;
    #pragma unroll
    for (TW_UINT j = 0; j < 9; ++j) {
      exchange[TW_PAD(base) + j * 1] = v[m * 9 + j];
    }
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 3; ++m) {
    const TW_UINT b = lane + m * 27;
    #pragma unroll
    for (TW_UINT k = 0; k < 3; ++k) {
      v[m * 3 + k] = exchange[TW_PAD(b) + k * 81];
    }
  }
  
  // radix 3
  butterfly_3_forward(v + 0);
  butterfly_3_forward(v + 3);
  butterfly_3_forward(v + 6);
  
  // twiddle
  #pragma unroll
  for (TW_UINT m = 0; m < 3; ++m) {
    const TW_UINT b = lane + m * 27;
    const TW_UINT p = b / 9;
    TW_GLOBAL const TW_COMPLEX* roots = constants + 216 + p;
    #pragma unroll
    for (TW_UINT j = 1; j < 3; ++j) {
      v[m * 3 + j] = multiply(v[m * 3 + j], roots[(j - 1) * 9]);
    }
  }
  
  // exchange
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 3; ++m) {
    const TW_UINT b = lane + m * 27;
    const TW_UINT base = b / 9 * 27 + b % 9;
    #pragma unroll
    for (TW_UINT j = 0; j < 3; ++j) {
      exchange[TW_PAD(base) + j * 9] = v[m * 3 + j];
    }
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    #pragma unroll
    for (TW_UINT k = 0; k < 9; ++k) {
      v[m * 9 + k] = exchange[TW_PAD(b) + k * 27];
    }
  }
  
  // radix 9
  butterfly_9_forward(v + 0);
  
  // store
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP + slot;
    TW_GLOBAL TW_HALF* destination = output + ((TW_INDEX)lane);
    const TW_INDEX sequence = 0;
    const TW_INDEX bounded = 0;
    if (own < count) {
      #pragma unroll
      for (TW_UINT m = 0; m < 1; ++m) {
        const TW_UINT b = lane;
        #pragma unroll
        for (TW_UINT j = 0; j < 9; ++j) {
          const TW_UINT element = b + j * 27;
          const TW_INDEX position = bounded + element;
          const TW_INDEX at = sequence + (TW_INDEX)(element) * 243;
          if (position < 122 && at < 59049) {
            v[m * 9 + j] = multiply(v[m * 9 + j], multiply(constants[234 + at % 256], constants[490 + at / 256]));
            if (position != 0) { store_element(destination + (j * 27), TW_MAKE(v[m * 9 + j].x * 2.000000000e+00f, v[m * 9 + j].y * 2.000000000e+00f)); } else { TW_STORE_HALF(destination + (j * 27), (TW_MAKE(v[m * 9 + j].x * 2.000000000e+00f, v[m * 9 + j].y * 2.000000000e+00f)).x); }
          }
        }
      }
    }
  }
}
