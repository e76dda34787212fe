// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "tests/gpu_stand_in/machine.h"

namespace pw::gpu {

/// Whether the calling thread captures a stream, or this stream.
bool capturing();
bool capturing(const CUstream_st& stream);
/// Keeps work of a stream that is captured, in the place of doing it.
cudaError_t keep(const CUstream_st& stream, Work work);
/// A call that a thread that captures must not make, as CUDA has it for captures of a thread: it
/// ends the capture.
/// @return  success where nothing is captured
cudaError_t refusedInCapture(const char* call,
                             cudaError_t error = cudaErrorStreamCaptureUnsupported);

/// Keeps the error for cudaGetLastError. @return it
cudaError_t told(cudaError_t error);

} // namespace pw::gpu
