// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/ready.h"

#include "core/edit/compose.h"
#include "core/edit/present.h"
#include "core/io/file_problem.h"
#include "core/io/schedule_text.h"
#include "core/lesson/standing.h"
#include "core/model/schedule.h"

#include <algorithm>
#include <optional>

namespace pw {

namespace {

/// More passes than a person wants to have placed at once.
constexpr int mostAtOnce = 2'000;

/// A level that is being filled, and what can come next in it.
class Filling
{
public:
    Filling(const LessonLevel& level, const Project& project)
        : m_level(level)
        , m_costs(costsOf(project))
    {
        auto draft = draftOf(project);
        m_sound = draft.has_value() && level.freedom == Freedom::Order;
        if (!m_sound)
            return;
        m_draft = std::move(*draft);
        // Without its R, an F of a level with recomputation counts for more than it will.
        const bool recomputes =
            std::find(level.kinds.begin(), level.kinds.end(), PassKind::R) != level.kinds.end();
        for (const LessonGoal& goal : level.goals)
            if (goal.kind == GoalKind::Peak && !recomputes)
                m_cap = static_cast<Share>(goal.limit) + parSlack;
            else if (goal.kind == GoalKind::Family || goal.kind == GoalKind::Order)
                m_named = true;
        const auto wrong = problems(m_draft);
        m_sound =
            wrong && std::all_of(wrong->list.begin(), wrong->list.end(),
                                 [](const Problem& p) { return p.code == ProblemCode::Missing; });
    }

    bool sound() const { return m_sound; }
    const Draft& draft() const { return m_draft; }

    /// A pass behind those of its device, where everything that it waits for is there, and the peak
    /// leaves it room.
    std::optional<ReadyPass> at(const Pass& pass)
    {
        const Present present(m_draft);
        std::vector<Pass> producers;
        present.producers(pass, producers);
        for (const Pass& producer : producers)
            if (!present.has(producer))
                return std::nullopt;
        const DeviceId device = m_draft.spec.device(pass.route, pass.stage);
        auto& order = m_draft.orders[static_cast<std::size_t>(device)];
        order.push_back({pass, {}, false});
        const auto times = draftTimes(m_draft, m_costs);
        std::optional<ReadyPass> ready;
        const bool fits =
            times && times->blocked.empty() &&
            (m_cap == 0 || !addsMemory(pass.kind) ||
             times->times.devices[static_cast<std::size_t>(device)].peakShare <= m_cap);
        if (fits) {
            const auto entry = static_cast<std::size_t>(times->entry(device, order.size() - 1));
            ready = ReadyPass{device, pass, times->times.start[entry], times->times.end[entry]};
        }
        order.pop_back();
        return ready;
    }

    /// The first missing pass of each kind on each stage that can come next. Where the order itself
    /// is the goal, a backward may also be the last one: so GPipe goes back.
    std::vector<ReadyPass> all()
    {
        std::vector<ReadyPass> found;
        const PipelineSpec& spec = m_draft.spec;
        const int last = spec.totalMicroBatches() - 1;
        for (const PassKind kind : m_level.kinds)
            for (int route = 0; route < spec.routeCount(); ++route)
                for (const StageId stage : Ids<StageId>(spec.stages())) {
                    const auto first = missing(kind, route, stage, 0, 1);
                    if (!first)
                        continue;
                    if (const auto ready = at(*first))
                        found.push_back(*ready);
                    if (!m_named || (kind != PassKind::B && kind != PassKind::BW))
                        continue;
                    auto other = missing(kind, route, stage, last, -1);
                    std::optional<ReadyPass> ready;
                    while (other && *other != *first && !(ready = at(*other)))
                        other = missing(kind, route, stage, other->microBatch - 1, -1);
                    if (ready)
                        found.push_back(*ready);
                }
        std::stable_sort(found.begin(), found.end(), [](const ReadyPass& a, const ReadyPass& b) {
            return a.start != b.start ? a.start < b.start : a.device < b.device;
        });
        return found;
    }

    void place(const ReadyPass& ready)
    {
        m_draft.orders[static_cast<std::size_t>(ready.device)].push_back({ready.pass, {}, false});
        ++m_placed;
    }

    int placed() const { return m_placed; }

    /// What was placed, as one edit.
    ReadyRun finish(const Project& project, ReadyEnd end, const Pass& first = {},
                    const Pass& second = {}, DeviceId device = DeviceId(0)) const
    {
        ReadyRun run;
        run.passes = m_placed;
        run.end = end;
        run.first = first;
        run.second = second;
        run.device = device;
        if (m_placed == 0)
            return run;
        if (project.family)
            run.edit.changes.emplace_back(SetSchedule{std::nullopt, m_draft});
        else
            run.edit.changes.emplace_back(SetOrders{m_draft.orders});
        return run;
    }

private:
    static bool addsMemory(PassKind kind) { return kind == PassKind::F || kind == PassKind::R; }

