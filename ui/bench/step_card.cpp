// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/step_card.h"

#include "ui/presentation.h"
#include "ui/timeline/lane_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>

#include <algorithm>

namespace pw::ui {

namespace {

constexpr double inset = 10;
constexpr double picture = 34; ///< height of the lanes
constexpr int figureRows = 4;

} // namespace

StepCard::StepCard(const QString& title, const QString& purpose, QWidget* parent)
    : QAbstractButton(parent)
    , m_purpose(purpose)
{
    setText(title);
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setToolTip(purpose);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    describe();
}

void StepCard::describe()
{
    QStringList lines;
    for (const Figure& figure : m_figures)
        lines += figure.name + QLatin1Char(' ') + figure.value +
                 (figure.change.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(figure.change));
    setAccessibleName(text());
    setAccessibleDescription(lines.isEmpty() ? (m_reason.isEmpty() ? m_purpose : m_reason)
                                             : lines.join(QStringLiteral(", ")));
}

void StepCard::showFigures(LanesPtr lanes, Ticks whole, std::vector<Figure> figures)
{
    m_lanes = std::move(lanes);
    m_whole = std::max<Ticks>(1, whole);
    m_figures = std::move(figures);
    m_reason.clear();
    describe();
    update();
}

void StepCard::showNothing(const QString& reason)
{
    m_lanes.reset();
    m_figures.clear();
    m_reason = reason;
    describe();
    update();
}

QSize StepCard::sizeHint() const
{
    const QFontMetricsF metrics(font());
    return {240, static_cast<int>(metrics.height() * (figureRows + 1) + picture + 2 * inset + 8)};
}

QSize StepCard::minimumSizeHint() const
{
    const QFontMetricsF metrics(font());
    const double words = metrics.horizontalAdvance(tr("wall bubble")) +
                         metrics.horizontalAdvance(QStringLiteral("000 (00.0 %) −000"));
    return {static_cast<int>(words + 2 * inset + 16), sizeHint().height()};
}

void StepCard::paintLanes(QPainter& painter, const QRectF& area) const
{
    const std::size_t count = m_lanes->lanes().size();
    const double high = area.height() / static_cast<double>(count);
    TimeScale scale;
    scale.left = area.left();
    scale.ticksPerPixel = static_cast<double>(m_whole) / area.width();
    const LanePainter lanes(*m_lanes, scale, ColorBy::Kind);
    QFont none = font();
    none.setPixelSize(1); // no room for letters
    painter.setFont(none);
    painter.save();
    painter.setClipRect(area);
    for (std::size_t lane = 0; lane < count; ++lane)
        lanes.paint(painter, lane,
                    QRectF(area.left(), area.top() + static_cast<double>(lane) * high, area.width(),
                           std::max(1.0, high > 3 ? high - 1 : high)));
    painter.restore();
}

void StepCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF whole = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setBrush(color(isChecked() || underMouse() ? pw::Role::Lane : pw::Role::Paper));
    painter.setPen(QPen(color(isChecked() || hasFocus() ? pw::Role::Accent : pw::Role::Line),
                        hasFocus() ? 2 : 1));
    painter.drawRoundedRect(whole, 6, 6);
    painter.setRenderHint(QPainter::Antialiasing, false);

    const QFontMetricsF metrics(font());
    QRectF line(inset, inset - 2, width() - 2 * inset, metrics.height() + 2);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(color(isChecked() ? pw::Role::Accent : pw::Role::Text));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, text());
    painter.setFont(font());
    QRectF rest(inset, line.bottom() + 4, line.width(), height() - line.bottom() - 4 - inset);
    if (m_figures.empty()) {
        painter.setPen(color(m_reason.isEmpty() ? pw::Role::Secondary : pw::Role::Refusal));
        painter.drawText(rest, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                         m_reason.isEmpty() ? m_purpose : m_reason);
        return;
    }
    paintLanes(painter, QRectF(rest.left(), rest.top(), rest.width(), picture));
    painter.setFont(font());
    double y = rest.top() + picture + 6;
    const double changes = metrics.horizontalAdvance(QStringLiteral("−0000"));
    for (const Figure& figure : m_figures) {
        const QRectF row(inset, y, line.width(), metrics.height());
        painter.setPen(color(pw::Role::Secondary));
        painter.drawText(row, Qt::AlignLeft, figure.name);
        painter.setPen(color(pw::Role::Text));
        painter.drawText(row.adjusted(0, 0, -changes - 8, 0), Qt::AlignRight, figure.value);
        painter.setPen(color(figure.better ? pw::Role::Good : pw::Role::Secondary));
        painter.drawText(row, Qt::AlignRight, figure.change);
        y += metrics.height();
    }
}

} // namespace pw::ui
