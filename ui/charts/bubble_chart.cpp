// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/bubble_chart.h"

#include "ui/presentation.h"
#include "ui/timeline/time_axis.h"
#include "ui/timeline/value_text.h"

#include <QHelpEvent>
#include <QLocale>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

namespace pw::ui {

namespace {

/// Pixels that a bar and its words need, and have at most.
int leastRow()
{
    return TimeAxis::letters(11);
}
int mostRow()
{
    return TimeAxis::letters(20);
}
int namesRoom()
{
    return TimeAxis::letters(72);
}
constexpr int lowWindow = 640; ///< pixels
constexpr std::array<double, 5> marks = {0, 0.25, 0.5, 0.75, 1};

/// The shade of a rate: from the ground of a chart to that of text.
QColor shade(double rate)
{
    return mixedColor(color(Role::Lane), color(Role::Text), std::clamp(rate, 0.0, 1.0));
}

} // namespace

QString ratesText(const BubbleRow& row)
{
    return BubbleChart::tr("wall %1   span %2").arg(percentText(row.wall), percentText(row.span));
}

BubbleChart::BubbleChart(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Bubble"));
}

void BubbleChart::setRows(std::vector<BubbleRow> rows)
{
    const bool resized = rows.size() != m_rows.size();
    m_rows = std::move(rows);
    setAccessibleDescription(endsText());
    if (resized)
        updateGeometry(); // the least height, too
    update();
}

void BubbleChart::setSoFar(std::vector<BubbleRow> rows)
{
    m_soFar = std::move(rows);
    update();
}

const std::vector<BubbleRow>& BubbleChart::shown() const
{
    return m_soFar.size() == m_rows.size() ? m_soFar : m_rows;
}

void BubbleChart::setTrial(std::vector<BubbleRow> rows)
{
    m_trial = std::move(rows);
    update();
}

void BubbleChart::setBands(std::vector<BubbleBand> bands)
{
    m_bands = std::move(bands);
    update();
}

/// What a tool tip adds under noise; empty: nothing.
QString BubbleChart::bandText(int device) const
{
    const auto at = static_cast<std::size_t>(device);
    if (m_bands.size() != m_rows.size())
        return {};
    return tr("\nUnder noise the wall bubble of nine of ten runs is %1 to %2.")
        .arg(percentText(m_bands[at].low), percentText(m_bands[at].high));
}

/// From the low to the high quantile, with an end at each.
void BubbleChart::paintBand(QPainter& painter, const QRectF& area, const BubbleBand& band) const
{
    const double y = area.center().y();
    const double left = area.left() + area.width() * band.low;
    const double right = area.left() + area.width() * band.high;
    const double tall = std::min(4.0, area.height() / 3);
    // Seen on the bar and beside it.
    for (const auto& [ink, wide] :
         {std::pair(color(Role::Lane), 4.0), std::pair(color(Role::Text), 1.5)}) {
        painter.setPen(QPen(ink, wide, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(QPointF(left, y), QPointF(right, y));
        for (const double x : {left, right})
            painter.drawLine(QPointF(x, y - tall), QPointF(x, y + tall));
    }
}

QFont BubbleChart::smallFont() const
{
    QFont small = font();
    small.setPixelSize(TimeAxis::letters(11));
    return small;
}

QSize BubbleChart::sizeHint() const
{
    const int axis = QFontMetrics(smallFont()).height() + 4;
    return {900,
            12 + axis + mostRow() * static_cast<int>(std::clamp<std::size_t>(m_rows.size(), 3, 6))};
}

/// A few devices have room for their bars; many, and all in a low window, begin as a strip.
QSize BubbleChart::minimumSizeHint() const
{
    const auto bars = m_low ? 1 : static_cast<int>(std::clamp<std::size_t>(m_rows.size(), 1, 4));
    const int axis = QFontMetrics(smallFont()).height() + 12;
    return {200, std::max(TimeAxis::letters(44), axis + leastRow() * bars + 1)};
}

void BubbleChart::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const bool low = window()->height() < lowWindow;
    if (low == m_low)
        return;
    m_low = low;
    updateGeometry();
}

/// What a row of the devices would have; below `leastRow` they become a strip.
double BubbleChart::rowHeight() const
{
    const double room = height() - 8 - QFontMetricsF(smallFont()).height() - 4;
    return std::min<double>(mostRow(),
                            room / static_cast<double>(std::max<std::size_t>(1, m_rows.size())));
}

bool BubbleChart::isStrip() const
{
    return rowHeight() < leastRow();
}

QRectF BubbleChart::axis() const
{
    const QRectF room = TimeAxis::room(*this);
    const QFontMetricsF metrics(smallFont());
    const double top = 4 + metrics.height();
    if (isStrip())
        return {room.left() + 8, top, std::min(240.0, room.width() / 3), 5};
    const double words = metrics.horizontalAdvance(ratesText({{}, 0.888, 0.888})) + 24;
    return {room.left() + namesRoom(), top, std::max(40.0, room.width() - namesRoom() - words),
            height() - 4 - top};
}

QRectF BubbleChart::rowArea(std::size_t device) const
{
    const QRectF all = axis();
    const double high = rowHeight();
    return {all.left(), all.top() + 2 + static_cast<double>(device) * high, all.width(), high};
}

/// The cells, below the key.
QRectF BubbleChart::stripArea() const
{
    const QRectF room = TimeAxis::room(*this).adjusted(8, 0, -8, 0);
    const double top = axis().bottom() + 8;
    return {room.left(), top, room.width(), std::clamp(height() - 8 - top, 8.0, 34.0)};
}

int BubbleChart::deviceAt(QPointF point) const
{
    const auto count = static_cast<int>(m_rows.size());
    if (isStrip()) {
        const QRectF strip = stripArea();
        if (!strip.contains(point))
            return -1;
        return std::min(count - 1, static_cast<int>((point.x() - strip.left()) / strip.width() *
                                                    static_cast<double>(count)));
    }
    for (int i = 0; i < count; ++i) {
        const QRectF row = rowArea(static_cast<std::size_t>(i));
        if (row.top() <= point.y() && point.y() < row.bottom())
            return i;
    }
    return -1;
}

bool BubbleChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int device = deviceAt(help->pos());
    if (device < 0) {
        QToolTip::hideText();
        return true;
    }
    const BubbleRow& row = shown()[static_cast<std::size_t>(device)];
    QToolTip::showText(help->globalPos(),
                       tr("%1: idle for %2 of the makespan (wall bubble), for %3 of its own first "
                          "start to last end (span bubble)")
                               .arg(row.device, percentText(row.wall), percentText(row.span)) +
                           bandText(device),
                       this);
    return true;
}

/// The least and the most idle device in words.
QString BubbleChart::endsText() const
{
    if (m_rows.empty())
        return {};
    const auto less = [](const BubbleRow& a, const BubbleRow& b) { return a.wall < b.wall; };
    const std::vector<BubbleRow>& rows = shown();
    const auto [least, most] = std::minmax_element(rows.begin(), rows.end(), less);
    return least->wall == most->wall
               ? tr("wall bubble %1 on every device").arg(percentText(most->wall))
               : tr("wall bubble %1 on %2 to %3 on %4")
                     .arg(percentText(least->wall), least->device, percentText(most->wall),
                          most->device);
}

void BubbleChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(Role::Paper));
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    bold.setPixelSize(TimeAxis::letters(12));
    painter.setFont(bold);
    painter.setPen(color(Role::Text));
    const double wide = TimeAxis::margin() - 28, line = TimeAxis::letters(16);
    painter.drawText(QRectF(14, 4, wide, line), Qt::AlignLeft, tr("Bubble"));
    painter.setFont(smallFont());
    painter.setPen(color(Role::Secondary));
    painter.drawText(QRectF(14, TimeAxis::letters(17) + 4, wide, line), Qt::AlignLeft,
                     m_soFar.empty() ? tr("idle ÷ time") : tr("idle so far"));
    painter.fillRect(TimeAxis::room(*this).adjusted(0, 2, 0, -2), color(Role::Lane));
    if (m_rows.empty())
        return;
    paintAxis(painter);
    if (isStrip())
        paintStrip(painter);
    else
        paintBars(painter);
}

