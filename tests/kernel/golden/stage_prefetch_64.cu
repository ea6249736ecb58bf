// A forward transform of 64 points = 8 * 8.
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
#define TW_GROUPS gridDim.x
#define TW_ARRIVAL unsigned long long
TW_INLINE TW_UINT local_address(const void* place) { return (TW_UINT)__cvta_generic_to_shared(place); }
TW_INLINE TW_UINT before_line(const TW_COMPLEX* source) {
  return (TW_UINT)((unsigned long long)source % 16 / sizeof(TW_COMPLEX));
}
TW_INLINE void prepare_arrival(TW_ARRIVAL* arrival) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 2;" ::"r"(local_address(arrival)) : "memory");
}
TW_INLINE void fetch_element(TW_COMPLEX* place, const TW_COMPLEX* source) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(local_address(place)),
               "l"(__cvta_generic_to_global(source)), "n"(sizeof(TW_COMPLEX))
               : "memory");
}
TW_INLINE void fetch_16_bytes(TW_COMPLEX* place, const TW_COMPLEX* source, const bool whole) {
  if (whole) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(local_address(place)),
                 "l"(__cvta_generic_to_global(source))
                 : "memory");
  } else {
    fetch_element(place, source);
    fetch_element(place + 1, source + 1);
  }
}
TW_INLINE void await_elements() { asm volatile("cp.async.wait_all;" ::: "memory"); }
TW_INLINE void fetch_line(TW_COMPLEX* memory, TW_ARRIVAL* arrival, const TW_COMPLEX* source, const TW_UINT length) {
  const TW_UINT unit = 16 / sizeof(TW_COMPLEX);
  const TW_UINT before = before_line(source);
  const TW_UINT copied = (length - before) / unit * unit;
  const TW_UINT bytes = copied * sizeof(TW_COMPLEX);
  TW_COMPLEX* const line = memory + before;
  asm volatile("fence.proxy.async;" ::: "memory");
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(local_address(arrival)), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   local_address(line + before)),
               "l"(__cvta_generic_to_global(source + before)), "r"(bytes), "r"(local_address(arrival))
               : "memory");
  if (before != 0) fetch_element(line, source);
  if (before + copied < length) fetch_element(line + length - 1, source + length - 1);
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(local_address(arrival)) : "memory");
}
TW_INLINE void await_line(TW_ARRIVAL* arrival, const TW_UINT turn) {
  TW_UINT arrived = 0;
  while (arrived == 0) {
    asm volatile(
        "{\n.reg .pred there;\nmbarrier.try_wait.parity.shared::cta.b64 there, [%1], %2;\nselp.u32 %0, 1, 0, there;\n}"
        : "=r"(arrived)
        : "r"(local_address(arrival)), "r"(turn % 2)
        : "memory");
  }
}
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


// 8 items for each transform, 1 transforms in a group.
TW_KERNEL(8, 1) stage(TW_GLOBAL const TW_COMPLEX* input, TW_GLOBAL TW_COMPLEX* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count) {
  TW_LOCAL_ARRAY(TW_COMPLEX, fetched, 99);
  TW_REAL* const exchange = (TW_REAL*)(fetched + 66);
  TW_ARRIVAL* const arrival = (TW_ARRIVAL*)(fetched + 98);
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[8];
  TW_UINT lane = item;
  TW_UINT slot = 0;
  TW_INDEX own = TW_GROUP;
  if (item == 0) {
    prepare_arrival(arrival);
    const TW_INDEX loop0 = own;
    TW_GLOBAL const TW_COMPLEX* source = input + (loop0 * 64);
    fetch_line(fetched, arrival, source, 64);
  }
  TW_BARRIER();
  for (TW_UINT turn = 0; own < count; own += TW_GROUPS, ++turn) {
    await_line(arrival, turn);
    
    // load
    {
      const TW_INDEX loop0 = own;
      const TW_COMPLEX* source = fetched + before_line(input + (loop0 * 64)) + lane;
      #pragma unroll
      for (TW_UINT m = 0; m < 1; ++m) {
        #pragma unroll
        for (TW_UINT k = 0; k < 8; ++k) {
          v[m * 8 + k] = source[k * 8];
        }
      }
    }
    
    // fetch the next line
    TW_BARRIER();
    if (item == 0 && own + TW_GROUPS < count) {
      const TW_INDEX loop0 = (own + TW_GROUPS);
      TW_GLOBAL const TW_COMPLEX* source = input + (loop0 * 64);
      fetch_line(fetched, arrival, source, 64);
    }
    
    // radix 8
    butterfly_8_forward(v + 0);
    
    // twiddle
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      const TW_UINT b = lane;
      const TW_UINT p = b / 1;
      TW_GLOBAL const TW_COMPLEX* roots = constants + 0 + p;
      #pragma unroll
      for (TW_UINT j = 1; j < 8; ++j) {
        v[m * 8 + j] = multiply(v[m * 8 + j], roots[(j - 1) * 8]);
      }
    }
    
    // exchange
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      const TW_UINT b = lane;
      const TW_UINT base = b / 1 * 8 + b % 1;
      #pragma unroll
      for (TW_UINT j = 0; j < 8; ++j) {
        exchange[TW_PAD(base) + j * 1] = v[m * 8 + j].x;
      }
    }
    TW_BARRIER();
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      const TW_UINT b = lane;
      #pragma unroll
      for (TW_UINT k = 0; k < 8; ++k) {
        v[m * 8 + k].x = exchange[TW_PAD(b) + k * 8];
      }
    }
    TW_BARRIER();
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      const TW_UINT b = lane;
      const TW_UINT base = b / 1 * 8 + b % 1;
      #pragma unroll
      for (TW_UINT j = 0; j < 8; ++j) {
        exchange[TW_PAD(base) + j * 1] = v[m * 8 + j].y;
      }
    }
    TW_BARRIER();
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      const TW_UINT b = lane;
      #pragma unroll
      for (TW_UINT k = 0; k < 8; ++k) {
        v[m * 8 + k].y = exchange[TW_PAD(b) + k * 8];
      }
    }
    
    // radix 8
    butterfly_8_forward(v + 0);
    
    // store
    {
      const TW_INDEX loop0 = own;
      TW_GLOBAL TW_COMPLEX* destination = output + (loop0 * 64 + (TW_INDEX)lane);
      if (own < count) {
        #pragma unroll
        for (TW_UINT m = 0; m < 1; ++m) {
          #pragma unroll
          for (TW_UINT j = 0; j < 8; ++j) {
            destination[j * 8] = v[m * 8 + j];
          }
        }
      }
    }
  }
}