    /// The first that is missing from a micro-batch on, going one way. Backwards of a sequence go
    /// from its last segment.
    std::optional<Pass> missing(PassKind kind, int route, StageId stage, int from, int way) const
    {
        const PipelineSpec& spec = m_draft.spec;
        const Present present(m_draft);
        const int segments = spec.segments();
        for (int micro = from; micro >= 0 && micro < spec.totalMicroBatches(); micro += way) {
            if (spec.route(micro) != route)
                continue;
            for (int s = 0; s < segments; ++s) {
                const bool forward = kind == PassKind::F;
                const Pass pass{kind, static_cast<std::uint8_t>(route), stage, micro,
                                forward ? s : segments - 1 - s};
                if (!present.has(pass))
                    return pass;
            }
        }
        return std::nullopt;
    }

    const LessonLevel& m_level;
    Costs m_costs;
    Draft m_draft;
    Share m_cap = 0; ///< 0: none
    int m_placed = 0;
    bool m_named = false; ///< a goal is an order
    bool m_sound = false;
};

} // namespace

std::vector<ReadyPass> readyPasses(const LessonLevel& level, const Project& project)
{
    Filling filling(level, project);
    return filling.sound() ? filling.all() : std::vector<ReadyPass>{};
}

std::optional<Pass> hintedPass(const LessonLevel& level)
{
    const PipelineSpec& spec = level.start.draft.spec;
    const DeviceId device(level.hints.showDevice);
    if (level.freedom != Freedom::Order || level.hints.showPass.empty() || device < 0 ||
        device >= spec.devices)
        return std::nullopt;
    FileProblems wrong;
    const auto entries =
        parseOrder(level.hints.showPass, spec, ChunkTable(spec), device, {1, 1}, wrong);
    if (!wrong.none() || entries.size() != 1)
        return std::nullopt;
    const Pass& pass = entries.front().pass;
    const bool there =
        pass.microBatch >= 0 && pass.microBatch < spec.totalMicroBatches() &&
        std::find(level.kinds.begin(), level.kinds.end(), pass.kind) != level.kinds.end();
    return there ? std::optional<Pass>(pass) : std::nullopt;
}

Edit placeReady(const Project& project, const ReadyPass& ready)
{
    Edit edit;
    const auto draft = draftOf(project);
    if (!draft)
        return edit;
    if (project.family)
        edit.changes.emplace_back(SetSchedule{std::nullopt, *draft});
    const auto& order = draft->orders[static_cast<std::size_t>(ready.device)];
    edit.changes.emplace_back(InsertEntries{
        ready.device, {{static_cast<std::int32_t>(order.size()), {ready.pass, {}, false}}}});
    return edit;
}

ReadyRun completeMicroBatch(const LessonLevel& level, const Project& project, int microBatch)
{
    Filling filling(level, project);
    if (!filling.sound())
        return {};
    const PipelineSpec& spec = filling.draft().spec;
    std::vector<Pass> missing;
    {
        const Present present(filling.draft());
        const auto route = static_cast<std::uint8_t>(spec.route(microBatch));
        for (const PassKind kind : level.kinds)
            for (const StageId stage : Ids<StageId>(spec.stages()))
                for (int segment = 0; segment < spec.segments(); ++segment)
                    if (const Pass pass{kind, route, stage, microBatch, segment};
                        !present.has(pass))
                        missing.push_back(pass);
    }
    while (!missing.empty()) {
        std::optional<ReadyPass> first;
        for (const Pass& pass : missing)
            if (const auto ready = filling.at(pass);
                ready && (!first || ready->start < first->start))
                first = ready;
        if (!first)
            break;
        filling.place(*first);
        missing.erase(std::find(missing.begin(), missing.end(), first->pass));
    }
    if (!missing.empty())
        return filling.finish(project, ReadyEnd::Blocked, missing.front());
    Pass any;
    any.microBatch = microBatch;
    return filling.finish(project,
                          filling.placed() > 0 ? ReadyEnd::Complete : ReadyEnd::WasComplete, any);
}

ReadyRun runUntilChoice(const LessonLevel& level, const Project& project)
{
    Filling filling(level, project);
    if (!filling.sound())
        return {};
    while (filling.placed() < mostAtOnce) {
        const std::vector<ReadyPass> ready = filling.all();
        if (ready.empty()) {
            const auto wrong = problems(filling.draft());
            const bool whole = wrong && wrong->none();
            return filling.finish(project, whole ? ReadyEnd::Whole : ReadyEnd::None);
        }
        const ReadyPass& first = ready.front();
        const auto rival = std::find_if(ready.begin() + 1, ready.end(), [&](const ReadyPass& one) {
            return one.device == first.device && one.start < first.end;
        });
        if (rival != ready.end())
            return filling.finish(project, ReadyEnd::Choice, first.pass, rival->pass, first.device);
        filling.place(first);
    }
    return filling.finish(project, ReadyEnd::Many);
}

} // namespace pw
