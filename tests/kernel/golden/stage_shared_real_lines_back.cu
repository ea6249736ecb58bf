// A inverse transform of 60 points = 10 * 6.
// Each line is first made by the map 'c2r before 720'.
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

TW_INLINE void butterfly_10_inverse(TW_COMPLEX* v) {
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL r5 = v[5].x;
  const TW_REAL i5 = v[5].y;
  const TW_REAL t0 = i0 + i5;
  const TW_REAL t1 = i0 - i5;
  const TW_REAL t2 = r0 + r5;
  const TW_REAL t3 = r0 - r5;
  const TW_REAL r2 = v[2].x;
  const TW_REAL i2 = v[2].y;
  const TW_REAL r7 = v[7].x;
  const TW_REAL i7 = v[7].y;
  const TW_REAL t4 = i2 + i7;
  const TW_REAL t5 = i2 - i7;
  const TW_REAL r3 = v[3].x;
  const TW_REAL i3 = v[3].y;
  const TW_REAL r8 = v[8].x;
  const TW_REAL i8 = v[8].y;
  const TW_REAL t6 = i3 + i8;
  const TW_REAL t7 = i8 - i3;
  const TW_REAL t8 = t5 + t7;
  const TW_REAL t9 = t5 - t7;
  const TW_REAL t10 = t4 + t6;
  const TW_REAL t11 = t4 - t6;
  const TW_REAL t12 = r2 + r7;
  const TW_REAL t13 = r2 - r7;
  const TW_REAL t14 = r3 + r8;
  const TW_REAL t15 = r8 - r3;
  const TW_REAL t16 = t13 + t15;
  const TW_REAL t17 = t13 - t15;
  const TW_REAL t18 = t12 + t14;
  const TW_REAL t19 = t12 - t14;
  const TW_REAL r4 = v[4].x;
  const TW_REAL i4 = v[4].y;
  const TW_REAL r9 = v[9].x;
  const TW_REAL i9 = v[9].y;
  const TW_REAL t20 = i4 + i9;
  const TW_REAL t21 = i4 - i9;
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL r6 = v[6].x;
  const TW_REAL i6 = v[6].y;
  const TW_REAL t22 = i1 + i6;
  const TW_REAL t23 = i6 - i1;
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
  const TW_REAL t44 = r4 + r9;
  const TW_REAL t45 = r4 - r9;
  const TW_REAL t46 = r1 + r6;
  const TW_REAL t47 = r6 - r1;
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
  v[5].x = t58;
  v[5].y = t28;
  const TW_REAL t59 = TW_FMA(-0.250000000000000000000f, t56, t3);
  const TW_REAL t60 = TW_FMA(0.559017002582550048828f, t57, t59);
  const TW_REAL t61 = TW_FMA(-0.559017002582550048828f, t57, t59);
  const TW_REAL t62 = TW_FMA(-0.951056540012359619141f, t43, t61);
  v[3].x = t62;
  v[3].y = t52;
  const TW_REAL t63 = TW_FMA(0.951056540012359619141f, t43, t61);
  v[7].x = t63;
  v[7].y = t53;
  const TW_REAL t64 = TW_FMA(-0.951056540012359619141f, t42, t60);
  v[1].x = t64;
  v[1].y = t54;
  const TW_REAL t65 = TW_FMA(0.951056540012359619141f, t42, t60);
  v[9].x = t65;
  v[9].y = t55;
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
  v[0].x = t76;
  v[0].y = t34;
  const TW_REAL t77 = TW_FMA(-0.250000000000000000000f, t74, t2);
  const TW_REAL t78 = TW_FMA(0.559017002582550048828f, t75, t77);
  const TW_REAL t79 = TW_FMA(-0.559017002582550048828f, t75, t77);
  const TW_REAL t80 = TW_FMA(-0.951056540012359619141f, t39, t79);
  v[8].x = t80;
  v[8].y = t70;
  const TW_REAL t81 = TW_FMA(0.951056540012359619141f, t39, t79);
  v[2].x = t81;
  v[2].y = t71;
  const TW_REAL t82 = TW_FMA(-0.951056540012359619141f, t38, t78);
  v[6].x = t82;
  v[6].y = t72;
  const TW_REAL t83 = TW_FMA(0.951056540012359619141f, t38, t78);
  v[4].x = t83;
  v[4].y = t73;
}


