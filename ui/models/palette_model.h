// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/pass.h"

#include <QAbstractListModel>
#include <QPixmap>
#include <QString>

#include <vector>

namespace pw {
struct Family;
}

namespace pw::ui {

/// What can be dragged from the palette into a timeline.
enum class PaletteKind
{
    Section, ///< a heading; cannot be dragged
    Family,
    Block, ///< the building block of a family
    Pass
};

/// Families, building blocks and single passes, under headings. A row's drag has the MIME type
/// `paletteMimeType` with "family zb-v", "block v-half" or "pass BW".
class PaletteModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Data
    {
        KindRole = Qt::UserRole,
        IdRole,      ///< id of the family, or name of the pass kind
        SummaryRole, ///< one sentence
        CitationRole,
        PictureRole ///< QPixmap: thumbnail of the shape
    };

    static constexpr const char* paletteMimeType = "application/x-pipewright-palette";

    explicit PaletteModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;

    /// Thumbnails are made anew when asked for next: the colours have changed.
    void forgetPictures();

private:
    struct Row
    {
        PaletteKind kind = PaletteKind::Section;
        QString id;
        QString title;
        QString summary;
        QString citation;
        const Family* family = nullptr;
        PassKind pass = PassKind::F;
        mutable QPixmap picture;
    };

    QPixmap pictureOf(const Row& row) const;

    std::vector<Row> m_rows;
};

} // namespace pw::ui
