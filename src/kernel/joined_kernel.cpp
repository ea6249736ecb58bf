// Two stages in one launch. Groups draw tickets, which are groups of the one stage or the other, in an order in which
// whatever a ticket waits for comes before it; a group announces what it has done before it waits. So there is always
// one that goes on, however many groups of the launch are resident.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "kernel/joined_text.hpp"
#include "kernel/kernel_source.hpp"
#include "kernel/stage_parts.hpp"
#include "kernel/text.hpp"
#include "plan/convolution/bank_shape.hpp"
#include "plan/shape/joined.hpp"
#include "plan/shape/joined_images.hpp"

namespace twiddle::kernel {
namespace {

using plan::KernelShape;
using plan::Stage;

// The work of tickets: {0} groups of the first stage and {1} of the second in each part of a line, {2} parts of a line,
// the second stage {3} parts behind. Of counters, {4} are for tickets.
constexpr std::string_view order = R"(
// Whether there is such a ticket; if so, whether it is of the second stage, and which group of all there are of it.
TW_INLINE bool find_work(const TW_UINT ticket, const TW_UINT lines, bool* second, TW_UINT* number) {{
  const TW_UINT parts = lines * {2};
  const TW_UINT ahead = {3} * {0};
  const TW_UINT mixed = (parts - {3}) * ({0} + {1});
  *second = ticket >= ahead + mixed;
  *number = ticket;
  if (*second) {{
    *number = (parts - {3}) * {1} + (ticket - ahead - mixed);
  }} else if (ticket >= ahead) {{
    const TW_UINT part = (ticket - ahead) / ({0} + {1});
    const TW_UINT rest = (ticket - ahead) % ({0} + {1});
    *second = rest >= {0};
    *number = *second ? part * {1} + rest - {0} : (part + {3}) * {0} + rest;
  }}
  return ticket < parts * ({0} + {1});
}}

// What a ticket waits for: a counter, and how far that must be. The second stage reads when the first has written all of
// a line.
TW_INLINE const TW_UINT* awaited(const TW_UINT ticket, const TW_UINT lines, const TW_UINT* counters, TW_UINT* count) {{
  bool second;
  TW_UINT number;
  *count = 0;
  if (!find_work(ticket, lines, &second, &number)) return counters;
  if (!second) return counters;
  *count = {0} * {2};
  return counters + {4} + number / ({1} * {2});
}}

)";

// From where the first line or image begins to where `line` does.
std::string line_place(const std::vector<plan::Loop>& outer, std::int64_t plan::Loop::*stride) {
  std::string place;
  std::string rest = "line";
  for (std::size_t i = 0; i < outer.size(); ++i) {
    const std::int64_t step = outer[i].*stride;
    const std::string index = i + 1 == outer.size() ? rest : fmt::format("({} % {})", rest, outer[i].count);
    if (step != 0) place += fmt::format(" {} (TW_WIDE){} * {}", step < 0 ? '-' : '+', index, std::abs(step));
    rest = fmt::format("({} / {})", rest, outer[i].count);
  }
  return place;
}

// Whether the work-items need not wait for the next ticket's work is known to all of a group when they have met.
class JoinedKernel {
 public:
  JoinedKernel(const plan::Program& program, Dialect dialect)
      : joined_(program.joined.value()),
        dialect_(dialect),
        stages_(of_images() ? plan::image_stages(program)
                            : plan::ImageStages{program.stages[joined_.first], program.stages[joined_.first + 1]}),
        first_parts_(stage_parts(stages_.first, dialect, {.load = Caching::once, .store = Caching::usual})),
        second_parts_(stage_parts(stages_.second, dialect, {.load = Caching::shared, .store = Caching::once})) {}

  KernelSource write() {
    KernelSource source;
    source.entry = "stage";
    source.group_size = plan::group_items(first().shape);
    source.groups = std::min<std::uint64_t>(joined_.groups, tickets());
    source.transforms = joined_.lines;
    source.wide_index = wide_index();
    source.registers = first().shape.registers;
    source.local_memory = (slots() + state_elements) * element_bytes();
    source.ring_bytes = joined_.counters;
    source.counter_bytes = joined_.counter_bytes;
    source.constants = first_parts_.constants;
    source.constants.insert(source.constants.end(), second_parts_.constants.begin(), second_parts_.constants.end());
    write_preamble();
    write_kernel(source);
    source.text = text_.take();
    return source;
  }

 private:
  static constexpr std::uint32_t state_elements = 2;  // of local memory, for three numbers of 32 bits

