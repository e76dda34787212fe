// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/test_program.h"
#include "ui/document/schedule_document.h"
#include "ui/models/palette_item.h"
#include "ui/presentation.h"
#include "ui/timeline/drop_controller.h"

#include <QApplication>
#include <QDropEvent>
#include <QMimeData>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <memory>
#include <random>

using namespace pw;
using namespace pw::ui;

namespace {

constexpr int patience = 60'000; ///< with a view that moves on by itself

/// A project without passes: so many devices, each with one stage.
Project emptyProject(int devices, int microBatches)
{
    Project project;
    project.costs = UniformCosts{};
    project.draft.spec.devices = devices;
    project.draft.spec.microBatches = microBatches;
    project.draft.spec.routes = {Placement::linear(devices)};
    project.draft.orders.resize(static_cast<std::size_t>(devices));
    return project;
}

/// A document with its timeline, and the events of a drag over it.
struct Bench
{
    explicit Bench(Project project)
        : view(range)
        , drops(document, view)
    {
        document.reset(std::move(project));
        view.resize(900, 320);
        view.setLanes(document.lanes());
        QObject::connect(&document, &ScheduleDocument::resultChanged, &view,
                         [this] { view.setLanes(document.lanes()); });
        view.show();
    }

    QPointF at(int device, double part) const
    {
        const double left = TimeAxis::margin();
        const double height = view.viewport()->height();
        double y = 0;
        while (y < height && view.laneAt({left + 1, y}) != device)
            y += 1;
        return {left + part * view.room().width(), y + 12};
    }

    bool enter(const QString& item, QPointF point)
    {
        mime = std::make_unique<QMimeData>();
        mime->setData(QString::fromLatin1(paletteMimeType), item.toUtf8());
        QDragEnterEvent event(point.toPoint(), Qt::CopyAction, mime.get(), Qt::LeftButton,
                              Qt::NoModifier);
        QApplication::sendEvent(view.viewport(), &event);
        return event.isAccepted();
    }
    bool move(QPointF point)
    {
        QDragMoveEvent event(point.toPoint(), Qt::CopyAction, mime.get(), Qt::LeftButton,
                             Qt::NoModifier);
        QApplication::sendEvent(view.viewport(), &event);
        return event.isAccepted();
    }
    bool drop(QPointF point)
    {
        QDropEvent event(point, Qt::CopyAction, mime.get(), Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(view.viewport(), &event);
        return event.isAccepted();
    }
    void leave()
    {
        QDragLeaveEvent event;
        QApplication::sendEvent(view.viewport(), &event);
    }

    ScheduleDocument document;
    ViewRange range;
    TimelineView view;
    DropController drops;
    std::unique_ptr<QMimeData> mime;
};

Project familyProject(const char* id)
{
    return projectOf(id, FamilyOptions{}, UniformCosts{});
}

} // namespace

class TestDropController : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void whatIsHeldIsShownAndTheDropDoesIt_data()
    {
        QTest::addColumn<QString>("item");
        QTest::addColumn<QString>("hint");
        QTest::addColumn<int>("passes");
        QTest::newRow("a family") << QStringLiteral("family zb-v")
                                  << QStringLiteral("ZB-V for 8 micro-batches on 4 devices") << 192;
        QTest::newRow("a block") << QStringLiteral("block zb-h1 3")
                                 << QStringLiteral("next 3 micro-batches, interval 3") << 36;
        QTest::newRow("a pass") << QStringLiteral("pass F")
                                << QStringLiteral("F of micro-batch 0 on stage 2") << 1;
    }

    void whatIsHeldIsShownAndTheDropDoesIt()
    {
        QFETCH(const QString, item);
        QFETCH(const QString, hint);
        QFETCH(const int, passes);
        Bench bench(emptyProject(4, 8));
        const Project before = bench.document.project();
        QVERIFY(bench.enter(item, bench.at(2, 0.5)));
        QVERIFY(bench.move(bench.at(2, 0.6)));
        QCOMPARE(bench.drops.hint(), hint);
        QVERIFY(bench.drops.trial() != nullptr);
        QCOMPARE(static_cast<int>(bench.drops.ghosts().size()), passes);
        QVERIFY(bench.document.project() == before);
        QVERIFY(bench.drop(bench.at(2, 0.6)));
        QVERIFY(!bench.drops.holds());
        QCOMPARE(static_cast<int>(bench.document.times().begin.back()), passes);
        QCOMPARE(bench.document.undoStack().count(), 1);
        bench.document.undoStack().undo();
        QVERIFY(bench.document.project() == before);
    }

