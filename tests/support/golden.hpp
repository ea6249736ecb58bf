// Golden files: text that is compared with what the repository keeps.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace twiddle::test {

// Expects the text of the file at `path`. TWIDDLE_UPDATE_GOLDEN=1 writes the file anew; review the difference before
// committing it.
inline void expect_golden(const std::string& text, const std::string& path) {
  if (std::getenv("TWIDDLE_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::stringstream stored;
  stored << std::ifstream(path).rdbuf();
  EXPECT_EQ(text, stored.str()) << path;
}

}  // namespace twiddle::test
