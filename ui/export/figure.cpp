// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/export/figure.h"

#include "ui/charts/step_chart.h"
#include "ui/document/schedule_document.h"
#include "ui/presentation.h"
#include "ui/timeline/kind_key.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace pw::ui {

namespace {

struct FigureWords
{
    Q_DECLARE_TR_FUNCTIONS(Figure)
};

constexpr double pixelsPerMm = 96 / 25.4;

/// A step curve over the whole width, from the lower edge of a box; the last value holds to the
/// end.
template<typename Time, typename Value>
QPainterPath stepsOf(std::size_t count, Time time, Value value, const TimeScale& scale,
                     const QRectF& box, double most)
{
    const auto y = [&](double v) { return box.bottom() - v / most * box.height(); };
    QPainterPath path;
    path.moveTo(box.left(), y(count > 0 ? value(std::size_t{0}) : 0));
    double drawn = box.left();
    double least = path.currentPosition().y();
    double greatest = least;
    for (std::size_t i = 0; i < count; ++i) {
        const double x = std::clamp(scale.x(time(i)), box.left(), box.right());
        const double next = y(value(i));
        // What happens within a quarter of a pixel is one line from the least to the greatest.
        if (x - drawn < 0.25 && i + 1 < count) {
            least = std::min(least, next);
            greatest = std::max(greatest, next);
            continue;
        }
        if (greatest - least > 0.5) {
            path.lineTo(drawn, least);
            path.lineTo(drawn, greatest);
        }
        path.lineTo(x, path.currentPosition().y());
        path.lineTo(x, next);
        drawn = x;
        least = greatest = next;
    }
    path.lineTo(box.right(), path.currentPosition().y());
    return path;
}

} // namespace

struct FigureDrawing::Parts
{
    Parts(FigureContent of, FigureLook as);

