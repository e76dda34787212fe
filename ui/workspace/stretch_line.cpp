// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/workspace/stretch_line.h"

#include "core/analysis/idle_share.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/value_text.h"

#include <utility>
#include <vector>

namespace pw::ui {

namespace {

/// Spans that are summed up on every move of a marker; of more only when it stays.
constexpr std::size_t mostWhileMoving = 200'000;

QString partText(Ticks part, const IdleShare& share)
{
    return percentText(static_cast<double>(part) / static_cast<double>(share.whole()));
}

} // namespace

IdleShare idleShare(const Lanes& lanes, Ticks from, Ticks to)
{
    IdleSharing sharing({from, to});
    for (const Lane& lane : lanes.lanes()) {
        if (lane.depth > 0)
            continue;
        std::vector<TimeStretch> work;
        for (std::size_t i = lane.firstEndingAfter(from); i < lane.size() && lane.start[i] < to;
             ++i)
            work.push_back({lane.start[i], lane.end[i]});
        sharing.addLane(std::move(work));
    }
    return sharing.share();
}

QString idleShareSentence(const IdleShare& share)
{
    const QString marked = durationText(static_cast<double>(share.whole() / share.lanes));
    if (share.lanes == 1)
        return StretchLine::tr("%1 marked: busy %2, idle %3.")
            .arg(marked, partText(share.busy, share), partText(share.idle(), share));
    return StretchLine::tr("%1 marked, on %2 lanes: busy %3, idle %4 while others are busy and %5 "
                           "while none is.")
        .arg(marked)
        .arg(share.lanes)
        .arg(partText(share.busy, share), partText(share.idleBesideWork(), share),
             partText(share.idleTogether(), share));
}

StretchLine::StretchLine(TimelineView& timeline, QWidget* parent)
    : QLabel(parent)
    , m_timeline(timeline)
{
    setObjectName(QStringLiteral("stretch"));
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setContentsMargins(14, 4, 8, 4);
    connect(&timeline, &LaneView::stretchChanged, this, &StretchLine::refresh);
    hide();
}

void StretchLine::refresh()
{
    const std::optional<TimeStretch> stretch = m_timeline.stretch();
    const LanesPtr& lanes = m_timeline.lanes();
    setVisible(stretch && stretch->start < stretch->end && !lanes->lanes().empty());
    if (isHidden() || (m_timeline.isMeasuring() && lanes->spanCount() > mostWhileMoving))
        return;
    setText(idleShareSentence(idleShare(*lanes, stretch->start, stretch->end)));
}

} // namespace pw::ui
