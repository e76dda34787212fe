// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/lesson_room.h"

#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/lesson/course.h"
#include "core/lesson/layers.h"
#include "core/lesson/practice.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/document/exercise.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/window/bench_page.h"
#include "ui/window/commands.h"
#include "ui/window/glossary_word.h"
#include "ui/window/lesson_palette.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"
#include "ui/window/studio.h"

#include <QAction>
#include <QDockWidget>
#include <QFileInfo>
#include <QSettings>

#include <algorithm>
#include <memory>

namespace pw::ui {

namespace {

QString lastLessonKey()
{
    return QStringLiteral("lessons/last");
}

QString languageKey()
{
    return QStringLiteral("lessons/language");
}

constexpr const char* practiceLead = "practice-"; ///< of the ids of levels made on the spot

QString practiceKey()
{
    return QStringLiteral("lessons/practice");
}

QString lastStepKey()
{
    return QStringLiteral("lessons/step");
}

/// Of the lessons of the program; −1: another one.
int placeOfLesson(const std::string& id)
{
    const auto all = shippedLessons();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const ShippedLesson& one) { return one.id == id; });
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

/// Says what could not be kept.
void report(MainWindow& window, const Result<void>& kept)
{
    if (!kept)
        window.refuse(coreSentence(kept.error().message));
}

} // namespace

LessonRoom::LessonRoom(Studio& studio, PalettePanel& palette)
    : QObject(&studio.window)
    , m_studio(studio)
    , m_window(studio.window)
    , m_panel(new LessonPanel(&m_window))
    , m_dock(m_window.addDock(QStringLiteral("lesson"), MainWindow::tr("Lesson"), m_panel,
                              Qt::LeftDockWidgetArea,
                              [this](const InFront& front) { return isHome(front.page); }))
    , m_palette(new LessonPalette(m_window, palette, *m_dock))
{
    m_dock->hide();
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &LessonRoom::playNext);
    if (const QString chosen = QSettings().value(languageKey()).toString(); !chosen.isEmpty())
        m_panel->setLanguage(chosen);
    connectPanel();
    // A lesson goes with its level.
    connect(&m_window, &MainWindow::pageClosing, this, [this](Page* page) {
        if (m_page.data() == page)
            m_dock->hide();
    });
    m_studio.openLesson = [this](const QString& path) { return openFile(path); };
    if (!shippedLessons().empty())
        m_progress.reach(text(shippedLessons().front().id));
}

void LessonRoom::connectPanel()
{
    connect(m_panel, &LessonPanel::backAsked, this, [this] { walk(-1); });
    connect(m_panel, &LessonPanel::nextAsked, this, [this] { walk(1); });
    connect(m_panel, &LessonPanel::skipAsked, this, [this] { walk(1); });
    connect(m_panel, &LessonPanel::resetAsked, this, &LessonRoom::startLevel);
    connect(m_panel, &LessonPanel::playAsked, this, [this] { play(-1); });
    connect(m_panel, &LessonPanel::hintAsked, this, &LessonRoom::help);
    connect(m_panel, &LessonPanel::readyToggled, this, &LessonRoom::showReady);
    connect(m_panel, &LessonPanel::runAsked, this, &LessonRoom::runUntilChoice);
    connect(m_panel, &LessonPanel::wordAsked, this,
            [this](int word) { showGlossaryWord(m_studio, word); });
    connect(m_panel, &LessonPanel::answered, this, [this](int question, int chosen, bool right) {
        report(m_window,
               m_progress.note(AnswerResult{m_lesson.id, m_step, question, chosen, right}));
        showReady();
    });
    connect(m_panel, &LessonPanel::choiceAsked, this, [this](int choice) {
        if (levelProject() != nullptr)
            answers().choose(choice);
    });
    connect(m_panel, &LessonPanel::solutionAsked, this, &LessonRoom::restore);
    connect(m_panel, &LessonPanel::layerAsked, this, [this](int from, int to) {
        if (levelProject() != nullptr)
            answers().moveLayer(from, to);
    });
    connect(m_panel, &LessonPanel::benchAsked, this, &LessonRoom::openBench);
}

/// The level has to be in front: the bench works for what is.
void LessonRoom::openBench()
{
    if (!m_page)
        return;
    m_window.showPage(m_page);
    if (QAction* bench = m_window.commands().action(QStringLiteral("schedule.bench")))
        bench->trigger();
}

/// A level has the lesson beside it, and so has the bench that it is worked on; a step without a
/// level stands beside the page that it was opened from.
bool LessonRoom::isHome(const Page* page) const
{
    const bool bench = level() != nullptr && level()->freedom == Freedom::Block &&
                       qobject_cast<const BenchPage*>(page) != nullptr;
    if (m_page)
        return page == m_page || bench;
    return !m_home || page == m_home;
}

bool LessonRoom::running() const
{
    return m_dock->isVisible() && !m_lesson.steps.empty();
}

