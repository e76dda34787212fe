// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/job/worker_spread.h"

#include "ui/presentation.h"
#include "ui/timeline/time_axis.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace pw::ui {

namespace {

constexpr int fewestBars = 8;
constexpr int mostBars = 40;

} // namespace

WorkerSpread::WorkerSpread(WorkerChoice& choice, QWidget* parent)
    : QWidget(parent)
    , m_choice(choice)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Spread over all workers"));
    connect(&choice, &WorkerChoice::currentChanged, this, &WorkerSpread::showCurrent);
}

void WorkerSpread::setValues(WorkerValues values)
{
    m_values = std::move(values);
    m_sorted.clear();
    m_bars.clear();
    for (int r = 0; r < m_values.replicas(); ++r)
        for (int d = 0; d < m_values.devices(); ++d)
            if (const Worker worker{r, DeviceId(d)}; m_values.valueOf(worker))
                m_sorted.push_back(worker);
    const auto value = [this](const Worker& worker) { return *m_values.valueOf(worker); };
    std::stable_sort(m_sorted.begin(), m_sorted.end(),
                     [&value](const Worker& a, const Worker& b) { return value(a) < value(b); });
    if (!m_sorted.empty()) {
        m_low = value(m_sorted.front());
        m_high = value(m_sorted.back());
        // Twice the root of the count: outliers stand apart, and a bar still holds several.
        const int wanted =
            static_cast<int>(std::lround(2 * std::sqrt(static_cast<double>(m_sorted.size()))));
        const int count = m_high > m_low ? std::clamp(wanted, fewestBars, mostBars) : 1;
        m_bars.resize(static_cast<std::size_t>(count));
        for (const Worker& worker : m_sorted) {
            const double part = m_high > m_low ? (value(worker) - m_low) / (m_high - m_low) : 0;
            m_bars[std::min(m_bars.size() - 1, static_cast<std::size_t>(part * count))].push_back(
                worker);
        }
    }
    showCurrent();
}

void WorkerSpread::showCurrent()
{
    const std::optional<Worker>& worker = m_choice.current();
    if (worker && m_values.job != nullptr)
        setAccessibleDescription(m_values.textOf(*worker));
    update();
}

/// For the bars: numbers stand above, the axis below.
QRectF WorkerSpread::room() const
{
    const double line = fontMetrics().height() + 2;
    return QRectF(rect()).adjusted(8, line, -8, -line);
}

QRectF WorkerSpread::placeOf(int bar) const
{
    const QRectF all = room();
    const double wide = all.width() / std::max(1, bars());
    return {all.left() + bar * wide, all.top(), wide, all.height()};
}

double WorkerSpread::xOf(double value) const
{
    const QRectF all = room();
    return m_high > m_low ? all.left() + (value - m_low) / (m_high - m_low) * all.width()
                          : all.center().x();
}

int WorkerSpread::barAt(QPointF point) const
{
    for (int bar = 0; bar < bars(); ++bar)
        if (const QRectF place = placeOf(bar);
            point.x() >= place.left() && point.x() < place.right())
            return bar;
    return -1;
}

QString WorkerSpread::textOf(int bar) const
{
    const std::vector<Worker>& workers = workersOf(bar);
    if (workers.empty())
        return {};
    if (workers.size() == 1)
        return m_values.textOf(workers.front());
    return tr("%1 workers from %2 to %3; a click goes through them")
        .arg(workers.size())
        .arg(m_values.axisText(*m_values.valueOf(workers.front())),
             m_values.axisText(*m_values.valueOf(workers.back())));
}

