// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/fit_costs.h"
#include "ui/panels/details_panel.h"
#include "ui/panels/inspector_panel.h"
#include "ui/panels/spec_panel.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/no_schedule.h"
#include "ui/window/page_docks.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QDockWidget>
#include <QEvent>
#include <QFrame>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

/// In a window with little room the dock becomes a tab beside the palette, and goes back when there
/// is room again. A dock that a person has put elsewhere stays there.
class NarrowWindow : public QObject
{
public:
    /// Width below which lanes, palette and numbers do not stand beside each other.
    static constexpr int narrow = 1100;

    NarrowWindow(MainWindow& window, QDockWidget& dock)
        : QObject(&dock)
        , m_window(window)
        , m_dock(dock)
    {
        window.installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Resize && watched == &m_window)
            arrange();
        return QObject::eventFilter(watched, event);
    }

private:
    void arrange()
    {
        const bool narrowNow = m_window.width() < narrow;
        if (narrowNow == m_narrow)
            return;
        m_narrow = narrowNow;
        const Qt::DockWidgetArea area = m_window.dockWidgetArea(&m_dock);
        auto* palette = m_window.dock(QStringLiteral("palette"));
        if (palette == nullptr || m_dock.isFloating())
            return;
        const bool shown = !m_dock.isHidden();
        if (narrowNow && area == Qt::RightDockWidgetArea) {
            m_window.tabifyDockWidget(palette, &m_dock);
            m_moved = true;
        } else if (!narrowNow && m_moved && area == m_window.dockWidgetArea(palette)) {
            m_window.removeDockWidget(&m_dock);
            m_window.addDockWidget(Qt::RightDockWidgetArea, &m_dock);
            m_moved = false;
        }
        m_dock.setVisible(shown);
    }

    MainWindow& m_window;
    QDockWidget& m_dock;
    bool m_narrow = false;
    bool m_moved = false;
};

/// As wide as it has to be, whatever is in it.
class NarrowScroll : public QScrollArea
{
public:
    using QScrollArea::QScrollArea;

    QSize sizeHint() const override { return {minimumWidth(), QScrollArea::sizeHint().height()}; }
};

/// The panel is named after what it shows, its switch in the menu always the same.
void nameDock(QDockWidget& dock, const QString& title)
{
    if (dock.windowTitle() == title)
        return;
    const QString known = dock.toggleViewAction()->text();
    dock.setWindowTitle(title);
    dock.toggleViewAction()->setText(known);
}

QFrame* line(QWidget* parent)
{
    auto* made = new QFrame(parent);
    made->setFrameShape(QFrame::HLine);
    made->setFrameShadow(QFrame::Plain);
    made->setForegroundRole(QPalette::Mid);
    made->setFixedHeight(1);
    return made;
}

void addCostCommands(MainWindow& window, SpecPanel& spec)
{
    const auto needsSchedule = [&window] { return noSchedule(window); };
    const auto add = [&](const char* id, const QString& title, const QString& tip,
                         void (SpecPanel::*run)(), auto whyNot) {
        window.commands().add({.id = QString::fromLatin1(id),
                               .menu = Menu::Schedule,
                               .text = title,
                               .tip = tip,
                               .group = 70,
                               .submenu = MainWindow::tr("Costs"),
                               .whyNot = whyNot},
                              &spec, [&spec, run] { (spec.*run)(); });
    };
    add("schedule.model", MainWindow::tr("Costs from &model and machine…"),
        MainWindow::tr("Times and bytes of a transformer on a machine"), &SpecPanel::openModel,
        needsSchedule);
    add("schedule.stage-table", MainWindow::tr("Stage &table…"),
        MainWindow::tr("Times and bytes of every stage"), &SpecPanel::openStageTable,
        needsSchedule);
    add("schedule.costs-file", MainWindow::tr("Costs from a &file…"),
        MainWindow::tr("What “pipewright costs calibrate” measured"), &SpecPanel::openCostsFile,
        needsSchedule);
    add("schedule.links", MainWindow::tr("Link&s…"),
        MainWindow::tr("Latency and bandwidth of messages, and the network over time"),
        &SpecPanel::openLinks, needsSchedule);
    add("schedule.equal-stages", MainWindow::tr("Back to &equal stages"),
        MainWindow::tr("One time for every stage; the mean, where they differ"),
        &SpecPanel::takeEqualStages, [&window] {
            if (const QString none = noSchedule(window); !none.isEmpty())
                return none;
            const Project& project = window.schedulePage()->document().project();
            return equalStagesOf(project) ? MainWindow::tr("All stages are equal.") : QString();
        });
}

