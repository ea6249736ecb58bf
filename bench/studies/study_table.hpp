// A study's samples as tables and charts, for people.
#pragma once

#include <string>
#include <vector>

#include "chart.hpp"
#include "study.hpp"

namespace twiddle::studies {

// Rows are x, columns series.
struct Table {
  std::string title{};
  std::vector<std::string> header{};
  std::vector<std::vector<std::string>> rows{};
  std::vector<std::string> notes{};  // why cells are empty
  bool operator==(const Table&) const = default;
};

// One for each part. A cell is "12.3 ±4%": the median in microseconds and half the distance between the quartiles.
[[nodiscard]] std::vector<Table> tables_of(const Study& study, const std::vector<Sample>& samples);

// The same with published figures beside ours; empty where the study has none.
[[nodiscard]] Table comparison_table(const std::vector<Comparison>& comparisons);

// For a terminal, columns aligned.
[[nodiscard]] std::string to_text(const Table& table);

// One for each part that has at least two points.
[[nodiscard]] std::vector<bench::Chart> charts_of(const Study& study, const std::vector<Sample>& samples);

}  // namespace twiddle::studies
