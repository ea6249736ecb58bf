TW_INLINE void butterfly_2_forward(TW_COMPLEX* v) {
  const TW_REAL r0 = v[0].x;
  const TW_REAL i0 = v[0].y;
  const TW_REAL r1 = v[1].x;
  const TW_REAL i1 = v[1].y;
  const TW_REAL t0 = r0 + r1;
  const TW_REAL t1 = r0 - r1;
  const TW_REAL t2 = i0 + i1;
  v[0].x = t0;
  v[0].y = t2;
  const TW_REAL t3 = i0 - i1;
  v[1].x = t1;
  v[1].y = t3;
}