QString LessonRoom::language() const
{
    return m_panel->language();
}

QString LessonRoom::whyNoOrder() const
{
    if (!running() || !m_page || level() == nullptr)
        return MainWindow::tr("No level is open.");
    return level()->freedom == Freedom::Order
               ? QString()
               : MainWindow::tr("The order is not what is free in this level.");
}

void LessonRoom::resume()
{
    const QString id = QSettings().value(lastLessonKey()).toString();
    const int step = QSettings().value(lastStepKey()).toInt();
    if (id.isEmpty() || !open(id, step))
        open(text(shippedLessons().front().id), 0);
}

bool LessonRoom::open(const QString& id, int step)
{
    const int place = placeOfLesson(id.toStdString());
    if (place < 0)
        return false;
    const ShippedLesson& shipped = shippedLessons()[static_cast<std::size_t>(place)];
    auto lesson = readLesson(shipped.text, std::string(shipped.id));
    if (!lesson)
        return false;
    showText(std::move(*lesson), std::string(shipped.text), step);
    return true;
}

Result<void> LessonRoom::openFile(const QString& path)
{
    const QFileInfo file(path);
    PW_TRY(std::string source, readFile(path.toStdString(), maxLessonBytes));
    PW_TRY(Lesson lesson, readLesson(source, file.completeBaseName().toStdString()));
    showText(std::move(lesson), std::move(source), 0, file.absolutePath());
    return {};
}

QString LessonRoom::fileOfNext() const
{
    return text(pw::fileOfNext(m_lesson, m_folder.toStdString()));
}

/// Where the step stands. A lesson of a file is none of the course.
LessonPlace LessonRoom::place() const
{
    const int place = m_folder.isEmpty() ? placeOfLesson(m_lesson.id) : -1;
    const bool more = m_practice || placeOfLesson(m_lesson.next) >= 0 || !fileOfNext().isEmpty();
    return {place + 1, static_cast<int>(shippedLessons().size()), m_step, more};
}

void LessonRoom::walk(int by)
{
    if (m_lesson.steps.empty())
        return;
    const int step = m_step + by;
    if (step >= 0 && step < static_cast<int>(m_lesson.steps.size()))
        return showStep(step);
    if (step > 0) {
        if (m_practice) {
            practise();
        } else if (const QString file = fileOfNext(); !file.isEmpty()) {
            if (const auto done = openFile(file); !done)
                m_window.refuse(coreSentence(done.error().message));
        } else if (!m_lesson.next.empty()) {
            open(text(m_lesson.next), 0);
        }
        return;
    }
    const int place = m_folder.isEmpty() ? placeOfLesson(m_lesson.id) : -1;
    if (place < 1)
        return;
    const ShippedLesson& before = shippedLessons()[static_cast<std::size_t>(place) - 1];
    if (const auto lesson = readLesson(before.text, std::string(before.id)))
        open(text(before.id), static_cast<int>(lesson->steps.size()) - 1);
}

void LessonRoom::forget()
{
    report(m_window, m_progress.forget());
    m_progress.reach(text(shippedLessons().front().id));
    m_window.commands().refresh();
}

void LessonRoom::practise()
{
    const auto seed = QSettings().value(practiceKey(), 1).toULongLong();
    QSettings().setValue(practiceKey(), seed + 1);
    inBackground(this, [this, seed]() -> std::function<void()> {
        const auto source = std::make_shared<Result<std::string>>(practiceLesson(seed));
        return [this, seed, source] {
            auto lesson = *source ? readLesson(**source, practiceLead + std::to_string(seed))
                                  : Result<Lesson>(fail(source->error()));
            if (!lesson)
                return m_window.refuse(coreSentence(lesson.error().message));
            showText(std::move(*lesson), **source, 0);
        };
    });
}

QString LessonRoom::whyNoLanguage() const
{
    if (!running())
        return MainWindow::tr("No lesson is open.");
    return m_lesson.title.languages.size() > 1 ? QString()
                                               : MainWindow::tr("This lesson has one language.");
}

void LessonRoom::changeLanguage()
{
    const auto& languages = m_lesson.title.languages;
    std::size_t now = 0;
    while (now < languages.size() && text(languages[now].first) != language())
        ++now;
    const auto& next = languages[(now + 1) % languages.size()].first;
    m_panel->setLanguage(text(next));
    QSettings().setValue(languageKey(), text(next));
    m_panel->showStep(m_lesson, place(), m_progress.answers(m_lesson, m_step));
    judge();
}

const LessonLevel* LessonRoom::level() const
{
    if (m_lesson.steps.empty())
        return nullptr;
    const auto& level = m_lesson.steps[static_cast<std::size_t>(m_step)].level;
    return level ? &*level : nullptr;
}

const Project* LessonRoom::levelProject() const
{
    return level() != nullptr && m_page ? &m_page->document().project() : nullptr;
}

