// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/panels/palette_model.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QListView;
class QSortFilterProxyModel;
class QSpinBox;
class QVBoxLayout;

namespace pw::ui {

class PassTiles;

/// What of the palette is shown.
enum class PaletteParts
{
    All,
    Passes,  ///< the tiles
    Families ///< the list and its search
};

/// The palette: a search field over families, building blocks and passes, and what the current one
/// is. A row is dragged into the timeline, or chosen by double click or Enter.
class PalettePanel : public QWidget
{
    Q_OBJECT

public:
    explicit PalettePanel(QWidget* parent = nullptr);

    void focusSearch();
    QListView* list() const { return m_list; }
    /// Building blocks of the project in front.
    void setOwnBlocks(const std::vector<BuildingBlock>& blocks);
    PaletteParts parts() const { return m_parts; }
    /// Shows these parts; the tiles alone are no higher than they must be.
    /// @param kinds  of the tiles that are shown; empty: all
    void showParts(PaletteParts parts, const std::vector<PassKind>& kinds = {});

Q_SIGNALS:
    void chosen(const pw::ui::PaletteItem& item);
    /// An own block is to have another title, or to go.
    void renameAsked(int block, const QString& title);
    void deleteAsked(int block);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool searchKey(int key);
    void makeList();
    QVBoxLayout* makePassRow();
    QHBoxLayout* makeCountRow();
    static PaletteItem itemOf(const QModelIndex& index);
    QModelIndex best() const;
    void choose(const QModelIndex& index);
    void showDetail();
    void showMenu(QPoint at);

    PaletteModel* m_model;
    QSortFilterProxyModel* m_filter;
    QLineEdit* m_search;
    QListView* m_list;
    QLabel* m_detail;
    QSpinBox* m_count;
    PassTiles* m_tiles = nullptr;
    std::vector<QWidget*> m_words; ///< titles, lines and fields between the other parts
    PaletteParts m_parts = PaletteParts::All;
};

} // namespace pw::ui
