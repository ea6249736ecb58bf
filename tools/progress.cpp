// The progress bar; Debian packages no C++ library for it.
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace twiddle::tool {
namespace {

constexpr std::chrono::seconds patience{1};
constexpr std::chrono::milliseconds redraw{250};
constexpr std::size_t bar_width = 20;

}  // namespace

std::string progress_line(std::size_t current, std::size_t steps, const std::string& name,
                          std::chrono::seconds elapsed) {
  const std::size_t finished = current == 0 ? 0 : current - 1;
  const std::size_t filled = std::min(bar_width, bar_width * finished / std::max<std::size_t>(steps, 1));
  return fmt::format("[{:.<{}}] {}/{} {}, {} s", std::string(filled, '#'), bar_width, current, steps, name,
                     elapsed.count());
}

Progress::Progress(std::size_t steps) : steps_(steps) {
  if (::isatty(STDERR_FILENO) != 0) thread_ = std::thread([this] { draw_until_done(); });
}

Progress::~Progress() { finish(); }

void Progress::finish() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Progress::step(std::string name) {
  const std::lock_guard lock(mutex_);
  ++current_;
  name_ = std::move(name);
}

void Progress::draw_until_done() {
  std::unique_lock lock(mutex_);
  if (changed_.wait_for(lock, patience, [this] { return done_; })) return;
  do {
    const auto elapsed = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start_);
    fmt::print(stderr, "\r\033[K{}", progress_line(current_, steps_, name_, elapsed));
    std::fflush(stderr);
  } while (!changed_.wait_for(lock, redraw, [this] { return done_; }));
  fmt::print(stderr, "\r\033[K");
}

}  // namespace twiddle::tool
