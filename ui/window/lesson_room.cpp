// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/lesson_room.h"

#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/lesson/course.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/window/commands.h"
#include "ui/window/glossary_word.h"
#include "ui/window/lesson_palette.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"
#include "ui/window/studio.h"

#include <QDockWidget>
#include <QFileInfo>
#include <QSettings>

#include <memory>
#include <utility>

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

QString practiceKey()
{
    return QStringLiteral("lessons/practice");
}

QString lastStepKey()
{
    return QStringLiteral("lessons/step");
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
    , m_level({m_window, *m_panel, *m_palette, m_progress, m_open})
{
    m_dock->hide();
    if (const QString chosen = QSettings().value(languageKey()).toString(); !chosen.isEmpty())
        m_panel->setLanguage(chosen);
    connectPanel();
    // A lesson goes with its level.
    connect(&m_window, &MainWindow::pageClosing, this, [this](Page* page) {
        if (page != nullptr && m_level.page() == page)
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
    connect(m_panel, &LessonPanel::runAsked, this, &LessonRoom::runUntilChoice);
    connect(m_panel, &LessonPanel::wordAsked, this,
            [this](int word) { showGlossaryWord(m_studio, word); });
    connect(m_panel, &LessonPanel::answered, this, [this](int question, int chosen, bool right) {
        report(m_window,
               m_progress.note(AnswerResult{lesson().id, step(), question, chosen, right}));
        m_level.showLayers();
    });
}

/// A level has the lesson beside it; a step without a level stands beside the page that it was
/// opened from.
bool LessonRoom::isHome(const Page* page) const
{
    if (m_level.page() != nullptr)
        return m_level.isHome(page);
    return !m_home || page == m_home;
}

bool LessonRoom::running() const
{
    return m_dock->isVisible() && !m_open.empty();
}

QString LessonRoom::language() const
{
    return m_panel->language();
}

QString LessonRoom::whyNoOrder() const
{
    if (!running() || m_level.project() == nullptr)
        return MainWindow::tr("No level is open.");
    return m_level.level()->freedom == Freedom::Order
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
    std::optional<OpenLesson> lesson = OpenLesson::ofCourse(id.toStdString(), step);
    if (!lesson)
        return false;
    show(std::move(*lesson));
    return true;
}

Result<void> LessonRoom::openFile(const QString& path)
{
    const QFileInfo file(path);
    PW_TRY(std::string source, readFile(path.toStdString(), maxLessonBytes));
    PW_TRY(Lesson lesson, readLesson(source, file.completeBaseName().toStdString()));
    show({std::move(lesson), std::move(source), 0, file.absolutePath()});
    return {};
}

void LessonRoom::walk(int by)
{
    if (m_open.empty())
        return;
    const int step = m_open.step() + by;
    if (step >= 0 && step < static_cast<int>(lesson().steps.size()))
        showStep(step);
    else if (step > 0)
        openNext();
    else if (std::optional<OpenLesson> before = m_open.before())
        show(std::move(*before));
}

/// What comes behind the lesson; nothing where it is the last.
void LessonRoom::openNext()
{
    if (m_open.isPractice()) {
        practise();
    } else if (const QString file = m_open.nextFile(); !file.isEmpty()) {
        if (const auto done = openFile(file); !done)
            m_window.refuse(coreSentence(done.error().message));
    } else if (!lesson().next.empty()) {
        open(text(lesson().next), 0);
    }
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
        const auto made = std::make_shared<Result<OpenLesson>>(OpenLesson::forPractice(seed));
        return [this, made] {
            if (!*made)
                m_window.refuse(coreSentence(made->error().message));
            else
                show(std::move(**made));
        };
    });
}

QString LessonRoom::whyNoLanguage() const
{
    if (!running())
        return MainWindow::tr("No lesson is open.");
    return lesson().title.languages.size() > 1 ? QString()
                                               : MainWindow::tr("This lesson has one language.");
}

void LessonRoom::changeLanguage()
{
    const QString next = m_open.languageAfter(language());
    m_panel->setLanguage(next);
    QSettings().setValue(languageKey(), next);
    m_panel->showStep(lesson(), m_open.place(), m_progress.answers(lesson(), step()));
    m_level.judge();
}

void LessonRoom::show(OpenLesson lesson)
{
    m_level.leave();
    // Whoever asks for the level from here on asks for this one's.
    m_open = std::move(lesson);
    if (m_open.placeInCourse() >= 0)
        m_progress.reach(m_open.id());
    m_window.commands().refresh();
    m_home = m_window.page();
    if (SchedulePage* page = m_level.page())
        m_window.showPage(page);
    m_dock->show();
    m_dock->raise();
    m_palette->makeRoomSoon(false);
    showStep(m_open.step());
}

void LessonRoom::showStep(int step)
{
    m_level.leave();
    m_open.setStep(step);
    if (m_open.placeInCourse() >= 0) {
        QSettings().setValue(lastLessonKey(), m_open.id());
        QSettings().setValue(lastStepKey(), step);
    }
    m_panel->showStep(lesson(), m_open.place(), m_progress.answers(lesson(), step));
    m_level.enter();
    m_window.commands().refresh();
}

void LessonRoom::toggleReady()
{
    m_panel->toggleReady();
}

void LessonRoom::runUntilChoice()
{
    if (whyNoOrder().isEmpty())
        m_level.runUntilChoice();
}

} // namespace pw::ui
