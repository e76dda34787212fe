// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/slice_words.h"

#include "ui/core_sentences.h"
#include "ui/text.h"
#include "ui/timeline/time_axis.h"
#include "ui/traces/activity_view.h"

namespace pw::ui {

QString SliceWords::nameOf(const ActivitySlice& slice) const
{
    const Result<std::string> read = m_activity.source.name(slice.name);
    const QString name = read ? text(*read) : QString();
    return slice.count > 1 ? ActivityView::tr("%1 and %2 more").arg(name).arg(slice.count - 1)
                           : name;
}

std::optional<PeerShare> SliceWords::waitOf(const ActivitySlice& slice) const
{
    return m_gaps == nullptr || slice.id < 0 || slice.count > 1
               ? std::nullopt
               : m_gaps->waitOf(static_cast<std::int32_t>(slice.id));
}

SliceWords::Said SliceWords::of(const ChosenSlice& one,
                                const std::function<QString(const QString&)>& shorten) const
{
    const ActivityLane& lane = m_activity.source.lanes()[static_cast<std::size_t>(one.lane)];
    const auto start = static_cast<double>(one.slice.start);
    const auto end = static_cast<double>(one.slice.end);
    const QString times =
        ActivityView::tr("%1, %2").arg(durationText(end - start), spanText(start, end));
    const QString name = shorten(nameOf(one.slice));
    QString card = ActivityView::tr("%1\n%2\n%3 · %4")
                       .arg(name, times, activityText(one.slice.kind), text(lane.name));
    if (const std::optional<PeerShare> peer = waitOf(one.slice))
        card = ActivityView::tr("%1\n%2").arg(card, coreSentence(peer->text));
    return {card, ActivityView::tr("%1: %2").arg(name, times)};
}

SliceWords::Said SliceWords::of(const ChosenGap& one)
{
    const QString head = ActivityView::tr("idle %1").arg(
        durationText(static_cast<double>(one.gap.end - one.gap.start)));
    const QString why = coreSentence(one.gap.text);
    return {ActivityView::tr("%1\n%2").arg(head, why), ActivityView::tr("%1: %2").arg(head, why)};
}

QString SliceWords::of(const LaneRows::Row& row)
{
    return row.note.isEmpty() ? row.title
                              : ActivityView::tr("%1\n%2 slices").arg(row.title, row.note);
}

} // namespace pw::ui
