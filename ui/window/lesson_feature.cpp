// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/play.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/lesson/lesson_progress.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QDockWidget>
#include <QFileDialog>
#include <QPointer>
#include <QSettings>
#include <QTimer>

#include <algorithm>

namespace pw::ui {

namespace {

/// The lesson that is open: its step in the dock, its level in a tab, what was done in it.
class LessonRoom : public QObject
{
public:
    explicit LessonRoom(MainWindow& window)
        : QObject(&window)
        , m_window(window)
        , m_panel(new LessonPanel(&window))
        , m_dock(window.addDock(QStringLiteral("lesson"), MainWindow::tr("Lesson"), m_panel,
                                Qt::LeftDockWidgetArea))
    {
        m_dock->hide();
        m_timer.setSingleShot(true);
        connect(&m_timer, &QTimer::timeout, this, &LessonRoom::playNext);
        connect(m_panel, &LessonPanel::backAsked, this, [this] { walk(-1); });
        connect(m_panel, &LessonPanel::nextAsked, this, [this] { walk(1); });
        connect(m_panel, &LessonPanel::skipAsked, this, [this] { walk(1); });
        connect(m_panel, &LessonPanel::resetAsked, this, &LessonRoom::startLevel);
        connect(m_panel, &LessonPanel::playAsked, this, [this] { play(-1); });
        connect(m_panel, &LessonPanel::hintAsked, this, &LessonRoom::help);
        connect(m_panel, &LessonPanel::benchAsked, this, [this] {
            if (m_page)
                m_window.showPage(m_page);
            if (QAction* bench = m_window.commands().action(QStringLiteral("schedule.bench")))
                bench->trigger();
        });
        if (!shippedLessons().empty())
            m_progress.reach(text(shippedLessons().front().id));
    }

    LessonProgress& progress() { return m_progress; }
    bool running() const { return m_dock->isVisible() && !m_lesson.steps.empty(); }

    /// The lesson and step that was left last, else the first one.
    void resume()
    {
        const QString id = QSettings().value(lastKey()).toString();
        const int step = QSettings().value(stepKey()).toInt();
        if (id.isEmpty() || !open(id, step))
            open(text(shippedLessons().front().id), 0);
    }

    bool open(const QString& id, int step)
    {
        auto lesson = shippedLesson(id.toStdString());
        if (!lesson)
            return false;
        show(std::move(*lesson), step);
        return true;
    }

    void openFile(const QString& path)
    {
        auto lesson = loadLesson(path.toStdString());
        if (!lesson)
            m_window.refuse(text(lesson.error().message));
        else
            show(std::move(*lesson), 0);
    }

    /// One step on or back; over the end of a lesson to the next one, over its begin to the one
    /// before.
    void walk(int by)
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
        const int place = placeOf(m_lesson.id);
        if (place < 1)
            return;
        const ShippedLesson& before = shippedLessons()[static_cast<std::size_t>(place) - 1];
        if (auto lesson = readLesson(before.text, std::string(before.id))) {
            const auto last = static_cast<int>(lesson->steps.size()) - 1;
            show(std::move(*lesson), last);
        }
    }

    void forget()
    {
        if (const auto done = m_progress.forget(); !done)
            m_window.refuse(text(done.error().message));
        m_progress.reach(text(shippedLessons().front().id));
        m_window.commands().refresh();
    }

private:
    static QString lastKey() { return QStringLiteral("lessons/last"); }
    static QString stepKey() { return QStringLiteral("lessons/step"); }

    static int placeOf(const std::string& id)
    {
        const auto all = shippedLessons();
        const auto found = std::find_if(all.begin(), all.end(),
                                        [&](const ShippedLesson& one) { return one.id == id; });
        return found == all.end() ? -1 : static_cast<int>(found - all.begin());
    }

    const LessonLevel* level() const
    {
        if (m_lesson.steps.empty())
            return nullptr;
        const auto& level = m_lesson.steps[static_cast<std::size_t>(m_step)].level;
        return level ? &*level : nullptr;
    }

