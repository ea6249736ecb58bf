// A forward transform of 60 points = 10 * 6.
// Each line is then made into 'r2c after 720'.
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
#define TW_INDEX TW_UINT
#define TW_PAD(i) ((i))

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

TW_INLINE void butterfly_10_forward(TW_COMPLEX* v) {
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL r5 = v[5].x;
  const TW_REAL i5 = v[5].y;
  const TW_REAL t0 = r0 + r5;
  const TW_REAL t1 = r0 - r5;
  const TW_REAL t2 = i0 + i5;
  const TW_REAL t3 = i0 - i5;
  const TW_REAL r2 = v[2].x;
  const TW_REAL i2 = v[2].y;
  const TW_REAL r7 = v[7].x;
  const TW_REAL i7 = v[7].y;
  const TW_REAL t4 = r2 + r7;
  const TW_REAL t5 = r2 - r7;
  const TW_REAL r3 = v[3].x;
  const TW_REAL i3 = v[3].y;
  const TW_REAL r8 = v[8].x;
  const TW_REAL i8 = v[8].y;
  const TW_REAL t6 = r3 + r8;
  const TW_REAL t7 = r8 - r3;
  const TW_REAL t8 = t5 + t7;
  const TW_REAL t9 = t5 - t7;
  const TW_REAL t10 = t4 + t6;
  const TW_REAL t11 = t4 - t6;
  const TW_REAL t12 = i2 + i7;
  const TW_REAL t13 = i2 - i7;
  const TW_REAL t14 = i3 + i8;
  const TW_REAL t15 = i8 - i3;
  const TW_REAL t16 = t13 + t15;
  const TW_REAL t17 = t13 - t15;
  const TW_REAL t18 = t12 + t14;
  const TW_REAL t19 = t12 - t14;
  const TW_REAL r4 = v[4].x;
  const TW_REAL i4 = v[4].y;
  const TW_REAL r9 = v[9].x;
  const TW_REAL i9 = v[9].y;
  const TW_REAL t20 = r4 + r9;
  const TW_REAL t21 = r4 - r9;
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL r6 = v[6].x;
  const TW_REAL i6 = v[6].y;
  const TW_REAL t22 = r1 + r6;
  const TW_REAL t23 = r6 - r1;
  const TW_REAL t24 = t21 + t23;
  const TW_REAL t25 = t21 - t23;
  const TW_REAL t26 = t8 + t24;
  const TW_REAL t27 = t8 - t24;
  const TW_REAL t28 = t1 + t26;
  const TW_REAL t29 = TW_FMA(-0.250000000000000000000f, t26, t1);
  const TW_REAL t30 = t20 + t22;
  const TW_REAL t31 = t20 - t22;
  const TW_REAL t32 = t10 + t30;
  const TW_REAL t33 = t10 - t30;
  const TW_REAL t34 = t0 + t32;
  const TW_REAL t35 = TW_FMA(-0.250000000000000000000f, t32, t0);
  const TW_REAL t36 = TW_FMA(0.559017002582550048828f, t33, t35);
  const TW_REAL t37 = TW_FMA(-0.559017002582550048828f, t33, t35);
  const TW_REAL t38 = TW_FMA(0.618033945560455322266f, t31, t11);
  const TW_REAL t39 = TW_FMA(-0.618033945560455322266f, t11, t31);
  const TW_REAL t40 = TW_FMA(0.559017002582550048828f, t27, t29);
  const TW_REAL t41 = TW_FMA(-0.559017002582550048828f, t27, t29);
  const TW_REAL t42 = TW_FMA(0.618033945560455322266f, t25, t9);
  const TW_REAL t43 = TW_FMA(-0.618033945560455322266f, t9, t25);
  const TW_REAL t44 = i4 + i9;
  const TW_REAL t45 = i4 - i9;
  const TW_REAL t46 = i1 + i6;
  const TW_REAL t47 = i6 - i1;
  const TW_REAL t48 = t45 + t47;
  const TW_REAL t49 = t45 - t47;
  const TW_REAL t50 = TW_FMA(0.618033945560455322266f, t49, t17);
  const TW_REAL t51 = TW_FMA(-0.618033945560455322266f, t17, t49);
  const TW_REAL t52 = TW_FMA(0.951056540012359619141f, t51, t41);
  const TW_REAL t53 = TW_FMA(-0.951056540012359619141f, t51, t41);
  const TW_REAL t54 = TW_FMA(0.951056540012359619141f, t50, t40);
  const TW_REAL t55 = TW_FMA(-0.951056540012359619141f, t50, t40);
  const TW_REAL t56 = t16 + t48;
  const TW_REAL t57 = t16 - t48;
  const TW_REAL t58 = t3 + t56;
  v[5].x = t28;
  v[5].y = t58;
  const TW_REAL t59 = TW_FMA(-0.250000000000000000000f, t56, t3);
  const TW_REAL t60 = TW_FMA(0.559017002582550048828f, t57, t59);
  const TW_REAL t61 = TW_FMA(-0.559017002582550048828f, t57, t59);
  const TW_REAL t62 = TW_FMA(-0.951056540012359619141f, t43, t61);
  v[3].x = t52;
  v[3].y = t62;
  const TW_REAL t63 = TW_FMA(0.951056540012359619141f, t43, t61);
  v[7].x = t53;
  v[7].y = t63;
  const TW_REAL t64 = TW_FMA(-0.951056540012359619141f, t42, t60);
  v[1].x = t54;
  v[1].y = t64;
  const TW_REAL t65 = TW_FMA(0.951056540012359619141f, t42, t60);
  v[9].x = t55;
  v[9].y = t65;
  const TW_REAL t66 = t44 + t46;
  const TW_REAL t67 = t44 - t46;
  const TW_REAL t68 = TW_FMA(0.618033945560455322266f, t67, t19);
  const TW_REAL t69 = TW_FMA(-0.618033945560455322266f, t19, t67);
  const TW_REAL t70 = TW_FMA(0.951056540012359619141f, t69, t37);
  const TW_REAL t71 = TW_FMA(-0.951056540012359619141f, t69, t37);
  const TW_REAL t72 = TW_FMA(0.951056540012359619141f, t68, t36);
  const TW_REAL t73 = TW_FMA(-0.951056540012359619141f, t68, t36);
  const TW_REAL t74 = t18 + t66;
  const TW_REAL t75 = t18 - t66;
  const TW_REAL t76 = t2 + t74;
  v[0].x = t34;
  v[0].y = t76;
  const TW_REAL t77 = TW_FMA(-0.250000000000000000000f, t74, t2);
  const TW_REAL t78 = TW_FMA(0.559017002582550048828f, t75, t77);
  const TW_REAL t79 = TW_FMA(-0.559017002582550048828f, t75, t77);
  const TW_REAL t80 = TW_FMA(-0.951056540012359619141f, t39, t79);
  v[8].x = t70;
  v[8].y = t80;
  const TW_REAL t81 = TW_FMA(0.951056540012359619141f, t39, t79);
  v[2].x = t71;
  v[2].y = t81;
  const TW_REAL t82 = TW_FMA(-0.951056540012359619141f, t38, t78);
  v[6].x = t72;
  v[6].y = t82;
  const TW_REAL t83 = TW_FMA(0.951056540012359619141f, t38, t78);
  v[4].x = t73;
  v[4].y = t83;
}


