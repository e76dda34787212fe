// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/models/palette_model.h"

#include <QMainWindow>

class QLabel;
class QTabWidget;
class QUndoGroup;

namespace pw::ui {

class InspectorPanel;
class PalettePanel;
class SchedulePage;
class SpecPanel;

/// The studio: the palette on the left, open schedules in tabs, their fields and figures on the
/// right.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);

    /// Opens a project in a new tab. A file that cannot be read is told, and changes nothing.
    bool open(const QString& path);
    /// A new tab with a family's schedule.
    SchedulePage& openFamily(const QString& id);
    SchedulePage* page() const;

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void makeMenus();
    void makeDocks();
    SchedulePage& addPage();
    void choose(PaletteKind kind, const QString& id);
    void showPage();
    void showFigures();
    void showTitles();
    void openAsked();
    bool save(SchedulePage& page, bool ask);
    void exportFigure();
    /// Asks about unsaved changes; false: stay.
    bool mayClose(SchedulePage& page);
    void closePage(int index);
    void setGround(bool dark);
    void showKeys();

    QTabWidget* m_tabs;
    QUndoGroup* m_undo;
    PalettePanel* m_palette;
    SpecPanel* m_spec;
    InspectorPanel* m_inspector;
    QLabel* m_figures;
    QLabel* m_told;
    bool m_criticalShown = false;
};

} // namespace pw::ui
