// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/events/event_file.h"
#include "core/reading/events/trace_names.h"
#include "core/trace/trace.h"

#include <cstddef>

namespace pw {

/// Processes of a file that are devices by their names or their labels, although their events have
/// no category: those of XLA's profiler (of JAX and TensorFlow) and of Ascend's (torch_npu,
/// msprof). Their rows become a device's, and what runs on them work.
/// @param firstTrack  of the file
void findNamedDevices(Trace& trace, const TraceNames& names, std::size_t firstTrack,
                      EventFile& file);

} // namespace pw
