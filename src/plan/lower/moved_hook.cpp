// From a position beside the copies to that in the user's memory, by digits: as a callable and as text.
#include "plan/lower/moved_hook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace twiddle::plan {
namespace {

using Form = Storage::Form;

// Of what a copy has on either side: this one, and the user's.
constexpr std::size_t own_side = 0;
constexpr std::size_t user_side = 1;

// One loop of a copy: so far apart on this side and on the user's, and in the positions of either side's bound.
struct CopyDigit {
  std::uint64_t count = 1;
  std::array<std::int64_t, 2> strides{};
  std::array<std::int64_t, 2> positions{};
};

// What one copy moves.
struct CopyPiece {
  std::array<std::int64_t, 2> begins{};  // where its first element is
  std::array<std::int64_t, 2> positions{};
  std::array<std::optional<Bound>, 2> bounds{};
  std::vector<CopyDigit> digits{};    // by falling distance on this side
  std::int64_t step_of_position = 0;  // on the user's side, where the bound there has a period
  bool negated = false;
};

// Where an element is for the hook, and what its parts are multiplied by before the hook sees it, and after.
struct FoundPlace {
  std::int64_t index = 0;
  double real_sign = 1;
  double imaginary_sign = 1;
};

// In reals where the user's elements are.
struct CopySide {
  Storage storage;
  std::int64_t unit = 1;
  std::int64_t to_second_part = 0;
};

std::optional<CopySide> side_of(const Storage& storage, bool real) {
  const bool pairs = storage.form == Form::interleaved;
  if (storage.is_apart() || (storage.form == Form::real && !real)) return std::nullopt;
  return CopySide{storage, real && pairs ? 2 : 1, pairs ? 1 : storage.imaginary_offset};
}

// Whether its positions tell elements apart, and of reals where they are mirror images.
bool is_clear(const std::optional<Bound>& bound, bool pairs) {
  if (!bound) return true;
  if (bound->end_weight != 1 || bound->real_first || bound->imaginary_step != 0) return false;
  return bound->period == 0 || (!pairs && bound->both_halves == 0 && bound->element_stride != 0);
}

// Whether turns of the one loop go on where those of the other end, so that both are one.
bool continues(const CopyDigit& outer, const CopyDigit& inner) {
  const auto count = static_cast<std::int64_t>(inner.count);
  const auto follows = [&](const auto& a, const auto& b) {
    return a[own_side] == count * b[own_side] && a[user_side] == count * b[user_side];
  };
  return follows(outer.strides, inner.strides) && follows(outer.positions, inner.positions);
}

// Blocks that a bound cuts the last of are one loop, of as many turns as it leaves.
void join_blocks(CopyPiece& piece) {
  std::vector<CopyDigit> joined;
  for (const CopyDigit& digit : piece.digits) {
    if (joined.empty() || !continues(joined.back(), digit)) {
      joined.push_back(digit);
    } else {
      joined.back() = {joined.back().count * digit.count, digit.strides, digit.positions};
    }
  }
  piece.digits = std::move(joined);
  for (const std::size_t side : {own_side, user_side}) {
    const auto counts = [&](const CopyDigit& digit) { return digit.positions[side] != 0; };
    const auto digit = std::ranges::find_if(piece.digits, counts);
    const std::optional<Bound>& bound = piece.bounds[side];
    if (!bound || bound->period != 0 || digit == piece.digits.end() || digit->positions[side] != 1) continue;
    if (piece.positions[side] == 0 && std::ranges::count_if(piece.digits, counts) == 1) {
      digit->count = std::min(digit->count, bound->count);
    }
  }
}

// Sorted, and counted upwards on this side; false where elements may share positions.
bool sort_digits(CopyPiece& piece) {
  std::erase_if(piece.digits, [](const CopyDigit& digit) { return digit.count == 1; });
  for (CopyDigit& digit : piece.digits) {
    if (digit.strides[own_side] >= 0) continue;
    const auto last = static_cast<std::int64_t>(digit.count - 1);
    for (const std::size_t side : {own_side, user_side}) {
      piece.begins[side] += last * digit.strides[side];
      piece.positions[side] += last * digit.positions[side];
      digit.strides[side] *= -1;
      digit.positions[side] *= -1;
    }
  }
  std::ranges::sort(piece.digits,
                    [](const auto& a, const auto& b) { return a.strides[own_side] > b.strides[own_side]; });
  join_blocks(piece);
  std::int64_t reach = 0;
  for (auto digit = piece.digits.rbegin(); digit != piece.digits.rend(); ++digit) {
    if (digit->strides[own_side] <= reach) return false;
    reach += static_cast<std::int64_t>(digit->count - 1) * digit->strides[own_side];
  }
  return true;
}

std::optional<CopyPiece> piece_of(const Stage& copy, bool loads, bool real) {
  const std::optional<CopySide> own = side_of(loads ? copy.output_storage : copy.input_storage, real);
  const std::optional<CopySide> user = side_of(loads ? copy.input_storage : copy.output_storage, real);
  if (!own || !user) return std::nullopt;
  const std::array sides{*own, *user};
  const bool lone = sides[own_side].storage.form == Form::real;
  const bool pairs = real && !lone;
  if (lone != (sides[user_side].storage.form == Form::real)) return std::nullopt;
  CopyPiece piece{.bounds = {copy.store_bound, copy.load_bound}, .negated = copy.scale == -1.0L};
  if (!loads) std::swap(piece.bounds[own_side], piece.bounds[user_side]);
  const bool clear = is_clear(piece.bounds[own_side], pairs) && is_clear(piece.bounds[user_side], pairs);
  if (!clear || (piece.bounds[own_side] && piece.bounds[own_side]->period != 0)) return std::nullopt;
  const auto both_sides = [&](std::int64_t input, std::int64_t output) {
    if (loads) std::swap(input, output);
    return std::array{input * sides[own_side].unit, output * sides[user_side].unit};
  };
  const auto positions = [&](const auto& of) {
    std::array<std::int64_t, 2> result{};
    for (const std::size_t side : {own_side, user_side})
      result[side] = piece.bounds[side] ? of(*piece.bounds[side]) : 0;
    return result;
  };
  piece.begins = both_sides(copy.input_offset, copy.output_offset);
  piece.positions = positions([](const Bound& bound) { return bound.offset; });
  const CopyDigit elements{copy.length, both_sides(copy.input_stride, copy.output_stride),
                           positions([](const Bound& bound) { return bound.element_stride; })};
  if (elements.positions[user_side] != 0)
    piece.step_of_position = elements.strides[user_side] / elements.positions[user_side];
  piece.digits.push_back(elements);
  for (std::size_t i = 0; i < copy.loops.size(); ++i) {
    const Loop& loop = copy.loops[i];
    piece.digits.push_back({loop.count, both_sides(loop.input_stride, loop.output_stride),
                            positions([&](const Bound& bound) { return bound.loop_strides[i]; })});
  }
  if (pairs) piece.digits.push_back({2, {sides[own_side].to_second_part, sides[user_side].to_second_part}, {}});
  return sort_digits(piece) ? std::optional(piece) : std::nullopt;
}

std::optional<FoundPlace> find_place(const CopyPiece& piece, std::int64_t place) {
  FoundPlace found{piece.begins[user_side]};
  std::int64_t rest = place - piece.begins[own_side];
  std::array<std::int64_t, 2> positions = piece.positions;
  for (const CopyDigit& digit : piece.digits) {
    const std::int64_t turn = rest / digit.strides[own_side];
    if (rest < 0 || turn >= static_cast<std::int64_t>(digit.count)) return std::nullopt;
    rest -= turn * digit.strides[own_side];
    found.index += turn * digit.strides[user_side];
    positions[own_side] += turn * digit.positions[own_side];
    positions[user_side] += turn * digit.positions[user_side];
  }
  if (rest != 0) return std::nullopt;
  bool negated = piece.negated;
  const auto period = piece.bounds[user_side] ? static_cast<std::int64_t>(piece.bounds[user_side]->period) : 0;
  if (period != 0 && positions[user_side] > period / 2) {
    found.index += (period - 2 * positions[user_side]) * piece.step_of_position;
    positions[user_side] = period - positions[user_side];
    found.imaginary_sign = -1;
    negated = negated != piece.bounds[user_side]->odd;
  }
  for (const std::size_t side : {own_side, user_side}) {
    const auto position = static_cast<std::uint64_t>(positions[side]);
    const std::optional<Bound>& bound = piece.bounds[side];
    if (bound && (position < bound->first || position >= bound->count)) return std::nullopt;
  }
  if (negated) found = {found.index, -found.real_sign, -found.imaginary_sign};
  return found;
}

// Statements that look for `place` among the elements of a piece, in numbers that wrap around.
std::string lookup_text(const CopyPiece& piece) {
  std::string text = fmt::format(R"({{
  TW_INDEX rest = place - (TW_INDEX)({});
  TW_INDEX at = (TW_INDEX)({});
  TW_INDEX positions[2] = {{(TW_INDEX)({}), (TW_INDEX)({})}};
  bool inside = true;
  TW_REAL x = {};
  TW_REAL y = x;
)",
                                 piece.begins[own_side], piece.begins[user_side], piece.positions[own_side],
                                 piece.positions[user_side], piece.negated ? -1 : 1);
  for (const CopyDigit& digit : piece.digits) {
    text += fmt::format(R"(  {{
    const TW_INDEX turn = rest / {0};
    inside = inside && turn < {1};
    rest -= turn * {0};
    at += turn * (TW_INDEX)({2});
    positions[0] += turn * (TW_INDEX)({3});
    positions[1] += turn * (TW_INDEX)({4});
  }}
)",
                        digit.strides[own_side], digit.count, digit.strides[user_side], digit.positions[own_side],
                        digit.positions[user_side]);
  }
  text += "  inside = inside && rest == 0;\n";
  if (const std::optional<Bound>& bound = piece.bounds[user_side]; bound && bound->period != 0) {
    text += fmt::format(R"(  if (positions[1] > {0}) {{
    at += ({1} - 2 * positions[1]) * (TW_INDEX)({2});
    positions[1] = {1} - positions[1];
    {3} = -{3};
  }}
)",
                        bound->period / 2, bound->period, piece.step_of_position, bound->odd ? "x" : "y");
  }
  for (const std::size_t side : {own_side, user_side}) {
    const std::optional<Bound>& bound = piece.bounds[side];
    if (!bound) continue;
    text +=
        fmt::format("  inside = inside && positions[{}] - {} < {};\n", side, bound->first, bound->count - bound->first);
  }
  return text + R"(  if (inside) {
    found = true;
    moved = at;
    real_sign = x;
    imaginary_sign = y;
  }
}
)";
}

