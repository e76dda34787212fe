// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/phase_bands.h"

#include "ui/presentation.h"
#include "ui/timeline/time_axis.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace pw::ui {

namespace {

QFont smallFont(const QWidget& widget)
{
    QFont small = widget.font();
    small.setPixelSize(TimeAxis::letters(11));
    return small;
}

} // namespace

PhaseBands::PhaseBands(ViewRange& range, QWidget* parent)
    : QWidget(parent)
    , m_range(range)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Phases"));
    connect(&m_range, &ViewRange::changed, this, qOverload<>(&QWidget::update));
}

void PhaseBands::setPhases(std::optional<Phases> phases, const QString& of, bool every)
{
    if (phases == m_phases && of == m_of)
        return;
    m_phases = phases;
    m_of = of;
    m_every = every;
    QStringList words;
    const std::vector<Band> all = bands();
    for (const Band& band : all)
        words << tr("%1 %2").arg(band.name, spanText(band.begin, band.end));
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    update();
}

QSize PhaseBands::sizeHint() const
{
    return {900, QFontMetrics(smallFont(*this)).height() + 7};
}

std::vector<PhaseBands::Band> PhaseBands::bands() const
{
    if (!m_phases)
        return {};
    const auto time = [](Ticks ticks) { return static_cast<double>(ticks); };
    return {{tr("warm-up"),
             m_every ? tr("until every device has begun its first backward")
                     : tr("until its first backward"),
             time(m_phases->start), time(m_phases->steady)},
            {tr("steady"),
             m_every ? tr("while all devices run forwards and backwards in turn")
                     : tr("forwards and backwards in turn"),
             time(m_phases->steady), time(m_phases->coolDown)},
            {tr("cool-down"),
             m_every ? tr("from the end of the first device's last forward on")
                     : tr("from the end of its last forward on"),
             time(m_phases->coolDown), time(m_phases->end)}};
}

void PhaseBands::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(Role::Paper));
    painter.setFont(smallFont(*this));
    const QFontMetrics metrics = painter.fontMetrics();
    const double left = TimeAxis::margin(m_range);
    const double room = TimeAxis::length(m_range, *this);
    const TimeScale scale = TimeAxis::of(m_range, *this);
    painter.setPen(color(Role::Secondary));
    painter.drawText(QRectF(14, 0, left - 20, height() - 4), Qt::AlignVCenter | Qt::AlignLeft,
                     m_phases ? m_of : QString());
    painter.setClipRect(QRectF(left, 0, room, height()));
    const std::vector<Band> all = bands();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Band& band = all[i];
        const double begin = std::max(scale.x(band.begin), left - 4) + 1.5;
        const double end = std::min(scale.x(band.end), left + room + 4) - 1.5;
        if (end - begin < 1)
            continue;
        // The steady phase stands out a little: that is where a schedule earns.
        painter.fillRect(QRectF(begin, height() - 4, end - begin, 2),
                         color(i == 1 ? Role::Accent : Role::Hatch));
        const QString words =
            metrics.elidedText(band.name, Qt::ElideRight, static_cast<int>(end - begin));
        if (words.size() < 3 && words != band.name)
            continue;
        painter.setPen(color(Role::Secondary));
        painter.drawText(QRectF(begin, 0, end - begin, height() - 4), Qt::AlignCenter, words);
    }
}

bool PhaseBands::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const double time = TimeAxis::of(m_range, *this).time(help->pos().x());
    const std::vector<Band> all = bands();
    const auto band = std::find_if(all.begin(), all.end(), [time](const Band& one) {
        return one.begin <= time && time < one.end;
    });
    if (band == all.end() || !TimeAxis::room(m_range, *this).contains(help->pos()))
        QToolTip::hideText();
    else
        QToolTip::showText(
            help->globalPos(),
            tr("%1, %2: %3").arg(band->name, durationText(band->end - band->begin), band->meaning),
            this);
    return true;
}

} // namespace pw::ui
