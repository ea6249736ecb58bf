// Strides, offsets and kinds as FFTW counts them.
#include "fftw_problem.hpp"

#include <algorithm>

#include "plan/lower/view.hpp"
#include "twiddle/error.hpp"

namespace twiddle::bench {
namespace {

// The values of fftw_r2r_kind in fftw3.h.
int fftw_kind(Kind kind) {
  switch (kind) {
    case Kind::dct1:
      return 3;  // FFTW_REDFT00
    case Kind::dct2:
      return 5;  // FFTW_REDFT10
    case Kind::dct3:
      return 4;  // FFTW_REDFT01
    case Kind::dct4:
      return 6;  // FFTW_REDFT11
    case Kind::dst1:
      return 7;  // FFTW_RODFT00
    case Kind::dst2:
      return 9;  // FFTW_RODFT10
    case Kind::dst3:
      return 8;  // FFTW_RODFT01
    case Kind::dst4:
      return 10;  // FFTW_RODFT11
    case Kind::dht:
      return 2;  // FFTW_DHT
    case Kind::c2c:
    case Kind::r2c:
      break;
  }
  throw Unsupported("FFTW has no real-to-real transform of that kind");
}

bool is_interleaved(const plan::View& view) { return view.storage.form == plan::Storage::Form::interleaved; }

FftwElement first_element(const plan::View& view) {
  const std::ptrdiff_t real = view.offset * (is_interleaved(view) ? 2 : 1);
  return {real, real + (is_interleaved(view) ? 1 : view.storage.imaginary_offset)};
}

bool has_layouts(const Transform& transform) { return transform.input != Layout{} || transform.output != Layout{}; }

}  // namespace

FftwProblem fftw_problem(const Problem& problem) {
  const Transform& transform = problem.transform;
  const bool in_place = problem.placement == Placement::in_place;
  const plan::Sides sides = plan::sides_of(transform, problem.direction, problem.placement);
  const auto& [read, written] = sides;
  const auto is_pruned = [&](const std::vector<std::size_t>& extents) {
    return !extents.empty() && extents != transform.lengths;
  };
  if (is_pruned(transform.input_extents) || is_pruned(transform.output_extents)) {
    throw Unsupported("peers have all elements of their input and output: say neither nonzero nor wanted");
  }
  if (in_place && has_layouts(transform) && read != written) {
    throw Unsupported("peers have one layout for both sides in place");
  }
  FftwProblem result;
  result.input = first_element(read);
  result.output = first_element(written);
  const auto is_planar = [](const plan::View& view) { return view.storage.form == plan::Storage::Form::planar; };
  result.split = is_planar(read) || is_planar(written);
  const std::ptrdiff_t input_unit = result.split && is_interleaved(read) ? 2 : 1;
  const std::ptrdiff_t output_unit = result.split && is_interleaved(written) ? 2 : 1;
  const std::vector<std::size_t> axes = transformed_axes(transform);
  for (std::size_t d = 0; d < read.extents.size(); ++d) {
    const std::size_t length = d == 0 ? transform.batch : transform.lengths[d - 1];
    const FftwDimension dimension{static_cast<std::ptrdiff_t>(length), read.strides[d] * input_unit,
                                  written.strides[d] * output_unit};
    if (d > 0 && std::ranges::find(axes, d - 1) != axes.end()) {
      result.transformed.push_back(dimension);
    } else if (length > 1) {
      result.repeated.push_back(dimension);
    }
  }
  if (is_real_to_real(transform.kind)) {
    const Kind executed = problem.direction == Direction::forward ? transform.kind : inverse_kind(transform.kind);
    result.kinds.assign(axes.size(), fftw_kind(executed));
  }
  return result;
}

}  // namespace twiddle::bench
