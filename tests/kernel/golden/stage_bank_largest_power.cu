// A forward transform of 64 points = 8 * 8.
// 3 filters of 20, power, maximum.
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
#define TW_DEPENDENCY_WAIT() asm volatile("griddepcontrol.wait;" ::: "memory")
#define TW_DEPENDENT_START() asm volatile("griddepcontrol.launch_dependents;" ::: "memory")
#define TW_LOAD_SHARED(place) __ldcg(place)
#define TW_INDEX TW_UINT
#define TW_OFFSET int
#define TW_PAD(i) ((i) + (i) / 16)

TW_INLINE TW_COMPLEX multiply(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, -(a.y * b.y)), TW_FMA(a.x, b.y, a.y * b.x));
}

// a times the conjugate of b.
TW_INLINE TW_COMPLEX multiply_conjugate(const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, a.y * b.y), TW_FMA(a.y, b.x, -(a.x * b.y)));
}

#define TW_GROUPS gridDim.x

#if __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1104 && __CUDA_ARCH__ >= 700
TW_INLINE void store_past_cache(float* place, const float value) {
  asm volatile("st.global.L1::no_allocate.f32 [%0], %1;" ::"l"(__cvta_generic_to_global(place)), "f"(value));
}
TW_INLINE void store_past_cache(double* place, const double value) {
  asm volatile("st.global.L1::no_allocate.f64 [%0], %1;" ::"l"(__cvta_generic_to_global(place)), "d"(value));
}
TW_INLINE void store_past_cache(float2* place, const float2 value) {
  asm volatile("st.global.L1::no_allocate.v2.f32 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(place)),
               "f"(value.x), "f"(value.y));
}
TW_INLINE void store_past_cache(double2* place, const double2 value) {
  asm volatile("st.global.L1::no_allocate.v2.f64 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(place)),
               "d"(value.x), "d"(value.y));
}
#define TW_STREAM(place, value) store_past_cache(place, value)
#else
#define TW_STREAM(place, value) __stcs(place, value)
#endif
#undef TW_BARRIER
#define TW_BARRIER() __syncwarp()
#define TW_MAKE4(a, b, c, d) make_float4((a), (b), (c), (d))
TW_INLINE TW_OFFSET boundary_source(const TW_OFFSET position) {
  const TW_OFFSET length = 1000;
  if (position >= 0 && position < length) return position;
  const TW_OFFSET rest = position % length;
  return rest < 0 ? rest + length : rest;
}

TW_INLINE int is_finite(const TW_COMPLEX value) {
  const TW_REAL sum = value.x + value.y;
  return sum - sum == 0;
}

TW_INLINE TW_COMPLEX add_product(const TW_COMPLEX sum, const TW_COMPLEX a, const TW_COMPLEX b) {
  return TW_MAKE(TW_FMA(a.x, b.x, TW_FMA(-a.y, b.y, sum.x)),
                 TW_FMA(a.x, b.y, TW_FMA(a.y, b.x, sum.y)));
}

TW_INLINE void keep_best(const TW_COMPLEX value, const TW_UINT filter, TW_COMPLEX* best, TW_COMPLEX* chosen) {
  if (filter == 0 || value.x > best->x) {
    best->x = value.x;
    chosen->x = filter;
  }
}

