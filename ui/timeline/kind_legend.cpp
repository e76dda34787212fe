// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/kind_legend.h"

#include "ui/presentation.h"
#include "ui/timeline/timeline_view.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace pw::ui {

KindLegend::KindLegend(TimelineView& timeline, QWidget* parent)
    : QWidget(parent)
    , m_timeline(timeline)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Colours"));
    const auto look = [this] {
        m_key = keyOf(*m_timeline.lanes());
        setVisible(m_key != KindKey());
        takeHeight();
        setAccessibleDescription(words().join(QStringLiteral(", ")));
        update();
    };
    connect(&timeline, &TimelineView::lanesChanged, this, look);
    connect(&timeline, &TimelineView::coloursChanged, this, look);
    look();
}

QFont KindLegend::smallFont() const
{
    QFont small = font();
    small.setPixelSize(11);
    return small;
}

QSize KindLegend::sizeHint() const
{
    return {900, QFontMetrics(smallFont()).height() + 6};
}

/// As high as its lines.
void KindLegend::takeHeight()
{
    const std::vector<Entry> all = entries();
    setFixedHeight(all.empty() ? sizeHint().height() : static_cast<int>(all.back().area.bottom()));
}

void KindLegend::resizeEvent(QResizeEvent*)
{
    takeHeight();
}

std::vector<KindLegend::Entry> KindLegend::entries() const
{
    std::vector<Entry> all;
    if (m_timeline.colorBy() == ColorBy::MicroBatch) {
        Entry hue;
        for (const int microBatch : {0, 1, 2, 3})
            hue.swatches.push_back(spanColor(ColorBy::MicroBatch, PassKind::F, 0, microBatch));
        hue.words = tr("a hue a micro-batch, F darker than the others");
        all.push_back(std::move(hue));
    } else {
        for (const PassKind kind : allPassKinds) {
            Entry one;
            for (const int tint : m_key.tints(kind)) {
                one.swatches.push_back(spanColor(ColorBy::Kind, kind, tint, 0));
                one.stripes.push_back(spanColor(ColorBy::Kind, PassKind::W, tint, 0));
            }
            if (one.swatches.empty())
                continue;
            one.striped = kind == PassKind::BW;
            const std::string_view letter = name(kind);
            one.words = QString::fromUtf8(letter.data(), static_cast<qsizetype>(letter.size())) +
                        QLatin1Char(' ') + meaningOf(kind);
            all.push_back(std::move(one));
        }
        if (m_key.anyTint()) {
            Entry note;
            note.words = tintNote();
            all.push_back(std::move(note));
        }
    }
    const QFontMetricsF metrics(smallFont());
    const double end = TimeAxis::right(*this);
    const double line = sizeHint().height();
    constexpr double last = 1; // of two
    double x = TimeAxis::margin();
    double row = 0;
    for (auto entry = all.begin(); entry != all.end(); ++entry) {
        const double wide = 12.0 * static_cast<double>(entry->swatches.size()) +
                            (entry->swatches.empty() ? 0 : 3) +
                            metrics.horizontalAdvance(entry->words);
        if (x + wide > end && row < last && x > TimeAxis::margin()) {
            x = TimeAxis::margin();
            ++row;
        }
        if (x + wide > end) {
            all.erase(entry, all.end());
            break;
        }
        entry->area = QRectF(x, row * line, wide + 1, line);
        x += wide + 16;
    }
    return all;
}

QStringList KindLegend::words() const
{
    QStringList all;
    for (const Entry& entry : entries())
        all << entry.words;
    return all;
}

void KindLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(Role::Paper));
    painter.setFont(smallFont());
    painter.setPen(color(Role::Secondary));
    painter.drawText(QRectF(14, 0, TimeAxis::margin() - 20, sizeHint().height()), Qt::AlignVCenter,
                     tr("Colours"));
    for (const Entry& entry : entries()) {
        const QRectF& area = entry.area;
        QRectF swatch(area.left(), std::floor(area.center().y() - 5), 10, 10);
        for (std::size_t i = 0; i < entry.swatches.size(); ++i) {
            painter.fillRect(swatch, entry.swatches[i]);
            if (entry.striped)
                painter.fillRect(swatch.adjusted(0, 7, 0, 0), entry.stripes[i]);
            swatch.translate(12, 0);
        }
        painter.drawText(QRectF(entry.swatches.empty() ? area.left() : swatch.left() + 3,
                                area.top(), area.width(), area.height()),
                         Qt::AlignVCenter | Qt::AlignLeft, entry.words);
    }
}

} // namespace pw::ui
