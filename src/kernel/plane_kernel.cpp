// Transforms along both dimensions of planes in one launch: the first stage's results stay in local memory, where the
// second one finds them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "kernel/kernel_source.hpp"
#include "kernel/stage_parts.hpp"
#include "kernel/text.hpp"
#include "plan/convolution/bank_shape.hpp"
#include "plan/shape/planes.hpp"
#include "twiddle/error.hpp"

namespace twiddle::kernel {
namespace {

using plan::KernelShape;
using plan::Stage;

class PlaneKernel {
 public:
  PlaneKernel(const plan::Program& program, Dialect dialect)
      : planes_(program.planes.value()),
        stages_(plan::plane_stages(program)),
        dialect_(dialect),
        // A map's results go beside what they are made of, which several read.
        apart_(stages_.first.store_map.has_value()),
        first_(stage_parts(stages_.first, dialect, {.store = Caching::local, .writes_exchange = !apart_})),
        second_(stage_parts(stages_.second, dialect, {.load = Caching::local, .reads_exchange = true})) {}

  KernelSource write() {
    KernelSource source;
    source.entry = "stage";
    source.group_size = plan::group_items(stages_.first.shape);
    source.groups = planes_.count;
    source.transforms = planes_.count;
    source.wide_index = first_.wide_index || second_.wide_index;
    source.registers = stages_.first.shape.registers;
    source.local_memory = local_elements() * element_bytes();
    source.constants = first_.constants;
    source.constants.insert(source.constants.end(), second_.constants.begin(), second_.constants.end());
    write_preamble(source);
    write_kernel(source);
    source.text = text_.take();
    return source;
  }

 private:
  [[nodiscard]] std::size_t element_bytes() const { return 2 * plan::scalar_bytes(stages_.first.precision); }
  [[nodiscard]] std::uint32_t plane_elements() const {
    const bool rows_first = stages_.first.output_stride == 1;
    const Stage& along_columns = rows_first ? stages_.second : stages_.first;
    return static_cast<std::uint32_t>(along_columns.length) * planes_.pitch;
  }
  // Where the exchange of the first stage begins.
  [[nodiscard]] std::uint32_t exchange_begin() const { return apart_ ? plane_elements() : 0; }
  // Complex numbers that a stage's exchange takes.
  [[nodiscard]] static std::uint32_t exchanged(const Stage& stage, const StageParts& parts) {
    return stage.shape.exchange == KernelShape::Exchange::split ? (parts.slots + 1) / 2 : parts.slots;
  }
  [[nodiscard]] std::uint32_t local_elements() const {
    return std::max(
        {plane_elements(), exchange_begin() + exchanged(stages_.first, first_), exchanged(stages_.second, second_)});
  }

  void write_preamble(const KernelSource& source) {
    const Stage& first = stages_.first;
    const Stage& second = stages_.second;
    text_.line("// Planes along both dimensions in one launch: {} = {}, then {} = {}.", first.length,
               fmt::join(first.radices, " * "), second.length, fmt::join(second.radices, " * "));
    text_.raw(shared_prelude({first_, second_}, dialect_, first.precision, source.registers != 0, source.wide_index));
    text_.line("#define TW_IN_LOCAL{}", dialect_ == Dialect::opencl ? " __local" : "");
    text_.raw(shared_functions({first_, second_}, dialect_, first.precision));
  }

  void write_kernel(const KernelSource& source) {
    text_.line("TW_KERNEL({}, {}) stage(TW_GLOBAL const TW_COMPLEX* signal, TW_GLOBAL TW_COMPLEX* spectrum,",
               source.group_size, plan::groups_side_by_side(stages_.first.shape, plan::measured_resident_items));
    text_.open("    TW_GLOBAL const TW_COMPLEX* tables, const TW_INDEX planes) {{");
    text_.line("TW_LOCAL_ARRAY(TW_COMPLEX, plane, {});", local_elements());
    text_.line("if (TW_GROUP >= planes) return;");
    text_.line("TW_WIDE rest = TW_GROUP;");
    for (const plan::Loop& loop : stages_.outer) {
      write_advance("signal", loop.count, loop.input_stride);
      write_advance("spectrum", loop.count, loop.output_stride);
      text_.line("rest /= {};", loop.count);
    }
    text_.raw("#undef TW_GROUP\n#define TW_GROUP 0\n");
    text_.open("{{");
    text_.line("TW_GLOBAL const TW_COMPLEX* input = signal;");
    text_.line("TW_IN_LOCAL TW_COMPLEX* output = plane;");
    text_.line("TW_GLOBAL const TW_COMPLEX* constants = tables;");
    write_stage(stages_.first, first_, exchange_begin());
    text_.line("TW_BARRIER();");
    text_.open("{{");
    text_.line("TW_IN_LOCAL const TW_COMPLEX* input = plane;");
    text_.line("TW_GLOBAL TW_COMPLEX* output = spectrum;");
    text_.line("TW_GLOBAL const TW_COMPLEX* constants = tables + {};", first_.constants.size() / element_bytes());
    write_stage(stages_.second, second_, 0);
    text_.close();
  }

  void write_advance(const char* pointer, std::uint64_t count, std::int64_t stride) {
    text_.line("{} {}= (TW_WIDE)(rest % {}) * {};", pointer, stride < 0 ? '-' : '+', count, std::abs(stride));
  }

  // Ends the block that the stage's names are in.
  void write_stage(const Stage& stage, const StageParts& parts, std::uint32_t exchange) {
    const std::uint32_t padding = stage.shape.padding;
    const char* scalar = stage.shape.exchange == KernelShape::Exchange::split ? "TW_REAL" : "TW_COMPLEX";
    text_.line("TW_IN_LOCAL {0}* const exchange = (TW_IN_LOCAL {0}*)(plane + {1});", scalar, exchange);
    text_.line("const TW_INDEX count = {};", stage.loops[0].count);
    text_.raw(fmt::format("#undef TW_PAD\n#define TW_PAD(i) ({})\n",
                          padding == 0 ? "(i)" : fmt::format("(i) + (i) / {}", padding)));
    text_.raw(parts.before_meeting);
    if (!parts.behind_meeting.empty()) text_.line("TW_BARRIER();");
    text_.raw(parts.behind_meeting);
    text_.close();
  }

  const plan::Program::Planes planes_;
  const plan::PlaneStages stages_;
  Dialect dialect_;
  bool apart_;
  StageParts first_;
  StageParts second_;
  Text text_;
};

}  // namespace

KernelSource plane_kernel(const plan::Program& program, Dialect dialect) {
  return PlaneKernel(program, dialect).write();
}

}  // namespace twiddle::kernel
