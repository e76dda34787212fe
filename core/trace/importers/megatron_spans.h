// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/trace/importers/event_file.h"
#include "core/trace/importers/trace_names.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string_view>

namespace pw {

/// Whether the head of a text has spans of OpenTelemetry, as its console exporter or as OTLP in
/// JSON writes them.
bool looksLikeMegatronSpans(std::string_view head);

/// Reads spans of OpenTelemetry: Megatron's `megatron.microbatch.forward` and `.backward` are
/// passes, `megatron.p2p.*` messages, `megatron.train_step` an iteration; others are spans without
/// a label. JSON objects one behind the other (console) or `resourceSpans` (OTLP), text between
/// objects is skipped.
///
/// All times are the host's around launches that do not wait, and are marked so. Ranks follow from
/// `service.instance.id` and the sizes in the resource; of ranks that share a place in the pipeline
/// the first stands for all. A micro-batch that no attribute says is counted (`countPasses`).
///
/// @param number     of the file in `Trace::files`
/// @error Syntax     no span can be read
/// @error TooLarge   an object of more than 32 MiB
/// @error Cancelled  `goOn` said so
Result<EventFile> readMegatronSpans(const OpenSource& open, std::int32_t number, Trace& trace,
                                    TraceNames& names, const KeepReading& goOn);

} // namespace pw
