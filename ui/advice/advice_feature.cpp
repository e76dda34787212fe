// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/advise/advice_source.h"
#include "core/store/stored_advice.h"
#include "ui/advice/advice_page.h"
#include "ui/compare/stacked_timelines.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/runs/run_history.h"
#include "ui/window/commands.h"
#include "ui/window/comparisons.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/run_page.h"
#include "ui/window/schedule_page.h"
#include "ui/window/studio.h"

namespace pw::ui {

namespace {

std::function<void()> sourceAnswer(AdvicePage* page, Result<AdviceSource> source,
                                   ComparedPtr before)
{
    if (!source)
        return [page, why = coreSentence(source.error().message)] { page->setProblem(why); };
    return [page, shared = std::make_shared<const AdviceSource>(std::move(*source)),
            before = std::move(before)] { page->setSource(shared, before); };
}

void beginWithRun(RunHistory& history, AdvicePage* page, const RunPage& run)
{
    const ComparedPtr before = comparedRun(*run.shown());
    history.readFrom(run.store(), page,
                     [page, before, number = run.run()](Result<RunStore>& store) {
                         return sourceAnswer(page,
                                             store ? adviceSource(*store, number)
                                                   : Result<AdviceSource>(fail(store.error())),
                                             before);
                     });
    constexpr std::size_t most = 20; // the newest ones
    std::size_t listed = 0;
    for (const StoredRun& one : history.runs())
        if (one.number != run.run() && listed < most) {
            page->addAfter(one.number, runTitle(one));
            ++listed;
        }
    QObject::connect(page, &AdvicePage::afterAsked, page,
                     [&history, page, path = run.store()](qint64 number) {
                         history.readFrom(path, page, [page, number](Result<RunStore>& store) {
                             auto after = std::make_shared<Result<AdviceSource>>(
                                 store ? adviceSource(*store, number)
                                       : Result<AdviceSource>(fail(store.error())));
                             return [page, after] { page->setAfter(*after); };
                         });
                     });
}

void beginWithSchedule(AdvicePage* page, const ScheduleDocument& document)
{
    const ComparedPtr before = comparedSchedule(document, document.title());
    inBackground(page, [page, project = document.project(), before]() -> std::function<void()> {
        return sourceAnswer(page, adviceSource(project, before->title.toStdString()), before);
    });
}

void openAdvice(const Studio& studio)
{
    MainWindow& window = studio.window;
    auto* page = new AdvicePage(window.titleOf(*window.page()));
    QObject::connect(page, &AdvicePage::openAsked, &window,
                     [&window](const Project& made) { window.openProject(made); });
    QObject::connect(&page->comparison(), &StackedTimelines::keepRequested, page,
                     [&window, page] { keepComparison(window, page->comparison()); });
    if (const auto* run = qobject_cast<RunPage*>(window.page()); run != nullptr)
        beginWithRun(studio.history, page, *run);
    else
        beginWithSchedule(page, window.schedulePage()->document());
    window.addPage(page);
}

} // namespace

void addAdvice(Studio& studio)
{
    MainWindow& window = studio.window;
    window.commands().add(
        {.id = QStringLiteral("schedule.advice"),
         .menu = Menu::Schedule,
         .text = MainWindow::tr("&Advice…"),
         .keys = QKeySequence(MainWindow::tr("Ctrl+Shift+A")),
         .tip = MainWindow::tr("Says why a step of the run or the schedule in front takes so long, "
                               "and what would make it shorter."),
         .group = 15,
         .whyNot = [&window] { return whyNothingInFront(window); }},
        &window, [&studio] { openAdvice(studio); });
}

} // namespace pw::ui
