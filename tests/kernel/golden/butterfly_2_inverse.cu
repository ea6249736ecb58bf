TW_INLINE void butterfly_2_inverse(TW_COMPLEX* v) {
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL t0 = i0 + i1;
  const TW_REAL t1 = i0 - i1;
  const TW_REAL t2 = r0 + r1;
  v[0].x = t2;
  v[0].y = t0;
  const TW_REAL t3 = r0 - r1;
  v[1].x = t3;
  v[1].y = t1;
}
