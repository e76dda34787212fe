// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/sentence.h"

#include <cstdint>
#include <string_view>

namespace pw {

/// What a file is that people have beside schedules and traces, and that is neither.
enum class ForeignFile : std::uint8_t
{
    None, ///< not known
    Log,  ///< of a training
    Yaml,
    ExecutionTrace, ///< of PyTorch's ExecutionTraceObserver, or of Chakra
    JsonLines,
    MemoryTimeline ///< of PyTorch's profiler, `export_memory_timeline`
};

/// By its first bytes; 64 KiB are looked at. A file that is a schedule or a trace may look like one
/// of these, too: ask where it could not be read.
ForeignFile foreignFileOf(std::string_view content);

/// "this is YAML and no schedule: …", with what helps. @pre not None
Sentence noSchedule(ForeignFile kind);

/// "PyTorch's execution trace, …" behind "not a trace: ", with what helps. @pre not None
Sentence noTrace(ForeignFile kind);

} // namespace pw
