// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/findings.h"

#include "core/edit/phases.h"
#include "core/families/reference.h"
#include "core/sim/metrics.h"
#include "ui/core_sentences.h"
#include "ui/document/schedule_document.h"

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
    m_findings.reset();
    m_finding.begin([this, schedule = std::move(schedule), costs,
                     result](const std::atomic<bool>&) -> LatestWork::Answer {
        const auto found =
            std::make_shared<const ScheduleFindings>(scheduleFindings(*schedule, costs, result));
        return [this, found] {
            m_findings = found;
            Q_EMIT this->found();
        };
    });
}

void Finder::forget()
{
    m_finding.drop();
    m_findings.reset();
}

} // namespace pw::ui
