// A forward transform of 1 points.
// Each line is first made by the map 'dct2 after, pairs 65536'.
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
#define TW_DEPENDENCY_WAIT() asm volatile("griddepcontrol.wait;" ::: "memory")
#define TW_INDEX TW_UINT

TW_INLINE TW_COMPLEX multiply(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, -(a.y * b.y)), TW_FMA(a.x, b.y, a.y * b.x));
}

TW_INLINE TW_COMPLEX load_element(TW_GLOBAL const ushort2* data, TW_GLOBAL const ushort2* lower) {
  return TW_MAKE(TW_JOIN_WORDS(data->x, lower->x), TW_JOIN_WORDS(data->y, lower->y));
}

TW_INLINE void store_element(TW_GLOBAL ushort2* data, const TW_COMPLEX value) {
  TW_STORE_HALF2(data, value.x, value.y);
}


// 1 items for each transform, 128 transforms in a group.
TW_KERNEL(128, 1) stage(TW_GLOBAL const ushort2* input, TW_GLOBAL ushort2* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count, TW_GLOBAL TW_REAL* apart) {
  TW_DEPENDENCY_WAIT();
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[2];
  TW_UINT lane = 0;
  TW_UINT slot = item;
  if ((TW_INDEX)TW_GROUP * 128 + slot >= count) return;
  
  // load
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 128 + slot;
    const TW_INDEX loop0 = own;
    TW_GLOBAL const ushort2* source = input + (0);
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      const TW_UINT b = lane;
      #pragma unroll
      for (TW_UINT k = 0; k < 1; ++k) {
        const TW_INDEX element = loop0;
        {
          const TW_INDEX mirror = element == 0 ? 0 : 32768 - element;
          const TW_COMPLEX here = load_element(source + (element), (TW_GLOBAL ushort2*)apart + (source - input) + (element));
          const TW_COMPLEX there = load_element(source + ((element == 0 ? 0 : mirror)), (TW_GLOBAL ushort2*)apart + (source - input) + ((element == 0 ? 0 : mirror)));
          {
            const TW_INDEX element = mirror < 32768 ? mirror : 0;
            const TW_INDEX first = element;
            const TW_INDEX second = element == 0 ? 0 : 32768 - element;
            const TW_UINT point = (TW_UINT)element;
            const TW_UINT c_index = point;
            const TW_COMPLEX c_coarse = constants[512 + c_index / 512];
            const TW_COMPLEX c_rest = multiply(c_coarse, constants[0 + c_index % 512]);
            TW_COMPLEX c = TW_MAKE(c_coarse.x + c_rest.x, c_coarse.y + c_rest.y);
            const TW_UINT p_index = (5u * point) < 262144u ? (5u * point) : (5u * point) - 262144u;
            const TW_COMPLEX p_coarse = constants[512 + p_index / 512];
            const TW_COMPLEX p_rest = multiply(p_coarse, constants[0 + p_index % 512]);
            TW_COMPLEX p = TW_MAKE(p_coarse.x + p_rest.x, p_coarse.y + p_rest.y);
            TW_COMPLEX a = TW_MAKE(c.x + p.y, c.y - p.x);
            TW_COMPLEX b = TW_MAKE(c.x - p.y, c.y + p.x);
            if (element == 0) {
              a = TW_MAKE(2.928932309e-01f, -2.928932309e-01f);
              b = TW_MAKE(1.707106829e+00f, 1.707106829e+00f);
            }
            TW_COMPLEX made = multiply(there, a);
            TW_COMPLEX part = here;
            part.y = -part.y;
            part = multiply(part, b);
            made.x += part.x;
            made.y += part.y;
            v[1] = made;
          }
          const TW_INDEX first = element;
          const TW_INDEX second = element == 0 ? 0 : 32768 - element;
          const TW_UINT point = (TW_UINT)element;
          const TW_UINT c_index = point;
          const TW_COMPLEX c_coarse = constants[512 + c_index / 512];
          const TW_COMPLEX c_rest = multiply(c_coarse, constants[0 + c_index % 512]);
          TW_COMPLEX c = TW_MAKE(c_coarse.x + c_rest.x, c_coarse.y + c_rest.y);
          const TW_UINT p_index = (5u * point) < 262144u ? (5u * point) : (5u * point) - 262144u;
          const TW_COMPLEX p_coarse = constants[512 + p_index / 512];
          const TW_COMPLEX p_rest = multiply(p_coarse, constants[0 + p_index % 512]);
          TW_COMPLEX p = TW_MAKE(p_coarse.x + p_rest.x, p_coarse.y + p_rest.y);
          TW_COMPLEX a = TW_MAKE(c.x + p.y, c.y - p.x);
          TW_COMPLEX b = TW_MAKE(c.x - p.y, c.y + p.x);
          if (element == 0) {
            a = TW_MAKE(2.928932309e-01f, -2.928932309e-01f);
            b = TW_MAKE(1.707106829e+00f, 1.707106829e+00f);
          }
          TW_COMPLEX made = multiply(here, a);
          TW_COMPLEX part = there;
          part.y = -part.y;
          part = multiply(part, b);
          made.x += part.x;
          made.y += part.y;
          v[m * 1 + k] = made;
        }
      }
    }
  }
  
  // store
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 128 + slot;
    const TW_INDEX loop0 = own;
    TW_GLOBAL ushort2* destination = output + (loop0 + (TW_INDEX)lane);
    {
      #pragma unroll
      for (TW_UINT m = 0; m < 1; ++m) {
        const TW_UINT b = lane;
        #pragma unroll
        for (TW_UINT j = 0; j < 1; ++j) {
          const TW_INDEX element = loop0;
          store_element(destination + (j * 1), v[m * 1 + j]);
          const TW_INDEX mirror = element == 0 ? 0 : 32768 - element;
          if (mirror != element && mirror < 32768) store_element(destination + (j * 1 + mirror - element), v[1]);
        }
      }
    }
  }
}
