// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/core_sentences.h"
#include "ui/runs/run_history.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/store_setting.h"
#include "ui/text.h"
#include "ui/window/answer_page.h"
#include "ui/window/commands.h"
#include "ui/window/comparisons.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/no_schedule.h"
#include "ui/window/page_docks.h"
#include "ui/window/schedule_page.h"
#include "ui/window/studio.h"

#include <QAction>
#include <QDockWidget>
#include <QFileDialog>

namespace pw::ui {

namespace {

/// Opens the schedule of a run as it was when it ran, as a project without a file.
void openItsProject(MainWindow& window, RunHistory& history, RunNumber number)
{
    history.read(&window, [&window, number](Result<RunStore>& store) -> RunHistory::Answer {
        if (!store)
            return [&window, why = coreSentence(store.error().message)] { window.refuse(why); };
        Result<RunDetails> details = store->run(number);
        Result<Project> project =
            details ? readProject(details->project) : Result<Project>(fail(details.error()));
        return [&window, number, project = std::move(project)]() mutable {
            if (!project)
                window.refuse(MainWindow::tr("The schedule of run %1 cannot be opened: %2")
                                  .arg(static_cast<qlonglong>(number))
                                  .arg(coreSentence(project.error().message)));
            else
                window.openProject(std::move(*project));
        };
    });
}

/// Opens a kept answer on the page that it is of, or where that cannot ask it, as it was printed.
void reopenAnswer(MainWindow& window, RunHistory& history, Comparisons& comparisons,
                  std::int64_t number)
{
    history.readAnswer(number, &window,
                       [&window, &comparisons](const Result<StoredAnswer>& answer) {
                           if (!answer) {
                               window.refuse(coreSentence(answer.error().message));
                               return;
                           }
                           if (answer->kind == AnswerKind::Comparison ? comparisons.reopen(*answer)
                                                                      : reopenPlan(window, *answer))
                               return;
                           window.addPage(new AnswerPage(*answer));
                       });
}

void chooseStore(MainWindow& window, RunHistory& history, bool usual)
{
    if (usual) {
        setStoreFile({});
        history.setPath(storeFile());
        return;
    }
    // A file that is not there yet becomes a store with its first run.
    auto* dialog = new QFileDialog(&window, MainWindow::tr("Store of runs"), history.path(),
                                   MainWindow::tr("Stores of runs (*.sqlite);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setOption(QFileDialog::DontConfirmOverwrite);
    dialog->setLabelText(QFileDialog::Accept, MainWindow::tr("Use"));
    QObject::connect(dialog, &QFileDialog::fileSelected, &window, [&history](const QString& path) {
        setStoreFile(path);
        history.setPath(path);
    });
    dialog->open();
}

void addCompareWithBefore(MainWindow& window, Comparisons& comparisons)
{
    window.commands().add(
        {.id = QStringLiteral("view.compare-before"),
         .menu = Menu::View,
         .text = MainWindow::tr("Compare with &before"),
         .tip = MainWindow::tr("Lays the schedule over what it was before it was edited, improved "
                               "or given other costs."),
         .group = 60,
         .submenu = MainWindow::tr("Compare"),
         .whyNot =
             [&window] {
                 const SchedulePage* page = window.schedulePage();
                 if (page == nullptr)
                     return noSchedule(window);
                 return page->document().identity().before != nullptr
                            ? QString()
                            : MainWindow::tr("Nothing was changed in this schedule yet.");
             }},
        &comparisons,
        [&window, &comparisons] { comparisons.compareWithBefore(*window.schedulePage()); });
}

void addUndoDelete(MainWindow& window, RunHistory& history)
{
    window.commands().add({.id = QStringLiteral("run.undo-delete"),
                           .menu = Menu::Run,
                           .text = MainWindow::tr("&Undo deleting runs"),
                           .tip = MainWindow::tr("Brings the runs deleted last back."),
                           .group = 50,
                           .submenu = MainWindow::tr("Kept runs"),
                           .whyNot =
                               [&history] {
                                   return history.lastRemoved().empty()
                                              ? MainWindow::tr("No run was deleted.")
                                              : QString();
                               }},
                          &history, [&history] { history.undoRemove(); });
}

} // namespace

void addRuns(Studio& studio)
{
    MainWindow& window = studio.window;
    RunHistory* history = &studio.history;
    Comparisons* comparisons = &studio.comparisons;
    auto* panel = new RunsPanel(*history, &window);
    QDockWidget* dock = window.addDock(QStringLiteral("runs"), MainWindow::tr("Runs"), panel,
                                       Qt::BottomDockWidgetArea, besideRuns);
    // The tabs of the lower dock stand in the same place whatever a page has at its left.
    window.setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    QObject::connect(panel, &RunsPanel::openAsked, &window,
                     [&studio](qint64 run) { studio.openRun(run); });
    QObject::connect(panel, &RunsPanel::answerAsked, &window,
                     [&window, history, comparisons](qint64 number) {
                         reopenAnswer(window, *history, *comparisons, number);
                     });
    QObject::connect(history, &RunHistory::kept, panel, [&window, panel](qint64 number) {
        window.tell(MainWindow::tr("Kept as a%1, beside the runs.").arg(number));
        panel->showRun(-number);
    });
    QObject::connect(panel, &RunsPanel::projectAsked, &window,
                     [&window, history](qint64 run) { openItsProject(window, *history, run); });
    QObject::connect(panel, &RunsPanel::storeAsked, &window,
                     [&window, history](bool usual) { chooseStore(window, *history, usual); });
    QObject::connect(panel, &RunsPanel::compareAsked, comparisons,
                     [comparisons](const std::vector<RunNumber>& runs) {
                         if (runs.size() == 1)
                             comparisons->compareWithPlan(runs.front());
                         else
                             comparisons->compareRuns(runs);
                     });
    window.commands().add({.id = QStringLiteral("view.compare"),
                           .menu = Menu::View,
                           .text = MainWindow::tr("C&ompare…"),
                           .keys = QKeySequence(MainWindow::tr("Ctrl+Shift+K")),
                           .tip = MainWindow::tr("Lays schedules and runs over each other."),
                           .group = 60,
                           .submenu = MainWindow::tr("Compare"),
                           .toolbar = 40},
                          comparisons, [comparisons] { comparisons->ask(); });
    addCompareWithBefore(window, *comparisons);
    if (const QAction* pin = window.commands().action(QStringLiteral("view.pin")))
        QObject::connect(pin, &QAction::triggered, comparisons, [window = &window, comparisons] {
            if (window->schedulePage() != nullptr)
                comparisons->pin(*window->schedulePage());
        });
    if (const QAction* unpin = window.commands().action(QStringLiteral("view.unpin")))
        QObject::connect(unpin, &QAction::triggered, comparisons, &Comparisons::unpin);
    window.commands().add({.id = QStringLiteral("run.find"),
                           .menu = Menu::Run,
                           .text = MainWindow::tr("&Find a run"),
                           .keys = QKeySequence(MainWindow::tr("Ctrl+Shift+R")),
                           .tip = MainWindow::tr("Shows the runs that were kept."),
                           .group = 50,
                           .submenu = MainWindow::tr("Kept runs")},
                          panel, [panel, dock] {
                              dock->show();
                              dock->raise();
                              panel->focusSearch();
                          });
    addUndoDelete(window, *history);
    QObject::connect(history, &RunHistory::changed, &window.commands(), &Commands::refresh);
}

} // namespace pw::ui