    void leavingLeavesNoTrace()
    {
        Bench bench(familyProject("1f1b"));
        const Project before = bench.document.project();
        QVERIFY(bench.enter(QStringLiteral("family gpipe"), bench.at(0, 0.5)));
        bench.leave();
        QVERIFY(!bench.drops.holds());
        QVERIFY(bench.drops.trial() == nullptr);
        QVERIFY(bench.drops.ghosts().empty());
        QVERIFY(bench.drops.hint().isEmpty());
        QVERIFY(bench.document.project() == before);
        QCOMPARE(bench.document.undoStack().count(), 0);
    }

    void onlyAPlaceThatMeansSomethingElseIsTried()
    {
        Bench bench(familyProject("1f1b"));
        bench.enter(QStringLiteral("family gpipe"), bench.at(0, 0.1));
        for (int i = 2; i < 9; ++i)
            bench.move(bench.at(i % 4, 0.1 * i));
        QCOMPARE(bench.drops.trialCount(), 1);
        bench.leave();
        Bench empty(emptyProject(3, 4));
        empty.enter(QStringLiteral("pass F"), empty.at(0, 0.1));
        empty.move(empty.at(0, 0.9));
        QCOMPARE(empty.drops.trialCount(), 1);
        empty.move(empty.at(1, 0.9));
        QCOMPARE(empty.drops.trialCount(), 2);
    }

    void aRefusedPlaceSaysWhy_data()
    {
        QTest::addColumn<QString>("item");
        QTest::addColumn<QString>("reason");
        QTest::newRow("a W before its B")
            << QStringLiteral("pass W") << QStringLiteral("no B that still waits for its W");
        QTest::newRow("a B before its F")
            << QStringLiteral("pass B") << QStringLiteral("no F that still waits");
        QTest::newRow("an update that nobody asks for")
            << QStringLiteral("pass U") << QStringLiteral("no optimizer updates");
        QTest::newRow("a block of the project that is not there")
            << QStringLiteral("own-block 2 4") << QStringLiteral("no block 3");
        QTest::newRow("a family that is not known")
            << QStringLiteral("family nonsense") << QStringLiteral("nonsense");
        QTest::newRow("a family without a block")
            << QStringLiteral("block gpipe 4") << QStringLiteral("has no building block");
    }

    void aRefusedPlaceSaysWhy()
    {
        QFETCH(const QString, item);
        QFETCH(const QString, reason);
        Bench bench(emptyProject(4, 8));
        const Project before = bench.document.project();
        QSignalSpy refused(&bench.drops, &DropController::refused);
        bench.enter(item, bench.at(1, 0.5));
        QVERIFY(!bench.move(bench.at(1, 0.5)));
        QVERIFY2(bench.drops.refusal().contains(reason), qPrintable(bench.drops.refusal()));
        QVERIFY(bench.drops.trial() == nullptr);
        QVERIFY(!bench.drop(bench.at(1, 0.5)));
        QCOMPARE(refused.count(), 1);
        QVERIFY(refused.first().first().toString().contains(reason));
        QVERIFY(bench.document.project() == before);
    }

    void whatIsLetGoOverARefusedPlaceSaysWhy()
    {
        Bench bench(emptyProject(4, 8));
        QSignalSpy refused(&bench.drops, &DropController::refused);
        bench.enter(QStringLiteral("pass B"), bench.at(1, 0.5));
        // No button is down any more when a drag ends where it was not accepted.
        bench.leave();
        QCOMPARE(refused.count(), 1);
        QVERIFY(
            refused.first().first().toString().contains(QStringLiteral("no F that still waits")));
        QVERIFY(!bench.drops.holds());
    }

