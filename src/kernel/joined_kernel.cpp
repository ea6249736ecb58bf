// Two stages in one launch. Groups draw tickets, which are groups of the one stage or the other, in an order in which
// whatever a ticket waits for comes before it; a group announces what it has done before it waits. So there is always
// one that goes on, however many groups of the launch are resident.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kernel/joined_text.hpp"
#include "kernel/kernel_source.hpp"
#include "kernel/stage_parts.hpp"
#include "kernel/text.hpp"
#include "plan/bank_shape.hpp"
#include "plan/joined.hpp"

namespace twiddle::kernel {
namespace {

using plan::KernelShape;
using plan::Stage;

// The work of tickets: {0} groups of columns and {1} of rows in each part of a line, {2} parts of a line, rows {3}
// parts behind. Of counters, {4} are for tickets.
constexpr std::string_view order = R"(
// Whether there is such a ticket; if so, whether it is of rows, and which group of all columns or rows.
TW_INLINE bool find_work(const TW_UINT ticket, const TW_UINT lines, bool* rows, TW_UINT* number) {{
  const TW_UINT parts = lines * {2};
  const TW_UINT ahead = {3} * {0};
  const TW_UINT mixed = (parts - {3}) * ({0} + {1});
  *rows = ticket >= ahead + mixed;
  *number = ticket;
  if (*rows) {{
    *number = (parts - {3}) * {1} + (ticket - ahead - mixed);
  }} else if (ticket >= ahead) {{
    const TW_UINT part = (ticket - ahead) / ({0} + {1});
    const TW_UINT rest = (ticket - ahead) % ({0} + {1});
    *rows = rest >= {0};
    *number = *rows ? part * {1} + rest - {0} : (part + {3}) * {0} + rest;
  }}
  return ticket < parts * ({0} + {1});
}}

// What a ticket waits for: a counter, and how far that must be. Rows are read when all columns of their line are written.
TW_INLINE const TW_UINT* awaited(const TW_UINT ticket, const TW_UINT lines, const TW_UINT* counters, TW_UINT* count) {{
  bool rows;
  TW_UINT number;
  *count = 0;
  if (!find_work(ticket, lines, &rows, &number)) return counters;
  if (!rows) return counters;
  *count = {0} * {2};
  return counters + {4} + number / ({1} * {2});
}}

)";

// Whether the work-items need not wait for the next ticket's work is known to all of a group when they have met.
class JoinedKernel {
 public:
  JoinedKernel(const plan::Program& program, Dialect dialect)
      : joined_(program.joined.value()),
        columns_(program.stages[joined_.first]),
        rows_(program.stages[joined_.first + 1]),
        dialect_(dialect),
        column_parts_(stage_parts(columns_, dialect, {.load = Caching::once, .store = Caching::usual})),
        row_parts_(stage_parts(rows_, dialect, {.load = Caching::shared, .store = Caching::once})) {}

  KernelSource write() {
    KernelSource source;
    source.entry = "stage";
    source.group_size = plan::group_items(columns_.shape);
    source.groups = std::min<std::uint64_t>(joined_.groups, tickets());
    source.transforms = joined_.lines;
    source.wide_index = wide_index();
    source.registers = columns_.shape.registers;
    source.local_memory = (slots() + state_elements) * element_bytes();
    source.ring_bytes = joined_.counters;
    source.counter_bytes = joined_.counter_bytes;
    source.constants = column_parts_.constants;
    source.constants.insert(source.constants.end(), row_parts_.constants.begin(), row_parts_.constants.end());
    write_preamble();
    write_kernel(source);
    source.text = text_.take();
    return source;
  }

 private:
  static constexpr std::uint32_t state_elements = 2;  // of local memory, for three numbers of 32 bits

  [[nodiscard]] std::size_t element_bytes() const { return 2 * plan::scalar_bytes(columns_.precision); }
  [[nodiscard]] std::uint32_t slots() const { return std::max(column_parts_.slots, row_parts_.slots); }
  [[nodiscard]] bool wide_index() const { return column_parts_.wide_index || row_parts_.wide_index; }
  // Groups of columns and of rows in each part of a line.
  [[nodiscard]] std::uint64_t column_groups() const { return groups_in_part(columns_); }
  [[nodiscard]] std::uint64_t row_groups() const { return groups_in_part(rows_); }
  [[nodiscard]] std::uint64_t groups_in_part(const Stage& stage) const {
    return stage.loops[0].count / stage.shape.transforms_per_group / joined_.parts;
  }
  [[nodiscard]] std::uint64_t tickets() const {
    return joined_.lines * joined_.parts * (column_groups() + row_groups());
  }

