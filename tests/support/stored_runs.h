// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/trace.h"
#include "tests/support/family_runs.h"
#include "tests/support/recorded_run.h"

#include <QString>

namespace pw::test {

/// A family of four devices and eight micro-batches with bytes and link times.
inline FamilyRun plannedRun(const char* family)
{
    UniformCosts costs;
    costs.activation = 1 << 20;
    costs.hop = 100'000;
    return runFamily(familyOf(family), sized(4, 8), costs);
}

/// Keeps a made-up run of a schedule; ends the test program where it cannot.
/// @return its number
inline RunNumber storeRun(const QString& path, const FamilyRun& run, const char* title,
                          const char* family, int iterations = 3, const PassLength& length = {})
{
    const RunBatch batch = recordedRun(run.schedule, run.costs, 1, iterations, length);
    Result<RunStore> store = RunStore::open(path.toStdString());
    if (!store)
        qFatal("%s", store.error().message.c_str());
    RunWriter writer = *store->begin(newRun(run.schedule, run.costs, title, family));
    if (!writer.append(batch) ||
        !writer.finish(RunStatus::Finished, figuresOf(run.schedule, run.costs, batch)))
        qFatal("a run was not kept");
    return writer.number();
}

/// Keeps one iteration of a plan after something was done to its records.
template<typename Change>
void storeChanged(const QString& path, const FamilyRun& run, RunStatus status, const Change& change)
{
    RunBatch batch = recordedRun(run.schedule, run.costs, 0, 1);
    change(batch);
    Result<RunStore> store = RunStore::open(path.toStdString());
    if (!store)
        qFatal("%s", store.error().message.c_str());
    RunWriter writer = *store->begin(newRun(run.schedule, run.costs, "changed", ""));
    if (!writer.append(batch) || !writer.finish(status, {}))
        qFatal("a run was not kept");
}

/// All times are by the clock of the host.
inline void trustHost(RunBatch& batch)
{
    batch.trust.assign(batch.passes.size(), static_cast<std::uint8_t>(Trust::Host));
}

/// The times of one pass are guessed. @pre the batch has trusts
inline void guess(RunBatch& batch, RankId rank, EntryId entry)
{
    for (std::size_t i = 0; i < batch.passes.size(); ++i)
        if (batch.passes[i].rank == rank && batch.passes[i].entry == entry)
            batch.trust[i] = static_cast<std::uint8_t>(Trust::Guessed);
}

} // namespace pw::test
