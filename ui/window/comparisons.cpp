// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/comparisons.h"

#include "ui/compare/compare_dialog.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/kept_comparison.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/timeline/value_text.h"
#include "ui/window/main_window.h"
#include "ui/window/run_page.h"
#include "ui/window/schedule_page.h"
#include "ui/window/studio.h"

#include <QPointer>

#include <algorithm>
#include <memory>
#include <set>

namespace pw::ui {

namespace {

QString iterationTitle(std::int32_t iteration)
{
    return iteration < 0 ? Comparisons::tr("warm-up %1").arg(-iteration)
                         : Comparisons::tr("iteration %1").arg(iteration);
}

QString whyNoSchedule(const ScheduleDocument& document)
{
    return document.schedule() != nullptr ? QString()
           : document.problem().isEmpty() ? Comparisons::tr("it is not finished")
                                          : document.problem();
}

/// What passes took in all iterations of a run that count; null where they are too many to be read
/// for a chart, or cannot be read: the iteration that is shown stands for them then.
RunLengthsPtr runLengths(RunStore& store, const RunDetails& run)
{
    constexpr std::int64_t mostPasses = 4'000'000;
    if (run.run.passes > mostPasses)
        return nullptr;
    const Result<StoredPasses> read = store.passes({run.run.number});
    if (!read)
        return nullptr;
    auto found = std::make_shared<RunLengths>();
    std::set<std::int32_t> iterations;
    for (const RecordedPass& pass : read->passes) {
        if (pass.iteration < 0) // warm-up
            continue;
        found->lengths[pass.pass.kind].push_back(pass.end - pass.start);
        iterations.insert(pass.iteration);
    }
    found->iterations = static_cast<std::int64_t>(iterations.size());
    return iterations.empty() ? nullptr : found;
}

/// Reads them beside the window's work, for a row that shows the run.
void readLengths(ComparePage& into, int id, const QString& store, RunNumber run)
{
    inBackground(&into, [&into, id, store, run]() -> std::function<void()> {
        Result<RunStore> opened = RunStore::openToRead(store.toStdString());
        const Result<RunDetails> details = opened ? opened->run(run) : fail(opened.error());
        const RunLengthsPtr lengths = details ? runLengths(*opened, *details) : nullptr;
        return [&into, id, lengths] { into.setLengths(id, lengths); };
    });
}

} // namespace

ComparedPtr comparedSchedule(const ScheduleDocument& document, const QString& title)
{
    if (document.schedule() == nullptr)
        return nullptr;
    auto compared = std::make_shared<Compared>();
    compared->title = title;
    compared->schedule = document.schedule();
    compared->times = document.result();
    compared->lanes = document.lanes();
    compared->memory = wholePeak(*compared->schedule, document.costs(), compared->times);
    compared->costs = std::make_shared<const Costs>(document.costs());
    return compared;
}

QString whyNothingInFront(const MainWindow& window)
{
    if (const auto* run = qobject_cast<RunPage*>(window.page()); run != nullptr)
        return run->shown() != nullptr ? QString() : MainWindow::tr("The run is not there yet.");
    const SchedulePage* page = window.schedulePage();
    if (page == nullptr)
        return MainWindow::tr("No schedule and no run is in front.");
    const ScheduleDocument& document = page->document();
    if (document.schedule() == nullptr)
        return document.problem().isEmpty() ? MainWindow::tr("The schedule is empty.")
                                            : document.problem();
    return {};
}

void keepWhenAsked(MainWindow& window, const ComparePage& page)
{
    QObject::connect(&page, &ComparePage::keepAsked, &page, [&window, &page] {
        Result<NewAnswer> answer = page.answer();
        if (answer)
            window.studio().history.keep(std::move(*answer));
        else
            window.refuse(coreSentence(answer.error().message));
    });
}

ComparedPtr comparedRun(const RunTimeline& run, const RunRecords* records)
{
    auto compared = std::make_shared<Compared>();
    compared->title = run.title();
    compared->about = iterationTitle(run.iteration);
    compared->schedule = run.schedule;
    compared->times = run.measured;
    compared->memory = run.memory;
    compared->run = run.details.run.number;
    compared->iteration = run.iteration;
    if (records != nullptr)
        for (std::size_t rank = 0; rank < records->memory.size(); ++rank) {
            for (const MemorySample& sample : records->memory[rank]) {
                Bytes& peak = compared->times.devices[rank].peakActivation;
                peak = std::max(peak, sample.activation());
            }
            if (const WholePeak own = wholePeak(records->memory[rank]);
                own.total > compared->memory.total)
                compared->memory = own;
        }
    compared->lanes = run.lanes;
    return compared;
}

ComparedPtr comparedPlan(const RunTimeline& run)
{
    auto compared = std::make_shared<Compared>();
    compared->title =
        Comparisons::tr("plan of run %1").arg(static_cast<qlonglong>(run.details.run.number));
    compared->about = Comparisons::tr("predicted");
    compared->schedule = run.schedule;
    compared->times = run.predicted;
    compared->lanes = lanesOf(run.schedule, run.predicted);
    compared->memory = wholePeak(*run.schedule, run.costs, run.predicted);
    compared->costs = std::make_shared<const Costs>(run.costs);
    return compared;
}

Comparisons::Comparisons(MainWindow& window, RunHistory& history)
    : QObject(&window)
    , m_window(window)
    , m_history(history)
{
}

ComparePage* Comparisons::open(ComparePage* page)
{
    keepWhenAsked(m_window, *page);
    m_window.addPage(page);
    return page;
}

bool Comparisons::reopen(const StoredAnswer& kept)
{
    const Result<std::vector<KeptRow>> rows = keptRows(kept.data);
    if (!rows)
        return false;
    auto* page = new ComparePage;
    for (const KeptRow& row : *rows) {
        if (row.run > 0) {
            addRun(*page, row.run, row.title, row.iteration);
            continue;
        }
        const int id = page->add(row.title);
        if (!row.refusal.isEmpty()) {
            page->setProblem(id, row.refusal);
            continue;
        }
        inBackground(page, [page, id, row]() -> std::function<void()> {
            const Result<ComparedPtr> made = comparedProject(row.title, row.project);
            if (!made)
                return [page, id, why = coreSentence(made.error().message)] {
                    page->setProblem(id, why);
                };
            return [page, id, timeline = *made] { page->set(id, timeline); };
        });
    }
    open(page);
    return true;
}

void Comparisons::compareWithPlan(RunNumber run)
{
    auto* page = new ComparePage;
    const int plan = page->add(tr("plan of run %1").arg(static_cast<qlonglong>(run)));
    const int measured = page->add(tr("run %1").arg(static_cast<qlonglong>(run)));
    open(page);
    m_history.read(
        page, [page, plan, measured, run](Result<RunStore>& store) -> RunHistory::Answer {
            const Result<RunTimelinePtr> loaded =
                store ? loadTimeline(*store, run, {}, true) : fail(store.error());
            if (!loaded)
                return [page, plan, measured, why = coreSentence(loaded.error().message)] {
                    page->setProblem(plan, why);
                    page->setProblem(measured, why);
                };
            return [page, plan, measured, one = comparedPlan(**loaded), two = comparedRun(**loaded),
                    lengths = runLengths(*store, (*loaded)->details)] {
                page->set(plan, one);
                page->set(measured, two);
                page->setLengths(measured, lengths);
            };
        });
}

void Comparisons::compareWithPlan(const RunPage& shown)
{
    if (shown.shown() == nullptr)
        return;
    auto* page = new ComparePage;
    page->set(page->add({}), comparedPlan(*shown.shown()));
    const int measured = page->add({});
    page->set(measured, comparedRun(*shown.shown(), shown.records().get()));
    readLengths(*page, measured, shown.store(), shown.run());
    open(page);
}

void Comparisons::addRun(ComparePage& into, RunNumber run, const QString& title,
                         std::optional<std::int32_t> iteration)
{
    const int id = into.add(title);
    m_history.read(&into,
                   [&into, id, run, iteration](Result<RunStore>& store) -> RunHistory::Answer {
                       const Result<RunTimelinePtr> loaded =
                           store ? loadTimeline(*store, run, iteration, true) : fail(store.error());
                       if (!loaded)
                           return [&into, id, why = coreSentence(loaded.error().message)] {
                               into.setProblem(id, why);
                           };
                       return [&into, id, one = comparedRun(**loaded),
                               lengths = runLengths(*store, (*loaded)->details)] {
                           into.set(id, one);
                           into.setLengths(id, lengths);
                       };
                   });
}

void Comparisons::compareRuns(const std::vector<RunNumber>& runs)
{
    auto* page = new ComparePage;
    for (const RunNumber run : runs) {
        const StoredRun* known = m_history.run(run);
        addRun(*page, run,
               known != nullptr ? runTitle(*known) : tr("run %1").arg(static_cast<qlonglong>(run)));
    }
    open(page);
}

/// Adds what a page shows, and follows it while both are open.
void Comparisons::addPage(ComparePage& into, Page* page)
{
    const int id = into.add(m_window.titleOf(*page));
    if (auto* schedule = qobject_cast<SchedulePage*>(page)) {
        const auto take = [this, &into, id, schedule] {
            const ScheduleDocument& document = schedule->document();
            if (const ComparedPtr now = comparedSchedule(document, m_window.titleOf(*schedule)))
                into.set(id, now);
            else
                into.setProblem(id, whyNoSchedule(document));
        };
        take();
        connect(&schedule->document(), &ScheduleDocument::resultChanged, &into, take);
    } else if (auto* run = qobject_cast<RunPage*>(page)) {
        const auto take = [&into, id, run] {
            if (run->shown() != nullptr) {
                into.set(id, comparedRun(*run->shown(), run->records().get()));
                readLengths(into, id, run->store(), run->run());
            } else if (!run->problem().isEmpty()) {
                into.setProblem(id, run->problem());
            }
        };
        take();
        // Another iteration too, and what comes behind it.
        connect(run, &RunPage::figuresChanged, &into, take);
    }
}

void Comparisons::compareWithBefore(SchedulePage& shown)
{
    const std::shared_ptr<const Moment>& before = shown.document().identity().before;
    if (before == nullptr)
        return;
    auto then = std::make_shared<Compared>();
    then->title = before->title;
    then->about = tr("before");
    then->schedule = before->schedule;
    then->times = before->times;
    then->lanes = before->lanes;
    then->memory = wholePeak(*before->schedule, before->costs, before->times);
    then->costs = std::make_shared<const Costs>(before->costs);
    auto* page = new ComparePage;
    page->set(page->add(before->title), then);
    addPage(*page, &shown);
    open(page);
}

void Comparisons::pin(const SchedulePage& page)
{
    const ComparedPtr now = comparedSchedule(page.document(), m_window.titleOf(page));
    if (now == nullptr)
        return;
    auto pinned = std::make_shared<Compared>(*now);
    pinned->about = tr("pinned");
    m_pinned = std::move(pinned);
}

void Comparisons::ask()
{
    struct Source
    {
        QPointer<Page> page;
        ComparedPtr pinned;
        RunNumber run = 0;
    };
    std::vector<CompareChoice> choices;
    std::vector<Source> sources;
    for (Page* page : m_window.pages()) {
        const auto* schedule = qobject_cast<SchedulePage*>(page);
        const auto* run = qobject_cast<RunPage*>(page);
        if (schedule == nullptr && run == nullptr)
            continue;
        choices.push_back(
            {tr("Open"),
             m_window.titleOf(*page),
             {},
             schedule != nullptr ? whyNoSchedule(schedule->document()) : run->problem(),
             page == m_window.page()});
        sources.push_back({page, nullptr, 0});
    }
    if (m_pinned != nullptr) {
        choices.push_back({tr("Pinned"), m_pinned->title, m_pinned->about, {}, false});
        sources.push_back({nullptr, m_pinned, 0});
    }
    for (const StoredRun& run : m_history.runs()) {
        const QString when =
            whenText(QDateTime::fromMSecsSinceEpoch(run.startedMs), QDateTime::currentDateTime());
        choices.push_back({tr("Runs"), runTitle(run),
                           text(run.environment.backend) + QStringLiteral(", ") + when,
                           run.passes > 0 ? QString() : tr("it has no pass"), false});
        sources.push_back({nullptr, nullptr, run.number});
    }
    auto* dialog = new CompareDialog(choices, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, sources] {
        auto* page = new ComparePage;
        for (const int at : dialog->chosen()) {
            const Source& source = sources[static_cast<std::size_t>(at)];
            if (source.page != nullptr)
                addPage(*page, source.page);
            else if (source.pinned != nullptr)
                page->set(page->add({}), source.pinned);
            else if (source.run != 0)
                addRun(*page, source.run, tr("run %1").arg(static_cast<qlonglong>(source.run)));
        }
        open(page);
    });
    dialog->open();
}

} // namespace pw::ui
