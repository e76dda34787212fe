// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/rule_lanes.h"

#include "core/trace/rule_draft.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/time_axis.h"

#include <QPainter>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace pw::ui {

namespace {

/// What the rules say of one name; the place of its rule has still to fit.
struct ReadName
{
    bool known = false;
    std::optional<SpanName> said;
    std::int32_t rule = -1;
};

/// Whether process and thread of a track are those that a rule wants.
bool placeFits(const NameRule& rule, const TraceTrack& track)
{
    return !rule.hasPlaces() || rule.readPlace(processSaid(track), track.thread, "").has_value();
}

} // namespace

RulePicturePtr pictureOf(const ShownActivity& activity, const std::vector<NameRule>& rules)
{
    auto picture = std::make_shared<RulePicture>();
    const Trace& trace = activity.trace;
    std::vector<ReadName> names(trace.names.size());
    std::map<std::int32_t, std::size_t> laneOf; // by track
    const double width = std::max<double>(1, static_cast<double>(activity.end)) /
                         static_cast<double>(RulePicture::columns);
    for (const TraceSpan& span : trace.spans) {
        ReadName& name = names[static_cast<std::size_t>(span.name)];
        if (!name.known) {
            name.known = true;
            const std::string& words = trace.names[static_cast<std::size_t>(span.name)];
            name.rule = ruleOf(words, rules);
            if (name.rule >= 0)
                name.said = rules[static_cast<std::size_t>(name.rule)].read(words);
        }
        if (!name.said || name.said->first.role != SpanRole::Pass)
            continue;
        const TraceTrack& track = trace.tracks[static_cast<std::size_t>(span.track)];
        if (!placeFits(rules[static_cast<std::size_t>(name.rule)], track))
            continue;
        auto at = laneOf.find(span.track);
        if (at == laneOf.end()) {
            if (picture->lanes.size() >= RulePicture::mostLanes) {
                ++picture->left;
                at = laneOf.emplace(span.track, RulePicture::mostLanes).first;
            } else {
                at = laneOf.emplace(span.track, picture->lanes.size()).first;
                RulePicture::RuleLane lane;
                lane.title =
                    track.process.empty() ? track.thread : track.process + " · " + track.thread;
                lane.kind.fill(-1);
                picture->lanes.push_back(std::move(lane));
            }
        }
        if (at->second >= picture->lanes.size())
            continue;
        auto& columns = picture->lanes[at->second].kind;
        const auto columnOf = [width](Ticks time) {
            return std::min(RulePicture::columns - 1, static_cast<std::size_t>(std::max(
                                                          0.0, static_cast<double>(time) / width)));
        };
        const auto kind = static_cast<std::int8_t>(name.said->first.kind);
        std::fill(columns.begin() + static_cast<std::ptrdiff_t>(columnOf(span.start)),
                  columns.begin() + static_cast<std::ptrdiff_t>(columnOf(span.end)) + 1, kind);
    }
    return picture;
}

RuleLanes::RuleLanes(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("What the rules read, over time"));
}

void RuleLanes::setPicture(RulePicturePtr picture)
{
    m_picture = std::move(picture);
    const std::size_t lanes = m_picture != nullptr ? m_picture->lanes.size() : 0;
    setAccessibleDescription(tr("%1 lanes with passes").arg(lanes));
    update();
}

void RuleLanes::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(Role::Paper));
    QFont small = font();
    small.setPixelSize(TimeAxis::letters(10));
    painter.setFont(small);
    const QFontMetrics letters(small);
    if (m_picture == nullptr || m_picture->lanes.empty()) {
        painter.setPen(color(Role::Secondary));
        painter.drawText(rect(), Qt::AlignCenter,
                         tr("No pass is read yet. Lanes colour as you say what names are."));
        return;
    }
    const double margin = std::min(width() / 4.0, TimeAxis::letters(150) * 1.0);
    const double pitch =
        static_cast<double>(height()) / static_cast<double>(m_picture->lanes.size());
    const double across = (width() - margin) / static_cast<double>(RulePicture::columns);
    for (std::size_t i = 0; i < m_picture->lanes.size(); ++i) {
        const RulePicture::RuleLane& lane = m_picture->lanes[i];
        const QRectF area(margin, static_cast<double>(i) * pitch, width() - margin,
                          std::max(1.0, pitch - 1));
        painter.fillRect(area, color(Role::Lane));
        for (std::size_t from = 0; from < RulePicture::columns;) {
            std::size_t to = from + 1;
            while (to < RulePicture::columns && lane.kind[to] == lane.kind[from])
                ++to;
            if (lane.kind[from] >= 0)
                painter.fillRect(QRectF(margin + static_cast<double>(from) * across, area.top(),
                                        static_cast<double>(to - from) * across, area.height()),
                                 color(roleOf(static_cast<PassKind>(lane.kind[from]), false)));
            from = to;
        }
        if (pitch < letters.height() - 3 && i % 2 == 1)
            continue;
        painter.setPen(color(Role::Secondary));
        painter.drawText(
            QRectF(0, area.center().y() - letters.height() / 2.0, margin - 6, letters.height()),
            Qt::AlignLeft | Qt::AlignVCenter,
            letters.elidedText(text(lane.title), Qt::ElideMiddle, static_cast<int>(margin) - 6));
    }
}

} // namespace pw::ui
