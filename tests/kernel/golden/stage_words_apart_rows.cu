// A forward transform of 5 points.
// Each line is first made by the map 'dct2 before 5'.
// Each line is then made into 'dct2 after 5'.
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
#define TW_BITS(value) __float_as_uint(value)
#define TW_FROM_BITS(bits) __uint_as_float(bits)
#define TW_JOIN_WORDS(upper, lower) TW_FROM_BITS((TW_UINT)(upper) << 16 | (lower))
#define TW_UPPER_WORD(value) ((TW_HALF)(TW_BITS(value) >> 16))
#define TW_LOWER_WORD(value) ((TW_HALF)(TW_BITS(value) & 65535))
#define TW_INDEX TW_UINT
#define TW_PAD(i) ((i))

TW_INLINE TW_COMPLEX multiply(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, -(a.y * b.y)), TW_FMA(a.x, b.y, a.y * b.x));
}

TW_INLINE TW_COMPLEX load_element(TW_GLOBAL const TW_HALF* data) {
  return TW_MAKE(TW_LOAD_HALF(data), TW_LOAD_HALF(data + (5)));
}

TW_INLINE void store_element(TW_GLOBAL TW_HALF* data, TW_GLOBAL TW_HALF* lower, const TW_COMPLEX value) {
  *data = TW_UPPER_WORD(value.x);
  *lower = TW_LOWER_WORD(value.x);
  data[5] = TW_UPPER_WORD(value.y);
  lower[5] = TW_LOWER_WORD(value.y);
}

TW_INLINE void butterfly_5_forward(TW_COMPLEX* v) {
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL r4 = v[4].x;
  const TW_REAL i4 = v[4].y;
  const TW_REAL t0 = r1 + r4;
  const TW_REAL t1 = r1 - r4;
  const TW_REAL r2 = v[2].x;
  const TW_REAL i2 = v[2].y;
  const TW_REAL r3 = v[3].x;
  const TW_REAL i3 = v[3].y;
  const TW_REAL t2 = r2 + r3;
  const TW_REAL t3 = r2 - r3;
  const TW_REAL t4 = t0 + t2;
  const TW_REAL t5 = t0 - t2;
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL t6 = r0 + t4;
  const TW_REAL t7 = TW_FMA(-0.250000000000000000000f, t4, r0);
  const TW_REAL t8 = TW_FMA(0.559017002582550048828f, t5, t7);
  const TW_REAL t9 = TW_FMA(-0.559017002582550048828f, t5, t7);
  const TW_REAL t10 = TW_FMA(0.618033945560455322266f, t3, t1);
  const TW_REAL t11 = TW_FMA(-0.618033945560455322266f, t1, t3);
  const TW_REAL t12 = i1 + i4;
  const TW_REAL t13 = i1 - i4;
  const TW_REAL t14 = i2 + i3;
  const TW_REAL t15 = i2 - i3;
  const TW_REAL t16 = TW_FMA(0.618033945560455322266f, t15, t13);
  const TW_REAL t17 = TW_FMA(-0.618033945560455322266f, t13, t15);
  const TW_REAL t18 = TW_FMA(0.951056540012359619141f, t17, t9);
  const TW_REAL t19 = TW_FMA(-0.951056540012359619141f, t17, t9);
  const TW_REAL t20 = TW_FMA(0.951056540012359619141f, t16, t8);
  const TW_REAL t21 = TW_FMA(-0.951056540012359619141f, t16, t8);
  const TW_REAL t22 = t12 + t14;
  const TW_REAL t23 = t12 - t14;
  const TW_REAL t24 = i0 + t22;
  v[0].x = t6;
  v[0].y = t24;
  const TW_REAL t25 = TW_FMA(-0.250000000000000000000f, t22, i0);
  const TW_REAL t26 = TW_FMA(0.559017002582550048828f, t23, t25);
  const TW_REAL t27 = TW_FMA(-0.559017002582550048828f, t23, t25);
  const TW_REAL t28 = TW_FMA(-0.951056540012359619141f, t11, t27);
  v[3].x = t18;
  v[3].y = t28;
  const TW_REAL t29 = TW_FMA(0.951056540012359619141f, t11, t27);
  v[2].x = t19;
  v[2].y = t29;
  const TW_REAL t30 = TW_FMA(-0.951056540012359619141f, t10, t26);
  v[1].x = t20;
  v[1].y = t30;
  const TW_REAL t31 = TW_FMA(0.951056540012359619141f, t10, t26);
  v[4].x = t21;
  v[4].y = t31;
}


// 1 items for each transform, 128 transforms in a group.
TW_KERNEL(128, 4) stage(TW_GLOBAL const TW_HALF* input, TW_GLOBAL TW_HALF* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count, TW_GLOBAL TW_REAL* apart) {
  TW_LOCAL_ARRAY(TW_COMPLEX, exchange, 640);
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[5];
  TW_UINT lane = 0;
  TW_UINT slot = item;
  
  // load
  #pragma unroll
  for (TW_UINT i = 0; i < 5; ++i) {
    const TW_UINT moved = item + i * 128;
    const TW_UINT slot = moved / 5;
    const TW_UINT element = moved % 5;
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 128 + slot;
    const TW_INDEX loop0 = (own < count ? own : count - 1);
    TW_GLOBAL const TW_HALF* source = input + (loop0 * 10);
    TW_COMPLEX value;
    {
      TW_COMPLEX made = TW_MAKE(0, 0);
      {
        const TW_UINT index = element < 3 ? element * 2u : 9u - element * 2u;
        TW_COMPLEX part = load_element(source + (index));
        made.x += part.x;
        made.y += part.y;
      }
      value = made;
    }
    exchange[slot * 5 + TW_PAD(element)] = value;
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT i = 0; i < 5; ++i) {
    v[i] = exchange[slot * 5 + TW_PAD(i)];
  }
  
  // radix 5
  butterfly_5_forward(v + 0);
  
  // store
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT i = 0; i < 5; ++i) {
    exchange[slot * 5 + TW_PAD(i)] = v[i];
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
      TW_GLOBAL TW_HALF* destination = output + (loop0 * 10);
      TW_COMPLEX made = TW_MAKE(0, 0);
      const TW_COMPLEX factor = constants[0 + element];
      {
        const TW_UINT index = element;
        TW_COMPLEX part = exchange[slot * 5 + TW_PAD(index)];
        part = multiply(part, constants[0 + element]);
        made.x += part.x;
        made.y += part.y;
      }
      {
        const TW_UINT index = element < 2 ? element * 4u : 5u - element;
        TW_COMPLEX part = exchange[slot * 5 + TW_PAD(index)];
        part = multiply(part, TW_MAKE(factor.x, -factor.y));
        made.x += part.x;
        made.y += part.y;
      }
      store_element(destination + (element), (TW_GLOBAL TW_HALF*)apart + (destination - output) + (element), made);
    }
  }
}