  [[nodiscard]] bool of_images() const { return joined_.ring == 0; }
  [[nodiscard]] const Stage& first() const { return stages_.first; }
  [[nodiscard]] const Stage& second() const { return stages_.second; }
  [[nodiscard]] std::size_t element_bytes() const { return 2 * plan::scalar_bytes(first().precision); }
  [[nodiscard]] std::uint32_t slots() const { return std::max(first_parts_.slots, second_parts_.slots); }
  [[nodiscard]] bool wide_index() const { return first_parts_.wide_index || second_parts_.wide_index; }
  // Groups of a stage in each line, and in each part of one.
  [[nodiscard]] static std::uint64_t groups_in_line(const Stage& stage) {
    const std::uint64_t together = stage.shape.transforms_per_group;
    return (stage.loops[0].count + together - 1) / together;
  }
  [[nodiscard]] std::uint64_t groups_in_part(const Stage& stage) const { return groups_in_line(stage) / joined_.parts; }
  [[nodiscard]] std::uint64_t tickets() const {
    return joined_.lines * (groups_in_line(first()) + groups_in_line(second()));
  }

  void write_preamble() {
    if (of_images()) {
      text_.line("// Images along both dimensions, both stages in one launch: {} = {}, then {} = {}.", first().length,
                 fmt::join(first().radices, " * "), second().length, fmt::join(second().radices, " * "));
    } else {
      text_.line("// Transforms of {} points as {} = {} by {} = {}, both stages in one launch.", joined_.line_elements,
                 first().length, fmt::join(first().radices, " * "), second().length,
                 fmt::join(second().radices, " * "));
    }
    const PartPair parts{first_parts_, second_parts_};
    text_.raw(shared_prelude(parts, dialect_, first().precision, first().shape.registers != 0, wide_index()));
    text_.raw(joined_prelude(dialect_, first().precision));
    text_.raw(shared_functions(parts, dialect_, first().precision));
    text_.raw(fmt::format(fmt::runtime(order), groups_in_part(first()), groups_in_part(second()), joined_.parts,
                          joined_.lag, plan::joined_ticket_counters));
    text_.raw(fmt::format("#undef TW_GROUP\n#define TW_GROUP {}\n\n", of_images() ? "group" : "number"));
  }

  void write_kernel(const KernelSource& source) {
    // Lines were measured with what every device has room for.
    const std::uint32_t resident = of_images() ? plan::measured_resident_items : plan::least_resident_items;
    text_.line("TW_KERNEL({}, {}) stage(TW_GLOBAL const TW_COMPLEX* signal, TW_GLOBAL TW_COMPLEX* spectrum,",
               source.group_size, plan::groups_side_by_side(first().shape, resident));
    text_.open("    TW_GLOBAL const TW_COMPLEX* tables, const TW_INDEX lines, TW_GLOBAL TW_COMPLEX* ring) {{");
    text_.line("TW_LOCAL_ARRAY(TW_COMPLEX, exchange, {});", slots() + state_elements);
    text_.line("TW_UINT* const drawn = (TW_UINT*)(exchange + {});", slots());
    text_.line("TW_UINT* const ready = drawn + 2;");
    text_.line("TW_UINT* const counters = (TW_UINT*)(ring + (TW_WIDE){});", joined_.counters / element_bytes());
    text_.line("TW_UINT turn = 0;");
    text_.open("if (TW_ITEM == 0) {{");
    text_.line("drawn[0] = draw_ticket(counters);");
    write_wait("drawn[0]");
    text_.close();
    text_.line("TW_BARRIER();");
    text_.line("TW_UINT ticket = drawn[0];");
    text_.line("bool second;");
    text_.line("TW_UINT number;");
    text_.open("while (find_work(ticket, (TW_UINT)lines, &second, &number)) {{");
    text_.line("TW_UINT next = 0;");
    text_.line("TW_UINT seen = 0;");
    text_.line("if (TW_ITEM == 0) next = draw_ticket(counters);");
    text_.open("if (!second) {{");
    declare_line(first());
    text_.line("TW_GLOBAL const TW_COMPLEX* input = signal{};", line_place(stages_.outer, &plan::Loop::input_stride));
    text_.line("TW_GLOBAL TW_COMPLEX* output = {};", between(stages_.outer, &plan::Loop::output_stride));
    text_.line("TW_GLOBAL const TW_COMPLEX* constants = tables;");
    if (!of_images()) {
      text_.line("// The place is written again when the second stage has read all of the line that was there.");
      text_.line("const bool waits = TW_ITEM == 0 && line >= {};", joined_.ring);
      text_.line("TW_UINT* const lines_read = counters + {} + lines + line - {};", plan::joined_ticket_counters,
                 joined_.ring);
      text_.line("TW_UINT read = waits ? look_up(lines_read) : 0;");
    }
    begin_stage(first(), first_parts_);
    if (!of_images()) {
      text_.line("while (waits && read < {}) read = look_up(lines_read);", groups_in_line(second()));
    }
    text_.line("TW_BARRIER();");
    text_.raw(first_parts_.behind_meeting);
    text_.close();
    text_.open("else {{");
    declare_line(second());
    text_.line("TW_GLOBAL const TW_COMPLEX* input = {};", between(stages_.second_outer, &plan::Loop::input_stride));
    text_.line("TW_GLOBAL TW_COMPLEX* output = spectrum{};",
               line_place(stages_.second_outer, &plan::Loop::output_stride));
    text_.line("TW_GLOBAL const TW_COMPLEX* constants = tables + {};", first_parts_.constants.size() / element_bytes());
    begin_stage(second(), second_parts_);
    text_.line("TW_BARRIER();");
    if (!of_images()) {
      text_.line("if (TW_ITEM == 0) announce(counters + {} + lines + line);", plan::joined_ticket_counters);
    }
    text_.raw(second_parts_.behind_meeting);
    text_.close();
    write_turn();
    text_.close();
    text_.close();
  }

