// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/findings.h"

#include "core/edit/phases.h"
#include "core/families/reference.h"
#include "core/sim/metrics.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/document/schedule_document.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

namespace pw::ui {

namespace {

ScheduleFindings scheduleFindings(const Schedule& schedule, const Costs& costs,
                                  const SimResult& result)
{
    ScheduleFindings found;
    found.slack = slackOf(schedule, costs, result);
    found.bound = provenBound(schedule, costs, result, &searchedBounds());
    found.memory = wholePeak(schedule, costs, result);
    const Result<Reference> other = oneFOneBOf(schedule.spec(), costs);
    if (other)
        found.oneFOneB = {other->result.makespan, peakMicroBatches(other->result),
                          peakActivation(other->result),
                          wholePeak(other->schedule, other->costs, other->result)};
    else
        found.noOneFOneB = coreSentence(other.error().message);
    return found;
}

} // namespace

SearchedBounds& searchedBounds()
{
    static SearchedBounds known;
    return known;
}

void Finder::find(std::shared_ptr<const Schedule> schedule, const Costs& costs,
                  const SimResult& result)
{
    const int generation = ++*m_generation;
    m_findings.reset();
    QPointer<Finder> self(this);
    workers().start([=, latest = m_generation] {
        if (*latest != generation)
            return;
        auto found =
            std::make_shared<const ScheduleFindings>(scheduleFindings(*schedule, costs, result));
        // Through the application, since this may be gone by now.
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [self, generation, found] {
                if (!self || *self->m_generation != generation)
                    return;
                self->m_findings = found;
                Q_EMIT self->found();
            },
            Qt::QueuedConnection);
    });
}

void Finder::forget()
{
    ++*m_generation;
    m_findings.reset();
}

} // namespace pw::ui
