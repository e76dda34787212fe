// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/export/figure.h"

#include "ui/document/schedule_document.h"
#include "ui/export/figure_parts.h"
#include "ui/timeline/annotation_painter.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace pw::ui {

namespace {

constexpr double pixelsPerMm = 96 / 25.4;

} // namespace

FigureDrawing::Parts::Parts(FigureContent of, FigureLook as)
    : content(std::move(of))
    , look(as)
    , key(*content.lanes)
    , metrics(font)
{
    // 8 pt in print, the window's size on a screen.
    font.setFamilies({QStringLiteral("Inter"), QStringLiteral("DejaVu Sans"),
                      QStringLiteral("Helvetica"), QStringLiteral("Arial")});
    font.setPixelSize(paper() ? 11 : 12);
    bold = font;
    bold.setWeight(QFont::DemiBold);
    metrics = QFontMetricsF(font);
    look.widthMm = std::clamp(look.widthMm, FigureLook::narrowest, FigureLook::widest);
    width = std::round(look.widthMm * pixelsPerMm);

    const std::vector<Lane>& lanes = content.lanes->lanes();
    const auto count = static_cast<double>(std::max<std::size_t>(1, lanes.size()));
    laneHeight = std::clamp(std::round(340 / count), 3.0, line() * 2.1);
    laneGap = laneHeight >= 16 ? 3 : laneHeight >= 8 ? 1 : 0.5;
    double names = 0;
    for (const Lane& lane : lanes)
        names = std::max(names, metrics.horizontalAdvance(lane.title));
    if (hasMemory())
        names = std::max(names, metrics.horizontalAdvance(QStringLiteral("000.0 GiB")));
    left = pad + std::min(names, width / 4) + 8;
    right = width - pad - 4;
    scale.left = left;
    scale.begin = static_cast<double>(content.lanes->begin());
    scale.ticksPerPixel =
        std::max(1e-9, static_cast<double>(content.lanes->end() - content.lanes->begin()) /
                           std::max(1.0, right - left));

    double y = pad;
    if (look.title && !content.title.isEmpty())
        y += line() + 2;
    if (look.numbers && !content.numbers.isEmpty()) {
        const QRectF room(0, 0, right - pad, 1000);
        y += metrics.boundingRect(room, Qt::TextWordWrap, content.numbers).height() + 2;
    }
    lanesTop = y + 3;
    axisTop = laneTop(lanes.size()) - laneGap + 2;
    y = axisTop + 4 + line();
    if (hasMemory()) {
        memoryTop = y + 6;
        y = memoryTop + line() + memoryHeight;
    }
    if (hasBubbles()) {
        bubblesTop = y + 10;
        const auto rows = static_cast<double>(content.bubbles.size());
        bubbleRow = content.bubbles.size() <= 16 ? line() + 1 : std::max(1.0, 200 / rows);
        y = bubblesTop + line() + 2 + rows * bubbleRow + 4 + line();
    }
    if (look.legend) {
        legendTop = y + 8;
        QRectF note;
        legendBoxes(&y, &note);
        if (hasCopies()) {
            copyLegendTop = y + 3;
            y = copyLegendTop + line();
        }
    }
    height = std::ceil(y + pad);
}

/// Where the kinds of the legend stand, flowing into lines.
std::vector<std::pair<QRectF, PassKind>> FigureDrawing::Parts::legendBoxes(double* bottom,
                                                                           QRectF* note) const
{
    std::vector<std::pair<QRectF, PassKind>> boxes;
    double x = left;
    double y = legendTop;
    const double swatch = line() * 0.9;
    for (const PassKind kind : allPassKinds) {
        const auto swatches = static_cast<double>(key.tints(kind).size());
        if (swatches == 0)
            continue;
        const double wide =
            swatches * (swatch + 2) + 4 +
            metrics.horizontalAdvance(text(name(kind)) + QLatin1Char(' ') + meaningOf(kind));
        if (x > left && x + wide > right) {
            x = left;
            y += line() + 3;
        }
        boxes.emplace_back(QRectF(x, y, wide, line()), kind);
        x += wide + 14;
    }
    // What the tints are stands behind the kinds, where it has room below them.
    if (const double wide = metrics.horizontalAdvance(tintNote()); key.anyTint()) {
        if (x > left && x + wide > right) {
            x = left;
            y += line() + 3;
        }
        *note = QRectF(x, y, wide + 2, line());
    }
    *bottom = y + line();
    return boxes;
}

void FigureDrawing::Parts::paint(QPainter& painter) const
{
    const GroundScope colors(ground());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    // A little more than the page: an image ends on whole pixels.
    painter.fillRect(QRectF(0, 0, width + 1, height + 1), pageColor());
    painter.setFont(font);
    paintHead(painter);
    paintLanes(painter);
    paintAxis(painter);
    if (look.annotations)
        paintAnnotations(painter);
    if (hasMemory())
        paintMemory(painter);
    if (hasBubbles())
        paintBubbles(painter);
    if (look.legend)
        paintLegend(painter);
    if (look.legend && hasCopies())
        paintCopyLegend(painter, copyLegendTop);
    painter.restore();
}

void FigureDrawing::Parts::paintHead(QPainter& painter) const
{
    double y = pad;
    painter.setPen(textColor());
    if (look.title && !content.title.isEmpty()) {
        painter.setFont(bold);
        painter.drawText(
            QRectF(pad, y, right - pad, line()), Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetricsF(bold).elidedText(content.title, Qt::ElideRight, right - pad));
        y += line() + 2;
        painter.setFont(font);
    }
    if (look.numbers && !content.numbers.isEmpty()) {
        painter.setPen(quietColor());
        painter.drawText(QRectF(pad, y, right - pad, lanesTop - y), Qt::TextWordWrap,
                         content.numbers);
    }
}

