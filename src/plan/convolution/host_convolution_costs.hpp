// What the host takes for convolutions, as measured: the coefficients of the chooser's model.
#pragma once

namespace twiddle::plan {

// Nanoseconds on one thread in single precision. Those "by doublings" are for a point and each doubling of the length.
struct HostConvolutionCosts {
  double segment = 0;  // of the transform of a segment, for a point
  double segment_by_doublings = 0;
  double product = 0;  // the same for each filter: the product, the transform back, storing
  double product_by_doublings = 0;
  double wide_segment = 1;  // times twice that in double precision
  double segment_call = 0;  // for each segment, and each filter of it
  double partition = 0;     // of the product with each partition after the first, for a point
  double whole = 0;         // of the signal's transform, a line
  double whole_by_doublings = 0;
  double whole_product = 0;
  double whole_product_by_doublings = 0;
  double whole_call = 0;
  double whole_alone = 0;          // the part of it that threads do not share: products, copies
  double woken_thread = 0;         // of each further thread that shares work
  double image = 1;                // times that of more dimensions than one,
  double image_call = 0;           // and beside it
  double line_beyond_level1 = 0;   // of a line: times as much more for each doubling beyond the first-level cache,
  double line_beyond_level2 = 0;   // and beyond half of the second-level cache;
  double most_beyond_caches = 1;   // at most so many times
  double image_beyond_level2 = 1;  // times that of images there
  double sum_call = 0;             // of direct sums,
  double sum = 0;                  // for a term
  double output = 0;               // for its result
  double line = 0;                 // for each line that it is summed from, and each line of results
  double edge = 0;                 // for each line whose samples beyond both ends are copied,
  double edge_by_tap = 0;          // and each of its taps
  double column_by_tap = 0;        // of columns and rows: the same for each line of results
};

// AMD EPYC and Intel Xeon with AVX-512, 2026-11-22, from `twiddle_bench_methods`; of the whole the EPYC, 2026-11-24.
inline constexpr HostConvolutionCosts host_convolution_costs{.segment = 0.2,
                                                             .segment_by_doublings = 0.03,
                                                             .product = 0.02,
                                                             .product_by_doublings = 0.03,
                                                             .wide_segment = 1.08,
                                                             .segment_call = 120,
                                                             .partition = 0.3,
                                                             .whole = 0.164,
                                                             .whole_by_doublings = 0.0246,
                                                             .whole_product = 0.328,
                                                             .whole_product_by_doublings = 0.0246,
                                                             .whole_call = 150,
                                                             .whole_alone = 0.15,
                                                             .woken_thread = 2000,
                                                             .image = 1.22,
                                                             .image_call = 3000,
                                                             .line_beyond_level1 = 0.08,
                                                             .line_beyond_level2 = 0.35,
                                                             .most_beyond_caches = 3.5,
                                                             .image_beyond_level2 = 2.3,
                                                             .sum_call = 200,
                                                             .sum = 0.019,
                                                             .output = 0.06,
                                                             .line = 12,
                                                             .edge = 20,
                                                             .edge_by_tap = 2.6,
                                                             .column_by_tap = 9};

}  // namespace twiddle::plan
