// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <string>
#include <string_view>

namespace pw::exec::cuda {

/// Whether kernels that were compiled for some architectures run on a GPU.
///
/// Machine code ("80-real") runs on GPUs of its major number and at least its minor one, PTX
/// ("75-virtual") is compiled by the driver for all that are as new or newer; "80" is both. "90a"
/// runs on exactly that, "100f" on its family. Words like "native" are taken to cover everything,
/// as they say nothing here.
///
/// @param built  as CMAKE_CUDA_ARCHITECTURES has them, with blanks or semicolons between
bool runsOn(std::string_view built, int major, int minor);

/// What a GPU that `runsOn` refuses has to do with this build: its compute capability, what there
/// are kernels for, and what would bring them.
std::string refusedText(std::string_view built, const std::string& gpu, int major, int minor);

} // namespace pw::exec::cuda