    void atTheEdgeTheViewMovesOnUnderWhatIsHeld()
    {
        Bench bench(familyProject("1f1b"));
        const Project before = bench.document.project();
        const auto end = static_cast<double>(bench.document.result().makespan);
        bench.range.show(0, 0.7 * end);
        const QPointF edge(bench.view.room().right() - 2, bench.at(1, 0.5).y());
        bench.enter(QStringLiteral("pass F"), edge);
        bench.move(edge);
        const int trials = bench.drops.trialCount();
        QTRY_VERIFY_WITH_TIMEOUT(bench.range.end() >= end, patience);
        // The same point has become other places.
        QVERIFY(bench.drops.trialCount() > trials);
        bench.leave();
        QVERIFY(bench.document.project() == before);
    }

    void lanesBelowTheEdgeComeIntoSight()
    {
        // Lanes of a pixel each would be higher than the view.
        Bench bench(emptyProject(512, 4));
        QScrollBar* bar = bench.view.verticalScrollBar();
        QVERIFY(bar->maximum() > 0);
        const QPointF edge(TimeAxis::margin() + 200, bench.view.viewport()->height() - 2);
        bench.enter(QStringLiteral("family 1f1b"), edge);
        QTRY_COMPARE_WITH_TIMEOUT(bar->value(), bar->maximum(), patience);
        bench.move(QPointF(edge.x(), 2));
        QTRY_COMPARE_WITH_TIMEOUT(bar->value(), 0, patience);
        bench.leave();
    }

    void aPassBesideTheLanesIsRefused()
    {
        Bench bench(emptyProject(2, 2));
        bench.enter(QStringLiteral("pass F"), QPointF(20, 20));
        QVERIFY(bench.drops.refusal().contains(QStringLiteral("over a lane")));
    }

    void otherDataIsLeftToOthers()
    {
        Bench bench(familyProject("1f1b"));
        bench.mime = std::make_unique<QMimeData>();
        bench.mime->setText(QStringLiteral("family zb-v"));
        QDragEnterEvent event(QPoint(300, 20), Qt::CopyAction, bench.mime.get(), Qt::LeftButton,
                              Qt::NoModifier);
        QApplication::sendEvent(bench.view.viewport(), &event);
        QVERIFY(!event.isAccepted());
        QVERIFY(!bench.drops.holds());
    }

    void theDroppedPassIsTheSelectedOne()
    {
        Bench bench(emptyProject(4, 8));
        bench.enter(QStringLiteral("pass F"), bench.at(3, 0.5));
        bench.drop(bench.at(3, 0.5));
        QCOMPARE(bench.view.current(), (SpanRef{3, 0}));
    }

    void anotherPassTakesItsPlaceInTheSameStep()
    {
        Bench bench(emptyProject(4, 8));
        const Project before = bench.document.project();
        bench.enter(QStringLiteral("pass F"), bench.at(1, 0.5));
        bench.drop(bench.at(1, 0.5));
        const std::vector<Pass> choices = bench.drops.choices();
        QVERIFY(choices.size() > 2);
        QCOMPARE(choices[2].microBatch, 2);
        bench.drops.choose(2);
        QVERIFY(bench.document.project().draft.orders[1] ==
                std::vector<OrderEntry>{single(choices[2])});
        QVERIFY(bench.drops.choices() == choices);
        QCOMPARE(bench.drops.choice(), std::size_t{2});
        QCOMPARE(bench.document.undoStack().count(), 1);
        bench.document.undoStack().undo();
        QVERIFY(bench.document.project() == before);
        QVERIFY(bench.drops.choices().empty());
    }

    void ofSeveralChunksTheOneThatCanRunIsMeant()
    {
        Project project = emptyProject(2, 2);
        project.draft.spec.routes = {Placement::vShape(2)};
        Bench bench(project);
        // Device 0 has stages 0 and 3: the F of stage 3 waits for what is not there.
        bench.enter(QStringLiteral("pass F"), bench.at(0, 0.5));
        QCOMPARE(bench.drops.hint(), QStringLiteral("F of micro-batch 0 on stage 0"));
        bench.drop(bench.at(0, 0.5));
        QCOMPARE(bench.drops.choices()[1].stage, 3);
    }

