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
#include <QLineEdit>
#include <QListView>
#include <QTimer>

namespace pw::ui {

namespace {

constexpr const char* partsProperty = "parts-of-lesson";

/// What of the palette is there.
enum class PaletteParts : int
{
    All,
    Passes,  ///< the tiles
    Families ///< the list and its search
};

bool belongsTo(const QWidget* part, PaletteParts parts)
{
    if (parts == PaletteParts::Passes)
        return qobject_cast<const PassTiles*>(part) != nullptr;
    return parts == PaletteParts::All || qobject_cast<const QLineEdit*>(part) != nullptr ||
           qobject_cast<const QListView*>(part) != nullptr;
}

void showParts(MainWindow& window, PaletteParts parts)
{
    auto* palette = window.findChild<PalettePanel*>();
    QDockWidget* dock = window.dock(QStringLiteral("palette"));
    if (palette == nullptr || dock == nullptr ||
        palette->property(partsProperty).toInt() == static_cast<int>(parts))
        return;
    palette->setProperty(partsProperty, static_cast<int>(parts));
    const bool alone = parts == PaletteParts::Passes;
    const QList<QWidget*> children = palette->findChildren<QWidget*>(Qt::FindDirectChildrenOnly);
    for (QWidget* child : children)
        child->setVisible(belongsTo(child, parts));
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

/// As the page in front wants it: a level says so, all others have everything.
void followPage(MainWindow& window)
{
    const SchedulePage* page = window.schedulePage();
    const QDockWidget* lesson = window.dock(QStringLiteral("lesson"));
    const bool level = page != nullptr && lesson != nullptr && !lesson->isHidden();
    showParts(window, level ? static_cast<PaletteParts>(page->property(partsProperty).toInt())
                            : PaletteParts::All);
}

} // namespace

void prepareForLevel(MainWindow& window, SchedulePage& page, const LessonLevel& level)
{
    page.setProperty("locked", MainWindow::tr("Times, kinds and memory are given in a level."));
    const bool choice = level.freedom == Freedom::Choice;
    page.setProperty(partsProperty,
                     static_cast<int>(choice ? PaletteParts::Families : PaletteParts::Passes));
    followPage(window);
    QDockWidget* lesson = window.dock(QStringLiteral("lesson"));
    if (lesson == nullptr || lesson->property(partsProperty).toBool())
        return;
    lesson->setProperty(partsProperty, true);
    QObject::connect(lesson->toggleViewAction(), &QAction::toggled, &window,
                     [&window] { followPage(window); });
    QObject::connect(&window, &MainWindow::pageChanged, &window, [&window] { followPage(window); });
}

} // namespace pw::ui
