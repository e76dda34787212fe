// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/guess.h"
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
#include "ui/presentation.h"
#include "ui/window/bench_page.h"
#include "ui/window/commands.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>
#include <QUndoStack>
#include <QWheelEvent>

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

/// The label that is shown with these words; null: none.
const QLabel* label(const MainWindow& window, const QString& words)
{
    for (const QLabel* one : window.findChild<LessonPanel*>()->findChildren<QLabel*>())
        if (!one->isHidden() && one->text() == words)
            return one;
    return nullptr;
}

/// Ids of what the list of a palette shows, without its headings, sorted.
QStringList listed(const PalettePanel& palette)
{
    QStringList ids;
    const QAbstractItemModel& rows = *palette.list()->model();
    for (int row = 0; row < rows.rowCount(); ++row)
        if (const QModelIndex index = rows.index(row, 0);
            index.data(PaletteModel::KindRole).toInt() != static_cast<int>(PaletteKind::Section))
            ids += index.data(PaletteModel::IdRole).toString();
    ids.sort();
    return ids;
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
        QCOMPARE(listed(*palette), QStringList({QStringLiteral("gpipe")}));
        QTRY_VERIFY(palette->height() < m_window->height() / 5);
        QVERIFY(palette->list()->verticalScrollBar()->maximum() == 0);
        trigger("learn.next");
        trigger("learn.next");
        QCOMPARE(listed(*palette), QStringList({QStringLiteral("1f1b"), QStringLiteral("gpipe")}));
        trigger("edit.find-in-palette");
        QVERIFY(palette->list()->hasFocus());
        Page* level = m_window->page();
        m_window->openProject(Project{});
        QVERIFY(tiles->isVisible() && palette->list()->isVisible());
        QVERIFY(listed(*palette).contains(QStringLiteral("zb-v"))); // all of it
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
        const QPushButton* next = button(*m_window, "lesson-next");
        // Where it is once the docks have their sizes.
        QPoint place;
        QTRY_VERIFY([&] {
            const QPoint before = place;
            place = next->mapToGlobal(next->rect().center());
            QTest::qWait(100);
            return before == place;
        }());
        for (const LessonAct& act : level.demonstration) {
            QVERIFY(!says(*m_window, QStringLiteral("Solved")));
            const auto edit = editOf(level, document.project(), act);
            QVERIFY(edit);
            QVERIFY(document.edit(*edit, QStringLiteral("x")));
        }
        QVERIFY(says(*m_window, QStringLiteral("Solved.")));
        QVERIFY(next->isEnabled());
        // The news is in sight, and what to press has the colour of that.
        auto* scroll = m_window->findChild<LessonPanel*>()->findChild<QScrollArea*>();
        const QLabel* solved = label(*m_window, QStringLiteral("Solved."));
        QVERIFY(solved != nullptr);
        QTRY_VERIFY(scroll->viewport()->rect().contains(
            QRect(solved->mapTo(scroll->viewport(), QPoint()), solved->size())));
        QCOMPARE(next->palette().color(QPalette::Active, QPalette::Button), color(Role::Accent));
        // No family has been shown yet, so none is named beside the solution.
        QTest::qWait(50);
        QVERIFY(!m_window->findChild<FieldChart*>()->isVisible());
        QCOMPARE(next->mapToGlobal(next->rect().center()), place);
        const LessonProgress kept;
        const LevelResult* result = kept.results().find("01-devices-and-passes", 0);
        QVERIFY(result != nullptr && result->solved);
        QCOMPARE(result->tries, 1); // four passes, but one order
        button(*m_window, "lesson-next")->click();
        QVERIFY(says(*m_window, QStringLiteral("step 2 of")));
    }

    /// A prediction is one: nothing says the answer before, the first one stays, and it lies over
    /// the lanes then and when the step is opened again.
    void aPredictionIsKeptAndLiesOverTheLanes()
    {
        constexpr std::uint32_t seed = 4;
        cleanup();
        QSettings().setValue(QStringLiteral("lessons/seed"), seed);
        init();
        trigger("learn.forget");
        trigger("learn.unlock-all");
        trigger("learn.lesson.01-devices-and-passes");
        trigger("learn.next");
        QVERIFY(says(*m_window, QStringLiteral("par ?")));
        QVERIFY(!says(*m_window, QStringLiteral("par 9 ms")));
        QVERIFY(!m_window->schedulePage()->timeline().overlay().guess);
        const auto answer = [&](int index) {
            return button(*m_window, qPrintable(QStringLiteral("lesson-answer-%1").arg(index)));
        };
        // In an order of this person's own.
        const std::vector<int> order = answerOrder(3, seed, "01-devices-and-passes 1 0");
        QCOMPARE(order, (std::vector<int>{2, 0, 1}));
        for (std::size_t i = 1; i < order.size(); ++i)
            QTRY_VERIFY(answer(order[i - 1])->y() < answer(order[i])->y());
        answer(0)->click(); // 12 ms; it is 9
        QVERIFY(says(*m_window, QStringLiteral("Not quite.")));
        QVERIFY(says(*m_window, QStringLiteral("par 9 ms")));
        QCOMPARE(m_window->schedulePage()->timeline().overlay().guess.value_or(0), 12 * ticksPerMs);
        QVERIFY(!answer(2)->isEnabled());
        const auto bars = [&] {
            return m_window->findChild<LessonPanel*>()->findChild<QWidget*>(
                QStringLiteral("lesson-guess"));
        };
        QVERIFY(bars() != nullptr && !bars()->isHidden());
        trigger("learn.next");
        QVERIFY(!m_window->schedulePage()->timeline().overlay().guess);
        trigger("learn.back");
        QVERIFY(says(*m_window, QStringLiteral("Not quite.")));
        QVERIFY(answer(0)->isChecked() && !answer(0)->isEnabled());
        QVERIFY(bars() != nullptr && !bars()->isHidden());
        QCOMPARE(m_window->schedulePage()->timeline().overlay().guess.value_or(0), 12 * ticksPerMs);
        QCOMPARE(LessonProgress::seed(), seed); // forgetting leaves it
        const LessonProgress kept;
        QCOMPARE(kept.results().answers.size(), std::size_t{1});
        QCOMPARE(kept.results().answers.front().chosen, 0); // its own index, wherever it stood
        trigger("learn.unlock-all");
    }

    /// Whoever looks something up in another lesson finds the level as it was left.
    void whatIsUnsolvedIsThereAgain()
    {
        trigger("learn.unlock-all");
        trigger("learn.lesson.23-weights-in-pieces");
        const auto passes = [&] {
            std::size_t count = 0;
            for (const auto& order : m_window->schedulePage()->document().project().draft.orders)
                count += order.size();
            return count;
        };
        const auto elsewhereAndBack = [&] {
            trigger("learn.lesson.05-1f1b");
            trigger("learn.lesson.23-weights-in-pieces");
        };
        trigger("learn.place");
        trigger("learn.place");
        QCOMPARE(passes(), std::size_t{2});
        elsewhereAndBack();
        QCOMPARE(passes(), std::size_t{2});
        QVERIFY(says(*m_window, QStringLiteral("▼ weights gathered at most 6 times")));
        // Begun anew it is empty, and stays so.
        button(*m_window, "lesson-reset")->click();
        QCOMPARE(passes(), std::size_t{0});
        elsewhereAndBack();
        QCOMPARE(passes(), std::size_t{0});
        // What a demonstration has put there is nobody's work.
        button(*m_window, "lesson-play")->click();
        QTRY_VERIFY(passes() > 2);
        elsewhereAndBack();
        QCOMPARE(passes(), std::size_t{0});
        trigger("learn.unlock-all");
    }

    /// As the goal counts them; a level that does not count them has no marks.
    void whereWeightsAreGatheredIsMarked()
    {
        trigger("learn.unlock-all");
        trigger("learn.lesson.23-weights-in-pieces");
        const auto gathers = [&] { return m_window->schedulePage()->timeline().overlay().gathers; };
        QVERIFY(gathers().empty());
        trigger("learn.place"); // F0 of stage 0
        QCOMPARE(gathers(), (std::vector<SpanRef>{{0, 0}}));
        button(*m_window, "lesson-play")->click();
        QTRY_COMPARE(gathers().size(), std::size_t{6});
        QCOMPARE(gathers()[1], (SpanRef{0, 2})); // F0 of its second chunk, after F0 and F1
        QVERIFY(says(*m_window, QStringLiteral("▼ weights gathered at most 6 times")));
        trigger("learn.unlock-all");
    }

    /// Nothing solves a level but the person: neither a rule, nor a search, nor a family's block.
    void theStudioDoesNotSolveALevel()
    {
        trigger("learn.unlock-all");
        trigger("learn.lesson.05-1f1b");
        for (const char* id : {"schedule.finish.backward-first", "schedule.finish.forward-first",
                               "schedule.finish.zero-bubble", "schedule.improve"}) {
            QAction* action = m_window->commands().action(QString::fromLatin1(id));
            QVERIFY2(action != nullptr && !action->isEnabled(), id);
        }
        // A schedule of one's own is finished as before.
        trigger("file.new-empty");
        QVERIFY(m_window->commands()
                    .action(QStringLiteral("schedule.finish.backward-first"))
                    ->isEnabled());
        trigger("learn.lesson.11-v-shapes");
        auto* bench = qobject_cast<BenchPage*>(m_window->page());
        QVERIFY(bench != nullptr);
        const auto menus = bench->panel().findChildren<QMenu*>();
        QMenu* start = nullptr;
        for (QMenu* menu : menus) {
            Q_EMIT menu->aboutToShow();
            for (const QAction* action : menu->actions())
                start = action->objectName() == QStringLiteral("empty") ? menu : start;
        }
        QVERIFY(start != nullptr);
        for (const QAction* action : start->actions())
            QVERIFY(action->objectName() != QStringLiteral("v-min"));
        trigger("learn.unlock-all");
    }

    /// What was shown whole is said to be shown, and is kept as no solution.
    void aDemonstrationIsNoSolution()
    {
        trigger("learn.unlock-all");
        trigger("learn.lesson.06-uneven-memory");
        button(*m_window, "lesson-play")->click();
        QTRY_VERIFY_WITH_TIMEOUT(
            says(*m_window, QStringLiteral("Shown, not solved: it counts for nothing.")), 20'000);
        const LessonProgress kept;
        const LevelResult* result = kept.results().find("06-uneven-memory", 0);
        QVERIFY(result == nullptr || !result->solved);
        trigger("learn.unlock-all");
    }

    void theDemonstrationPlays()
    {
        m_window->commands()
            .action(QStringLiteral("learn.lesson.01-devices-and-passes"))
            ->trigger();
        button(*m_window, "lesson-play")->click();
        QTRY_VERIFY_WITH_TIMEOUT(says(*m_window, QStringLiteral("Shown, not solved")), 10'000);
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
        // What the second one tells of, it shows in its lane.
        const auto& shown = m_window->schedulePage()->timeline().overlay().ready;
        QCOMPARE(shown.size(), std::size_t{1});
        QCOMPARE(shown.front().lane, 0);
        hint->click();
        QVERIFY(!hint->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(!says(*m_window, QStringLiteral("0 of 4")), 5'000);
    }

    /// Where a schedule is to be chosen, those of the level stand in the lesson.
    void theSchedulesOfALevelCanBeChosen()
    {
        trigger("learn.unlock-all");
        trigger("learn.lesson.03-m-at-least-4k");
        const auto lesson = shippedLesson("03-m-at-least-4k");
        const LessonLevel& level = lesson->level(0);
        auto* choices = m_window->findChild<QComboBox*>(QStringLiteral("lesson-choice"));
        QVERIFY(choices != nullptr);
        QCOMPARE(choices->count(), static_cast<int>(level.choices.size()));
        bool solved = false;
        for (int i = 0; i < choices->count() && !solved; ++i) {
            choices->setCurrentIndex(i);
            Q_EMIT choices->activated(i);
            QCOMPARE(choices->currentIndex(), i);
            QCOMPARE(m_window->schedulePage()->document().project().family->options.microBatches,
                     level.choices[std::size_t(i)].options.microBatches);
            solved = says(*m_window, QStringLiteral("Solved"));
        }
        QVERIFY(solved);
        m_window->schedulePage()->undoStack()->undo();
        QVERIFY(!says(*m_window, QStringLiteral("Solved")));
        // Who scrolls the lesson comes over the list, and chooses nothing.
        const int chosen = choices->currentIndex();
        const QPointF at(choices->rect().center());
        for (const int turn : {-120, 120}) {
            QWheelEvent wheel(at, choices->mapToGlobal(at), {}, {0, turn}, Qt::NoButton,
                              Qt::NoModifier, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(choices, &wheel);
            QCOMPARE(choices->currentIndex(), chosen);
        }
        trigger("learn.unlock-all");
    }

    /// A level about a block is worked on where blocks are drawn, and judged as they change.
    void aBlockIsDrawnOnTheBench()
    {
        trigger("learn.unlock-all");
        trigger("learn.lesson.11-v-shapes");
        const auto lesson = shippedLesson("11-v-shapes");
        const LessonLevel& level = lesson->level(0);
        auto* bench = qobject_cast<BenchPage*>(m_window->page());
        QVERIFY(bench != nullptr);
        // Its passes are given: the palette has no others.
        int tiles = 0;
        for (const QWidget* tile :
             m_window->findChild<PassTiles*>()->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
            tiles += tile->isVisible() ? 1 : 0;
        QCOMPARE(tiles, 3); // F, B, W
        BenchModel& model = bench->panel().model();
        QVERIFY(model.block().passes == level.start.blocks.front().passes);
        QVERIFY(!says(*m_window, QStringLiteral("Solved")));
        QVERIFY(model.start(play(level, level.start)->blocks.front(), QStringLiteral("x")));
        QVERIFY(says(*m_window, QStringLiteral("Solved, medals: 1")));
        QVERIFY(bench->target()->document().project().blocks.front() == model.block());
        model.undoStack().undo();
        QVERIFY(!says(*m_window, QStringLiteral("Solved")));
        // And the other way round: what is shown for a person, and the next level.
        button(*m_window, "lesson-play")->click();
        QTRY_VERIFY_WITH_TIMEOUT(says(*m_window, QStringLiteral("Shown, not solved")), 10'000);
        QVERIFY(model.block() == bench->target()->document().project().blocks.front());
        trigger("learn.next");
        QVERIFY(model.block().passes == lesson->level(1).start.blocks.front().passes);
        trigger("learn.unlock-all");
    }

    /// One level after the other, each another one.
    void practiceGoesOn()
    {
        QSettings().setValue(QStringLiteral("lessons/practice"), 4);
        trigger("learn.practice");
        QTRY_VERIFY(says(*m_window, QStringLiteral("Practice 4 · step 1 of 1")));
        QVERIFY(!button(*m_window, "lesson-next")->isEnabled());
        button(*m_window, "lesson-play")->click();
        QTRY_VERIFY_WITH_TIMEOUT(says(*m_window, QStringLiteral("Shown, not solved")), 10'000);
        button(*m_window, "lesson-next")->click();
        QTRY_VERIFY(says(*m_window, QStringLiteral("Practice 5 · step 1 of 1")));
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
    /// Layers move by buttons, and the lanes and the goals follow.
    void layersMoveBetweenStages()
    {
        trigger("learn.unlock-all");
        trigger("learn.lesson.19-layers-that-move");
        auto* palette = m_window->findChild<PalettePanel*>();
        QVERIFY(!palette->findChild<PassTiles*>()->isVisible());
        QVERIFY(says(*m_window, QStringLiteral("3 layers")));
        QVERIFY(!says(*m_window, QStringLiteral("Solved")));
        QTest::mouseClick(button(*m_window, "layer-3-2"), Qt::LeftButton);
        QVERIFY(says(*m_window, QStringLiteral("2 layers")));
        QVERIFY(says(*m_window, QStringLiteral("Solved")));
        QVERIFY(button(*m_window, "lesson-next")->isEnabled());
        QTest::mouseClick(button(*m_window, "layer-3-2"), Qt::LeftButton);
        QVERIFY(says(*m_window, QStringLiteral("1 layer")));
        QVERIFY(!button(*m_window, "layer-3-2")->isEnabled()); // a stage keeps one
        // What was solved is kept, and stands beside par when the level begins anew.
        QTest::mouseClick(button(*m_window, "lesson-reset"), Qt::LeftButton);
        QVERIFY(says(*m_window, QStringLiteral("3 layers")));
        QVERIFY(says(*m_window, QStringLiteral("best: ")));
        QVERIFY(button(*m_window, "lesson-mine")->isVisible());
        QTest::mouseClick(button(*m_window, "lesson-mine"), Qt::LeftButton);
        QVERIFY(says(*m_window, QStringLiteral("Solved")));
        QTest::mouseClick(button(*m_window, "lesson-reset"), Qt::LeftButton);
        QTest::mouseClick(button(*m_window, "layer-3-2"), Qt::LeftButton);
        QTest::mouseClick(button(*m_window, "layer-3-2"), Qt::LeftButton);
        m_window->schedulePage()->document().undoStack().undo();
        QVERIFY(says(*m_window, QStringLiteral("2 layers")));
        trigger("learn.unlock-all");
    }

    /// A double click on a pass mends what slows it down, or sends its activation away.
    void aDoubleClickSaysYesOrNo()
    {
        trigger("learn.unlock-all");
        trigger("learn.lesson.20-a-slow-replica");
        QVERIFY(says(*m_window, QStringLiteral("mended: 0 of 1")));
        activate({3, 2});
        QVERIFY(says(*m_window, QStringLiteral("Solved")));
        QVERIFY(says(*m_window, QStringLiteral("mended: 1 of 1")));
        activate({3, 0}); // another pass of the same device
        QVERIFY(!says(*m_window, QStringLiteral("Solved")));
        QVERIFY(says(*m_window, QStringLiteral("mended: 0 of 1")));
        trigger("learn.next");
        activate({0, 0}); // the first of two alone changes nothing else that is told
        QVERIFY(says(*m_window, QStringLiteral("mended: 1 of 2")));
        trigger("learn.lesson.24-activations-in-the-host");
        QVERIFY(says(*m_window, QStringLiteral("Double-click a pass")));
        for (const auto& [lane, entry] : {std::pair{0, 0}, {0, 1}, {1, 0}, {1, 1}})
            activate({lane, entry});
        QCOMPARE(m_window->schedulePage()->document().project().offload.cells.size(),
                 std::size_t{4});
        QVERIFY(says(*m_window, QStringLiteral("Solved, medals: 1")));
        const Lane& first = m_window->schedulePage()->document().lanes()->lanes()[0];
        QVERIFY(first.look[0].leaves && first.look[1].leaves && !first.look[2].leaves);
        trigger("learn.unlock-all");
    }

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
        trigger("learn.unlock-all");
        trigger("learn.lesson.02-gpipe");
        QVERIFY(m_window->findChild<FieldChart*>()->isHidden());
        const auto lesson = shippedLesson("02-gpipe");
        const LessonLevel& level = lesson->level(0);
        ScheduleDocument& document = m_window->schedulePage()->document();
        for (const LessonAct& act : level.demonstration) {
            const auto edit = editOf(level, document.project(), act);
            QVERIFY(edit && document.edit(*edit, QStringLiteral("x")));
        }
        QVERIFY(says(*m_window, QStringLiteral("Solved")));
        QTRY_VERIFY(!m_window->findChild<FieldChart*>()->isHidden());
        const auto* chart = m_window->findChild<FieldChart*>();
        QVERIFY2(chart->words().startsWith(QStringLiteral("you: ")), qPrintable(chart->words()));
        QVERIFY(chart->words().contains(QStringLiteral("GPipe")));
        // Only what the course has shown up to here.
        QVERIFY(!chart->words().contains(QStringLiteral("ZB-V")));
        button(*m_window, "lesson-reset")->click();
        QVERIFY(m_window->findChild<FieldChart*>()->isHidden());
        trigger("learn.unlock-all");
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

    /// A double click on an entry.
    void activate(SpanRef span)
    {
        TimelineView& view = m_window->schedulePage()->timeline();
        QTest::mouseDClick(view.viewport(), Qt::LeftButton, {},
                           view.rectangleOf(span).center().toPoint());
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