    void byKeyAPassGoesBehindTheSelectedOne()
    {
        Bench bench(emptyProject(2, 4));
        const PaletteItem forward{PaletteKind::Pass, QStringLiteral("F"), 0, 1};
        for (int i = 0; i < 3; ++i)
            bench.drops.place(forward);
        const DeviceOrders& orders = bench.document.project().draft.orders;
        QCOMPARE(orders[0].size(), std::size_t{3});
        QCOMPARE(orders[0][2].pass.microBatch, 2);
        bench.view.select({});
        bench.drops.place(forward);
        // Nothing is selected: where the first micro-batch can go on.
        QCOMPARE(orders[1].size(), std::size_t{1});
        QCOMPARE(orders[1][0].pass.microBatch, 0);
        QCOMPARE(orders[1][0].pass.stage, 1);
    }

    void blocksFollowOneAnotherAndTheScheduleGrows()
    {
        Bench bench(emptyProject(4, 8));
        for (const char* item : {"block zb-h1 5", "block zb-h1 5"}) {
            bench.enter(QString::fromLatin1(item), bench.at(0, 0.5));
            bench.drop(bench.at(0, 0.5));
        }
        QCOMPARE(bench.document.project().draft.spec.microBatches, 10);
        QVERIFY(bench.document.schedule() != nullptr);
    }

    void tablesOfCostsFollowTheFamily()
    {
        Project project = familyProject("1f1b");
        project.costs = expand(UniformCosts{}, project.draft.spec);
        Bench bench(project);
        bench.enter(QStringLiteral("family interleaved-1f1b"), bench.at(0, 0.5));
        QVERIFY2(bench.drops.refusal().isEmpty(), qPrintable(bench.drops.refusal()));
        QVERIFY(bench.drop(bench.at(0, 0.5)));
        QVERIFY(check(costsOf(bench.document.project()), bench.document.draft().spec));
        bench.document.undoStack().undo();
        QVERIFY(bench.document.project() == project);
    }

    void whateverIsDroppedCanBeUndone_data()
    {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 6; ++seed)
            QTest::addRow("seed %u", seed) << seed;
    }

    void whateverIsDroppedCanBeUndone()
    {
        QFETCH(const unsigned, seed);
        std::mt19937 random(seed);
        const auto below = [&](int end) { return static_cast<int>(random() % unsigned(end)); };
        const char* items[] = {"pass F",       "pass B",        "pass W",        "pass BW",
                               "pass R",       "pass F",        "block zb-h1 2", "block 1f1b 1",
                               "family gpipe", "family v-half", "pass F",        "pass BW",
                               "family zb-h2", "own-block 0 2", "block v-min 2"};
        Bench bench(emptyProject(4, 3));
        bench.document.setFreeEdit(below(2) == 0);
        std::vector<Project> projects{bench.document.project()};
        for (int i = 0; i < 30; ++i) {
            const QString item = QString::fromLatin1(items[below(15)]);
            const QPointF point = bench.at(below(4), 0.01 * below(100));
            bench.enter(item, point);
            bench.move(point);
            const bool fits = bench.drops.refusal().isEmpty();
            QVERIFY(fits == (bench.drops.trial() != nullptr));
            QSignalSpy refused(&bench.drops, &DropController::refused);
            const bool done = bench.drop(point);
            QCOMPARE(refused.count(), done ? 0 : 1);
            if (!done) {
                QVERIFY(!refused.first().first().toString().isEmpty());
                QVERIFY(bench.document.project() == projects.back());
                continue;
            }
            QVERIFY(fits);
            if (!bench.drops.choices().empty() && below(3) == 0)
                bench.drops.choose(static_cast<std::size_t>(
                    below(static_cast<int>(bench.drops.choices().size()))));
            projects.push_back(bench.document.project());
        }
        QUndoStack& history = bench.document.undoStack();
        QCOMPARE(history.count(), static_cast<int>(projects.size()) - 1);
        for (std::size_t i = projects.size(); i-- > 1;) {
            QVERIFY(bench.document.project() == projects[i]);
            history.undo();
        }
        QVERIFY(bench.document.project() == projects[0]);
        while (history.canRedo())
            history.redo();
        QVERIFY(bench.document.project() == projects.back());
    }
};

PW_WINDOW_TEST(TestDropController)
#include "tst_drop_controller.moc"
