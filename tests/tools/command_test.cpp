// The twiddle command as its users run it: what it prints, how it fails, what it leaves behind.
#include "tools/command.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <complex>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "image.hpp"
#include "npy.hpp"
#include "support/reference.hpp"

namespace twiddle::test {
namespace {

using Arguments = std::vector<std::string>;
using nlohmann::json;

const Arguments commands = {"filter", "spectrum", "fft", "devices", "plan", "kernel", "good-size", "verify"};

class Command : public testing::Test {
 protected:
  // A picture of 12 x 10 pixels.
  std::string picture(const std::string& name = "in.pgm", std::size_t channels = 1) const {
    tool::Image image{.height = 10, .width = 12};
    for (std::size_t c = 0; c < channels; ++c) {
      tool::Samples samples(image.pixels());
      for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<std::uint16_t>(i * (7 + c) % 251);
      image.channels.push_back(std::move(samples));
    }
    static_cast<void>(tool::write_image(folder.path(name), image));
    return folder.path(name);
  }

  // Runs a command that must fail in this way, mention this, and leave the folder's files as they were.
  void expect_failure(int exit_code, const std::string& mention, const Arguments& arguments) const {
    const auto before = folder.names();
    const CommandResult result = run_twiddle(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << result.errors;
    EXPECT_TRUE(result.errors.starts_with("twiddle: ")) << result.errors;
    EXPECT_NE(result.errors.find(mention), std::string::npos) << result.errors << "does not mention: " << mention;
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(folder.names(), before);
    EXPECT_LT(result.peak_memory, std::size_t{1} << 30);
  }

  Folder folder;
};

TEST_F(Command, HelpOfEveryCommandHasExamples) {
  const CommandResult all = run_twiddle({"--help"});
  EXPECT_EQ(all.exit_code, 0);
  EXPECT_EQ(all.errors, "");
  for (const std::string& command : commands) {
    EXPECT_NE(all.output.find(command), std::string::npos) << command;
    const CommandResult result = run_twiddle({command, "--help"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_NE(result.output.find("Examples:\n  twiddle " + command), std::string::npos) << result.output;
  }
  EXPECT_EQ(run_twiddle({"--version"}).output.substr(0, 8), "twiddle ");
}

TEST_F(Command, WrongUsageExitsWithTwo) {
  expect_failure(2, "subcommand", {});
  expect_failure(2, "there is no command 'filtre'", {"filtre", "a", "b"});
  expect_failure(2, "--nonsense", {"devices", "--nonsense"});
  expect_failure(2, "IN", {"filter"});
  const std::string in = picture();
  const std::string out = folder.path("out.png");
  const auto filter = [&](const Arguments& options) {
    Arguments arguments = {"filter", in, out};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return arguments;
  };
  expect_failure(2, "--high-pass", filter({}));
  expect_failure(2, "--low-pass", filter({"--low-pass", "0.1", "--high-pass", "0.2"}));
  expect_failure(2, "--low-pass", filter({"--low-pass", "much"}));
  for (const char* cutoff : {"0", "-0.1", "0.8", "nan", "inf"}) {
    expect_failure(2, "cut-off", filter({"--low-pass", cutoff}));
  }
  expect_failure(2, "ascending", filter({"--band-stop", "0.3", "0.2"}));
  expect_failure(2, "--band-pass", filter({"--band-pass", "0.3"}));
  expect_failure(2, "expected one of ideal, gaussian, butterworth", filter({"--low-pass", "0.1", "--shape", "round"}));
  expect_failure(2, "--order", filter({"--low-pass", "0.1", "--shape", "butterworth", "--order", "65"}));
  expect_failure(2, "butterworth only", filter({"--low-pass", "0.1", "--order", "3"}));
  expect_failure(2, "--normalize", filter({"--low-pass", "0.1", "--normalize", "--no-normalize"}));
  expect_failure(2, "'metal'", filter({"--low-pass", "0.1", "--device", "metal"}));
  expect_failure(2, "opencl:x", filter({"--low-pass", "0.1", "--device", "opencl:x"}));
  expect_failure(2, ".png", {"filter", in, folder.path("out.webp"), "--low-pass", "0.1"});
  expect_failure(2, "grey only", {"filter", picture("rgb.ppm", 3), folder.path("out.pgm"), "--low-pass", "0.1"});
  expect_failure(2, "positive whole numbers", {"plan", "10by10", "--limits", "small"});
  expect_failure(2, "positive whole numbers", {"kernel", "0"});
  expect_failure(2, "too large", {"plan", "99999999999999999999", "--limits", "small"});
  expect_failure(2, "--batch", {"plan", "10", "--batch", "0", "--limits", "small"});
  expect_failure(2, "'c2d' is no kind of transform", {"plan", "c2d:f32:10", "--limits", "small"});
  expect_failure(2, "'5x' in 'axes=5x' is not a whole number", {"kernel", "c2c:f32:10:axes=5x"});
  expect_failure(2, "BATCH*LENGTHS", {"plan", "c2c:f32:10", "--batch", "2", "--limits", "small"});
  expect_failure(2, "N", {"good-size", "many"});
  expect_failure(2, "N", {"good-size", "0"});
  expect_failure(2, "no fast length", {"good-size", "18446744073709551615"});
  expect_failure(2, "nvidia-opencl", {"plan", "10", "--limits", "nothing"});
  expect_failure(2, "only --device and --json", {"plan", "conv:real:f32:4096:8*33", "--limits", "small"});
  expect_failure(2, "only described", {"plan", "conv:real:f32:4096:8*33", "--device", "small"});
  expect_failure(2, "conv:ELEMENTS:PRECISION", {"plan", "conv:real:f32:4096", "--device", "host"});
  expect_failure(2, "expected one of opencl, cuda", {"kernel", "10", "--dialect", "metal"});
}

TEST_F(Command, AbsentDevicesExitWithOneAndNameWhatIsThere) {
  expect_failure(1, "available: host",
                 {"filter", picture(), folder.path("out.png"), "--low-pass", "0.1", "--device", "opencl:99"});
  expect_failure(1, "available: host", {"plan", "100", "--device", "cuda:99"});
}

TEST_F(Command, BadPicturesExitWithOne) {
  const std::string out = folder.path("out.png");
  folder.write("empty.png", "");
  folder.write("text.png", "hello");
  folder.write("huge.pgm", "P5 60000 60000 255 abc");
  picture("whole.png", 3);
  folder.write("cut.png", folder.read("whole.png").substr(0, 90));
  for (const Arguments& start : {Arguments{"filter", "--high-pass", "0.1"}, Arguments{"spectrum"}}) {
    for (const auto& [name, mention] : {std::pair<const char*, const char*>{"none.png", "No such file"},
                                        {"empty.png", "empty"},
                                        {"text.png", "not PGM"},
                                        {"huge.pgm", "damaged, truncated or too large"},
                                        {"cut.png", "damaged, truncated"},
                                        {"", "folder"}}) {
      Arguments arguments = start;
      arguments.push_back(folder.path(name));
      arguments.push_back(out);
      expect_failure(1, mention, arguments);
    }
  }
}

TEST_F(Command, UnwritableOutputLeavesNothing) {
  const std::string in = picture();
  expect_failure(1, "cannot write", {"filter", in, folder.path("none/out.png"), "--low-pass", "0.1"});
  std::filesystem::create_directory(folder.path("taken.png"));
  expect_failure(1, "cannot write", {"filter", in, folder.path("taken.png"), "--low-pass", "0.1"});
  std::filesystem::create_symlink("/dev/full", folder.path("full.png"));
  expect_failure(1, "No space left", {"filter", in, folder.path("full.png"), "--low-pass", "0.1"});
  if (::geteuid() == 0) return;  // root may write anywhere
  folder.write("fixed.png", "old");
  std::filesystem::permissions(folder.path("fixed.png"), std::filesystem::perms::owner_read);
  expect_failure(1, "Permission denied", {"filter", in, folder.path("fixed.png"), "--low-pass", "0.1"});
  EXPECT_EQ(folder.read("fixed.png"), "old");
}

TEST_F(Command, PictureMayReplaceItself) {
  const std::string in = picture();
  const std::string before = folder.read("in.pgm");
  ASSERT_EQ(run_twiddle({"filter", in, in, "--low-pass", "0.1", "--device", "host"}).exit_code, 0);
  EXPECT_NE(folder.read("in.pgm"), before);
  EXPECT_EQ(folder.names(), Arguments{"in.pgm"});
}

TEST_F(Command, FilterReportsStepsAndDevice) {
  const Arguments start = {"filter", picture(), folder.path("out.png"), "--high-pass", "0.125", "--device", "host"};
  const CommandResult quiet = run_twiddle(start);
  EXPECT_NE(quiet.output.find("ideal high-pass 0.125"), std::string::npos);
  EXPECT_NE(quiet.output.find("12 x 10, grey, 8 bit"), std::string::npos);
  EXPECT_NE(quiet.output.find("on host"), std::string::npos);
  EXPECT_EQ(quiet.errors, "");
  Arguments with_profile = start;
  with_profile.emplace_back("--profile");
  const std::string table = run_twiddle(with_profile).output;
  for (const char* step : {"read picture", "plan", "forward: ", "mask", "inverse: ", "write picture", "total"}) {
    EXPECT_NE(table.find(step), std::string::npos) << step << " in\n" << table;
  }
  Arguments with_json = start;
  with_json.emplace_back("--json");
  const json result = json::parse(run_twiddle(with_json).output);
  EXPECT_EQ(result["width"], 12);
  EXPECT_EQ(result["device"]["device"], "host");
  EXPECT_GT(result["steps"].size(), 5U);
  EXPECT_GT(result["total_milliseconds"], 0);
}

TEST_F(Command, DevicesListsHostAndReasons) {
  const CommandResult text = run_twiddle({"devices"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_TRUE(text.output.starts_with("host: ")) << text.output;
  EXPECT_NE(text.output.find("compute units"), std::string::npos);
  EXPECT_NE(text.output.find("cuda:"), std::string::npos);
  const json result = json::parse(run_twiddle({"devices", "--json"}).output);
  EXPECT_EQ(result["devices"][0]["device"], "host");
  EXPECT_GE(result["devices"][0]["compute_units"], 1);
  for (const json& device : result["devices"]) {
    if (device["backend"] == "host") continue;
    EXPECT_NE(text.output.find("work-item sizes"), std::string::npos);
    EXPECT_EQ(device["max_work_item_sizes"].size(), device["max_work_item_dimensions"]);
    EXPECT_GE(device["max_work_group_size"], 1);
    EXPECT_GE(device["local_memory"], 1);
    EXPECT_LE(device["used_work_group_size"], device["max_work_group_size"]);
    EXPECT_LE(device["used_local_memory"], device["local_memory"]);
  }
}

TEST_F(Command, PlanShowsRecipeAndStages) {
  for (const char* limits : {"nvidia-opencl", "nvidia-cuda", "small", "mali", "host"}) {
    const CommandResult text = run_twiddle({"plan", "1080x1920", "--batch", "3", "--limits", limits});
    EXPECT_EQ(text.exit_code, 0) << text.errors;
    for (const char* part :
         {"3*1080x1920, forward", "axis 1: 1920 = ", "axis 0: 1080 = ", "stages", "scratch memory: "}) {
      EXPECT_NE(text.output.find(part), std::string::npos) << part << " in\n" << text.output;
    }
  }
  const json result = json::parse(
      run_twiddle({"plan", "16x1000", "--axes", "-1", "--inverse", "--in-place", "--limits", "small", "--json"})
          .output);
  EXPECT_EQ(result["direction"], "inverse");
  EXPECT_EQ(result["placement"], "in place");
  ASSERT_EQ(result["axes"].size(), 1U);
  EXPECT_EQ(result["axes"][0]["axis"], 1);
  EXPECT_GE(result["stages"].size(), 1U);
  EXPECT_EQ(run_twiddle({"plan", "1000"}).exit_code, 0);
}

TEST_F(Command, PlanShowsConvolutions) {
  const std::string problem = "conv:real:f32:4096:8*33:mode=same";
  const CommandResult text = run_twiddle({"plan", problem, "--device", "host"});
  EXPECT_EQ(text.exit_code, 0) << text.errors;
  for (const char* part : {"the cheapest of:", "overlap-save", "direct", "ms estimated", "kept of the filters"}) {
    EXPECT_NE(text.output.find(part), std::string::npos) << part << " in\n" << text.output;
  }
  const json result = json::parse(run_twiddle({"plan", problem, "--device", "host", "--json"}).output);
  EXPECT_EQ(result["problem"], problem);
  EXPECT_EQ(result["convolution"], "convolve f32 real, 1 x 4096 with 8 x 33, mode same, boundary zero");
  EXPECT_EQ(result["text"], text.output);
}

TEST_F(Command, PlanAndKernelTakeProblems) {
  const json result = json::parse(
      run_twiddle({"plan", "c2c:f32:3*16x1000:axes=1:inverse:inplace", "--limits", "small", "--json"}).output);
  EXPECT_EQ(result["problem"], "c2c:f32:3*16x1000:axes=1:inverse:inplace");
  EXPECT_EQ(result["direction"], "inverse");
  EXPECT_EQ(result["placement"], "in place");
  EXPECT_EQ(run_twiddle({"kernel", "c2c:f32:2*1000:inverse"}).output,
            run_twiddle({"kernel", "1000", "--batch", "2", "--inverse"}).output);
}

TEST_F(Command, GoodSizePrintsTheNextFastLength) {
  EXPECT_EQ(run_twiddle({"good-size", "1021"}).output, "1024\n");
  EXPECT_EQ(run_twiddle({"good-size", "75", "--kind", "c2r"}).output, "78\n");
  EXPECT_EQ(run_twiddle({"good-size", "1000", "--kind", "dct1"}).output, "1001\n");
}

TEST_F(Command, KernelPrintsProgramsOfEitherDialect) {
  const CommandResult opencl = run_twiddle({"kernel", "1000"});
  EXPECT_EQ(opencl.exit_code, 0) << opencl.errors;
  EXPECT_TRUE(opencl.output.starts_with("// Stage 1 of "));
  EXPECT_NE(opencl.output.find("__kernel"), std::string::npos);
  EXPECT_EQ(opencl.output, run_twiddle({"kernel", "1000", "--dialect", "opencl", "--limits", "nvidia-opencl"}).output);
  const CommandResult cuda = run_twiddle({"kernel", "1000", "--dialect", "cuda", "--inverse"});
  EXPECT_NE(cuda.output.find("__global__"), std::string::npos);
  EXPECT_NE(cuda.output.find("inverse"), std::string::npos);
  const CommandResult staged = run_twiddle({"kernel", "1024", "--limits", "mali"});
  EXPECT_NE(staged.output.find("// Stage 2 of "), std::string::npos);
  expect_failure(2, "native code", {"kernel", "1000", "--limits", "host"});
}

TEST_F(Command, KernelPrintsProgramsOfConvolutions) {
  const auto kernels = [](const Arguments& arguments) {
    const CommandResult result = run_twiddle(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    return result.output;
  };
  const std::string problem = "conv:complex:f32:1048576:8*257";
  const std::string bank = kernels({"kernel", problem, "--dialect", "cuda"});
  EXPECT_TRUE(bank.starts_with("// filters\n// Stage 1 of 1: spectra of the filters\n"));
  EXPECT_NE(bank.find("// signals\n// Stage 1 of 1: overlap-save, segments of "), std::string::npos);
  EXPECT_NE(bank.find("__global__"), std::string::npos);
  EXPECT_NE(kernels({"kernel", problem, "--limits", "mali"}).find("__kernel"), std::string::npos);
  const std::string sums = kernels({"kernel", problem + ":method=direct"});
  EXPECT_NE(sums.find(": direct sums\n"), std::string::npos);
  const std::string whole = kernels({"kernel", problem + ":method=whole:boundary=nearest:post=power"});
  for (const char* name :
       {"filters", "taps of the filters", "signals beyond their ends", "signals", "all filters", "results"}) {
    EXPECT_NE(whole.find(std::string("// ") + name + "\n"), std::string::npos) << name;
  }
  const std::string picture = kernels({"kernel", "conv:real:f32:512x512:9x9"});
  EXPECT_NE(picture.find("// signals, where all filters are products of a column and a row\n"), std::string::npos);
  expect_failure(2, "parts of the text", {"kernel", problem, "--inverse"});
  expect_failure(2, "native code", {"kernel", problem, "--limits", "host"});
}

}  // namespace
}  // namespace twiddle::test
