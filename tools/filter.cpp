// twiddle filter: a picture through a filter in the frequency domain.
#include "twiddle/filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "errors.hpp"
#include "grey_levels.hpp"
#include "image.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "report.hpp"

namespace twiddle::tool {
namespace {

// A result this small beside the picture's largest level is what rounding leaves of zero in single precision.
constexpr float relative_noise = 2e-6F;

struct FilterOptions {
  std::string input;
  std::string output;
  std::optional<double> high_pass;
  std::optional<double> low_pass;
  std::vector<double> band_pass;
  std::vector<double> band_stop;
  Filter::Shape shape = Filter::Shape::ideal;
  std::optional<unsigned> order;
  bool normalize = false;
  bool no_normalize = false;
  ComputeOptions compute;
};

Filter filter_of(const FilterOptions& options) {
  Filter filter;
  if (options.high_pass) {
    filter = {.band = Filter::Band::high_pass, .cutoff = *options.high_pass};
  } else if (options.low_pass) {
    filter = {.band = Filter::Band::low_pass, .cutoff = *options.low_pass};
  } else {
    const bool pass = !options.band_pass.empty();
    const std::vector<double>& cutoffs = pass ? options.band_pass : options.band_stop;
    filter = {.band = pass ? Filter::Band::band_pass : Filter::Band::band_stop,
              .cutoff = cutoffs.at(0),
              .upper_cutoff = cutoffs.at(1)};
  }
  filter.shape = options.shape;
  if (options.order && options.shape != Filter::Shape::butterworth) {
    throw UsageError("--order applies to --shape butterworth only");
  }
  if (options.order) filter.order = *options.order;
  validate(filter);
  return filter;
}

void print_result(const FilterOptions& options, const Filter& filter, const Image& image, const Device& device,
                  const Report& report) {
  const nlohmann::ordered_json result = {
      {"input", options.input},         {"output", options.output},
      {"filter", to_string(filter)},    {"height", image.height},
      {"width", image.width},           {"channels", image.channels.size()},
      {"bits_per_sample", image.depth}, {"device", summary_json(device.info())},
      {"steps", report.json()},         {"total_milliseconds", report.total_milliseconds()}};
  print_json(result);
}

void run(const FilterOptions& options) {
  const Filter filter = filter_of(options);
  check_image_name(options.output);
  const bool passes_no_mean = filter.band == Filter::Band::high_pass || filter.band == Filter::Band::band_pass;
  const Part part = passes_no_mean ? Part::magnitude : Part::real;

  Report report;
  Progress progress(5);
  progress.step("reading " + options.input);
  Image image = report.timed("read picture", [&] { return read_image(options.input); });
  progress.step("planning");
  const Problem problem{.transform = {.lengths = {image.height, image.width}, .batch = image.channels.size()}};
  const Device device = report.timed("open device", [&] {
    return open_device(options.compute.device, problem, 2);  // there and back
  });
  const Plan plan = report.timed("plan", [&] { return Plan(device, problem.transform); });
  std::vector<std::complex<float>> values = report.timed("samples", [&] { return to_complex(image); });
  const float largest = std::max_element(values.begin(), values.end(), [](auto left, auto right) {
                          return left.real() < right.real();
                        })->real();
  progress.step("filtering");
  if (options.compute.profile || options.compute.json) {
    report.profiled([&](Profile* profile) { apply_filter(plan, filter, values, profile); });
  } else {
    apply_filter(plan, filter, values);
  }
  progress.step("scaling");
  report.timed("levels", [&] {
    set_levels(image, take_part(values, part), options.normalize || (passes_no_mean && !options.no_normalize),
               relative_noise * largest);
  });
  progress.step("writing " + options.output);
  const std::string note = report.timed("write picture", [&] { return write_image(options.output, image); });
  progress.finish();

  if (!note.empty()) fmt::print(stderr, "twiddle: note: {}\n", note);
  if (options.compute.json) return print_result(options, filter, image, device, report);
  fmt::print("{}: {} of {} ({}), on {}\n", options.output, to_string(filter), options.input, describe(image),
             describe(device.info()));
  if (options.compute.profile) fmt::print("{}", report.table());
}

}  // namespace

void add_filter_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("filter", "Filter a picture in the frequency domain");
  const auto options = std::make_shared<FilterOptions>();
  command->add_option("IN", options->input, "Picture: PGM, PPM, PNG, TIFF or JPEG; grey or RGB")->required();
  command->add_option("OUT", options->output, "Result; its extension names the format")->required();
  CLI::Option_group* band =
      command->add_option_group("Filter", "exactly one; cut-offs in cycles per pixel, at most 0.7071");
  band->add_option("--high-pass", options->high_pass, "Remove what lies below C: edges and detail remain")
      ->type_name("C");
  band->add_option("--low-pass", options->low_pass, "Keep what lies below C: detail goes")->type_name("C");
  band->add_option("--band-pass", options->band_pass, "Keep C1 <= frequency < C2")
      ->type_size(2)
      ->expected(1)
      ->type_name("C1 C2");
  band->add_option("--band-stop", options->band_stop, "Remove C1 <= frequency < C2")
      ->type_size(2)
      ->expected(1)
      ->type_name("C1 C2");
  band->require_option(1);
  add_choice_option<Filter::Shape>(*command, "--shape", options->shape,
                                   {{"ideal", Filter::Shape::ideal},
                                    {"gaussian", Filter::Shape::gaussian},
                                    {"butterworth", Filter::Shape::butterworth}},
                                   "ideal (a step; the default), gaussian or butterworth");
  command->add_option("--order", options->order, "Steepness of butterworth, 1..64 (default 2)")
      ->check(CLI::Range(1, 64))
      ->type_name("N");
  CLI::Option* normalize = command->add_flag("--normalize", options->normalize, "Scale so that 0..max fills the range");
  command->add_flag("--no-normalize", options->no_normalize, "Only round and clamp")->excludes(normalize);
  add_compute_options(*command, options->compute);
  command->footer(
      "The frequency is radial: sqrt(fu^2 + fv^2). High- and band-pass write magnitudes and are scaled (--normalize) "
      "unless\n"
      "told otherwise; low-pass and band-stop write real parts, only rounded and clamped (--no-normalize). Each "
      "colour\n"
      "channel is filtered by itself; max is taken over all of them, so that colours stay in proportion. Alpha is kept "
      "as it\n"
      "is, and so is the depth (8 or 16 bits) where the format allows. The gaussian high-pass is 1 - low-pass.\n\n"
      "Examples:\n"
      "  twiddle filter photo.jpg edges.png --high-pass 0.125\n"
      "  twiddle filter scan.tiff smooth.tiff --low-pass 0.1 --shape gaussian\n"
      "  twiddle filter raster.png clean.png --band-stop 0.22 0.28 --shape butterworth --order 4\n"
      "  twiddle filter in.pgm out.pgm --band-pass 0.05 0.2 --device opencl:0 --profile");
  command->callback([options] { run(*options); });
}

}  // namespace twiddle::tool
