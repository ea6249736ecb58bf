TW_INLINE void butterfly_2_inverse(TW_COMPLEX* v) {
  const TW_REAL i0 = v[0].y;
  const TW_REAL i1 = v[1].y;
  const TW_REAL t2 = i0 + i1;
  v[0].y = t2;
  const TW_REAL t3 = i0 - i1;
  v[1].y = t3;
  const TW_REAL r0 = v[0].x;
  const TW_REAL r1 = v[1].x;
  const TW_REAL t6 = r0 + r1;
  v[0].x = t6;
  const TW_REAL t7 = r0 - r1;
  v[1].x = t7;
}
