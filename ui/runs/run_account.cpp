// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/runs/run_account.h"

#include "core/trace/match.h"

#include <QCoreApplication>

#include <algorithm>

namespace pw::ui {

namespace {

/// The time of passes whose own times are guessed.
GuessedParts guessedOf(const Account& account, const std::vector<Trust>& trust)
{
    GuessedParts guessed(account.ranks.size());
    for (std::size_t rank = 0; rank < account.ranks.size(); ++rank)
        for (const LossStretch& stretch : account.ranks[rank].stretches) {
            const bool runs = stretch.cause == LossCause::Computing ||
                              stretch.cause == LossCause::Recompute ||
                              stretch.cause == LossCause::Jitter;
            if (runs && stretch.entry >= 0 &&
                trust[static_cast<std::size_t>(stretch.entry)] == Trust::Guessed)
                guessed[rank][static_cast<std::size_t>(stretch.cause)] +=
                    stretch.end - stretch.start;
        }
    return guessed;
}

} // namespace

Result<RunAccountPtr> loadAccount(RunStore& store, const RunTimeline& timeline,
                                  const RunRecords& records)
{
    const Schedule& schedule = *timeline.schedule;
    const std::size_t most = usualIterations(schedule);
    std::vector<SimResult> timelines;
    for (const WholeIteration& one : timeline.iterations) {
        if (one.iteration < 0)
            continue;
        if (timelines.size() >= most)
            break;
        if (one.iteration == timeline.iteration) {
            timelines.push_back(timeline.measured);
            continue;
        }
        RecordQuery query{timeline.details.run.number};
        query.iteration = one.iteration;
        const Result<StoredPasses> passes = store.passes(query);
        if (!passes)
            return fail(passes.error());
        if (Result<SimResult> times = measuredResult(schedule, passes->passes, {}))
            timelines.push_back(std::move(*times));
    }
    if (timelines.empty())
        timelines.push_back(timeline.measured);
    auto made = std::make_shared<RunAccount>();
    made->iterations = static_cast<int>(timelines.size());
    made->account = std::make_shared<const Account>(
        account(schedule, timeline.measured, records.arrivals, usualTimes(schedule, timelines)));
    if (timeline.countOf(Trust::Guessed) > 0)
        made->guessed = guessedOf(*made->account, timeline.trust);
    made->transfers = transfersOf(schedule, timeline.measured, records.messages);
    if (made->transfers.empty()) {
        made->transfers = records.imported.transfers;
        made->ofTrace = true;
    }
    return RunAccountPtr(std::move(made));
}

QStringList deviceNames(int devices)
{
    QStringList names;
    for (const DeviceId device : Ids<DeviceId>(devices))
        names += QCoreApplication::translate("pw::ui::RunTimeline", "device %1").arg(device);
    return names;
}

} // namespace pw::ui
