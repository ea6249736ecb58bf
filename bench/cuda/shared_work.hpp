// What programs that measure lists of problems on a CUDA device have in common: their options, the part of a list that
// one process takes, and how they end.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace twiddle::bench {

struct SharedWork {
  std::string device = "cuda";
  std::size_t rounds = 7;
  std::size_t first = 0;
  std::size_t every = 1;
  bool compile_only = false;

  // What this process takes of a list.
  template <class Item>
  [[nodiscard]] std::vector<Item> share_of(const std::vector<Item>& all) const {
    std::vector<Item> share;
    for (std::size_t i = first; i < all.size(); i += every) share.push_back(all[i]);
    return share;
  }
};

// --first and --every; `items` are what the list is of.
void add_share_options(CLI::App& app, SharedWork& work, const std::string& items);

// The same, --device, --rounds and --compile.
void add_shared_options(CLI::App& app, SharedWork& work, const std::string& items);

// What main returns: what the command line's parser says, or whether `run` found all right, or 1 with what it threw on
// the error output.
[[nodiscard]] int run_program(CLI::App& app, int argc, char** argv, const std::function<bool()>& run);

}  // namespace twiddle::bench
