// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <string_view>

// Whether kernels are loaded before they are used. Knows no CUDA.
namespace pw::exec::cuda {

/// What is known of a process before CUDA begins.
struct LoadingFacts
{
    int machineGpus = 0;           ///< of the machine; 0: not known
    const char* visible = nullptr; ///< CUDA_VISIBLE_DEVICES; null: not set
    int processes = 0;             ///< that were started together; 0: not started with others
    bool ncclToItself = false;     ///< PW_CUDA_TRANSPORT=nccl
};

/// GPUs that a process sees: the entries of the list up to the first that names none, and no more
/// than the machine has.
/// @param machineGpus  0: not known
/// @return             0: not known
int visibleGpus(int machineGpus, const char* visible);

/// Whether all kernels are to be loaded at the start. One that is loaded when it is first launched
/// may wait for the whole device, and so for a kernel of NCCL that waits for another rank. Where no
/// kernel waits for another, the start is shorter by seconds without.
bool loadsAtOnce(const LoadingFacts& facts);

} // namespace pw::exec::cuda
