// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/presentation.h"

#include <QApplication>
#include <QStyleFactory>

namespace pw::ui {

namespace {

Ground currentGround = Ground::Light;

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
                     currentGround == Ground::Light ? Qt::white : color(Role::Panel));
    for (const QPalette::ColorRole text :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText})
        palette.setColor(text, color(Role::Text));
    palette.setColor(QPalette::PlaceholderText, color(Role::Secondary));
    for (const QPalette::ColorRole text :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, text, color(Role::Secondary));
    return palette;
}

} // namespace

QColor color(Role role)
{
    const Rgb rgb = colorOf(role, currentGround);
    return {rgb.red, rgb.green, rgb.blue};
}

Ground ground()
{
    return currentGround;
}

void applyGround(QApplication& application, Ground ground)
{
    currentGround = ground;
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(paletteOf());
    application.setStyleSheet(
        QStringLiteral("QToolTip { border: 1px solid %1; padding: 4px; }"
                       "QDockWidget { titlebar-close-icon: none; }"
                       "QStatusBar::item { border: none; }"
                       "QMainWindow::separator { background: %1; width: 1px; height: 1px; }")
            .arg(color(Role::Line).name()));
}

Ground desktopGround()
{
    return QApplication::palette().color(QPalette::Window).lightness() < 128 ? Ground::Dark
                                                                             : Ground::Light;
}

} // namespace pw::ui
