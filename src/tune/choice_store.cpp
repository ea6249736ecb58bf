// The file of measured choices.
#include "tune/choice_store.hpp"

#include "tune/record_file.hpp"

namespace twiddle::tuning {

std::filesystem::path default_choice_file() { return user_file("TWIDDLE_CHOICES", "choices.json"); }

ChoiceBook read_choice_book(const std::filesystem::path& path) { return read_records(path, parse_choice_book); }

void add_to_choice_book(const std::filesystem::path& path, const ChoiceBook& additions) {
  change_record_file(path, [&](const std::filesystem::path& full) {
    ChoiceBook book = read_choice_book(full);
    for (const auto& [identity, table] : additions) book[identity].merge(table);
    return print_choice_book(book);
  });
}

std::shared_ptr<const plan::ChoiceTable> stored_choices(const DeviceInfo& info) {
  static RecordCache<ChoiceBook> cache(read_choice_book);
  const std::shared_ptr<const ChoiceBook> book = cache.content(default_choice_file()).records;
  if (!book) return nullptr;
  const auto found = book->find(identity_of(info));
  if (found == book->end()) return nullptr;
  return {book, &found->second};
}

}  // namespace twiddle::tuning

namespace twiddle {

DeviceLimits Device::limits() const {
  DeviceLimits limits = info().limits;
  limits.choices = choices_ ? *choices_ : tuning::stored_choices(info());
  limits.strategy = strategy_;
  return limits;
}

Device Device::with_choices(std::shared_ptr<const plan::ChoiceTable> choices) const {
  Device device = *this;
  device.choices_ = std::move(choices);
  return device;
}

}  // namespace twiddle
