// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/quiet_table.h"

#include <QHeaderView>
#include <QTableView>
#include <QTableWidget>

#include <algorithm>
#include <vector>

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

QString linesOf(const QTableWidget& table)
{
    const auto cell = [&table](int row, int column) {
        const QTableWidgetItem* item =
            row < 0 ? table.horizontalHeaderItem(column) : table.item(row, column);
        return item != nullptr ? item->text().simplified() : QString();
    };
    std::vector<QString> lines(static_cast<std::size_t>(table.rowCount()) + 1);
    for (int column = 0; column < table.columnCount(); ++column) {
        if (table.isColumnHidden(column))
            continue;
        qsizetype wide = 0;
        for (int row = -1; row < table.rowCount(); ++row)
            wide = std::max(wide, cell(row, column).size());
        const bool left = table.rowCount() == 0 || table.item(0, column) == nullptr ||
                          (table.item(0, column)->textAlignment() & Qt::AlignRight) == 0;
        for (int row = -1; row < table.rowCount(); ++row) {
            QString& line = lines[static_cast<std::size_t>(row + 1)];
            const QString words = cell(row, column);
            line += (line.isEmpty() ? QString() : QStringLiteral("  ")) +
                    (left ? words.leftJustified(wide) : words.rightJustified(wide));
        }
    }
    QString all;
    for (QString& line : lines) {
        while (line.endsWith(QLatin1Char(' ')))
            line.chop(1);
        all += line + QLatin1Char('\n');
    }
    return all;
}

} // namespace pw::ui
