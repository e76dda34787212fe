// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/palette_panel.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QDockWidget>
#include <QMimeData>

namespace pw::ui {

namespace {

void choose(MainWindow& window, PaletteKind kind, const QString& id)
{
    if (kind != PaletteKind::Family) {
        window.refuse(MainWindow::tr("Blocks and single passes cannot be placed yet."));
        return;
    }
    if (window.schedulePage() == nullptr) {
        window.openFamily(id);
        return;
    }
    // Another family in the same shape and with the same costs, as far as it takes them.
    ScheduleDocument& document = window.schedulePage()->document();
    Project next = document.project();
    FamilyOptions options = next.family ? next.family->options : FamilyOptions{};
    options.parameters.clear();
    if (!std::holds_alternative<UniformCosts>(next.costs))
        next.costs = UniformCosts{};
    next.family = FamilyChoice{id.toStdString(), options};
    next.draft.orders.clear();
    if (const Result<void> changed = document.change(std::move(next), id); !changed)
        window.refuse(text(changed.error().message));
}

bool takePalette(MainWindow& window, const QMimeData& data, bool drop)
{
    const QString type = QString::fromLatin1(PaletteModel::paletteMimeType);
    if (!data.hasFormat(type))
        return false;
    const QString dropped = QString::fromUtf8(data.data(type));
    if (drop && dropped.startsWith(QStringLiteral("family ")))
        choose(window, PaletteKind::Family, dropped.mid(7));
    else if (drop)
        choose(window, PaletteKind::Block, {});
    return true;
}

} // namespace

void addComposing(MainWindow& window)
{
    auto* palette = new PalettePanel(&window);
    window.addDock(QStringLiteral("palette"), MainWindow::tr("Palette"), palette,
                   Qt::LeftDockWidgetArea);
    QObject::connect(palette, &PalettePanel::chosen, &window,
                     [&window](PaletteKind kind, const QString& id) { choose(window, kind, id); });
    window.commands().add({.id = QStringLiteral("edit.find-in-palette"),
                           .menu = Menu::Edit,
                           .text = MainWindow::tr("Find in the &palette"),
                           .keys = QKeySequence(MainWindow::tr("Ctrl+K")),
                           .group = 50},
                          palette, [palette] { palette->focusSearch(); });
    window.addDropHandler(
        [&window](const QMimeData& data, bool drop) { return takePalette(window, data, drop); });
}

} // namespace pw::ui
