// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/keep/sample_card.h"

#include "ui/document/schedule_document.h"
#include "ui/keep/samples.h"
#include "ui/presentation.h"
#include "ui/timeline/lane_painter.h"

#include <QPainter>
#include <QTextLayout>

#include <algorithm>

namespace pw::ui {

namespace {

/// Whole lines alone; the last one ends in … where there are more words.
/// @param most  lines
/// @return  how high what was drawn is
double drawWords(QPainter& painter, const QRectF& room, const QString& words, int most)
{
    const QFontMetricsF metrics(painter.font());
    const int lines = std::min(most, static_cast<int>(room.height() / metrics.lineSpacing()));
    QTextLayout layout(words, painter.font());
    layout.beginLayout();
    int drawn = 0;
    for (; drawn < lines; ++drawn) {
        QTextLine line = layout.createLine();
        if (!line.isValid())
            break;
        line.setLineWidth(room.width());
        const QString rest = words.mid(line.textStart());
        const QString shown = drawn + 1 == lines
                                  ? metrics.elidedText(rest, Qt::ElideRight, room.width())
                                  : rest.left(line.textLength()).trimmed();
        painter.drawText(
            room.topLeft() + QPointF(0, drawn * metrics.lineSpacing() + metrics.ascent()), shown);
    }
    layout.endLayout();
    return drawn * metrics.lineSpacing();
}

} // namespace

SampleCard::SampleCard(const QString& sample, QWidget* parent)
    : QAbstractButton(parent)
    , m_sample(sample)
{
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void SampleCard::read()
{
    Result<Project> project = readSample(m_sample);
    if (!project)
        return;
    m_notes = QString::fromStdString(project->notes);
    ScheduleDocument document;
    document.reset(std::move(*project), {}, ScheduleDocument::Patience::Full);
    setText(document.title());
    setAccessibleName(document.title());
    setAccessibleDescription(m_notes);
    setToolTip(m_notes);
    m_lanes = document.lanes();
    update();
}

QSize SampleCard::sizeHint() const
{
    const int em = fontMetrics().height();
    return {26 * em, 6 * em};
}

void SampleCard::paintEvent(QPaintEvent*)
{
    const int em = fontMetrics().height();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(1, 1, -1, -1);
    const bool hot = underMouse() || hasFocus() || isDown();
    painter.setPen(QPen(color(hot ? Role::Accent : Role::Line), hasFocus() ? 2 : 1));
    painter.setBrush(color(Role::Paper));
    painter.drawRoundedRect(frame, 4, 4);
    painter.setRenderHint(QPainter::Antialiasing, false);

    const QRectF picture(frame.left() + em * 0.6, frame.top() + em * 0.6, 7.5 * em,
                         frame.height() - 1.2 * em);
    if (m_lanes) {
        const auto count = static_cast<double>(m_lanes->lanes().size());
        const double high = std::min(1.0 * em, picture.height() / count);
        const double top = picture.center().y() - high * count / 2;
        TimeScale scale;
        scale.begin = static_cast<double>(m_lanes->begin());
        scale.left = picture.left();
        scale.ticksPerPixel =
            static_cast<double>(m_lanes->end() - m_lanes->begin()) / picture.width();
        const LanePainter lanes(*m_lanes, scale, ColorBy::Kind);
        QFont none = font();
        none.setPixelSize(100); // labels would not be readable, and find no room
        painter.setFont(none);
        for (std::size_t lane = 0; lane < m_lanes->lanes().size(); ++lane)
            lanes.paint(painter, lane,
                        QRectF(picture.left(), top + static_cast<double>(lane) * high,
                               picture.width(), std::max(1.0, high - 1)));
    }
    const QRectF words(picture.right() + em * 0.8, picture.top(),
                       frame.right() - picture.right() - em * 1.4, picture.height());
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(color(Role::Text));
    const double title = drawWords(painter, words, text(), 2);
    painter.setFont(font());
    painter.setPen(color(Role::Secondary));
    drawWords(painter, words.adjusted(0, title + 1, 0, em * 0.3), m_notes.simplified(), 9);
}

} // namespace pw::ui
