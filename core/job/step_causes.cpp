// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/job/step_causes.h"

#include "core/analysis/step_curve.h"
#include "core/base/text.h"
#include "core/job/collector_work.h"
#include "core/job/slower_of_two.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace pw {

namespace {

constexpr std::int32_t fewestRecurring = 3;

class StepCauses
{
public:
    StepCauses(const JobReplay& replay, const Trace& trace)
        : m_replay(replay)
        , m_trace(trace)
    {
    }

    std::vector<FoundCause> find()
    {
        slowSteps();
        return std::move(m_found);
    }

private:
    FoundCause& add(JobCause cause, double gain, Sentence sentence)
    {
        FoundCause one;
        one.cause = cause;
        one.costTicks = std::max(gain, 0.0) * m_replay.mean();
        one.sentence = std::move(sentence);
        m_found.push_back(std::move(one));
        return m_found.back();
    }

    /// What stands out of the curve of whole steps.
    void slowSteps()
    {
        const std::vector<JobStep>& steps = m_replay.job().steps;
        if (steps.size() < 2)
            return;
        StepCurve curve;
        curve.unit = "ms";
        for (const JobStep& step : steps)
            curve.points.push_back({step.number, msFromTicks(step.time)});
        const auto stepAt = [&](std::int32_t number) {
            return std::find_if(steps.begin(), steps.end(),
                                [&](const JobStep& step) { return step.number == number; });
        };
        const double together =
            m_replay.mean() / static_cast<double>(ticksPerMs) * static_cast<double>(steps.size());
        std::vector<CurveFinding> all = findingsOf(curve);
        if (all.empty())
            all = longestOfFew(curve);
        if (all.empty())
            slowStepOfTwo();
        for (const CurveFinding& found : all) {
            const auto first = stepAt(found.from);
            double excess = found.count * (found.value - found.usual); // of those that recur
            if (found.event != CurveEvent::Recurring) {
                excess = 0;
                for (auto step = first; step <= stepAt(found.to); ++step)
                    excess += msFromTicks(step->time) - found.usual;
            }
            const Sentence collector = collectorText(found, curve);
            add(found.event == CurveEvent::WarmUp ? JobCause::WarmUp
                : collector.empty()               ? JobCause::SlowStep
                                                  : JobCause::Collector,
                excess / together,
                collector.empty() ? Sentence(found.sentence)
                                  : said("%1: %2", found.sentence, collector))
                .step = static_cast<std::int32_t>(first - steps.begin());
        }
    }

    /// Of two steps; the first one is as long as others would be for what it loads and compiles.
    void slowStepOfTwo()
    {
        const std::optional<SlowerStep> found = slowerOfTwo(m_replay);
        if (!found)
            return;
        const std::vector<JobStep>& steps = m_replay.job().steps;
        const std::size_t slow = m_replay.steps()[found->step];
        const std::size_t other = m_replay.steps()[1 - found->step];
        const bool first = slow < other;
        const Sentence factor = said("%1 times", plainNumber(found->passFactor, 3));
        const std::int32_t number = steps[slow].number, beside = steps[other].number;
        add(first ? JobCause::WarmUp : JobCause::SlowStep,
            static_cast<double>(found->excess) / 2 / m_replay.mean(),
            first
                ? said("iteration %1, warm-up or a slow step: its passes take %2 as long as those "
                       "of iteration %3; two steps do not tell which is usual",
                       number, factor, beside)
                : said("iteration %1: its passes take %2 as long as those of iteration %3; two "
                       "steps do not tell which is usual",
                       number, factor, beside))
            .step = static_cast<std::int32_t>(slow);
    }

    /// What says that hosts collect garbage or save a checkpoint in slow steps: spans that are
    /// named so, or that such steps recur at even distances. Empty: nothing does.
    Sentence collectorText(const CurveFinding& found, const StepCurve& curve) const
    {
        if (found.event == CurveEvent::WarmUp)
            return {};
        const std::optional<CollectorWork> work = collectorWork(m_trace, m_replay.job(), found);
        if (work)
            return said("%1 of '%2' on the host in such a step", millisecondText(work->time, 4),
                        work->name);
        const bool even = found.event == CurveEvent::Recurring && found.count >= fewestRecurring &&
                          static_cast<std::size_t>(found.count) * 2 < curve.points.size();
        return even ? said("so evenly spaced are garbage collections and checkpoints; no span of "
                           "the trace tells which")
                    : Sentence();
    }

    const JobReplay& m_replay;
    const Trace& m_trace;
    std::vector<FoundCause> m_found;
};

} // namespace

std::vector<FoundCause> stepCauses(const JobReplay& replay, const Trace& trace)
{
    return StepCauses(replay, trace).find();
}

} // namespace pw
