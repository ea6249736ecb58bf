// A forward transform of 17 points.
// Rader's algorithm: a convolution of 16 points = 4 * 4.
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
#define TW_PAD(i) ((i) + (i) / 16)

TW_INLINE TW_COMPLEX multiply(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, -(a.y * b.y)), TW_FMA(a.x, b.y, a.y * b.x));
}

// a times the conjugate of b.
TW_INLINE TW_COMPLEX multiply_conjugate(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, a.y * b.y), TW_FMA(a.y, b.x, -(a.x * b.y)));
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

TW_INLINE void butterfly_4_inverse(TW_COMPLEX* v) {
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL r2 = v[2].x;
  const TW_REAL i2 = v[2].y;
  const TW_REAL t0 = i0 + i2;
  const TW_REAL t1 = i0 - i2;
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL r3 = v[3].x;
  const TW_REAL i3 = v[3].y;
  const TW_REAL t2 = i1 + i3;
  const TW_REAL t3 = i1 - i3;
  const TW_REAL t4 = t0 + t2;
  const TW_REAL t5 = t0 - t2;
  const TW_REAL t6 = r0 - r2;
  const TW_REAL t7 = r0 + r2;
  const TW_REAL t8 = t6 - t3;
  const TW_REAL t9 = t6 + t3;
  const TW_REAL t10 = r1 + r3;
  const TW_REAL t11 = r1 - r3;
  const TW_REAL t12 = t1 + t11;
  v[1].x = t8;
  v[1].y = t12;
  const TW_REAL t13 = t1 - t11;
  v[3].x = t9;
  v[3].y = t13;
  const TW_REAL t14 = t7 + t10;
  v[0].x = t14;
  v[0].y = t4;
  const TW_REAL t15 = t7 - t10;
  v[2].x = t15;
  v[2].y = t5;
}


