// The rules of real transforms, as tables of positions and coefficients.
#include "plan/line_map.hpp"

#include <array>
#include <numbers>
#include <string_view>

#include <fmt/format.h>

#include "plan/tables.hpp"

namespace twiddle::plan {
namespace {

using Complex = std::complex<long double>;
using Rule = LineMap::Rule;
constexpr std::uint64_t none = MapTables::none;
constexpr Complex imaginary_unit{0, 1};

struct Term {
  std::uint64_t index = none;
  Complex coefficient{0, 0};
};
struct Entry {
  Term first;
  Term second;
};

// exp(+2 pi i k / n).
Complex turn(std::uint64_t k, std::uint64_t n) { return std::conj(root_of_unity(k, n)); }

long double sign(std::uint64_t k) { return k % 2 == 0 ? 1.0L : -1.0L; }

// Weight of element k before an orthogonal transform (Normalization::ortho): the end elements of dct1, the first of dct3,
// the last of dst3.
long double weight_before(Rule rule, std::uint64_t k, std::uint64_t n) {
  if (rule == Rule::dct1_load && (k == 0 || k == n - 1)) return std::numbers::sqrt2_v<long double>;
  if (rule == Rule::dct3_load && k == 0) return std::numbers::sqrt2_v<long double>;
  if (rule == Rule::dst3_load && k == n - 1) return std::numbers::sqrt2_v<long double>;
  return 1;
}

// Weight of element k after it.
long double weight_after(Rule rule, std::uint64_t k, std::uint64_t n) {
  const bool halved = (rule == Rule::dct1_store && (k == 0 || k == n - 1)) || (rule == Rule::dct2_store && k == 0) ||
                      (rule == Rule::dst2_store && k == n - 1);
  return halved ? 1 / std::numbers::sqrt2_v<long double> : 1;
}

// dct3 of n points, element j of the complex line: (x[j] - i x[n-j]) exp(2 pi i j / 4n), where x[n] = 0. The sine version
// reads its source backwards.
Entry cosine3_load(std::uint64_t j, std::uint64_t n, bool backwards) {
  const auto at = [&](std::uint64_t index) { return backwards ? n - 1 - index : index; };
  if (j == 0) return {{at(0), 1}, {}};
  const Complex root = turn(j, 4 * n);
  return {{at(j), root}, {at(n - j), -imaginary_unit * root}};
}

// dct2 of n points, from the transform of its reordered elements: Z[k] w + Z[n-k] conj(w), w = exp(-2 pi i k / 4n).
Entry cosine2_store(std::uint64_t k, std::uint64_t n) {
  const Complex root = root_of_unity(k, 4 * n);
  return {{k, root}, {(n - k) % n, std::conj(root)}};
}

// Even elements ascending, then odd ones descending.
std::uint64_t reordered(std::uint64_t j, std::uint64_t n) { return 2 * j < n ? 2 * j : 2 * (n - 1 - j) + 1; }
std::uint64_t reordered_back(std::uint64_t k, std::uint64_t n) { return k % 2 == 0 ? k / 2 : n - 1 - k / 2; }

// dct4 of n points as a transform of 2 n points of x[j] exp(-2 pi i j / 4n) with zeros appended:
// Z[k] w + Z[2n-1-k] conj(w), w = exp(-2 pi i (2k+1) / 8n).
Entry cosine4_store(std::uint64_t k, std::uint64_t n) {
  const Complex root = root_of_unity(2 * k + 1, 8 * n);
  return {{k, root}, {2 * n - 1 - k, std::conj(root)}};
}

Entry entry(Rule rule, std::uint64_t k, std::uint64_t n) {
  const std::uint64_t half = n / 2;
  switch (rule) {
    case Rule::r2c_store: {
      const Complex rotated = imaginary_unit * root_of_unity(k, n);
      return {{k % half, (1.0L - rotated) / 2.0L}, {(half - k) % half, (1.0L + rotated) / 2.0L}};
    }
    case Rule::c2r_load: {
      const Complex rotated = imaginary_unit * turn(k, n);
      return {{k, 1.0L + rotated}, {half - k, 1.0L - rotated}};
    }
    case Rule::hermitian_load:
      return k <= half ? Entry{{k, 1}, {}} : Entry{{}, {n - k, 1}};
    case Rule::dct1_load:
      return {{k < n ? k : 2 * (n - 1) - k, 1}, {}};
    case Rule::dct1_store:
      return {{k, 1}, {}};
    case Rule::dct2_load:
      return {{reordered(k, n), 1}, {}};
    case Rule::dct2_store:
      return cosine2_store(k, n);
    case Rule::dct3_load:
      return cosine3_load(k, n, false);
    case Rule::dct3_store:
      return {{reordered_back(k, n), 1}, {}};
    case Rule::dct4_load:
      return k < n ? Entry{{k, root_of_unity(k, 4 * n)}, {}} : Entry{};
    case Rule::dct4_store:
      return cosine4_store(k, n);
    case Rule::dst1_load:  // 0, x, 0, -x backwards
      if (k == 0 || k == n + 1) return {};
      return k <= n ? Entry{{k - 1, 1}, {}} : Entry{{2 * n + 1 - k, -1}, {}};
    case Rule::dst1_store:
      return {{k + 1, imaginary_unit}, {}};
    case Rule::dst2_load: {
      const std::uint64_t from = reordered(k, n);
      return {{from, sign(from)}, {}};
    }
    case Rule::dst2_store:
      return cosine2_store(n - 1 - k, n);
    case Rule::dst3_load:
      return cosine3_load(k, n, true);
    case Rule::dst3_store:
      return {{reordered_back(k, n), sign(k)}, {}};
    case Rule::dst4_load:
      return k < n ? Entry{{n - 1 - k, root_of_unity(k, 4 * n)}, {}} : Entry{};
    case Rule::dst4_store: {
      Entry result = cosine4_store(k, n);
      result.first.coefficient *= sign(k);
      result.second.coefficient *= sign(k);
      return result;
    }
    case Rule::dht_store:
      return {{k, Complex(0.5L, 0.5L)}, {(n - k) % n, Complex(0.5L, -0.5L)}};
  }
  return {};
}

constexpr std::array<std::string_view, 20> rule_names = {
    "r2c after",   "c2r before",  "hermitian",   "dct1 before", "dct1 after",  "dct2 before", "dct2 after",
    "dct3 before", "dct3 after",  "dct4 before", "dct4 after",  "dst1 before", "dst1 after",  "dst2 before",
    "dst2 after",  "dst3 before", "dst3 after",  "dst4 before", "dst4 after",  "dht after"};

}  // namespace

MapTables map_tables(const LineMap& map) {
  MapTables tables;
  const std::uint64_t n = map.length;
  for (std::uint64_t k = 0; k < map.count; ++k) {
    Entry values = entry(map.rule, k, n);
    for (Term* term : {&values.first, &values.second}) {
      if (term->index == none) continue;
      if (map.orthogonal) term->coefficient *= weight_before(map.rule, term->index, n) * weight_after(map.rule, k, n);
      if (term->index >= map.source_count) *term = {};
    }
    tables.first.push_back(values.first.index);
    tables.second.push_back(values.second.index);
    tables.a.push_back(values.first.coefficient);
    tables.b.push_back(values.second.coefficient);
  }
  tables.conjugate = map.rule == Rule::r2c_store || map.rule == Rule::c2r_load || map.rule == Rule::hermitian_load;
  // The frequencies 0 and, for even lengths, n/2 of real data are real.
  if (map.rule == Rule::c2r_load) tables.real_end = n / 2;
  if (map.rule == Rule::hermitian_load) tables.real_end = n % 2 == 0 ? n / 2 : 0;
  return tables;
}

std::uint64_t full_source_count(LineMap::Rule rule, std::uint64_t length) {
  switch (rule) {
    case Rule::r2c_store: return length / 2;
    case Rule::c2r_load:
    case Rule::hermitian_load: return length / 2 + 1;
    case Rule::dct1_store: return 2 * (length - 1);
    case Rule::dst1_store: return 2 * (length + 1);
    case Rule::dct4_store:
    case Rule::dst4_store: return 2 * length;
    default: return length;
  }
}

std::uint64_t full_count(LineMap::Rule rule, std::uint64_t length) {
  switch (rule) {
    case Rule::r2c_store: return length / 2 + 1;
    case Rule::c2r_load: return length / 2;
    case Rule::dct1_load: return 2 * (length - 1);
    case Rule::dst1_load: return 2 * (length + 1);
    case Rule::dct4_load:
    case Rule::dst4_load: return 2 * length;
    default: return length;
  }
}

std::string to_string(const LineMap& map) {
  return fmt::format("{} {}{}", rule_names.at(static_cast<std::size_t>(map.rule)), map.length,
                     map.orthogonal ? " orthogonal" : "");
}

}  // namespace twiddle::plan