TW_INLINE void store_element(TW_GLOBAL float* data, const TW_COMPLEX value) {
  *(data) = value.x;
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

TW_INLINE void butterfly_8_inverse(TW_COMPLEX* v) {
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL r4 = v[4].x;
  const TW_REAL i4 = v[4].y;
  const TW_REAL t0 = i0 + i4;
  const TW_REAL t1 = i0 - i4;
  const TW_REAL r2 = v[2].x;
  const TW_REAL i2 = v[2].y;
  const TW_REAL r6 = v[6].x;
  const TW_REAL i6 = v[6].y;
  const TW_REAL t2 = i2 + i6;
  const TW_REAL t3 = i2 - i6;
  const TW_REAL t4 = r0 - r4;
  const TW_REAL t5 = r0 + r4;
  const TW_REAL t6 = r2 + r6;
  const TW_REAL t7 = r2 - r6;
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
  const TW_REAL t16 = i1 + i5;
  const TW_REAL t17 = i1 - i5;
  const TW_REAL t18 = r1 - r5;
  const TW_REAL t19 = r1 + r5;
  const TW_REAL r3 = v[3].x;
  const TW_REAL i3 = v[3].y;
  const TW_REAL r7 = v[7].x;
  const TW_REAL i7 = v[7].y;
  const TW_REAL t20 = i3 + i7;
  const TW_REAL t21 = i7 - i3;
  const TW_REAL t22 = t16 + t20;
  const TW_REAL t23 = t16 - t20;
  const TW_REAL t24 = t11 - t23;
  const TW_REAL t25 = t11 + t23;
  const TW_REAL t26 = t14 + t22;
  const TW_REAL t27 = t14 - t22;
  const TW_REAL t28 = r3 + r7;
  const TW_REAL t29 = r7 - r3;
  const TW_REAL t30 = t19 + t28;
  const TW_REAL t31 = t19 - t28;
  const TW_REAL t32 = t15 + t31;
  v[2].x = t24;
  v[2].y = t32;
  const TW_REAL t33 = t15 - t31;
  v[6].x = t25;
  v[6].y = t33;
  const TW_REAL t34 = t10 + t30;
  v[0].x = t34;
  v[0].y = t26;
  const TW_REAL t35 = t10 - t30;
  v[4].x = t35;
  v[4].y = t27;
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
  v[3].x = t48;
  v[3].y = t42;
  const TW_REAL t49 = TW_FMA(0.707106769084930419922f, t47, t13);
  v[7].x = t49;
  v[7].y = t43;
  const TW_REAL t50 = TW_FMA(0.707106769084930419922f, t46, t8);
  v[1].x = t44;
  v[1].y = t50;
  const TW_REAL t51 = TW_FMA(-0.707106769084930419922f, t46, t8);
  v[5].x = t45;
  v[5].y = t51;
}


// 8 items for each transform, 1 transforms in a group.
TW_KERNEL(8, 1) stage(TW_GLOBAL const TW_COMPLEX* input, TW_GLOBAL float* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count, TW_GLOBAL const TW_COMPLEX* spectra, const TW_UINT follows_filters) {
  TW_LOCAL_ARRAY(TW_COMPLEX, exchange, 67);
  if (follows_filters == 0) TW_DEPENDENCY_WAIT();
  const TW_UINT item = TW_ITEM;
  TW_COMPLEX v[8];
  TW_UINT lane = item;
  TW_UINT slot = 0;
  TW_COMPLEX spectrum[8];
  const TW_INDEX pairs = count;
  const TW_INDEX share = pairs / TW_GROUPS;
  const TW_INDEX longer = pairs % TW_GROUPS;
  TW_INDEX pair = TW_GROUP * share + (TW_GROUP < longer ? TW_GROUP : longer);
  const TW_INDEX end = pair + share + (TW_GROUP < longer ? 1 : 0);
  while (pair < end) {
    TW_COMPLEX best[8], chosen[8];
    const TW_INDEX segment = pair++;
    TW_UINT filter = 0;
    const TW_UINT filters = 3;
    
    // load
    {
      const TW_INDEX loop0 = segment;
      TW_GLOBAL const TW_COMPLEX* source = input + -19 + (loop0 * 45 + (TW_INDEX)lane);
      const TW_INDEX moved = loop0 * 45;
      const TW_INDEX bounded = moved + (TW_INDEX)-19;
      #pragma unroll
      for (TW_UINT m = 0; m < 1; ++m) {
        const TW_UINT b = lane;
        #pragma unroll
        for (TW_UINT k = 0; k < 8; ++k) {
          const TW_UINT element = b + k * 8;
          const TW_INDEX position = bounded + (element);
          v[m * 8 + k] = TW_MAKE(0, 0);
          {
            const TW_OFFSET own_position = (TW_OFFSET)(position);
            const TW_OFFSET shift = (boundary_source(own_position) - own_position) * 1;
            v[m * 8 + k] = TW_LOAD_SHARED(source + ((TW_OFFSET)(k * 8) + shift));
          }
        }
      }
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
    TW_BARRIER();
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      const TW_UINT b = lane;
      const TW_UINT base = b / 1 * 8 + b % 1;
      #pragma unroll
      for (TW_UINT j = 0; j < 8; ++j) {
        exchange[TW_PAD(base + j * 1)] = v[m * 8 + j];
      }
    }
    TW_BARRIER();
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      const TW_UINT b = lane;
      #pragma unroll
      for (TW_UINT k = 0; k < 8; ++k) {
        v[m * 8 + k] = exchange[TW_PAD(b + k * 8)];
      }
    }
    
    // radix 8
    butterfly_8_forward(v + 0);
    
    #pragma unroll
    for (TW_UINT i = 0; i < 8; ++i) {
      spectrum[i] = v[i];
    }
    const TW_INDEX loop0 = segment;
    TW_GLOBAL float* outputs = output + (loop0 * 45);
    const TW_INDEX moved = loop0 * 45;
    const TW_INDEX bounded = moved + (TW_INDEX)-19;
    TW_DEPENDENCY_WAIT();
    #pragma unroll 1
    for (; filter < filters; ++filter) {
      // times the filter's spectrum
      {
        TW_GLOBAL const float4* factors = (TW_GLOBAL const float4*)(spectra + (TW_WIDE)filter * 64) + lane;
        #pragma unroll
        for (TW_UINT i = 0; i < 4; ++i) {
          const float4 factor = factors[i * 8];
          v[2 * i] = multiply(spectrum[2 * i], TW_MAKE(factor.x, factor.y));
          v[2 * i + 1] = multiply(spectrum[2 * i + 1], TW_MAKE(factor.z, factor.w));
        }
      }
      
      // radix 8
      butterfly_8_inverse(v + 0);
      
      // exchange
      TW_BARRIER();
      #pragma unroll
      for (TW_UINT m = 0; m < 1; ++m) {
        const TW_UINT b = lane;
        #pragma unroll
        for (TW_UINT j = 0; j < 8; ++j) {
          exchange[TW_PAD(b + j * 8)] = v[m * 8 + j];
        }
      }
      TW_BARRIER();
      #pragma unroll
      for (TW_UINT m = 0; m < 1; ++m) {
        const TW_UINT b = lane;
        const TW_UINT base = b / 1 * 8 + b % 1;
        #pragma unroll
        for (TW_UINT k = 0; k < 8; ++k) {
          v[m * 8 + k] = exchange[TW_PAD(base + k * 1)];
        }
      }
      
      // twiddle
      #pragma unroll
      for (TW_UINT m = 0; m < 1; ++m) {
        const TW_UINT b = lane;
        const TW_UINT p = b / 1;
        TW_GLOBAL const TW_COMPLEX* roots = constants + 0 + p;
        #pragma unroll
        for (TW_UINT j = 1; j < 8; ++j) {
          v[m * 8 + j] = multiply_conjugate(v[m * 8 + j], roots[(j - 1) * 8]);
        }
      }
      
      // radix 8
      butterfly_8_inverse(v + 0);
      
      // store
      #pragma unroll
      for (TW_UINT m = 0; m < 1; ++m) {
        const TW_UINT b = lane;
        #pragma unroll
        for (TW_UINT j = 2; j < 3; ++j) {
          const TW_UINT element = b + j * 8;
          if (element >= 19 && element < 64) {
            const TW_COMPLEX made = TW_MAKE(TW_FMA(v[m * 8 + j].x, v[m * 8 + j].x, v[m * 8 + j].y * v[m * 8 + j].y), 0);
            keep_best(made, filter, best + m * 8 + j, chosen + m * 8 + j);
          }
        }
        #pragma unroll
        for (TW_UINT j = 3; j < 8; ++j) {
          const TW_UINT element = b + j * 8;
          const TW_COMPLEX made = TW_MAKE(TW_FMA(v[m * 8 + j].x, v[m * 8 + j].x, v[m * 8 + j].y * v[m * 8 + j].y), 0);
          keep_best(made, filter, best + m * 8 + j, chosen + m * 8 + j);
        }
      }
    }
    {
      TW_GLOBAL float* destination = outputs + (TW_WIDE)lane * 1 - 19;
      #pragma unroll
      for (TW_UINT m = 0; m < 1; ++m) {
        const TW_UINT b = lane;
        #pragma unroll
        for (TW_UINT j = 2; j < 3; ++j) {
          const TW_UINT element = b + j * 8;
          if (element >= 19 && element < 64) {
            {
              const TW_INDEX position = bounded + (element);
              if (position + (TW_INDEX)0 < 1019) TW_STREAM(destination + ((j * 8)), (best[m * 8 + j]).x);
            }
            {
              const TW_INDEX position = bounded + (element);
              if (position + (TW_INDEX)0 < 1019) TW_STREAM(destination + ((j * 8) + (1019)), (chosen[m * 8 + j]).x);
            }
          }
        }
        #pragma unroll
        for (TW_UINT j = 3; j < 8; ++j) {
          const TW_UINT element = b + j * 8;
          {
            const TW_INDEX position = bounded + (element);
            if (position + (TW_INDEX)0 < 1019) TW_STREAM(destination + ((j * 8)), (best[m * 8 + j]).x);
          }
          {
            const TW_INDEX position = bounded + (element);
            if (position + (TW_INDEX)0 < 1019) TW_STREAM(destination + ((j * 8) + (1019)), (chosen[m * 8 + j]).x);
          }
        }
      }
    }
    if (!is_finite(v[7])) {
      {
        const TW_INDEX loop0 = segment;
        TW_GLOBAL const TW_COMPLEX* source = input + -19 + (loop0 * 45);
        const TW_INDEX moved = loop0 * 45;
        const TW_INDEX bounded_input = moved + (TW_INDEX)-19;
        TW_GLOBAL float* destination = outputs;
        #pragma unroll 1
        for (TW_UINT b = lane; b < 8; b += 8) {
          #pragma unroll 1
          for (TW_UINT element = b; element < 64; element += 8) {
            if (element < 19) continue;
            TW_COMPLEX largest[2], its_filter[2];
            #pragma unroll 1
            for (TW_UINT filter = 0; filter < 3; ++filter) {
              TW_COMPLEX sum0 = TW_MAKE(0, 0);
              {
                TW_GLOBAL const TW_COMPLEX* taps = spectra + (TW_WIDE)192 + (TW_WIDE)filter * 20;
                const TW_UINT last = element;
                #pragma unroll 1
                for (TW_UINT tap = 0; tap < 20; ++tap) {
                  const TW_UINT element = last - tap;
                  TW_COMPLEX sample;
                  const TW_INDEX position = bounded_input + (element);
                  sample = TW_MAKE(0, 0);
                  {
                    const TW_OFFSET own_position = (TW_OFFSET)(position);
                    const TW_OFFSET shift = (boundary_source(own_position) - own_position) * 1;
                    sample = TW_LOAD_SHARED(source + ((TW_OFFSET)(element) + shift));
                  }
                  sum0 = add_product(sum0, sample, taps[tap]);
                }
              }
              const TW_COMPLEX made = TW_MAKE(TW_FMA(sum0.x, sum0.x, sum0.y * sum0.y), 0);
              keep_best(made, filter, largest, its_filter);
            }
            {
              const TW_INDEX position = bounded + (element);
              if (position + (TW_INDEX)0 < 1019) TW_STREAM(destination + ((TW_INDEX)((element - 19) / 1) * (TW_INDEX)1 + (TW_INDEX)0), (largest[0]).x);
            }
            {
              const TW_INDEX position = bounded + (element);
              if (position + (TW_INDEX)0 < 1019) TW_STREAM(destination + ((TW_INDEX)((element - 19) / 1) * (TW_INDEX)1 + (TW_INDEX)0 + (1019)), (its_filter[0]).x);
            }
          }
        }
      }
    }
  }
}
