// Powers, magnitudes, derivatives and interbinned outputs; the largest over the filters; and boundaries.
#include "kernel/bank_text.hpp"

#include <fmt/format.h>

namespace twiddle::kernel {

using Form = plan::Storage::Form;
using Function = PostProcessing::Function;

namespace {

constexpr std::uint32_t warp = 32;  // of NVIDIA's, whose work-items wait for each other without a barrier

// Two numbers side by side that are not parts of one.
std::string each(const std::string& function, const std::string& value) {
  return fmt::format("TW_MAKE({0}({1}.x), {0}({1}.y))", function, value);
}

}  // namespace

std::string_view boundary_body(Boundary boundary) {
  switch (boundary) {
    case Boundary::periodic:
      return "  const TW_OFFSET rest = position % length;\n  return rest < 0 ? rest + length : rest;\n";
    case Boundary::reflect:
      return "  TW_OFFSET rest = position % (2 * length);\n  if (rest < 0) rest += 2 * length;\n"
             "  return rest < length ? rest : 2 * length - 1 - rest;\n";
    case Boundary::nearest:
      return "  return position < 0 ? 0 : position < length ? position : length - 1;\n";
    case Boundary::zero:
      break;
  }
  return "  return position;\n";
}

bool needs_neighbours(const plan::Stage& stage) {
  if (!stage.bank) return false;
  const plan::Halo halo = plan::halo_of(stage);
  return halo.left + halo.right > 0;
}

bool takes_pairs(const plan::Stage& stage) { return stage.bank && stage.input_storage.form == Form::planar; }

// |value|^2 of a complex number, or of each of two real ones.
std::string BankText::square(const std::string& value) const {
  if (takes_pairs(stage_)) return fmt::format("TW_MAKE({0}.x * {0}.x, {0}.y * {0}.y)", value);
  if (stage_.input_storage.form == Form::real) return fmt::format("TW_MAKE({0}.x * {0}.x, 0)", value);
  return fmt::format("TW_MAKE(TW_FMA({0}.x, {0}.x, {0}.y * {0}.y), 0)", value);
}

void BankText::make(const std::string& value, const Place& neighbour) const {
  switch (stage_.bank->post.function) {
    case Function::none:
      return text_.line("const TW_COMPLEX made = {};", value);
    case Function::power:
      return text_.line("const TW_COMPLEX made = {};", square(value));
    case Function::magnitude: {
      const bool real = takes_pairs(stage_) || stage_.input_storage.form == Form::real;
      return text_.line("const TW_COMPLEX made = {};",
                        real ? each("TW_MAGNITUDE", value) : fmt::format("TW_MAKE(TW_HYPOT({0}.x, {0}.y), 0)", value));
    }
    case Function::derivative:
      text_.line("const TW_COMPLEX before = {};", neighbour("element - 1"));
      text_.line("const TW_COMPLEX behind = {};", neighbour("element + 1"));
      return text_.line("const TW_COMPLEX made = TW_MAKE((behind.x - before.x) / 2, (behind.y - before.y) / 2);");
    case Function::interbin_pi_4:
    case Function::interbin_2_pi:
      break;
  }
  const long double factor = plan::interbin_factor(stage_.bank->post.function);
  const std::string square_factor = literal(static_cast<double>(factor * factor), stage_.precision);
  text_.line("const TW_COMPLEX made = {};", square(value));
  text_.line("const TW_COMPLEX behind = {};", neighbour("element + 1"));
  text_.line("const TW_COMPLEX change = TW_MAKE({0}.x - behind.x, {0}.y - behind.y);", value);
  text_.line("const TW_COMPLEX power = {};", square("change"));
  text_.line("const TW_COMPLEX between = TW_MAKE(power.x * {0}, power.y * {0});", square_factor);
}

void BankText::keep_best(const char* value, const std::string& variables) const {
  text_.line("keep_best({}, filter, {});", value, variables);
}

std::string BankText::functions(Dialect dialect) const {
  if (!stage_.bank) return {};
  std::string text;
  const auto define = [&](const char* macro, const char* opencl, const char* single, const char* twice) {
    const bool wide = stage_.precision == Precision::float64;
    text += fmt::format("#define {} {}\n", macro, dialect == Dialect::opencl ? opencl : wide ? twice : single);
  };
  text +=
      fmt::format("#define TW_GROUPS {}\n", dialect == Dialect::cuda ? "gridDim.x" : "((TW_UINT)get_num_groups(0))");
  text += stream_prelude(dialect, stage_.precision);
  if (dialect == Dialect::cuda && stage_.shape.items_per_transform <= warp) {
    text += "#undef TW_BARRIER\n#define TW_BARRIER() __syncwarp()\n";
  }
  if (stage_.bank->post.function == Function::magnitude) {
    define("TW_HYPOT", "hypot", "hypotf", "hypot");
    define("TW_MAGNITUDE", "fabs", "fabsf", "fabs");
  }
  if (stage_.precision == Precision::float32) {
    define("TW_MAKE4(a, b, c, d)", "((float4)((a), (b), (c), (d)))", "make_float4((a), (b), (c), (d))", "");
  }
  if (stage_.load_bound && stage_.load_bound->outside != Boundary::zero) {
    text += fmt::format(
        "TW_INLINE TW_OFFSET boundary_source(const TW_OFFSET position) {{\n"
        "  const TW_OFFSET length = {};\n  if (position >= 0 && position < length) return position;\n{}}}\n\n",
        stage_.load_bound->count, boundary_body(stage_.load_bound->outside));
  }
  if (stage_.bank->kind == plan::FilterBank::Kind::cyclic) {
    text +=
        "TW_INLINE int is_finite(const TW_COMPLEX value) {\n  const TW_REAL sum = value.x + value.y;\n"
        "  return sum - sum == 0;\n}\n\n"
        "TW_INLINE TW_COMPLEX add_product(const TW_COMPLEX sum, const TW_COMPLEX a, const TW_COMPLEX b) {\n";
    text += stage_.input_storage.form == Form::interleaved
                ? "  return TW_MAKE(TW_FMA(a.x, b.x, TW_FMA(-a.y, b.y, sum.x)),\n"
                  "                 TW_FMA(a.x, b.y, TW_FMA(a.y, b.x, sum.y)));\n}\n\n"
                : "  return TW_MAKE(TW_FMA(a.x, b.x, sum.x), TW_FMA(a.y, b.x, sum.y));\n}\n\n";
  }
  if (stage_.bank->post.maximum) {
    const auto keep = [](char part) {
      return fmt::format(
          "  if (filter == 0 || value.{0} > best->{0}) {{\n    best->{0} = value.{0};\n    chosen->{0} = filter;\n  "
          "}}\n",
          part);
    };
    text += fmt::format(
        "TW_INLINE void keep_best(const TW_COMPLEX value, const TW_UINT filter, TW_COMPLEX* best, TW_COMPLEX* chosen) "
        "{{\n{}{}}}\n\n",
        keep('x'), takes_pairs(stage_) ? keep('y') : "");
  }
  return text;
}

}  // namespace twiddle::kernel
