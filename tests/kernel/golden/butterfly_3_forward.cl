TW_INLINE void butterfly_3_forward(TW_COMPLEX* v) {
  const TW_REAL r1 = v[1].x;
  const TW_REAL r2 = v[2].x;
  const TW_REAL t2 = r1 + r2;
  const TW_REAL t3 = r1 - r2;
  const TW_REAL r0 = v[0].x;
  const TW_REAL t5 = TW_FMA(-0.500000000000000000000f, t2, r0);
  const TW_REAL t6 = r0 + t2;
  v[0].x = t6;
  const TW_REAL i1 = v[1].y;
  const TW_REAL i2 = v[2].y;
  const TW_REAL t9 = i1 + i2;
  const TW_REAL t10 = i1 - i2;
  const TW_REAL t11 = TW_FMA(0.866025403784438646733f, t10, t5);
  v[1].x = t11;
  const TW_REAL t12 = TW_FMA(-0.866025403784438646733f, t10, t5);
  v[2].x = t12;
  const TW_REAL i0 = v[0].y;
  const TW_REAL t14 = TW_FMA(-0.500000000000000000000f, t9, i0);
  const TW_REAL t15 = i0 + t9;
  v[0].y = t15;
  const TW_REAL t16 = TW_FMA(-0.866025403784438646733f, t3, t14);
  v[1].y = t16;
  const TW_REAL t17 = TW_FMA(0.866025403784438646733f, t3, t14);
  v[2].y = t17;
}
