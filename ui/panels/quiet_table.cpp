// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/quiet_table.h"

#include <QHeaderView>
#include <QTableView>

#include <algorithm>

namespace pw::ui {

void makeQuiet(QTableView& table)
{
    table.setFrameShape(QFrame::NoFrame);
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(std::max(24, table.fontMetrics().height() + 8));
    table.horizontalHeader()->setHighlightSections(false);
    table.setStyleSheet(QStringLiteral(
        "QTableView { selection-background-color: palette(midlight); "
        "selection-color: palette(text); }"
        "QTableView::item { padding: 0 6px; border: none; }"
        "QHeaderView { background: palette(base); }"
        "QHeaderView::section { background: palette(base); color: palette(placeholder-text); "
        "border: none; border-bottom: 1px solid palette(mid); padding: 4px 6px; }"
        "QHeaderView::up-arrow, QHeaderView::down-arrow { subcontrol-position: top center; "
        "width: 8px; height: 8px; }"));
    // Qt forgets what a sheet says of a widget when the widget ends, but for the ports that views
    // are scrolled in: of those only where they have a sheet of their own.
    for (QWidget* port : {table.viewport(), table.horizontalHeader()->viewport(),
                          table.verticalHeader()->viewport()})
        port->setStyleSheet(QStringLiteral("#none { border: none; }"));
}

void widen(QTableView& table, std::initializer_list<int> columns)
{
    constexpr int looked = 200; // rows
    constexpr int air = 4;
    QHeaderView* header = table.horizontalHeader();
    header->setResizeContentsPrecision(looked);
    const QAbstractItemView& view = table;
    for (const int column : columns) {
        const int wanted =
            std::max(header->sectionSizeHint(column), view.sizeHintForColumn(column) + air);
        if (header->sectionSize(column) < wanted)
            header->resizeSection(column, wanted);
    }
}

} // namespace pw::ui
