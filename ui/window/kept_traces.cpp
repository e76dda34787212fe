// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/kept_traces.h"

#include "core/store/keep_trace.h"
#include "core/store/stored_trace.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/runs/run_history.h"
#include "ui/text.h"
#include "ui/traces/trace_keeping.h"
#include "ui/window/activity_page.h"
#include "ui/window/main_window.h"
#include "ui/window/studio.h"

#include <QPointer>

#include <memory>

namespace pw::ui {

namespace {

/// What became of a trace that was to be kept.
struct KeptRun
{
    Result<RunNumber> number;
    bool ordered = false; ///< its passes have an order, which is a plan
    QString words;        ///< what is in it
};

/// In a worker. Proposals that are sure enough become its passes; where none is, it has none.
KeptRun keepWith(const ShownActivity& given, const PassProposal& proposal, double confidence,
                 const QString& store, const QString& title, const KeepOn& goOn)
{
    Trace trace = given.trace;
    const std::int64_t taken = acceptProposal(trace, proposal, confidence);
    const AlignedPipeline aligned = recoverAligned(trace);
    const TraceActivity source(trace);
    const TraceMessages messages = pairMessages(trace);
    KeptRun kept{keepWholeTrace({trace, source, messages.pairs, aligned.pipeline.rankOfDevice},
                                aligned.pipeline,
                                traceFigures(aligned.pipeline, aligned.clocks,
                                             transfersOf(trace, aligned.pipeline, messages)),
                                store.toStdString(), title.toStdString(), goOn),
                 aligned.pipeline.schedule.has_value(),
                 {}};
    const std::vector<FamilyMatch>& families = aligned.pipeline.family.matches;
    kept.words =
        kept.ordered ? (families.empty() ? MainWindow::tr("an order of no family")
                                         : text(describe(families.front())))
        : taken == 0 && aligned.pipeline.passes == 0
            ? MainWindow::tr("no proposal reaches this confidence, so the run has no passes")
            : MainWindow::tr("without its passes: %1").arg(text(whyNoOrder(aligned.pipeline)));
    return kept;
}

void keepPage(MainWindow& window, ActivityPage& page, double confidence)
{
    RunHistory* history = &window.studio().history;
    const QString store = history->path();
    // Of the window: it is kept on where the page is closed, and stopped with the window.
    const QPointer<TraceKeeping> keeping(new TraceKeeping(&window));
    page.proposals().setKeeping(keeping);
    page.proposals().say(MainWindow::tr("Keeping the trace in %1…").arg(store));
    const QPointer<ActivityPage> shown(&page);
    inBackground(history,
                 [&window, history, store, shown, keeping, given = page.given(), confidence,
                  title = page.title(), proposal = page.proposals().proposal(),
                  goOn = keeping->goOn()]() -> std::function<void()> {
                     const auto kept = std::make_shared<KeptRun>(
                         keepWith(*given, proposal, confidence, store, title, goOn));
                     return [&window, history, store, shown, keeping, kept] {
                         delete keeping;
                         const QString words =
                             kept->number ? MainWindow::tr("Kept as run %1 in %2: %3.")
                                                .arg(static_cast<qlonglong>(*kept->number))
                                                .arg(store, kept->words)
                                          : MainWindow::tr("Not kept: %1")
                                                .arg(coreSentence(kept->number.error().message));
                         if (shown) {
                             shown->proposals().setKeeping(nullptr);
                             shown->proposals().say(words);
                         }
                         if (!kept->number && kept->number.error().code == ErrorCode::Cancelled) {
                             window.tell(words);
                             return;
                         }
                         if (!kept->number) {
                             window.refuse(words);
                             return;
                         }
                         history->refresh();
                         // Another store may have been chosen meanwhile.
                         if (history->path() == store && kept->ordered)
                             window.studio().openRun(*kept->number);
                         window.tell(words);
                     };
                 });
}

} // namespace

ActivityPage* openActivity(MainWindow& window, const ShownActivityPtr& activity,
                           const QString& title)
{
    auto* page = new ActivityPage(activity, title);
    QObject::connect(page, &ActivityPage::keepAsked, &window,
                     [&window, page](double confidence) { keepPage(window, *page, confidence); });
    window.addPage(page);
    return page;
}

void openKeptTrace(MainWindow& window, const QString& store, RunNumber run)
{
    window.tell(MainWindow::tr("Reading the trace of run %1…").arg(static_cast<qlonglong>(run)));
    inBackground(&window, [&window, store, run]() -> std::function<void()> {
        Result<StoredTrace> loaded = loadStoredTrace(store.toStdString(), run);
        if (!loaded)
            return [&window, why = coreSentence(loaded.error().message)] { window.refuse(why); };
        const QString title = loaded->title.empty()
                                  ? MainWindow::tr("run %1").arg(static_cast<qlonglong>(run))
                                  : text(loaded->title);
        const auto shown = std::make_shared<ShownActivity>(
            std::move(loaded->trace), std::move(loaded->lanes), std::move(loaded->pairs));
        return [&window, shown, title] {
            openActivity(window, shown, title);
            window.tell(QString());
        };
    });
}

} // namespace pw::ui
