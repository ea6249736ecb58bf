// A inverse transform of 36 points = 3 * 12.
// Each line is first made by the map 'hermitian 36'.
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

TW_INLINE void store_element(TW_GLOBAL float* data, const TW_COMPLEX value) {
  *(data) = value.x;
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

TW_INLINE void butterfly_12_inverse(TW_COMPLEX* v) {
  const TW_REAL r4 = v[4].x;
  const TW_REAL i4 = v[4].y;
  const TW_REAL r8 = v[8].x;
  const TW_REAL i8 = v[8].y;
  const TW_REAL t0 = i4 + i8;
  const TW_REAL t1 = i4 - i8;
  const TW_REAL t2 = r4 + r8;
  const TW_REAL t3 = r4 - r8;
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL t4 = TW_FMA(-0.500000000000000000000f, t2, r0);
  const TW_REAL t5 = r0 + t2;
  const TW_REAL t6 = TW_FMA(-0.500000000000000000000f, t0, i0);
  const TW_REAL t7 = i0 + t0;
  const TW_REAL r7 = v[7].x;
  const TW_REAL i7 = v[7].y;
  const TW_REAL r11 = v[11].x;
  const TW_REAL i11 = v[11].y;
  const TW_REAL t8 = i7 + i11;
  const TW_REAL t9 = i7 - i11;
  const TW_REAL t10 = r7 + r11;
  const TW_REAL t11 = r7 - r11;
  const TW_REAL r3 = v[3].x;
  const TW_REAL i3 = v[3].y;
  const TW_REAL t12 = TW_FMA(-0.500000000000000000000f, t10, r3);
  const TW_REAL t13 = r3 + t10;
  const TW_REAL t14 = TW_FMA(-0.500000000000000000000f, t8, i3);
  const TW_REAL t15 = i3 + t8;
  const TW_REAL r2 = v[2].x;
  const TW_REAL i2 = v[2].y;
  const TW_REAL r10 = v[10].x;
  const TW_REAL i10 = v[10].y;
  const TW_REAL t16 = i2 + i10;
  const TW_REAL t17 = i10 - i2;
  const TW_REAL r6 = v[6].x;
  const TW_REAL i6 = v[6].y;
  const TW_REAL t18 = i6 + t16;
  const TW_REAL t19 = TW_FMA(-0.500000000000000000000f, t16, i6);
  const TW_REAL t20 = r2 + r10;
  const TW_REAL t21 = r10 - r2;
  const TW_REAL t22 = TW_FMA(-0.500000000000000000000f, t20, r6);
  const TW_REAL t23 = r6 + t20;
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL r5 = v[5].x;
  const TW_REAL i5 = v[5].y;
  const TW_REAL t24 = i1 + i5;
  const TW_REAL t25 = i1 - i5;
  const TW_REAL r9 = v[9].x;
  const TW_REAL i9 = v[9].y;
  const TW_REAL t26 = i9 + t24;
  const TW_REAL t27 = TW_FMA(-0.500000000000000000000f, t24, i9);
  const TW_REAL t28 = r1 + r5;
  const TW_REAL t29 = r1 - r5;
  const TW_REAL t30 = TW_FMA(-0.500000000000000000000f, t28, r9);
  const TW_REAL t31 = r9 + t28;
  const TW_REAL t32 = t13 + t31;
  const TW_REAL t33 = t13 - t31;
  const TW_REAL t34 = t5 + t23;
  const TW_REAL t35 = t5 - t23;
  const TW_REAL t36 = t34 + t32;
  const TW_REAL t37 = t34 - t32;
  const TW_REAL t38 = t15 - t26;
  const TW_REAL t39 = t15 + t26;
  const TW_REAL t40 = t35 - t38;
  const TW_REAL t41 = t35 + t38;
  const TW_REAL t42 = t7 + t18;
  const TW_REAL t43 = t7 - t18;
  const TW_REAL t44 = t43 + t33;
  v[9].x = t40;
  v[9].y = t44;
  const TW_REAL t45 = t43 - t33;
  v[3].x = t41;
  v[3].y = t45;
  const TW_REAL t46 = t42 + t39;
  v[0].x = t36;
  v[0].y = t46;
  const TW_REAL t47 = t42 - t39;
  v[6].x = t37;
  v[6].y = t47;
  const TW_REAL t48 = TW_FMA(-0.866025388240814208984f, t25, t30);
  const TW_REAL t49 = TW_FMA(0.866025388240814208984f, t25, t30);
  const TW_REAL t50 = TW_FMA(-0.866025388240814208984f, t9, t12);
  const TW_REAL t51 = TW_FMA(0.866025388240814208984f, t9, t12);
  const TW_REAL t52 = t51 + t49;
  const TW_REAL t53 = t51 - t49;
  const TW_REAL t54 = t50 + t48;
  const TW_REAL t55 = t50 - t48;
  const TW_REAL t56 = TW_FMA(0.866025388240814208984f, t29, t27);
  const TW_REAL t57 = TW_FMA(-0.866025388240814208984f, t29, t27);
  const TW_REAL t58 = TW_FMA(0.866025388240814208984f, t11, t14);
  const TW_REAL t59 = TW_FMA(-0.866025388240814208984f, t11, t14);
  const TW_REAL t60 = t59 + t57;
  const TW_REAL t61 = t59 - t57;
  const TW_REAL t62 = t58 + t56;
  const TW_REAL t63 = t58 - t56;
  const TW_REAL t64 = TW_FMA(-0.866025388240814208984f, t17, t22);
  const TW_REAL t65 = TW_FMA(0.866025388240814208984f, t17, t22);
  const TW_REAL t66 = TW_FMA(-0.866025388240814208984f, t1, t4);
  const TW_REAL t67 = TW_FMA(0.866025388240814208984f, t1, t4);
  const TW_REAL t68 = t67 + t65;
  const TW_REAL t69 = t67 - t65;
  const TW_REAL t70 = t69 - t61;
  const TW_REAL t71 = t69 + t61;
  const TW_REAL t72 = t68 + t52;
  const TW_REAL t73 = t68 - t52;
  const TW_REAL t74 = t66 + t64;
  const TW_REAL t75 = t66 - t64;
  const TW_REAL t76 = t75 - t63;
  const TW_REAL t77 = t75 + t63;
  const TW_REAL t78 = t74 + t54;
  const TW_REAL t79 = t74 - t54;
  const TW_REAL t80 = TW_FMA(0.866025388240814208984f, t21, t19);
  const TW_REAL t81 = TW_FMA(-0.866025388240814208984f, t21, t19);
  const TW_REAL t82 = TW_FMA(0.866025388240814208984f, t3, t6);
  const TW_REAL t83 = TW_FMA(-0.866025388240814208984f, t3, t6);
  const TW_REAL t84 = t83 + t81;
  const TW_REAL t85 = t83 - t81;
  const TW_REAL t86 = t85 + t53;
  v[5].x = t70;
  v[5].y = t86;
  const TW_REAL t87 = t85 - t53;
  v[11].x = t71;
  v[11].y = t87;
  const TW_REAL t88 = t84 + t60;
  v[8].x = t72;
  v[8].y = t88;
  const TW_REAL t89 = t84 - t60;
  v[2].x = t73;
  v[2].y = t89;
  const TW_REAL t90 = t82 + t80;
  const TW_REAL t91 = t82 - t80;
  const TW_REAL t92 = t91 + t55;
  v[1].x = t76;
  v[1].y = t92;
  const TW_REAL t93 = t91 - t55;
  v[7].x = t77;
  v[7].y = t93;
  const TW_REAL t94 = t90 + t62;
  v[4].x = t78;
  v[4].y = t94;
  const TW_REAL t95 = t90 - t62;
  v[10].x = t79;
  v[10].y = t95;
}


// 3 items for each transform, 4 transforms in a group.
TW_KERNEL(12, 16) stage(TW_GLOBAL const TW_COMPLEX* input, TW_GLOBAL float* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count) {
  TW_LOCAL_ARRAY(TW_COMPLEX, exchange, 144);
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[12];
  TW_UINT lane = item % 3;
  TW_UINT slot = item / 3;
  
  // load
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 4 + slot;
    const TW_INDEX transform = (own < count ? own : count - 1);
    const TW_INDEX loop0 = transform % 18;
    const TW_INDEX rest0 = transform / 18;
    const TW_INDEX loop1 = rest0;
    TW_GLOBAL const TW_COMPLEX* source = input + (loop0 * 19 + loop1 * 344);
    #pragma unroll
    for (TW_UINT m = 0; m < 4; ++m) {
      const TW_UINT b = lane + m * 3;
      #pragma unroll
      for (TW_UINT k = 0; k < 3; ++k) {
        const TW_UINT element = b + k * 12;
        {
          const int upper = element > 18;
          const TW_INDEX index = upper ? 36 - element : element;
          TW_COMPLEX made = source[index];
          made.y = index == 0 ? 0 : upper ? -made.y : made.y;
          v[m * 3 + k] = made;
        }
      }
    }
  }
  
  // radix 3
  butterfly_3_inverse(v + 0);
  butterfly_3_inverse(v + 3);
  butterfly_3_inverse(v + 6);
  butterfly_3_inverse(v + 9);
  
  // twiddle
  #pragma unroll
  for (TW_UINT m = 0; m < 4; ++m) {
    const TW_UINT b = lane + m * 3;
    const TW_UINT p = b / 1;
    TW_GLOBAL const TW_COMPLEX* roots = constants + 0 + p;
    #pragma unroll
    for (TW_UINT j = 1; j < 3; ++j) {
      v[m * 3 + j] = multiply(v[m * 3 + j], roots[(j - 1) * 12]);
    }
  }
  
  // exchange
  #pragma unroll
  for (TW_UINT m = 0; m < 4; ++m) {
    const TW_UINT b = lane + m * 3;
    const TW_UINT base = b / 1 * 3 + b % 1;
    #pragma unroll
    for (TW_UINT j = 0; j < 3; ++j) {
      exchange[slot * 36 + TW_PAD(base) + j * 1] = v[m * 3 + j];
    }
  }
  TW_BARRIER();
  lane = item / 4;
  slot = item % 4;
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    #pragma unroll
    for (TW_UINT k = 0; k < 12; ++k) {
      v[m * 12 + k] = exchange[slot * 36 + TW_PAD(b) + k * 3];
    }
  }
  
  // radix 12
  butterfly_12_inverse(v + 0);
  
  // store
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 4 + slot;
    const TW_INDEX transform = own;
    const TW_INDEX loop0 = transform % 18;
    const TW_INDEX rest0 = transform / 18;
    const TW_INDEX loop1 = rest0;
    TW_GLOBAL float* destination = output + ((TW_OFFSET)(loop0 + loop1 * 633 + (TW_INDEX)lane * 35));
    const TW_INDEX bounded = loop0;
    if (own < count) {
      #pragma unroll
      for (TW_UINT m = 0; m < 1; ++m) {
        const TW_UINT b = lane;
        #pragma unroll
        for (TW_UINT j = 0; j < 12; ++j) {
          const TW_UINT element = b + j * 3;
          const TW_INDEX position = bounded + (TW_INDEX)(element) * 35;
          const int upper = position > 630;
          const TW_INDEX kept = upper ? 1260 - position : position;
          if (kept - 1 < 629 && (!upper || bounded % 35 != 0)) {
            if (upper) v[m * 12 + j].x = -v[m * 12 + j].x;
            store_element(destination + ((TW_OFFSET)((TW_OFFSET)((TW_INDEX)(j * 3) * 35) + kept - position)), v[m * 12 + j]);
          }
        }
      }
    }
  }
}
