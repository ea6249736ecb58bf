// Overlap-save of one long signal with a bank of filters: which segment, one kernel or several, and post-processing.
#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <map>
#include <memory>

#include "convolution_bank.hpp"
#include "plan/convolution/bank_shape.hpp"
#include "plan/device/limits.hpp"
#include "plan/shape/shape.hpp"
#include "samples.hpp"
#include "studies.hpp"
#include "turns.hpp"

namespace twiddle::studies {
namespace {

constexpr const char* chosen = "chosen";
constexpr const char* several_kernels = "several kernels";
constexpr const char* fused_power = "power in the kernel";
constexpr const char* later_power = "power in a second kernel";
constexpr const char* several_and_power = "several kernels and power";
constexpr std::size_t checked_samples = 1 << 14;

std::string part_of(std::size_t filters) { return fmt::format("{} filter{}", filters, filters == 1 ? "" : "s"); }

std::size_t filters_of(const std::string& part) { return std::stoul(part); }

std::size_t signal_samples(const Setting& setting) {
  if (setting.quick) return std::size_t{1} << 16;
  return std::size_t{1} << (setting.device.info().backend == BackendKind::host ? 18 : 21);
}

// One kernel a pass: |y|^2 of complex numbers, as reals.
class PowerPass {
 public:
  PowerPass(const Device& device, std::size_t count) {
    plan::Stage stage;
    stage.loops = {{count, 1, 1}};
    stage.output_storage.form = plan::Storage::Form::real;
    stage.load_hook = plan::StageHook{named_hook("power"), 1};
    stage.shape = plan::choose_shape(stage, plan::limits_for(device.info().limits, Precision::float32));
    executable_ = device.engine().compile(stage);
  }
  void submit(const Buffer& input, Buffer& output) const {
    backend::Operands operands;
    operands.input = &input.memory();
    operands.output = &output.memory();
    executable_->run(operands, nullptr);
  }

 private:
  std::shared_ptr<const backend::Executable> executable_;
};

// One row of a table: the data of a signal, a bank and the results that are expected.
class Bank {
 public:
  Bank(const Setting& setting, std::size_t filters, std::size_t taps)
      : device_(setting.device), samples_(signal_samples(setting)), filters_(filters), taps_(taps) {
    signal_ = random_floats(2 * samples_);
    weights_ = random_floats(2 * filters * taps);
    const std::size_t checked = std::min(samples_, checked_samples);
    expected_ = expected_of(convolution(checked));
    Convolution power = convolution(checked);
    power.post.function = PostProcessing::Function::power;
    expected_power_ = expected_of(power);
  }

  [[nodiscard]] Convolution convolution(std::size_t samples) const {
    return {.signal_lengths = {samples},
            .kernel_lengths = {taps_},
            .filters = filters_,
            .complex = true,
            .mode = Convolution::Mode::same,
            .past = {static_cast<std::int64_t>(taps_) - 1}};
  }

  // In one kernel, in segments of so many points; 0: chosen.
  [[nodiscard]] Turns::Work fused(std::size_t segment, bool power, bool second_kernel) {
    Convolution wanted = convolution(samples_);
    wanted.method = Convolution::Method::overlap_save;
    wanted.segment = segment;
    if (power && !second_kernel) wanted.post.function = PostProcessing::Function::power;
    auto plan = std::make_shared<ConvolutionPlan>(device_, wanted);
    plan->set_filters(weights_);
    auto output = std::make_shared<Buffer>(device_, plan->output_bytes());
    if (!second_kernel)
      return checked([plan, input = input(), output] { plan->execute(*input, *output); }, *output, power);
    auto result = std::make_shared<Buffer>(device_, plan->output_bytes() / 2);
    auto pass = std::make_shared<PowerPass>(device_, samples_ * filters_);
    const auto work = [plan, input = input(), output, result, pass] {
      plan->execute(*input, *output);
      pass->submit(*output, *result);
    };
    return checked(work, *result, true);
  }