// 10 items for each transform, 4 transforms in a group.
TW_KERNEL(40, 8) stage(TW_GLOBAL const TW_COMPLEX* input, TW_GLOBAL TW_COMPLEX* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count) {
  TW_LOCAL_ARRAY(TW_COMPLEX, exchange, 272);
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[10];
  TW_UINT lane = item % 10;
  TW_UINT slot = item / 10;
  
  // load
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 4 + slot;
    const TW_INDEX transform = (own < count ? own : count - 1);
    const TW_INDEX turn0 = transform % 6;
    const TW_INDEX loop0 = turn0 < 2 ? turn0 * 3 : turn0 % 2 == 0 ? turn0 / 2 : 6 - turn0 / 2;
    const TW_INDEX rest0 = transform / 6;
    const TW_INDEX loop1 = rest0;
    TW_GLOBAL const TW_COMPLEX* source = input + (loop0 * 60 + loop1 * 360);
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      const TW_UINT b = lane < 6 ? lane : 5;
      TW_GLOBAL const TW_COMPLEX* first = source + (b);
      #pragma unroll
      for (TW_UINT k = 0; k < 10; ++k) {
        v[m * 10 + k] = first[k * 6];
      }
    }
  }
  
  // radix 10
  butterfly_10_forward(v + 0);
  
  // twiddle
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane < 6 ? lane : 5;
    const TW_UINT p = b / 1;
    TW_GLOBAL const TW_COMPLEX* roots = constants + 0 + p;
    #pragma unroll
    for (TW_UINT j = 1; j < 10; ++j) {
      v[m * 10 + j] = multiply(v[m * 10 + j], roots[(j - 1) * 6]);
    }
  }
  
  // exchange
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    if (b < 6) {
      const TW_UINT base = b / 1 * 10 + b % 1;
      #pragma unroll
      for (TW_UINT j = 0; j < 10; ++j) {
        exchange[slot * 68 + TW_PAD(base) + j * 1] = v[m * 10 + j];
      }
    }
  }
  TW_BARRIER();
  lane = item / 4;
  slot = item % 4;
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    #pragma unroll
    for (TW_UINT k = 0; k < 6; ++k) {
      v[m * 6 + k] = exchange[slot * 68 + TW_PAD(b) + k * 10];
    }
  }
  
  // radix 6
  butterfly_6_forward(v + 0);
  
  // store
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    #pragma unroll
    for (TW_UINT j = 0; j < 6; ++j) {
      exchange[slot * 68 + TW_PAD(b) + j * 10] = v[m * 6 + j];
    }
  }
  TW_BARRIER();
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 4 + slot;
    const TW_INDEX transform = own;
    const TW_INDEX turn0 = transform % 6;
    const TW_INDEX loop0 = turn0 < 2 ? turn0 * 3 : turn0 % 2 == 0 ? turn0 / 2 : 6 - turn0 / 2;
    const TW_INDEX rest0 = transform / 6;
    const TW_INDEX loop1 = rest0;
    const TW_UINT partner = turn0 < 2 ? slot : slot ^ 1;
    const TW_UINT end = loop0 == 0 ? 60 : 59;
    TW_GLOBAL TW_COMPLEX* destination = output + (loop0 + loop1 * 361 + (TW_INDEX)lane * 6);
    if (own < count) {
      #pragma unroll
      for (TW_UINT m = 0; m < 1; ++m) {
        const TW_UINT b = lane;
        #pragma unroll
        for (TW_UINT j = 0; j < 6; ++j) {
          const TW_UINT place = b + j * 10;
          const TW_INDEX element = loop0 + (TW_INDEX)6 * place;
          const TW_COMPLEX p = v[m * 6 + j];
          const TW_COMPLEX q = exchange[partner * 68 + TW_PAD((element == 0 ? 0 : end - place))];
          const TW_COMPLEX root = constants[54 + element];
          const TW_COMPLEX sum = TW_MAKE(p.x + q.x, p.y - q.y);
          const TW_COMPLEX turned = multiply(TW_MAKE(p.x - q.x, p.y + q.y), root);
          const TW_COMPLEX made = TW_MAKE(TW_FMA((TW_REAL)0.5f, sum.x, turned.x), TW_FMA((TW_REAL)0.5f, sum.y, turned.y));
          const TW_COMPLEX opposite = TW_MAKE(TW_FMA((TW_REAL)0.5f, sum.x, -turned.x),
                                               TW_FMA((TW_REAL)-0.5f, sum.y, turned.y));
          destination[(TW_INDEX)(j * 10) * 6] = made;
          if (element == 0) destination[(TW_INDEX)(60) * 6] = opposite;
        }
      }
    }
  }
}