    /// Levels count from 0 through the lesson.
    int levelNumber() const
    {
        int number = 0;
        for (int s = 0; s < m_step; ++s)
            number += m_lesson.steps[static_cast<std::size_t>(s)].level ? 1 : 0;
        return number;
    }

    void show(Lesson lesson, int step)
    {
        m_lesson = std::move(lesson);
        m_progress.reach(text(m_lesson.id));
        m_window.commands().refresh();
        m_dock->show();
        m_dock->raise();
        showStep(std::clamp(step, 0, static_cast<int>(m_lesson.steps.size()) - 1));
    }

    void showStep(int step)
    {
        m_timer.stop();
        m_step = step;
        const int place = placeOf(m_lesson.id);
        if (place >= 0) {
            QSettings().setValue(lastKey(), text(m_lesson.id));
            QSettings().setValue(stepKey(), step);
        }
        const auto lessons = static_cast<int>(shippedLessons().size());
        m_panel->showStep(m_lesson, {place < 0 ? 1 : place + 1, place < 0 ? 1 : lessons, step});
        if (level() != nullptr)
            startLevel();
    }

    void startLevel()
    {
        m_timer.stop();
        const LessonLevel* now = level();
        if (now == nullptr)
            return;
        Project project = now->start;
        project.title = MainWindow::tr("%1 · Level %2")
                            .arg(text(m_lesson.title.in()))
                            .arg(levelNumber() + 1)
                            .toStdString();
        m_hints = 0;
        m_tries = 0;
        m_best = -1;
        m_quiet = true;
        if (m_page) {
            m_page->document().reset(std::move(project));
            m_window.showPage(m_page);
        } else {
            m_page = &m_window.openProject(std::move(project));
            connect(&m_page->document(), &ScheduleDocument::resultChanged, this,
                    &LessonRoom::judge);
        }
        m_quiet = false;
        judge();
    }

    void judge()
    {
        const LessonLevel* now = level();
        if (now == nullptr || !m_page || m_quiet)
            return;
        const Project& project = m_page->document().project();
        const Standing standing = standingOf(*now, project);
        m_panel->setStanding(standing);
        ++m_tries;
        if (!standing.solved() || standing.medals() <= m_best || m_playing)
            return;
        m_best = standing.medals();
        LevelResult result{m_lesson.id,         levelNumber(),        true,    standing.time.won,
                           standing.memory.won, standing.letters.won, m_tries, m_hints,
                           std::string()};
        if (const auto schedule = m_page->document().schedule();
            schedule && now->freedom != Freedom::Block)
            result.trick = trickOf(*schedule, m_page->document().costs());
        m_tries = 0;
        m_hints = 0;
        if (const auto kept = m_progress.note(result); !kept)
            m_window.refuse(text(kept.error().message));
    }

    void help(int stage)
    {
        ++m_hints;
        const LessonLevel* now = level();
        if (now == nullptr)
            return;
        if (stage == 3)
            play(now->hints.steps);
    }

    /// Begins anew and does the first acts of the demonstration; −1: all.
    void play(int acts)
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
        // What is shown whole is no solution of the person's own, until the level begins anew.
        if (m_acts == all)
            m_best = 3;
        m_timer.start(0);
    }

    void playNext()
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

    MainWindow& m_window;
    LessonPanel* m_panel;
    QDockWidget* m_dock;
    LessonProgress m_progress;
    Lesson m_lesson;
    int m_step = 0;
    QPointer<SchedulePage> m_page;
    int m_tries = 0;
    int m_hints = 0;
    int m_best = -1; ///< medals of the best that was noted since the level began
    bool m_quiet = false;
    bool m_playing = false;
    QTimer m_timer;
    int m_act = 0;
    int m_acts = 0;
};

