// What both modules with VkFFT have alike. Included after vkFFT.h, for the back end that a module defines.
#pragma once

#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>

// "1.2.26"
inline std::string vkfft_version() {
  const int version = VkFFTGetVersion();  // 10226
  return std::to_string(version / 10000) + '.' + std::to_string(version / 100 % 100) + '.' +
         std::to_string(version % 100);
}

// twiddle_peer_plan by a function that returns a new plan or throws a std::exception with the complaint.
template <class MakePlan>
void* plan_or_complaint(char* complaint, std::size_t size, const MakePlan& make_plan) {
  try {
    return make_plan();
  } catch (const std::exception& error) {
    std::snprintf(complaint, size, "%s", error.what());
    return nullptr;
  }
}
