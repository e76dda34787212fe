// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/building_block.h"
#include "core/model/pass.h"
#include "ui/models/palette_item.h"

#include <QAbstractListModel>
#include <QPixmap>
#include <QString>

#include <vector>

namespace pw {
struct Family;
}

namespace pw::ui {

/// Families, building blocks and single passes, under headings. A row's drag is a `PaletteItem`.
class PaletteModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Data
    {
        KindRole = Qt::UserRole,
        IdRole,      ///< id of the family, or name of the pass kind
        ItemRole,    ///< PaletteItem
        SummaryRole, ///< one sentence
        CitationRole,
        DetailRole, ///< parameters with their defaults, one a line
        PictureRole ///< QPixmap: thumbnail of the shape
    };

    explicit PaletteModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Of own blocks: the title. Asks by `renameAsked`; the project has it.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;

    /// Building blocks of the project, listed under a heading of their own.
    void setOwnBlocks(const std::vector<BuildingBlock>& blocks);
    /// What blocks are dragged for.
    void setMicroBatches(int count) { m_microBatches = count; }

    /// Thumbnails are made anew when asked for next: the colours have changed.
    void forgetPictures();

Q_SIGNALS:
    void renameAsked(int block, const QString& title);

private:
    struct Row
    {
        PaletteKind kind = PaletteKind::Section;
        QString id;
        QString title;
        QString summary;
        QString citation;
        QString detail;
        int block = 0; ///< index of an own block
        const Family* family = nullptr;
        PassKind pass = PassKind::F;
        mutable QPixmap picture;
    };

    static QString tipOf(const Row& row);
    QPixmap pictureOf(const Row& row) const;
    Row rowOf(const BuildingBlock& block, int index) const;

    std::vector<Row> m_rows;
    std::vector<BuildingBlock> m_ownBlocks;
    int m_firstOwn = 0; ///< row of the heading over own blocks, where there are some
    int m_microBatches = 1;
};

} // namespace pw::ui
