// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "tests/gpu_stand_in/machine.h"

#include <cstddef>

namespace pw::gpu {

/// Bytes that another process has of every GPU: PW_FAKE_OTHERS in MiB, from when a GPU was first
/// asked for its clock, as a run does before its first iteration.
std::size_t takenByOthers();

} // namespace pw::gpu