    void paint(QPainter& painter) const;
    void paintHead(QPainter& painter) const;
    void paintLanes(QPainter& painter) const;
    void paintAxis(QPainter& painter) const;
    void paintMemory(QPainter& painter) const;
    void paintBubbles(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;

    bool paper() const { return look.ground == FigureGround::Paper; }
    Ground ground() const
    {
        return look.ground == FigureGround::Dark ? Ground::Dark : Ground::Light;
    }
    QColor textColor() const { return paper() ? QColor(Qt::black) : color(Role::Text); }
    QColor quietColor() const { return paper() ? QColor(Qt::black) : color(Role::Secondary); }
    QColor pageColor() const { return paper() ? QColor(Qt::white) : color(Role::Paper); }
    double line() const { return metrics.height(); }
    double laneTop(std::size_t lane) const
    {
        return lanesTop + static_cast<double>(lane) * (laneHeight + laneGap);
    }
    QRectF laneBox(std::size_t lane) const
    {
        return {left, laneTop(lane), right - left, laneHeight};
    }
    bool hasMemory() const
    {
        return look.memory && (!content.memory.empty() || !content.microBatches.empty());
    }
    bool hasBubbles() const { return look.bubbles && !content.bubbles.empty(); }
    QFont labelFont() const;
    std::vector<std::pair<QRectF, PassKind>> legendBoxes(double* bottom, QRectF* note) const;

    FigureContent content;
    FigureLook look;
    KindKey key;
    QFont font;
    QFont bold;
    QFontMetricsF metrics;
    TimeScale scale;
    double width = 0;
    double height = 0;
    double left = 0;
    double right = 0;
    double laneHeight = 0;
    double laneGap = 0;
    double lanesTop = 0;
    double axisTop = 0;
    double memoryTop = 0;
    double bubblesTop = 0;
    double bubbleRow = 0;
    double legendTop = 0;
    static constexpr double memoryHeight = 84;
    static constexpr double pad = 6;
};

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
    if (hasMemory())
        paintMemory(painter);
    if (hasBubbles())
        paintBubbles(painter);
    if (look.legend)
        paintLegend(painter);
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

void FigureDrawing::Parts::paintMemory(QPainter& painter) const
{
    const bool bytes = !content.memory.empty();
    const QRectF box(left, memoryTop + line(), right - left, memoryHeight);
    painter.setPen(textColor());
    painter.setFont(bold);
    const QString heading = bytes ? FigureWords::tr("Memory") : FigureWords::tr("Activations");
    painter.drawText(QRectF(left, memoryTop, right - left, line()), Qt::AlignLeft, heading);
    painter.setFont(font);
    painter.setPen(quietColor());
    const double headingWidth = QFontMetricsF(bold).horizontalAdvance(heading) + 8;
    const QString what = bytes ? FigureWords::tr("of %1, by kind").arg(content.memoryOf)
                               : FigureWords::tr("of %1, in micro-batches").arg(content.memoryOf);
    painter.drawText(QRectF(left + headingWidth, memoryTop, right - left - headingWidth, line()),
                     Qt::AlignLeft, what);
    if (!paper())
        painter.fillRect(box, color(Role::Lane));

    double most = 0;
    for (const MemoryPoint& point : content.memory)
        most = std::max(most, static_cast<double>(point.total()));
    for (const auto& [time, value] : content.microBatches)
        most = std::max(most, bytes ? 0.0 : value);
    const double peak = most;
    const double cap = static_cast<double>(content.memoryCap.value_or(0));
    const bool capShown = bytes && cap > 0 && cap < 3 * most;
    if (capShown)
        most = std::max(most, cap);
    most = most > 0 ? 1.1 * most : 1;

    const auto fill = [&](const QPainterPath& curve, const QPainterPath& below, const QColor& ink) {
        QPainterPath area = curve;
        area.connectPath(below.toReversed());
        area.closeSubpath();
        painter.fillPath(area, ink);
    };
    QPainterPath below;
    below.moveTo(box.bottomLeft());
    below.lineTo(box.bottomRight());
    double legendX = right;
    const auto name = [&](const QString& kind, const QColor& ink) {
        const double wide = metrics.horizontalAdvance(kind);
        legendX -= wide + line() + 14;
        if (legendX < left + headingWidth + metrics.horizontalAdvance(what) + 10)
            return;
        painter.fillRect(QRectF(legendX, memoryTop + line() * 0.15, line() * 0.7, line() * 0.7),
                         ink);
        painter.setPen(quietColor());
        painter.drawText(QRectF(legendX + line(), memoryTop, wide + 2, line()), Qt::AlignLeft,
                         kind);
    };
    if (bytes) {
        std::vector<double> sums(content.memory.size(), 0.0);
        for (int kind = 0; kind < memoryKindCount; ++kind) {
            bool any = false;
            for (std::size_t i = 0; i < sums.size(); ++i) {
                const Bytes own = content.memory[i].bytes[static_cast<std::size_t>(kind)];
                any = any || own > 0;
                sums[i] += static_cast<double>(own);
            }
            if (!any)
                continue;
            const QPainterPath curve = stepsOf(
                sums.size(), [&](std::size_t i) { return content.memory[i].time; },
                [&](std::size_t i) { return sums[i]; }, scale, box, most);
            const QColor ink = color(static_cast<MemoryKind>(kind));
            fill(curve, below, ink);
            name(text(pw::name(static_cast<MemoryKind>(kind))), ink);
            below = curve;
        }
    } else {
        const QPainterPath curve = stepsOf(
            content.microBatches.size(),
            [&](std::size_t i) { return content.microBatches[i].first; },
            [&](std::size_t i) { return content.microBatches[i].second; }, scale, box, most);
        fill(curve, below, color(Role::ForwardTint));
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color(Role::Forward), 1.2));
        painter.drawPath(curve);
    }
    painter.setPen(QPen(quietColor(), 0.7));
    painter.drawLine(box.bottomLeft(), box.bottomRight());
    const auto mark = [&](double value, const QString& label) {
        const double y = box.bottom() - value / most * box.height();
        painter.drawLine(QPointF(left - 3, y), QPointF(left, y));
        painter.drawText(QRectF(pad, y - line() / 2, left - pad - 6, line()),
                         Qt::AlignRight | Qt::AlignVCenter, label);
    };
    const auto valueText = [bytes](double value) {
        return bytes ? bytesText(value) : QLocale::c().toString(value, 'g', 3);
    };
    mark(0, QStringLiteral("0"));
    if (peak > 0)
        mark(peak, valueText(peak));
    if (capShown) {
        const double y = box.bottom() - cap / most * box.height();
        painter.setPen(QPen(color(Role::Refusal), 1, Qt::DashLine));
        painter.drawLine(QPointF(left, y), QPointF(right, y));
        const QString label = FigureWords::tr("cap %1").arg(bytesText(cap));
        painter.drawText(QRectF(left, y - line(), right - left - 4, line()), Qt::AlignRight, label);
    }
}

