// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/fault_injector.h"
#include "executor/api/rank_recorder.h"

namespace pw::exec {

/// Has the worker of a rank do one thing after another, and has it recorded.
class PassRunner
{
public:
    PassRunner(RankPosition& position, Worker& worker, const FaultInjector& faults,
               RankRecorder& recorder)
        : m_position(position)
        , m_worker(worker)
        , m_faults(faults)
        , m_recorder(recorder)
    {
    }

    /// Computes an entry whose inputs are there.
    /// @param index  none: an update that does not stand in the order
    Result<void> run(EntryId index, const OrderEntry& entry);
    /// A copy between the device and its host, which goes on beside the passes.
    Result<void> move(const HostMove& move, InstructionKind what);

private:
    RankPosition& m_position;
    Worker& m_worker;
    const FaultInjector& m_faults;
    RankRecorder& m_recorder;
};

} // namespace pw::exec