// 10 items for each transform, 4 transforms in a group.
TW_KERNEL(40, 8) stage(TW_GLOBAL const TW_COMPLEX* input, TW_GLOBAL TW_COMPLEX* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count) {
  TW_LOCAL_ARRAY(TW_COMPLEX, exchange, 240);
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[10];
  TW_UINT lane = item / 4;
  TW_UINT slot = item % 4;
  
  // load
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 4 + slot;
    const TW_INDEX transform = (own < count ? own : count - 1);
    const TW_INDEX turn0 = transform % 6;
    const TW_INDEX loop0 = turn0 < 2 ? turn0 * 3 : turn0 % 2 == 0 ? turn0 / 2 : 6 - turn0 / 2;
    const TW_INDEX rest0 = transform / 6;
    const TW_INDEX loop1 = rest0;
    TW_GLOBAL const TW_COMPLEX* source = input + (loop1 * 361);
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      const TW_UINT b = lane < 6 ? lane : 5;
      #pragma unroll
      for (TW_UINT k = 0; k < 10; ++k) {
        const TW_UINT element = b + k * 6;
        {
          const TW_INDEX turn_element = loop0 + (TW_INDEX)6 * element;
          {
            const TW_INDEX element = turn_element;
            const TW_INDEX mirrored = 360 - element;
            TW_COMPLEX p = source[element];
            TW_COMPLEX q = source[mirrored];
            if (element == 0) p.y = q.y = 0;
            const TW_COMPLEX root = constants[98 + element];
            const TW_COMPLEX sum = TW_MAKE(p.x + q.x, p.y - q.y);
            const TW_COMPLEX turned = multiply(TW_MAKE(p.x - q.x, p.y + q.y), root);
            const TW_COMPLEX made = TW_MAKE(sum.x + turned.x, sum.y + turned.y);
            v[m * 10 + k] = made;
          }
        }
      }
    }
  }
  
  // radix 10
  butterfly_10_inverse(v + 0);
  
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
        exchange[(TW_PAD(base) + j * 1) * 4 + slot] = v[m * 10 + j];
      }
    }
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    #pragma unroll
    for (TW_UINT k = 0; k < 6; ++k) {
      v[m * 6 + k] = exchange[(TW_PAD(b) + k * 10) * 4 + slot];
    }
  }
  
  // radix 6
  butterfly_6_inverse(v + 0);
  
  // store
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 4 + slot;
    const TW_INDEX transform = own;
    const TW_INDEX turn0 = transform % 6;
    const TW_INDEX loop0 = turn0 < 2 ? turn0 * 3 : turn0 % 2 == 0 ? turn0 / 2 : 6 - turn0 / 2;
    const TW_INDEX rest0 = transform / 6;
    const TW_INDEX loop1 = rest0;
    TW_GLOBAL TW_COMPLEX* destination = output + (loop0 + loop1 * 360 + (TW_INDEX)lane * 6);
    if (own < count) {
      #pragma unroll
      for (TW_UINT m = 0; m < 1; ++m) {
        const TW_UINT b = lane;
        #pragma unroll
        for (TW_UINT j = 0; j < 6; ++j) {
          const TW_UINT element = b + j * 10;
          const TW_UINT turn = (TW_UINT)(element) * (TW_UINT)loop0;
          const TW_COMPLEX root = multiply(constants[54 + turn % 32], constants[86 + turn / 32]);
          v[m * 6 + j] = multiply(v[m * 6 + j], root);
          destination[(TW_INDEX)(j * 10) * 6] = v[m * 6 + j];
        }
      }
    }
  }
}
