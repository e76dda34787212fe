// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/main_window.h"

#include "ui/house_style.h"
#include "ui/one_line.h"
#include "ui/pages/page.h"
#include "ui/plain_text.h"
#include "ui/presentation.h"
#include "ui/remote/remote_files.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/opening.h"
#include "ui/window/page_bar.h"
#include "ui/window/schedule_page.h"
#include "ui/window/studio.h"
#include "ui/window/tab_title.h"

#include <QAction>
#include <QCloseEvent>
#include <QDockWidget>
#include <QLayout>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QToolBar>
#include <QUndoGroup>

#include <algorithm>
#include <memory>

namespace pw::ui {

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent)
    , m_tabs(new QTabWidget(this))
    , m_tools(addToolBar(tr("Tools")))
    , m_undo(new QUndoGroup(this))
    , m_figures(new OneLine(this))
    , m_told(new OneLine(this))
{
    setAcceptDrops(true);
    resize(1440, 900);
    // Not what panels would like to have: a window that is larger than the screen helps nobody.
    layout()->setSizeConstraint(QLayout::SetNoConstraint);
    setMinimumSize(640, 400);
    m_tabs->setDocumentMode(true);
    m_tabs->setMovable(true);
    setCentralWidget(m_tabs);
    makeTabBar();
    m_tools->setObjectName(QStringLiteral("tools"));
    m_tools->setMovable(false);
    m_tools->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    dressTools(*m_tools);
    m_commands = new Commands(this, menuBar(), m_tools);
    m_figures->setObjectName(QStringLiteral("figures"));
    m_told->setObjectName(QStringLiteral("told"));
    m_told->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    // The numbers have the room that they need, a long sentence what is left of it.
    m_told->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    statusBar()->addWidget(m_figures);
    statusBar()->addPermanentWidget(m_told, 1);
    m_studio = std::make_unique<Studio>(*this);
    addFeatures(*m_studio);
    connect(m_tabs, &QTabWidget::currentChanged, this, &MainWindow::showCurrent);
    connect(this, &MainWindow::figuresChanged, m_commands, &Commands::refresh);
    connect(this, &MainWindow::selectionChanged, m_commands, &Commands::refresh);
    connect(this, &MainWindow::pageChanged, m_commands, &Commands::refresh);
    showCurrent();
}

/// A line of its own, over the pages and what stands beside them.
void MainWindow::makeTabBar()
{
    addToolBarBreak();
    m_tabBar = addToolBar(tr("Tabs"));
    m_tabBar->setObjectName(QStringLiteral("tabs"));
    m_tabBar->setMovable(false);
    m_tabBar->setContextMenuPolicy(Qt::PreventContextMenu);
    m_tabBar->toggleViewAction()->setVisible(false);
    m_tabBar->setContentsMargins(0, 0, 0, 0);
    m_bar = new PageBar(*m_tabs, m_tabBar);
    m_tabBar->addWidget(m_bar);
    m_tabBar->hide();
    connect(m_bar, &PageBar::closeAsked, this,
            [this](QWidget* page) { closePage(static_cast<Page*>(page)); });
    connect(this, &MainWindow::layoutRestored, this,
            [this] { m_tabBar->setVisible(m_tabs->count() > 0); });
}

MainWindow::~MainWindow()
{
    // Docks that are hidden tell their features, which ask the window: while it still is one.
    hide();
}

Page* MainWindow::page() const
{
    return static_cast<Page*>(m_tabs->currentWidget());
}

SchedulePage* MainWindow::schedulePage() const
{
    return qobject_cast<SchedulePage*>(m_tabs->currentWidget());
}

std::vector<Page*> MainWindow::pages() const
{
    std::vector<Page*> all;
    for (int i = 0; i < m_tabs->count(); ++i)
        all.push_back(static_cast<Page*>(m_tabs->widget(i)));
    return all;
}

void MainWindow::addPage(Page* page)
{
    if (QUndoStack* stack = page->undoStack(); stack != nullptr)
        m_undo->addStack(stack);
    connect(page, &Page::titleChanged, this, &MainWindow::showTitles);
    connect(page, &Page::figuresChanged, this, [this, page] {
        if (page == this->page())
            showFigures();
    });
    connect(page, &Page::selectionChanged, this, [this, page] {
        if (page == this->page())
            Q_EMIT selectionChanged();
    });
    connect(page, &Page::figuresTried, this, [this, page](const QString& figures) {
        if (page == this->page())
            m_figures->setTextInPlace(figures);
    });
    connect(page, &Page::told, this, [this](const QString& sentence) { say(sentence, false); });
    m_made.push_back(page);
    Q_EMIT pageAdded(page);
    const int index = m_tabs->addTab(page, page->title());
    m_tabs->setCurrentIndex(index);
    showTitles();
    if (m_tabs->count() == 1)
        m_tabBar->show();
    page->setFocus();
}

void MainWindow::showPage(Page* page)
{
    m_tabs->setCurrentWidget(page);
}

SchedulePage& MainWindow::openProject(Project project, const QString& path)
{
    auto* made = new SchedulePage;
    made->document().reset(std::move(project), path);
    addPage(made);
    return *made;
}

SchedulePage& MainWindow::openFamily(const QString& id)
{
    return openProject(projectOf(id.toStdString(), FamilyOptions{}, UniformCosts{}));
}

