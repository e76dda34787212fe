// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/transport.h"
#include "executor/model/ops.h"

#include <memory>
#include <string_view>

namespace pw::exec {

/// The CPU as a tensor device: 32-bit floats, everything at once on the thread that calls. The same
/// calls with the same numbers give the same bits. Packets carry a `HostPayload`.
///
/// @param clock  for marks; outlives the device
/// @param limit  bytes that may be in use at a time, over all uses; 0: what the host has
std::unique_ptr<Ops> makeCpuOps(const RunClock& clock, Bytes limit = 0);

/// What multiplies matrices here, with its version: "oneDNN 2.6.3", "OpenBLAS 0.3.21", or "own
/// loops" where the program was built without a library.
std::string_view cpuMathLibrary();

} // namespace pw::exec