/// 0 to 100 %, with a line down through the bars at every quarter.
void BubbleChart::paintAxis(QPainter& painter) const
{
    const QRectF all = axis();
    const double line = QFontMetricsF(painter.font()).height();
    const double around = TimeAxis::letters(30);
    for (const double mark : marks) {
        const double x = std::round(all.left() + mark * all.width());
        if (!isStrip()) {
            painter.setPen(color(Role::Line));
            painter.drawLine(QPointF(x, all.top()), QPointF(x, all.bottom()));
        }
        painter.setPen(color(Role::Secondary));
        const QString words =
            mark == 0 ? QStringLiteral("0") : QStringLiteral("%1 %").arg(std::lround(100 * mark));
        painter.drawText(QRectF(x - around, 2, 2 * around, line), Qt::AlignCenter, words);
    }
}

void BubbleChart::paintBars(QPainter& painter) const
{
    const double left = TimeAxis::room(*this).left();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const BubbleRow& row = shown()[i];
        const QRectF area = rowArea(i);
        const double high = std::max(1.0, area.height() - 6);
        const QRectF bar(area.left(), area.center().y() - high / 2, area.width() * row.wall, high);
        painter.fillRect(bar, color(Role::Secondary));
        if (i < m_trial.size())
            painter.fillRect(
                QRectF(area.left(), bar.bottom() - 3, area.width() * m_trial[i].wall, 3),
                color(Role::Accent));
        if (m_bands.size() == m_rows.size() && m_soFar.empty())
            paintBand(painter, area, m_bands[i]);
        painter.setPen(color(Role::Secondary));
        painter.drawText(QRectF(left + 8, area.top(), namesRoom() - 10, area.height()),
                         Qt::AlignVCenter, row.device);
        painter.setPen(color(Role::Text));
        painter.drawText(
            QRectF(area.right() + 20, area.top(), width() - area.right() - 20, area.height()),
            Qt::AlignVCenter, ratesText(row));
    }
}

