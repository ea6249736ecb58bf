// Results of a bank's segments that have values which are not finite: transforms spread these over all results, so that
// the results are summed as the definition has them.
#include <fmt/format.h>

#include <algorithm>

#include "kernel/bank_text.hpp"
#include "kernel/stage_memory.hpp"

namespace twiddle::kernel {

using plan::Loop;

// The filters' taps stand behind all spectra.
void StageMemory::store_taps(const Pass& pass) {
  const std::uint64_t taps = stage_.bank->taps;
  text_.open("{{");
  text_.line("TW_GLOBAL TW_COMPLEX* taps = output + (TW_WIDE)count * {} + (TW_WIDE)segment * {};", stage_.length, taps);
  open_writes(pass);
  const std::uint64_t some = std::min<std::uint64_t>((taps + pass.butterflies - 1) / pass.butterflies, pass.radix);
  text_.loop("k", 0, static_cast<unsigned>(some));
  text_.line("const TW_UINT element = b + {};", position(pass, "k"));
  text_.line("if (element < {}) taps[element] = v[m * {} + k];", taps, pass.radix);
  text_.close();
  close_writes(pass);
  text_.close();
}

// Declares what sums() needs of the segment, for as long as the block is open.
void StageMemory::open_sums() {
  constexpr Stride stride = &Loop::input_stride;
  text_.open("{{");
  locate(true);
  text_.line("TW_GLOBAL const {}* source = {} + ({});", input_.type(), base(stride), offset(stride, false));
  if (stage_.load_bound) locate_bound(*stage_.load_bound, "bounded_input");
}

// Writes the sum for an element of the current filter and names it; a sum for each.
StageMemory::Place StageMemory::sums(bool from_shared) {
  return [this, from_shared, number = 0](const std::string& element) mutable {
    std::string name = fmt::format("sum{}", number++);
    text_.line("TW_COMPLEX {} = TW_MAKE(0, 0);", name);
    text_.open("{{");
    text_.line("TW_GLOBAL const TW_COMPLEX* taps = spectra + (TW_WIDE){} + (TW_WIDE)filter * {};",
               stage_.bank->filters * stage_.length, stage_.bank->taps);
    text_.line("const TW_UINT last = {};", element);
    text_.line("#pragma unroll 1");
    text_.open("for (TW_UINT tap = 0; tap < {}; ++tap) {{", stage_.bank->taps);
    text_.line("const TW_UINT element = last - tap;");
    text_.line("TW_COMPLEX sample;");
    load_sample("sample", step("element", &Loop::input_stride), "bounded_input", from_shared);
    text_.line("{0} = add_product({0}, sample, taps[tap]);", name);
    text_.close();
    text_.close();
    return name;
  };
}

// Opens loops over the elements that the item stores, those that for_stored() calls its function for.
void StageMemory::open_stored(const Pass& pass) {
  const std::uint32_t items = stage_.shape.items_per_transform;
  const std::uint64_t decimation = stage_.bank->post.decimation;
  text_.line("#pragma unroll 1");
  text_.open("for (TW_UINT b = lane; b < {}; b += {}) {{", pass.butterflies, items);
  text_.line("#pragma unroll 1");
  text_.open("for (TW_UINT element = b; element < {}; element += {}) {{", stored_end(), pass.butterflies);
  if (stored_begin() > 0) text_.line("if (element < {}) continue;", stored_begin());
  if (decimation != 1) text_.line("if ((element - {}) % {} != 0) continue;", stored_begin(), decimation);
}

void StageMemory::close_stored() {
  text_.close();
  text_.close();
}

// The distance of the current element's output from the segment's first one.
std::string StageMemory::stored_place() const {
  const PostProcessing& post = stage_.bank->post;
  const std::int64_t turns = plan::interbins(post.function) ? 2 : 1;
  return fmt::format("(TW_INDEX)((element - {}) / {}) * (TW_INDEX){}", stored_begin(), post.decimation,
                     turns * stage_.output_stride);
}

void StageMemory::store_sums(const Pass& pass, bool from_shared) {
  open_sums();
  text_.line("TW_GLOBAL {}* destination = outputs + (TW_WIDE)filter * {};", output_.type(), stage_.bank->filter_stride);
  open_stored(pass);
  const Place sum = sums(from_shared);
  const BankText bank(stage_, text_);
  if (hook_neighbours() > 0) {
    put_from_neighbours(sum, stored_place(), true);
  } else {
    bank.make(sum("element"), sum);
    put("made", stored_place(), true);
    if (plan::interbins(stage_.bank->post.function)) {
      text_.open("{{");
      put("between", fmt::format("{} + (TW_INDEX){}", stored_place(), stage_.output_stride), true);
      text_.close();
    }
  }
  close_stored();
  text_.close();
}

void StageMemory::store_best_sums(const Pass& pass, bool from_shared) {
  const bool interbinned = plan::interbins(stage_.bank->post.function);
  open_sums();
  text_.line("TW_GLOBAL {}* destination = outputs;", output_.type());
  open_stored(pass);
  text_.line("TW_COMPLEX largest[2], its_filter[2];");
  text_.line("#pragma unroll 1");
  text_.open("for (TW_UINT filter = 0; filter < {}; ++filter) {{", stage_.bank->filters);
  const Place sum = sums(from_shared);
  const BankText bank(stage_, text_);
  bank.make(sum("element"), sum);
  bank.keep_best("made", "largest, its_filter");
  if (interbinned) bank.keep_best("between", "largest + 1, its_filter + 1");
  text_.close();
  for (const std::int64_t i : {std::int64_t{0}, std::int64_t{1}}) {
    if (i == 1 && !interbinned) break;
    const std::string place = fmt::format("{} + (TW_INDEX){}", stored_place(), i * stage_.output_stride);
    put_best(fmt::format("largest[{}]", i), fmt::format("its_filter[{}]", i), place);
  }
  close_stored();
  text_.close();
}

}  // namespace twiddle::kernel
