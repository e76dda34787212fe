// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/importing.h"

#include "core/analysis/trace_plan.h"
#include "core/store/keep_trace.h"
#include "core/store/kept_job.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/remote/remote_files.h"
#include "ui/runs/run_history.h"
#include "ui/traces/import_dialog.h"
#include "ui/traces/trace_keeping.h"
#include "ui/window/activity_page.h"
#include "ui/window/jobs.h"
#include "ui/window/kept_traces.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"
#include "ui/window/studio.h"

#include <QFile>
#include <QPointer>
#include <QTimer>

#include <functional>
#include <memory>
#include <utility>

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
    if (dialog)
        dialog->setKeeping(nullptr);
    if (!kept && kept.error().code == ErrorCode::Cancelled && dialog) {
        dialog->setStopped(MainWindow::tr("Not kept: %1").arg(coreSentence(kept.error().message)));
        return;
    }
    if (!kept) {
        refuse(window, dialog,
               MainWindow::tr("Not kept: %1").arg(coreSentence(kept.error().message)));
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
    const QPointer<TraceKeeping> keeping(new TraceKeeping(&window));
    asking.setKeeping(keeping);
    const QPointer<ImportDialog> dialog(&asking);
    inBackground(history,
                 [&window, history, store, dialog, keeping, imported = asking.imported(),
                  title = asking.title(), goOn = keeping->goOn()]() -> std::function<void()> {
                     const Result<RunNumber> kept =
                         keepImported(*imported, store.toStdString(), title.toStdString(), goOn);
                     return [&window, history, store, dialog, keeping, kept] {
                         delete keeping;
                         showKept(window, *history, store, dialog, kept);
                     };
                 });
}

void planAsked(MainWindow& window, ImportDialog& asking)
{
    asking.setBusy(MainWindow::tr("Making the plan…"));
    const QPointer<ImportDialog> dialog(&asking);
    inBackground(
        &window,
        [&window, dialog, imported = asking.imported(),
         title = asking.title()]() -> std::function<void()> {
            // Shared, since what is handed over is copied.
            auto plan = std::make_shared<Result<Project>>(planOf(
                imported->trace, imported->pipeline(), *imported->fitted, title.toStdString()));
            return [&window, dialog, plan] {
                if (!*plan) {
                    refuse(window, dialog,
                           MainWindow::tr("No plan: %1").arg(coreSentence(plan->error().message)));
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

/// A tab with the job; nothing is kept.
void jobAsked(MainWindow& window, ImportDialog& asking)
{
    openJob(window, asking.imported()->job, asking.title());
    asking.accept();
}

/// A digest was made by the rules of its time: its trace is read once more where it lies, and what
/// comes takes its place.
void bringAnew(MainWindow& window, ImportDialog& asking, const QStringList& paths)
{
    const QString path = paths.value(0);
    const FetchedFile* const file = window.studio().remote.digestAt(path);
    if (file == nullptr || paths.size() != 1)
        return;
    ImportDialog* dialog = &asking;
    auto* fetch = new RemoteFetch(dialog);
    QObject::connect(fetch, &RemoteFetch::failed, dialog, &ImportDialog::refuse);
    dialog->setBringAnew(
        [&window, dialog, fetch, path, place = file->place](const std::function<void()>& brought) {
            QObject::disconnect(fetch, &RemoteFetch::fetched, dialog, nullptr);
            QObject::connect(fetch, &RemoteFetch::fetched, dialog,
                             [dialog, path, brought](const FetchedFile& fresh) {
                                 QFile brings(fresh.path);
                                 QFile::remove(path);
                                 if (brings.rename(path))
                                     brought();
                                 else
                                     dialog->refuse(brings.errorString());
                             });
            fetch->start(place, wayTo(place, window.studio().connections.all()), false);
        });
}

void connectDialog(MainWindow& window, ImportDialog& asking, const QStringList& paths)
{
    ImportDialog* dialog = &asking;
    bringAnew(window, asking, paths);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &ImportDialog::keepAsked, &window,
                     [&window, dialog] { keepAsked(window, *dialog); });
    QObject::connect(dialog, &ImportDialog::planAsked, &window,
                     [&window, dialog] { planAsked(window, *dialog); });
    QObject::connect(dialog, &ImportDialog::rowsAsked, &window,
                     [&window, dialog] { rowsAsked(window, *dialog); });
    QObject::connect(dialog, &ImportDialog::jobAsked, &window,
                     [&window, dialog] { jobAsked(window, *dialog); });
}

void openNow(ImportDialog* dialog)
{
    // One that is done goes by itself.
    if (!dialog->isVisible() && dialog->result() != QDialog::Accepted)
        dialog->open();
}

/// What can be no run is a picture at once; its page leads back to what was found.
void showAtOnce(MainWindow& window, ImportDialog& asking, const QStringList& paths)
{
    const ImportedTracePtr imported = asking.imported();
    ActivityPage* page = openActivity(window, imported->activity, asking.title());
    page->setFound(imported);
    QObject::connect(page, &ActivityPage::foundAsked, &window, [&window, imported, paths] {
        auto* again = new ImportDialog(paths, imported, &window);
        connectDialog(window, *again, paths);
        again->open();
    });
    asking.accept();
    asking.deleteLater(); // also where it was never shown
}

} // namespace

Result<RunNumber> keepImported(const ImportedTrace& imported, const std::string& store,
                               const std::string& title, const KeepOn& goOn)
{
    const ShownActivity& all = *imported.activity;
    const JobAnalysis* job = imported.job ? &imported.job->analysis : nullptr;
    return keepWholeTrace({all.trace, all.source, all.pairs, imported.pipeline().rankOfDevice,
                           keepingJob(job, imported.trace)},
                          imported.pipeline(),
                          traceFigures(imported.pipeline(), imported.clocks(), imported.transfers),
                          store, title, goOn);
}

void importTraces(MainWindow& window, const QStringList& paths)
{
    auto* dialog = new ImportDialog(paths, &window);
    connectDialog(window, *dialog, paths);
    if (paths.size() == 1)
        QObject::connect(dialog, &QDialog::accepted, &window,
                         [&window, path = paths.first()] { window.noteFile(path); });
    // Who sees what was found, and reads again by other rules, keeps the dialog.
    const auto first = std::make_shared<bool>(true);
    QObject::connect(dialog, &ImportDialog::found, dialog, [&window, dialog, paths, first] {
        if (std::exchange(*first, false) && !dialog->imported()->pipeline().schedule)
            showAtOnce(window, *dialog, paths);
        else
            openNow(dialog);
    });
    QObject::connect(dialog, &ImportDialog::foundNothing, dialog, [dialog, first] {
        *first = false;
        openNow(dialog);
    });
    // What is read sooner needs no dialog. A file of the command line comes before the window is
    // shown.
    constexpr int patience = 250; // milliseconds
    QTimer::singleShot(patience, dialog, [dialog] { openNow(dialog); });
}

} // namespace pw::ui
