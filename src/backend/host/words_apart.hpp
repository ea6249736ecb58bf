// Floats whose words are apart (Storage::words_apart) read into planar arrays and written from them.
#pragma once

#include <cstddef>

#include "backend/host/memory_access.hpp"

namespace twiddle::backend::host {

// As read_block() and write_block() do.
template <class T>
void read_words(const plan::Storage& storage, const InputMemory& memory, const Block& block, std::size_t lanes,
                const BlockKernels<T>& kernels, const Planes<T>& planes);
template <class T>
void write_words(const plan::Storage& storage, const OutputMemory& memory, const Block& block, std::size_t lanes,
                 T scale, const BlockKernels<T>& kernels, const Planes<T>& planes);

}  // namespace twiddle::backend::host
