// twiddle convolve: pictures through small kernels, arrays and sound through filters from files.
#include <memory>

#include "commands.hpp"
#include "convolve_picture.hpp"
#include "convolve_signal.hpp"
#include "errors.hpp"

namespace twiddle::tool {
namespace {

struct ConvolveOptions {
  std::vector<std::string> files;
  std::string kernel;
  std::optional<Boundary> boundary;
  bool correlate = false;
  ComputeOptions compute;
  PictureConvolutionOptions picture;
  SignalConvolutionOptions signal;
};

void add_picture_options(CLI::App& command, ConvolveOptions& options) {
  CLI::Option_group* group = command.add_option_group("Pictures");
  std::string names;
  for (const std::string_view name : image_kernel_names()) names += (names.empty() ? "" : ", ") + std::string(name);
  group->add_option("--kernel", options.kernel, names + "; or rows of numbers: \"0 -1 0; -1 5 -1; 0 -1 0\"")
      ->type_name("KERNEL");
  PictureConvolutionOptions& picture = options.picture;
  group->add_option("--scale", picture.scale, "Divide by this; 0: do not (default: the sum of the weights)")
      ->type_name("NUMBER");
  group->add_option("--offset", picture.offset, "Add this after that (default 0)")->type_name("NUMBER");
  using Variant = ImageConvolution::Variant;
  std::vector<std::pair<std::string, Variant>> variants;
  for (const Variant variant : {Variant::automatic, Variant::reference, Variant::addressed, Variant::vectors,
                                Variant::blocked, Variant::separable}) {
    variants.emplace_back(to_string(variant), variant);
  }
  add_choice_option<Variant>(*group, "--variant", picture.variant, variants,
                             "automatic (the default), reference, addressed, vectors, blocked or separable: the same "
                             "result, by ever faster means");
}

void add_signal_options(CLI::App& command, SignalConvolutionOptions& options) {
  CLI::Option_group* group = command.add_option_group("Arrays and sound");
  using Mode = Convolution::Mode;
  group->add_option("--dimensions", options.dimensions, "Dimensions of each signal and filter of an array (default 1)")
      ->type_name("1, 2 or 3")
      ->check(CLI::Range(1, 3));
  add_choice_option<Mode>(*group, "--mode", options.mode,
                          {{"full", Mode::full}, {"same", Mode::same}, {"valid", Mode::valid}},
                          "full (the default), same or valid, as in SciPy");
  using Method = Convolution::Method;
  std::vector<std::pair<std::string, Method>> methods;
  for (const Method method :
       {Method::automatic, Method::direct, Method::separable, Method::whole, Method::overlap_save}) {
    methods.emplace_back(to_string(method), method);
  }
  add_choice_option<Method>(
      *group, "--method", options.method, methods,
      "automatic (the default: as a stream), or by long pieces by direct, separable, whole or overlap-save");
  using Function = PostProcessing::Function;
  std::vector<std::pair<std::string, Function>> functions;
  std::string words;
  for (const Function function : {Function::none, Function::power, Function::magnitude, Function::derivative,
                                  Function::interbin_pi_4, Function::interbin_2_pi}) {
    functions.emplace_back(to_string(function), function);
    words += (words.empty() ? "" : ", ") + std::string(to_string(function));
  }
  add_choice_option<Function>(*group, "--post", options.post.function, functions,
                              "What is made of the results: " + words);
  group->add_flag("--maximum", options.post.maximum, "Keep the largest of all filters, and which one it is");
  group->add_option("--decimate", options.post.decimation, "Keep every Nth result")
      ->check(positive_number())
      ->type_name("N");
  group->add_option("--gain", options.gain, "Multiply the result by this (default 1)")->type_name("NUMBER");
}

void run(ConvolveOptions& options, const CLI::App& command) {
  const std::size_t expected = options.kernel.empty() ? 3 : 2;
  if (options.files.size() != expected) {
    throw UsageError(options.kernel.empty()
                         ? "expected SIGNAL FILTERS OUT, or IN OUT and --kernel for a picture; see --help"
                         : "expected IN and OUT beside --kernel, which is for pictures");
  }
  for (const char* name : {"--scale", "--offset", "--variant"}) {
    if (options.kernel.empty() && command.count(name) != 0) {
      throw UsageError(std::string(name) + " is for pictures, which need a --kernel");
    }
  }
  for (const char* name : {"--dimensions", "--mode", "--method", "--post", "--maximum", "--decimate", "--gain"}) {
    if (!options.kernel.empty() && command.count(name) != 0) {
      throw UsageError(std::string(name) + " is for arrays and sound; a picture keeps its size (try --scale)");
    }
  }
  if (!options.kernel.empty()) {
    PictureConvolutionOptions& picture = options.picture;
    picture.input = options.files[0];
    picture.output = options.files[1];
    picture.kernel = options.kernel;
    picture.boundary = options.boundary.value_or(Boundary::reflect);
    picture.correlate = options.correlate;
    picture.compute = options.compute;
    return convolve_picture(picture);
  }
  SignalConvolutionOptions& signal = options.signal;
  signal.signal = options.files[0];
  signal.filters = options.files[1];
  signal.output = options.files[2];
  signal.boundary = options.boundary.value_or(Boundary::zero);
  signal.correlate = options.correlate;
  signal.compute = options.compute;
  convolve_signal(signal);
}

}  // namespace

void add_convolve_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("convolve", "Convolve pictures, sound and arrays");
  const auto options = std::make_shared<ConvolveOptions>();
  command->add_option("FILES", options->files, "IN OUT for a picture with --kernel; else SIGNAL FILTERS OUT")
      ->required();  // run() says what is missing
  add_picture_options(*command, *options);
  add_signal_options(*command, options->signal);
  command
      ->add_option_function<std::string>(
          "--boundary",
          [options](const std::string& word) {
            for (const Boundary boundary : {Boundary::zero, Boundary::periodic, Boundary::reflect, Boundary::nearest}) {
              if (word == to_string(boundary)) options->boundary = boundary;
            }
            if (!options->boundary) {
              throw CLI::ValidationError("--boundary",
                                         "'" + word + "' is unknown; expected one of zero, periodic, reflect, nearest");
            }
          },
          "What lies beyond the edges: zero (the default for signals), periodic, reflect (for pictures) or nearest")
      ->type_name("NAME");
  command->add_flag("--correlate", options->correlate,
                    "Lay kernel or filters over the data as they are, not turned around");
  add_compute_options(*command, options->compute, "the host");
  command->footer(
      "A convolution turns the kernel around: each sample spreads over its neighbours as the kernel is written.\n"
      "Pictures: results are rounded and clamped to the range of the samples. Kernels whose weights add up to 0 show\n"
      "edges, of one sign only unless an offset moves zero to the middle. Alpha and depth (8 or 16 bits) are kept.\n"
      "Arrays and sound: SIGNAL and FILTERS are .npy arrays of one or two dimensions, or sound files (WAV, FLAC, Ogg,\n"
      "AIFF, ...), told apart by content; OUT is what its name says. Every row of an array meets every filter: the "
      "result\n"
      "is (signals, filters, samples). With --dimensions 2, or 3, signals and filters are planes, or volumes, and "
      "arrays\n"
      "may have one dimension more for several of them. Sound meets filters channel by channel, or one of either "
      "meets\n"
      "all of the other. Files may be larger than memory unless --dimensions is asked for.\n"
      "--maximum gives two planes: values, and indices of filters.\n\n"
      "Examples:\n"
      "  twiddle convolve photo.jpg sharp.png --kernel sharpen\n"
      "  twiddle convolve scan.tiff edges.tiff --kernel \"1 0 -1; 2 0 -2; 1 0 -1\" --offset 32768\n"
      "  twiddle convolve speech.wav cathedral.wav reverb.flac --gain 0.2\n"
      "  twiddle convolve signal.npy filters.npy out.npy --mode same --boundary reflect\n"
      "  twiddle convolve images.npy kernel.npy out.npy --dimensions 2 --mode same");
  command->callback([options, command] { run(*options, *command); });
}

}  // namespace twiddle::tool
