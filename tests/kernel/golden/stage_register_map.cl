// A forward transform of 9 points.
// Each line is first made by the map 'dct2 before 9'.
// Each line is then made into 'dct2 after 9'.
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

TW_INLINE TW_COMPLEX multiply(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, -(a.y * b.y)), TW_FMA(a.x, b.y, a.y * b.x));
}

TW_INLINE TW_COMPLEX load_element(TW_GLOBAL const float* data) {
  return TW_MAKE((TW_REAL)*(data), (TW_REAL)*(data + (9)));
}

TW_INLINE void store_element(TW_GLOBAL float* data, const TW_COMPLEX value) {
  *(data) = value.x;
  *(data + (9)) = value.y;
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


// 1 items for each transform, 128 transforms in a group.
TW_KERNEL(128, 1) stage(TW_GLOBAL const float* input, TW_GLOBAL float* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count) {
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[9];
  TW_UINT lane = 0;
  TW_UINT slot = item;
  if ((TW_INDEX)TW_GROUP * 128 + slot >= count) return;
  
  // load
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 128 + slot;
    TW_GLOBAL const float* source = input + (0);
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      const TW_UINT b = lane;
      #pragma unroll
      for (TW_UINT k = 0; k < 9; ++k) {
        const TW_UINT element = b + k * 1;
        {
          TW_COMPLEX made = TW_MAKE(0, 0);
          {
            const TW_UINT index = element < 5 ? element * 2u : 17u - element * 2u;
            TW_COMPLEX part = load_element(source + (index));
            made.x += part.x;
            made.y += part.y;
          }
          v[m * 9 + k] = made;
        }
      }
    }
  }
  
  // radix 9
  butterfly_9_forward(v + 0);
  
  // store
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 128 + slot;
    TW_GLOBAL float* destination = output + (0);
    if (own < count) {
      #pragma unroll
      for (TW_UINT element = 0; element < 9; ++element) {
        TW_COMPLEX made = TW_MAKE(0, 0);
        const TW_COMPLEX factor = constants[0 + element];
        {
          const TW_UINT index = element;
          TW_COMPLEX part = v[index];
          part = multiply(part, constants[0 + element]);
          made.x += part.x;
          made.y += part.y;
        }
        {
          const TW_UINT index = element < 2 ? element * 8u : 9u - element;
          TW_COMPLEX part = v[index];
          part = multiply(part, TW_MAKE(factor.x, -factor.y));
          made.x += part.x;
          made.y += part.y;
        }
        store_element(destination + (element), made);
      }
    }
  }
}
