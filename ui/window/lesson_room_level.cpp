// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// What the room does in the level: what is ready, help, the demonstration.
#include "core/edit/compose.h"
#include "core/lesson/field.h"
#include "core/lesson/play.h"
#include "core/lesson/standing.h"
#include "ui/core_sentences.h"
#include "ui/core_words.h"
#include "ui/document/background.h"
#include "ui/document/exercise.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/lesson/lesson_words.h"
#include "ui/plural.h"
#include "ui/window/lesson_room.h"
#include "ui/window/level_answers.h"
#include "ui/window/level_guess.h"
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

ReadyLayer readyLayer(const std::vector<ReadyPass>& passes, const PipelineSpec& spec)
{
    ReadyLayer layer;
    const EntryLooks looks(spec);
    for (const ReadyPass& ready : passes)
        layer.ready.push_back({ready.device,
                               ready.start,
                               ready.end,
                               looks.look({ready.pass, {}, false}),
                               ready.pass,
                               {}});
    return layer;
}

GatherLayer gatherLayer(const LessonLevel& level, const DeviceOrders& orders)
{
    GatherLayer layer;
    if (!asksForGathers(level))
        return layer;
    const std::vector<std::vector<int>> places = gatheringPlaces(orders);
    for (std::size_t device = 0; device < places.size(); ++device)
        for (const int place : places[device])
            layer.gathers.push_back({static_cast<std::int32_t>(device), place});
    return layer;
}

/// @param level  null: none
void showLayers(SchedulePage& page, const LessonLevel* level, const std::vector<ReadyPass>& ready)
{
    const Draft& draft = page.document().draft();
    page.timeline().setLayer(readyLayer(ready, draft.spec));
    page.timeline().setLayer(level == nullptr ? GatherLayer{} : gatherLayer(*level, draft.orders));
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
    showLayers(*m_page, now, m_ready);
    m_page->timeline().setLayer(guessLayer(m_lesson, m_step, m_progress));
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

LevelAnswers LessonRoom::answers()
{
    return {m_window, *m_page, *level()};
}

void LessonRoom::placeReady(int place)
{
    if (m_page && place >= 0 && place < static_cast<int>(m_ready.size()))
        answers().place(ReadyPass(m_ready[static_cast<std::size_t>(place)]));
}

void LessonRoom::placeFirst()
{
    m_ready = readyPasses(*level(), m_page->document().project());
    if (m_ready.empty())
        m_window.refuse(MainWindow::tr("No pass can come next."));
    else
        placeReady(0);
}

void LessonRoom::runUntilChoice()
{
    if (whyNoOrder().isEmpty())
        answers().runUntilChoice();
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

void LessonRoom::help(int stage)
{
    m_attempt.addHint();
    const LessonLevel* now = level();
    if (now != nullptr && stage == 2)
        m_hinted = hintedPass(*now);
    showReady();
    if (now != nullptr && stage == 3)
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
