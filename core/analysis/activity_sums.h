// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/idle_share.h"
#include "core/base/result.h"
#include "core/trace/activity_lanes.h"

#include <array>
#include <cstdint>
#include <functional>
#include <set>
#include <vector>

namespace pw {

/// What slices of one name did in a stretch.
struct NameSum
{
    std::int32_t name = -1; ///< of the source
    ActivityKind kind = ActivityKind::Other;
    std::int64_t count = 0; ///< that reach into the stretch
    Ticks total = 0;        ///< of their parts inside the stretch
    Ticks self = 0;         ///< of it, without what is nested in them

    friend bool operator==(const NameSum&, const NameSum&) = default;
};

/// What a trace did in a stretch of time.
struct ActivitySums
{
    Ticks from = 0;
    Ticks to = 0;
    std::int64_t ranks = 0; ///< that have a lane
    /// With at least one slice of the kind, by kind: summed over the ranks, and on a rank several
    /// at a time count once.
    std::array<Ticks, activityKindCount> busy{};
    std::array<std::int64_t, activityKindCount> counts{};
    IdleShare device;           ///< the same with compute, communication or copies, a lane a rank
    std::vector<NameSum> names; ///< most self time first

    /// The whole that `busy` and `device` are parts of.
    Ticks whole() const { return (to - from) * ranks; }
};

/// Sums a stretch up.
///
/// @param ranks  whose slices count, by number; empty: all
/// @param goOn   asked now and then; false stops with Cancelled; may be empty
/// @error       as of the source; Cancelled
/// @complexity  O(n log n) for n slices in the stretch
Result<ActivitySums> activitySums(const ActivitySource& source, Ticks from, Ticks to,
                                  const std::set<std::int32_t>& ranks = {},
                                  const std::function<bool()>& goOn = {});

} // namespace pw
