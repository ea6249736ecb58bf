// A inverse transform of 96 points = 12 * 8.
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
#define TW_PAD(i) ((i) + (i) / 12)

TW_INLINE TW_COMPLEX multiply(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, -(a.y * b.y)), TW_FMA(a.x, b.y, a.y * b.x));
}

__device__ __noinline__ static TW_COMPLEX made_anew(const TW_WIDE index, TW_GLOBAL const void* memory, TW_GLOBAL const TW_COMPLEX* spectra) {
  TW_COMPLEX value = TW_MAKE(0, 0);
{
value = spectra[index];
}
  return value;
}

TW_INLINE TW_COMPLEX repaired(const TW_COMPLEX value, const TW_WIDE index, TW_GLOBAL const void* memory, TW_GLOBAL const TW_COMPLEX* spectra) {
  const TW_REAL sum = value.x + value.y;
  if (sum - sum == 0) return value;
  return made_anew(index, memory, spectra);
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


// 12 items for each transform, 5 transforms in a group.
TW_KERNEL(60, 8) stage(TW_GLOBAL const TW_COMPLEX* input, TW_GLOBAL TW_COMPLEX* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count, TW_GLOBAL const void* store_hook_user, TW_GLOBAL const TW_COMPLEX* spectra) {
  TW_LOCAL_ARRAY(TW_COMPLEX, exchange, 515);
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[12];
  TW_UINT lane = item % 12;
  TW_UINT slot = item / 12;
  
  // load
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 5 + slot;
    const TW_INDEX loop0 = (own < count ? own : count - 1);
    TW_GLOBAL const TW_COMPLEX* source = input + (loop0 * 96);
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      const TW_UINT b = lane < 8 ? lane : 7;
      TW_GLOBAL const TW_COMPLEX* first = source + (b);
      #pragma unroll
      for (TW_UINT k = 0; k < 12; ++k) {
        v[m * 12 + k] = first[k * 8];
      }
    }
  }
  
  // radix 12
  butterfly_12_inverse(v + 0);
  
  // twiddle
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane < 8 ? lane : 7;
    const TW_UINT p = b / 1;
    TW_GLOBAL const TW_COMPLEX* roots = constants + 0 + p;
    #pragma unroll
    for (TW_UINT j = 1; j < 12; ++j) {
      v[m * 12 + j] = multiply(v[m * 12 + j], roots[(j - 1) * 8]);
    }
  }
  
  // exchange
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    if (b < 8) {
      const TW_UINT base = b / 1 * 12 + b % 1;
      #pragma unroll
      for (TW_UINT j = 0; j < 12; ++j) {
        exchange[slot * 103 + TW_PAD(base) + j * 1] = v[m * 12 + j];
      }
    }
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    #pragma unroll
    for (TW_UINT k = 0; k < 8; ++k) {
      v[m * 8 + k] = exchange[slot * 103 + TW_PAD(b) + k * 13];
    }
  }
  
  // radix 8
  butterfly_8_inverse(v + 0);
  
  // store
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 5 + slot;
    const TW_INDEX loop0 = own;
    TW_GLOBAL TW_COMPLEX* destination = output + (loop0 * 96 + (TW_INDEX)lane);
    if (own < count) {
      #pragma unroll
      for (TW_UINT m = 0; m < 1; ++m) {
        #pragma unroll
        for (TW_UINT j = 0; j < 8; ++j) {
          destination[j * 12] = repaired(TW_MAKE(v[m * 8 + j].x * 1.041666698e-02f, v[m * 8 + j].y * 1.041666698e-02f), (TW_INDEX)(destination - output) + (TW_INDEX)(j * 12), store_hook_user, spectra);
        }
      }
    }
  }
}