void WorkerSpread::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(Role::Paper));
    if (m_bars.empty())
        return;
    QFont small = font();
    small.setPixelSize(TimeAxis::letters(11));
    painter.setFont(small);
    const QFontMetrics letters(small);
    const QRectF all = room();
    std::size_t most = 1;
    for (const std::vector<Worker>& bar : m_bars)
        most = std::max(most, bar.size());
    for (int i = 0; i < bars(); ++i) {
        const std::vector<Worker>& workers = workersOf(i);
        if (workers.empty())
            continue;
        const QRectF place = placeOf(i);
        // A single outlier beside hundreds is still seen.
        constexpr double least = 3;
        const double high = std::max(least, place.height() * static_cast<double>(workers.size()) /
                                                static_cast<double>(most));
        const QRectF bar(place.left(), place.bottom() - high, place.width() - 1, high);
        const bool holdsCurrent =
            current() && std::find(workers.begin(), workers.end(), *current()) != workers.end();
        painter.fillRect(bar, holdsCurrent
                                  ? color(Role::Accent)
                                  : mixedColor(color(Role::Lane), color(Role::Secondary), 0.45));
        const QString count = QString::number(workers.size());
        if (letters.horizontalAdvance(count) < place.width()) {
            painter.setPen(color(Role::Secondary));
            painter.drawText(QRectF(place.left(), bar.top() - letters.height() - 1, place.width(),
                                    letters.height()),
                             Qt::AlignCenter, count);
        }
    }
    painter.setPen(color(Role::Secondary));
    painter.drawLine(all.bottomLeft(), all.bottomRight());
    const double median = *m_values.valueOf(m_sorted[(m_sorted.size() - 1) / 2]);
    const QRectF below(all.left(), all.bottom() + 2, all.width(), letters.height());
    painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter, m_values.axisText(m_low));
    if (m_high <= m_low)
        return;
    painter.drawText(below, Qt::AlignRight | Qt::AlignVCenter, m_values.axisText(m_high));
    const QString words = tr("median %1").arg(m_values.axisText(median));
    const double wide = letters.horizontalAdvance(words);
    const double taken = 8.0 + std::max(letters.horizontalAdvance(m_values.axisText(m_low)),
                                        letters.horizontalAdvance(m_values.axisText(m_high)));
    if (wide + 2 * taken > all.width())
        return;
    painter.drawText(
        QRectF(std::clamp(xOf(median) - wide / 2, all.left() + taken, all.right() - taken - wide),
               below.top(), wide + 2, below.height()),
        Qt::AlignCenter, words);
    painter.setPen(QPen(color(Role::Secondary), 1, Qt::DashLine));
    painter.drawLine(QPointF(xOf(median), all.top()), QPointF(xOf(median), all.bottom()));
}

void WorkerSpread::mousePressEvent(QMouseEvent* event)
{
    const int bar = barAt(event->position());
    if (event->button() != Qt::LeftButton || bar < 0 || workersOf(bar).empty())
        return;
    // The one behind the current one; from outside the greatest of them.
    const std::vector<Worker>& workers = workersOf(bar);
    const auto here =
        current() ? std::find(workers.rbegin(), workers.rend(), *current()) : workers.rend();
    m_choice.choose(here == workers.rend() || std::next(here) == workers.rend() ? workers.back()
                                                                                : *std::next(here));
}

void WorkerSpread::mouseDoubleClickEvent(QMouseEvent* event)
{
    const int bar = barAt(event->position());
    if (bar >= 0 && !workersOf(bar).empty())
        m_choice.openCurrent();
}

void WorkerSpread::mouseMoveEvent(QMouseEvent* event)
{
    const int bar = barAt(event->position());
    const QString words = bar < 0 ? QString() : textOf(bar);
    m_choice.tell(words);
    setToolTip(words);
}

void WorkerSpread::leaveEvent(QEvent* event)
{
    m_choice.tell({});
    QWidget::leaveEvent(event);
}

void WorkerSpread::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    if ((key == Qt::Key_Return || key == Qt::Key_Enter) && current()) {
        m_choice.openCurrent();
        return;
    }
    if ((key != Qt::Key_Left && key != Qt::Key_Right) || m_sorted.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    const auto here =
        current() ? std::find(m_sorted.begin(), m_sorted.end(), *current()) : m_sorted.end();
    if (here == m_sorted.end())
        m_choice.choose(key == Qt::Key_Left ? m_sorted.back() : m_sorted.front());
    else if (key == Qt::Key_Left && here != m_sorted.begin())
        m_choice.choose(*std::prev(here));
    else if (key == Qt::Key_Right && std::next(here) != m_sorted.end())
        m_choice.choose(*std::next(here));
}

} // namespace pw::ui
