// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/made_schedule.h"

#include "core/base/stop.h"
#include "core/base/try.h"

#include <algorithm>
#include <list>
#include <mutex>

namespace pw {

namespace {

/// What a schedule follows from.
struct Key
{
    FamilyChoice family;
    PipelineSpec spec;
    std::variant<UniformCosts, Costs> costs;

    friend bool operator==(const Key&, const Key&) = default;
};

Key keyOf(const Project& project)
{
    return {*project.family, project.draft.spec, project.costs};
}

/// The schedules that were asked for last.
class Memory
{
public:
    SchedulePtr find(const Key& key)
    {
        const std::lock_guard lock(m_mutex);
        const auto found = std::find_if(m_kept.begin(), m_kept.end(),
                                        [&](const Kept& one) { return one.key == key; });
        if (found == m_kept.end())
            return nullptr;
        m_kept.splice(m_kept.begin(), m_kept, found);
        return found->schedule;
    }

    void keep(Key key, SchedulePtr schedule)
    {
        const std::lock_guard lock(m_mutex);
        const auto known = std::find_if(m_kept.begin(), m_kept.end(),
                                        [&](const Kept& one) { return one.key == key; });
        if (known != m_kept.end())
            return;
        m_kept.push_front({std::move(key), std::move(schedule)});
        std::int64_t entries = 0;
        std::size_t count = 0;
        const auto tooMany = std::find_if(m_kept.begin(), m_kept.end(), [&](const Kept& one) {
            entries += one.schedule->entryCount();
            return ++count > mostSchedules || (count > 1 && entries > mostEntries);
        });
        m_kept.erase(tooMany, m_kept.end());
    }

private:
    static constexpr std::size_t mostSchedules = 32;
    static constexpr std::int64_t mostEntries = 2'000'000;

    struct Kept
    {
        Key key;
        SchedulePtr schedule;
    };

    std::mutex m_mutex;
    std::list<Kept> m_kept; ///< the last one first
};

Memory& memory()
{
    static Memory kept;
    return kept;
}

Result<Schedule> make(const Project& project)
{
    if (!project.family)
        return Schedule::make(project.draft.spec, project.draft.orders);
    PW_TRY(const auto family, findFamily(project.family->id));
    const Costs costs = costsOf(project);
    PW_DO(check(costs, project.draft.spec));
    return family->build(project.draft.spec, project.family->options, costs);
}

} // namespace

Making makingOf(const Project& project)
{
    constexpr std::int64_t fewPasses = 200;
    constexpr std::int64_t manyPasses = 100'000;
    if (!project.family)
        return Making::Quick;
    const PipelineSpec& spec = project.draft.spec;
    const std::int64_t passes = std::int64_t{3} * spec.stages() * spec.totalMicroBatches() *
                                static_cast<std::int64_t>(spec.segments());
    const auto family = findFamily(project.family->id);
    const bool search = family && (*family)->search;
    if (search)
        return passes > fewPasses ? Making::Slow : Making::Uncertain;
    return passes > manyPasses ? Making::Slow : Making::Quick;
}

Result<SchedulePtr> madeSchedule(const Project& project)
{
    const bool quick = makingOf(project) == Making::Quick;
    if (!quick)
        if (SchedulePtr known = memory().find(keyOf(project)))
            return known;
    PW_TRY(Schedule made, make(project));
    auto schedule = std::make_shared<const Schedule>(std::move(made));
    if (!quick && !stopAsked())
        memory().keep(keyOf(project), schedule);
    return schedule;
}

Result<Schedule> scheduleOf(const Project& project)
{
    if (makingOf(project) == Making::Quick)
        return make(project);
    PW_TRY(const SchedulePtr made, madeSchedule(project));
    return *made;
}

void rememberSchedule(const Project& project, SchedulePtr schedule)
{
    if (makingOf(project) != Making::Quick)
        memory().keep(keyOf(project), std::move(schedule));
}

bool madeAtOnce(const Project& project, std::chrono::milliseconds patience)
{
    const Making making = makingOf(project);
    if (making == Making::Quick || memory().find(keyOf(project)) != nullptr)
        return true;
    if (making == Making::Slow)
        return false;
    const StopScope scope(std::chrono::steady_clock::now() + patience);
    (void)madeSchedule(project);
    return !stopAsked();
}

} // namespace pw
