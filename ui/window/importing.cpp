// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/importing.h"

#include "core/store/keep_trace.h"
#include "core/trace/trace_plan.h"
#include "ui/document/background.h"
#include "ui/runs/run_history.h"
#include "ui/traces/import_dialog.h"
#include "ui/window/kept_traces.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"
#include "ui/window/studio.h"

#include <QPointer>

#include <memory>

namespace pw::ui {

namespace {

/// The dialog may be closed while what it asked for is done; then the window says how it ended.
void refuse(MainWindow& window, const QPointer<ImportDialog>& dialog, const QString& why)
{
    if (dialog)
        dialog->refuse(why);
    else
        window.refuse(why);
}

void showKept(MainWindow& window, RunHistory& history, const QString& store,
              const QPointer<ImportDialog>& dialog, const Result<RunNumber>& kept)
{
    if (!kept) {
        refuse(window, dialog, MainWindow::tr("Not kept: %1").arg(text(kept.error().message)));
        return;
    }
    if (dialog)
        dialog->accept();
    history.refresh();
    // Another store may have been chosen meanwhile.
    if (history.path() == store)
        window.studio().openRun(*kept);
    window.tell(
        MainWindow::tr("Kept as run %1 in %2.").arg(static_cast<qlonglong>(*kept)).arg(store));
}

/// Writes passes and slices beside the window's work, then opens them as any run.
void keepAsked(MainWindow& window, ImportDialog& asking)
{
    RunHistory* history = &window.studio().history;
    const QString store = history->path();
    asking.setBusy(MainWindow::tr("Keeping the passes in %1…").arg(store));
    const QPointer<ImportDialog> dialog(&asking);
    inBackground(history,
                 [&window, history, store, dialog, imported = asking.imported(),
                  title = asking.title()]() -> std::function<void()> {
                     const ShownActivity& all = *imported->activity;
                     const Result<RunNumber> kept = keepWholeTrace(
                         {all.trace, all.source, all.pairs, imported->pipeline.rankOfDevice},
                         imported->pipeline,
                         traceFigures(imported->pipeline, imported->clocks, imported->transfers),
                         store.toStdString(), title.toStdString());
                     return [&window, history, store, dialog, kept] {
                         showKept(window, *history, store, dialog, kept);
                     };
                 });
}

void planAsked(MainWindow& window, ImportDialog& asking)
{
    asking.setBusy(MainWindow::tr("Making the plan…"));
    const QPointer<ImportDialog> dialog(&asking);
    inBackground(&window,
                 [&window, dialog, imported = asking.imported(),
                  title = asking.title()]() -> std::function<void()> {
                     // Shared, since what is handed over is copied.
                     auto plan = std::make_shared<Result<Project>>(
                         planOf(imported->trace, imported->pipeline, *imported->fitted,
                                title.toStdString()));
                     return [&window, dialog, plan] {
                         if (!*plan) {
                             refuse(window, dialog,
                                    MainWindow::tr("No plan: %1").arg(text(plan->error().message)));
                             return;
                         }
                         if (dialog)
                             dialog->accept();
                         window.openProject(std::move(**plan));
                     };
                 });
}

/// A tab with everything; nothing is kept.
void rowsAsked(MainWindow& window, ImportDialog& asking)
{
    openActivity(window, asking.imported()->activity, asking.title());
    asking.accept();
}

} // namespace

void importTraces(MainWindow& window, const QStringList& paths)
{
    auto* dialog = new ImportDialog(paths, &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &ImportDialog::keepAsked, &window,
                     [&window, dialog] { keepAsked(window, *dialog); });
    QObject::connect(dialog, &ImportDialog::planAsked, &window,
                     [&window, dialog] { planAsked(window, *dialog); });
    QObject::connect(dialog, &ImportDialog::rowsAsked, &window,
                     [&window, dialog] { rowsAsked(window, *dialog); });
    if (paths.size() == 1)
        QObject::connect(dialog, &QDialog::accepted, &window,
                         [&window, path = paths.first()] { window.noteFile(path); });
    // A file of the command line comes before the window is shown.
    QMetaObject::invokeMethod(dialog, &QDialog::open, Qt::QueuedConnection);
}

} // namespace pw::ui
