// Memory and streams that a program of yours has from CUDA, used by plans. NVIDIA's headers are not needed: handles are
// passed as what they are, pointers and 64-bit numbers.
//
//   const Device device = Device::open("cuda:0");              // works in the device's primary context
//   Workspace workspace(device);
//   const Plan plan(workspace, {.lengths = {1024}, .batch = 1000});
//   Buffer data = cuda::wrap(device, pointer, 1024 * 1000 * 8);  // pointer: a CUdeviceptr, or cudaMalloc's
//   const cuda::Stream stream{cuda_stream};                    // a CUstream or cudaStream_t
//   plan.prepare(stream, Direction::forward, Placement::in_place);
//   plan.execute(stream, Direction::forward, data);            // ordered with your kernels on that stream
#pragma once

#include <cstddef>
#include <cstdint>

#include "twiddle/buffer.hpp"
#include "twiddle/device.hpp"

namespace twiddle::cuda {

// A CUstream or cudaStream_t of the caller's, who keeps it alive while work is on it; null is CUDA's default stream.
//
// What Plan does with a stream:
// - execute() launches kernels on it and does nothing else: it waits for nothing, and after prepare() it allocates
// nothing,
//   so that it may be captured into a CUDA graph. The memory that it works on must not be used by other streams
//   meanwhile.
// - Working memory is kept for each stream of a workspace, so that executions on several streams do not disturb each
//   other. Two streams that are alive at different times and have the same handle share it: wait for the first before
//   destroying it.
// - A captured graph uses the buffers, the plan and the working memory of the stream that it was captured on. Keep the
//   plan and the workspace alive as long as the graph, and execute nothing else with that workspace on that stream,
//   or other graphs captured there, while the graph runs. Give graphs that run side by side a Workspace each.
struct Stream {
  void* handle = nullptr;
};

// `size_bytes` bytes of the caller's memory on `device`, a multiple of 16 and known to the driver (from cuMemAlloc or
// cudaMalloc). It stays the caller's, who frees it after the buffer and the work on it are gone. Throws InvalidArgument
// for a device that is not a CUDA device, a size of 0, a pointer that is null or not aligned, or one of another device;
// DeviceError for a pointer that the driver does not know.
[[nodiscard]] Buffer wrap(const Device& device, std::uint64_t pointer, std::size_t size_bytes);

// The CUdeviceptr of a buffer's memory. Throws InvalidArgument for a buffer that is not of a CUDA device.
[[nodiscard]] std::uint64_t pointer(const Buffer& buffer);

// The stream on which everything runs that names no stream, transfers of buffers included. It is non-blocking: it does
// not wait for the default stream. Throws InvalidArgument for a device that is not a CUDA device.
[[nodiscard]] Stream stream(const Device& device);

}  // namespace twiddle::cuda
