// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/plan/split_bars.h"

#include "ui/presentation.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr double splitReach = 6; ///< pixels from a boundary within which it is meant
constexpr double splitSide = 4;  ///< pixels left free at both sides

/// A kind's shade: the highlight, the more of the text's colour in it the later the kind.
QColor kindShade(const QPalette& palette, int kind, bool even)
{
    constexpr double step = 0.45;
    double part = 0;
    for (int i = 0; i < kind; ++i)
        part += step * (1 - part);
    QColor colour =
        mixedColor(palette.color(QPalette::Highlight), palette.color(QPalette::Text), part);
    colour.setAlphaF(even ? 0.75F : 0.55F);
    return colour;
}

} // namespace

SplitBars::SplitBars(QWidget* parent)
    : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Layers of the stages"));
    setAccessibleDescription(
        tr("Left and right choose a boundary between two stages, with Ctrl they "
           "move it by a layer."));
    setToolTip(tr("Drag a boundary to move layers between two stages. Left and right choose a "
                  "boundary, with Ctrl they move it by a layer."));
}

void SplitBars::setStages(std::vector<SplitStage> stages)
{
    const bool other = stages.size() != m_stages.size();
    m_stages = std::move(stages);
    if (other) {
        m_current = -1;
        m_dragging = false;
    }
    update();
}

int SplitBars::layerCount() const
{
    int sum = 0;
    for (const SplitStage& stage : m_stages)
        sum += stage.layers;
    return sum;
}

std::vector<int> SplitBars::layers() const
{
    std::vector<int> all;
    for (const SplitStage& stage : m_stages)
        all.push_back(stage.layers);
    return all;
}

QPointF SplitBars::boundary(int stage) const
{
    int before = 0;
    for (int s = 0; s <= stage; ++s)
        before += m_stages[static_cast<std::size_t>(s)].layers;
    const double wide = width() - 2 * splitSide;
    return {splitSide + wide * before / std::max(layerCount(), 1), height() / 2.0};
}

int SplitBars::boundaryAt(QPointF place) const
{
    int best = -1;
    double least = splitReach;
    for (int s = 0; s + 1 < static_cast<int>(m_stages.size()); ++s) {
        const double away = std::abs(boundary(s).x() - place.x());
        if (away < least) {
            least = away;
            best = s;
        }
    }
    return best;
}

void SplitBars::ask(const std::vector<int>& from, int boundary, int moved)
{
    const auto left = static_cast<std::size_t>(boundary);
    if (boundary < 0 || left + 1 >= from.size())
        return;
    std::vector<int> split = from;
    const int most = std::max(split[left + 1] - 1, 0), least = std::min(1 - split[left], 0);
    const int layers = std::clamp(moved, least, most);
    split[left] += layers;
    split[left + 1] -= layers;
    if (split != this->layers())
        Q_EMIT splitAsked(split);
}

void SplitBars::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_current = boundaryAt(event->position());
    m_dragging = m_current >= 0;
    m_pressed = event->position().x();
    m_pressedSplit = layers();
    update();
}

void SplitBars::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_dragging) {
        setCursor(boundaryAt(event->position()) >= 0 ? Qt::SplitHCursor : Qt::ArrowCursor);
        int stage = 0;
        while (stage + 1 < static_cast<int>(m_stages.size()) &&
               boundary(stage).x() < event->position().x())
            ++stage;
        Q_EMIT hovered(m_stages.empty() ? -1 : stage);
        return;
    }
    const double layer = (width() - 2 * splitSide) / std::max(layerCount(), 1);
    const double moved = (event->position().x() - m_pressed) / std::max(layer, 1e-6);
    ask(m_pressedSplit, m_current, static_cast<int>(std::lround(moved)));
}

void SplitBars::mouseReleaseEvent(QMouseEvent*)
{
    m_dragging = false;
}

void SplitBars::leaveEvent(QEvent*)
{
    Q_EMIT hovered(-1);
}

void SplitBars::keyPressEvent(QKeyEvent* event)
{
    const int last = static_cast<int>(m_stages.size()) - 2;
    const int step = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (event->key() == Qt::Key_Escape && m_dragging) {
        ask(m_pressedSplit, m_current, 0);
        m_dragging = false;
    } else if (step == 0 || last < 0) {
        QWidget::keyPressEvent(event);
    } else if (event->modifiers().testFlag(Qt::ControlModifier)) {
        ask(layers(), m_current, step);
    } else {
        m_current = m_current < 0 ? (step > 0 ? 0 : last) : std::clamp(m_current + step, 0, last);
        update();
    }
}

