// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/shown_activity.h"

#include "ui/presentation.h"
#include "ui/text.h"

#include <QObject>

#include <algorithm>

namespace pw::ui {

ShownActivity::ShownActivity(Trace taken)
    : trace(std::move(taken))
    , source(trace)
{
    for (const ActivityLane& lane : source.lanes())
        end = std::max(end, lane.end);
}

QColor activityColor(ActivityKind kind)
{
    const bool light = ground() == Ground::Light;
    const auto one = [light](QRgb onLight, QRgb onDark) {
        return QColor::fromRgb(light ? onLight : onDark);
    };
    switch (kind) {
    case ActivityKind::Compute:
        return one(0x6F8FB5, 0x5B8FC4);
    case ActivityKind::Communication:
        return one(0x66CCEE, 0x3FA3C4);
    case ActivityKind::Memory:
        return one(0xB9C2CC, 0x7D8894);
    case ActivityKind::Operator:
        return one(0xDFE6EE, 0x3B4652);
    case ActivityKind::Launch:
        return one(0xF0D9B5, 0x6B5836);
    case ActivityKind::Wait:
        return one(0xD9822B, 0xB56A20);
    case ActivityKind::Annotation:
        return one(0xE9DFF1, 0x4C3F57);
    case ActivityKind::Script:
        return one(0xE3EBD9, 0x3F4A35);
    case ActivityKind::Other:
        break;
    }
    return one(0xD3D9E0, 0x4A525C);
}

QColor sliceColor(const ShownActivity& activity, const ActivitySlice& slice)
{
    const std::vector<TraceSpan>& spans = activity.trace.spans;
    if (slice.id >= 0 && static_cast<std::size_t>(slice.id) < spans.size()) {
        const SpanLabel* label = activity.trace.labelOf(spans[static_cast<std::size_t>(slice.id)]);
        if (label != nullptr && label->role == SpanRole::Pass)
            return color(roleOf(label->kind, false));
    }
    return activityColor(slice.kind);
}

QString activityText(ActivityKind kind)
{
    return text(name(kind));
}

} // namespace pw::ui
