// The commands of the program: each function registers one, with its options, help and action.
#pragma once

#include <CLI/CLI.hpp>

namespace twiddle::tool {

void add_filter_command(CLI::App& app);
void add_convolve_command(CLI::App& app);
void add_spectrum_command(CLI::App& app);
void add_fft_command(CLI::App& app);
void add_devices_command(CLI::App& app);
void add_plan_command(CLI::App& app);
void add_kernel_command(CLI::App& app);
void add_good_size_command(CLI::App& app);
void add_verify_command(CLI::App& app);
void add_bench_command(CLI::App& app);
void add_study_command(CLI::App& app);
void add_tune_command(CLI::App& app);

}  // namespace twiddle::tool
