// Child processes and temporary folders, on POSIX.
#include "tools/command.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

namespace twiddle::test {
namespace {

std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

constexpr std::chrono::milliseconds pausing{150};  // of a slowed command

// Becomes the command; output goes to files, so that no amount of it can block, errors likewise or to a terminal.
[[noreturn]] void become_twiddle(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
                                 const std::string& output, const std::string& errors) {
  ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
  ::dup2(::open(output.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
  ::dup2(::open(errors.c_str(), O_WRONLY | O_CREAT | O_NOCTTY, 0600), STDERR_FILENO);
  for (const std::string& setting : environment) ::putenv(const_cast<char*>(setting.c_str()));
  std::vector<char*> argv = {const_cast<char*>("twiddle")};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execv(TWIDDLE_COMMAND, argv.data());
  ::_exit(126);
}

int exit_code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1 - WTERMSIG(status); }

// A terminal of which this process is the screen.
class Terminal {
 public:
  Terminal() : screen_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    if (screen_ < 0 || ::grantpt(screen_) != 0 || ::unlockpt(screen_) != 0 || ::ptsname(screen_) == nullptr) {
      throw std::runtime_error("cannot make a terminal");
    }
    name_ = ::ptsname(screen_);
    ::fcntl(screen_, F_SETFL, O_NONBLOCK);
  }
  ~Terminal() { ::close(screen_); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }

  // Adds what was written to it since.
  void read(std::string& text) const {
    std::array<char, 4096> some{};
    for (ssize_t count = 0; (count = ::read(screen_, some.data(), some.size())) > 0;) {
      text.append(some.data(), static_cast<std::size_t>(count));
    }
  }

 private:
  int screen_;
  std::string name_;
};

}  // namespace

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "twiddle-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void Folder::write(const std::string& name, const std::string& bytes) const {
  std::ofstream(path_ / name, std::ios::binary) << bytes;
}

std::string Folder::read(const std::string& name) const { return read_bytes(path_ / name); }

std::vector<std::string> Folder::names() const {
  std::vector<std::string> result;
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    result.push_back(entry.path().filename().string());
  std::sort(result.begin(), result.end());
  return result;
}

CommandResult run_twiddle(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
  const Folder folder;
  const std::string output = folder.path("output");
  const std::string errors = folder.path("errors");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot start a process");
  if (child == 0) become_twiddle(arguments, environment, output, errors);
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  return {.exit_code = exit_code_of(status),
          .output = read_bytes(output),
          .errors = read_bytes(errors),
          .peak_memory = static_cast<std::size_t>(usage.ru_maxrss) << 10};
}

CommandResult run_slowly_on_terminal(const std::vector<std::string>& arguments, std::chrono::milliseconds running) {
  const Folder folder;
  const Terminal terminal;
  const std::string output = folder.path("output");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot start a process");
  if (child == 0) become_twiddle(arguments, {}, output, terminal.name());
  CommandResult result;
  int status = 0;
  for (bool stopped = false; ::waitpid(child, &status, WNOHANG) == 0; stopped = !stopped) {
    terminal.read(result.errors);
    ::kill(child, stopped ? SIGCONT : SIGSTOP);
    std::this_thread::sleep_for(stopped ? running : pausing);
  }
  terminal.read(result.errors);
  result.exit_code = exit_code_of(status);
  result.output = read_bytes(output);
  return result;
}

}  // namespace twiddle::test
