// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/export/handout_lanes.h"

#include "ui/export/figure.h"
#include "ui/picture_painter.h"
#include "ui/presentation.h"
#include "ui/timeline/time_scale.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QTextCursor>
#include <QTextDocument>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr int laneObject = QTextFormat::UserObject + 1;
constexpr int pictureNumber = QTextFormat::UserProperty + 1;
constexpr double laneHigh = 22;
constexpr double titleWide = 56;
constexpr double rulerHigh = 13;
constexpr double captionHigh = 15;

} // namespace

HandoutLanes::HandoutLanes(QTextDocument& document)
{
    document.documentLayout()->registerHandler(laneObject, this);
}

void HandoutLanes::insert(QTextCursor& cursor, HandoutPicture picture)
{
    QTextCharFormat format;
    format.setObjectType(laneObject);
    format.setProperty(pictureNumber, static_cast<int>(m_pictures.size()));
    m_pictures.push_back(std::move(picture));
    cursor.insertText(QString(QChar::ObjectReplacementCharacter), format);
}

const HandoutPicture& HandoutLanes::pictureOf(const QTextFormat& format) const
{
    return m_pictures[static_cast<std::size_t>(format.intProperty(pictureNumber))];
}

QSizeF HandoutLanes::intrinsicSize(QTextDocument* document, int, const QTextFormat& format)
{
    const HandoutPicture& picture = pictureOf(format);
    const auto lanes = static_cast<double>(picture.lanes->lanes().size());
    const double high =
        std::min(lanes * laneHigh + rulerHigh + (picture.caption.isEmpty() ? 0 : captionHigh),
                 document->pageSize().height() - 4);
    return {document->pageSize().width() - 2, high};
}

void HandoutLanes::drawObject(QPainter* painter, const QRectF& rect, QTextDocument*, int,
                              const QTextFormat& format)
{
    const HandoutPicture& picture = pictureOf(format);
    const Lanes& lanes = *picture.lanes;
    painter->save();
    QFont small = painter->font();
    small.setPixelSize(smallPixels); // a point would count dots of the paper
    painter->setFont(small);
    TimeScale scale;
    scale.begin = static_cast<double>(lanes.begin());
    scale.left = rect.left() + titleWide;
    const double length = std::max<double>(
        1, static_cast<double>(std::max(picture.room, lanes.end() - lanes.begin())));
    const double wide = rect.width() - titleWide - 4;
    scale.ticksPerPixel = length / wide;
    const auto count = static_cast<double>(lanes.lanes().size());
    const double foot = picture.caption.isEmpty() ? 0 : captionHigh;
    const double high = (rect.height() - rulerHigh - foot) / std::max(1.0, count);
    const double bottom = rect.top() + count * high;
    const FigureLanes shown = lanesOf(lanes);
    const TextMeasure measure = measureOf(small, smallPixels);
    LanePictures pictures(shown, scale, measure, FigureGround::Paper, ColorBy::Kind, smallPixels,
                          high - 3);
    for (std::size_t lane = 0; lane < lanes.lanes().size(); ++lane) {
        const QRectF area(scale.left, rect.top() + static_cast<double>(lane) * high, wide,
                          high - 3);
        painter->setPen(color(Role::Secondary));
        painter->drawText(QRectF(rect.left(), area.top(), titleWide - 6, area.height()),
                          Qt::AlignLeft | Qt::AlignVCenter, lanes.lanes()[lane].title);
        painter->setPen(QPen(color(Role::Line), 0.7));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(area);
        if (lanes.lanes()[lane].start.empty())
            continue;
        PictureItems items;
        pictures.lay(items, lane, {area.left(), area.top(), area.width(), area.height()});
        paintPicture(*painter, items, small);
    }
    const double labels = timeMarks(scale, wide, wide / 12).step;
    const double step = picture.room > 0 ? timeMarks(scale, wide, wide / 40).step : labels;
    for (double time = 0; time <= length * 1.0001; time += step) {
        const double x = scale.left + time / scale.ticksPerPixel;
        painter->setPen(QPen(color(Role::Line), picture.room > 0 ? 0.5 : 0.3));
        if (picture.room > 0)
            painter->drawLine(QPointF(x, rect.top()), QPointF(x, bottom));
        if (std::abs(std::remainder(time, labels)) < step / 10) {
            painter->setPen(color(Role::Secondary));
            painter->drawText(QRectF(x - 30, bottom - 1, 60, rulerHigh), Qt::AlignCenter,
                              durationText(time));
        }
    }
    if (!picture.caption.isEmpty()) {
        painter->setPen(color(Role::Secondary));
        painter->drawText(QRectF(rect.left() + titleWide, bottom + rulerHigh - 2, wide, foot),
                          Qt::AlignLeft | Qt::AlignVCenter, picture.caption);
    }
    painter->restore();
}

} // namespace pw::ui
