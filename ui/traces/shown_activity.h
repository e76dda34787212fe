// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/pass.h"
#include "core/trace/activity_lanes.h"
#include "core/trace/message_split.h"
#include "core/trace/trace.h"

#include <QColor>
#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

namespace pw::ui {

/// A trace with everything in it, as rows. Made once, then only read, from any thread.
struct ShownActivity
{
    /// A labelled pass of a rank, for what lies in it.
    struct PassTime
    {
        Ticks start = 0;
        Ticks end = 0;
        PassKind kind = PassKind::F;
        StageId stage;
    };

    /// Takes the spans, tracks and names of a trace.
    /// @param messages  of the trace, for arrows
    explicit ShownActivity(Trace taken, std::vector<MessagePair> messages = {});
    /// A kept trace, as it was.
    ShownActivity(Trace taken, ActivityLanes lanes, std::vector<MessagePair> messages);
    ShownActivity(const ShownActivity&) = delete;
    ShownActivity& operator=(const ShownActivity&) = delete;

    Trace trace;
    TraceActivity source;
    Ticks end = 0; ///< of the last slice
    std::vector<MessagePair> pairs;
    std::vector<std::vector<PassTime>> passes; ///< by rank, by start
    /// Even parts of the time until `end`, 0 … 1 of each.
    struct Strip
    {
        std::vector<float> busy;
        std::vector<float> exposed; ///< with communication while nothing is computed; empty: none
    };
    /// Of the streams of devices, of all lanes where there are none; at most `stripLanes`.
    std::vector<Strip> strip;

    static constexpr std::size_t stripLanes = 64;
    static constexpr std::size_t stripParts = 2048;

    /// The labelled pass of a rank that is around a moment; null: none.
    const PassTime* passAt(TraceRankId rank, Ticks time) const;

private:
    void makeStrip();
    /// Calls `take` with the spans of a lane during which it is busy.
    template<class Take>
    void eachBusy(std::size_t lane, Take take) const;
    void findPasses();
};

using ShownActivityPtr = std::shared_ptr<const ShownActivity>;

/// The colour of a kind, on the ground of this thread.
QColor activityColor(ActivityKind kind);
/// The kind as people read it.
QString activityText(ActivityKind kind);

} // namespace pw::ui
