// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/gpu_beside.h"
#include "executor/cuda/rank_places.h"

#include <cuda_runtime_api.h>
#include <memory>
#include <string>
#include <vector>

struct CUgreenCtx_st; // of cuda.h

namespace pw::exec::cuda {

/// A GPU, whole or cut into parts whose streams run on multiprocessors of their own (green
/// contexts). Where the driver cannot cut, the parts are plain streams that share all of them.
///
/// The GPU's primary context stays the current one everywhere: a stream carries its multiprocessors
/// with it, and memory and events are the same for all parts. Any thread, one at a time.
class GpuShares
{
public:
    /// @param shares  1: nothing is cut
    /// @throws DeviceError  the GPU cannot be used at all
    GpuShares(int gpu, int shares);
    ~GpuShares();
    GpuShares(const GpuShares&) = delete;
    GpuShares& operator=(const GpuShares&) = delete;

    /// A stream of a part; ends with this object.
    /// @param urgent  its work goes before that of other streams where both are ready
    /// @throws DeviceError
    cudaStream_t makeStream(int share, bool urgent);

    int gpu() const { return m_gpu; }
    /// What the GPU says of itself, and where its memory goes.
    GpuBeside& beside() { return m_beside; }
    /// Of a part; of the whole GPU where parts share them.
    int multiprocessors() const { return m_multiprocessors; }
    /// How it was cut, or why it was not; empty for a whole GPU.
    const std::string& note() const { return m_note; }
    bool cut() const { return !m_contexts.empty(); }

private:
    struct GreenCalls;

    std::string cutInto(int shares);
    std::string tryStreams();
    void destroyContexts() noexcept;

    int m_gpu;
    GpuBeside m_beside;
    int m_multiprocessors = 0;
    std::string m_note;
    std::unique_ptr<GreenCalls> m_calls;
    std::vector<CUgreenCtx_st*> m_contexts; ///< by share
    std::vector<cudaStream_t> m_streams;
};

/// Lets every one of these GPUs read and write the others' memory, where the machine can.
/// @return  a sentence for every pair that cannot
/// @throws DeviceError
std::vector<std::string> openPeers(const std::vector<int>& gpus);

} // namespace pw::exec::cuda
