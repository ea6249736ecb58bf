// A forward transform of 4 points.
// Each line is first made by the map 'dct2 before 4'.
// Each line is then made into 'dct2 after 4'.
#define TW_KERNEL(items, groups) __kernel void
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
#define TW_PAD(i) ((i) + (i) / 4)

TW_INLINE TW_COMPLEX multiply(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, -(a.y * b.y)), TW_FMA(a.x, b.y, a.y * b.x));
}

TW_INLINE TW_COMPLEX load_element(TW_GLOBAL const TW_HALF* data, TW_GLOBAL const TW_HALF* lower) {
  return TW_MAKE(TW_JOIN_WORDS(*data, *lower), 0);
}

TW_INLINE void store_element(TW_GLOBAL TW_HALF* data, const TW_COMPLEX value) {
  TW_STORE_HALF(data, value.x);
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
TW_KERNEL(128, 4) stage(TW_GLOBAL const TW_HALF* input, TW_GLOBAL TW_HALF* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count, TW_GLOBAL TW_REAL* apart) {
  TW_LOCAL_ARRAY(TW_COMPLEX, exchange, 512);
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[4];
  TW_UINT lane = 0;
  TW_UINT slot = item;
  
  // load
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 128 + slot;
    const TW_INDEX loop0 = (own < count ? own : count - 1);
    TW_GLOBAL const TW_HALF* source = input + (loop0);
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      const TW_UINT b = lane;
      #pragma unroll
      for (TW_UINT k = 0; k < 4; ++k) {
        const TW_UINT element = b + k * 1;
        {
          TW_COMPLEX made = TW_MAKE(0, 0);
          {
            const TW_UINT index = element < 2 ? element * 2u : 7u - element * 2u;
            TW_COMPLEX part = load_element(source + ((TW_INDEX)(index) * 5), (TW_GLOBAL TW_HALF*)apart + (source - input) + ((TW_INDEX)(index) * 5));
            made.x += part.x;
            made.y += part.y;
          }
          v[m * 4 + k] = made;
        }
      }
    }
  }
  
  // radix 4
  butterfly_4_forward(v + 0);
  
  // store
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    #pragma unroll
    for (TW_UINT j = 0; j < 4; ++j) {
      exchange[(TW_PAD(b) + j * 1) * 128 + slot] = v[m * 4 + j];
    }
  }
  TW_BARRIER();
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 128 + slot;
    const TW_INDEX loop0 = own;
    TW_GLOBAL TW_HALF* destination = output + (loop0);
    if (own < count) {
      for (TW_UINT element = lane; element < 4; element += 1) {
        TW_COMPLEX made = TW_MAKE(0, 0);
        const TW_COMPLEX factor = constants[0 + element];
        {
          const TW_UINT index = element;
          TW_COMPLEX part = exchange[(TW_PAD(index)) * 128 + slot];
          part = multiply(part, constants[0 + element]);
          made.x += part.x;
          made.y += part.y;
        }
        {
          const TW_UINT index = element < 2 ? element * 3u : 4u - element;
          TW_COMPLEX part = exchange[(TW_PAD(index)) * 128 + slot];
          part = multiply(part, TW_MAKE(factor.x, -factor.y));
          made.x += part.x;
          made.y += part.y;
        }
        store_element(destination + ((TW_INDEX)(element) * 5), made);
      }
    }
  }
}
