// twiddle spectrum: how much of each frequency a picture holds, as a picture.
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "grey_levels.hpp"
#include "image.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "twiddle/filter.hpp"

namespace twiddle::tool {
namespace {

struct SpectrumOptions {
  std::string input;
  std::string output;
  ComputeOptions compute;
};

void run(const SpectrumOptions& options) {
  check_image_name(options.output);
  Report report;
  Progress progress(4);
  progress.step("reading " + options.input);
  Image image = report.timed("read picture", [&] { return read_image(options.input); });
  image.alpha.clear();  // the result's pixels are frequencies, not places
  progress.step("planning");
  const Problem problem{.transform = {.lengths = {image.height, image.width}, .batch = image.channels.size()}};
  const Device device = report.timed("open device", [&] { return open_device(options.compute.device, problem); });
  const Plan plan = report.timed("plan", [&] { return Plan(device, problem.transform); });
  std::vector<std::complex<float>> values = report.timed("samples", [&] { return to_complex(image); });
  std::vector<float> spectrum(values.size());
  progress.step("transforming");
  if (options.compute.profile || options.compute.json) {
    report.profiled([&](Profile* profile) { log_spectrum(plan, values, spectrum, profile); });
  } else {
    log_spectrum(plan, values, spectrum);
  }
  progress.step("writing " + options.output);
  report.timed("levels", [&] { set_levels(image, spectrum, true, 0); });
  const std::string note = report.timed("write picture", [&] { return write_image(options.output, image); });
  progress.finish();

  if (!note.empty()) fmt::print(stderr, "twiddle: note: {}\n", note);
  if (options.compute.json) {
    const nlohmann::ordered_json result = {{"input", options.input},
                                           {"output", options.output},
                                           {"height", image.height},
                                           {"width", image.width},
                                           {"channels", image.channels.size()},
                                           {"device", summary_json(device.info())},
                                           {"steps", report.json()},
                                           {"total_milliseconds", report.total_milliseconds()}};
    print_json(result);
    return;
  }
  fmt::print("{}: spectrum of {} ({}), on {}\n", options.output, options.input, describe(image),
             describe(device.info()));
  if (options.compute.profile) fmt::print("{}", report.table());
}

}  // namespace

void add_spectrum_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("spectrum", "Draw the spectrum of a picture");
  const auto options = std::make_shared<SpectrumOptions>();
  command->add_option("IN", options->input, "Picture: PGM, PPM, PNG, TIFF or JPEG; grey or RGB")->required();
  command->add_option("OUT", options->output, "Result; its extension names the format")->required();
  add_compute_options(*command, options->compute);
  command->footer(
      "Writes log(1 + |X|) of each channel's transform X, scaled so that 0..max fills the range (max over all "
      "channels).\n"
      "Frequency zero stands in the centre, at row height/2 and column width/2; row r is the frequency\n"
      "(r - height/2) / height cycles per pixel, and columns likewise.\n\n"
      "Examples:\n"
      "  twiddle spectrum photo.jpg spectrum.png\n"
      "  twiddle spectrum raster.tiff spectrum.tiff --device opencl --profile");
  command->callback([options] { run(*options); });
}

}  // namespace twiddle::tool
