// Choices that were made by measuring on one device: data that planning reads before its own tables and models.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "plan/choice/bank_choice.hpp"
#include "plan/choice/measured_choices.hpp"
#include "twiddle/device.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::plan {

// Which lines a choice is for.
struct LineKey {
  std::uint64_t length = 1;
  LineUse use = LineUse::rows;  // but for few and twiddled columns, which follow columns
  Precision arithmetic = Precision::float32;
  auto operator<=>(const LineKey&) const = default;
};

// Uses that are chosen for alike have one key.
[[nodiscard]] LineKey line_key(std::uint64_t length, LineUse use, Precision arithmetic);

// How such lines are computed: in one stage of a certain shape, or in two parts.
struct LineChoice {
  std::uint64_t columns = 0;  // the line as so many columns beside rows of length / columns; 0: in one stage
  MeasuredChoice stage{};     // where columns is 0. The host looks at the radices, and of columns at `transforms`
  bool operator==(const LineChoice&) const = default;
};

class ChoiceTable {
 public:
  using Lines = std::map<LineKey, LineChoice>;
  using Banks = std::map<BankKey, BankChoice>;

  [[nodiscard]] const LineChoice* find(const LineKey& key) const;
  void set(const LineKey& key, LineChoice choice) { lines_[key] = std::move(choice); }
  [[nodiscard]] const BankChoice* find(const BankKey& key) const;
  void set(const BankKey& key, BankChoice choice) { banks_[key] = std::move(choice); }
  // Takes over what the other one holds, also where this one says something else.
  void merge(const ChoiceTable& other);

  [[nodiscard]] const Lines& lines() const { return lines_; }
  [[nodiscard]] const Banks& banks() const { return banks_; }
  [[nodiscard]] std::size_t size() const { return lines_.size() + banks_.size(); }
  bool operator==(const ChoiceTable&) const = default;

 private:
  Lines lines_;
  Banks banks_;
};

// Why no device with these limits can carry out the choice; nothing where one can. Choices come from files.
[[nodiscard]] std::optional<std::string> objection(const LineKey& key, const LineChoice& choice,
                                                   const DeviceLimits& limits);

// The same of a limit of registers, whoever it is for.
[[nodiscard]] std::optional<std::string> objection_to_registers(std::uint32_t registers);

// The choice for such lines in limits.choices, if there is one that the device can carry out.
[[nodiscard]] const LineChoice* tuned_choice(std::uint64_t length, LineUse use, const DeviceLimits& limits);

// "1000, rows, f32: 10.10.10, 100 items x 2".
[[nodiscard]] std::string to_string(const LineKey& key, const LineChoice& choice);

}  // namespace twiddle::plan
