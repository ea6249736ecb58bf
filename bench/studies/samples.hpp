// Questions to a study's samples, from which its sentences are made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "study.hpp"

namespace twiddle::studies {

using Samples = std::vector<Sample>;

// Different values, in order of their first appearance; xs ascending.
[[nodiscard]] std::vector<std::string> parts_of(const Samples& samples);
[[nodiscard]] std::vector<std::string> series_of(const Samples& samples, const std::string& part);
[[nodiscard]] std::vector<double> xs_of(const Samples& samples, const std::string& part);

// Null where there is none.
[[nodiscard]] const Sample* find_sample(const Samples& samples, const std::string& part, double x,
                                        const std::string& series);

// Median microseconds; nothing where there is no time.
[[nodiscard]] std::optional<double> time_of(const Samples& samples, const std::string& part, double x,
                                            const std::string& series);

// Time of `slow` over that of `fast`, for every x of the part that has both.
struct Ratio {
  double x;
  double value;
};
[[nodiscard]] std::vector<Ratio> ratios(const Samples& samples, const std::string& part, const std::string& slow,
                                        const std::string& fast);

// "1.31 to 2.40 (geometric mean 1.80)"; "not measured" where there are none.
[[nodiscard]] std::string range_text(const std::vector<Ratio>& ratios);

// "WHAT takes 1.31 to 2.40 (geometric mean 1.80) times as long as OTHER", or that it was not measured.
[[nodiscard]] std::string times_text(const std::string& what, const std::string& other,
                                     const std::vector<Ratio>& ratios);

// From which x on `challenger` is the faster one at all measured points: nothing where it never is.
[[nodiscard]] std::optional<double> crossover(const Samples& samples, const std::string& part,
                                              const std::string& champion, const std::string& challenger);

// The fastest of a row; null where none has a time.
[[nodiscard]] const Sample* fastest(const Samples& samples, const std::string& part, double x);

// "0.042", "3.17", "1250": three significant digits.
[[nodiscard]] std::string number_text(double value);

}  // namespace twiddle::studies
