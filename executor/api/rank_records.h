// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/gpu_reading.h"
#include "core/trace/records.h"
#include "executor/api/record_queue.h"
#include "executor/api/worker.h"

#include <cstdint>

namespace pw::exec {

/// Loss of a micro-batch, and of which iteration it is.
struct RecordedLoss
{
    std::int32_t iteration = 0;
    MicroBatchLoss loss;
};

/// What a rank hands to the thread that collects.
struct RankRecords
{
    RecordQueue<RecordedPass> passes;
    RecordQueue<RecordedMessage> messages;
    RecordQueue<MemorySample> memory;
    RecordQueue<RecordedCopy> copies;
    RecordQueue<GpuReading> gpus;
    RecordQueue<RecordedLoss> losses;
    RecordQueue<RunLog> logs;
};

} // namespace pw::exec
