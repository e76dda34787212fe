// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/lesson_room.h"

#include "core/io/file_problem.h"
#include "core/lesson/field.h"
#include "core/lesson/play.h"
#include "ui/document/background.h"
#include "ui/lesson/lesson_panel.h"
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

} // namespace

LessonRoom::LessonRoom(Studio& studio, PalettePanel& palette)
    : QObject(&studio.window)
    , m_studio(studio)
    , m_window(studio.window)
    , m_panel(new LessonPanel(&m_window))
    , m_dock(m_window.addDock(QStringLiteral("lesson"), MainWindow::tr("Lesson"), m_panel,
                              Qt::LeftDockWidgetArea))
    , m_palette(new LessonPalette(m_window, palette, *m_dock))
{
    m_dock->hide();
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &LessonRoom::playNext);
    if (const QString chosen = QSettings().value(languageKey()).toString(); !chosen.isEmpty())
        m_panel->setLanguage(chosen);
    connectPanel();
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
    connect(m_panel, &LessonPanel::benchAsked, this, [this] {
        if (m_page)
            m_window.showPage(m_page);
        if (QAction* bench = m_window.commands().action(QStringLiteral("schedule.bench")))
            bench->trigger();
    });
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

void LessonRoom::openFile(const QString& path)
{
    const auto source = readFile(path.toStdString(), maxLessonBytes);
    auto lesson = source ? readLesson(*source, QFileInfo(path).completeBaseName().toStdString())
                         : Result<Lesson>(fail(source.error()));
    if (!lesson)
        m_window.refuse(text(lesson.error().message));
    else
        showText(std::move(*lesson), *source, 0);
}

void LessonRoom::walk(int by)
{
    if (m_lesson.steps.empty())
        return;
    const int step = m_step + by;
    if (step >= 0 && step < static_cast<int>(m_lesson.steps.size()))
        return showStep(step);
    if (step > 0) {
        if (!m_lesson.next.empty())
            open(text(m_lesson.next), 0);
        return;
    }
    const int place = placeOfLesson(m_lesson.id);
    if (place < 1)
        return;
    const ShippedLesson& before = shippedLessons()[static_cast<std::size_t>(place) - 1];
    if (const auto lesson = readLesson(before.text, std::string(before.id)))
        open(text(before.id), static_cast<int>(lesson->steps.size()) - 1);
}

void LessonRoom::forget()
{
    if (const auto done = m_progress.forget(); !done)
        m_window.refuse(text(done.error().message));
    m_progress.reach(text(shippedLessons().front().id));
    m_window.commands().refresh();
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
    const int place = placeOfLesson(m_lesson.id);
    const auto lessons = static_cast<int>(shippedLessons().size());
    m_panel->showStep(m_lesson, {place < 0 ? 1 : place + 1, place < 0 ? 1 : lessons, m_step});
    if (level() != nullptr && m_page)
        judge();
}

const LessonLevel* LessonRoom::level() const
{
    if (m_lesson.steps.empty())
        return nullptr;
    const auto& level = m_lesson.steps[static_cast<std::size_t>(m_step)].level;
    return level ? &*level : nullptr;
}

/// Levels count from 0 through the lesson.
int LessonRoom::levelNumber() const
{
    int number = 0;
    for (int s = 0; s < m_step; ++s)
        number += m_lesson.steps[static_cast<std::size_t>(s)].level ? 1 : 0;
    return number;
}

void LessonRoom::showText(Lesson lesson, std::string source, int step)
{
    m_lesson = std::move(lesson);
    // The lesson before may have had more steps; whoever asks for the level from here on asks for
    // this one's.
    m_step = std::clamp(step, 0, std::max(static_cast<int>(m_lesson.steps.size()) - 1, 0));
    m_source = std::move(source);
    m_progress.reach(text(m_lesson.id));
    m_window.commands().refresh();
    m_dock->show();
    m_dock->raise();
    showStep(m_step);
}

void LessonRoom::showStep(int step)
{
    m_timer.stop();
    m_step = step;
    const int place = placeOfLesson(m_lesson.id);
    if (place >= 0) {
        QSettings().setValue(lastLessonKey(), text(m_lesson.id));
        QSettings().setValue(lastStepKey(), step);
    }
    const auto lessons = static_cast<int>(shippedLessons().size());
    m_panel->showStep(m_lesson, {place < 0 ? 1 : place + 1, place < 0 ? 1 : lessons, step});
    if (level() != nullptr)
        startLevel();
    m_window.commands().refresh();
}

