// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/picture_painter.h"

#include "core/io/svg_picture.h"
#include "ui/text.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QPainterPath>

#include <cmath>

namespace pw::ui {

namespace {

QRectF rectOf(const PictureBox& box)
{
    return {box.left, box.top, box.width, box.height};
}

class PicturePainter
{
public:
    PicturePainter(QPainter& painter, const QFont& font)
        : m_painter(painter)
        , m_font(font)
    {
    }

    void paint(const PictureRect& rect)
    {
        if (!rect.paint.line && rect.radius <= 0) {
            m_painter.fillRect(rectOf(rect.box), fillOf(rect.paint));
            return;
        }
        take(rect.paint);
        m_painter.drawRoundedRect(rectOf(rect.box), rect.radius, rect.radius);
    }

    void paint(const PicturePath& path)
    {
        QPolygonF points;
        for (const PicturePoint& point : path.points)
            points << QPointF(point.x, point.y);
        take(path.paint);
        if (path.closed)
            m_painter.drawPolygon(points);
        else
            m_painter.drawPolyline(points);
    }

    void paint(const PicturePattern& pattern)
    {
        QPainterPath path;
        for (const auto& [from, to] : linesOf(pattern)) {
            path.moveTo(from.x, from.y);
            path.lineTo(to.x, to.y);
        }
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(qtColor(pattern.color), pattern.width));
        m_painter.drawPath(path);
    }

    void paint(const PictureStrip& strip)
    {
        QImage line(static_cast<int>(strip.columns.size()), 1, QImage::Format_RGB32);
        auto* pixels = reinterpret_cast<QRgb*>(line.scanLine(0));
        for (const Rgb color : strip.columns)
            *pixels++ = qRgb(color.red, color.green, color.blue);
        m_painter.drawImage(rectOf(strip.box), line);
    }

    void paint(const PictureText& one)
    {
        QFont font = m_font;
        if (one.size > 0)
            font.setPixelSize(static_cast<int>(std::lround(one.size)));
        if (one.bold)
            font.setWeight(QFont::DemiBold);
        const QFontMetricsF metrics(font);
        const QString words = text(one.text);
        const double wide = metrics.horizontalAdvance(words);
        const double left = one.anchor == TextAnchor::Begin    ? 0
                            : one.anchor == TextAnchor::Middle ? wide / 2
                                                               : wide;
        m_painter.setFont(font);
        m_painter.setPen(qtColor(one.color));
        m_painter.drawText(QPointF(one.at.x - left, one.at.y + metrics.capHeight() / 2), words);
    }

private:
    static QBrush fillOf(const PicturePaint& paint)
    {
        if (!paint.fill)
            return Qt::NoBrush;
        QColor color = qtColor(*paint.fill);
        color.setAlphaF(static_cast<float>(paint.fillOpacity));
        return color;
    }

    void take(const PicturePaint& paint)
    {
        m_painter.setBrush(fillOf(paint));
        if (!paint.line) {
            m_painter.setPen(Qt::NoPen);
            return;
        }
        m_painter.setPen(QPen(qtColor(*paint.line), paint.lineWidth,
                              paint.dashed ? Qt::DashLine : Qt::SolidLine,
                              paint.dashed ? Qt::FlatCap : Qt::RoundCap, Qt::RoundJoin));
    }

    QPainter& m_painter;
    const QFont& m_font;
};

} // namespace

QFont pictureFont()
{
    QFont font;
    QStringList families;
    for (const std::string_view family : pictureFonts)
        families += text(family);
    font.setFamilies(families);
    return font;
}

TextMeasure measureOf(const QFont& font, int pixels)
{
    constexpr int large =
        100; // letters are then as wide as they are drawn, not as a screen has them
    QFont measured = font;
    measured.setPixelSize(pixels);
    const double line = QFontMetricsF(measured).height() / pixels;
    measured.setPixelSize(large);
    const QFontMetricsF plain(measured);
    measured.setWeight(QFont::DemiBold);
    const QFontMetricsF heavy(measured);
    return {[plain, heavy](std::string_view words, bool bold) {
                return (bold ? heavy : plain).horizontalAdvance(text(words)) / large;
            },
            line};
}

void paintPicture(QPainter& painter, const PictureItems& items, const QFont& font)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    PicturePainter one(painter, font);
    for (const PictureItem& item : items)
        std::visit([&one](const auto& shape) { one.paint(shape); }, item);
    painter.restore();
}

} // namespace pw::ui