// 4 items for each transform, 16 transforms in a group.
TW_KERNEL(64, 1) stage(TW_GLOBAL const TW_COMPLEX* input, TW_GLOBAL TW_COMPLEX* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count, TW_GLOBAL const TW_UINT* indices) {
  TW_LOCAL_ARRAY(TW_COMPLEX, exchange, 256);
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[4];
  TW_COMPLEX zeroth;
  TW_UINT lane = item % 4;
  TW_UINT slot = item / 4;
  
  // load
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 16 + slot;
    const TW_INDEX loop0 = (own < count ? own : count - 1);
    TW_GLOBAL const TW_COMPLEX* source = input + (loop0 * 17);
    zeroth = source[0];
  }
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 16 + slot;
    const TW_INDEX loop0 = (own < count ? own : count - 1);
    TW_GLOBAL const TW_COMPLEX* source = input + (loop0 * 17 + (TW_INDEX)lane);
    #pragma unroll
    for (TW_UINT m = 0; m < 4; ++m) {
      #pragma unroll
      for (TW_UINT k = 0; k < 1; ++k) {
        v[m * 1 + k] = source[m * 4 + k * 16 + 1];
      }
    }
  }
  
  // exchange
  TW_UINT load_places[4];
  #pragma unroll
  for (TW_UINT m = 0; m < 4; ++m) {
    const TW_UINT b = lane + m * 4;
    #pragma unroll
    for (TW_UINT j = 0; j < 1; ++j) {
      load_places[m * 1 + j] = indices[0 + b + j * 16];
    }
  }
  #pragma unroll
  for (TW_UINT m = 0; m < 4; ++m) {
    const TW_UINT b = lane + m * 4;
    #pragma unroll
    for (TW_UINT j = 0; j < 1; ++j) {
      exchange[slot * 16 + TW_PAD(load_places[m * 1 + j])] = v[m * 1 + j];
    }
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    #pragma unroll
    for (TW_UINT k = 0; k < 4; ++k) {
      v[m * 4 + k] = exchange[slot * 16 + TW_PAD(b + k * 4)];
    }
  }
  
  // radix 4
  butterfly_4_forward(v + 0);
  
  // twiddle
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    const TW_UINT p = b / 1;
    TW_GLOBAL const TW_COMPLEX* roots = constants + 0 + p;
    #pragma unroll
    for (TW_UINT j = 1; j < 4; ++j) {
      v[m * 4 + j] = multiply(v[m * 4 + j], roots[(j - 1) * 4]);
    }
  }
  
  // exchange
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    const TW_UINT base = b / 1 * 4 + b % 1;
    #pragma unroll
    for (TW_UINT j = 0; j < 4; ++j) {
      exchange[slot * 16 + TW_PAD(base + j * 1)] = v[m * 4 + j];
    }
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    #pragma unroll
    for (TW_UINT k = 0; k < 4; ++k) {
      v[m * 4 + k] = exchange[slot * 16 + TW_PAD(b + k * 4)];
    }
  }
  
  // radix 4
  butterfly_4_forward(v + 0);
  
  // times the spectrum
  const TW_COMPLEX total = TW_MAKE(zeroth.x + v[0].x, zeroth.y + v[0].y);
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    #pragma unroll
    for (TW_UINT j = 0; j < 4; ++j) {
      v[m * 4 + j] = multiply(v[m * 4 + j], constants[12 + b + j * 4]);
    }
  }
  if (lane == 0) v[0] = TW_MAKE(v[0].x + zeroth.x, v[0].y + zeroth.y);
  zeroth = total;
  
  // radix 4
  butterfly_4_inverse(v + 0);
  
  // exchange
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    #pragma unroll
    for (TW_UINT j = 0; j < 4; ++j) {
      exchange[slot * 16 + TW_PAD(b + j * 4)] = v[m * 4 + j];
    }
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    const TW_UINT base = b / 1 * 4 + b % 1;
    #pragma unroll
    for (TW_UINT k = 0; k < 4; ++k) {
      v[m * 4 + k] = exchange[slot * 16 + TW_PAD(base + k * 1)];
    }
  }
  
  // twiddle
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    const TW_UINT p = b / 1;
    TW_GLOBAL const TW_COMPLEX* roots = constants + 0 + p;
    #pragma unroll
    for (TW_UINT j = 1; j < 4; ++j) {
      v[m * 4 + j] = multiply_conjugate(v[m * 4 + j], roots[(j - 1) * 4]);
    }
  }
  
  // radix 4
  butterfly_4_inverse(v + 0);
  
  // exchange
  TW_UINT store_places[4];
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    #pragma unroll
    for (TW_UINT j = 0; j < 4; ++j) {
      store_places[m * 4 + j] = indices[16 + b + j * 4];
    }
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    #pragma unroll
    for (TW_UINT j = 0; j < 4; ++j) {
      exchange[slot * 16 + TW_PAD(store_places[m * 4 + j])] = v[m * 4 + j];
    }
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 4; ++m) {
    const TW_UINT b = lane + m * 4;
    #pragma unroll
    for (TW_UINT k = 0; k < 1; ++k) {
      v[m * 1 + k] = exchange[slot * 16 + TW_PAD(b) + k * 17];
    }
  }
  
  // store
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 16 + slot;
    const TW_INDEX loop0 = own;
    TW_GLOBAL TW_COMPLEX* destination = output + (loop0 * 17 + (TW_INDEX)lane);
    if (own < count) {
      #pragma unroll
      for (TW_UINT m = 0; m < 4; ++m) {
        #pragma unroll
        for (TW_UINT j = 0; j < 1; ++j) {
          destination[m * 4 + j * 16 + 1] = v[m * 1 + j];
        }
      }
    }
  }
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP * 16 + slot;
    const TW_INDEX loop0 = own;
    TW_GLOBAL TW_COMPLEX* destination = output + (loop0 * 17);
    if (lane == 0 && own < count) {
      destination[0] = zeroth;
    }
  }
}
