// Sums results up.
#include "summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

namespace twiddle::bench {
namespace {

constexpr std::size_t worst_cases = 10;

std::string group_of(const Row& row) {
  const Problem problem = parse_problem(row.problem);
  const bool inverse = problem.direction == Direction::inverse;
  const std::string_view kind =
      problem.transform.kind == Kind::r2c && inverse ? "c2r" : to_string(problem.transform.kind);
  return fmt::format("{} {} {}, {} thread{}", kind, to_string(problem.transform.precision),
                     problem.placement == Placement::in_place ? "in place" : "out of place", row.threads,
                     row.threads == 1 ? "" : "s");
}

// Different values of a property, in order of their first appearance.
std::vector<std::string> different(const std::vector<Row>& rows,
                                   const std::function<std::string(const Row&)>& property) {
  std::vector<std::string> values;
  std::set<std::string> seen;
  for (const Row& row : rows) {
    const std::string value = property(row);
    if (seen.insert(value).second) values.push_back(value);
  }
  return values;
}

// "1.84 (0.97; 3 of 93)": geometric mean, worst, and how many are below 1.
std::string cell(const std::vector<Row>& rows) {
  if (rows.empty()) return "-";
  std::vector<double> ratios;
  for (const Row& row : rows) ratios.push_back(row.entry.ratio.median);
  const auto below = std::ranges::count_if(ratios, [](double ratio) { return ratio < 1; });
  return fmt::format("{:.2f} ({:.2f}; {} of {})", geometric_mean(ratios), std::ranges::min(ratios), below,
                     ratios.size());
}

class Summary {
 public:
  Summary(std::string suite, std::vector<Row> rows)
      : suite_(std::move(suite)),
        rows_(std::move(rows)),
        peers_(different(rows_, [](const Row& row) { return row.entry.library; })) {}

  [[nodiscard]] std::string text() const {
    std::string text = fmt::format("### {}\n\n", suite_.empty() ? "problems" : suite_);
    text += "Peer's time / ours: geometric mean (worst; cases below 1).\n\n";
    text += fmt::format("| | {} |\n|{}\n", fmt::join(peers_, " | "), repeated(" --- |", peers_.size() + 1));
    text += line("all", [](const Row&) { return true; });
    for (const std::string_view family : families) {
      text += line(family, [&](const Row& row) { return family_of(parse_problem(row.problem)) == family; });
    }
    for (const std::string& group : different(rows_, group_of)) {
      text += line(group, [&](const Row& row) { return group_of(row) == group; });
    }
    for (const std::string& peer : peers_) text += worst(peer);
    return text + '\n';
  }

 private:
  static std::string repeated(const std::string& text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
  }

  template <class Condition>
  [[nodiscard]] std::vector<Row> chosen(const std::string& peer, Condition condition) const {
    std::vector<Row> rows;
    std::ranges::copy_if(rows_, std::back_inserter(rows),
                         [&](const Row& row) { return row.entry.library == peer && condition(row); });
    return rows;
  }

  template <class Condition>
  [[nodiscard]] std::string line(std::string_view title, Condition condition) const {
    std::string text = fmt::format("| {} |", title);
    bool any = false;
    for (const std::string& peer : peers_) {
      const std::vector<Row> rows = chosen(peer, condition);
      any = any || !rows.empty();
      text += fmt::format(" {} |", cell(rows));
    }
    return any ? text + '\n' : "";
  }

  [[nodiscard]] std::string worst(const std::string& peer) const {
    std::vector<Row> rows = chosen(peer, [](const Row&) { return true; });
    std::ranges::sort(rows, {}, [](const Row& row) { return row.entry.ratio.median; });
    if (rows.size() > worst_cases) rows.resize(worst_cases);
    std::string text = fmt::format("\nWorst beside {}:", peer);
    for (const Row& row : rows) {
      text += fmt::format("\n- `{}`, {} thread{}: {:.2f} [{:.2f} {:.2f}], {:.4g} us", row.problem, row.threads,
                          row.threads == 1 ? "" : "s", row.entry.ratio.median, row.entry.ratio.low,
                          row.entry.ratio.high, row.entry.microseconds.median);
    }
    return text + '\n';
  }

  std::string suite_;
  std::vector<Row> rows_;
  std::vector<std::string> peers_;
};

}  // namespace

std::string summarize(const std::vector<Row>& rows) {
  std::vector<Row> peers;
  std::ranges::copy_if(rows, std::back_inserter(peers),
                       [](const Row& row) { return row.entry.library != "twiddle" && row.entry.complaint.empty(); });
  std::string text;
  for (const std::string& suite : different(peers, [](const Row& row) { return row.suite; })) {
    std::vector<Row> of_suite;
    std::ranges::copy_if(peers, std::back_inserter(of_suite), [&](const Row& row) { return row.suite == suite; });
    text += Summary(suite, std::move(of_suite)).text();
  }
  return text;
}

}  // namespace twiddle::bench