void LessonRoom::startLevel()
{
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
    m_hints = m_tries = 0;
    m_best = -1;
    m_quiet = true;
    m_panel->setField({}, {});
    if (m_page) {
        m_page->document().reset(std::move(project));
        m_window.showPage(m_page);
    } else {
        m_page = &m_window.openProject(std::move(project));
        connect(&m_page->document(), &ScheduleDocument::resultChanged, this, &LessonRoom::judge);
        connect(&m_page->timeline(), &TimelineView::readyActivated, this, &LessonRoom::placeReady);
        connect(&m_page->timeline(), &TimelineView::activated, this, [this](SpanRef span) {
            if (whyNoOrder().isEmpty() && m_page->document().lanes()->holds(span))
                complete(m_page->document().lanes()->pass(span).microBatch);
        });
    }
    m_palette->prepare(*m_page, *now);
    m_quiet = false;
    judge();
}

void LessonRoom::judge()
{
    const LessonLevel* now = level();
    if (now == nullptr || !m_page || m_quiet)
        return;
    const Standing standing = standingOf(*now, m_page->document().project());
    m_panel->setStanding(standing);
    showReady();
    showField(standing);
    ++m_tries;
    if (standing.solved() && standing.medals() > m_best && !m_playing)
        note(standing);
}

/// Keeps a solution that is better than those since the level began.
void LessonRoom::note(const Standing& standing)
{
    m_best = standing.medals();
    LevelResult result{m_lesson.id,         levelNumber(),        true,    standing.time.won,
                       standing.memory.won, standing.letters.won, m_tries, m_hints,
                       std::string()};
    if (const auto schedule = m_page->document().schedule();
        schedule && level()->freedom != Freedom::Block)
        result.trick = trickOf(*schedule, m_page->document().costs());
    m_tries = 0;
    m_hints = 0;
    if (const auto kept = m_progress.note(result); !kept)
        m_window.refuse(text(kept.error().message));
}

void LessonRoom::showReady()
{
    if (!m_page)
        return;
    m_ready.clear();
    const LessonLevel* now = level();
    if (now != nullptr && m_panel->readyShown())
        m_ready = readyPasses(*now, m_page->document().project());
    Overlay overlay = m_page->timeline().overlay();
    overlay.ready.clear();
    const EntryLooks looks(m_page->document().draft().spec);
    for (const ReadyPass& ready : m_ready)
        overlay.ready.push_back({ready.device,
                                 ready.start,
                                 ready.end,
                                 looks.look({ready.pass, {}, false}),
                                 ready.pass,
                                 {}});
    m_page->timeline().setOverlay(std::move(overlay));
}

/// The solution among the families, worked out beside the window.
void LessonRoom::showField(const Standing& standing)
{
    const LessonLevel* now = level();
    if (!standing.solved() || now->freedom == Freedom::Block)
        return m_panel->setField({}, {});
    FieldPoint own{{}, MainWindow::tr("you").toStdString(), standing.makespan, standing.peak};
    inBackground(this,
                 [this, now, copy = std::make_shared<const LessonLevel>(*now),
                  own]() -> std::function<void()> {
                     std::vector<FieldPoint> field = familyField(*copy);
                     return [this, now, own, field] {
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
    const QString what = text(describe(ready.pass, document.draft().spec));
    const auto done = document.edit(pw::placeReady(document.project(), ready),
                                    MainWindow::tr("Place %1").arg(what));
    if (done)
        m_window.tell(MainWindow::tr("%1 on device %2.").arg(what).arg(ready.device));
    else
        m_window.refuse(text(done.error().message));
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
    if (run.passes > 0) {
        const auto done =
            m_page->document().edit(run.edit, MainWindow::tr("Place %1 passes").arg(run.passes));
        if (!done)
            return m_window.refuse(text(done.error().message));
    }
    m_window.showPage(m_page);
    m_window.tell(MainWindow::tr("%1 placed. %2").arg(run.passes).arg(text(run.why)));
}

void LessonRoom::help(int stage)
{
    ++m_hints;
    if (const LessonLevel* now = level(); now != nullptr && stage == 3)
        play(now->hints.steps);
}

/// Begins anew and does the first acts of the demonstration; −1: all.
void LessonRoom::play(int acts)
{
    const LessonLevel* now = level();
    if (now == nullptr)
        return;
    const int hints = m_hints;
    startLevel();
    m_hints = hints;
    m_act = 0;
    const auto all = static_cast<int>(now->demonstration.size());
    m_acts = acts < 0 ? all : std::min(acts, all);
    m_playing = true;
    // What is shown whole is not a solution of the person's own, until the level begins anew.
    if (m_acts == all)
        m_best = 3;
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
    const auto done =
        edit ? document.edit(*edit, text(actText(act))) : Result<void>(fail(edit.error()));
    if (!done) {
        m_playing = false;
        m_window.refuse(text(done.error().message));
        return;
    }
    m_window.tell(text(actText(act)));
    m_timer.start(std::min(slowest, longest / std::max(1, m_acts)));
}

} // namespace pw::ui
