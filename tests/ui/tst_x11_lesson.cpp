// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/schedule_text.h"
#include "core/lesson/play.h"
#include "core/lesson/ready.h"
#include "core/lesson/standing.h"
#include "tests/support/run_settings.h"
#include "tests/support/studio_walk.h"
#include "tests/support/test_program.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/lesson/lesson_progress.h"
#include "ui/presentation.h"
#include "ui/timeline/drag_controller.h"
#include "ui/timeline/drop_controller.h"
#include "ui/window/commands.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QPushButton>
#include <QTest>

#include <utility>

using namespace pw;
using namespace pw::ui;

/// Lessons as a beginner plays them: every pass is dragged with a real pointer, every button of the
/// dock is clicked.
class TestX11Lesson : public QObject
{
    Q_OBJECT

private:
    XHand& hand() { return m_walk->hand(); }

    /// The tile of a pass kind below the palette.
    XHand::Place tile(const QString& letters)
    {
        return [this, letters] {
            const QList<QAbstractButton*> buttons =
                m_walk->window().findChildren<QAbstractButton*>();
            for (const QAbstractButton* button : buttons)
                if (button->isVisible() && button->text() == letters)
                    return button->mapToGlobal(button->rect().center());
            qFatal("there is no tile %s", qPrintable(letters));
        };
    }

    /// Whether the tile is under the pointer, also after docks have found their places.
    bool isOver(const QString& letters)
    {
        const auto* under =
            qobject_cast<const QAbstractButton*>(QApplication::widgetAt(QCursor::pos()));
        return under != nullptr && under->text() == letters;
    }

    /// In a lane, at a time.
    XHand::Place at(int device, Ticks time)
    {
        return [this, device, time] {
            const TimelineView& view = m_walk->page()->timeline();
            int top = 0;
            while (top < view.viewport()->height() &&
                   view.laneAt(QPointF(TimeAxis::margin() + 1, top)) != device)
                ++top;
            return view.viewport()->mapToGlobal(
                QPoint(static_cast<int>(view.scale().x(time)), top + view.laneHeight() / 2));
        };
    }

    /// A button below the dock's words. It must not move while they change.
    XHand::Place dockButton(const char* name)
    {
        return [this, name] { return XHand::on(button(name))(); };
    }

    const QPushButton* button(const char* name)
    {
        return m_walk->window().findChild<LessonPanel*>()->findChild<QPushButton*>(
            QString::fromLatin1(name));
    }

    /// What a lane has, as demonstrations write it: "F0 F1 BW0.1".
    QString order(DeviceId device)
    {
        const Draft& draft = m_walk->document().draft();
        const ChunkTable chunks(draft.spec);
        QStringList words;
        for (const OrderEntry& entry : draft.orders[static_cast<std::size_t>(device)])
            words += QString::fromStdString(passText(entry.pass, device, chunks));
        return words.join(QLatin1Char(' '));
    }

    void dragPass(const LessonLevel& level, const LessonAct& act);
    void dragEntry(const LessonAct& act);
    void playLevel(const Lesson& lesson, std::size_t step);
    void openLesson(const char* id);

    PrivateFolder m_folder;
    std::unique_ptr<StudioWalk> m_walk;

private slots:
    void initTestCase()
    {
        if (const QString why = XHand::whyNot(); !why.isEmpty())
            QSKIP(qPrintable(why));
        applyGround(*qApp, Ground::Light);
    }
    void init()
    {
        QSettings().clear();
        m_walk = std::make_unique<StudioWalk>();
        m_walk->window().commands().action(QStringLiteral("learn.unlock-all"))->trigger();
    }
    void cleanup() { m_walk.reset(); }

    void aWholeLessonIsPlayedByHand();
    void aLevelIsPlayedByHand_data();
    void aLevelIsPlayedByHand();
};

/// A pass goes from its tile to its place.
void TestX11Lesson::dragPass(const LessonLevel& level, const LessonAct& act)
{
    const ScheduleDocument& document = m_walk->document();
    const ChunkTable chunks(document.draft().spec);
    const QString before = order(act.device);
    Ticks when = -1;
    QString letters;
    for (const ReadyPass& ready : readyPasses(level, document.project())) {
        if (ready.device != act.device || passText(ready.pass, ready.device, chunks) != act.passes)
            continue;
        when = ready.start + (ready.end - ready.start) / 2;
        letters = QString::fromUtf8(name(ready.pass.kind).data());
    }
    QVERIFY2(when >= 0, act.passes.c_str());
    const DropController* drops = m_walk->page()->findChild<DropController*>();
    hand()
        .moveTo(tile(letters))
        .until(QStringLiteral("the pointer is over the tile"),
               [this, letters] { return isOver(letters); })
        .press()
        .moveTo(at(act.device, when))
        .until(QStringLiteral("the ghost stands"), [drops] { return drops->trial() != nullptr; })
        .release()
        .until(QStringLiteral("the pass is there"),
               [this, act, before] { return order(act.device) != before; });
    QCOMPARE(hand().go(), QString());
    QCOMPARE(order(act.device),
             (before + QLatin1Char(' ') + QString::fromStdString(act.passes)).trimmed());
}