void addPinCommands(MainWindow& window, InspectorPanel& inspector)
{
    window.commands().add(
        {.id = QStringLiteral("view.pin"),
         .menu = Menu::View,
         .text = MainWindow::tr("P&in for comparison"),
         .tip = MainWindow::tr("Other schedules are held against this one."),
         .group = 60,
         .submenu = MainWindow::tr("Compare"),
         .whyNot =
             [&window] {
                 if (const QString none = noSchedule(window); !none.isEmpty())
                     return none;
                 return window.schedulePage()->document().schedule() != nullptr
                            ? QString()
                            : MainWindow::tr("Not every pass has its place yet.");
             }},
        &inspector, [&window, &inspector] {
            inspector.pin(&window.schedulePage()->document());
            window.tell(MainWindow::tr("Schedules are held against %1.")
                            .arg(inspector.pinned() ? inspector.pinned()->title : QString()));
            window.commands().refresh();
        });
    window.commands().add({.id = QStringLiteral("view.unpin"),
                           .menu = Menu::View,
                           .text = MainWindow::tr("Take the pin &away"),
                           .group = 60,
                           .submenu = MainWindow::tr("Compare"),
                           .whyNot =
                               [&inspector] {
                                   return inspector.pinned()
                                              ? QString()
                                              : MainWindow::tr("No schedule is pinned.");
                               }},
                          &inspector, [&window, &inspector] {
                              inspector.pin(nullptr);
                              window.commands().refresh();
                          });
}

QLabel* nothingInFront(QWidget* parent)
{
    auto* none = new QLabel(MainWindow::tr("No schedule is in front. Choose a family in the "
                                           "palette, or open a project: its shape, its costs and "
                                           "what is selected are shown here."),
                            parent);
    none->setObjectName(QStringLiteral("no-schedule"));
    none->setWordWrap(true);
    none->setForegroundRole(QPalette::PlaceholderText);
    none->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    none->setContentsMargins(12, 12, 12, 12);
    return none;
}

/// Of a schedule its numbers, of other pages what they have to say of themselves.
bool saysSomething(const InFront& front)
{
    return besideSchedules(front) || (!front.level && !front.page->details().empty());
}

/// The dock at the right with the column in it, as wide as the column needs.
QDockWidget* dockOf(MainWindow& window, QWidget* column)
{
    auto* scroll = new NarrowScroll(&window);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(column);
    constexpr int width = 290;
    scroll->setMinimumWidth(std::max(width, column->minimumSizeHint().width() + 16));
    QDockWidget* dock = window.addDock(QStringLiteral("schedule"), MainWindow::tr("Schedule"),
                                       scroll, Qt::RightDockWidgetArea, saysSomething);
    new NarrowWindow(window, *dock);
    return dock;
}

} // namespace

void addSpec(MainWindow& window)
{
    auto* spec = new SpecPanel(&window);
    auto* inspector = new InspectorPanel(&window);
    auto* content = new QWidget(&window);
    content->setObjectName(QStringLiteral("schedule-column"));
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    QLabel* none = nothingInFront(content);
    QFrame* between = line(content);
    auto* details = new DetailsPanel(content);
    layout->addWidget(none);
    layout->addWidget(details, 1);
    layout->addWidget(spec);
    layout->addWidget(between);
    layout->addWidget(inspector, 1);
    QDockWidget* dock = dockOf(window, content);

    // What other pages have to say of themselves stands in the same place.
    const auto follow = [=, &window] {
        if (window.schedulePage() != nullptr)
            return;
        const PageDetails said =
            window.page() != nullptr ? window.page()->details() : PageDetails{};
        details->setDetails(said);
        details->setVisible(!said.empty());
        none->setVisible(said.empty());
        nameDock(*dock, said.empty() ? MainWindow::tr("Schedule") : said.kind);
    };
    QObject::connect(&window, &MainWindow::boundProven, inspector, &InspectorPanel::findAgain);
    QObject::connect(&window, &MainWindow::figuresChanged, details, follow);
    QObject::connect(&window, &MainWindow::selectionChanged, details, follow);
    QObject::connect(&window, &MainWindow::pageChanged, spec, [=, &window] {
        SchedulePage* page = window.schedulePage();
        if (page != nullptr) {
            none->hide();
            details->hide();
            nameDock(*dock, MainWindow::tr("Schedule"));
        }
        for (QWidget* part : {static_cast<QWidget*>(spec), static_cast<QWidget*>(between),
                              static_cast<QWidget*>(inspector)})
            part->setVisible(page != nullptr);
        ScheduleDocument* document = page != nullptr ? &page->document() : nullptr;
        spec->setDocument(document);
        inspector->setDocument(document);
        if (page != nullptr)
            inspector->setSelection(page->timeline().overlay().selected);
        follow();
    });
    QObject::connect(&window, &MainWindow::selectionChanged, inspector, [&window, inspector] {
        if (SchedulePage* page = window.schedulePage(); page != nullptr)
            inspector->setSelection(page->timeline().overlay().selected);
    });
    QObject::connect(spec, &SpecPanel::told, &window, &MainWindow::tell);
    addCostCommands(window, *spec);
    addPinCommands(window, *inspector);
}

} // namespace pw::ui
