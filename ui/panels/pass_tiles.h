// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/pass.h"
#include "ui/models/palette_item.h"

#include <QWidget>

#include <utility>
#include <vector>

class QPixmap;

namespace pw::ui {

/// The kinds of passes as a row of blocks, each to be dragged, clicked, or pressed by key.
class PassTiles : public QWidget
{
    Q_OBJECT

public:
    explicit PassTiles(QWidget* parent = nullptr);

    /// Shows the tiles of these kinds; empty: all.
    void setKinds(const std::vector<PassKind>& kinds);

Q_SIGNALS:
    void chosen(const pw::ui::PaletteItem& item);

private:
    std::vector<std::pair<PassKind, QWidget*>> m_tiles;
};

/// Starts the drag of an item; returns after the drop. Its picture is beside the pointer, so that
/// the place under it is seen.
void dragItem(QWidget& source, const PaletteItem& item, const QPixmap& picture);

} // namespace pw::ui
