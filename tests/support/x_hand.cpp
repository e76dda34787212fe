// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/x_hand.h"

#include <QApplication>
#include <QCursor>
#include <QDrag>
#include <QStandardPaths>
#include <QWidget>

#include <utility>

namespace {

/// For one step, on a slow machine that does other things.
constexpr int handPatience = 120'000;
constexpr int betweenLooks = 10;

} // namespace

XHand::XHand(QWidget& window)
    : m_window(window)
{
    m_looking.setInterval(betweenLooks);
    m_patience.setInterval(handPatience);
    m_patience.setSingleShot(true);
    QObject::connect(&m_looking, &QTimer::timeout, &m_loop, [this] { look(); });
    QObject::connect(&m_patience, &QTimer::timeout, &m_loop,
                     [this] { fail(QStringLiteral("waited in vain for: ") + m_step.what); });
    QObject::connect(&m_xdotool, &QProcess::finished, &m_loop, [this](int code) {
        if (code != 0)
            fail(QStringLiteral("xdotool: ") + QString::fromLocal8Bit(m_xdotool.readAll()));
        else
            next();
    });
    QObject::connect(&m_xdotool, &QProcess::errorOccurred, &m_loop,
                     [this] { fail(QStringLiteral("xdotool: ") + m_xdotool.errorString()); });
    m_xdotool.setProcessChannelMode(QProcess::MergedChannels);
}

XHand::~XHand()
{
    m_xdotool.disconnect();
    m_xdotool.waitForFinished();
}

QString XHand::whyNot()
{
    if (QGuiApplication::platformName() != QLatin1String("xcb"))
        return QStringLiteral("not under X: the platform is ") + QGuiApplication::platformName();
    if (QStandardPaths::findExecutable(QStringLiteral("xdotool")).isEmpty())
        return QStringLiteral("xdotool is not installed");
    return {};
}

XHand::Place XHand::on(const QWidget* widget)
{
    return [widget] { return widget->mapToGlobal(widget->rect().center()); };
}

XHand& XHand::moveTo(Place place)
{
    return command(QStringLiteral("move"), [place = std::move(place)] {
        constexpr int steps = 12;
        const QPoint from = QCursor::pos();
        const QPoint way = place() - from;
        QStringList words;
        for (int i = 1; i <= steps; ++i) {
            const QPoint at = from + way * i / steps;
            words << QStringLiteral("mousemove") << QString::number(at.x())
                  << QString::number(at.y()) << QStringLiteral("sleep") << QStringLiteral("0.01");
        }
        return words;
    });
}

XHand& XHand::press()
{
    return command(QStringLiteral("press"), [] {
        return QStringList{QStringLiteral("mousedown"), QStringLiteral("1")};
    });
}

XHand& XHand::release()
{
    return command(QStringLiteral("release"), [] {
        return QStringList{QStringLiteral("mouseup"), QStringLiteral("1")};
    });
}

XHand& XHand::click(Place place)
{
    return moveTo(std::move(place)).press().release();
}

XHand& XHand::doubleClick(Place place)
{
    return moveTo(std::move(place)).command(QStringLiteral("double click"), [] {
        return QStringList{QStringLiteral("click"), QStringLiteral("--repeat"),
                           QStringLiteral("2"),     QStringLiteral("--delay"),
                           QStringLiteral("40"),    QStringLiteral("1")};
    });
}

XHand& XHand::key(const QString& name)
{
    return command(name, [this, name] { return focus() << QStringLiteral("key") << name; });
}

XHand& XHand::type(const QString& text)
{
    return command(QStringLiteral("type ") + text, [this, text] {
        return focus() << QStringLiteral("type") << QStringLiteral("--delay") << QStringLiteral("5")
                       << text;
    });
}

XHand& XHand::until(const QString& what, std::function<bool()> so)
{
    m_steps.push_back({.what = what, .so = std::move(so), .waits = true});
    return *this;
}

XHand& XHand::see(const QString& what, std::function<bool()> so)
{
    m_steps.push_back({.what = what, .so = std::move(so)});
    return *this;
}

XHand& XHand::then(std::function<void()> does)
{
    return see(QStringLiteral("then"), [does = std::move(does)] {
        does();
        return true;
    });
}

XHand& XHand::command(const QString& what, std::function<QStringList()> words)
{
    m_steps.push_back({.what = what, .words = std::move(words)});
    return *this;
}

/// There is no window manager: the keys go where one would let them go.
QStringList XHand::focus() const
{
    const QWidget* modal = QApplication::activeModalWidget();
    const QWidget& window = modal != nullptr ? *modal : m_window;
    return {QStringLiteral("windowfocus"), QString::number(window.winId())};
}

QString XHand::go()
{
    m_problem.clear();
    QTimer::singleShot(0, &m_loop, [this] { next(); });
    m_loop.exec();
    return std::exchange(m_problem, {});
}

void XHand::next()
{
    m_patience.stop();
    if (m_steps.empty()) {
        finish();
        return;
    }
    m_step = std::move(m_steps.front());
    m_steps.pop_front();
    m_doing = m_step.what;
    m_patience.start();
    if (m_step.words)
        m_xdotool.start(QStringLiteral("xdotool"), m_step.words());
    else if (m_step.waits)
        m_looking.start();
    else if (m_step.so())
        QTimer::singleShot(0, &m_loop, [this] { next(); });
    else
        fail(QStringLiteral("not so: ") + m_step.what);
}

void XHand::look()
{
    if (!m_step.so())
        return;
    m_looking.stop();
    next();
}

/// Lets go of everything, so that no loop stays in the way.
void XHand::fail(const QString& why)
{
    if (!m_problem.isEmpty())
        return;
    m_problem = why;
    m_steps.clear();
    m_looking.stop();
    m_patience.stop();
    QDrag::cancel();
    QProcess::execute(QStringLiteral("xdotool"), {QStringLiteral("mouseup"), QStringLiteral("1")});
    while (QWidget* modal = QApplication::activeModalWidget())
        if (!modal->close())
            break;
    finish();
}

void XHand::finish()
{
    m_doing.clear();
    m_loop.quit();
}