/// Levels count from 0 through the lesson.
int LessonRoom::levelNumber() const
{
    const auto begin = m_lesson.steps.begin();
    const auto hasLevel = [](const auto& step) { return step.level.has_value(); };
    return static_cast<int>(std::count_if(begin, begin + m_step, hasLevel));
}

void LessonRoom::showText(Lesson lesson, std::string source, int step, const QString& folder)
{
    keep(m_attempt.leave());
    m_lesson = std::move(lesson);
    // The lesson before may have had more steps; whoever asks for the level from here on asks for
    // this one's.
    m_step = std::clamp(step, 0, std::max(static_cast<int>(m_lesson.steps.size()) - 1, 0));
    m_source = std::move(source);
    m_folder = folder;
    m_practice = folder.isEmpty() && m_lesson.id.rfind(practiceLead, 0) == 0;
    if (placeOfLesson(m_lesson.id) >= 0)
        m_progress.reach(text(m_lesson.id));
    m_window.commands().refresh();
    m_home = m_window.page();
    if (m_page)
        m_window.showPage(m_page);
    m_dock->show();
    m_dock->raise();
    m_palette->makeRoomSoon(false);
    showStep(m_step);
}

void LessonRoom::showStep(int step)
{
    keep(m_attempt.leave());
    m_timer.stop();
    m_step = step;
    if (m_folder.isEmpty() && placeOfLesson(m_lesson.id) >= 0) {
        QSettings().setValue(lastLessonKey(), text(m_lesson.id));
        QSettings().setValue(lastStepKey(), step);
    }
    m_panel->showStep(m_lesson, place(), m_progress.answers(m_lesson, m_step));
    if (level() != nullptr)
        startLevel();
    m_window.commands().refresh();
}

void LessonRoom::startLevel()
{
    keep(m_attempt.leave());
    m_timer.stop();
    m_playing = false;
    const LessonLevel* now = level();
    if (now == nullptr)
        return;
    Project project = now->start;
    project.title = MainWindow::tr("%1 · Level %2")
                        .arg(text(m_lesson.title.in(language().toStdString())))
                        .arg(levelNumber() + 1)
                        .toStdString();
    m_attempt.begin();
    m_hinted.reset();
    m_quiet = true;
    m_panel->setField({}, {});
    if (m_page) {
        m_page->document().reset(std::move(project));
        m_window.showPage(m_page);
    } else {
        m_page = &m_window.openProject(std::move(project));
        m_window.noteLevel();
        connect(&m_page->document(), &ScheduleDocument::resultChanged, this, &LessonRoom::judge);
        connect(&m_page->timeline(), &TimelineView::readyActivated, this, &LessonRoom::placeReady);
        connect(&m_page->timeline(), &TimelineView::activated, this, [this](SpanRef span) {
            if (level() == nullptr || !m_page->document().lanes()->holds(span))
                return;
            answers().answer(m_page->document().lanes()->pass(span), whyNoOrder().isEmpty());
        });
    }
    setExercise(m_page->document(), true);
    m_palette->prepare(*m_page, *now);
    std::optional<Share> most;
    for (const LessonGoal& goal : now->goals)
        if (goal.kind == GoalKind::Peak)
            most = static_cast<Share>(goal.limit);
    m_page->setPeakGoal(most);
    m_quiet = false;
    m_attempt.settle(standingOf(*now, m_page->document().project()));
    judge();
    showKept();
    // A block is drawn on the bench; the lanes of its level stay empty.
    if (now->freedom == Freedom::Block)
        openBench();
}

void LessonRoom::judge()
{
    const LessonLevel* now = level();
    if (now == nullptr || !m_page || m_quiet)
        return;
    const Standing standing = standingOf(*now, m_page->document().project());
    m_panel->setStanding(standing, m_attempt.shown());
    m_panel->setChosen(chosenOf(*now, m_page->document().project()));
    if (const auto layers = layersOf(*now, m_page->document().project()))
        m_panel->setLayers(*layers);
    showReady();
    showField(standing);
    keep(m_attempt.judge(standing, m_playing));
}

/// Keeps what a level has come to.
void LessonRoom::keep(std::optional<LevelResult> result)
{
    if (!result || level() == nullptr || !m_page)
        return;
    result->lesson = m_lesson.id;
    result->level = levelNumber();
    if (const auto schedule = m_page->document().schedule();
        result->solved && schedule && level()->freedom != Freedom::Block)
        result->trick = trickOf(*schedule, m_page->document().costs());
    report(m_window, m_progress.note(*result));
    if (!result->solved || m_practice)
        return;
    // A better one that was kept before stays.
    const Project& project = m_page->document().project();
    const auto before = m_progress.solution(m_lesson.id, levelNumber());
    if (!before || standingOf(*level(), *before).medals() <= standingOf(*level(), project).medals())
        report(m_window, m_progress.keepSolution(m_lesson.id, levelNumber(), project));
    showKept();
}

} // namespace pw::ui
