TW_INLINE void butterfly_3_inverse(TW_COMPLEX* v) {
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL r2 = v[2].x;
  const TW_REAL i2 = v[2].y;
  const TW_REAL t0 = i1 + i2;
  const TW_REAL t1 = i1 - i2;
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL t2 = i0 + t0;
  const TW_REAL t3 = TW_FMA(-0.500000000000000000000f, t0, i0);
  const TW_REAL t4 = r1 + r2;
  const TW_REAL t5 = r1 - r2;
  const TW_REAL t6 = TW_FMA(0.866025388240814208984f, t5, t3);
  const TW_REAL t7 = TW_FMA(-0.866025388240814208984f, t5, t3);
  const TW_REAL t8 = r0 + t4;
  v[0].x = t8;
  v[0].y = t2;
  const TW_REAL t9 = TW_FMA(-0.500000000000000000000f, t4, r0);
  const TW_REAL t10 = TW_FMA(-0.866025388240814208984f, t1, t9);
  v[1].x = t10;
  v[1].y = t6;
  const TW_REAL t11 = TW_FMA(0.866025388240814208984f, t1, t9);
  v[2].x = t11;
  v[2].y = t7;
}
