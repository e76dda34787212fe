// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/lesson_palette.h"

#include "ui/panels/palette_panel.h"
#include "ui/panels/pass_tiles.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QDockWidget>
#include <QLayout>
#include <QTimer>

namespace pw::ui {

namespace {

constexpr const char* aloneProperty = "passes-alone";

void showPassesAlone(MainWindow& window, bool alone)
{
    auto* palette = window.findChild<PalettePanel*>();
    QDockWidget* dock = window.dock(QStringLiteral("palette"));
    if (palette == nullptr || dock == nullptr || palette->property(aloneProperty).toBool() == alone)
        return;
    palette->setProperty(aloneProperty, alone);
    const QList<QWidget*> parts = palette->findChildren<QWidget*>(Qt::FindDirectChildrenOnly);
    for (QWidget* part : parts)
        if (qobject_cast<PassTiles*>(part) == nullptr)
            part->setVisible(!alone);
    palette->layout()->activate();
    palette->setMaximumHeight(alone ? palette->layout()->minimumSize().height() + 8
                                    : QWIDGETSIZE_MAX);
    // Once the layout knows of it.
    QTimer::singleShot(0, &window, [&window, alone] {
        QDockWidget* above = window.dock(QStringLiteral("palette"));
        QDockWidget* lesson = window.dock(QStringLiteral("lesson"));
        if (above == nullptr || lesson == nullptr || !above->isVisible() || lesson->isFloating())
            return;
        const int high = window.height();
        window.resizeDocks({above, lesson},
                           {alone ? above->minimumSizeHint().height() : high / 3, high},
                           Qt::Vertical);
    });
}

} // namespace

void prepareForLevel(MainWindow& window, SchedulePage& page, const LessonLevel& level)
{
    page.setProperty("locked", MainWindow::tr("Times, kinds and memory are given in a level."));
    showPassesAlone(window, level.freedom != Freedom::Choice);
    QDockWidget* lesson = window.dock(QStringLiteral("lesson"));
    if (lesson == nullptr || lesson->property(aloneProperty).toBool())
        return;
    lesson->setProperty(aloneProperty, true);
    QObject::connect(lesson->toggleViewAction(), &QAction::toggled, &window, [&window](bool on) {
        if (!on)
            showPassesAlone(window, false);
    });
}

} // namespace pw::ui
