// A library loaded at run time, for as long as the program runs.
#pragma once

#include <string>

namespace twiddle::bench {

class SharedObject {
 public:
  // Throws Unsupported with the loader's reason.
  explicit SharedObject(const std::string& file);

  // The address of a function or variable as a pointer of type T; null where there is none.
  template <class T>
  [[nodiscard]] T find(const std::string& name) const {
    return reinterpret_cast<T>(address(name));
  }
  // Throws Unsupported where there is none.
  template <class T>
  [[nodiscard]] T get(const std::string& name) const {
    return reinterpret_cast<T>(required(name));
  }

 private:
  [[nodiscard]] void* address(const std::string& name) const;
  [[nodiscard]] void* required(const std::string& name) const;
  std::string file_;
  void* handle_;  // never closed: the threads of a library may outlive its last use
};

}  // namespace twiddle::bench
