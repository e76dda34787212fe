// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/level_answers.h"

#include "core/lesson/layers.h"
#include "core/lesson/play.h"
#include "core/lesson/toggle.h"
#include "ui/core_sentences.h"
#include "ui/core_words.h"
#include "ui/lesson/lesson_words.h"
#include "ui/plural.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

namespace pw::ui {

void LevelAnswers::place(const ReadyPass& ready)
{
    ScheduleDocument& document = m_page.document();
    const QString what = passText(ready.pass, document.draft().spec);
    const auto done =
        document.edit(placeReady(document.project(), ready), MainWindow::tr("Place %1").arg(what));
    if (done)
        m_window.tell(MainWindow::tr("%1 on device %2.").arg(what).arg(ready.device));
    else
        m_window.refuse(coreSentence(done.error().message));
}

void LevelAnswers::answer(const Pass& pass, bool ordering)
{
    if (m_level.freedom == Freedom::Offload || m_level.freedom == Freedom::Repair)
        toggle(pass);
    else if (ordering)
        take(completeMicroBatch(m_level, m_page.document().project(), pass.microBatch));
}

void LevelAnswers::runUntilChoice()
{
    take(pw::runUntilChoice(m_level, m_page.document().project()));
}

void LevelAnswers::take(const ReadyRun& run)
{
    const QString passes = plural(run.passes, Noun::Pass);
    const QString why = readyWords(run, m_page.document().draft().spec);
    if (run.passes > 0) {
        const auto done = m_page.document().edit(run.edit, MainWindow::tr("Place %1").arg(passes));
        if (!done)
            return m_window.refuse(coreSentence(done.error().message));
    }
    m_window.showPage(&m_page);
    m_window.tell(run.passes > 0 ? MainWindow::tr("Placed: %1. %2").arg(passes, why) : why);
}

void LevelAnswers::choose(int choice)
{
    if (choice < 0 || choice >= static_cast<int>(m_level.choices.size()))
        return;
    const FamilyChoice& chosen = m_level.choices[static_cast<std::size_t>(choice)];
    const auto filled = fillWithChoice(m_level, m_page.document().project(), chosen);
    doEdit(filled ? Result<Edit>(filled->edit) : Result<Edit>(fail(filled.error())),
           choiceWords(chosen));
}

void LevelAnswers::moveLayer(int from, int to)
{
    doEdit(pw::moveLayer(m_level, m_page.document().project(), from, to),
           MainWindow::tr("Move a layer"));
}

void LevelAnswers::toggle(const Pass& pass)
{
    doEdit(pw::toggle(m_level, m_page.document().project(), pass),
           passText(pass, m_page.document().draft().spec));
}

void LevelAnswers::doEdit(const Result<Edit>& edit, const QString& name)
{
    const auto done = edit ? m_page.document().edit(*edit, name) : Result<void>(fail(edit.error()));
    if (!done)
        m_window.refuse(coreSentence(done.error().message));
    m_window.showPage(&m_page);
}

} // namespace pw::ui
