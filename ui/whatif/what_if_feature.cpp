// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/stored_what_if.h"
#include "ui/compare/compare_page.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/runs/run_history.h"
#include "ui/whatif/what_if_page.h"
#include "ui/window/commands.h"
#include "ui/window/comparisons.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/run_page.h"
#include "ui/window/schedule_page.h"
#include "ui/window/studio.h"

namespace pw::ui {

namespace {

using BasePtr = std::shared_ptr<const WhatIfBase>;

RunPage* runInFront(const MainWindow& window)
{
    return qobject_cast<RunPage*>(window.page());
}

QString whyNoWhatIf(const MainWindow& window)
{
    if (const RunPage* run = runInFront(window); run != nullptr)
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

/// The answer of the other thread, as the page takes it.
std::function<void()> baseAnswer(WhatIfPage* page, Result<WhatIfBase> base, ComparedPtr before)
{
    if (!base)
        return [page, why = coreSentence(base.error().message)] { page->setProblem(why); };
    return [page, shared = std::make_shared<const WhatIfBase>(std::move(*base)),
            before = std::move(before)] { page->setBase(shared, before); };
}

void beginWithRun(RunHistory& history, WhatIfPage* page, const RunPage& run)
{
    const ComparedPtr before = comparedRun(*run.shown());
    history.readFrom(
        run.store(), page, [page, before, number = run.run()](Result<RunStore>& store) {
            return baseAnswer(
                page, store ? whatIfBase(*store, number) : Result<WhatIfBase>(fail(store.error())),
                before);
        });
}

void beginWithSchedule(WhatIfPage* page, const ScheduleDocument& document)
{
    auto before = std::make_shared<Compared>();
    before->title = document.title();
    before->schedule = document.schedule();
    before->times = document.result();
    before->lanes = document.lanes();
    before->memory = wholePeak(*before->schedule, document.costs(), before->times);
    before->costs = std::make_shared<const Costs>(document.costs());
    inBackground(page,
                 [page, project = document.project(),
                  before = ComparedPtr(before)]() -> std::function<void()> {
                     return baseAnswer(page, whatIfBase(project), before);
                 });
}

void openWhatIf(const Studio& studio)
{
    MainWindow& window = studio.window;
    auto* page = new WhatIfPage(window.titleOf(*window.page()));
    QObject::connect(page, &WhatIfPage::openAsked, &window,
                     [&window](const Project& made) { window.openProject(made); });
    const ComparePage& compared = page->comparison();
    QObject::connect(&compared, &ComparePage::keepAsked, page, [&studio, &window, &compared] {
        Result<NewAnswer> answer = compared.answer();
        if (answer)
            studio.history.keep(std::move(*answer));
        else
            window.refuse(coreSentence(answer.error().message));
    });
    if (const RunPage* run = runInFront(window); run != nullptr)
        beginWithRun(studio.history, page, *run);
    else
        beginWithSchedule(page, window.schedulePage()->document());
    window.addPage(page);
}

} // namespace

void addWhatIf(Studio& studio)
{
    MainWindow& window = studio.window;
    window.commands().add(
        {.id = QStringLiteral("schedule.what-if"),
         .menu = Menu::Schedule,
         .text = MainWindow::tr("&What if…"),
         .keys = QKeySequence(MainWindow::tr("Ctrl+Shift+W")),
         .tip = MainWindow::tr("Predicts the schedule or the run in front with another link, "
                               "family, number of devices or micro-batches."),
         .group = 15,
         .whyNot = [&window] { return whyNoWhatIf(window); }},
        &window, [&studio] { openWhatIf(studio); });
}

} // namespace pw::ui