/// A pass that has a place goes along its lane to another one.
void TestX11Lesson::dragEntry(const LessonAct& act)
{
    QVERIFY(act.kind == LessonAct::Kind::Move && act.to < act.from);
    QStringList wanted = order(act.device).split(QLatin1Char(' '));
    wanted.move(act.from, act.to);
    const DragController* drags = m_walk->page()->findChild<DragController*>();
    // Its beginning to that of the pass that makes way.
    const DraftTimes& times = m_walk->document().times();
    const auto entryAt = [&](int position) {
        return static_cast<std::size_t>(
            times.entry(act.device, static_cast<std::size_t>(position)));
    };
    const std::size_t own = entryAt(act.from);
    const Ticks middle =
        times.times.start[entryAt(act.to)] + (times.times.end[own] - times.times.start[own]) / 2;
    hand()
        .moveTo(m_walk->pass({act.device, act.from}))
        .press()
        .moveTo(at(act.device, middle))
        .until(QStringLiteral("the pass is held"),
               [drags] { return !drags->ghosts().empty() || drags->refusal(); })
        .see(QStringLiteral("the place is good"), [drags] { return !drags->refusal(); })
        .then([this] { m_walk->picture(QStringLiteral("lesson-ring")); })
        .release()
        .until(QStringLiteral("the pass is there"),
               [this, act, wanted] { return order(act.device) == wanted.join(QLatin1Char(' ')); });
    QCOMPARE(hand().go(), QString());
}

/// Everything of a level by hand; then the goals are met, and the medals won that its demonstration
/// wins, in the dock and in what is kept.
void TestX11Lesson::playLevel(const Lesson& lesson, std::size_t step)
{
    const LessonLevel& level = *lesson.steps[step].level;
    QVERIFY(!standingOf(level, m_walk->document().project()).solved());
    for (const LessonAct& act : level.demonstration) {
        if (act.kind == LessonAct::Kind::Place)
            dragPass(level, act);
        else
            dragEntry(act);
        if (QTest::currentTestFailed())
            return;
    }
    const auto shown = play(level, level.start);
    QVERIFY(shown);
    const Standing wanted = standingOf(level, *shown);
    const Standing standing = standingOf(level, m_walk->document().project());
    QVERIFY(standing.solved());
    QCOMPARE(standing.time.won, wanted.time.won);
    QCOMPARE(standing.memory.won, wanted.memory.won);
    QCOMPARE(standing.letters.won, wanted.letters.won);
    m_walk->picture(
        QStringLiteral("lesson-%1-%2").arg(QString::fromStdString(lesson.id)).arg(step));
    const LessonProgress kept;
    int number = 0;
    while (lesson.stepOfLevel(number) != step)
        ++number;
    const LevelResult* result = kept.results().find(lesson.id, number);
    QVERIFY(result != nullptr && result->solved);
    QCOMPARE(result->time, standing.time.won);
    QCOMPARE(result->memory, standing.memory.won);
    QCOMPARE(result->messages, standing.letters.won);
    QVERIFY(result->tries >= 1);
    QVERIFY(button("lesson-next")->isEnabled());
}

void TestX11Lesson::openLesson(const char* id)
{
    m_walk->window()
        .commands()
        .action(QStringLiteral("learn.lesson.") + QString::fromLatin1(id))
        ->trigger();
    QTRY_VERIFY(m_walk->page() != nullptr);
    // The docks find their places.
    const auto* dock = m_walk->window().findChild<LessonPanel*>();
    QRect before;
    const auto settled = [&] {
        const QRect now(dock->mapToGlobal(QPoint()), dock->size());
        return std::exchange(before, now) == now;
    };
    do
        QTest::qWait(300);
    while (!settled());
}

void TestX11Lesson::aWholeLessonIsPlayedByHand()
{
    const auto lesson = shippedLesson("01-devices-and-passes");
    QVERIFY(lesson);
    openLesson("01-devices-and-passes");
    for (std::size_t step = 0; step < lesson->steps.size(); ++step) {
        QVERIFY(lesson->steps[step].level);
        playLevel(*lesson, step);
        if (QTest::currentTestFailed())
            return;
        const QString before = m_walk->page()->title();
        hand()
            .click(dockButton("lesson-next"))
            .until(QStringLiteral("the next level is there"),
                   [this, before] { return m_walk->page()->title() != before; });
        QCOMPARE(hand().go(), QString());
    }
    // The next lesson has come.
    QVERIFY(m_walk->page()->title().contains(QStringLiteral("GPipe")));
}

void TestX11Lesson::aLevelIsPlayedByHand_data()
{
    QTest::addColumn<int>("step");
    QTest::newRow("04-recomputation") << 1;
    QTest::newRow("05-1f1b") << 0;
    QTest::newRow("08-splitting") << 0;
    QTest::newRow("15-two-directions") << 0;
}

void TestX11Lesson::aLevelIsPlayedByHand()
{
    QFETCH(int, step);
    const char* id = QTest::currentDataTag();
    const auto lesson = shippedLesson(id);
    QVERIFY(lesson);
    openLesson(id);
    for (int skipped = 0; skipped < step; ++skipped) {
        const QString before = m_walk->page()->title();
        hand()
            .click(dockButton("lesson-skip"))
            .until(QStringLiteral("the next level is there"),
                   [this, before] { return m_walk->page()->title() != before; });
        QCOMPARE(hand().go(), QString());
    }
    playLevel(*lesson, static_cast<std::size_t>(step));
}

PW_WINDOW_TEST(TestX11Lesson)
#include "tst_x11_lesson.moc"
