// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/schedule.h"
#include "core/trace/records.h"
#include "ui/models/lanes.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace pw::ui {

/// Lanes of one iteration of a run.
struct IterationLanes
{
    LanesPtr lanes; ///< times count from the first start of the iteration; null: nothing yet
    std::int32_t iteration = 0;
    bool complete = false;
};

/// Grows the lanes of the iteration that is under way as its passes come. A short iteration is
/// shown as a whole once it is over, a long one while it grows.
class LiveLanes
{
public:
    /// Iterations up to this long are shown whole.
    static constexpr Ticks briefly = 500'000'000;

    explicit LiveLanes(std::shared_ptr<const Schedule> schedule);

    /// Records of all ranks, those of a rank in time order. What does not fit the schedule is left
    /// aside, so that whatever comes this holds no more than one iteration.
    void add(std::span<const RecordedPass> batch);
    /// Whether there is something that `current` has not yet shown.
    bool fresh() const { return m_fresh; }
    /// @complexity O(spans): copies what has grown
    IterationLanes current();

private:
    void begin(std::int32_t iteration);
    LanesPtr make() const;

    std::shared_ptr<const Schedule> m_schedule;
    LanesPtr m_plan; ///< with looks and titles; its times mean nothing
    std::vector<Lane> m_lanes;
    std::vector<bool> m_seen; ///< by entry
    std::int32_t m_iteration = 0;
    std::int64_t m_count = 0;
    Ticks m_last = 0;
    Ticks m_first = 0;
    bool m_begun = false;
    bool m_fresh = false;
    IterationLanes m_whole; ///< the last one that is over
};

} // namespace pw::ui