void SplitBars::paintBar(QPainter& painter, const QRectF& bar, std::size_t stage) const
{
    const SplitStage& one = m_stages[stage];
    painter.fillRect(bar, kindShade(palette(), one.shade, stage % 2 == 0));
    // Not by colour alone: what does not fit is hatched, too.
    if (one.full)
        painter.fillRect(bar, QBrush(palette().color(QPalette::Text), Qt::BDiagPattern));
}

std::vector<QStringList> SplitBars::words() const
{
    enum Fullness
    {
        Full,    ///< times beside memory
        Tall,    ///< below each other
        NoKinds, ///< without the kind of device, which the shade tells
        Layers,
        fullnessCount
    };
    const QFontMetrics metrics = fontMetrics();
    std::vector<QStringList> all;
    for (int fullness = Full; fullness < fullnessCount; ++fullness) {
        all.clear();
        bool fits = true;
        double from = splitSide;
        for (std::size_t i = 0; i < m_stages.size(); ++i) {
            const SplitStage& one = m_stages[i];
            const QString time = tr("%1 ms").arg(one.milliseconds, 0, 'f', 1);
            const QString bytes = tr("%1 GiB").arg(one.gibibytes, 0, 'f', 1);
            QString first = tr("%1: %2").arg(i).arg(one.layers);
            if (!one.kind.isEmpty() && fullness < NoKinds)
                first += QStringLiteral(" · ") + one.kind;
            const QStringList lines =
                fullness == Full     ? QStringList{first, time + QStringLiteral(" · ") + bytes}
                : fullness == Layers ? QStringList{QString::number(one.layers)}
                                     : QStringList{first, time, bytes};
            const double to =
                i + 1 < m_stages.size() ? boundary(static_cast<int>(i)).x() : width() - splitSide;
            for (const QString& line : lines)
                fits = fits && metrics.horizontalAdvance(line) + 6 <= to - from;
            all.push_back(lines);
            from = to;
        }
        if (fits)
            break;
    }
    return all;
}

void SplitBars::paintWords(QPainter& painter, const QRectF& below, const QStringList& lines) const
{
    painter.setPen(palette().color(QPalette::Text));
    const QFontMetrics metrics = fontMetrics();
    for (qsizetype i = 0; i < lines.size(); ++i) {
        // Where not even the layers have room for all, those that have are told.
        if (metrics.horizontalAdvance(lines[i]) > below.width())
            continue;
        painter.drawText(below.adjusted(0, static_cast<double>(i) * metrics.height() + 2, 0, 0),
                         Qt::AlignHCenter | Qt::AlignTop, lines[i]);
    }
}

void SplitBars::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    double most = 0;
    for (const SplitStage& stage : m_stages)
        most = std::max(most, stage.milliseconds);
    const std::vector<QStringList> below = this->words();
    const auto lines = below.empty() ? 0 : static_cast<double>(below.front().size());
    const double words = lines * fontMetrics().height() + 4, high = height() - words - 6;
    double from = splitSide;
    for (std::size_t i = 0; i < m_stages.size(); ++i) {
        const SplitStage& stage = m_stages[i];
        const double to =
            i + 1 < m_stages.size() ? boundary(static_cast<int>(i)).x() : width() - splitSide;
        const double part = most > 0 ? std::clamp(stage.milliseconds / most, 0.0, 1.0) : 0;
        paintBar(painter,
                 QRectF(from + 1, 3 + (1 - part) * high, std::max(to - from - 2, 1.0), part * high),
                 i);
        paintWords(painter, QRectF(from, height() - words, to - from, words), below[i]);
        from = to;
    }
    if (m_current >= 0 && m_current + 1 < static_cast<int>(m_stages.size())) {
        QPen pen(palette().color(QPalette::Text), 2);
        painter.setPen(pen);
        const double x = boundary(m_current).x();
        painter.drawLine(QPointF(x, 2), QPointF(x, height() - words));
    }
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1, Qt::DotLine));
        painter.drawRect(QRectF(0.5, 0.5, width() - 1.0, height() - 1.0));
    }
}

} // namespace pw::ui
