// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/pass_runner.h"

namespace pw::exec {

Result<void> PassRunner::run(EntryId index, const OrderEntry& entry)
{
    m_position.enterEntry(index, entry);
    m_position.beginComputing();
    m_faults.inject(entry, m_position.iteration());
    const Result<Computed> computed = m_worker.compute(entry);
    m_position.endComputing();
    if (!computed)
        return m_position.named(computed.error());
    m_recorder.addPass(index, entry, *computed);
    m_recorder.addCopies();
    m_recorder.flush();
    return {};
}

Result<void> PassRunner::move(const HostMove& move, InstructionKind what)
{
    m_position.enterEntry(move.needed, single(move.cell));
    if (const Result<void> done = m_worker.move(move, what); !done)
        return m_position.named(done.error());
    m_recorder.addCopies();
    return {};
}

} // namespace pw::exec
