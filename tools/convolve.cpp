// twiddle convolve: pictures through small kernels.
#include <memory>

#include "commands.hpp"
#include "convolve_picture.hpp"

namespace twiddle::tool {

void add_convolve_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("convolve", "Convolve a picture with a small kernel");
  const auto options = std::make_shared<PictureConvolutionOptions>();
  command->add_option("IN", options->input, "Picture: PGM, PPM, PNG, TIFF or JPEG; grey or RGB")->required();
  command->add_option("OUT", options->output, "Result; its extension names the format")->required();
  std::string names;
  for (const std::string_view name : image_kernel_names()) names += (names.empty() ? "" : ", ") + std::string(name);
  command->add_option("--kernel", options->kernel, names + "; or rows of numbers: \"0 -1 0; -1 5 -1; 0 -1 0\"")
      ->required()
      ->type_name("KERNEL");
  command->add_option("--scale", options->scale, "Divide by this; 0: do not (default: the sum of the weights)")
      ->type_name("NUMBER");
  command->add_option("--offset", options->offset, "Add this after that (default 0)")->type_name("NUMBER");
  add_choice_option<Boundary>(*command, "--boundary", options->boundary,
                              {{"zero", Boundary::zero},
                               {"periodic", Boundary::periodic},
                               {"reflect", Boundary::reflect},
                               {"nearest", Boundary::nearest}},
                              "zero, periodic, reflect (the default) or nearest: what lies beyond the edges");
  command->add_flag("--correlate", options->correlate, "Lay the kernel over the picture as it is written");
  using Variant = ImageConvolution::Variant;
  std::vector<std::pair<std::string, Variant>> variants;
  for (const Variant variant : {Variant::automatic, Variant::reference, Variant::addressed, Variant::vectors,
                                Variant::blocked, Variant::separable}) {
    variants.emplace_back(to_string(variant), variant);
  }
  add_choice_option<Variant>(*command, "--variant", options->variant, variants,
                             "automatic (the default), reference, addressed, vectors, blocked or separable: the same "
                             "result, by ever faster means");
  add_compute_options(*command, options->compute);
  command->footer(
      "A convolution turns the kernel around: each sample spreads over its neighbours as the kernel is written. "
      "Results "
      "are\n"
      "rounded and clamped to the range of the picture's samples. Kernels whose weights add up to 0 show edges, of one "
      "sign\n"
      "only unless an offset moves zero to the middle. Alpha is kept as it is, and so is the depth (8 or 16 bits).\n\n"
      "Examples:\n"
      "  twiddle convolve photo.jpg sharp.png --kernel sharpen\n"
      "  twiddle convolve photo.jpg soft.png --kernel \"1 2 1; 2 4 2; 1 2 1\" --boundary nearest\n"
      "  twiddle convolve scan.tiff edges.tiff --kernel sobel-x --offset 32768\n"
      "  twiddle convolve in.pgm out.pgm --kernel smooth5 --variant separable --profile");
  command->callback([options] { convolve_picture(*options); });
}

}  // namespace twiddle::tool
