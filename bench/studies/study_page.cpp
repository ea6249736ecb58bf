// Writing HTML.
#include "study_page.hpp"

#include <fmt/format.h>

namespace twiddle::studies {
namespace {

constexpr const char* style = R"(
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
h2 { margin-top: 3rem; border-top: 1px solid #ccc; padding-top: 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 0.85rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: 0.3rem; }
th, td { border: 1px solid #ddd; padding: 0.2rem 0.6rem; text-align: right; }
th { background: #f4f4f4; }
table.words td, table.words th { text-align: left; }
.reading { background: #eef5fb; border-left: 4px solid #0072b2; padding: 0.6rem 1rem; }
.source, .notes { color: #666; font-size: 0.85rem; }
svg { max-width: 100%; height: auto; }
.wide { overflow-x: auto; }
)";

std::string row_of(const std::vector<std::string>& cells, const char* tag) {
  std::string text = "<tr>";
  for (const std::string& cell : cells) text += fmt::format("<{0}>{1}</{0}>", tag, escape_html(cell));
  return text + "</tr>\n";
}

std::string table_of(const Table& table, bool words) {
  std::string text = fmt::format("<div class=\"wide\"><table{}><caption>{}</caption>\n",
                                 words ? " class=\"words\"" : "", escape_html(table.title));
  text += row_of(table.header, "th");
  for (const auto& row : table.rows) text += row_of(row, "td");
  text += "</table></div>\n";
  for (const std::string& note : table.notes) text += fmt::format("<p class=\"notes\">{}</p>\n", escape_html(note));
  return text;
}

// Without what comes before the picture itself, since a page has no second declaration, and with names of groups that
// no other picture of the page has.
std::string svg_element(std::string_view file, std::size_t chapter) {
  const std::size_t start = file.find("<svg");
  if (start == std::string_view::npos) return "";
  std::string text(file.substr(start));
  const std::string_view name = "id=\"gnuplot_";
  const std::string unique = fmt::format("id=\"chapter_{}_", chapter);
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + unique.size())) {
    text.replace(at, name.size(), unique);
  }
  return text;
}

std::string chapter_text(const Chapter& chapter, std::size_t number) {
  std::string text = fmt::format("<h2>{}</h2>\n<p>{}</p>\n<p class=\"source\">{}</p>\n", escape_html(chapter.title),
                                 escape_html(chapter.shows), escape_html(chapter.source));
  if (!chapter.obstacle.empty()) return text + fmt::format("<p>Not here: {}</p>\n", escape_html(chapter.obstacle));
  text += fmt::format("<p class=\"reading\">{}</p>\n", escape_html(chapter.reading));
  if (!chapter.comparisons.rows.empty()) text += table_of(chapter.comparisons, true);
  text += fmt::format("<div>{}</div>\n", svg_element(chapter.picture, number));
  for (const Table& table : chapter.tables) text += table_of(table, false);
  return text;
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string to_html(const Page& page) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n"
      "<h1>{0}</h1>\n<p>{2}. Medians of ways that take turns, ± half the distance between the quartiles; every result "
      "was "
      "checked before it was timed.</p>\n",
      escape_html(page.title), style, escape_html(page.date));
  text += "<table class=\"words\"><caption>The device</caption>\n";
  for (const auto& [name, value] : page.facts) text += row_of({name, value}, "td");
  text += "</table>\n";
  for (std::size_t i = 0; i < page.chapters.size(); ++i) text += chapter_text(page.chapters[i], i + 1);
  return text + "</body>\n</html>\n";
}

}  // namespace twiddle::studies
