// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/activity_lanes.h"
#include "core/trace/trace.h"

#include <QColor>
#include <QString>

#include <memory>

namespace pw::ui {

/// A trace with everything in it, as rows. Made once, then only read, from any thread.
struct ShownActivity
{
    /// Takes the spans, tracks and names of a trace.
    explicit ShownActivity(Trace taken);
    ShownActivity(const ShownActivity&) = delete;
    ShownActivity& operator=(const ShownActivity&) = delete;

    Trace trace;
    TraceActivity source;
    Ticks end = 0; ///< of the last slice
};

using ShownActivityPtr = std::shared_ptr<const ShownActivity>;

/// The colour of a kind, on the ground of this thread.
QColor activityColor(ActivityKind kind);
/// The colour of a slice: of a labelled pass that of its kind of pass, else that of its kind.
QColor sliceColor(const ShownActivity& activity, const ActivitySlice& slice);
/// The kind as people read it.
QString activityText(ActivityKind kind);

} // namespace pw::ui
