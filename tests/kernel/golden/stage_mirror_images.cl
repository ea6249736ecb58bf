// A forward transform of 1 points.
// Each line is first made by the map 'dct2 after, pairs 65536'.
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
#define TW_HALF ushort
#define TW_LOAD_HALF(data) vload_half(0, (TW_GLOBAL const half*)(data))
#define TW_LOAD_HALF2(data) vload_half2(0, (TW_GLOBAL const half*)(data))
#define TW_STORE_HALF(data, value) vstore_half_rte((float)(value), 0, (TW_GLOBAL half*)(data))
#define TW_STORE_HALF2(data, re, im) vstore_half2_rte((float2)((re), (im)), 0, (TW_GLOBAL half*)(data))
#define TW_BITS(value) as_uint(value)
#define TW_FROM_BITS(bits) as_float(bits)
#define TW_JOIN_WORDS(upper, lower) TW_FROM_BITS((TW_UINT)(upper) << 16 | (lower))
#define TW_UPPER_WORD(value) ((TW_HALF)(TW_BITS(value) >> 16))
#define TW_LOWER_WORD(value) ((TW_HALF)(TW_BITS(value) & 65535))
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
