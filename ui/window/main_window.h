// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/project_file.h"

#include <QMainWindow>

#include <functional>
#include <map>
#include <memory>
#include <vector>

class QDockWidget;
class QLabel;
class QMimeData;
class QTabWidget;
class QToolBar;
class QUndoGroup;

namespace pw::ui {

class Commands;
class Page;
class SchedulePage;
class Studio;

/// The studio's window: pages in tabs, docks around them, the commands. What it can do is added by
/// features, see features.h; the window itself knows none of them.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    Commands& commands() { return *m_commands; }
    QUndoGroup& undoGroup() { return *m_undo; }
    Studio& studio() { return *m_studio; }

    /// The page in front; null: none is open.
    Page* page() const;
    /// The page in front where it is a schedule.
    SchedulePage* schedulePage() const;
    /// All pages, as their tabs stand.
    std::vector<Page*> pages() const;
    /// Adds a page, which the window owns from now on, and brings it to the front.
    void addPage(Page* page);
    void showPage(Page* page);
    /// The page's title, with a number where an older page has the same: "Own order · 4 × 8 (2)".
    QString titleOf(const Page& page) const;
    /// Asks about unsaved changes; false: the page stays.
    bool closePage(Page* page);

    /// A new tab with a project. @param path  where it was read from; empty: nowhere
    SchedulePage& openProject(Project project, const QString& path = {});
    /// A new tab with a family's schedule.
    SchedulePage& openFamily(const QString& id);
    /// Opens a file in a new tab. One that cannot be read is told, and changes nothing.
    bool open(const QString& path);

    /// A dock with its switch in the menu View.
    /// @param id  of the settings, never translated
    QDockWidget* addDock(const QString& id, const QString& title, QWidget* content,
                         Qt::DockWidgetArea area);
    /// A dock that was added; null: there is none of that name.
    QDockWidget* dock(const QString& id) const;

    /// The bar of tools.
    QToolBar& tools() { return *m_tools; }
    /// A file was opened or saved: whoever listens to `fileUsed` hears of it.
    void noteFile(const QString& path) { Q_EMIT fileUsed(path); }

    /// A sentence in the status line for some seconds; a refusal is in the colour of refusals.
    void tell(const QString& sentence);
    void refuse(const QString& sentence);

    /// Takes what is dragged over the window and dropped into it where no widget does.
    /// @return  whether the handler takes it; `drop` says whether it has come to that
    using DropHandler = std::function<bool(const QMimeData& data, bool drop)>;
    void addDropHandler(DropHandler handler);

Q_SIGNALS:
    /// Another page is in front, or none.
    void pageChanged();
    /// The page in front shows something else: result, numbers.
    void figuresChanged();
    /// Another pass of the page in front is selected.
    void selectionChanged();
    void pageAdded(pw::ui::Page* page);
    /// The page is about to go.
    void pageClosing(pw::ui::Page* page);
    /// A file was opened or saved.
    void fileUsed(const QString& path);
    /// The window closes, and everybody has agreed.
    void closing();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void showCurrent();
    void showFigures();
    void showTitles();
    void say(const QString& sentence, bool refusal);
    bool mayClose(Page& page);

    QTabWidget* m_tabs;
    QToolBar* m_tools;
    QUndoGroup* m_undo;
    Commands* m_commands;
    QLabel* m_figures;
    QLabel* m_told;
    std::map<QString, QDockWidget*> m_docks;
    std::unique_ptr<Studio> m_studio;
    std::vector<DropHandler> m_dropHandlers;
    std::vector<const Page*> m_made; ///< the pages, the oldest first
};

} // namespace pw::ui
