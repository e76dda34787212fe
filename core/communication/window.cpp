// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/communication/window.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace pw::communication {

namespace {

/// The gathered stages of a rank. PyTorch keeps them in a set of Python, and frees them in the
/// order in which that is walked; so this is a table of the same shape: a power of two of places,
/// probed as CPython does, where what was removed still takes its place until the table grows.
class StageSet
{
public:
    StageSet()
        : m_places(smallest, empty)
    {
    }

    bool has(std::int32_t hosted) const
    {
        return std::find(m_places.begin(), m_places.end(), hosted) != m_places.end();
    }

    void insert(std::int32_t hosted)
    {
        if (has(hosted))
            return;
        put(m_places, hosted);
        ++m_filled;
        ++m_used;
        if (m_filled * 5 >= (m_places.size() - 1) * 3)
            grow();
    }

    void erase(std::int32_t hosted)
    {
        std::replace(m_places.begin(), m_places.end(), hosted, removed);
        --m_used;
    }

    /// In the order of walking.
    std::vector<std::int32_t> stages() const
    {
        std::vector<std::int32_t> all;
        std::copy_if(m_places.begin(), m_places.end(), std::back_inserter(all),
                     [](std::int32_t hosted) { return hosted >= 0; });
        return all;
    }

private:
    static constexpr std::size_t smallest = 8;
    static constexpr std::int32_t empty = -1;
    static constexpr std::int32_t removed = -2;

    static void put(std::vector<std::int32_t>& places, std::int32_t hosted)
    {
        constexpr std::size_t neighbours = 9; // tried in a row where that many are left
        const std::size_t mask = places.size() - 1;
        auto rest = static_cast<std::size_t>(hosted);
        std::size_t at = rest & mask;
        while (true) {
            const std::size_t last = at + neighbours <= mask ? at + neighbours : at;
            for (std::size_t i = at; i <= last; ++i) {
                if (places[i] == empty) {
                    places[i] = hosted;
                    return;
                }
            }
            rest >>= 5U;
            at = (at * 5 + 1 + rest) & mask;
        }
    }

    void grow()
    {
        std::size_t size = smallest;
        while (size <= m_used * 4)
            size *= 2;
        std::vector<std::int32_t> places(size, empty);
        for (const std::int32_t hosted : stages())
            put(places, hosted);
        m_places = std::move(places);
        m_filled = m_used;
    }

    std::vector<std::int32_t> m_places;
    std::size_t m_filled = 0; ///< places that are not empty
    std::size_t m_used = 0;
};

/// For every entry of a rank the next stages that it computes on, the nearest first.
class NextStages
{
public:
    /// @param most  stages that are asked for at most
    NextStages(const Schedule& schedule, DeviceId rank, int most)
        : m_first(schedule.begin(rank))
        , m_width(static_cast<std::size_t>(most) + 2)
        , m_next(static_cast<std::size_t>(schedule.end(rank) - m_first) * m_width, Next{})
    {
        // Backwards: what an entry computes on comes to the front.
        std::vector<Next> front;
        for (EntryId entry = schedule.end(rank); entry-- > m_first;) {
            const EntryStages stages = stagesOf(schedule, entry);
            const auto drop = [&](std::int32_t hosted) {
                const auto found = std::find_if(front.begin(), front.end(), [&](const Next& next) {
                    return next.hosted == hosted;
                });
                if (found != front.end())
                    front.erase(found);
            };
            drop(stages.first);
            if (stages.second >= 0) {
                drop(stages.second);
                front.insert(front.begin(), {stages.second, entry});
            }
            front.insert(front.begin(), {stages.first, entry});
            if (front.size() > m_width)
                front.resize(m_width);
            std::copy(front.begin(), front.end(), m_next.begin() + row(entry));
        }
    }

    /// The next `count` stages from an entry on; one more where the last is of a pair, both of
    /// whose stages count at once.
    std::vector<std::int32_t> from(EntryId entry, int count) const
    {
        const Next* next = &m_next[static_cast<std::size_t>(row(entry))];
        std::vector<std::int32_t> stages;
        for (std::size_t i = 0; i < m_width && next[i].hosted >= 0; ++i) {
            const bool enough = stages.size() >= static_cast<std::size_t>(count);
            if (enough && next[i].entry != next[i - 1].entry)
                break;
            stages.push_back(next[i].hosted);
        }
        return stages;
    }

private:
    struct Next
    {
        std::int32_t hosted = -1;
        EntryId entry; ///< that computes on it
    };

    std::ptrdiff_t row(EntryId entry) const
    {
        return static_cast<std::ptrdiff_t>(static_cast<std::size_t>(entry - m_first) * m_width);
    }

    EntryId m_first;
    std::size_t m_width;
    std::vector<Next> m_next;
};

bool contains(const std::vector<std::int32_t>& stages, std::int32_t hosted)
{
    return std::find(stages.begin(), stages.end(), hosted) != stages.end();
}

} // namespace

std::vector<Action> withGathers(const Schedule& schedule, DeviceId rank, const Lowering& lowering)
{
    const int ahead = lowering.lookAhead > 0   ? std::min(lowering.lookAhead, lowering.activeStages)
                      : lowering.lookAhead < 0 ? std::min<int>(rank + 2, lowering.activeStages)
                                               : lowering.activeStages;
    const NextStages next(schedule, rank, lowering.activeStages);
    StageSet active;
    std::vector<Action> actions;
    const auto drop = [&](std::int32_t hosted) {
        active.erase(hosted);
        actions.push_back({ActionKind::Free, hosted});
    };
    for (const EntryId entry : schedule.entries(rank)) {
        const std::vector<std::int32_t> kept = next.from(entry, lowering.activeStages);
        for (const std::int32_t hosted : active.stages()) {
            if (!contains(kept, hosted))
                drop(hosted);
        }
        for (const std::int32_t hosted : next.from(entry, ahead)) {
            if (active.has(hosted))
                continue;
            active.insert(hosted);
            actions.push_back({ActionKind::Gather, hosted});
        }
        actions.push_back({ActionKind::Compute, entry});
    }
    for (const std::int32_t hosted : active.stages())
        drop(hosted);
    return actions;
}

std::vector<Action> withReductions(const Schedule& schedule, const std::vector<Action>& actions)
{
    const PipelineSpec& spec = schedule.spec();
    std::map<std::pair<std::int32_t, int>, std::int64_t> left; // by hosted hosted and update
    const auto isGradient = [](PassKind kind) {
        return kind == PassKind::W || kind == PassKind::BW;
    };
    const auto eachGradient = [&](const Action& action, auto&& use) {
        if (action.kind != ActionKind::Compute)
            return;
        const OrderEntry entry = schedule.entry(EntryId(action.index));
        for (const Pass& pass : {entry.pass, entry.partner}) {
            if (isGradient(pass.kind))
                use(std::pair(pass.route * spec.stages() + pass.stage,
                              spec.updateOf(pass.microBatch)));
            if (!entry.paired)
                break;
        }
    };
    for (const Action& action : actions)
        eachGradient(action, [&](const auto& key) { ++left[key]; });
    std::vector<Action> all;
    all.reserve(actions.size() + left.size());
    for (const Action& action : actions) {
        all.push_back(action);
        eachGradient(action, [&](const auto& key) {
            if (--left[key] == 0)
                all.push_back({ActionKind::Reduce, key.first});
        });
    }
    return all;
}

} // namespace pw::communication