std::string hook_source(const Hook& hook, const std::vector<CopyPiece>& pieces) {
  std::string text = R"(const TW_INDEX place = index;
TW_INDEX moved = 0;
bool found = false;
TW_REAL real_sign = 1;
TW_REAL imaginary_sign = 1;
)";
  for (const CopyPiece& piece : pieces) text += lookup_text(piece);
  return text + fmt::format(R"(if (found) {{
  value = TW_MAKE(value.x * real_sign, value.y * imaginary_sign);
  {{
    const TW_INDEX index = moved;
{}
  }}
  value = TW_MAKE(value.x * real_sign, value.y * imaginary_sign);
}}
)",
                            hook.source);
}

std::complex<double> signed_as(const FoundPlace& found, std::complex<double> value) {
  return {value.real() * found.real_sign, value.imag() * found.imaginary_sign};
}

std::int64_t last_position(const CopyPiece& piece, std::size_t side) {
  std::int64_t last = piece.begins[side];
  for (const CopyDigit& digit : piece.digits) {
    last += static_cast<std::int64_t>(digit.count - 1) * std::max<std::int64_t>(digit.strides[side], 0);
  }
  return last;
}

// Whether a kernel that counts positions on this side counts the user's as well.
bool counts_far_enough(const CopyPiece& piece) {
  constexpr std::int64_t narrow = std::int64_t{1} << 31;
  return last_position(piece, user_side) < narrow || last_position(piece, own_side) >= 2 * narrow;
}

}  // namespace

