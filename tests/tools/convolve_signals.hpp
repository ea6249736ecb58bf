// Signals and filters in files for twiddle convolve, and what it makes of them.
#pragma once

#include <gtest/gtest.h>

#include <complex>
#include <random>
#include <string>
#include <vector>

#include "tools/arrays.hpp"
#include "tools/command.hpp"

namespace twiddle::test {

class ConvolveSignals : public testing::Test {
 protected:
  template <class Element>
  std::vector<Element> random_values(std::size_t count) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<Element> values(count);
    for (Element& value : values) {
      if constexpr (std::is_same_v<Element, std::complex<double>>) {
        value = {uniform(generator), uniform(generator)};
      } else if constexpr (std::is_integral_v<Element>) {
        value = static_cast<Element>(8000 * uniform(generator));
      } else {
        value = static_cast<Element>(uniform(generator));
      }
    }
    return values;
  }

  template <class Element>
  std::string save(const std::string& name, const std::vector<std::size_t>& shape, const std::vector<Element>& values) {
    tool::write_npy(folder.path(name), make_array(shape, values));
    return folder.path(name);
  }

  CommandResult convolve(const std::string& signal, const std::string& filters, const std::string& output,
                         const std::vector<std::string>& options = {}) {
    std::vector<std::string> arguments = {"convolve", signal, filters, folder.path(output)};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run_twiddle(arguments);
  }

  void expect_failure(const CommandResult& result, int code, const std::string& words) {
    EXPECT_EQ(result.exit_code, code) << result.errors;
    EXPECT_NE(result.errors.find(words), std::string::npos) << result.errors;
  }

  Folder folder;
  std::mt19937 generator{17};
};

}  // namespace twiddle::test
