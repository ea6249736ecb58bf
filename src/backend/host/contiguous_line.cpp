// Which stages are lines of adjacent numbers: complex ones, and the three ways in which planning says reals.
#include "backend/host/contiguous_line.hpp"

#include "backend/host/real_line.hpp"
#include "backend/host/scalar_stage.hpp"
#include "plan/lower/line_map.hpp"

namespace twiddle::backend::host {
namespace {

using Rule = plan::LineMap::Rule;
using Form = plan::Storage::Form;

bool is_whole(const std::optional<plan::LineMap>& map, Rule rule) {
  return map && map->rule == rule && plan::is_whole(*map);
}

bool is_real(const plan::Storage& storage, Precision precision) {
  return storage.form == Form::real && storage.precision == precision;
}

ContiguousLine spectrum_of(std::size_t reals) { return {ShortRowsKind::reals, reals, reals, 2 * (reals / 2 + 1)}; }
ContiguousLine reals_of(std::size_t reals) { return {ShortRowsKind::reals_back, reals, 2 * (reals / 2 + 1), reals}; }

std::optional<SpreadSide> spread_side(const plan::Storage& storage, std::int64_t step, bool reals,
                                      Precision precision) {
  if (storage.precision != precision || storage.is_apart()) return std::nullopt;
  const bool real_form = storage.form == Form::real;
  if (!reals) return real_form ? std::nullopt : std::optional(SpreadSide{step, storage.imaginary_offset});
  if (real_form) return SpreadSide{step, 0};
  // Two of them are a complex number.
  return step == 2 * storage.imaginary_offset ? std::optional(SpreadSide{storage.imaginary_offset, 0}) : std::nullopt;
}

}  // namespace

std::optional<ContiguousLine> contiguous_line(const plan::Stage& stage) {
  const auto unit = [](const plan::Storage& storage) { return storage.form == Form::real ? 1 : 2; };
  const bool adjacent =
      stage.input_stride == unit(stage.input_storage) && stage.output_stride == unit(stage.output_storage);
  if (!adjacent || stage.twiddle || stage.convolution) return std::nullopt;
  plan::Stage bare = stage;
  bare.load_map.reset();
  bare.store_map.reset();
  const bool forward = stage.direction == Direction::forward;
  if (is_plain_load(bare) && is_plain_store(bare)) {
    if (stage.radices.empty()) return std::nullopt;
    if (!stage.load_map && !stage.store_map) {
      return ContiguousLine{ShortRowsKind::complex, stage.length, 2 * stage.length, 2 * stage.length};
    }
    if (!stage.load_map && is_whole(stage.store_map, Rule::r2c_store) && forward) return spectrum_of(2 * stage.length);
    if (!stage.store_map && is_whole(stage.load_map, Rule::c2r_load) && !forward) return reals_of(2 * stage.length);
    return std::nullopt;
  }
  const RealSide side = real_side(stage);
  if (side == RealSide::input && forward && is_real(stage.input_storage, stage.precision) && only_loads(stage)) {
    const plan::Stage stores = storing_stage(stage);
    if (is_plain_store(stores) && stores.length == stage.length / 2 + 1) return spectrum_of(stage.length);
  }
  if (side == RealSide::output && !forward && is_real(stage.output_storage, stage.precision) && only_stores(bare)) {
    if (is_plain_load(bare) && is_whole(stage.load_map, Rule::hermitian_load)) return reals_of(stage.length);
  }
  return std::nullopt;
}

plan::Stage adjacent_lines(const plan::Stage& stage, std::uint64_t lines, std::int64_t read_apart,
                           std::int64_t written_apart) {
  const auto is_real = [](const plan::Storage& storage) { return storage.form == Form::real; };
  const auto in_elements = [&](const plan::Storage& storage, std::int64_t scalars) {
    return is_real(storage) ? scalars : scalars / 2;
  };
  plan::Stage result = stage;
  result.input_storage = plan::interleaved_or_real(!is_real(stage.input_storage), stage.precision);
  result.output_storage = plan::interleaved_or_real(!is_real(stage.output_storage), stage.precision);
  result.input_stride = result.output_stride = 1;
  result.input_offset = result.output_offset = 0;
  result.loops.clear();
  if (lines > 1) {
    result.loops.push_back(
        {lines, in_elements(stage.input_storage, read_apart), in_elements(stage.output_storage, written_apart)});
  }
  return result;
}

std::optional<ContiguousLine> line_if_adjacent(const plan::Stage& stage) {
  if (stage.twiddle || stage.convolution) return std::nullopt;  // sooner than behind copies of the stage
  return contiguous_line(in_scalars(adjacent_lines(stage, 1, 0, 0)));
}

std::optional<SpreadSides> spread_sides(const plan::Stage& stage, ShortRowsKind kind) {
  const auto from = spread_side(stage.input_storage, stage.input_stride, kind == ShortRowsKind::reals, stage.precision);
  const auto to =
      spread_side(stage.output_storage, stage.output_stride, kind == ShortRowsKind::reals_back, stage.precision);
  return from && to ? std::optional(SpreadSides{*from, *to}) : std::nullopt;
}

bool are_rows(const plan::Stage& stage, const ContiguousLine& line) {
  if (stage.loops.empty()) return true;
  const plan::Loop& loop = stage.loops.front();
  return stage.loops.size() == 1 && loop.input_stride >= static_cast<std::int64_t>(line.read) &&
         loop.output_stride >= static_cast<std::int64_t>(line.written);
}

}  // namespace twiddle::backend::host
