// The grammar of problems: every problem survives being printed and read; every malformed text is refused with a
// reason.
#include "twiddle/problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "twiddle/error.hpp"

namespace twiddle {
namespace {

using testing::HasSubstr;

std::string message_of(std::string_view text) {
  try {
    static_cast<void>(parse_problem(text));
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

// Draws valid problems with any of the options.
class RandomProblems {
 public:
  Problem next() {
    Problem problem;
    Transform& transform = problem.transform;
    transform.kind = static_cast<Kind>(below(11));
    transform.precision = static_cast<Precision>(below(4));
    transform.normalization = static_cast<Normalization>(below(4));
    transform.lengths.resize(1 + below(largest_rank));
    for (std::size_t& length : transform.lengths) length = 2 + below(transform.lengths.size() > 3 ? 9 : 4000);
    if (once_in(2)) transform.batch = 1 + below(1000);
    if (once_in(2)) {
      transform.axes.resize(transform.lengths.size());
      std::iota(transform.axes.begin(), transform.axes.end(), std::size_t{0});
      std::shuffle(transform.axes.begin(), transform.axes.end(), generator_);
      transform.axes.resize(1 + below(transform.axes.size()));
    }
    if (once_in(2)) prune(transform);
    if (once_in(2)) transform.input = layout_of(transform.lengths);
    if (once_in(2)) transform.output = layout_of(transform.lengths);
    if (once_in(3)) transform.forward_factor = std::uniform_real_distribution(-2.0, 2.0)(generator_);
    if (once_in(3))
      transform.inverse_factor = std::ldexp(1.0 + static_cast<double>(below(9)), 1 - static_cast<int>(below(900)));
    transform.overwrite_input = once_in(3);
    if (once_in(2)) problem.direction = Direction::inverse;
    if (once_in(2)) problem.placement = Placement::in_place;
    return problem;
  }

 private:
  std::size_t below(std::size_t count) { return generator_() % count; }
  bool once_in(std::size_t times) { return below(times) == 0; }

  // Extents of both sides or one; those of dimensions that are not transformed are equal.
  void prune(Transform& transform) {
    const std::vector<std::size_t> axes = transformed_axes(transform);
    const bool input = once_in(2);
    const bool output = !input || once_in(2);
    for (std::size_t axis = 0; axis < transform.lengths.size(); ++axis) {
      const std::size_t length = transform.lengths[axis];
      const bool transformed = std::find(axes.begin(), axes.end(), axis) != axes.end();
      const bool halved = transform.kind == Kind::r2c && axis == axes.back();
      const std::size_t extent = transformed || (input && output) ? 1 + below(length) : length;
      if (input) transform.input_extents.push_back(extent);
      if (output)
        transform.output_extents.push_back(transformed ? 1 + below(halved ? length / 2 + 1 : length) : extent);
    }
  }

  // Row-major with gaps, some dimensions backwards, so that no two elements share a place.
  Layout layout_of(const std::vector<std::size_t>& lengths) {
    Layout layout;
    std::int64_t room = 1;
    if (once_in(2)) {
      layout.strides.resize(lengths.size());
      for (std::size_t axis = lengths.size(); axis-- > 0;) {
        const std::int64_t stride = room + static_cast<std::int64_t>(below(3));
        const std::int64_t reach = stride * static_cast<std::int64_t>(lengths[axis] - 1);
        layout.strides[axis] = stride;
        if (once_in(4)) {
          layout.strides[axis] = -stride;
          layout.offset += static_cast<std::uint64_t>(reach);
        }
        room = stride + reach;
      }
    } else {
      for (const std::size_t length : lengths) room *= static_cast<std::int64_t>(length);
    }
    if (once_in(3)) layout.batch_stride = room + static_cast<std::int64_t>(below(100));
    if (once_in(3)) layout.offset += below(1000);
    if (once_in(3)) layout.format = Layout::Format::planar;
    if (layout.format == Layout::Format::planar && once_in(2)) layout.imaginary_offset = room * 2000;
    return layout;
  }

  std::mt19937_64 generator_{2026};
};

TEST(Problem, PrintedProblemsReadBackAsTheyWere) {
  RandomProblems problems;
  std::set<std::string> seen;
  for (int i = 0; i < 8000; ++i) {
    const Problem problem = problems.next();
    const std::string text = to_string(problem);
    Problem back;
    ASSERT_NO_THROW(back = parse_problem(text)) << text;
    ASSERT_EQ(back, problem) << text;
    ASSERT_EQ(to_string(back), text);
    seen.insert(text);
  }
  EXPECT_GT(seen.size(), 7900U);  // different texts for different problems
}

TEST(Problem, DamagedTextsAreReadOrRefused) {
  RandomProblems problems;
  std::mt19937 generator(2026);
  constexpr std::string_view letters = "0123456789:=,*/x-.acdfhinprst 18446744073709551616";
  std::size_t read = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = to_string(problems.next());
    for (std::size_t damages = 1 + generator() % 3; damages > 0; --damages) {
      const std::size_t at = generator() % text.size();
      const char letter = letters[generator() % letters.size()];
      switch (generator() % 3) {
        case 0:
          text[at] = letter;
          break;
        case 1:
          text.insert(at, 1, letter);
          break;
        default:
          text.erase(at, 1 + generator() % 4);
          break;
      }
      if (text.empty()) text.push_back(':');
    }
    try {
      const Problem problem = parse_problem(text);
      ASSERT_EQ(parse_problem(to_string(problem)), problem) << text;
      ++read;
    } catch (const InvalidArgument& error) {
      ASSERT_THAT(error.what(), HasSubstr(text));
    }
  }
  EXPECT_GT(read, 1000U);
  EXPECT_LT(read, 19000U);
}

TEST(Problem, OptionsMayComeInAnyOrder) {
  const Problem problem =
      parse_problem("dct2:f64:3*8x10:axes=1:inverse:norm=ortho:factor=2:in=20,2/offset=1:wanted=8,5");
  EXPECT_EQ(parse_problem("dct2:f64:3*8x10:wanted=8,5:in=offset=1/20,2:factor=2:norm=ortho:inverse:axes=1"), problem);
  EXPECT_EQ(parse_problem("dct2:f64:3*8x10:norm=backward"), parse_problem("dct2:f64:3*8x10"));
  EXPECT_EQ(parse_problem("c2c:f32:1*8:in=planar"), parse_problem("c2c:f32:8:in=planar"));
}

TEST(Problem, MeansWhatTheGrammarSays) {
  const Transform plain{.lengths = {1080, 1920}, .batch = 16};
  EXPECT_EQ(parse_problem("c2c:f32:16*1080x1920"), Problem{.transform = plain});
  EXPECT_EQ(parse_problem("c2r:f16:8:inplace"),
            (Problem{{.lengths = {8}, .kind = Kind::r2c, .precision = Precision::float16},
                     Direction::inverse,
                     Placement::in_place}));
  EXPECT_EQ(parse_problem("c2r:f16:8"), parse_problem("r2c:f16:8:inverse"));
  const Layout gaps{.strides = {2048, -2}, .batch_stride = 0, .offset = 3};
  const Layout planes{.format = Layout::Format::planar, .imaginary_offset = -9};
  const std::string options = "factor=0.25:in=2048,-2/batch=0/offset=3:out=planar=-9:nonzero=4,5:wanted=6,7";
  const Transform forward = parse_problem("c2c:f80:100x90:" + options).transform;
  EXPECT_EQ(forward.precision, Precision::extended);
  EXPECT_EQ(forward.input, gaps);
  EXPECT_EQ(forward.output, planes);
  EXPECT_EQ(forward.input_extents, (std::vector<std::size_t>{4, 5}));
  EXPECT_EQ(forward.output_extents, (std::vector<std::size_t>{6, 7}));
  EXPECT_EQ(forward.forward_factor, 0.25);
  EXPECT_EQ(forward.inverse_factor, 1);
  const Transform inverse = parse_problem("c2c:f80:100x90:inverse:" + options).transform;
  EXPECT_EQ(inverse.output, gaps);  // that is what the inverse reads
  EXPECT_EQ(inverse.input, planes);
  EXPECT_EQ(inverse.output_extents, (std::vector<std::size_t>{4, 5}));
  EXPECT_EQ(inverse.input_extents, (std::vector<std::size_t>{6, 7}));
  EXPECT_EQ(inverse.inverse_factor, 0.25);
  EXPECT_EQ(inverse.forward_factor, 1);
}

TEST(Problem, IsPrintedWithoutWhatIsDefault) {
  for (const char* text :
       {"c2c:f32:1000", "c2r:f64:8x9:axes=1", "dht:f80:2*7:inverse:inplace:norm=none", "r2c:f16:12:factor=1,0.5",
        "c2c:f32:10:factor=1e-30", "c2c:f32:10x10:in=1,10:out=1,10/planar", "dst4:f32:99:nonzero=50:wanted=9:overwrite",
        "r2c:f32:64:load=bartlett/64:store=power", "c2c:f64:8:inverse:load=alternate:overwrite"}) {
    EXPECT_EQ(to_string(parse_problem(text)), text);
  }
  EXPECT_EQ(to_string(Transform{.lengths = {1000}, .axes = {0}, .batch = 2}), "c2c:f32:2*1000:axes=0");
}

TEST(Problem, MalformedTextsAreRefusedWithAReason) {
  const struct {
    const char* text;
    const char* reason;
  } cases[] = {
      {"", "problem '' has 0 of the 3 parts"},
      {"c2c:f32", "has 2 of the 3 parts that it needs; expected KIND:PRECISION:SHAPE and options, such as c2c:f32:16*"},
      {"1080x1920", "has 1 of the 3 parts"},
      {"c2d:f32:8", "'c2d' is no kind of transform; expected one of c2c, r2c, c2r, dct1 to dct4"},
      {"dct5:f32:8", "'dct5' is no kind"},
      {"C2C:f32:8", "'C2C' is no kind"},
      {" c2c:f32:8", "' c2c' is no kind"},
      {"c2c:float:8", "'float' is no precision; expected one of f16, f32, f64 and f80"},
      {"c2c:f32:", "'' is not a whole number; expected lengths from 1 joined by 'x'"},
      {"c2c:f32:10y5", "'10y5' is not a whole number; expected lengths from 1"},
      {"c2c:f32:10x", "'' in '10x' is not a whole number"},
      {"c2c:f32:-4", "'-4' is not a whole number"},
      {"c2c:f32:4.5x3", "'4.5' in '4.5x3' is not a whole number"},
      {"c2c:f32:0x3", "axis 0 of 0x3 has length 0"},
      {"c2c:f32:0*3", "the batch must be at least 1, got 0"},
      {"c2c:f32:*3", "'' in '*3' is not a whole number"},
      {"c2c:f32:2*3*4", "'3*4' in '2*3*4' is not a whole number"},
      {"c2c:f32:18446744073709551616", "'18446744073709551616' is out of range (at most 18446744073709551615)"},
      {"c2c:f32:4294967296x4294967296", "cannot be addressed"},
      {"c2c:f32:1x1x1x1x1x1x1x1x1", "at most 8 dimensions, got 9"},
      {"dct1:f32:4x1", "dct1 needs at least 2 points, but axis 1 has length 1"},
      {"c2c:f32:8:", "'' is no option; expected one of axes, inverse, inplace, norm, factor, in, out, nonzero"},
      {"c2c:f32:8:backwards", "'backwards' is no option"},
      {"c2c:f32:8:axis=0", "'axis=0' is no option"},
      {"c2c:f32:8x9:axes=2", "axis 2 does not exist"},
      {"c2c:f32:8x9:axes=-1", "'-1' in 'axes=-1' is not a whole number; expected numbers of dimensions, from 0"},
      {"c2c:f32:8x9:axes=0,0", "axis 0 is named twice"},
      {"c2c:f32:8x9:axes=", "'' in 'axes=' is not a whole number"},
      {"c2c:f32:8x9:axes", "'axes' has no value; expected numbers of dimensions, from 0, joined by ','"},
      {"c2c:f32:8:inverse:inverse", "'inverse' is given twice; expected each option at most once"},
      {"c2c:f32:8:inverse=1", "'inverse=1' has a value but takes none; expected inverse alone"},
      {"c2r:f32:8:inverse", "'inverse' is said of c2r, which is the inverse of r2c already"},
      {"c2c:f32:8:norm=unit", "'unit' in 'norm=unit' is no normalization; expected one of backward, ortho, forward"},
      {"c2c:f32:8:factor=half", "'half' in 'factor=half' is not a number; expected a finite number"},
      {"c2c:f32:8:factor=inf", "'inf' in 'factor=inf' is not finite"},
      {"c2c:f32:8:factor=1e999", "'1e999' in 'factor=1e999' is out of range"},
      {"c2c:f32:8:factor=1,2,3", "'1,2,3' in 'factor=1,2,3' has more than two factors"},
      {"c2c:f32:8:in=", "'' in 'in=' is not a whole number; expected strides, batch=B, offset=O and planar"},
      {"c2c:f32:8:in=1,2", "input layout has 2 stride(s); expected one for each of the 1 dimension(s)"},
      {"c2c:f32:8:out=row", "'row' in 'out=row' is not a whole number"},
      {"c2c:f32:8:out=offset=-1", "'-1' in 'out=offset=-1' is not a whole number"},
      {"c2c:f32:8:out=9223372036854775808", "is out of range (at most 9223372036854775807)"},
      {"c2c:f32:8:in=1/2", "'2' in 'in=1/2' comes second; expected each"},
      {"c2c:f32:8:in=planar/planar=9", "'planar=9' in 'in=planar/planar=9' comes second"},
      {"c2c:f32:8:in=pitch=9", "'pitch=9' in 'in=pitch=9' is no part of a layout"},
      {"c2c:f32:8:in=planar=", "'' in 'in=planar=' is not a whole number"},
      {"c2c:f32:8:nonzero=9", "the input extent of axis 0 is 9; expected 1 to 8"},
      {"c2c:f32:8:nonzero=4,4", "2 input extents were given"},
      {"r2c:f32:8:wanted=6", "the output extent of axis 0 is 6; expected 1 to 5"},
      {"c2c:f32:8:overwrite=yes", "'overwrite=yes' has a value but takes none"},
      {"c2c:f32:8:load=sharpen", "in 'load=sharpen', 'sharpen' is no hook; expected alternate, bartlett/P"},
      {"c2c:f32:8:store=bartlett/0", "'0' is no period; expected a whole number from 1"},
      {"c2c:f32:8:store=bartlett/8x", "'8x' is no period"},
  };
  for (const auto& [text, reason] : cases) {
    EXPECT_THAT(message_of(text), HasSubstr(reason)) << text;
    EXPECT_THAT(message_of(text), HasSubstr(std::string("problem '") + text + "'"));
  }
}

}  // namespace
}  // namespace twiddle
