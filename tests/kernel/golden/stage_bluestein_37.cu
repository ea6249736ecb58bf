// A forward transform of 10 points.
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

TW_INLINE TW_COMPLEX multiply(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, -(a.y * b.y)), TW_FMA(a.x, b.y, a.y * b.x));
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
  const TW_REAL t36 = TW_FMA(0.559016994374947424104f, t33, t35);
  const TW_REAL t37 = TW_FMA(-0.559016994374947424104f, t33, t35);
  const TW_REAL t38 = TW_FMA(0.618033988749894848207f, t31, t11);
  const TW_REAL t39 = TW_FMA(-0.618033988749894848207f, t11, t31);
  const TW_REAL t40 = TW_FMA(0.559016994374947424104f, t27, t29);
  const TW_REAL t41 = TW_FMA(-0.559016994374947424104f, t27, t29);
  const TW_REAL t42 = TW_FMA(0.618033988749894848207f, t25, t9);
  const TW_REAL t43 = TW_FMA(-0.618033988749894848207f, t9, t25);
  const TW_REAL t44 = i4 + i9;
  const TW_REAL t45 = i4 - i9;
  const TW_REAL t46 = i1 + i6;
  const TW_REAL t47 = i6 - i1;
  const TW_REAL t48 = t45 + t47;
  const TW_REAL t49 = t45 - t47;
  const TW_REAL t50 = TW_FMA(0.618033988749894848207f, t49, t17);
  const TW_REAL t51 = TW_FMA(-0.618033988749894848207f, t17, t49);
  const TW_REAL t52 = TW_FMA(0.951056516295153572111f, t51, t41);
  const TW_REAL t53 = TW_FMA(-0.951056516295153572111f, t51, t41);
  const TW_REAL t54 = TW_FMA(0.951056516295153572111f, t50, t40);
  const TW_REAL t55 = TW_FMA(-0.951056516295153572111f, t50, t40);
  const TW_REAL t56 = t16 + t48;
  const TW_REAL t57 = t16 - t48;
  const TW_REAL t58 = t3 + t56;
  v[5].x = t28;
  v[5].y = t58;
  const TW_REAL t59 = TW_FMA(-0.250000000000000000000f, t56, t3);
  const TW_REAL t60 = TW_FMA(0.559016994374947424104f, t57, t59);
  const TW_REAL t61 = TW_FMA(-0.559016994374947424104f, t57, t59);
  const TW_REAL t62 = TW_FMA(-0.951056516295153572111f, t43, t61);
  v[3].x = t52;
  v[3].y = t62;
  const TW_REAL t63 = TW_FMA(0.951056516295153572111f, t43, t61);
  v[7].x = t53;
  v[7].y = t63;
  const TW_REAL t64 = TW_FMA(-0.951056516295153572111f, t42, t60);
  v[1].x = t54;
  v[1].y = t64;
  const TW_REAL t65 = TW_FMA(0.951056516295153572111f, t42, t60);
  v[9].x = t55;
  v[9].y = t65;
  const TW_REAL t66 = t44 + t46;
  const TW_REAL t67 = t44 - t46;
  const TW_REAL t68 = TW_FMA(0.618033988749894848207f, t67, t19);
  const TW_REAL t69 = TW_FMA(-0.618033988749894848207f, t19, t67);
  const TW_REAL t70 = TW_FMA(0.951056516295153572111f, t69, t37);
  const TW_REAL t71 = TW_FMA(-0.951056516295153572111f, t69, t37);
  const TW_REAL t72 = TW_FMA(0.951056516295153572111f, t68, t36);
  const TW_REAL t73 = TW_FMA(-0.951056516295153572111f, t68, t36);
  const TW_REAL t74 = t18 + t66;
  const TW_REAL t75 = t18 - t66;
  const TW_REAL t76 = t2 + t74;
  v[0].x = t34;
  v[0].y = t76;
  const TW_REAL t77 = TW_FMA(-0.250000000000000000000f, t74, t2);
  const TW_REAL t78 = TW_FMA(0.559016994374947424104f, t75, t77);
  const TW_REAL t79 = TW_FMA(-0.559016994374947424104f, t75, t77);
  const TW_REAL t80 = TW_FMA(-0.951056516295153572111f, t39, t79);
  v[8].x = t70;
  v[8].y = t80;
  const TW_REAL t81 = TW_FMA(0.951056516295153572111f, t39, t79);
  v[2].x = t71;
  v[2].y = t81;
  const TW_REAL t82 = TW_FMA(-0.951056516295153572111f, t38, t78);
  v[6].x = t72;
  v[6].y = t82;
  const TW_REAL t83 = TW_FMA(0.951056516295153572111f, t38, t78);
  v[4].x = t73;
  v[4].y = t83;
}


// 1 items for each transform, 128 transforms in a group.
TW_KERNEL(128, 1) stage(TW_GLOBAL const TW_COMPLEX* input, TW_GLOBAL TW_COMPLEX* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count) {
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[10];
  TW_UINT lane = 0;
  TW_UINT slot = item;
  
  // load
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 128 + slot;
    const TW_INDEX transform = (own < count ? own : count - 1);
    const TW_INDEX loop0 = transform % 8;
    const TW_INDEX rest0 = transform / 8;
    const TW_INDEX loop1 = rest0;
    TW_GLOBAL const TW_COMPLEX* source = input + (loop0 + loop1 * 37 + (TW_INDEX)lane * 8);
    const TW_INDEX sequence = loop0;
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      const TW_UINT b = lane;
      #pragma unroll
      for (TW_UINT k = 0; k < 10; ++k) {
        const TW_UINT element = b + k * 1;
        const TW_INDEX at = sequence + (TW_INDEX)(element) * 8;
        v[m * 10 + k] = TW_MAKE(0.0f, 0.0f);
        if (at < 37) v[m * 10 + k] = multiply(source[(TW_INDEX)(k * 1) * 8], constants[21 + at]);
      }
    }
  }
  
  // radix 10
  butterfly_10_forward(v + 0);
  
  // store
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 128 + slot;
    const TW_INDEX transform = own;
    const TW_INDEX loop0 = transform % 8;
    const TW_INDEX rest0 = transform / 8;
    const TW_INDEX loop1 = rest0;
    TW_GLOBAL TW_COMPLEX* destination = output + (loop0 + loop1 * 80 + (TW_INDEX)lane * 8);
    if (own < count) {
      #pragma unroll
      for (TW_UINT m = 0; m < 1; ++m) {
        const TW_UINT b = lane;
        #pragma unroll
        for (TW_UINT j = 0; j < 10; ++j) {
          const TW_UINT element = b + j * 1;
          const TW_UINT turn = (TW_UINT)(element) * (TW_UINT)loop0;
          const TW_COMPLEX root = multiply(constants[0 + turn % 16], constants[16 + turn / 16]);
          v[m * 10 + j] = multiply(v[m * 10 + j], root);
          destination[(TW_INDEX)(j * 1) * 8] = v[m * 10 + j];
        }
      }
    }
  }
}
