// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/level_room.h"

#include "core/edit/compose.h"
#include "core/lesson/field.h"
#include "core/lesson/layers.h"
#include "core/lesson/play.h"
#include "core/lesson/standing.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/document/exercise.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/lesson/lesson_progress.h"
#include "ui/window/bench_page.h"
#include "ui/window/commands.h"
#include "ui/window/lesson_palette.h"
#include "ui/window/level_guess.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>

#include <algorithm>
#include <memory>
#include <utility>

namespace pw::ui {

namespace {

/// The families beside a solution; who takes the course has met no more of them than it has shown.
std::vector<FieldPoint> fieldAt(const Lesson& lesson, int at, int microBatches, bool course)
{
    const auto step = static_cast<std::size_t>(at);
    std::vector<FieldPoint> field = familyField(*lesson.steps[step].level, microBatches);
    if (course)
        keepFamilies(field, familiesMetInCourse(lesson, step));
    return field;
}

/// What devices may hold at most; none: no goal of the level says.
std::optional<Share> peakGoalOf(const LessonLevel& level)
{
    std::optional<Share> most;
    for (const LessonGoal& goal : level.goals)
        if (goal.kind == GoalKind::Peak)
            most = static_cast<Share>(goal.limit);
    return most;
}

} // namespace

LevelRoom::LevelRoom(const Desk& desk)
    : m_desk(desk)
    , m_demonstration(desk.window)
{
    connectPanel();
}

void LevelRoom::connectPanel()
{
    LessonPanel* panel = &m_desk.panel;
    connect(panel, &LessonPanel::resetAsked, this, &LevelRoom::start);
    connect(panel, &LessonPanel::playAsked, this, [this] { play(-1); });
    connect(panel, &LessonPanel::hintAsked, this, &LevelRoom::help);
    connect(panel, &LessonPanel::readyToggled, this, &LevelRoom::showLayers);
    connect(panel, &LessonPanel::choiceAsked, this, [this](int choice) {
        if (project() != nullptr)
            answers().choose(choice);
    });
    connect(panel, &LessonPanel::solutionAsked, this, &LevelRoom::restore);
    connect(panel, &LessonPanel::layerAsked, this, [this](int from, int to) {
        if (project() != nullptr)
            answers().moveLayer(from, to);
    });
    connect(panel, &LessonPanel::benchAsked, this, &LevelRoom::openBench);
}

const Project* LevelRoom::project() const
{
    return level() != nullptr && m_page ? &m_page->document().project() : nullptr;
}

/// So does the bench that it is worked on.
bool LevelRoom::isHome(const Page* page) const
{
    const bool bench = level() != nullptr && level()->freedom == Freedom::Block &&
                       qobject_cast<const BenchPage*>(page) != nullptr;
    return bench || (m_page && page == m_page);
}

// The page of the level

/// The level has to be in front: the bench works for what is.
void LevelRoom::openBench()
{
    if (!m_page)
        return;
    m_desk.window.showPage(m_page);
    if (QAction* bench = m_desk.window.commands().action(QStringLiteral("schedule.bench")))
        bench->trigger();
}

void LevelRoom::openPage(Project project)
{
    if (m_page) {
        m_page->document().reset(std::move(project));
        m_desk.window.showPage(m_page);
        return;
    }
    m_page = &m_desk.window.openProject(std::move(project));
    m_desk.window.noteLevel();
    connect(&m_page->document(), &ScheduleDocument::resultChanged, this, &LevelRoom::judge);
    connect(&m_page->timeline(), &TimelineView::readyActivated, this, &LevelRoom::placeReady);
    connect(&m_page->timeline(), &TimelineView::activated, this, [this](SpanRef span) {
        if (level() == nullptr || !m_page->document().lanes()->holds(span))
            return;
        // The lesson's dock may be hidden; then passes are no answers in order.
        const bool orders = m_desk.panel.isVisible() && level()->freedom == Freedom::Order;
        answers().answer(m_page->document().lanes()->pass(span), orders);
    });
}

void LevelRoom::enter()
{
    start();
    const auto left = m_unfinished.find({m_desk.lesson.id(), m_desk.lesson.step()});
    if (m_worked && left != m_unfinished.end())
        put(left->second);
}

void LevelRoom::start()
{
    m_worked = false;
    keep(m_attempt.leave());
    m_demonstration.stop();
    const LessonLevel* now = level();
    if (now == nullptr)
        return;
    Project project = now->start;
    project.title =
        MainWindow::tr("%1 · Level %2")
            .arg(text(m_desk.lesson.lesson().title.in(m_desk.panel.language().toStdString())))
            .arg(m_desk.lesson.levelNumber() + 1)
            .toStdString();
    m_attempt.begin();
    m_layers.setHinted(std::nullopt);
    m_quiet = true;
    m_desk.panel.setField({}, {});
    openPage(std::move(project));
    setExercise(m_page->document(), true);
    m_desk.palette.prepare(*m_page, *now);
    m_page->setPeakGoal(peakGoalOf(*now));
    m_quiet = false;
    m_attempt.settle(standingOf(*now, m_page->document().project()));
    judge();
    showKept();
    m_worked = true;
    // A block is drawn on the bench; the lanes of its level stay empty.
    if (now->freedom == Freedom::Block)
        openBench();
}

void LevelRoom::leave()
{
    keepUnfinished();
    m_worked = false;
    keep(m_attempt.leave());
    m_demonstration.stop();
}

/// What a demonstration has put there is nobody's work, and a solution is kept as one.
void LevelRoom::keepUnfinished()
{
    if (!m_worked || project() == nullptr || m_desk.lesson.isPractice())
        return;
    const std::pair step(m_desk.lesson.id(), m_desk.lesson.step());
    Project begun = level()->start;
    begun.title = project()->title;
    const bool own = !m_demonstration.playing() && !m_attempt.shown() && *project() != begun;
    if (own && !standingOf(*level(), *project()).solved())
        m_unfinished.insert_or_assign(step, *project());
    else
        m_unfinished.erase(step);
}

/// What was worked out before comes back: no try.
void LevelRoom::put(Project project)
{
    m_attempt.settle(standingOf(*level(), project));
    m_page->document().reset(std::move(project));
    setExercise(m_page->document(), true);
    judge();
}

void LevelRoom::judge()
{
    const LessonLevel* now = level();
    if (now == nullptr || !m_page || m_quiet)
        return;
    const Standing standing = standingOf(*now, m_page->document().project());
    m_desk.panel.setStanding(standing, m_attempt.shown());
    m_desk.panel.setChosen(chosenOf(*now, m_page->document().project()));
    if (const auto layers = layersOf(*now, m_page->document().project()))
        m_desk.panel.setLayers(*layers);
    showLayers();
    showField(standing);
    keep(m_attempt.judge(standing, m_demonstration.playing()));
}

/// The solution among the families, worked out beside the window.
void LevelRoom::showField(const Standing& standing)
{
    const LessonLevel* now = level();
    if (!standing.solved() || now->freedom == Freedom::Block)
        return m_desk.panel.setField({}, {});
    const FieldPoint own{{}, MainWindow::tr("you").toStdString(), standing.makespan, standing.peak};
    inBackground(this,
                 [this, now, own, lesson = std::make_shared<const Lesson>(m_desk.lesson.lesson()),
                  step = m_desk.lesson.step(),
                  micro = m_page->document().project().draft.spec.microBatches,
                  course = m_desk.lesson.placeInCourse() >= 0]() -> std::function<void()> {
                     return [this, now, own, field = fieldAt(*lesson, step, micro, course)] {
                         if (level() == now)
                             m_desk.panel.setField(field, own);
                     };
                 });
}

void LevelRoom::showLayers()
{
    if (!m_page)
        return;
    m_layers.show(*m_page, level(), m_desk.panel.readyShown());
    m_page->timeline().setLayer(
        guessLayer(m_desk.lesson.lesson(), m_desk.lesson.step(), m_desk.progress));
}

// What is kept

/// Says what could not be kept.
void LevelRoom::report(const Result<void>& kept)
{
    if (!kept)
        m_desk.window.refuse(coreSentence(kept.error().message));
}

/// Keeps what a level has come to.
void LevelRoom::keep(std::optional<LevelResult> result)
{
    if (!result || level() == nullptr || !m_page)
        return;
    result->lesson = m_desk.lesson.lesson().id;
    result->level = m_desk.lesson.levelNumber();
    if (const auto schedule = m_page->document().schedule();
        result->solved && schedule && level()->freedom != Freedom::Block)
        result->trick = trickOf(*schedule, m_page->document().costs());
    report(m_desk.progress.note(*result));
    if (!result->solved || m_desk.lesson.isPractice())
        return;
    // A better one that was kept before stays.
    const Project& project = m_page->document().project();
    const auto before =
        m_desk.progress.solution(m_desk.lesson.lesson().id, m_desk.lesson.levelNumber());
    if (!before || standingOf(*level(), *before).medals() <= standingOf(*level(), project).medals())
        report(m_desk.progress.keepSolution(m_desk.lesson.lesson().id, m_desk.lesson.levelNumber(),
                                            project));
    showKept();
}

/// The solution of the level that was kept, if it still is one.
void LevelRoom::showKept()
{
    const auto kept =
        m_desk.progress.solution(m_desk.lesson.lesson().id, m_desk.lesson.levelNumber());
    if (!kept || m_desk.lesson.isPractice() || !checkShape(*level(), *kept))
        return;
    if (const Standing standing = standingOf(*level(), *kept); standing.solved())
        m_desk.panel.setKept(standing);
}

/// Back to it; to look at it is no try.
void LevelRoom::restore()
{
    auto kept = m_desk.progress.solution(m_desk.lesson.lesson().id, m_desk.lesson.levelNumber());
    if (level() == nullptr || !m_page || !kept)
        return;
    start();
    put(std::move(*kept));
}

// What is done in it

void LevelRoom::placeReady(int place)
{
    if (const std::optional<ReadyPass> ready = m_layers.at(place); m_page && ready)
        answers().place(*ready);
}

void LevelRoom::placeFirst()
{
    const std::vector<ReadyPass> ready = readyPasses(*level(), m_page->document().project());
    if (ready.empty())
        m_desk.window.refuse(MainWindow::tr("No pass can come next."));
    else
        answers().place(ReadyPass(ready.front()));
}

void LevelRoom::help(int stage)
{
    m_attempt.addHint();
    const LessonLevel* now = level();
    if (now != nullptr && stage == 2)
        m_layers.setHinted(hintedPass(*now));
    showLayers();
    if (now != nullptr && stage == 3)
        play(now->hints.steps);
}

/// Begins anew and does the first acts of the demonstration; −1: all.
void LevelRoom::play(int acts)
{
    const LessonLevel* now = level();
    if (now == nullptr)
        return;
    start();
    const auto all = static_cast<int>(now->demonstration.size());
    const int shown = acts < 0 ? all : std::min(acts, all);
    // What is shown whole is not a solution of the person's own, until the level begins anew.
    if (shown == all)
        m_attempt.show();
    m_demonstration.begin(*m_page, *now, shown);
}

} // namespace pw::ui
