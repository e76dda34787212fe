// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/comparisons.h"

#include "core/families/default_family.h"
#include "core/store/stored_job.h"
#include "ui/alternatives/alternatives_page.h"
#include "ui/alternatives/what_if_rows.h"
#include "ui/compare/compare_dialog.h"
#include "ui/compare/kept_comparison.h"
#include "ui/compare/stacked_timelines.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/timeline/value_text.h"
#include "ui/window/main_window.h"
#include "ui/window/run_page.h"
#include "ui/window/schedule_page.h"
#include "ui/window/studio.h"

#include <QJsonDocument>
#include <QJsonObject>
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

/// The order and the costs of a run as a project, for the shape that families are asked for.
Project projectOfRun(const RunTimeline& run)
{
    Project project;
    project.draft = draftOf(*run.schedule);
    project.costs = run.costs;
    return project;
}

QString whyNoSchedule(const ScheduleDocument& document)
{
    return document.schedule() != nullptr ? QString()
           : document.problem().isEmpty() ? Comparisons::tr("it is not finished")
                                          : document.problem();
}

/// What passes took in all iterations of a run that count; null where they are too many to be read
/// for a chart, or cannot be read: the iteration that is shown stands for them then.
/// What a run is alike in with others that differ by their seed alone.
QString trainedWith(const RunDetails& run)
{
    QJsonObject settings =
        QJsonDocument::fromJson(QByteArray::fromStdString(run.settings)).object();
    settings.remove(QStringLiteral("seed"));
    settings.remove(QStringLiteral("patience_ns")); // as busy as the machine was
    return text(run.run.family) + QLatin1Char(' ') +
           QString::fromUtf8(QJsonDocument(settings).toJson(QJsonDocument::Compact));
}

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
    found->losses = store.losses(run.run.number).value_or(std::vector<StepLoss>());
    found->training = trainedWith(run);
    return iterations.empty() ? nullptr : found;
}

/// Reads them beside the window's work, for a row that shows the run.
void readLengths(AlternativesPage& into, int id, const QString& store, RunNumber run)
{
    inBackground(&into, [&into, id, store, run]() -> std::function<void()> {
        Result<RunStore> opened = RunStore::openToRead(store.toStdString());
        const Result<RunDetails> details = opened ? opened->run(run) : fail(opened.error());
        const RunLengthsPtr lengths = details ? runLengths(*opened, *details) : nullptr;
        return [&into, id, lengths] { into.setLengths(id, lengths); };
    });
}

} // namespace

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

void keepComparison(MainWindow& window, const StackedTimelines& shown)
{
    Result<NewAnswer> answer = shown.answer();
    if (answer)
        window.studio().history.keep(std::move(*answer));
    else
        window.refuse(coreSentence(answer.error().message));
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

/// A page to be filled with what is compared.
AlternativesPage* Comparisons::begin()
{
    return new AlternativesPage(projectOf(defaultFamily, FamilyOptions{}, UniformCosts{}),
                                tr("equal stages"), AlternativesPage::Tab::SideBySide);
}

AlternativesPage* Comparisons::open(AlternativesPage* page)
{
    MainWindow* window = &m_window;
    connect(page, &AlternativesPage::keepRequested, this,
            [window, page] { keepComparison(*window, page->pictures()); });
    connect(page, &AlternativesPage::addRequested, this, [this, page] { ask(page); });
    connect(page, &AlternativesPage::openRequested, window,
            [window](const Project& project) { window->openProject(project); });
    connect(page, &AlternativesPage::runRequested, window,
            [window](qint64 run) { window->studio().openRun(run); });
    connect(page, &AlternativesPage::pageRequested, window, &MainWindow::showPage);
    connect(page, &AlternativesPage::refused, window, &MainWindow::refuse);
    m_window.addPage(page);
    return page;
}

bool Comparisons::reopen(const StoredAnswer& kept)
{
    const Result<std::vector<KeptRow>> rows = keptRows(kept.data);
    if (!rows)
        return false;
    AlternativesPage* page = begin();
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
    AlternativesPage* page = begin();
    const int plan =
        page->add(tr("plan of run %1").arg(static_cast<qlonglong>(run)), AlternativeKind::Plan);
    const int measured =
        page->add(tr("run %1").arg(static_cast<qlonglong>(run)), AlternativeKind::Run);
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
                    project = projectOfRun(**loaded),
                    lengths = runLengths(*store, (*loaded)->details)] {
                page->set(plan, one);
                page->set(measured, two);
                page->setLengths(measured, lengths);
                page->setProject(project);
            };
        });
}

void Comparisons::compareWithPlan(const RunPage& shown)
{
    if (shown.shown() == nullptr)
        return;
    AlternativesPage* page = begin();
    page->set(page->add({}, AlternativeKind::Plan), comparedPlan(*shown.shown()));
    const int measured = page->add({}, AlternativeKind::Run);
    page->setProject(projectOfRun(*shown.shown()));
    page->set(measured, comparedRun(*shown.shown(), shown.records().get()));
    readLengths(*page, measured, shown.store(), shown.run());
    open(page);
}

