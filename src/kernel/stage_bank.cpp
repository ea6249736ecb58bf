// Banks of filters in one kernel. Overlap-save in this form: K. Adámek, S. Dimoudi, M. Giles, W. Armour, GPU fast
// convolution via the overlap-and-save method in shared memory, 2020.
#include "kernel/stage_bank.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernel/bank_text.hpp"

namespace twiddle::kernel {

using plan::FilterBank;
using Sharing = plan::KernelShape::Sharing;

namespace {

constexpr std::uint32_t many_groups_items = 32;  // of groups so small that a unit has many of them
}

bool StageBank::reads_spectra() const { return stage_.bank && stage_.bank->kind == FilterBank::Kind::cyclic; }

bool StageBank::starts_early() const {
  return dependent_launch_ && reads_spectra() && !stage_.load_hook &&
         (takes_pairs(stage_) || memory_.input().is_plain());
}

std::uint64_t StageBank::groups() const {
  const std::uint64_t segments = plan::transform_count(stage_);
  if (!reads_spectra() || stage_.shape.groups == 0) return segments;
  return std::min<std::uint64_t>(takes_segments() ? segments : segments * stage_.bank->filters, stage_.shape.groups);
}

// Complex elements of a spectrum that a work-item has.
std::uint32_t StageBank::held() const {
  const Pass& last = layout_.passes[layout_.turn - 1];
  return last.rounds * last.radix;
}

// In memory, two neighbouring elements of a work-item lie side by side, so that 16 bytes are moved at once; beside them
// those of the next work-item.
bool StageBank::in_pairs() const { return stage_.precision == Precision::float32 && held() % 2 == 0; }

// Pairs of the next filter's spectrum that are read ahead.
std::uint32_t StageBank::fetched_ahead() const {
  return in_pairs() ? std::min(stage_.shape.fetched_ahead, held() / 2) : 0;
}

void StageBank::write_body(const Passes& passes) {
  text_.line("const TW_UINT item = TW_ITEM;");
  text_.line("TW_COMPLEX v[{}];", layout_.held);
  exchange_.declare_lanes(layout_.passes.front().lanes);
  if (reads_spectra()) {
    apply(passes);
  } else {
    make_spectra(passes);
  }
}

void StageBank::make_spectra(const Passes& passes) {
  if (dependent_launch_) text_.line("TW_DEPENDENT_START();");
  text_.line("const TW_INDEX segment = TW_GROUP;");
  text_.line("");
  text_.line("// load");
  memory_.load_segment(layout_.passes.front(), false);
  memory_.store_taps(layout_.passes.front());
  passes(0, layout_.turn);
  text_.line("");
  text_.line("// store");
  const std::uint32_t items = stage_.shape.items_per_transform;
  const std::string start = fmt::format("output + (TW_WIDE)segment * {}", stage_.length);
  if (in_pairs()) {
    text_.line("TW_GLOBAL float4* spectrum = (TW_GLOBAL float4*)({}) + lane;", start);
    text_.loop("i", 0, held() / 2);
    text_.line("const TW_COMPLEX a = {};", memory_.scaled("v[2 * i]"));
    text_.line("const TW_COMPLEX b = {};", memory_.scaled("v[2 * i + 1]"));
    text_.line("spectrum[i * {}] = TW_MAKE4(a.x, a.y, b.x, b.y);", items);
  } else {
    text_.line("TW_GLOBAL TW_COMPLEX* spectrum = {} + lane;", start);
    text_.loop("i", 0, held());
    text_.line("spectrum[i * {}] = {};", items, memory_.scaled("v[i]"));
  }
  text_.close();
}

// Declares the pairs of this group, or its segments, from `pair` to before `end`, in the order of the segments; where
// it takes segments in turns, also the next one, `turn`, and the first one that is shared, `rest`. These are shared out
// evenly with their own transforms where groups are few, so that one with more to do would be waited for.
void StageBank::share_out() {
  const std::uint64_t filters = takes_segments() ? 1 : stage_.bank->filters;
  const bool even = takes_turns() && !has_many_groups();
  const std::uint64_t each = even ? filters + 1 : filters;
  if (takes_turns()) {
    text_.line("TW_INDEX turn = TW_GROUP;");
    text_.line("const TW_INDEX rest = count / TW_GROUPS * TW_GROUPS;");
  }
  text_.line("const TW_INDEX pairs = {}{};", takes_turns() ? "(count - rest)" : "count",
             each == 1 ? "" : fmt::format(" * {}", each));
  text_.line("const TW_INDEX share = pairs / TW_GROUPS;");
  text_.line("const TW_INDEX longer = pairs % TW_GROUPS;");
  text_.line("TW_INDEX pair = TW_GROUP * share + (TW_GROUP < longer ? TW_GROUP : longer);");
  text_.line("{}TW_INDEX end = pair + share + (TW_GROUP < longer ? 1 : 0);", takes_turns() ? "" : "const ");
  if (!takes_turns()) return;
  for (const char* place : {"pair", "end"}) {
    if (even) {
      text_.line("{0} = rest * {2} + {0} / {1} * {2} + ({0} % {1} == 0 ? 0 : {0} % {1} - 1);", place, each, filters);
    } else {
      text_.line("{} += rest * {};", place, filters);
    }
  }
}

bool StageBank::keeps_roots(const Pass& pass) const {
  return stage_.shape.keeps_roots && reads_spectra() && pass.has_twiddles() && pass.rounds == 1;
}

// Those of the passes there, which the passes back share.
void StageBank::declare_roots() {
  for (std::size_t i = 0; i < layout_.turn; ++i) {
    const Pass& pass = layout_.passes[i];
    if (!keeps_roots(pass)) continue;
    const std::uint32_t step = stage_.shape.root_step;
    text_.line("TW_COMPLEX kept{}[{}];", pass.constants, pass.radix);
    text_.loop("j", 1, pass.radix);
    text_.line("{}kept{}[j] = constants[{} + lane / {} + (j - 1) * {}];",
               step == 0 ? "" : fmt::format("if (j < {0} || j % {0} == 0) ", step), pass.constants, pass.constants,
               pass.before, pass.groups);
    text_.close();
  }
}

bool StageBank::finds_largest() const { return stage_.bank->post.maximum; }
bool StageBank::takes_segments() const { return finds_largest() || stage_.shape.sharing == Sharing::segments; }
bool StageBank::takes_turns() const { return !finds_largest() && stage_.shape.sharing == Sharing::turns; }

// Whether a unit has many groups, so that none of them is waited for.
bool StageBank::has_many_groups() const { return stage_.shape.items_per_transform <= many_groups_items; }
bool StageBank::looks_once() const { return takes_turns() && has_many_groups(); }

// Declares the next segment, and the filters that it meets.
void StageBank::take_segment() {
  const std::uint64_t filters = stage_.bank->filters;
  if (takes_segments()) {
    text_.line("const TW_INDEX segment = pair++;");
    text_.line("TW_UINT filter = 0;");
    // PoCL 3.1 gives wrong maxima where it knows that there are two turns.
    const bool hidden = finds_largest() && filters == 2;
    text_.line("const TW_UINT filters = {}{};", hidden ? "count == 0 ? 0 : " : "", filters);
  } else if (takes_turns()) {
    text_.line("const int full = turn < rest;");
    text_.line("const TW_INDEX segment = full ? turn : pair / {};", filters);
    text_.line("TW_UINT filter = full ? 0 : (TW_UINT)(pair % {});", filters);
    text_.line("const TW_UINT filters = !full && end - pair < {0} - filter ? filter + (TW_UINT)(end - pair) : {0};",
               filters);
    text_.line("turn += full ? TW_GROUPS : 0;");
    text_.line("pair += full ? 0 : filters - filter;");
  } else {
    text_.line("const TW_INDEX segment = pair / {};", filters);
    text_.line("TW_UINT filter = (TW_UINT)(pair % {});", filters);
    text_.line("const TW_UINT filters = end - pair < {0} - filter ? filter + (TW_UINT)(end - pair) : {0};", filters);
    text_.line("pair += filters - filter;");
  }
}

void StageBank::apply(const Passes& passes) {
  const Pass& last = layout_.passes.back();
  const auto place = [&](const std::string& element) { return exchange_.place(element); };
  text_.line("TW_COMPLEX spectrum[{}];", held());
  share_out();
  declare_roots();
  exchange_.repeats();
  text_.open("while ({}pair < end) {{", takes_turns() ? "turn < rest || " : "");
  if (finds_largest()) {
    const std::uint32_t kept = layout_.held * (plan::interbins(stage_.bank->post.function) ? 2 : 1);
    text_.line("TW_COMPLEX best[{0}], chosen[{0}];", kept);
  }
  take_segment();
  text_.line("");
  text_.line("// load");
  memory_.load_segment(layout_.passes.front(), starts_early());
  passes(0, layout_.turn);
  text_.line("");
  text_.loop("i", 0, held());
  text_.line("spectrum[i] = v[i];");
  text_.close();
  memory_.locate_outputs();
  if (starts_early()) text_.line("TW_DEPENDENCY_WAIT();");
  const std::string last_value = fmt::format("v[{}]", last.rounds * last.radix - 1);
  if (looks_once()) {
    text_.line("const TW_UINT first = filter;");
    text_.line("TW_REAL nothing = 0;");
  }
  if (fetched_ahead() > 0) {
    text_.line("float4 ahead[{}];", fetched_ahead());
    fetch("filter");
  }
  text_.line("#pragma unroll 1");
  text_.open("for (; filter < filters; ++filter) {{");
  multiply_by_filter();
  go_back(passes);
  if (needs_neighbours(stage_)) exchange_.send_outputs(last, "");
  text_.line("");
  text_.line("// store");
  // A value that is not finite, there or in the spectrum, makes every result so: each work-item looks at its last one.
  // It stores its results again then, since two branches that both store take more registers. Small groups
  // that take turns do so behind the last filter, for all of them: 0.99 of the time there, 1.00 to 1.03 elsewhere.
  const auto open_sums = [&] { text_.open("if (!is_finite({})) {{", last_value); };
  if (finds_largest()) {
    memory_.keep_best(last, place);
    text_.close();
    memory_.store_best(last);
    open_sums();
    memory_.store_best_sums(last, starts_early());
  } else if (looks_once()) {
    memory_.store_filtered(last, place);
    text_.line("nothing = TW_FMA({0}.x, 0, TW_FMA({0}.y, 0, nothing));", last_value);
    text_.close();
    text_.open("if (nothing != 0) {{");
    text_.line("#pragma unroll 1");
    text_.open("for (filter = first; filter < filters; ++filter) {{");
    memory_.store_sums(last, starts_early());
    text_.close();
  } else {
    memory_.store_filtered(last, place);
    open_sums();
    memory_.store_sums(last, starts_early());
    text_.close();
  }
  text_.close();
  text_.close();
}

// Declares `factors`, from where a work-item finds its part of a filter's spectrum.
void StageBank::locate_spectrum(const std::string& filter) {
  const std::string start = fmt::format("spectra + (TW_WIDE){} * {}", filter, stage_.length);
  if (in_pairs()) return text_.line("TW_GLOBAL const float4* factors = (TW_GLOBAL const float4*)({}) + lane;", start);
  text_.line("TW_GLOBAL const TW_COMPLEX* factors = {} + lane;", start);
}

void StageBank::fetch(const std::string& filter) {
  text_.open("{{");
  locate_spectrum(filter);
  text_.loop("i", 0, fetched_ahead());
  text_.line("ahead[i] = factors[i * {}];", stage_.shape.items_per_transform);
  text_.close();
  text_.close();
}

// Behind its last filter a small group reads that one's spectrum again, and a large one nothing: 0.99 and 0.97 of the
// time, and 1.02 and 0.99 the other way round.
void StageBank::go_back(const Passes& passes) {
  const std::size_t end = layout_.passes.size();
  if (fetched_ahead() == 0) return passes(layout_.turn, end);
  passes(layout_.turn, end - 1);
  exchange_.pass_on(layout_.passes[end - 2], layout_.passes[end - 1]);
  if (has_many_groups()) {
    fetch("(filter + 1 < filters ? filter + 1 : filter)");
  } else {
    text_.open("if (filter + 1 < filters) {{");
    fetch("(filter + 1)");
    text_.close();
  }
  passes(end - 1, end);
}

void StageBank::multiply_by_filter() {
  const std::uint32_t items = stage_.shape.items_per_transform;
  text_.line("// times the filter's spectrum");
  text_.open("{{");
  locate_spectrum("filter");
  if (in_pairs()) {
    const std::uint32_t ahead = fetched_ahead();
    text_.loop("i", 0, held() / 2);
    text_.line("const float4 factor = {}factors[i * {}];", ahead == 0 ? "" : fmt::format("i < {} ? ahead[i] : ", ahead),
               items);
    text_.line("v[2 * i] = multiply(spectrum[2 * i], TW_MAKE(factor.x, factor.y));");
    text_.line("v[2 * i + 1] = multiply(spectrum[2 * i + 1], TW_MAKE(factor.z, factor.w));");
  } else {
    text_.loop("i", 0, held());
    text_.line("v[i] = multiply(spectrum[i], factors[i * {}]);", items);
  }
  text_.close();
  text_.close();
}

}  // namespace twiddle::kernel
