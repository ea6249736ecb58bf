// How long it takes until a problem can be executed: with empty caches of compiled kernels, and again with what these
// hold then.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measurement.hpp"
#include "signal.hpp"
#include "twiddle/device.hpp"
#include "twiddle/error.hpp"
#include "twiddle/plan.hpp"
#include "twiddle/problem.hpp"

namespace {

using namespace twiddle;
namespace fs = std::filesystem;

const std::vector<std::string> typical{
    "c2c:f32:1024",    "c2c:f32:4096*256",  "c2c:f64:1000",      "c2c:f32:1048576",     "c2c:f32:1009",
    "c2c:f32:1000003", "r2c:f32:1080x1920", "c2c:f32:3000x3000", "c2c:f32:256x256x256", "dct2:f32:512x512"};

// A folder of caches that begins empty and is removed in the end.
class CacheFolder {
 public:
  CacheFolder() {
    std::string pattern = (fs::temp_directory_path() / "twiddle_planning_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw Error(fmt::format("no folder could be made as {}", pattern));
    folder_ = pattern;
    // Before any device is opened: ours, PoCL's and that of CUDA's driver.
    setenv("TWIDDLE_CACHE_DIR", (folder_ / "twiddle").c_str(), 1);
    setenv("POCL_CACHE_DIR", (folder_ / "pocl").c_str(), 1);
    setenv("CUDA_CACHE_PATH", (folder_ / "cuda").c_str(), 1);
  }
  ~CacheFolder() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  CacheFolder(const CacheFolder&) = delete;
  CacheFolder& operator=(const CacheFolder&) = delete;

 private:
  fs::path folder_;
};

// Host memory for a problem's execution.
struct Data {
  Data(const Plan& plan, const Problem& problem) {
    const std::size_t read = plan.input_bytes(problem.direction, problem.placement);
    const std::size_t written = plan.output_bytes(problem.direction, problem.placement);
    in_place = problem.placement == Placement::in_place;
    input = bench::random_input(problem.transform.precision, in_place ? std::max(read, written) : read);
    if (!in_place) output.resize(written);
  }

  bool in_place = false;
  std::vector<std::byte> input;
  std::vector<std::byte> output;
};

// Milliseconds until a plan is made ready on a device, and executed once where there is data.
double plan_on(const Device& device, const Problem& problem, Data* data) {
  std::optional<Plan> plan;  // its end is not counted
  return 1e3 * bench::seconds_of([&] {
           plan.emplace(device, problem.transform);
           plan->prepare(problem.direction, problem.placement);
           if (data == nullptr) return;
           if (data->in_place) {
             plan->execute_bytes(problem.direction, data->input);
           } else {
             plan->execute_bytes(problem.direction, std::span<const std::byte>(data->input), data->output);
           }
         });
}

// The first plan, and the least and the median of more, each on a device opened anew, which has made none yet.
void report(const std::string& device, const std::string& text, std::size_t more, bool executed) {
  const Problem problem = parse_problem(text);
  const double first = plan_on(Device::open(device), problem, nullptr);
  std::optional<Data> data;
  if (executed) data.emplace(Plan(Device::open(device), problem.transform), problem);
  std::vector<double> again;
  for (std::size_t i = 0; i < more; ++i) {
    again.push_back(plan_on(Device::open(device), problem, data ? &*data : nullptr));
  }
  if (again.empty()) again.push_back(first);
  fmt::print("{},{},{:.4f},{:.4f},{:.4f},{}\n", to_string(problem), device, first,
             *std::min_element(again.begin(), again.end()), bench::median(again),
             Plan(Device::open(device), problem.transform).scratch_bytes());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Milliseconds until a problem can be executed: with empty caches, and the least and the median of several with "
      "full ones"};
  std::string device = "host";
  std::vector<std::string> problems = typical;
  std::size_t more = 9;
  bool executed = false;
  app.add_option("problems", problems, "problems; ten typical ones by default");
  app.add_option("--device", device, "host, opencl or cuda");
  app.add_option("--more", more, "plans with full caches, of which the least and the median time are given");
  app.add_flag("--execute", executed, "count the first execution, from and to host memory, with full caches");
  CLI11_PARSE(app, argc, argv);
  try {
    const CacheFolder caches;
    fmt::print("problem,device,first ms,again ms,median ms,scratch bytes\n");
    for (const std::string& problem : problems) report(device, problem, more, executed);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
