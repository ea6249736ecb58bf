// A forward transform of 5 points.
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
#define TW_PAD(i) ((i))

TW_INLINE TW_COMPLEX multiply(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, -(a.y * b.y)), TW_FMA(a.x, b.y, a.y * b.x));
}

TW_INLINE TW_COMPLEX load_element(TW_GLOBAL const ushort2* data) {
  const float2 value = TW_LOAD_HALF2(data);
  return TW_MAKE(value.x, value.y);
}

TW_INLINE void store_element(TW_GLOBAL float* data, TW_GLOBAL float* imaginary, const TW_COMPLEX value) {
  *data = value.x;
  *imaginary = value.y;
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
TW_KERNEL(128, 1) stage(TW_GLOBAL const ushort2* input, TW_GLOBAL float* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count, TW_GLOBAL TW_REAL* apart) {
  TW_LOCAL_ARRAY(TW_COMPLEX, exchange, 640);
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[5];
  TW_UINT lane = 0;
  TW_UINT slot = item;
  
  // load
  {
    const TW_INDEX first = (TW_INDEX)TW_GROUP * 128 * 5;
    const TW_INDEX end = count * 5;
    #pragma unroll
    for (TW_UINT i = 0; i < 5; ++i) {
      const TW_INDEX at = first + item + i * 128;
      v[i] = load_element(input + (at < end ? at : end - 1));
    }
  }
  #pragma unroll
  for (TW_UINT i = 0; i < 5; ++i) {
    exchange[TW_PAD(item + i * 128)] = v[i];
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT i = 0; i < 5; ++i) {
    v[i] = exchange[TW_PAD(item * 5 + i)];
  }
  
  // radix 5
  butterfly_5_forward(v + 0);
  
  // store
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT i = 0; i < 5; ++i) {
    exchange[TW_PAD(item * 5 + i)] = v[i];
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT i = 0; i < 5; ++i) {
    v[i] = exchange[TW_PAD(item + i * 128)];
  }
  {
    const TW_INDEX first = (TW_INDEX)TW_GROUP * 128 * 5;
    const TW_INDEX end = count * 5;
    #pragma unroll
    for (TW_UINT i = 0; i < 5; ++i) {
      const TW_INDEX at = first + item + i * 128;
      if (at < end) store_element(output + (at), apart + (output - output) + (at), v[i]);
    }
  }
}