  // `line`, and what its stage counts transforms by: of images within one, of lines among all.
  void declare_line(const Stage& stage) {
    text_.line("const TW_UINT line = number / {};", groups_in_line(stage));
    if (of_images()) text_.line("const TW_UINT group = number % {};", groups_in_line(stage));
    text_.line("const TW_INDEX count = {};",
               of_images() ? fmt::to_string(stage.loops[0].count) : std::string("~(TW_INDEX)0"));
  }

  // Where the first stage leaves what the second reads: an image in the output; a line in the ring, of which stages
  // count from the first one, so that it begins so much before the place of this one.
  [[nodiscard]] std::string between(const std::vector<plan::Loop>& outer, std::int64_t plan::Loop::*stride) const {
    if (of_images()) return "spectrum" + line_place(outer, stride);
    return fmt::format("ring - (TW_WIDE)(line / {0} * {0}) * {1}", joined_.ring, joined_.line_elements);
  }

  // Up to where its work-items meet first.
  void begin_stage(const Stage& stage, const StageParts& parts) {
    text_.raw("#undef TW_PAD\n");
    const std::uint32_t padding = stage.shape.padding;
    text_.raw(fmt::format("#define TW_PAD(i) ({})\n", padding == 0 ? "(i)" : fmt::format("(i) + (i) / {}", padding)));
    text_.raw(parts.before_meeting);
    text_.open("if (TW_ITEM == 0) {{");
    text_.line("drawn[turn ^ 1] = next;");
    text_.line("TW_UINT wanted;");
    text_.line("seen = look_up(awaited(next, (TW_UINT)lines, counters, &wanted));");
    text_.close();
  }

  void write_turn() {
    text_.open("if (TW_ITEM == 0) {{");
    text_.line("TW_UINT wanted;");
    text_.line("awaited(drawn[turn ^ 1], (TW_UINT)lines, counters, &wanted);");
    text_.line("*ready = seen >= wanted;");
    text_.close();
    text_.line("TW_BARRIER();");
    text_.line("if (TW_ITEM == 0 && !second) announce(counters + {} + number / {});", plan::joined_ticket_counters,
               groups_in_line(first()));
    text_.line("turn ^= 1;");
    text_.line("ticket = drawn[turn];");
    text_.open("if (*ready == 0) {{");
    text_.open("if (TW_ITEM == 0) {{");
    write_wait("ticket");
    text_.close();
    text_.line("TW_BARRIER();");
    text_.close();
  }

  void write_wait(const char* ticket) {
    text_.line("TW_UINT wanted;");
    text_.line("const TW_UINT* counter = awaited({}, (TW_UINT)lines, counters, &wanted);", ticket);
    text_.open("while (look_up(counter) < wanted) {{");
    text_.close();
  }

  const plan::Program::Joined joined_;
  Dialect dialect_;
  const plan::ImageStages stages_;
  StageParts first_parts_;
  StageParts second_parts_;
  Text text_;
};

}  // namespace

KernelSource joined_kernel(const plan::Program& program, Dialect dialect) {
  return JoinedKernel(program, dialect).write();
}

}  // namespace twiddle::kernel