void FigureDrawing::Parts::paintAnnotations(QPainter& painter) const
{
    if (content.annotations.empty())
        return;
    const std::size_t lanes = content.lanes->lanes().size();
    const QRectF room(left, lanesTop - 2, right - left, axisTop - lanesTop + 4);
    const auto lane = [this, lanes](int device) {
        const auto index = static_cast<std::size_t>(device);
        return index < lanes ? laneBox(index) : QRectF();
    };
    AnnotationPainter(scale, lane, room, font).paint(painter, content.annotations);
}

/// The largest font in which nearly all blocks have room for letter over number.
QFont FigureDrawing::Parts::labelFont() const
{
    constexpr std::size_t enough = 4000;
    constexpr int least = 6;
    std::array<double, passKindCount> wide{};
    for (const PassKind kind : allPassKinds)
        wide[static_cast<std::size_t>(kind)] =
            metrics.horizontalAdvance(text(name(kind))) / font.pixelSize();
    std::vector<double> sizes;
    for (const Lane& lane : content.lanes->lanes()) {
        for (std::size_t i = 0; i < lane.size() && sizes.size() < enough; ++i) {
            const double room =
                static_cast<double>(lane.end[i] - lane.start[i]) / scale.ticksPerPixel - 2.2;
            sizes.push_back(room / wide[static_cast<std::size_t>(lane.look[i].kind)]);
        }
    }
    double size = std::min<double>(font.pixelSize(), laneHeight * 0.42);
    if (!sizes.empty()) {
        const auto few = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 50);
        std::nth_element(sizes.begin(), few, sizes.end());
        size = std::min(size, *few);
    }
    QFont labels = font;
    labels.setPixelSize(std::max(least, static_cast<int>(size)));
    return labels;
}

void FigureDrawing::Parts::paintLanes(QPainter& painter) const
{
    const std::vector<Lane>& lanes = content.lanes->lanes();
    // Far more passes than there is room for are mixed by columns: four to a pixel, as the paper
    // may have them.
    constexpr double fine = 4;
    TimeScale fineScale = scale;
    fineScale.left = scale.left * fine;
    fineScale.ticksPerPixel = scale.ticksPerPixel / fine;
    LanePainter plain(*content.lanes, scale, look.colorBy);
    LanePainter dense(*content.lanes, fineScale, look.colorBy);
    for (LanePainter* one : {&plain, &dense})
        one->setStyle(paper() ? LaneStyle::Paper : LaneStyle::Figure);
    // A file with a shape for each of very many passes is of no use to anybody.
    constexpr std::size_t mostShapes = 12'000;
    const bool many = content.lanes->spanCount() > mostShapes;
    dense.setNarrowest(many ? 1e9 : 1.5 * fine);
    const QFont labels = labelFont();
    // Names in every second lane, or fewer, where the lanes are flat.
    const auto stride = static_cast<std::size_t>(std::ceil(line() * 0.95 / (laneHeight + laneGap)));
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        const QRectF box = laneBox(lane);
        painter.setFont(labels);
        if (!many && static_cast<double>(lanes[lane].size()) < box.width() / 2) {
            plain.paint(painter, lane, box);
        } else {
            painter.save();
            painter.scale(1 / fine, 1 / fine);
            dense.paint(painter, lane,
                        QRectF(box.topLeft() * fine, QSizeF(box.width(), box.height()) * fine));
            painter.restore();
        }
        if (paper() && laneHeight >= 10) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(color(Role::Hatch), 0.5));
            painter.drawRect(box);
        }
        if (lane % stride == 0) {
            painter.setFont(font);
            painter.setPen(textColor());
            const QRectF where(pad, box.center().y() - line() / 2, left - pad - 8, line());
            painter.drawText(where, Qt::AlignRight | Qt::AlignVCenter,
                             metrics.elidedText(lanes[lane].title, Qt::ElideRight, where.width()));
        }
    }
}

void FigureDrawing::Parts::paintAxis(QPainter& painter) const
{
    const double widest = metrics.horizontalAdvance(QStringLiteral("000.00 ms"));
    const TimeMarks marks = timeMarks(scale, right - left, widest + 10);
    painter.setFont(font);
    for (const double time : marks.times) {
        const double x = scale.x(time);
        if (x < left - 0.5 || x > right + 0.5)
            continue;
        painter.setPen(QPen(quietColor(), 0.7));
        painter.drawLine(QPointF(x, axisTop), QPointF(x, axisTop + 3));
        const QString label = axisText(time, marks);
        const double wide = metrics.horizontalAdvance(label);
        // At both ends the label stays inside.
        const double at = std::clamp(x - wide / 2, left, std::max(left, right - wide));
        painter.drawText(QRectF(at, axisTop + 3, wide + 2, line()), Qt::AlignLeft, label);
    }
    painter.setPen(QPen(quietColor(), 0.7));
    painter.drawLine(QPointF(left, axisTop), QPointF(right, axisTop));
}

FigureDrawing::FigureDrawing(FigureContent content, FigureLook look)
    : m_parts(std::make_unique<Parts>(std::move(content), look))
{
}

FigureDrawing::~FigureDrawing() = default;

QSizeF FigureDrawing::size() const
{
    return {m_parts->width, m_parts->height};
}

void FigureDrawing::paint(QPainter& painter) const
{
    m_parts->paint(painter);
}

} // namespace pw::ui