void FigureDrawing::Parts::paintBubbles(QPainter& painter) const
{
    painter.setPen(textColor());
    painter.setFont(bold);
    const QString heading = FigureWords::tr("Bubble");
    painter.drawText(QRectF(left, bubblesTop, right - left, line()), Qt::AlignLeft, heading);
    painter.setFont(font);
    painter.setPen(quietColor());
    const double headingWidth = QFontMetricsF(bold).horizontalAdvance(heading) + 8;
    painter.drawText(QRectF(left + headingWidth, bubblesTop, right - left - headingWidth, line()),
                     Qt::AlignLeft,
                     FigureWords::tr("idle part of the makespan (wall) and of the "
                                     "device's own span"));
    const bool named = bubbleRow >= line();
    const double words = named ? metrics.horizontalAdvance(ratesText({{}, 0.888, 0.888})) + 22 : 0;
    const double room = std::max(20.0, right - left - words);
    const double top = bubblesTop + line() + 2;
    const double bottom = top + static_cast<double>(content.bubbles.size()) * bubbleRow;
    // The axis goes to 100 %, so that bars of two figures can be held against each other.
    for (const int mark : {0, 25, 50, 75, 100}) {
        const double x = left + room * mark / 100;
        painter.setPen(QPen(paper() ? QColor(0xb0, 0xb0, 0xb0) : color(Role::Line), 0.7));
        painter.drawLine(QPointF(x, top), QPointF(x, bottom + 3));
        painter.setPen(quietColor());
        painter.drawText(QRectF(x - 30, bottom + 3, 60, line()), Qt::AlignCenter,
                         mark == 0 ? QStringLiteral("0") : QStringLiteral("%1 %").arg(mark));
    }
    for (std::size_t i = 0; i < content.bubbles.size(); ++i) {
        const BubbleRow& row = content.bubbles[i];
        const double y = top + static_cast<double>(i) * bubbleRow;
        const QRectF bar(left, y + 0.2 * bubbleRow, room, 0.6 * bubbleRow);
        painter.fillRect(QRectF(bar.topLeft(), QSizeF(room * row.wall, bar.height())),
                         color(Role::Secondary));
        if (!named)
            continue;
        painter.setPen(textColor());
        painter.drawText(QRectF(pad, y, left - pad - 8, bubbleRow),
                         Qt::AlignRight | Qt::AlignVCenter, row.device);
        painter.drawText(QRectF(right - words, y, words, bubbleRow),
                         Qt::AlignRight | Qt::AlignVCenter, ratesText(row));
    }
}

void FigureDrawing::Parts::paintLegend(QPainter& painter) const
{
    double ignored = 0;
    QRectF note;
    const double swatch = line() * 0.9;
    painter.setFont(font);
    for (const auto& [box, kind] : legendBoxes(&ignored, &note)) {
        double x = box.left();
        for (const int tint : key.tints(kind)) {
            const QRectF patch(x, box.top() + 0.05 * line(), swatch, swatch);
            const QColor ink = spanColor(ColorBy::Kind, kind, tint, 0);
            painter.fillRect(patch, ink);
            QRectF pattern = patch;
            if (kind == PassKind::BW) {
                QRectF stripe = patch;
                stripe.setTop(patch.bottom() - swatch * 0.25);
                painter.fillRect(stripe, spanColor(ColorBy::Kind, PassKind::W, tint, 0));
                pattern.setBottom(stripe.top());
            }
            if (paper())
                paintPattern(painter, pattern, kind, ink);
            x += swatch + 2;
        }
        painter.setPen(textColor());
        painter.drawText(QRectF(x + 3, box.top(), box.right() - x, line()),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         text(name(kind)) + QLatin1Char(' ') + meaningOf(kind));
    }
    painter.setPen(quietColor());
    painter.drawText(note, Qt::AlignLeft | Qt::AlignVCenter,
                     key.anyTint() ? tintNote() : QString());
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
