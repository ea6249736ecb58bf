// A forward transform of 8 points.
// Each line is then made into 'r2c after 16'.
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

TW_INLINE void butterfly_8_forward(TW_COMPLEX* v) {
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL r4 = v[4].x;
  const TW_REAL i4 = v[4].y;
  const TW_REAL t0 = r0 + r4;
  const TW_REAL t1 = r0 - r4;
  const TW_REAL r2 = v[2].x;
  const TW_REAL i2 = v[2].y;
  const TW_REAL r6 = v[6].x;
  const TW_REAL i6 = v[6].y;
  const TW_REAL t2 = r2 + r6;
  const TW_REAL t3 = r2 - r6;
  const TW_REAL t4 = i0 - i4;
  const TW_REAL t5 = i0 + i4;
  const TW_REAL t6 = i2 + i6;
  const TW_REAL t7 = i2 - i6;
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
  const TW_REAL t16 = r1 + r5;
  const TW_REAL t17 = r1 - r5;
  const TW_REAL t18 = i1 - i5;
  const TW_REAL t19 = i1 + i5;
  const TW_REAL r3 = v[3].x;
  const TW_REAL i3 = v[3].y;
  const TW_REAL r7 = v[7].x;
  const TW_REAL i7 = v[7].y;
  const TW_REAL t20 = r3 + r7;
  const TW_REAL t21 = r7 - r3;
  const TW_REAL t22 = t16 + t20;
  const TW_REAL t23 = t16 - t20;
  const TW_REAL t24 = t11 - t23;
  const TW_REAL t25 = t11 + t23;
  const TW_REAL t26 = t14 + t22;
  const TW_REAL t27 = t14 - t22;
  const TW_REAL t28 = i3 + i7;
  const TW_REAL t29 = i7 - i3;
  const TW_REAL t30 = t19 + t28;
  const TW_REAL t31 = t19 - t28;
  const TW_REAL t32 = t15 + t31;
  v[2].x = t32;
  v[2].y = t24;
  const TW_REAL t33 = t15 - t31;
  v[6].x = t33;
  v[6].y = t25;
  const TW_REAL t34 = t10 + t30;
  v[0].x = t26;
  v[0].y = t34;
  const TW_REAL t35 = t10 - t30;
  v[4].x = t27;
  v[4].y = t35;
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
  v[3].x = t42;
  v[3].y = t48;
  const TW_REAL t49 = TW_FMA(0.707106769084930419922f, t47, t13);
  v[7].x = t43;
  v[7].y = t49;
  const TW_REAL t50 = TW_FMA(0.707106769084930419922f, t46, t8);
  v[1].x = t50;
  v[1].y = t44;
  const TW_REAL t51 = TW_FMA(-0.707106769084930419922f, t46, t8);
  v[5].x = t51;
  v[5].y = t45;
}


// 1 items for each transform, 128 transforms in a group.
TW_KERNEL(128, 4) stage(TW_GLOBAL const TW_COMPLEX* input, TW_GLOBAL TW_COMPLEX* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count) {
  TW_LOCAL_ARRAY(TW_COMPLEX, exchange, 1152);
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[8];
  TW_UINT lane = 0;
  TW_UINT slot = item;
  
  // load
  #pragma unroll
  for (TW_UINT i = 0; i < 8; ++i) {
    const TW_UINT moved = item + i * 128;
    const TW_UINT slot = moved / 8;
    const TW_UINT element = moved % 8;
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 128 + slot;
    const TW_INDEX loop0 = (own < count ? own : count - 1);
    TW_GLOBAL const TW_COMPLEX* source = input + (loop0 * 9);
    TW_COMPLEX value;
    value = source[element];
    exchange[slot * 9 + TW_PAD(element)] = value;
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT i = 0; i < 8; ++i) {
    v[i] = exchange[slot * 9 + TW_PAD(i)];
  }
  
  // radix 8
  butterfly_8_forward(v + 0);
  
  // store
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT i = 0; i < 8; ++i) {
    exchange[slot * 9 + TW_PAD(i)] = v[i];
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT i = 0; i < 5; ++i) {
    const TW_UINT moved = item + i * 128;
    const TW_UINT slot = moved / 5;
    const TW_UINT element = moved % 5;
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 128 + slot;
    const TW_INDEX loop0 = own;
    if (own < count) {
      TW_GLOBAL TW_COMPLEX* destination = output + (loop0 * 9);
      const TW_INDEX mirrored = 8 - element;
      const TW_INDEX near = element == 8 ? 0 : element;
      const TW_INDEX far = element == 0 ? 0 : mirrored;
      TW_COMPLEX p = exchange[slot * 9 + TW_PAD(near)];
      TW_COMPLEX q = exchange[slot * 9 + TW_PAD(far)];
      const TW_COMPLEX root = constants[0 + element];
      const TW_COMPLEX sum = TW_MAKE(p.x + q.x, p.y - q.y);
      const TW_COMPLEX turned = multiply(TW_MAKE(p.x - q.x, p.y + q.y), root);
      const TW_COMPLEX made = TW_MAKE(TW_FMA((TW_REAL)0.5f, sum.x, turned.x), TW_FMA((TW_REAL)0.5f, sum.y, turned.y));
      const TW_COMPLEX opposite = TW_MAKE(TW_FMA((TW_REAL)0.5f, sum.x, -turned.x),
                                           TW_FMA((TW_REAL)-0.5f, sum.y, turned.y));
      destination[element] = made;
      if (mirrored != element) destination[mirrored] = opposite;
    }
  }
}
