// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

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

} // namespace pw::test