  // Forward, products and back in kernels of their own.
  [[nodiscard]] Turns::Work apart(bool power) {
    const std::size_t segment = segment_apart();
    std::vector<std::complex<float>> filters(filters_ * taps_);
    for (std::size_t i = 0; i < filters.size(); ++i) filters[i] = {weights_[2 * i], weights_[2 * i + 1]};
    auto bank =
        std::make_shared<const bench::BankRun>(bench::BankRun::apart(device_, convolution(samples_), segment, filters));
    // What stands before the signal is there as zeros, and enough behind it for the last segment.
    std::vector<float> padded(2 * (taps_ - 1 + samples_ + segment));
    std::ranges::copy(signal_, padded.begin() + static_cast<std::ptrdiff_t>(2 * (taps_ - 1)));
    auto input = std::make_shared<Buffer>(Buffer::of<float>(device_, padded.size()));
    input->write(padded);
    auto output = std::make_shared<Buffer>(Buffer::of<float>(device_, 2 * filters_ * bank->pitch()));
    bank->submit(*input, *input, *output);  // the filters' spectra are made once
    const auto convolve = [bank, input, output] { bank->submit(*input, *input, *output, false); };
    if (!power) return checked(convolve, *output, false, bank->pitch());
    auto result = std::make_shared<Buffer>(Buffer::of<float>(device_, filters_ * bank->pitch()));
    auto pass = std::make_shared<PowerPass>(device_, filters_ * bank->pitch());
    const auto work = [convolve, output, result, pass] {
      convolve();
      pass->submit(*output, *result);
    };
    return checked(work, *result, true, bank->pitch());
  }

 private:
  // The shortest of which three quarters give outputs, or else the longest; transforms in one launch.
  [[nodiscard]] std::size_t segment_apart() const {
    std::size_t longest = 0;
    for (const auto& segment : plan::bank_segments(plan::limits_for(device_.info().limits, Precision::float32))) {
      longest = segment.length;
      if (segment.length >= std::max<std::size_t>(1024, 4 * taps_)) break;
    }
    if (longest <= taps_) throw Unsupported("no segment in one launch is longer than the filters");
    return longest;
  }

  [[nodiscard]] std::shared_ptr<Buffer> input() {
    if (!input_) {
      input_ = std::make_shared<Buffer>(Buffer::of<float>(device_, signal_.size()));
      input_->write(signal_);
    }
    return input_;
  }

  // Of the first samples, on the host: the filters look backwards only.
  [[nodiscard]] std::vector<float> expected_of(const Convolution& wanted) const {
    ConvolutionPlan plan(Device::host(), wanted);
    plan.set_filters(weights_);
    std::vector<float> output(plan.output_bytes() / sizeof(float));
    plan.execute(std::span(signal_).first(plan.signal_bytes() / sizeof(float)), output);
    return output;
  }

  [[nodiscard]] Turns::Work checked(Turns::Work work, const Buffer& output, bool power, std::size_t pitch = 0) const {
    work();
    std::vector<float> results(output.size_bytes() / sizeof(float));
    output.read(results);
    const std::vector<float>& expected = power ? expected_power_ : expected_;
    const std::size_t scalars = power ? 1 : 2;
    const std::size_t rows = expected.size() / filters_;
    for (std::size_t filter = 0; filter < filters_; ++filter) {
      const std::size_t first = filter * scalars * (pitch == 0 ? samples_ : pitch);
      const double difference =
          difference_of(std::span(expected).subspan(filter * rows, rows), std::span(results).subspan(first, rows));
      if (!(difference <= 1e-4)) wrong(difference);
    }
    return work;
  }

