// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/film_reel.h"

#include <QCursor>
#include <QFile>
#include <QGuiApplication>
#include <QPainter>
#include <QPainterPath>
#include <QScreen>

#include <memory>
#include <utility>

namespace {

constexpr int lineHeight = 40;     ///< of the words below, in pixels
constexpr int betweenGlances = 70; ///< milliseconds that a picture of a way is shown
constexpr int breath = 60;         ///< milliseconds in which a window paints

/// An arrow, its tip at the origin.
QPainterPath arrow()
{
    QPainterPath path;
    path.addPolygon(QPolygonF(
        {{0, 0}, {0, 20}, {4.7, 15.6}, {8, 23}, {11.4, 21.5}, {8.2, 14.4}, {14.6, 14.2}}));
    path.closeSubpath();
    return path;
}

void paintPointer(QPainter& painter, QPointF at, bool pressed)
{
    painter.translate(at);
    if (pressed) {
        painter.setPen(QPen(QColor(214, 92, 0), 2.5));
        painter.setBrush(QColor(214, 92, 0, 50));
        constexpr double radius = 13;
        painter.drawEllipse(QPointF(0, 0), radius, radius);
    }
    painter.setPen(QPen(Qt::white, 1.5));
    painter.setBrush(Qt::black);
    painter.drawPath(arrow());
    painter.resetTransform();
}

} // namespace

FilmReel::FilmReel(XHand& hand, QString folder)
    : m_hand(hand)
    , m_folder(std::move(folder))
{
}

FilmReel& FilmReel::caption(const QString& words)
{
    m_hand.then([this, words] { m_words = words; });
    return *this;
}

FilmReel& FilmReel::shot(int milliseconds)
{
    breathe();
    m_hand.then([this, milliseconds] { take(milliseconds); });
    return *this;
}

FilmReel& FilmReel::glide(const XHand::Place& to, int pictures)
{
    const auto from = std::make_shared<QPoint>();
    m_hand.then([from] { *from = QCursor::pos(); });
    for (int i = 1; i <= pictures; ++i) {
        const double t = static_cast<double>(i) / pictures;
        m_hand.moveTo([from, to, part = t * t * (3 - 2 * t)] {
            return (QPointF(*from) + part * QPointF(to() - *from)).toPoint();
        });
        shot(betweenGlances);
    }
    return *this;
}

FilmReel& FilmReel::press()
{
    m_hand.press().then([this] { m_pressed = true; });
    return shot(2 * betweenGlances);
}

FilmReel& FilmReel::release()
{
    m_hand.release().then([this] { m_pressed = false; });
    return shot(2 * betweenGlances);
}

FilmReel& FilmReel::click(const XHand::Place& place, int pictures)
{
    return glide(place, pictures).press().release();
}

FilmReel& FilmReel::watch(const QString& what, const std::function<bool()>& so, int milliseconds)
{
    m_hand.then([this] { m_breath.start(); }).until(what, [this, so, milliseconds] {
        if (m_breath.elapsed() >= milliseconds) {
            take(milliseconds);
            m_breath.start();
        }
        return so();
    });
    return *this;
}

void FilmReel::breathe()
{
    m_hand.then([this] { m_breath.start(); })
        .until(QStringLiteral("the window has painted"),
               [this] { return m_breath.elapsed() >= breath; });
}

void FilmReel::take(int milliseconds)
{
    const QPixmap screen = QGuiApplication::primaryScreen()->grabWindow(0);
    QImage picture(screen.width(), screen.height() + lineHeight, QImage::Format_RGB32);
    picture.fill(QColor(28, 32, 38));
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.drawPixmap(0, 0, screen);
    paintPointer(painter, QCursor::pos(), m_pressed);
    QFont font = painter.font();
    font.setPixelSize(lineHeight / 2);
    painter.setFont(font);
    painter.setPen(Qt::white);
    painter.drawText(QRect(0, screen.height(), screen.width(), lineHeight), Qt::AlignCenter,
                     m_words);
    painter.end();
    m_last = picture;
    ++m_pictures;
    m_milliseconds += milliseconds;
    if (m_folder.isEmpty())
        return;
    const QString name = QStringLiteral("%1.png").arg(m_pictures, 4, 10, QLatin1Char('0'));
    QFile list(m_folder + QStringLiteral("/frames.txt"));
    if (!picture.save(m_folder + QLatin1Char('/') + name) ||
        !list.open(QIODevice::WriteOnly | QIODevice::Append) ||
        list.write(QStringLiteral("%1 %2\n").arg(name).arg(milliseconds).toUtf8()) < 0)
        qFatal("no picture can be kept in %s", qPrintable(m_folder));
}
