// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QMetaType>
#include <QString>

#include <optional>

class QMimeData;

namespace pw::ui {

/// What can be dragged from the palette into a timeline.
enum class PaletteKind
{
    Section, ///< a heading; cannot be dragged
    Family,
    Block,    ///< the building block of a family
    OwnBlock, ///< a building block of the project
    Pass
};

/// MIME type of a drag from the palette; its data is `PaletteItem::text`.
constexpr const char* paletteMimeType = "application/x-pipewright-palette";

/// One thing of the palette. A value.
struct PaletteItem
{
    PaletteKind kind = PaletteKind::Section;
    QString id;           ///< of the family; name of the pass kind
    int block = 0;        ///< index of an own block in its project
    int microBatches = 1; ///< that a block is placed for

    /// "family zb-v", "block v-half 4", "own-block 0 4", "pass BW"; a block's last number may be
    /// left out.
    QString text() const;
    /// The reverse; nothing where the text means no item.
    static std::optional<PaletteItem> parse(const QString& text);
    static std::optional<PaletteItem> of(const QMimeData& data);
    /// Data of a drag; the caller owns it.
    QMimeData* mimeData() const;

    friend bool operator==(const PaletteItem&, const PaletteItem&) = default;
};

} // namespace pw::ui

Q_DECLARE_METATYPE(pw::ui::PaletteItem)
