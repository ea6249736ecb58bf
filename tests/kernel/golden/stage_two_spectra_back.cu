// A inverse transform of 45 points = 9 * 5.
// Each line is first made by the map 'two spectra before 45'.
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

TW_INLINE void store_element(TW_GLOBAL float* data, const TW_COMPLEX value) {
  *(data) = value.x;
  *(data + (45)) = value.y;
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

TW_INLINE void butterfly_9_inverse(TW_COMPLEX* v) {
  const TW_REAL r3 = v[3].x;
  const TW_REAL i3 = v[3].y;
  const TW_REAL r6 = v[6].x;
  const TW_REAL i6 = v[6].y;
  const TW_REAL t0 = i3 + i6;
  const TW_REAL t1 = i3 - i6;
  const TW_REAL t2 = r3 + r6;
  const TW_REAL t3 = r3 - r6;
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL t4 = TW_FMA(-0.500000000000000000000f, t2, r0);
  const TW_REAL t5 = r0 + t2;
  const TW_REAL t6 = TW_FMA(-0.500000000000000000000f, t0, i0);
  const TW_REAL t7 = i0 + t0;
  const TW_REAL r4 = v[4].x;
  const TW_REAL i4 = v[4].y;
  const TW_REAL r7 = v[7].x;
  const TW_REAL i7 = v[7].y;
  const TW_REAL t8 = i4 + i7;
  const TW_REAL t9 = i4 - i7;
  const TW_REAL t10 = r4 + r7;
  const TW_REAL t11 = r4 - r7;
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL t12 = TW_FMA(-0.500000000000000000000f, t10, r1);
  const TW_REAL t13 = r1 + t10;
  const TW_REAL t14 = TW_FMA(-0.500000000000000000000f, t8, i1);
  const TW_REAL t15 = i1 + t8;
  const TW_REAL r5 = v[5].x;
  const TW_REAL i5 = v[5].y;
  const TW_REAL r8 = v[8].x;
  const TW_REAL i8 = v[8].y;
  const TW_REAL t16 = i5 + i8;
  const TW_REAL t17 = i5 - i8;
  const TW_REAL r2 = v[2].x;
  const TW_REAL i2 = v[2].y;
  const TW_REAL t18 = i2 + t16;
  const TW_REAL t19 = TW_FMA(-0.500000000000000000000f, t16, i2);
  const TW_REAL t20 = t15 + t18;
  const TW_REAL t21 = t15 - t18;
  const TW_REAL t22 = t7 + t20;
  const TW_REAL t23 = TW_FMA(-0.500000000000000000000f, t20, t7);
  const TW_REAL t24 = r5 + r8;
  const TW_REAL t25 = r5 - r8;
  const TW_REAL t26 = TW_FMA(-0.500000000000000000000f, t24, r2);
  const TW_REAL t27 = r2 + t24;
  const TW_REAL t28 = t13 + t27;
  const TW_REAL t29 = t13 - t27;
  const TW_REAL t30 = TW_FMA(0.866025388240814208984f, t29, t23);
  const TW_REAL t31 = TW_FMA(-0.866025388240814208984f, t29, t23);
  const TW_REAL t32 = t5 + t28;
  v[0].x = t32;
  v[0].y = t22;
  const TW_REAL t33 = TW_FMA(-0.500000000000000000000f, t28, t5);
  const TW_REAL t34 = TW_FMA(-0.866025388240814208984f, t21, t33);
  v[3].x = t34;
  v[3].y = t30;
  const TW_REAL t35 = TW_FMA(0.866025388240814208984f, t21, t33);
  v[6].x = t35;
  v[6].y = t31;
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
  v[2].x = t64;
  v[2].y = t72;
  const TW_REAL t73 = TW_FMA(-0.492403894662857055664f, t67, t71);
  const TW_REAL t74 = TW_FMA(-0.852868556976318359375f, t63, t73);
  v[5].x = t68;
  v[5].y = t74;
  const TW_REAL t75 = TW_FMA(0.852868556976318359375f, t63, t73);
  v[8].x = t69;
  v[8].y = t75;
  const TW_REAL t76 = TW_FMA(0.984807789325714111328f, t59, t70);
  v[1].x = t56;
  v[1].y = t76;
  const TW_REAL t77 = TW_FMA(-0.492403894662857055664f, t59, t70);
  const TW_REAL t78 = TW_FMA(0.852868556976318359375f, t53, t77);
  v[4].x = t60;
  v[4].y = t78;
  const TW_REAL t79 = TW_FMA(-0.852868556976318359375f, t53, t77);
  v[7].x = t61;
  v[7].y = t79;
}


// 5 items for each transform, 12 transforms in a group.
TW_KERNEL(60, 8) stage(TW_GLOBAL const TW_COMPLEX* input, TW_GLOBAL float* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count) {
  TW_LOCAL_ARRAY(TW_COMPLEX, exchange, 540);
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[10];
  TW_UINT lane = item % 5;
  TW_UINT slot = item / 5;
  
  // load
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 12 + slot;
    const TW_INDEX loop0 = (own < count ? own : count - 1);
    TW_GLOBAL const TW_COMPLEX* source = input + (loop0 * 46);
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      const TW_UINT b = lane;
      #pragma unroll
      for (TW_UINT k = 0; k < 9; ++k) {
        const TW_UINT element = b + k * 5;
        {
          const int upper = element > 22;
          const TW_INDEX index = upper ? 45 - element : element;
          TW_COMPLEX p = source[index];
          TW_COMPLEX q = (source + (23))[index];
          if (index == 0) p.y = q.y = 0;
          const TW_COMPLEX made = upper ? TW_MAKE(p.x + q.y, q.x - p.y) : TW_MAKE(p.x - q.y, p.y + q.x);
          v[m * 9 + k] = made;
        }
      }
    }
  }
  
  // radix 9
  butterfly_9_inverse(v + 0);
  
  // twiddle
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    const TW_UINT p = b / 1;
    TW_GLOBAL const TW_COMPLEX* roots = constants + 0 + p;
    #pragma unroll
    for (TW_UINT j = 1; j < 9; ++j) {
      v[m * 9 + j] = multiply(v[m * 9 + j], roots[(j - 1) * 5]);
    }
  }
  
  // exchange
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    const TW_UINT base = b / 1 * 9 + b % 1;
    #pragma unroll
    for (TW_UINT j = 0; j < 9; ++j) {
      exchange[slot * 45 + TW_PAD(base) + j * 1] = v[m * 9 + j];
    }
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 2; ++m) {
    const TW_UINT b = lane + m * 5 < 9 ? lane + m * 5 : 8;
    #pragma unroll
    for (TW_UINT k = 0; k < 5; ++k) {
      v[m * 5 + k] = exchange[slot * 45 + TW_PAD(b) + k * 9];
    }
  }
  
  // radix 5
  butterfly_5_inverse(v + 0);
  butterfly_5_inverse(v + 5);
  
  // store
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 12 + slot;
    const TW_INDEX loop0 = own;
    TW_GLOBAL float* destination = output + (loop0 * 90 + (TW_INDEX)lane);
    if (own < count) {
      #pragma unroll
      for (TW_UINT m = 0; m < 2; ++m) {
        const TW_UINT b = lane + m * 5;
        if (b < 9) {
          #pragma unroll
          for (TW_UINT j = 0; j < 5; ++j) {
            store_element(destination + (m * 5 + j * 9), v[m * 5 + j]);
          }
        }
      }
    }
  }
}
