// From strides in elements to strides in scalars.
#include "backend/host/scalar_stage.hpp"

namespace twiddle::backend::host {

plan::Stage in_scalars(plan::Stage stage) {
  const auto convert = [&](plan::Storage& storage, std::int64_t& stride, std::int64_t& offset, auto loop_stride) {
    if (storage.form != plan::Storage::Form::interleaved) return;
    storage.form = plan::Storage::Form::planar;
    storage.imaginary_offset = 1;
    stride *= 2;
    offset *= 2;
    for (plan::Loop& loop : stage.loops) loop.*loop_stride *= 2;
  };
  if (stage.load_hook && stage.input_storage.form == plan::Storage::Form::interleaved) stage.load_hook->unit = 2;
  if (stage.store_hook && stage.output_storage.form == plan::Storage::Form::interleaved) stage.store_hook->unit = 2;
  const bool joins = stage.load_map && stage.load_map->rule == plan::LineMap::Rule::two_spectra_load;
  const plan::Storage& spectra = joins ? stage.input_storage : stage.output_storage;
  if (spectra.form == plan::Storage::Form::interleaved) stage.second_spectrum *= 2;
  convert(stage.input_storage, stage.input_stride, stage.input_offset, &plan::Loop::input_stride);
  convert(stage.output_storage, stage.output_stride, stage.output_offset, &plan::Loop::output_stride);
  return stage;
}

plan::Stage line_by_itself(const plan::Stage& stage, Direction direction, long double scale) {
  plan::Stage line;
  line.precision = stage.precision;
  line.length = stage.length;
  line.radices = stage.radices;
  line.direction = direction;
  line.scale = scale;
  line.step = stage.step;
  line.input_storage.precision = line.output_storage.precision = stage.precision;
  return line;
}

bool is_interleaved(const plan::Storage& storage, Precision precision) {
  return storage.form == plan::Storage::Form::planar && storage.imaginary_offset == 1 && storage.precision == precision;
}

bool only_loads(const plan::Stage& stage) {
  return !stage.load_factor && !stage.load_bound && !stage.load_map && !stage.load_hook &&
         !(stage.twiddle && stage.twiddle->on_load);
}

bool only_stores(const plan::Stage& stage) {
  return !stage.store_factor && !stage.store_bound && !stage.store_map && !stage.store_hook;
}

bool is_plain_load(const plan::Stage& stage) {
  return is_interleaved(stage.input_storage, stage.precision) && only_loads(stage);
}

bool is_plain_store(const plan::Stage& stage) {
  return is_interleaved(stage.output_storage, stage.precision) && only_stores(stage);
}

}  // namespace twiddle::backend::host
