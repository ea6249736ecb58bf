// Studies as one page of HTML that needs no other file.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "study_table.hpp"

namespace twiddle::studies {

// What a page says of one study.
struct Chapter {
  std::string title;
  std::string shows;
  std::string source;
  std::vector<Table> tables{};
  Table comparisons{};
  std::string picture{};  // the text of an SVG file; empty: none
  std::string reading{};
  std::string obstacle{};  // why there is nothing else; empty: there is
};

struct Page {
  std::string title;
  std::string date;
  std::vector<std::pair<std::string, std::string>> facts;  // of the device
  std::vector<Chapter> chapters;
};

[[nodiscard]] std::string to_html(const Page& page);

// Text as it may stand between tags and in attributes.
[[nodiscard]] std::string escape_html(std::string_view text);

}  // namespace twiddle::studies
