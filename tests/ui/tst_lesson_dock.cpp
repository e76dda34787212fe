// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/play.h"
#include "core/lesson/results.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/help/glossary.h"
#include "ui/help/manual_view.h"
#include "ui/help/manual_window.h"
#include "ui/help/marked_text.h"
#include "ui/lesson/field_chart.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/lesson/lesson_progress.h"
#include "ui/panels/palette_panel.h"
#include "ui/panels/pass_tiles.h"
#include "ui/window/commands.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QTest>
#include <QTextBlock>

using namespace pw;
using namespace pw::ui;

namespace {

/// The first button of the panel with a name that can be pressed.
QPushButton* button(const MainWindow& window, const char* name)
{
    return window.findChild<LessonPanel*>()->findChild<QPushButton*>(QString::fromLatin1(name));
}

bool says(const MainWindow& window, const QString& words)
{
    for (const QLabel* label : window.findChild<LessonPanel*>()->findChildren<QLabel*>())
        if (!label->isHidden() && label->text().contains(words))
            return true;
    for (const MarkedText* marked : window.findChild<LessonPanel*>()->findChildren<MarkedText*>())
        if (!marked->isHidden() && marked->toPlainText().contains(words))
            return true;
    return false;
}

} // namespace

class TestLessonDock : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_lesson_dock"); }

    void init()
    {
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    void cleanup() { test::closeQuietly(*m_window); }

    void learningOpensTheFirstLevel()
    {
        trigger("learn.forget");
        trigger("learn.continue");
        QVERIFY(m_window->findChild<QDockWidget*>(QStringLiteral("lesson"))->isVisible());
        QVERIFY(m_window->schedulePage() != nullptr);
        QVERIFY(says(*m_window, QStringLiteral("0 of 4")));
        QVERIFY(!button(*m_window, "lesson-next")->isEnabled());
        QVERIFY(!m_window->commands().action(QStringLiteral("learn.lesson.05-1f1b"))->isEnabled());
        trigger("learn.unlock-all");
        QVERIFY(m_window->commands().action(QStringLiteral("learn.lesson.05-1f1b"))->isEnabled());
        trigger("learn.unlock-all");
    }

    /// Beside a level stands what it needs; beside anything else the whole palette.
    void thePaletteHasWhatTheLevelNeeds()
    {
        auto* palette = m_window->findChild<PalettePanel*>();
        auto* tiles = palette->findChild<PassTiles*>();
        trigger("learn.unlock-all");
        trigger("learn.lesson.01-devices-and-passes");
        QVERIFY(tiles->isVisible());
        QVERIFY(!palette->list()->isVisible());
        QTRY_VERIFY(palette->height() < m_window->height() / 5);
        trigger("learn.lesson.03-m-at-least-4k");
        QVERIFY(!tiles->isVisible());
        QVERIFY(palette->list()->isVisible());
        Page* level = m_window->page();
        m_window->openProject(Project{});
        QVERIFY(tiles->isVisible() && palette->list()->isVisible());
        m_window->showPage(level);
        QVERIFY(!tiles->isVisible());
        m_window->findChild<QDockWidget*>(QStringLiteral("lesson"))->close();
        QVERIFY(tiles->isVisible() && palette->list()->isVisible());
        trigger("learn.unlock-all");
    }

    /// What a person does in the tab is judged at once.
    void goalsFollowTheTimeline()
    {
        m_window->commands()
            .action(QStringLiteral("learn.lesson.01-devices-and-passes"))
            ->trigger();
        const auto lesson = shippedLesson("01-devices-and-passes");
        ScheduleDocument& document = m_window->schedulePage()->document();
        const LessonLevel& level = lesson->level(0);
        for (const LessonAct& act : level.demonstration) {
            QVERIFY(!says(*m_window, QStringLiteral("Solved")));
            const auto edit = editOf(level, document.project(), act);
            QVERIFY(edit);
            QVERIFY(document.edit(*edit, QStringLiteral("x")));
        }
        QVERIFY(says(*m_window, QStringLiteral("Solved, medals: 3")));
        QVERIFY(button(*m_window, "lesson-next")->isEnabled());
        const LessonProgress kept;
        const LevelResult* result = kept.results().find("01-devices-and-passes", 0);
        QVERIFY(result != nullptr && result->solved && result->time);
        button(*m_window, "lesson-next")->click();
        QVERIFY(says(*m_window, QStringLiteral("step 2 of")));
    }

    void theDemonstrationPlays()
    {
        m_window->commands()
            .action(QStringLiteral("learn.lesson.01-devices-and-passes"))
            ->trigger();
        button(*m_window, "lesson-play")->click();
        QTRY_VERIFY_WITH_TIMEOUT(says(*m_window, QStringLiteral("Solved")), 10'000);
        button(*m_window, "lesson-reset")->click();
        QVERIFY(says(*m_window, QStringLiteral("0 of 4")));
    }

    void hintsComeInThreeStages()
    {
        m_window->commands()
            .action(QStringLiteral("learn.lesson.01-devices-and-passes"))
            ->trigger();
        QPushButton* hint = button(*m_window, "lesson-hint");
        hint->click();
        QVERIFY(says(*m_window, QStringLiteral("Forward goes down")));
        hint->click();
        QVERIFY(says(*m_window, QStringLiteral("Begin with F 0")));
        hint->click();
        QVERIFY(!hint->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(!says(*m_window, QStringLiteral("0 of 4")), 5'000);
    }

    /// With help on, what can come next stands in the lanes and is placed by a double click.
    void readyPassesGlow()
    {
        openFirst();
        TimelineView& view = m_window->schedulePage()->timeline();
        QVERIFY(view.overlay().ready.empty());
        trigger("learn.ready");
        QCOMPARE(view.overlay().ready.size(), std::size_t{1});
        const Ghost first = view.overlay().ready.front();
        const QRectF box(view.scale().x(first.start), 0,
                         view.scale().x(first.end) - view.scale().x(first.start), 1);
        QTest::mouseDClick(view.viewport(), Qt::LeftButton, {},
                           QPoint(int(box.center().x()), view.laneHeight() / 2));
        QVERIFY(says(*m_window, QStringLiteral("1 of 4")));
        trigger("learn.place");
        QVERIFY(says(*m_window, QStringLiteral("2 of 4")));
        trigger("learn.ready");
        QVERIFY(view.overlay().ready.empty());
    }

    /// A double click on a pass completes its micro-batch; undo takes it back in one step.
    void aDoubleClickCompletesAMicroBatch()
    {
        openFirst();
        trigger("learn.place");
        TimelineView& view = m_window->schedulePage()->timeline();
        QTest::mouseDClick(view.viewport(), Qt::LeftButton, {},
                           view.rectangleOf({0, 0}).center().toPoint());
        QVERIFY(says(*m_window, QStringLiteral("Solved")));
        m_window->schedulePage()->document().undoStack().undo();
        QVERIFY(says(*m_window, QStringLiteral("1 of 4")));
    }

    /// Solved, the own point stands beside the families.
    void theFieldIsShownWhenSolved()
    {
        openFirst();
        auto* chart = m_window->findChild<FieldChart*>();
        QVERIFY(chart->isHidden());
        trigger("learn.run");
        QVERIFY(says(*m_window, QStringLiteral("Solved")));
        QTRY_VERIFY(!m_window->findChild<FieldChart*>()->isHidden());
        chart = m_window->findChild<FieldChart*>();
        QVERIFY2(chart->words().startsWith(QStringLiteral("you: ")), qPrintable(chart->words()));
        QVERIFY(chart->words().contains(QStringLiteral("GPipe")));
        button(*m_window, "lesson-reset")->click();
        QVERIFY(m_window->findChild<FieldChart*>()->isHidden());
    }

    /// A word with dots opens the glossary at its place.
    void aWordOpensTheGlossary()
    {
        openFirst();
        MarkedText* marked = nullptr;
        for (MarkedText* one : m_window->findChild<LessonPanel*>()->findChildren<MarkedText*>())
            if (marked == nullptr && !one->words().empty())
                marked = one;
        QVERIFY(marked != nullptr);
        const int word = marked->words().front();
        Q_EMIT marked->wordAsked(word);
        auto* manual = m_window->findChild<ManualWindow*>();
        QVERIFY(manual != nullptr && manual->isVisible());
        QCOMPARE(manual->page(), QStringLiteral("glossary"));
        const auto* view = manual->findChild<ManualView*>();
        QVERIFY2(view->textCursor().block().text().startsWith(
                     glossaryWords()[std::size_t(word)].word + QLatin1Char(':')),
                 qPrintable(view->textCursor().block().text()));
    }

    void everyLessonCanBeWalkedThrough()
    {
        m_window->commands()
            .action(QStringLiteral("learn.lesson.01-devices-and-passes"))
            ->trigger();
        int steps = 0;
        for (const ShippedLesson& shipped : shippedLessons())
            steps += static_cast<int>(readLesson(shipped.text, "x")->steps.size());
        for (int i = 1; i < steps; ++i)
            m_window->commands().action(QStringLiteral("learn.next"))->trigger();
        QVERIFY(says(*m_window, QStringLiteral("Lesson %1 of %1").arg(shippedLessons().size())));
        // Every lesson that was come to stays open.
        QVERIFY(m_window->commands().action(QStringLiteral("learn.lesson.05-1f1b"))->isEnabled());
    }

private:
    void openFirst()
    {
        m_window->commands()
            .action(QStringLiteral("learn.lesson.01-devices-and-passes"))
            ->trigger();
    }

    void trigger(const char* id)
    {
        m_window->commands().action(QString::fromLatin1(id))->trigger();
    }

    QTemporaryDir m_home;
    std::unique_ptr<MainWindow> m_window;
};

PW_WINDOW_TEST(TestLessonDock)
#include "tst_lesson_dock.moc"
