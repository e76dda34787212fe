// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

#include <initializer_list>

class QTableView;
class QTableWidget;

namespace pw::ui {

/// Makes a table one of rows to read and choose: no frame, grid or row numbers, rows as high as
/// fingers and eyes want them, colours from the palette.
void makeQuiet(QTableView& table);

/// Makes columns as wide as what is in them, so that no number is cut. None becomes narrower:
/// nothing jumps while rows come and go.
void widen(QTableView& table, std::initializer_list<int> columns);

/// What a table shows as lines of text, each column as wide as its longest cell.
QString linesOf(const QTableWidget& table);

} // namespace pw::ui
