// A forward transform of 16384 points = 16 * 8 * 16 * 8.
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
#define TW_CLUSTER(groups) __cluster_dims__(groups, 1, 1)
#define TW_CLUSTER_ARRIVE() asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory")
#define TW_CLUSTER_WAIT() asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory")
TW_INLINE TW_COMPLEX* memory_of_group(TW_COMPLEX* own, const TW_UINT group) {
  TW_COMPLEX* there;
  asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(own), "r"(group));
  return there;
}
#define TW_DEPENDENCY_WAIT() asm volatile("griddepcontrol.wait;" ::: "memory")
#define TW_INDEX TW_UINT
#define TW_PAD(i) ((i) + (i) / 16)

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

TW_INLINE void butterfly_16_forward(TW_COMPLEX* v) {
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL r8 = v[8].x;
  const TW_REAL i8 = v[8].y;
  const TW_REAL t0 = r0 + r8;
  const TW_REAL t1 = r0 - r8;
  const TW_REAL r4 = v[4].x;
  const TW_REAL i4 = v[4].y;
  const TW_REAL r12 = v[12].x;
  const TW_REAL i12 = v[12].y;
  const TW_REAL t2 = r4 + r12;
  const TW_REAL t3 = r4 - r12;
  const TW_REAL t4 = i0 - i8;
  const TW_REAL t5 = i0 + i8;
  const TW_REAL t6 = i4 + i12;
  const TW_REAL t7 = i4 - i12;
  const TW_REAL t8 = t1 + t7;
  const TW_REAL t9 = t1 - t7;
  const TW_REAL t10 = t5 + t6;
  const TW_REAL t11 = t5 - t6;
  const TW_REAL t12 = t4 - t3;
  const TW_REAL t13 = t4 + t3;
  const TW_REAL t14 = t0 + t2;
  const TW_REAL t15 = t0 - t2;
  const TW_REAL r2 = v[2].x;
  const TW_REAL i2 = v[2].y;
  const TW_REAL r10 = v[10].x;
  const TW_REAL i10 = v[10].y;
  const TW_REAL t16 = r2 + r10;
  const TW_REAL t17 = r2 - r10;
  const TW_REAL t18 = i2 - i10;
  const TW_REAL t19 = i2 + i10;
  const TW_REAL r6 = v[6].x;
  const TW_REAL i6 = v[6].y;
  const TW_REAL r14 = v[14].x;
  const TW_REAL i14 = v[14].y;
  const TW_REAL t20 = r6 + r14;
  const TW_REAL t21 = r14 - r6;
  const TW_REAL t22 = t16 + t20;
  const TW_REAL t23 = t16 - t20;
  const TW_REAL t24 = i6 + i14;
  const TW_REAL t25 = i14 - i6;
  const TW_REAL t26 = t19 + t24;
  const TW_REAL t27 = t19 - t24;
  const TW_REAL t28 = t15 + t27;
  const TW_REAL t29 = t15 - t27;
  const TW_REAL t30 = t10 + t26;
  const TW_REAL t31 = t10 - t26;
  const TW_REAL t32 = t21 - t25;
  const TW_REAL t33 = t21 + t25;
  const TW_REAL t34 = t17 + t18;
  const TW_REAL t35 = t18 - t17;
  const TW_REAL t36 = t35 + t33;
  const TW_REAL t37 = t35 - t33;
  const TW_REAL t38 = t34 + t32;
  const TW_REAL t39 = t34 - t32;
  const TW_REAL t40 = TW_FMA(-0.707106769084930419922f, t39, t13);
  const TW_REAL t41 = TW_FMA(0.707106769084930419922f, t39, t13);
  const TW_REAL t42 = TW_FMA(0.707106769084930419922f, t38, t8);
  const TW_REAL t43 = TW_FMA(-0.707106769084930419922f, t38, t8);
  const TW_REAL t44 = TW_FMA(0.707106769084930419922f, t37, t9);
  const TW_REAL t45 = TW_FMA(-0.707106769084930419922f, t37, t9);
  const TW_REAL t46 = TW_FMA(0.707106769084930419922f, t36, t12);
  const TW_REAL t47 = TW_FMA(-0.707106769084930419922f, t36, t12);
  const TW_REAL t48 = t11 - t23;
  const TW_REAL t49 = t11 + t23;
  const TW_REAL t50 = t14 + t22;
  const TW_REAL t51 = t14 - t22;
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL r9 = v[9].x;
  const TW_REAL i9 = v[9].y;
  const TW_REAL t52 = r1 + r9;
  const TW_REAL t53 = r1 - r9;
  const TW_REAL r5 = v[5].x;
  const TW_REAL i5 = v[5].y;
  const TW_REAL r13 = v[13].x;
  const TW_REAL i13 = v[13].y;
  const TW_REAL t54 = r5 + r13;
  const TW_REAL t55 = r5 - r13;
  const TW_REAL t56 = i1 - i9;
  const TW_REAL t57 = i1 + i9;
  const TW_REAL t58 = i5 + i13;
  const TW_REAL t59 = i5 - i13;
  const TW_REAL t60 = t53 + t59;
  const TW_REAL t61 = t53 - t59;
  const TW_REAL t62 = t56 - t55;
  const TW_REAL t63 = t56 + t55;
  const TW_REAL t64 = TW_FMA(0.414213538169860839844f, t61, t63);
  const TW_REAL t65 = TW_FMA(-0.414213538169860839844f, t63, t61);
  const TW_REAL t66 = TW_FMA(0.414213538169860839844f, t62, t60);
  const TW_REAL t67 = TW_FMA(-0.414213538169860839844f, t60, t62);
  const TW_REAL t68 = t57 + t58;
  const TW_REAL t69 = t57 - t58;
  const TW_REAL t70 = t52 - t54;
  const TW_REAL t71 = t52 + t54;
  const TW_REAL t72 = t70 + t69;
  const TW_REAL t73 = t69 - t70;
  const TW_REAL r7 = v[7].x;
  const TW_REAL i7 = v[7].y;
  const TW_REAL r15 = v[15].x;
  const TW_REAL i15 = v[15].y;
  const TW_REAL t74 = r7 + r15;
  const TW_REAL t75 = r15 - r7;
  const TW_REAL r3 = v[3].x;
  const TW_REAL i3 = v[3].y;
  const TW_REAL r11 = v[11].x;
  const TW_REAL i11 = v[11].y;
  const TW_REAL t76 = r3 + r11;
  const TW_REAL t77 = r3 - r11;
  const TW_REAL t78 = t74 + t76;
  const TW_REAL t79 = t74 - t76;
  const TW_REAL t80 = t71 + t78;
  const TW_REAL t81 = t71 - t78;
  const TW_REAL t82 = t31 - t81;
  const TW_REAL t83 = t31 + t81;
  const TW_REAL t84 = t50 + t80;
  const TW_REAL t85 = t50 - t80;
  const TW_REAL t86 = i15 - i7;
  const TW_REAL t87 = i7 + i15;
  const TW_REAL t88 = i3 + i11;
  const TW_REAL t89 = i3 - i11;
  const TW_REAL t90 = t87 + t88;
  const TW_REAL t91 = t87 - t88;
  const TW_REAL t92 = t79 - t91;
  const TW_REAL t93 = t79 + t91;
  const TW_REAL t94 = t73 + t93;
  const TW_REAL t95 = t73 - t93;
  const TW_REAL t96 = TW_FMA(0.707106769084930419922f, t95, t29);
  const TW_REAL t97 = TW_FMA(-0.707106769084930419922f, t95, t29);
  const TW_REAL t98 = TW_FMA(0.707106769084930419922f, t94, t48);
  const TW_REAL t99 = TW_FMA(-0.707106769084930419922f, t94, t48);
  const TW_REAL t100 = t72 + t92;
  const TW_REAL t101 = t72 - t92;
  const TW_REAL t102 = TW_FMA(-0.707106769084930419922f, t101, t49);
  v[6].x = t96;
  v[6].y = t102;
  const TW_REAL t103 = TW_FMA(0.707106769084930419922f, t101, t49);
  v[14].x = t97;
  v[14].y = t103;
  const TW_REAL t104 = TW_FMA(0.707106769084930419922f, t100, t28);
  v[2].x = t104;
  v[2].y = t98;
  const TW_REAL t105 = TW_FMA(-0.707106769084930419922f, t100, t28);
  v[10].x = t105;
  v[10].y = t99;
  const TW_REAL t106 = t68 + t90;
  const TW_REAL t107 = t68 - t90;
  const TW_REAL t108 = t51 + t107;
  v[4].x = t108;
  v[4].y = t82;
  const TW_REAL t109 = t51 - t107;
  v[12].x = t109;
  v[12].y = t83;
  const TW_REAL t110 = t30 + t106;
  v[0].x = t84;
  v[0].y = t110;
  const TW_REAL t111 = t30 - t106;
  v[8].x = t85;
  v[8].y = t111;
  const TW_REAL t112 = t75 + t89;
  const TW_REAL t113 = t75 - t89;
  const TW_REAL t114 = t86 - t77;
  const TW_REAL t115 = t86 + t77;
  const TW_REAL t116 = TW_FMA(-0.414213538169860839844f, t113, t115);
  const TW_REAL t117 = TW_FMA(0.414213538169860839844f, t115, t113);
  const TW_REAL t118 = t117 - t65;
  const TW_REAL t119 = t65 + t117;
  const TW_REAL t120 = TW_FMA(-0.923879563808441162109f, t119, t45);
  const TW_REAL t121 = TW_FMA(0.923879563808441162109f, t119, t45);
  const TW_REAL t122 = TW_FMA(0.923879563808441162109f, t118, t40);
  const TW_REAL t123 = TW_FMA(-0.923879563808441162109f, t118, t40);
  const TW_REAL t124 = t64 - t116;
  const TW_REAL t125 = t64 + t116;
  const TW_REAL t126 = TW_FMA(-0.923879563808441162109f, t125, t41);
  v[7].x = t120;
  v[7].y = t126;
  const TW_REAL t127 = TW_FMA(0.923879563808441162109f, t125, t41);
  v[15].x = t121;
  v[15].y = t127;
  const TW_REAL t128 = TW_FMA(0.923879563808441162109f, t124, t44);
  v[3].x = t128;
  v[3].y = t122;
  const TW_REAL t129 = TW_FMA(-0.923879563808441162109f, t124, t44);
  v[11].x = t129;
  v[11].y = t123;
  const TW_REAL t130 = TW_FMA(-0.414213538169860839844f, t114, t112);
  const TW_REAL t131 = TW_FMA(0.414213538169860839844f, t112, t114);
  const TW_REAL t132 = t67 + t131;
  const TW_REAL t133 = t67 - t131;
  const TW_REAL t134 = TW_FMA(0.923879563808441162109f, t133, t43);
  const TW_REAL t135 = TW_FMA(-0.923879563808441162109f, t133, t43);
  const TW_REAL t136 = TW_FMA(0.923879563808441162109f, t132, t46);
  const TW_REAL t137 = TW_FMA(-0.923879563808441162109f, t132, t46);
  const TW_REAL t138 = t66 + t130;
  const TW_REAL t139 = t66 - t130;
  const TW_REAL t140 = TW_FMA(-0.923879563808441162109f, t139, t47);
  v[5].x = t134;
  v[5].y = t140;
  const TW_REAL t141 = TW_FMA(0.923879563808441162109f, t139, t47);
  v[13].x = t135;
  v[13].y = t141;
  const TW_REAL t142 = TW_FMA(0.923879563808441162109f, t138, t42);
  v[1].x = t142;
  v[1].y = t136;
  const TW_REAL t143 = TW_FMA(-0.923879563808441162109f, t138, t42);
  v[9].x = t143;
  v[9].y = t137;
}


