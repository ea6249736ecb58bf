// A forward transform of 4 points.
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

TW_INLINE TW_COMPLEX load_element(TW_GLOBAL const float* data, TW_GLOBAL const float* imaginary) {
  return TW_MAKE((TW_REAL)*data, (TW_REAL)*imaginary);
}

TW_INLINE void store_element(TW_GLOBAL ushort2* data, const TW_COMPLEX value) {
  TW_STORE_HALF2(data, value.x, value.y);
}

TW_INLINE void butterfly_4_forward(TW_COMPLEX* v) {
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL r2 = v[2].x;
  const TW_REAL i2 = v[2].y;
  const TW_REAL t0 = r0 + r2;
  const TW_REAL t1 = r0 - r2;
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL r3 = v[3].x;
  const TW_REAL i3 = v[3].y;
  const TW_REAL t2 = r1 + r3;
  const TW_REAL t3 = r1 - r3;
  const TW_REAL t4 = t0 + t2;
  const TW_REAL t5 = t0 - t2;
  const TW_REAL t6 = i0 - i2;
  const TW_REAL t7 = i0 + i2;
  const TW_REAL t8 = t6 - t3;
  const TW_REAL t9 = t6 + t3;
  const TW_REAL t10 = i1 + i3;
  const TW_REAL t11 = i1 - i3;
  const TW_REAL t12 = t1 + t11;
  v[1].x = t12;
  v[1].y = t8;
  const TW_REAL t13 = t1 - t11;
  v[3].x = t13;
  v[3].y = t9;
  const TW_REAL t14 = t7 + t10;
  v[0].x = t4;
  v[0].y = t14;
  const TW_REAL t15 = t7 - t10;
  v[2].x = t5;
  v[2].y = t15;
}


// 1 items for each transform, 128 transforms in a group.
TW_KERNEL(128, 4) stage(TW_GLOBAL const float* input, TW_GLOBAL ushort2* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count, TW_GLOBAL TW_REAL* apart) {
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[4];
  TW_UINT lane = 0;
  TW_UINT slot = item;
  if ((TW_INDEX)TW_GROUP * 128 + slot >= count) return;
  
  // load
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 128 + slot;
    const TW_INDEX loop0 = own;
    TW_GLOBAL const float* source = input + (loop0 + (TW_INDEX)lane * 5);
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      #pragma unroll
      for (TW_UINT k = 0; k < 4; ++k) {
        v[m * 4 + k] = load_element(source + ((TW_INDEX)(k * 1) * 5), apart + (source - input) + ((TW_INDEX)(k * 1) * 5));
      }
    }
  }
  
  // radix 4
  butterfly_4_forward(v + 0);
  
  // store
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 128 + slot;
    const TW_INDEX loop0 = own;
    TW_GLOBAL ushort2* destination = output + (loop0 + (TW_INDEX)lane * 5);
    {
      #pragma unroll
      for (TW_UINT m = 0; m < 1; ++m) {
        #pragma unroll
        for (TW_UINT j = 0; j < 4; ++j) {
          store_element(destination + ((TW_INDEX)(j * 1) * 5), v[m * 4 + j]);
        }
      }
    }
  }
}
