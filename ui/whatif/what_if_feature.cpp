// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/stored_job.h"
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
    history.readFrom(run.store(), page,
                     [page, before, number = run.run()](Result<RunStore>& store) {
                         return baseAnswer(page,
                                           store ? replicaWhatIfBase(*store, number)
                                                 : Result<WhatIfBase>(fail(store.error())),
                                           before);
                     });
}

void beginWithSchedule(WhatIfPage* page, const ScheduleDocument& document)
{
    const ComparedPtr before = comparedSchedule(document, document.title());
    inBackground(page, [page, project = document.project(), before]() -> std::function<void()> {
        return baseAnswer(page, whatIfBase(project), before);
    });
}

void openWhatIf(const Studio& studio)
{
    MainWindow& window = studio.window;
    auto* page = new WhatIfPage(window.titleOf(*window.page()));
    QObject::connect(page, &WhatIfPage::openAsked, &window,
                     [&window](const Project& made) { window.openProject(made); });
    keepWhenAsked(window, page->comparison());
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
         .whyNot = [&window] { return whyNothingInFront(window); }},
        &window, [&studio] { openWhatIf(studio); });
}

} // namespace pw::ui