  Device device_;
  std::size_t samples_;
  std::size_t filters_;
  std::size_t taps_;
  std::vector<float> signal_;
  std::vector<float> weights_;
  std::vector<float> expected_;
  std::vector<float> expected_power_;
  std::shared_ptr<Buffer> input_;
};

std::vector<Trial> trials(const Setting& setting) {
  std::vector<Trial> result;
  const std::vector<std::size_t> counts =
      setting.quick ? std::vector<std::size_t>{1, 8} : std::vector<std::size_t>{1, 8, 32};
  const std::vector<std::size_t> taps =
      setting.quick ? std::vector<std::size_t>{65, 513} : std::vector<std::size_t>{65, 257, 513, 1025, 2049};
  for (const std::size_t filters : counts) {
    for (const std::size_t m : taps) result.push_back({part_of(filters), static_cast<double>(m)});
  }
  return result;
}

std::vector<std::size_t> segments_of(const Setting& setting) {
  std::vector<std::size_t> lengths;
  for (const plan::BankSegment& segment :
       plan::bank_segments(plan::limits_for(setting.device.info().limits, Precision::float32))) {
    lengths.push_back(segment.length);
  }
  if (lengths.empty()) lengths = {256, 512, 1024, 2048, 4096, 8192};  // the host takes what it is given
  std::erase_if(lengths, [&](std::size_t length) { return length < 256 || (setting.quick && length == 512); });
  return lengths;
}

std::vector<Sample> measure(const Setting& setting, const Trial& trial) {
  const auto taps = static_cast<std::size_t>(trial.x);
  Bank bank(setting, filters_of(trial.part), taps);
  Turns turns(setting, trial);
  turns.add(chosen, [&] { return bank.fused(0, false, false); });
  for (const std::size_t segment : segments_of(setting)) {
    if (segment >= 2 * taps) {
      turns.add(fmt::format("segments of {}", segment), [&] { return bank.fused(segment, false, false); });
    }
  }
  turns.add(several_kernels, [&] { return bank.apart(false); });
  turns.add(fused_power, [&] { return bank.fused(0, true, false); });
  turns.add(later_power, [&] { return bank.fused(0, true, true); });
  turns.add(several_and_power, [&] { return bank.apart(true); });
  return turns.measure();
}

// Over all parts, for filters of at most so many taps.
std::vector<Ratio> all_ratios(const Samples& samples, const char* slow, const char* fast) {
  std::vector<Ratio> all;
  for (const std::string& part : parts_of(samples)) {
    const auto some = ratios(samples, part, slow, fast);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

std::vector<Comparison> comparisons(const Samples& samples) {
  return {{"several kernels' time over one kernel's", "1.8 to 2.8 for M < 512, beside the vendor's library",
           range_text(all_ratios(samples, several_kernels, chosen))},
          {"the same with the power of the results", "2 to 4",
           range_text(all_ratios(samples, several_and_power, fused_power))},
          {"power in a second kernel over power in the same one", "-",
           range_text(all_ratios(samples, later_power, fused_power))}};
}

std::string reading(const Samples& samples) {
  std::size_t rows = 0;
  std::vector<double> regrets;
  std::map<std::string, std::size_t> best;
  for (const std::string& part : parts_of(samples)) {
    for (const double x : xs_of(samples, part)) {
      const Sample* fastest_segment = nullptr;
      for (const Sample& sample : samples) {
        if (sample.part != part || sample.x != x || !sample.series.starts_with("segments of ") ||
            !sample.complaint.empty())
          continue;
        if (fastest_segment == nullptr || sample.microseconds.median < fastest_segment->microseconds.median)
          fastest_segment = &sample;
      }
      const auto own = time_of(samples, part, x, chosen);
      if (fastest_segment == nullptr || !own) continue;
      ++rows;
      ++best[fastest_segment->series.substr(12)];
      regrets.push_back(*own / fastest_segment->microseconds.median);
    }
  }
  if (rows == 0) return "No segment could be measured.";
  const auto most = std::ranges::max_element(best, {}, [](const auto& item) { return item.second; });
  const auto apart = all_ratios(samples, several_kernels, chosen);
  return fmt::format(
      "Segments of {} are the fastest most often ({} of {} cases), and the segment that is chosen takes {} times as "
      "long "
      "as the best in the geometric mean{}.",
      most->first, most->second, rows, number_text(bench::geometric_mean(regrets)),
      apart.empty() ? "" : fmt::format("; kernels apart take {} times as long as one", range_text(apart)));
}

}  // namespace

Study overlap_save_study() {
  return {.name = "overlap-save",
          .title = "Overlap-save: segments, one kernel or several, post-processing",
          .shows =
              "Time of one long complex signal through a bank of filters, over their taps M. One kernel transforms a "
              "segment, multiplies it by every filter's spectrum and transforms each product back; several kernels "
              "pass the spectra and products through memory.",
          .source =
              "Overlap-save of a long signal with many short filters in one kernel (K. Adamek, S. Dimoudi, M. Giles, "
              "W. Armour, GPU fast convolution via the overlap-and-save method in shared memory, 2020)",
          .quantity = "one signal",
          .x_name = "taps M",
          .trials = trials,
          .measure = measure,
          .comparisons = comparisons,
          .reading = reading};
}

}  // namespace twiddle::studies
