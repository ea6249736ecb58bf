// Measured choices on disk, in a file of the user's that devices read by default. Safe with many processes: who adds to
// it holds a lock, and the file is replaced as a whole.
#pragma once

#include <filesystem>
#include <memory>

#include "tune/choice_book.hpp"

namespace twiddle::tuning {

// $TWIDDLE_CHOICES, else $XDG_CONFIG_HOME/twiddle/choices.json, else ~/.config/twiddle/choices.json; empty where
// TWIDDLE_CHOICES is "" or "off", or no home is known.
[[nodiscard]] std::filesystem::path default_choice_file();

// Empty where there is no such file. Throws InvalidArgument, naming the file, where it holds something else, and
// DeviceError where it cannot be read.
[[nodiscard]] ChoiceBook read_choice_book(const std::filesystem::path& path);

// Adds choices, which replace those for the same lines; makes folder and file where there are none. Throws what
// read_choice_book throws, and DeviceError where it cannot be written: then everything is as it was.
void add_to_choice_book(const std::filesystem::path& path, const ChoiceBook& additions);

// What the default file has for a device; null where that is nothing, or cannot be read: a damaged file must not keep
// anybody from working. (`twiddle tune --show` tells.) The file is read again only once it has changed.
[[nodiscard]] std::shared_ptr<const plan::ChoiceTable> stored_choices(const DeviceInfo& info);

}  // namespace twiddle::tuning
