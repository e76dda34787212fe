// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/lesson_picture_view.h"

#include "core/edit/compose.h"
#include "ui/presentation.h"
#include "ui/timeline/lane_painter.h"

#include <QPainter>

#include <algorithm>

namespace pw::ui {

LessonPictureView::LessonPictureView(const Project& project, const QString& caption,
                                     QWidget* parent)
    : QWidget(parent)
    , m_caption(caption)
{
    if (const auto draft = draftOf(project))
        if (const auto times = draftTimes(*draft, costsOf(project)))
            m_lanes = lanesOf(*draft, *times);
    setAccessibleName(caption);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

int LessonPictureView::laneHeight() const
{
    return fontMetrics().height() * 3 / 2;
}

int LessonPictureView::heightForWidth(int width) const
{
    const int lanes = m_lanes ? static_cast<int>(m_lanes->lanes().size()) : 0;
    const QRect caption = fontMetrics().boundingRect(QRect(0, 0, std::max(width, 60), 10'000),
                                                     Qt::TextWordWrap, m_caption);
    return lanes * laneHeight() +
           (m_caption.isEmpty() ? 0 : caption.height() + fontMetrics().height() / 2);
}

QSize LessonPictureView::sizeHint() const
{
    return {260, heightForWidth(260)};
}

void LessonPictureView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const int high = laneHeight();
    int y = 0;
    if (m_lanes) {
        TimeScale scale;
        scale.begin = static_cast<double>(m_lanes->begin());
        scale.left = 0;
        scale.ticksPerPixel =
            static_cast<double>(m_lanes->end() - m_lanes->begin()) / std::max(1, width());
        QFont small = font();
        small.setPointSizeF(font().pointSizeF() * 0.75);
        painter.setFont(small);
        const LanePainter lanes(*m_lanes, scale, ColorBy::Kind);
        for (std::size_t lane = 0; lane < m_lanes->lanes().size(); ++lane, y += high) {
            painter.fillRect(QRect(0, y, width(), high - 2), color(Role::Lane));
            lanes.paint(painter, lane, QRectF(0, y, width(), high - 2));
        }
    }
    painter.setFont(font());
    painter.setPen(color(Role::Secondary));
    painter.drawText(QRect(0, y, width(), height() - y),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, m_caption);
}

} // namespace pw::ui
