// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/models/palette_item.h"

#include <QWidget>

class QPixmap;

namespace pw::ui {

/// The kinds of passes as a row of blocks, each to be dragged, clicked, or pressed by key.
class PassTiles : public QWidget
{
    Q_OBJECT

public:
    explicit PassTiles(QWidget* parent = nullptr);

Q_SIGNALS:
    void chosen(const pw::ui::PaletteItem& item);
};

/// Starts the drag of an item; returns after the drop. Its picture is beside the pointer, so that
/// the place under it is seen.
void dragItem(QWidget& source, const PaletteItem& item, const QPixmap& picture);

} // namespace pw::ui
