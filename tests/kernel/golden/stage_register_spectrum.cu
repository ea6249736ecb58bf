// A forward transform of 12 points.
// Each line is then made into 'r2c after 24'.
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
#define TW_HALF unsigned short
TW_INLINE float from_half(const TW_HALF bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}
TW_INLINE TW_HALF to_half(const float value) {
  TW_HALF bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}
#define TW_LOAD_HALF(data) from_half(*(data))
#define TW_LOAD_HALF2(data) make_float2(from_half((data)->x), from_half((data)->y))
#define TW_STORE_HALF(data, value) (*(data) = to_half((float)(value)))
#define TW_STORE_HALF2(data, re, im) (*(data) = make_ushort2(to_half((float)(re)), to_half((float)(im))))
#define TW_INDEX TW_UINT

TW_INLINE TW_COMPLEX multiply(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, -(a.y * b.y)), TW_FMA(a.x, b.y, a.y * b.x));
}

TW_INLINE TW_COMPLEX load_element(TW_GLOBAL const ushort2* data) {
  const float2 value = TW_LOAD_HALF2(data);
  return TW_MAKE(value.x, value.y);
}

TW_INLINE void store_element(TW_GLOBAL ushort2* data, const TW_COMPLEX value) {
  TW_STORE_HALF2(data, value.x, value.y);
}

TW_INLINE void butterfly_12_forward(TW_COMPLEX* v) {
  const TW_REAL r4 = v[4].x;
  const TW_REAL i4 = v[4].y;
  const TW_REAL r8 = v[8].x;
  const TW_REAL i8 = v[8].y;
  const TW_REAL t0 = r4 + r8;
  const TW_REAL t1 = r4 - r8;
  const TW_REAL t2 = i4 + i8;
  const TW_REAL t3 = i4 - i8;
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL t4 = TW_FMA(-0.500000000000000000000f, t2, i0);
  const TW_REAL t5 = i0 + t2;
  const TW_REAL t6 = TW_FMA(-0.500000000000000000000f, t0, r0);
  const TW_REAL t7 = r0 + t0;
  const TW_REAL r7 = v[7].x;
  const TW_REAL i7 = v[7].y;
  const TW_REAL r11 = v[11].x;
  const TW_REAL i11 = v[11].y;
  const TW_REAL t8 = r7 + r11;
  const TW_REAL t9 = r7 - r11;
  const TW_REAL t10 = i7 + i11;
  const TW_REAL t11 = i7 - i11;
  const TW_REAL r3 = v[3].x;
  const TW_REAL i3 = v[3].y;
  const TW_REAL t12 = TW_FMA(-0.500000000000000000000f, t10, i3);
  const TW_REAL t13 = i3 + t10;
  const TW_REAL t14 = TW_FMA(-0.500000000000000000000f, t8, r3);
  const TW_REAL t15 = r3 + t8;
  const TW_REAL r2 = v[2].x;
  const TW_REAL i2 = v[2].y;
  const TW_REAL r10 = v[10].x;
  const TW_REAL i10 = v[10].y;
  const TW_REAL t16 = r2 + r10;
  const TW_REAL t17 = r10 - r2;
  const TW_REAL r6 = v[6].x;
  const TW_REAL i6 = v[6].y;
  const TW_REAL t18 = r6 + t16;
  const TW_REAL t19 = TW_FMA(-0.500000000000000000000f, t16, r6);
  const TW_REAL t20 = i2 + i10;
  const TW_REAL t21 = i10 - i2;
  const TW_REAL t22 = TW_FMA(-0.500000000000000000000f, t20, i6);
  const TW_REAL t23 = i6 + t20;
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL r5 = v[5].x;
  const TW_REAL i5 = v[5].y;
  const TW_REAL t24 = r1 + r5;
  const TW_REAL t25 = r1 - r5;
  const TW_REAL r9 = v[9].x;
  const TW_REAL i9 = v[9].y;
  const TW_REAL t26 = r9 + t24;
  const TW_REAL t27 = TW_FMA(-0.500000000000000000000f, t24, r9);
  const TW_REAL t28 = i1 + i5;
  const TW_REAL t29 = i1 - i5;
  const TW_REAL t30 = TW_FMA(-0.500000000000000000000f, t28, i9);
  const TW_REAL t31 = i9 + t28;
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
  v[9].x = t44;
  v[9].y = t40;
  const TW_REAL t45 = t43 - t33;
  v[3].x = t45;
  v[3].y = t41;
  const TW_REAL t46 = t42 + t39;
  v[0].x = t46;
  v[0].y = t36;
  const TW_REAL t47 = t42 - t39;
  v[6].x = t47;
  v[6].y = t37;
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
  v[5].x = t86;
  v[5].y = t70;
  const TW_REAL t87 = t85 - t53;
  v[11].x = t87;
  v[11].y = t71;
  const TW_REAL t88 = t84 + t60;
  v[8].x = t88;
  v[8].y = t72;
  const TW_REAL t89 = t84 - t60;
  v[2].x = t89;
  v[2].y = t73;
  const TW_REAL t90 = t82 + t80;
  const TW_REAL t91 = t82 - t80;
  const TW_REAL t92 = t91 + t55;
  v[1].x = t92;
  v[1].y = t76;
  const TW_REAL t93 = t91 - t55;
  v[7].x = t93;
  v[7].y = t77;
  const TW_REAL t94 = t90 + t62;
  v[4].x = t94;
  v[4].y = t78;
  const TW_REAL t95 = t90 - t62;
  v[10].x = t95;
  v[10].y = t79;
}


// 1 items for each transform, 128 transforms in a group.
TW_KERNEL(128, 1) stage(TW_GLOBAL const ushort2* input, TW_GLOBAL ushort2* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count) {
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[12];
  TW_UINT lane = 0;
  TW_UINT slot = item;
  if ((TW_INDEX)TW_GROUP * 128 + slot >= count) return;
  
  // load
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 128 + slot;
    const TW_INDEX loop0 = own;
    TW_GLOBAL const ushort2* source = input + (loop0 * 12 + (TW_INDEX)lane);
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      #pragma unroll
      for (TW_UINT k = 0; k < 12; ++k) {
        v[m * 12 + k] = load_element(source + (k * 1));
      }
    }
  }
  
  // radix 12
  butterfly_12_forward(v + 0);
  
  // store
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 128 + slot;
    const TW_INDEX loop0 = own;
    TW_GLOBAL ushort2* destination = output + (loop0 * 13);
    if (own < count) {
      #pragma unroll
      for (TW_UINT element = 0; element < 7; ++element) {
        const TW_INDEX mirrored = 12 - element;
        const TW_INDEX near = element == 12 ? 0 : element;
        const TW_INDEX far = element == 0 ? 0 : mirrored;
        TW_COMPLEX p = v[near];
        TW_COMPLEX q = v[far];
        const TW_COMPLEX root = constants[0 + element];
        const TW_COMPLEX sum = TW_MAKE(p.x + q.x, p.y - q.y);
        const TW_COMPLEX turned = multiply(TW_MAKE(p.x - q.x, p.y + q.y), root);
        const TW_COMPLEX made = TW_MAKE(TW_FMA((TW_REAL)0.5f, sum.x, turned.x), TW_FMA((TW_REAL)0.5f, sum.y, turned.y));
        const TW_COMPLEX opposite = TW_MAKE(TW_FMA((TW_REAL)0.5f, sum.x, -turned.x),
                                             TW_FMA((TW_REAL)-0.5f, sum.y, turned.y));
        store_element(destination + (element), made);
        if (mirrored != element) store_element(destination + (mirrored), opposite);
      }
    }
  }
}
