// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/job/stage_bars.h"

#include "ui/presentation.h"
#include "ui/timeline/time_axis.h"
#include "ui/timeline/value_text.h"

#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr double notable = 0.1; ///< above the mean: another colour

/// "+16.2 %", "−2.3 %"
QString differenceText(double ratio)
{
    constexpr double parts = 1e6;
    return offText(static_cast<Ticks>(std::llround(ratio * parts)), static_cast<Ticks>(parts));
}

} // namespace

StageBars::StageBars(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
}

QSize StageBars::sizeHint() const
{
    return {TimeAxis::letters(230), 200};
}

void StageBars::setBalance(std::vector<double> balance)
{
    m_balance = std::move(balance);
    QStringList words;
    for (std::size_t i = 0; i < m_balance.size(); ++i)
        words += tr("stage %1: %2").arg(i).arg(differenceText(m_balance[i]));
    setAccessibleName(tr("Work of the stages against their mean"));
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    setToolTip(words.join(QLatin1Char('\n')));
    update();
}

void StageBars::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (m_balance.empty())
        return;
    QFont small = font();
    small.setPixelSize(TimeAxis::letters(11));
    painter.setFont(small);
    const QFontMetrics letters(small);
    const double head = fontMetrics().height() + 2;
    painter.setPen(color(Role::Secondary));
    painter.drawText(QRectF(0, 0, width(), head - 2), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("work against the mean"));
    const double stage = letters.horizontalAdvance(tr("stage %1").arg(QStringLiteral("000"))) + 6;
    const double words = letters.horizontalAdvance(QStringLiteral("+100.0 %")) + 8;
    const double room = std::max(10.0, width() - words - stage);
    const double most = *std::max_element(m_balance.begin(), m_balance.end());
    constexpr double mostHeight = 30; // as high as the rows of the map beside it
    const double pitch =
        std::min(mostHeight, std::floor((height() - head) / static_cast<double>(m_balance.size())));
    const int every =
        std::max(1, static_cast<int>(std::ceil(letters.height() / std::max(1.0, pitch))));
    for (std::size_t i = 0; i < m_balance.size(); ++i) {
        const double top = head + static_cast<double>(i) * pitch;
        const QRectF bar(stage, top, room * m_balance[i] / std::max(1e-9, most),
                         std::max(1.0, pitch - 1));
        const bool heavy = m_balance[i] - 1 > notable;
        painter.fillRect(bar, heavy ? color(Role::Later)
                                    : mixedColor(color(Role::Lane), color(Role::Secondary), 0.45));
        if (static_cast<int>(i) % every != 0)
            continue;
        const double middle = bar.center().y() - letters.height() / 2.0;
        painter.setPen(color(Role::Secondary));
        painter.drawText(QRectF(0, middle, stage - 6, letters.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, tr("stage %1").arg(i));
        painter.setPen(heavy ? color(Role::Text) : color(Role::Secondary));
        painter.drawText(QRectF(bar.right() + 6, middle, words, letters.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, differenceText(m_balance[i]));
    }
}

} // namespace pw::ui