// 8 groups of 128 items for each transform.
TW_KERNEL(128, 4) TW_CLUSTER(8) stage(TW_GLOBAL const TW_COMPLEX* input, TW_GLOBAL TW_COMPLEX* output,
    TW_GLOBAL const TW_COMPLEX* constants, const TW_INDEX count) {
  TW_LOCAL_ARRAY(TW_COMPLEX, exchange, 2175);
  TW_DEPENDENCY_WAIT();
  const TW_UINT item = TW_ITEM;
  const TW_UINT part = TW_GROUP % 8;
  TW_COMPLEX v[16];
  TW_UINT lane = item;
  TW_UINT slot = 0;
  
  // load
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP / 8 + slot;
    const TW_INDEX loop0 = (own < count ? own : count - 1);
    const TW_UINT origin = lane / 16 * 128 + part * 16 + lane % 16;
    TW_GLOBAL const TW_COMPLEX* source = input + (loop0 * 16384 + (TW_INDEX)origin);
    #pragma unroll
    for (TW_UINT m = 0; m < 1; ++m) {
      #pragma unroll
      for (TW_UINT k = 0; k < 16; ++k) {
        v[m * 16 + k] = source[k * 1024];
      }
    }
  }
  
  // radix 16
  butterfly_16_forward(v + 0);
  
  // twiddle
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane / 16 * 128 + part * 16 + lane % 16;
    const TW_UINT p = b / 1;
    TW_GLOBAL const TW_COMPLEX* roots = constants + 0 + p;
    #pragma unroll
    for (TW_UINT j = 1; j < 16; ++j) {
      v[m * 16 + j] = multiply(v[m * 16 + j], roots[(j - 1) * 1024]);
    }
  }
  
  // exchange
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    const TW_UINT base = b / 1 * 16 + b % 1;
    #pragma unroll
    for (TW_UINT j = 0; j < 16; ++j) {
      exchange[TW_PAD(base) + j * 1] = v[m * 16 + j];
    }
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 2; ++m) {
    const TW_UINT b = lane + m * 128;
    #pragma unroll
    for (TW_UINT k = 0; k < 8; ++k) {
      v[m * 8 + k] = exchange[TW_PAD(b) + k * 272];
    }
  }
  TW_CLUSTER_ARRIVE();
  
  // radix 8
  butterfly_8_forward(v + 0);
  butterfly_8_forward(v + 8);
  
  // twiddle
  #pragma unroll
  for (TW_UINT m = 0; m < 2; ++m) {
    const TW_UINT b = (lane + m * 128) / 256 * 2048 + part * 256 + (lane + m * 128) % 256;
    const TW_UINT p = b / 16;
    TW_GLOBAL const TW_COMPLEX* roots = constants + 15360 + p;
    #pragma unroll
    for (TW_UINT j = 1; j < 8; ++j) {
      v[m * 8 + j] = multiply(v[m * 8 + j], roots[(j - 1) * 128]);
    }
  }
  
  // exchange with the other groups
  TW_CLUSTER_WAIT();
  #pragma unroll
  for (TW_UINT m = 0; m < 2; ++m) {
    const TW_UINT b = lane + m * 128;
    const TW_UINT column = part * 16 + b / 16;
    #pragma unroll
    for (TW_UINT j = 0; j < 8; ++j) {
      const TW_UINT row = b % 16 + j * 16;
      TW_COMPLEX* there = memory_of_group(exchange, row / 16) + (TW_PAD(row % 16 + column * 16));
      *there = v[m * 8 + j];
    }
  }
  TW_CLUSTER_ARRIVE();
  TW_CLUSTER_WAIT();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    #pragma unroll
    for (TW_UINT k = 0; k < 16; ++k) {
      v[m * 16 + k] = exchange[TW_PAD(b) + k * 136];
    }
  }
  
  // radix 16
  butterfly_16_forward(v + 0);
  
  // twiddle
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane / 16 * 128 + part * 16 + lane % 16;
    const TW_UINT p = b / 128;
    TW_GLOBAL const TW_COMPLEX* roots = constants + 16256 + p;
    #pragma unroll
    for (TW_UINT j = 1; j < 16; ++j) {
      v[m * 16 + j] = multiply(v[m * 16 + j], roots[(j - 1) * 8]);
    }
  }
  
  // exchange
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 1; ++m) {
    const TW_UINT b = lane;
    const TW_UINT base = b / 16 * 256 + b % 16;
    #pragma unroll
    for (TW_UINT j = 0; j < 16; ++j) {
      exchange[TW_PAD(base) + j * 17] = v[m * 16 + j];
    }
  }
  TW_BARRIER();
  #pragma unroll
  for (TW_UINT m = 0; m < 2; ++m) {
    const TW_UINT b = lane + m * 128;
    #pragma unroll
    for (TW_UINT k = 0; k < 8; ++k) {
      v[m * 8 + k] = exchange[TW_PAD(b) + k * 272];
    }
  }
  
  // radix 8
  butterfly_8_forward(v + 0);
  butterfly_8_forward(v + 8);
  
  // store
  {
    const TW_INDEX own = (TW_INDEX)TW_GROUP / 8 + slot;
    const TW_INDEX loop0 = own;
    const TW_UINT origin = lane / 16 * 128 + part * 16 + lane % 16;
    TW_GLOBAL TW_COMPLEX* destination = output + (loop0 * 16384 + (TW_INDEX)origin);
    if (own < count) {
      #pragma unroll
      for (TW_UINT m = 0; m < 2; ++m) {
        #pragma unroll
        for (TW_UINT j = 0; j < 8; ++j) {
          destination[m * 1024 + j * 2048] = v[m * 8 + j];
        }
      }
    }
  }
}