bool only_move(const std::vector<Stage>& stages) {
  return std::ranges::all_of(stages, [](const Stage& stage) {
    return !computes(stage) && !stage.swaps && !stage.on_host && std::abs(stage.scale) == 1.0L;
  });
}

std::shared_ptr<const Hook> hook_beside_copies(const std::shared_ptr<const Hook>& hook,
                                               const std::vector<Stage>& copies, bool loads, bool real) {
  if (hook->gathers) return nullptr;
  std::vector<CopyPiece> pieces;
  for (const Stage& copy : copies) {
    const std::optional<CopyPiece> piece = piece_of(copy, loads, real);
    if (!piece || !counts_far_enough(*piece)) return nullptr;
    pieces.push_back(*piece);
  }
  auto result = std::make_shared<Hook>();
  result->parameters = hook->parameters;
  if (!hook->source.empty()) result->source = hook_source(*hook, pieces);
  if (hook->function) {
    result->function = [hook, pieces](std::complex<double> value, std::uint64_t place) {
      for (const CopyPiece& piece : pieces) {
        if (const auto found = find_place(piece, static_cast<std::int64_t>(place))) {
          const auto index = static_cast<std::uint64_t>(found->index);
          return signed_as(*found, hook->function(signed_as(*found, value), index));
        }
      }
      return value;
    };
  }
  return result;
}

}  // namespace twiddle::plan
