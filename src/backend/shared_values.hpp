// Values that are made once and shared while somebody uses them: engines, programs, tables on a device.
#pragma once

#include <map>
#include <memory>
#include <mutex>

namespace twiddle::backend {

template <class Key, class Value>
class SharedValues {
 public:
  // The value of the key, from `make` where nobody has it; nothing is kept beyond its last user. Any thread may ask: one
  // is served at a time, so nothing is made twice.
  template <class Make>
  std::shared_ptr<Value> get(const Key& key, const Make& make) {
    const std::lock_guard lock(mutex_);
    std::erase_if(values_, [](const auto& entry) { return entry.second.expired(); });
    std::weak_ptr<Value>& known = values_[key];
    std::shared_ptr<Value> value = known.lock();
    if (!value) known = value = make();
    return value;
  }

 private:
  std::mutex mutex_;
  std::map<Key, std::weak_ptr<Value>> values_;
};

}  // namespace twiddle::backend
