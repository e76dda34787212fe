// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/run_checks.h"

#include "core/sim/memory.h"
#include "ui/core_sentences.h"
#include "ui/document/schedule_document.h"
#include "ui/plural.h"
#include "ui/run/connection_test.h"
#include "ui/run/run_session.h"

namespace pw::ui {

namespace {

constexpr int mostEmulated = 1024;

} // namespace

QString pickBackend(const Findings& findings, int devices)
{
    const FoundBackend* cuda = findings.backend(QStringLiteral("cuda"));
    if (cuda != nullptr && cuda->available && !cuda->devices.empty())
        return cuda->name;
    const FoundBackend* cpu = findings.backend(QStringLiteral("cpu"));
    if (cpu != nullptr && cpu->available && static_cast<int>(cpu->devices.size()) >= devices)
        return cpu->name;
    return QStringLiteral("emulated");
}

QString whyNoSchedule(const ScheduleDocument* document)
{
    if (document == nullptr)
        return RunSession::tr(
            "No schedule is open: choose a family in the palette, or open a project.");
    if (document->schedule() != nullptr)
        return {};
    if (!document->times().ring.empty())
        return RunSession::tr("%1 Undo the move that closed the ring, or move one of its passes.")
            .arg(document->problem());
    if (!document->problem().isEmpty())
        return RunSession::tr("%1 A run needs the whole schedule: finish the rest, or undo.")
            .arg(document->problem());
    return RunSession::tr("The schedule is empty: drag a family or a block into the timeline.");
}

std::vector<RunCheck> checksOfMemory(const ScheduleDocument& document)
{
    const Schedule& schedule = *document.schedule();
    if (const auto over = firstOverflow(schedule, document.costs(), document.result()))
        return {
            {false, RunSession::tr("%1. Raise the limit, or choose a schedule that keeps less; the "
                                   "run goes on without a limit.")
                        .arg(coreSentence(over->text(schedule.spec())))}};
    return {};
}

std::vector<RunCheck> checksOfExecutor(const ConnectionReport& report, const QString& backend,
                                       int devices, const QString& size)
{
    if (!report.good())
        return {{true, inOneLine(report.trouble)}};
    const FoundBackend* one = report.findings.backend(backend);
    if (one == nullptr || !one->available)
        return {{true, RunSession::tr("%1 is not available there: %2. Choose another backend.")
                           .arg(backend, one == nullptr ? RunSession::tr("it is not known")
                                                        : one->missing)}};
    std::vector<RunCheck> found;
    const auto there = static_cast<int>(one->devices.size());
    const QString wanted = plural(devices, Noun::Device);
    if (backend == QLatin1String("emulated")) {
        if (devices > mostEmulated)
            found.push_back({true, RunSession::tr("%1 are too many to be emulated; the most is %2.")
                                       .arg(wanted)
                                       .arg(mostEmulated)});
        return found;
    }
    if (there > 0 && there < devices)
        found.push_back(
            {false, backend == QLatin1String("cuda")
                        ? RunSession::tr("%1 share %2: each gets a part of its processors.")
                              .arg(wanted, plural(there, Noun::Gpu))
                        : RunSession::tr(
                              "%1 share %2 and take turns: times are not those of devices of their "
                              "own. The emulated backend keeps to the modelled times.")
                              .arg(wanted, plural(there, Noun::Core))});
    if (backend == QLatin1String("cpu") && size != QLatin1String("tiny") &&
        size != QLatin1String("small"))
        found.push_back(
            {false, RunSession::tr("The model %1 is meant for GPUs: on a CPU an iteration takes "
                                   "minutes. tiny and small take seconds.")
                        .arg(size)});
    return found;
}

} // namespace pw::ui