bool MainWindow::open(const QString& path)
{
    return openFile(*this, path);
}

QDockWidget* MainWindow::addDock(const QString& id, const QString& title, QWidget* content,
                                 Qt::DockWidgetArea area, Belongs belongs)
{
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(id);
    m_docks[id] = dock;
    m_dockOrder.push_back(dock);
    m_belongs[dock] = std::move(belongs);
    dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable |
                      QDockWidget::DockWidgetFloatable);
    dock->setWidget(content);
    addDockWidget(area, dock);
    m_commands->add({.id = QStringLiteral("view.dock.") + id,
                     .menu = Menu::View,
                     .text = title,
                     .tip = tr("Shows or hides this panel."),
                     .group = 90,
                     .submenu = tr("Panel&s")},
                    dock->toggleViewAction());
    Q_EMIT dockAdded(dock);
    return dock;
}

bool MainWindow::belongs(const QDockWidget& dock, const InFront& front) const
{
    const auto known = m_belongs.find(&dock);
    return known != m_belongs.end() && known->second(front);
}

QDockWidget* MainWindow::dock(const QString& id) const
{
    const auto found = m_docks.find(id);
    return found != m_docks.end() ? found->second : nullptr;
}

void MainWindow::setAlone(bool on)
{
    if (on == m_alone)
        return;
    m_alone = on;
    Q_EMIT aloneChanged();
}

void MainWindow::showCurrent()
{
    m_undo->setActiveStack(page() != nullptr ? page()->undoStack() : nullptr);
    say({}, false);
    Q_EMIT pageChanged();
    showTitles();
    showFigures();
}

QString MainWindow::titleOf(const Page& page) const
{
    const QString title = page.title();
    int number = 1;
    for (const Page* older : m_made) {
        if (older == &page)
            break;
        number += older->title() == title ? 1 : 0;
    }
    return number == 1 ? title : QStringLiteral("%1 (%2)").arg(title).arg(number);
}

void MainWindow::showTitles()
{
    for (int i = 0; i < m_tabs->count(); ++i) {
        const Page& one = *static_cast<Page*>(m_tabs->widget(i));
        const QString title = titleOf(one);
        const QString shown = tabTitle(title, m_tabs->fontMetrics());
        m_tabs->setTabText(i, shown + (one.modified() ? QStringLiteral(" •") : QString()));
        QStringList tip{shown == title ? QString() : title, one.detail()};
        tip.removeAll(QString());
        m_tabs->setTabToolTip(i, tip.join(QLatin1Char('\n')));
    }
    m_bar->follow();
    const QString name = tr("Pipewright");
    setWindowTitle(page() == nullptr ? name
                                     : QStringLiteral("%1[*] — %2").arg(titleOf(*page()), name));
    setWindowModified(page() != nullptr && page()->modified());
}

void MainWindow::showFigures()
{
    m_figures->setText(page() != nullptr ? page()->figures()
                                         : tr("Choose a family on the left, or open a project."));
    Q_EMIT figuresChanged();
}

void MainWindow::say(const QString& sentence, bool refusal)
{
    setInk(m_told, refusal ? Role::Refusal : Role::Text);
    m_told->setText(sentence.simplified()); // a second line would move the page
}

void MainWindow::tell(const QString& sentence)
{
    statusBar()->clearMessage();
    say(sentence, false);
}

void MainWindow::noteFile(const QString& path)
{
    Q_EMIT fileUsed(m_studio->remote.origin(path));
}

void MainWindow::noteProven()
{
    Q_EMIT boundProven();
    Q_EMIT figuresChanged();
}

void MainWindow::refuse(const QString& sentence)
{
    statusBar()->clearMessage();
    say(sentence, true);
}

bool MainWindow::mayClose(Page& page)
{
    if (!page.modified())
        return true;
    m_tabs->setCurrentWidget(&page);
    const std::unique_ptr<QMessageBox> box(
        plainBox(this, tr("Unsaved changes"), tr("Save the changes to %1?").arg(titleOf(page))));
    box->setIcon(QMessageBox::Question);
    box->setStandardButtons(QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    const int answer = box->exec();
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && page.save(false));
}

bool MainWindow::closePage(Page* page)
{
    if (page == nullptr || !mayClose(*page))
        return false;
    Q_EMIT pageClosing(page);
    std::erase(m_made, page);
    m_tabs->removeTab(m_tabs->indexOf(page));
    showTitles();
    m_tabBar->setHidden(m_tabs->count() == 0 || m_tabBar->isHidden());
    page->deleteLater();
    return true;
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    for (Page* one : pages()) {
        if (!mayClose(*one)) {
            event->ignore();
            return;
        }
    }
    Q_EMIT closing();
    event->accept();
}

void MainWindow::addDropHandler(DropHandler handler)
{
    m_dropHandlers.push_back(std::move(handler));
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QMimeData& dropped = *event->mimeData();
    if (std::any_of(m_dropHandlers.begin(), m_dropHandlers.end(),
                    [&](const DropHandler& takes) { return takes(dropped, false); }))
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QMimeData& dropped = *event->mimeData();
    if (std::any_of(m_dropHandlers.begin(), m_dropHandlers.end(),
                    [&](const DropHandler& takes) { return takes(dropped, true); }))
        event->acceptProposedAction();
}

} // namespace pw::ui