void chooseFile(MainWindow& window, LessonRoom& room)
{
    auto* dialog = new QFileDialog(&window, MainWindow::tr("Open a lesson"), QString(),
                                   MainWindow::tr("Lessons (*.json)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    QObject::connect(dialog, &QFileDialog::fileSelected, &room,
                     [&room](const QString& path) { room.openFile(path); });
    dialog->open();
}

void saveResults(MainWindow& window, LessonRoom& room)
{
    auto* dialog = new QFileDialog(&window, MainWindow::tr("Save my results"), QString(),
                                   MainWindow::tr("Results (*.json)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("json"));
    QObject::connect(dialog, &QFileDialog::fileSelected, &room,
                     [&window, &room](const QString& path) {
                         // A class is told apart by the names of its files.
                         const auto saved = room.progress().save(path, QString());
                         if (saved)
                             window.tell(MainWindow::tr("Your results are in %1.").arg(path));
                         else
                             window.refuse(text(saved.error().message));
                     });
    dialog->open();
}

void addLessonList(MainWindow& window, LessonRoom* room)
{
    int place = 0;
    for (const ShippedLesson& shipped : shippedLessons()) {
        const auto lesson = readLesson(shipped.text, std::string(shipped.id));
        if (!lesson)
            continue; // a test keeps it from being shipped
        const QString id = text(shipped.id);
        const QString title = text(lesson->title.in());
        window.commands().add(
            {.id = QStringLiteral("learn.lesson.") + id,
             .menu = Menu::Learn,
             .text = QStringLiteral("%1  %2").arg(++place).arg(title),
             .tip = text(lesson->summary.in()),
             .group = 10,
             .submenu = MainWindow::tr("L&essons"),
             .whyNot =
                 [room, id] {
                     return room->progress().open(id)
                                ? QString()
                                : MainWindow::tr("Comes later: finish or skip what is before it, "
                                                 "or unlock all lessons.");
                 }},
            room, [room, id] { room->open(id, 0); });
    }
}

} // namespace

void addLessons(MainWindow& window)
{
    auto* room = new LessonRoom(window);
    Commands& commands = window.commands();
    commands.add({.id = QStringLiteral("learn.continue"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("&Learn"),
                  .tip = MainWindow::tr("Goes on with the lessons where you left them.")},
                 room, [room] { room->resume(); });
    const auto noLesson = [room] {
        return room->running() ? QString() : MainWindow::tr("No lesson is open.");
    };
    commands.add({.id = QStringLiteral("learn.next"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("&Next step"),
                  .keys = QKeySequence(MainWindow::tr("Ctrl+Alt+Right")),
                  .whyNot = noLesson},
                 room, [room] { room->walk(1); });
    commands.add({.id = QStringLiteral("learn.back"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("Step &back"),
                  .keys = QKeySequence(MainWindow::tr("Ctrl+Alt+Left")),
                  .whyNot = noLesson},
                 room, [room] { room->walk(-1); });
    addLessonList(window, room);
    commands.add({.id = QStringLiteral("learn.open-file"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("Open a lesson &file…"),
                  .group = 20},
                 room, [&window, room] { chooseFile(window, *room); });
    commands.add({.id = QStringLiteral("learn.save-results"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("Save my &results…"),
                  .tip = MainWindow::tr("A file for a teacher: levels, medals, tries."),
                  .group = 20},
                 room, [&window, room] { saveResults(window, *room); });
    auto* all = new QAction(MainWindow::tr("&Unlock all lessons"), room);
    all->setCheckable(true);
    all->setChecked(room->progress().allOpen());
    QObject::connect(all, &QAction::toggled, room, [&window, room](bool on) {
        room->progress().setAllOpen(on);
        window.commands().refresh();
    });
    commands.add({.id = QStringLiteral("learn.unlock-all"),
                  .menu = Menu::Learn,
                  .text = all->text(),
                  .tip = MainWindow::tr("For teachers, and for those who know what they look for."),
                  .group = 30},
                 all);
    commands.add({.id = QStringLiteral("learn.forget"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("Forget my &progress"),
                  .group = 30},
                 room, [room] { room->forget(); });
}

} // namespace pw::ui
