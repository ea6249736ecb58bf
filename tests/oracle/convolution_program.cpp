// Convolves raw arrays in files on a device (its argument), one problem a line of standard input, for
// convolution_oracle.py:
//   RANK LENGTHS... KERNEL... SIGNALS FILTERS PRECISION COMPLEX OPERATION MODE BOUNDARY METHOD SEGMENT SIGNAL_FILE
//   FILTER_FILE OUTPUT_FILE
// where words are numbers, those of enumerations their values. Says "done" for each, or what was refused.
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <vector>

#include "twiddle/convolution_plan.hpp"
#include "twiddle/error.hpp"

namespace {

std::vector<char> read_bytes(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class Enumeration>
Enumeration read_enumeration(std::istream& words) {
  int value = 0;
  words >> value;
  return static_cast<Enumeration>(value);
}

void solve(std::istream& words, const twiddle::Device& device) {
  twiddle::Convolution convolution;
  std::size_t rank = 0;
  words >> rank;
  convolution.signal_lengths.resize(rank);
  convolution.kernel_lengths.resize(rank);
  for (std::size_t& length : convolution.signal_lengths) words >> length;
  for (std::size_t& length : convolution.kernel_lengths) words >> length;
  words >> convolution.signals >> convolution.filters;
  convolution.precision = read_enumeration<twiddle::Precision>(words);
  words >> convolution.complex;
  convolution.operation = read_enumeration<twiddle::Convolution::Operation>(words);
  convolution.mode = read_enumeration<twiddle::Convolution::Mode>(words);
  convolution.boundary = read_enumeration<twiddle::Boundary>(words);
  convolution.method = read_enumeration<twiddle::Convolution::Method>(words);
  words >> convolution.segment;
  std::string signal_name, filter_name, output_name;
  words >> signal_name >> filter_name >> output_name;
  twiddle::ConvolutionPlan plan(device, convolution);
  const std::vector<char> filters = read_bytes(filter_name);
  const std::vector<char> signal = read_bytes(signal_name);
  std::vector<char> output(plan.output_bytes());
  plan.set_filters_bytes(std::as_bytes(std::span(filters)));
  plan.execute_bytes(std::as_bytes(std::span(signal)), std::as_writable_bytes(std::span(output)));
  std::ofstream(output_name, std::ios::binary).write(output.data(), static_cast<std::streamsize>(output.size()));
}

}  // namespace

int main(int argc, char** argv) {
  const twiddle::Device device = twiddle::Device::open(argc > 1 ? argv[1] : "host");
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    try {
      solve(words, device);
      std::cout << "done" << std::endl;
    } catch (const twiddle::Error& error) {
      std::cout << error.what() << std::endl;
    }
  }
  return 0;
}
