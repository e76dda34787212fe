// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// What the room does in the level: what is ready, help, the demonstration.
#include "core/edit/compose.h"
#include "core/lesson/field.h"
#include "core/lesson/layers.h"
#include "core/lesson/play.h"
#include "core/lesson/toggle.h"
#include "ui/core_sentences.h"
#include "ui/core_words.h"
#include "ui/document/background.h"
#include "ui/document/exercise.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/lesson/lesson_words.h"
#include "ui/plural.h"
#include "ui/window/lesson_room.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <algorithm>
#include <memory>

namespace pw::ui {

namespace {

/// The families beside a solution; who takes the course has met no more of them than it has shown.
std::vector<FieldPoint> fieldAt(const Lesson& lesson, int at, bool course)
{
    const auto step = static_cast<std::size_t>(at);
    std::vector<FieldPoint> field = familyField(*lesson.steps[step].level);
    if (course)
        keepFamilies(field, familiesMetInCourse(lesson, step));
    return field;
}

} // namespace

void LessonRoom::showReady()
{
    if (!m_page)
        return;
    m_ready.clear();
    const LessonLevel* now = level();
    const bool all = m_panel->readyShown();
    if (now != nullptr && (all || m_hinted))
        m_ready = readyPasses(*now, m_page->document().project());
    if (!all)
        m_ready.erase(std::remove_if(m_ready.begin(), m_ready.end(),
                                     [this](const ReadyPass& one) { return one.pass != m_hinted; }),
                      m_ready.end());
    ReadyLayer layer;
    const EntryLooks looks(m_page->document().draft().spec);
    for (const ReadyPass& ready : m_ready)
        layer.ready.push_back({ready.device,
                               ready.start,
                               ready.end,
                               looks.look({ready.pass, {}, false}),
                               ready.pass,
                               {}});
    m_page->timeline().setLayer(std::move(layer));
}

/// The solution among the families, worked out beside the window.
void LessonRoom::showField(const Standing& standing)
{
    const LessonLevel* now = level();
    if (!standing.solved() || now->freedom == Freedom::Block)
        return m_panel->setField({}, {});
    const FieldPoint own{{}, MainWindow::tr("you").toStdString(), standing.makespan, standing.peak};
    inBackground(this,
                 [this, now, own, lesson = std::make_shared<const Lesson>(m_lesson), step = m_step,
                  course = place().lesson > 0]() -> std::function<void()> {
                     return [this, now, own, field = fieldAt(*lesson, step, course)] {
                         if (level() == now)
                             m_panel->setField(field, own);
                     };
                 });
}

void LessonRoom::toggleReady()
{
    m_panel->toggleReady();
}

void LessonRoom::placeReady(int place)
{
    if (!m_page || place < 0 || place >= static_cast<int>(m_ready.size()))
        return;
    const ReadyPass ready = m_ready[static_cast<std::size_t>(place)];
    ScheduleDocument& document = m_page->document();
    const QString what = passText(ready.pass, document.draft().spec);
    const auto done = document.edit(pw::placeReady(document.project(), ready),
                                    MainWindow::tr("Place %1").arg(what));
    if (done)
        m_window.tell(MainWindow::tr("%1 on device %2.").arg(what).arg(ready.device));
    else
        m_window.refuse(coreSentence(done.error().message));
}

void LessonRoom::placeFirst()
{
    m_ready = readyPasses(*level(), m_page->document().project());
    if (m_ready.empty())
        m_window.refuse(MainWindow::tr("No pass can come next."));
    else
        placeReady(0);
}

void LessonRoom::complete(int microBatch)
{
    take(completeMicroBatch(*level(), m_page->document().project(), microBatch));
}

void LessonRoom::runUntilChoice()
{
    if (whyNoOrder().isEmpty())
        take(pw::runUntilChoice(*level(), m_page->document().project()));
}

/// Does what was worked out, as one step that undo takes back.
void LessonRoom::take(const ReadyRun& run)
{
    const QString passes = plural(run.passes, Noun::Pass);
    const QString why = readyWords(run, m_page->document().draft().spec);
    if (run.passes > 0) {
        const auto done = m_page->document().edit(run.edit, MainWindow::tr("Place %1").arg(passes));
        if (!done)
            return m_window.refuse(coreSentence(done.error().message));
    }
    m_window.showPage(m_page);
    m_window.tell(run.passes > 0 ? MainWindow::tr("Placed: %1. %2").arg(passes, why) : why);
}

/// One of the schedules of the level, as a step that undo takes back.
void LessonRoom::choose(int choice)
{
    const LessonLevel* now = level();
    if (now == nullptr || !m_page || choice < 0 || choice >= static_cast<int>(now->choices.size()))
        return;
    const FamilyChoice& chosen = now->choices[static_cast<std::size_t>(choice)];
    const auto filled = fillWithChoice(*now, m_page->document().project(), chosen);
    doEdit(filled ? Result<Edit>(filled->edit) : Result<Edit>(fail(filled.error())),
           choiceWords(chosen));
}

/// The solution of the level that was kept, if it still is one.
void LessonRoom::showKept()
{
    const auto kept = m_progress.solution(m_lesson.id, levelNumber());
    if (!kept || m_practice || !checkShape(*level(), *kept))
        return;
    if (const Standing standing = standingOf(*level(), *kept); standing.solved())
        m_panel->setKept(standing);
}

/// Back to it; to look at it is no try.
void LessonRoom::restore()
{
    auto kept = m_progress.solution(m_lesson.id, levelNumber());
    if (level() == nullptr || !m_page || !kept)
        return;
    startLevel();
    m_attempt.settle(standingOf(*level(), *kept));
    m_page->document().reset(std::move(*kept));
    setExercise(m_page->document(), true);
    judge();
}

void LessonRoom::moveLayer(int from, int to)
{
    if (level() != nullptr && m_page)
        doEdit(pw::moveLayer(*level(), m_page->document().project(), from, to),
               MainWindow::tr("Move a layer"));
}

/// Another answer for the pass that was double-clicked.
void LessonRoom::toggle(const Pass& pass)
{
    doEdit(pw::toggle(*level(), m_page->document().project(), pass),
           passText(pass, m_page->document().draft().spec));
}

/// Does an edit as one step that undo takes back, or says why not.
void LessonRoom::doEdit(const Result<Edit>& edit, const QString& name)
{
    const auto done =
        edit ? m_page->document().edit(*edit, name) : Result<void>(fail(edit.error()));
    if (!done)
        m_window.refuse(coreSentence(done.error().message));
    m_window.showPage(m_page);
}

void LessonRoom::help(int stage)
{
    m_attempt.addHint();
    if (const LessonLevel* now = level(); now != nullptr && stage == 2) {
        m_hinted = hintedPass(*now);
        showReady();
    }
    if (const LessonLevel* now = level(); now != nullptr && stage == 3)
        play(now->hints.steps);
}

/// Begins anew and does the first acts of the demonstration; −1: all.
void LessonRoom::play(int acts)
{
    const LessonLevel* now = level();
    if (now == nullptr)
        return;
    startLevel();
    m_act = 0;
    const auto all = static_cast<int>(now->demonstration.size());
    m_acts = acts < 0 ? all : std::min(acts, all);
    m_playing = true;
    // What is shown whole is not a solution of the person's own, until the level begins anew.
    if (m_acts == all)
        m_attempt.show();
    m_timer.start(0);
}

void LessonRoom::playNext()
{
    constexpr int slowest = 400;   // milliseconds between two acts
    constexpr int longest = 8'000; // of a whole demonstration
    const LessonLevel* now = level();
    if (now == nullptr || !m_page || m_act >= m_acts) {
        m_playing = false;
        return;
    }
    ScheduleDocument& document = m_page->document();
    const LessonAct& act = now->demonstration[static_cast<std::size_t>(m_act++)];
    const auto edit = editOf(*now, document.project(), act);
    const auto done = edit ? document.edit(*edit, actWords(act)) : Result<void>(fail(edit.error()));
    if (!done) {
        m_playing = false;
        m_window.refuse(coreSentence(done.error().message));
        return;
    }
    m_window.tell(actWords(act));
    m_timer.start(std::min(slowest, longest / std::max(1, m_acts)));
}

} // namespace pw::ui
