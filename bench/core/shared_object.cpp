// Loading by dlopen.
#include "shared_object.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "twiddle/error.hpp"

namespace twiddle::bench {

SharedObject::SharedObject(const std::string& file)
    : file_(file), handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) throw Unsupported(fmt::format("cannot load {}: {}", file, dlerror()));
}

void* SharedObject::address(const std::string& name) const { return dlsym(handle_, name.c_str()); }

void* SharedObject::required(const std::string& name) const {
  void* const found = address(name);
  if (found == nullptr) throw Unsupported(fmt::format("{} has no {}", file_, name));
  return found;
}

}  // namespace twiddle::bench
