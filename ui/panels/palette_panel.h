// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/panels/palette_model.h"

#include <QStringList>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QListView;
class QSpinBox;
class QVBoxLayout;

namespace pw::ui {

class PaletteFilter;
class PassTiles;

/// What of the palette is shown.
enum class PaletteParts
{
    All,
    Passes,   ///< the tiles
    Families, ///< families alone
    Nothing   ///< neither: what is free is in the lanes
};

/// The parts of the palette, and what of them.
struct PaletteShown
{
    PaletteParts parts = PaletteParts::All;
    std::vector<PassKind> kinds; ///< of the tiles; empty: all
    QStringList families;        ///< ids; empty: all, with their search

    friend bool operator==(const PaletteShown&, const PaletteShown&) = default;
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
    const PaletteShown& shown() const { return m_shown; }
    /// Shows these parts; the tiles alone, or a few families, are no higher than they must be.
    void showParts(const PaletteShown& shown);

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
    void fitList();
    void showDetail();
    void showMenu(QPoint at);

    PaletteModel* m_model;
    PaletteFilter* m_filter;
    QLineEdit* m_search;
    QListView* m_list;
    QLabel* m_detail;
    QSpinBox* m_count;
    PassTiles* m_tiles = nullptr;
    std::vector<QWidget*> m_words; ///< titles, lines and fields between the other parts
    PaletteShown m_shown;
};

} // namespace pw::ui
