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
class QMimeData;
class QTabWidget;
class QToolBar;
class QUndoGroup;

namespace pw::ui {

class Commands;
class OneLine;
class Page;
class PageBar;
class SchedulePage;
class Studio;

/// What is in front, for what stands beside it.
struct InFront
{
    const Page* page = nullptr; ///< null: nothing is open
    bool level = false;         ///< the lesson's that is open
};

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
    /// @param id       of the settings, never translated
    /// @param belongs  whether it has something to say of what is in front; only then it is shown
    using Belongs = std::function<bool(const InFront& front)>;
    QDockWidget* addDock(const QString& id, const QString& title, QWidget* content,
                         Qt::DockWidgetArea area, Belongs belongs);
    /// A dock that was added; null: there is none of that name.
    QDockWidget* dock(const QString& id) const;
    /// All of them, the oldest first.
    const std::vector<QDockWidget*>& docks() const { return m_dockOrder; }
    bool belongs(const QDockWidget& dock, const InFront& front) const;

    /// The page in front has the window for itself: no panel stands beside it.
    void setAlone(bool on);
    bool alone() const { return m_alone; }

    /// The bar of tools, and below it that of the tabs.
    QToolBar& tools() { return *m_tools; }
    QToolBar& tabs() { return *m_tabBar; }
    /// A file was opened or saved: whoever listens to `fileUsed` hears of it.
    /// Of one from another machine it says the place there.
    void noteFile(const QString& path);

    /// A sentence in the status line for some seconds; a refusal is in the colour of refusals.
    void tell(const QString& sentence);
    void refuse(const QString& sentence);

    // What others have done that the window tells all.
    void noteLayout() { Q_EMIT layoutRestored(); }
    void noteLevel() { Q_EMIT levelChanged(); }
    void noteProven();

    /// Takes what is dragged over the window and dropped into it where no widget does.
    /// @return  whether the handler takes it; `drop` says whether it has come to that
    using DropHandler = std::function<bool(const QMimeData& data, bool drop)>;
    void addDropHandler(DropHandler handler);

Q_SIGNALS:
    /// Another page is in front, or none.
    void pageChanged();
    /// The page in front shows something else: result, numbers.
    void figuresChanged();
    /// More is proven of a schedule than when it was shown.
    void boundProven();
    /// Another pass of the page in front is selected.
    void selectionChanged();
    void pageAdded(pw::ui::Page* page);
    /// The page is about to go.
    void pageClosing(pw::ui::Page* page);
    /// A file was opened or saved.
    void fileUsed(const QString& path);
    void dockAdded(QDockWidget* dock);
    /// Panels are where they were when the window was closed.
    void layoutRestored();
    void aloneChanged();
    /// Another page is the level of the lesson that is open.
    void levelChanged();
    /// The window closes, and everybody has agreed.
    void closing();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void makeTabBar();
    void showCurrent();
    void showFigures();
    void showTitles();
    void say(const QString& sentence, bool refusal);
    bool mayClose(Page& page);

    QTabWidget* m_tabs;
    QToolBar* m_tools;
    QToolBar* m_tabBar;
    PageBar* m_bar;
    QUndoGroup* m_undo;
    Commands* m_commands;
    OneLine* m_figures;
    OneLine* m_told;
    std::map<QString, QDockWidget*> m_docks;
    std::vector<QDockWidget*> m_dockOrder;
    std::map<const QDockWidget*, Belongs> m_belongs;
    bool m_alone = false;
    std::unique_ptr<Studio> m_studio;
    std::vector<DropHandler> m_dropHandlers;
    std::vector<const Page*> m_made; ///< the pages, the oldest first
};

} // namespace pw::ui