void Comparisons::addRun(AlternativesPage& into, RunNumber run, const QString& title,
                         std::optional<std::int32_t> iteration)
{
    const int id = into.add(title, AlternativeKind::Run);
    m_history.read(
        &into, [&into, id, run, iteration](Result<RunStore>& store) -> RunHistory::Answer {
            const Result<RunTimelinePtr> loaded =
                store ? loadTimeline(*store, run, iteration, true) : fail(store.error());
            if (!loaded)
                return [&into, id, why = coreSentence(loaded.error().message)] {
                    into.setProblem(id, why);
                };
            return [&into, id, one = comparedRun(**loaded), project = projectOfRun(**loaded),
                    lengths = runLengths(*store, (*loaded)->details)] {
                into.set(id, one);
                into.setLengths(id, lengths);
                into.setProject(project);
            };
        });
}

void Comparisons::compareRuns(const std::vector<RunNumber>& runs)
{
    AlternativesPage* page = begin();
    for (const RunNumber run : runs) {
        const StoredRun* known = m_history.run(run);
        addRun(*page, run,
               known != nullptr ? runTitle(*known) : tr("run %1").arg(static_cast<qlonglong>(run)));
    }
    open(page);
}

void Comparisons::followSchedule(AlternativesPage& into, int id, SchedulePage& page)
{
    const auto take = [this, &into, id, shown = &page] {
        const ScheduleDocument& document = shown->document();
        if (const ComparedPtr now = comparedSchedule(document, m_window.titleOf(*shown)))
            into.set(id, now);
        else
            into.setProblem(id, whyNoSchedule(document));
    };
    take();
    connect(&page.document(), &ScheduleDocument::resultChanged, &into, take);
}

/// Adds what a page shows, and follows it while both are open. @return  the id of its row
int Comparisons::addPage(AlternativesPage& into, Page* page)
{
    auto* schedule = qobject_cast<SchedulePage*>(page);
    auto* run = qobject_cast<RunPage*>(page);
    const int id = into.add(m_window.titleOf(*page),
                            run != nullptr ? AlternativeKind::Run : AlternativeKind::Schedule);
    into.setOrigin(id, page);
    if (schedule != nullptr) {
        followSchedule(into, id, *schedule);
        into.setImprover(m_window.studio().improver, &schedule->document());
    } else if (run != nullptr) {
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
    return id;
}

/// What-ifs begin with what is in front.
void Comparisons::giveBase(AlternativesPage& page, Page& front)
{
    const auto answer = [&page](Result<WhatIfBase> base,
                                ComparedPtr before) -> std::function<void()> {
        if (!base)
            return [&page, why = coreSentence(base.error().message)] {
                page.whatIfRows().setProblem(why);
            };
        return [&page, shared = std::make_shared<const WhatIfBase>(std::move(*base)),
                before = std::move(before)] { page.whatIfRows().setBase(shared, before); };
    };
    if (const auto* run = qobject_cast<RunPage*>(&front); run != nullptr && run->shown() != nullptr)
        page.whatIfRows().whenWanted([this, &page, answer, before = comparedRun(*run->shown()),
                                      store = run->store(), number = run->run()] {
            m_history.readFrom(store, &page, [answer, before, number](Result<RunStore>& opened) {
                return answer(opened ? replicaWhatIfBase(*opened, number)
                                     : Result<WhatIfBase>(fail(opened.error())),
                              before);
            });
        });
    else if (const auto* schedule = qobject_cast<SchedulePage*>(&front); schedule != nullptr)
        page.whatIfRows().whenWanted([&page, answer, document = QPointer(&schedule->document())] {
            if (document == nullptr || document->schedule() == nullptr)
                return page.whatIfRows().setProblem(tr("The schedule is not whole."));
            inBackground(&page, [answer, project = document->project(),
                                 before = comparedSchedule(*document, document->title())] {
                return answer(whatIfBase(project), before);
            });
        });
}

void Comparisons::openAlternatives(AlternativesTab tab)
{
    Page* front = m_window.page();
    const auto* run = qobject_cast<RunPage*>(front);
    SchedulePage* schedule = m_window.schedulePage();
    Project project = projectOf(defaultFamily, FamilyOptions{}, UniformCosts{});
    QString name = tr("equal stages");
    if (schedule != nullptr)
        project = schedule->document().project();
    else if (run != nullptr && run->shown() != nullptr)
        project = projectOfRun(*run->shown());
    const bool any = schedule != nullptr || (run != nullptr && run->shown() != nullptr);
    if (any)
        name = m_window.titleOf(*front);
    auto* page =
        new AlternativesPage(std::move(project), name,
                             tab == AlternativesTab::WhatIf ? AlternativesPage::Tab::WhatIf
                                                            : AlternativesPage::Tab::Families);
    if (any) {
        page->whatIfRows().setBaseRow(addPage(*page, front));
        giveBase(*page, *front);
    } else {
        page->whatIfRows().whenWanted([page] {
            page->whatIfRows().setProblem(
                tr("No schedule and no run was in front when this page was opened."));
        });
    }
    open(page);
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
    AlternativesPage* page = begin();
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

void Comparisons::ask(AlternativesPage* into)
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
    connect(dialog, &QDialog::accepted, this, [this, dialog, sources, into = QPointer(into)] {
        AlternativesPage* page = into != nullptr ? into.data() : begin();
        for (const int at : dialog->chosen()) {
            const Source& source = sources[static_cast<std::size_t>(at)];
            if (source.page != nullptr)
                addPage(*page, source.page);
            else if (source.pinned != nullptr)
                page->set(page->add({}), source.pinned);
            else if (source.run != 0)
                addRun(*page, source.run, tr("run %1").arg(static_cast<qlonglong>(source.run)));
        }
        if (into == nullptr)
            open(page);
    });
    dialog->open();
}

} // namespace pw::ui
