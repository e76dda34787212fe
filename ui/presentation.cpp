// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/presentation.h"

#include "core/io/lane_spans.h"
#include "ui/house_style.h"
#include "ui/picture_painter.h"
#include "ui/plain_text.h"

#include <QApplication>
#include <QLabel>
#include <QToolBar>
#include <QVariant>

#include <atomic>
#include <cmath>
#include <optional>
#include <utility>

namespace pw::ui {

namespace {

std::atomic<Ground> windowGround = Ground::Light;
/// The role of a label's colour; labels alone have it.
constexpr const char* inkProperty = "pipewright-ink";

/// Of a thread that paints for elsewhere.
thread_local std::optional<Ground> otherGround;

QPalette paletteOf()
{
    QPalette palette;
    palette.setColor(QPalette::Window, color(Role::Panel));
    palette.setColor(QPalette::Base, color(Role::Paper));
    palette.setColor(QPalette::AlternateBase, color(Role::Lane));
    palette.setColor(QPalette::Button, color(Role::Panel));
    palette.setColor(QPalette::ToolTipBase, color(Role::Paper));
    palette.setColor(QPalette::Highlight, color(Role::Accent));
    palette.setColor(QPalette::Link, color(Role::Accent));
    palette.setColor(QPalette::Mid, color(Role::Line));
    palette.setColor(QPalette::Light, color(Role::Paper));
    palette.setColor(QPalette::Midlight, color(Role::Line));
    palette.setColor(QPalette::Dark, color(Role::Line));
    palette.setColor(QPalette::HighlightedText,
                     ground() == Ground::Light ? Qt::white : color(Role::Panel));
    for (const QPalette::ColorRole text :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText})
        palette.setColor(text, color(Role::Text));
    palette.setColor(QPalette::PlaceholderText, color(Role::Secondary));
    for (const QPalette::ColorRole text :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, text, color(Role::Secondary));
    return palette;
}

/// A label takes the colour of its links when it reads its text, and no later.
void readLinksAgain(QLabel& label)
{
    const QString words = label.text();
    if (!words.contains(QLatin1String("<a ")))
        return;
    label.clear();
    label.setText(words);
}

} // namespace

QColor color(Role role)
{
    return qtColor(colorOf(role, ground()));
}

QColor mixedColor(const QColor& one, const QColor& other, double part)
{
    return qtColor(pw::mixedColor(rgbOf(one), rgbOf(other), part));
}

QColor color(MemoryKind kind)
{
    return color(roleOf(kind));
}

Ground ground()
{
    return otherGround.value_or(windowGround);
}

void setInk(QLabel* label, Role role)
{
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, color(role));
    label->setPalette(palette);
    label->setProperty(inkProperty, static_cast<int>(role));
}

GroundScope::GroundScope(Ground ground)
    : m_before(std::exchange(otherGround, ground))
{
}

GroundScope::~GroundScope()
{
    otherGround = m_before;
}

void applyGround(QApplication& application, Ground ground)
{
    windowGround = ground;
    keepTextPlain(application);
    // The palette first: what has a style sheet of its own keeps the colours that there are when a
    // style comes, and would be dark in a light window.
    QApplication::setPalette(paletteOf());
    QApplication::setStyle(new HouseStyle);
    // Now, not with the next events: labels below take their own colours over these.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::ApplicationPaletteChange);
    const QWidgetList widgets = QApplication::allWidgets();
    for (QWidget* widget : widgets)
        if (auto* label = qobject_cast<QLabel*>(widget); label != nullptr)
            readLinksAgain(*label);
    for (QWidget* widget : widgets)
        // Only those that were dressed: the bar of tabs is one too, and has buttons of its own.
        if (auto* tools = qobject_cast<QToolBar*>(widget);
            tools != nullptr && !tools->styleSheet().isEmpty())
            dressTools(*tools);
    for (QWidget* widget : widgets)
        if (const QVariant ink = widget->property(inkProperty); ink.isValid())
            setInk(static_cast<QLabel*>(widget), static_cast<Role>(ink.toInt()));
}

Ground desktopGround()
{
    return QApplication::palette().color(QPalette::Window).lightness() < 128 ? Ground::Dark
                                                                             : Ground::Light;
}

} // namespace pw::ui