  void write_preamble() {
    text_.line("// Transforms of {} points as {} = {} by {} = {}, both stages in one launch.", joined_.line_elements,
               columns_.length, fmt::join(columns_.radices, " * "), rows_.length, fmt::join(rows_.radices, " * "));
    const PartPair parts{column_parts_, row_parts_};
    text_.raw(shared_prelude(parts, dialect_, columns_.precision, columns_.shape.registers != 0, wide_index()));
    text_.raw(joined_prelude(dialect_, columns_.precision));
    text_.raw(shared_functions(parts, dialect_, columns_.precision));
    text_.raw(fmt::format(fmt::runtime(order), column_groups(), row_groups(), joined_.parts, joined_.lag,
                          plan::joined_ticket_counters));
    text_.raw("#undef TW_GROUP\n#define TW_GROUP number\n\n");
  }

  void write_kernel(const KernelSource& source) {
    text_.line("TW_KERNEL({}, {}) stage(TW_GLOBAL const TW_COMPLEX* signal, TW_GLOBAL TW_COMPLEX* spectrum,",
               source.group_size, plan::groups_side_by_side(columns_.shape));
    text_.open("    TW_GLOBAL const TW_COMPLEX* tables, const TW_INDEX lines, TW_GLOBAL TW_COMPLEX* ring) {{");
    text_.line("TW_LOCAL_ARRAY(TW_COMPLEX, exchange, {});", slots() + state_elements);
    text_.line("TW_UINT* const drawn = (TW_UINT*)(exchange + {});", slots());
    text_.line("TW_UINT* const ready = drawn + 2;");
    text_.line("TW_UINT* const counters = (TW_UINT*)(ring + (TW_WIDE){});", joined_.ring * joined_.line_elements);
    text_.line("const TW_INDEX count = ~(TW_INDEX)0;");
    text_.line("TW_UINT turn = 0;");
    text_.open("if (TW_ITEM == 0) {{");
    text_.line("drawn[0] = draw_ticket(counters);");
    write_wait("drawn[0]");
    text_.close();
    text_.line("TW_BARRIER();");
    text_.line("TW_UINT ticket = drawn[0];");
    text_.line("bool rows;");
    text_.line("TW_UINT number;");
    text_.open("while (find_work(ticket, (TW_UINT)lines, &rows, &number)) {{");
    text_.line("TW_UINT next = 0;");
    text_.line("TW_UINT seen = 0;");
    text_.line("if (TW_ITEM == 0) next = draw_ticket(counters);");
    text_.open("if (!rows) {{");
    text_.line("const TW_UINT line = number / {};", column_groups() * joined_.parts);
    text_.line("TW_GLOBAL const TW_COMPLEX* input = signal;");
    text_.line("TW_GLOBAL TW_COMPLEX* output = {};", place_in_ring());
    text_.line("TW_GLOBAL const TW_COMPLEX* constants = tables;");
    text_.line("// The place is written again when all rows of the line that was there are read.");
    text_.line("const bool waits = TW_ITEM == 0 && line >= {};", joined_.ring);
    text_.line("TW_UINT* const rows_read = counters + {} + lines + line - {};", plan::joined_ticket_counters,
               joined_.ring);
    text_.line("TW_UINT read = waits ? look_up(rows_read) : 0;");
    begin_stage(columns_, column_parts_);
    text_.line("while (waits && read < {}) read = look_up(rows_read);", row_groups() * joined_.parts);
    text_.line("TW_BARRIER();");
    text_.raw(column_parts_.behind_meeting);
    text_.close();
    text_.open("else {{");
    text_.line("const TW_UINT line = number / {};", row_groups() * joined_.parts);
    text_.line("TW_GLOBAL const TW_COMPLEX* input = {};", place_in_ring());
    text_.line("TW_GLOBAL TW_COMPLEX* output = spectrum;");
    text_.line("TW_GLOBAL const TW_COMPLEX* constants = tables + {};",
               column_parts_.constants.size() / element_bytes());
    begin_stage(rows_, row_parts_);
    text_.line("TW_BARRIER();");
    text_.line("if (TW_ITEM == 0) announce(counters + {} + lines + line);", plan::joined_ticket_counters);
    text_.raw(row_parts_.behind_meeting);
    text_.close();
    write_turn();
    text_.close();
    text_.close();
  }

  // Stages count lines from the first one: so much before the place of this one.
  [[nodiscard]] std::string place_in_ring() const {
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
    text_.line("if (TW_ITEM == 0 && !rows) announce(counters + {} + number / {});", plan::joined_ticket_counters,
               column_groups() * joined_.parts);
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
  const Stage& columns_;
  const Stage& rows_;
  Dialect dialect_;
  StageParts column_parts_;
  StageParts row_parts_;
  Text text_;
};

}  // namespace

KernelSource joined_kernel(const plan::Program& program, Dialect dialect) {
  return JoinedKernel(program, dialect).write();
}

}  // namespace twiddle::kernel
