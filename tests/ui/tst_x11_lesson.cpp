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
#include "ui/presentation.h"
#include "ui/timeline/drop_controller.h"
#include "ui/window/commands.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QPushButton>
#include <QScrollArea>
#include <QTest>

using namespace pw;
using namespace pw::ui;

/// A whole lesson as a beginner plays it: every pass is dragged with a real pointer, every button
/// of the dock is clicked.
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

    /// In a lane, at a time.
    XHand::Place at(int device, Ticks time)
    {
        return [this, device, time] {
            const TimelineView& view = m_walk->page()->timeline();
            int top = 0;
            while (top < view.viewport()->height() &&
                   view.laneAt(QPointF(TimelineView::margin + 1, top)) != device)
                ++top;
            return view.viewport()->mapToGlobal(
                QPoint(static_cast<int>(view.scale().x(time)), top + view.laneHeight() / 2));
        };
    }

    /// A button of the dock, scrolled into sight.
    XHand::Place dockButton(const char* name)
    {
        return [this, name] {
            auto* panel = m_walk->window().findChild<LessonPanel*>();
            auto* button = panel->findChild<QPushButton*>(QString::fromLatin1(name));
            panel->findChild<QScrollArea*>()->ensureWidgetVisible(button);
            return button->mapToGlobal(button->rect().center());
        };
    }

    /// A pass goes from its tile to its place.
    void dragPass(const LessonLevel& level, const LessonAct& act)
    {
        ScheduleDocument& document = m_walk->document();
        const QString before = m_walk->order(static_cast<std::size_t>(act.device));
        Ticks when = -1;
        QString letters;
        for (const ReadyPass& ready : readyPasses(level, document.project())) {
            const QString kind = QString::fromUtf8(name(ready.pass.kind).data());
            if (ready.device != act.device ||
                QString::fromStdString(act.passes) !=
                    QStringLiteral("%1%2").arg(kind).arg(ready.pass.microBatch))
                continue;
            when = ready.start + (ready.end - ready.start) / 2;
            letters = kind;
        }
        QVERIFY2(when >= 0, act.passes.c_str());
        DropController* drops = m_walk->page()->findChild<DropController*>();
        hand()
            .moveTo(tile(letters))
            .press()
            .moveTo(at(act.device, when))
            .until(QStringLiteral("the ghost stands"),
                   [drops] { return drops->trial() != nullptr; })
            .release()
            .until(QStringLiteral("the pass is there"), [this, act, before] {
                return m_walk->order(static_cast<std::size_t>(act.device)) != before;
            });
        QCOMPARE(hand().go(), QString());
        const QString after =
            (before + QLatin1Char(' ') + QString::fromStdString(act.passes)).trimmed();
        QCOMPARE(m_walk->order(static_cast<std::size_t>(act.device)), after);
    }

    /// What stands in a lane goes, pass by pass.
    void emptyLane(int device)
    {
        while (!m_walk->order(static_cast<std::size_t>(device)).isEmpty()) {
            const QString before = m_walk->order(static_cast<std::size_t>(device));
            hand()
                .click(m_walk->pass({device, 0}))
                .key(QStringLiteral("Delete"))
                .until(QStringLiteral("the pass is gone"), [this, device, before] {
                    return m_walk->order(static_cast<std::size_t>(device)) != before;
                });
            QCOMPARE(hand().go(), QString());
        }
    }

    /// An order that waits for itself is taken out of its lane and dragged in anew.
    void mend(const LessonLevel& level)
    {
        const auto played = play(level, level.start);
        QVERIFY(played);
        const int device = level.demonstration.front().device;
        emptyLane(device);
        const PipelineSpec& spec = played->draft.spec;
        const ChunkTable chunks(spec);
        for (const OrderEntry& entry : played->draft.orders[static_cast<std::size_t>(device)]) {
            LessonAct act;
            act.device = device;
            act.passes = passText(entry.pass, device, chunks);
            dragPass(level, act);
            if (QTest::currentTestFailed())
                return;
        }
    }

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
    }
    void cleanup() { m_walk.reset(); }

    void aWholeLessonIsPlayedByHand();
};

void TestX11Lesson::aWholeLessonIsPlayedByHand()
{
    const auto lesson = shippedLesson("01-devices-and-passes");
    QVERIFY(lesson);
    m_walk->window()
        .commands()
        .action(QStringLiteral("learn.lesson.01-devices-and-passes"))
        ->trigger();
    int dragged = 0;
    for (std::size_t step = 0; step < lesson->steps.size(); ++step) {
        QVERIFY(lesson->steps[step].level);
        const LessonLevel& level = *lesson->steps[step].level;
        QVERIFY(!standingOf(level, m_walk->document().project()).solved());
        if (level.demonstration.front().kind != LessonAct::Kind::Place)
            mend(level);
        else
            for (const LessonAct& act : level.demonstration) {
                dragPass(level, act);
                if (QTest::currentTestFailed())
                    return;
                ++dragged;
            }
        if (QTest::currentTestFailed())
            return;
        const Standing standing = standingOf(level, m_walk->document().project());
        QVERIFY2(standing.solved(), qPrintable(QString::number(step)));
        m_walk->picture(QStringLiteral("lesson-%1").arg(step));
        hand().click(dockButton("lesson-next"));
        QCOMPARE(hand().go(), QString());
    }
    // The next lesson has come.
    QTRY_VERIFY(m_walk->page()->title().contains(QStringLiteral("GPipe")));
    QVERIFY(dragged >= 30);
}

PW_WINDOW_TEST(TestX11Lesson)
#include "tst_x11_lesson.moc"
