// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/live_source.h"

#include "ui/timeline/time_scale.h"

#include <utility>

namespace pw::ui {

void LiveSource::setLanes(LanesPtr lanes)
{
    m_lanes = std::move(lanes);
    Q_EMIT lanesChanged();
}

HoverNews LiveSource::describe(SpanRef span, int lane, double) const
{
    HoverNews news;
    const LanesPtr all = lanes();
    if (lane < 0 || !all->holds(span))
        return news;
    const Lane& spans = all->lanes()[static_cast<std::size_t>(span.lane)];
    const auto index = static_cast<std::size_t>(span.index);
    const Pass pass = all->pass(span);
    news.sentence =
        tr("run: %1 of micro-batch %2 on stage %3 took %4, from %5 on")
            .arg(QString::fromUtf8(name(pass.kind).data(),
                                   static_cast<qsizetype>(name(pass.kind).size())))
            .arg(pass.microBatch)
            .arg(pass.stage)
            .arg(durationText(static_cast<double>(spans.end[index] - spans.start[index])),
                 durationText(static_cast<double>(spans.start[index])));
    return news;
}

} // namespace pw::ui