void BubbleChart::paintStrip(QPainter& painter) const
{
    const QRectF key = axis();
    for (double x = key.left(); x < key.right(); x += 1)
        painter.fillRect(QRectF(x, key.top(), 1, key.height()),
                         shade((x - key.left()) / key.width()));
    painter.setPen(color(Role::Line));
    painter.drawRect(key.adjusted(-0.5, -0.5, 0.5, 0.5));
    painter.setPen(color(Role::Text));
    const double line = QFontMetricsF(painter.font()).height();
    painter.drawText(QRectF(key.right() + 40, 2, width() - key.right() - 50, line),
                     Qt::AlignVCenter | Qt::AlignLeft, endsText());

    const QRectF strip = stripArea();
    const auto count = static_cast<double>(m_rows.size());
    const bool tried = m_trial.size() == m_rows.size();
    const double own = tried ? strip.height() - 6 : strip.height();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const double from = strip.left() + strip.width() * static_cast<double>(i) / count;
        const double to = strip.left() + strip.width() * static_cast<double>(i + 1) / count;
        const double wide = to - from >= 4 ? to - from - 1 : to - from;
        painter.fillRect(QRectF(from, strip.top(), wide, own), shade(shown()[i].wall));
        if (tried)
            painter.fillRect(QRectF(from, strip.bottom() - 5, wide, 5), shade(m_trial[i].wall));
    }
    painter.setPen(color(Role::Line));
    painter.drawRect(strip.adjusted(-1, -1, 0, 0));
    // As many numbers below as there is room for.
    const double numbers = strip.bottom() + 1;
    if (numbers + line > height())
        return;
    painter.setPen(color(Role::Secondary));
    const double around = TimeAxis::letters(30);
    const auto every = static_cast<std::size_t>(
        std::max(1.0, std::pow(2.0, std::ceil(std::log2(around * count / strip.width())))));
    for (std::size_t i = 0; i < m_rows.size(); i += every) {
        const double middle = strip.left() + strip.width() * (static_cast<double>(i) + 0.5) / count;
        painter.drawText(QRectF(middle - around, numbers, 2 * around, line), Qt::AlignCenter,
                         QString::number(i));
    }
}

} // namespace pw::ui
