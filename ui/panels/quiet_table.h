// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

class QTableView;

namespace pw::ui {

/// Makes a table one of rows to read and choose: no frame, grid or row numbers, rows as high as
/// fingers and eyes want them, colours from the palette.
void makeQuiet(QTableView& table);

} // namespace pw::ui
