// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/waits.h"
#include "tests/support/buttons.h"
#include "tests/support/patience.h"
#include "tests/support/stored_runs.h"
#include "tests/support/test_program.h"
#include "ui/charts/step_chart.h"
#include "ui/presentation.h"
#include "ui/runs/run_adaptive_view.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/run_page.h"
#include "ui/workspace/chart_stack.h"

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace pw;
using namespace pw::ui;

namespace {

/// Waits until the page has an iteration with its samples.
bool complete(const RunPage& page)
{
    return QTest::qWaitFor([&page] { return page.records() != nullptr; }, test::longest);
}

/// What the store keeps beside a stretch of a training whose k follows the network.
std::string stretchSettings(int k, Ticks iteration)
{
    const QJsonObject stretch{
        {"training", "7"},
        {"first_iteration", 3 * (k - 1)},
        {"start_ns", static_cast<qint64>(3 * (k - 1) * iteration)},
        {"every", 3},
        {"k", k},
        {"micro_batch", 1},
        {"micro_batches", 8},
        {"reason", k == 1 ? QString() : QStringLiteral("iteration 3: messages took longer")}};
    return QJsonDocument(QJsonObject{{"adaptive", stretch}})
        .toJson(QJsonDocument::Compact)
        .toStdString();
}

} // namespace

class TestRunPage : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void init()
    {
        QVERIFY(m_folder.isValid());
        m_path = m_folder.filePath(QStringLiteral("%1.sqlite").arg(++m_count));
    }

    void aRunIsShownBesideItsPlan()
    {
        const test::FamilyRun plan = test::plannedRun("zb-v");
        test::storeRun(m_path, plan, "ZB-V · 4 × 8", "zb-v");
        RunHistory history(m_path);
        RunPage page(history, 1);
        page.resize(1000, 700);
        page.show();
        QCOMPARE(page.title(), QStringLiteral("run 1"));
        QVERIFY(page.shown() == nullptr);
        QVERIFY(complete(page));
        QCOMPARE(page.title(), QStringLiteral("run 1 · ZB-V · 4 × 8"));
        QCOMPARE(page.timeline().lanes()->spanCount(),
                 static_cast<std::size_t>(plan.schedule.entryCount()));
        QVERIFY2(page.figures().contains(QStringLiteral("iteration")), qPrintable(page.figures()));
        QVERIFY2(page.figures().contains(QStringLiteral("0.0 %")), qPrintable(page.figures()));
        const RunFigures& kept = page.shown()->details.run.figures;
        QVERIFY(kept.predictedLow > 0 && kept.predictedLow < kept.predictedHigh);
        const QString expected = QStringLiteral("expected %1 to %2 nine times in ten")
                                     .arg(durationText(static_cast<double>(kept.predictedLow)),
                                          durationText(static_cast<double>(kept.predictedHigh)));
        QVERIFY2(page.figures().contains(expected), qPrintable(page.figures()));
        QVERIFY(page.range().showsAll());
        QVERIFY(!page.charts().memory().legend().isEmpty());
    }

    void anotherIterationKeepsTheSelectedPass()
    {
        const test::FamilyRun plan = test::plannedRun("1f1b");
        test::storeRun(m_path, plan, "1F1B", "1f1b", 3,
                       [](std::int32_t iteration, const OrderEntry&, Ticks costs) {
                           return costs + iteration * 50'000;
                       });
        RunHistory history(m_path);
        RunPage page(history, 1);
        page.resize(1000, 700);
        page.show();
        QVERIFY(complete(page));
        QCOMPARE(page.shown()->iteration, 1); // the median of three
        auto* picker = page.findChild<QComboBox*>();
        QCOMPARE(picker->count(), 4); // the warm-up too
        const SpanRef chosen{2, 5};
        page.timeline().select(chosen);
        const Pass pass = page.shown()->lanes->pass(chosen);
        QSignalSpy loaded(&page, &RunPage::loaded);
        QTest::mouseClick(test::buttonOf(page, QStringLiteral("›")), Qt::LeftButton);
        QVERIFY(loaded.count() > 0 || loaded.wait(test::longest));
        QCOMPARE(page.shown()->iteration, 2);
        QVERIFY(page.shown()->lanes->pass(page.timeline().current()) == pass);
        QVERIFY(!test::buttonOf(page, QStringLiteral("›"))->isEnabled());
        QVERIFY(complete(page));
        // Backwards by key: the picker holds the focus as any field does.
        picker->setFocus();
        page.showIteration(-1);
        QVERIFY(QTest::qWaitFor([&] { return page.shown()->iteration == -1; }, test::longest));
        QVERIFY(page.figures().startsWith(QStringLiteral("warm-up 1")));
        QVERIFY(!test::buttonOf(page, QStringLiteral("‹"))->isEnabled());
    }

    void anAdaptiveTrainingShowsKOverTime()
    {
        // Two stretches of a training, and a run of another kind between them.
        const test::FamilyRun plan = test::plannedRun("kfkb");
        for (const int k : {1, 0, 2}) {
            if (k == 0) {
                test::storeRun(m_path, plan, "kFkB", "kfkb");
                continue;
            }
            Result<RunStore> store = RunStore::open(m_path.toStdString());
            NewRun run = test::newRun(plan.schedule, plan.costs, "a stretch", "kfkb");
            run.settings = stretchSettings(k, plan.result.makespan);
            RunWriter writer = *store->begin(run);
            QVERIFY(writer.append(test::recordedRun(plan.schedule, plan.costs, 0, 3)));
            QVERIFY(writer.finish(RunStatus::Finished, {}));
        }
        RunHistory history(m_path);
        RunPage page(history, 3);
        page.resize(1000, 900);
        page.show();
        QTRY_VERIFY_WITH_TIMEOUT(page.adaptive().training().has_value(), test::longest);
        QVERIFY(page.adaptive().isVisible());
        QCOMPARE(page.adaptive().training()->iterations.size(), std::size_t{6});
        QVERIFY2(page.adaptive().sentence().contains(QStringLiteral("1 switch of k")),
                 qPrintable(page.adaptive().sentence()));
        QVERIFY(page.adaptive().sentence().contains(QStringLiteral("messages took longer")));
        QCOMPARE(page.adaptive().groups().legend().size(), 2);
        test::buttonOf(page, QStringLiteral("k over time"))->click();
        QVERIFY(!page.adaptive().isVisible());

        RunPage other(history, 2);
        other.resize(1000, 700);
        other.show();
        QVERIFY(complete(other));
        QTest::qWait(50);
        QVERIFY(!other.adaptive().training());
        QVERIFY(test::buttonOf(other, QStringLiteral("k over time"))->isHidden());
    }

    void thePointerSaysWhatWasPlannedAndWhatWasWaitedFor()
    {
        const test::FamilyRun plan = test::plannedRun("1f1b");
        test::storeRun(m_path, plan, "1F1B", "1f1b");
        RunHistory history(m_path);
        RunPage page(history, 1);
        page.resize(1000, 700);
        page.show();
        QVERIFY(complete(page));
        QSignalSpy told(&page, &Page::told);
        QWidget* lanes = page.timeline().viewport();
        const QRectF first = page.timeline().rectangleOf({1, 0});
        QTest::mouseMove(lanes, first.center().toPoint());
        QVERIFY(!told.isEmpty());
        const QString pass = told.last().at(0).toString();
        QVERIFY2(pass.startsWith(QStringLiteral("F of micro-batch 0 on stage 1")),
                 qPrintable(pass));
        QVERIFY2(pass.contains(QStringLiteral("took 1 ms, planned 1 ms")), qPrintable(pass));
        QTest::mouseMove(lanes, QPoint(static_cast<int>(first.left()) - 4,
                                       static_cast<int>(first.center().y())));
        const QString gap = told.last().at(0).toString();
        QVERIFY2(gap.startsWith(QStringLiteral("device 1 idles for 1.1 ms: waits for F of "
                                               "micro-batch 0 on stage 0 on device 0")),
                 qPrintable(gap));
        QTest::mouseMove(lanes, QPoint(5, 5));
        QVERIFY(told.last().at(0).toString().isEmpty());
    }

    void keysWalkAlongArrowsAsInASchedule()
    {
        const test::FamilyRun plan = test::plannedRun("gpipe");
        test::storeRun(m_path, plan, "GPipe", "gpipe");
        RunHistory history(m_path);
        RunPage page(history, 1);
        page.resize(1000, 700);
        page.show();
        QVERIFY(complete(page));
        page.timeline().select({0, 0});
        QCOMPARE(page.timeline().overlay().arrows.size(), std::size_t{1});
        for (int device = 1; device < 4; ++device) {
            QTest::keyClick(&page.timeline(), Qt::Key_BracketRight);
            QCOMPARE(page.shown()->lanes->pass(page.timeline().current()).stage, device);
        }
        QTest::keyClick(&page.timeline(), Qt::Key_BracketLeft);
        QCOMPARE(page.timeline().current().lane, 2);
    }

    void theDecidingChainIsMarked()
    {
        const test::FamilyRun plan = test::plannedRun("1f1b");
        test::storeRun(m_path, plan, "1F1B", "1f1b");
        RunHistory history(m_path);
        RunPage page(history, 1);
        page.resize(1000, 700);
        page.show();
        QVERIFY(complete(page));
        QVERIFY(page.timeline().overlay().critical.empty());
        QTest::mouseClick(test::buttonOf(page, QStringLiteral("Deciding chain")), Qt::LeftButton);
        QCOMPARE(
            page.timeline().overlay().critical.size(),
            decidingChain(plan.schedule, page.shown()->measured, page.records()->arrivals).size());
        QTest::mouseClick(test::buttonOf(page, QStringLiteral("Deciding chain")), Qt::LeftButton);
        QVERIFY(page.timeline().overlay().critical.empty());
    }

    void whatWasMeasuredIsNotMoved()
    {
        const test::FamilyRun plan = test::plannedRun("1f1b");
        test::storeRun(m_path, plan, "1F1B", "1f1b");
        RunHistory history(m_path);
        RunPage page(history, 1);
        page.resize(1000, 700);
        page.show();
        QVERIFY(complete(page));
        const LanesPtr before = page.timeline().lanes();
        QWidget* lanes = page.timeline().viewport();
        const QPoint at = page.timeline().rectangleOf({0, 3}).center().toPoint();
        QTest::mousePress(lanes, Qt::LeftButton, {}, at);
        QTest::mouseMove(lanes, at + QPoint(60, 0));
        QTest::mouseRelease(lanes, Qt::LeftButton, {}, at + QPoint(60, 0));
        QCOMPARE(page.timeline().lanes(), before);
        QCOMPARE(page.timeline().current(), (SpanRef{0, 3}));
    }

    void aRunThatCannotBeShownSaysWhy_data()
    {
        QTest::addColumn<qint64>("number");
        QTest::addColumn<QString>("words");
        QTest::newRow("without a pass") << qint64{1} << QStringLiteral("run 1 has no pass");
        QTest::newRow("of a damaged project") << qint64{2} << QStringLiteral("run 2: ");
        QTest::newRow("that is not there") << qint64{9} << QStringLiteral("has no run 9");
    }
    void aRunThatCannotBeShownSaysWhy()
    {
        QFETCH(qint64, number);
        QFETCH(QString, words);
        const test::FamilyRun plan = test::plannedRun("1f1b");
        {
            RunStore store = *RunStore::open(m_path.toStdString());
            RunWriter first = *store.begin(test::newRun(plan.schedule, plan.costs, "a", "1f1b"));
            QVERIFY(first.finish(RunStatus::Failed, {}));
            NewRun odd = test::newRun(plan.schedule, plan.costs, "b", "1f1b");
            odd.project = "{";
            RunWriter second = *store.begin(odd);
            QVERIFY(second.finish(RunStatus::Failed, {}));
        }
        RunHistory history(m_path);
        RunPage page(history, number);
        page.resize(800, 500);
        page.show();
        QVERIFY(QTest::qWaitFor([&] { return !page.problem().isEmpty(); }, test::longest));
        QVERIFY2(page.problem().contains(words), qPrintable(page.problem()));
        QVERIFY(page.figures().isEmpty());
        const auto labels = page.findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
            return label->isVisible() && label->text().contains(words);
        }));
    }

    void aFaultIsShownAboveWhatWasRecorded()
    {
        const test::FamilyRun plan = test::plannedRun("1f1b");
        test::storeChanged(m_path, plan, RunStatus::Failed, [](RunBatch& batch) {
            batch.passes.resize(batch.passes.size() - 5);
            batch.faults.push_back(
                {RankId(2), RankId(1), "PP:2F3", "rank 2 waited for rank 1 in vain"});
        });
        RunHistory history(m_path);
        RunPage page(history, 1);
        page.resize(900, 600);
        page.show();
        QVERIFY(complete(page));
        QCOMPARE(page.shown()->unrecorded, std::int64_t{5});
        const auto labels = page.findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->isVisible() &&
                   label->text() ==
                       QStringLiteral("rank 2 waited for rank 1 in vain\n5 of 64 passes of this "
                                      "iteration were not recorded.");
        }));
    }

    void guessedTimesAreHatchedAndToldApart()
    {
        const test::FamilyRun plan = test::plannedRun("1f1b");
        test::storeChanged(m_path, plan, RunStatus::Finished, [&plan](RunBatch& batch) {
            test::trustHost(batch);
            test::guess(batch, RankId(1), plan.schedule.begin(DeviceId(1)));
        });
        RunHistory history(m_path);
        RunPage page(history, 1);
        page.resize(1200, 700);
        page.show();
        QVERIFY(complete(page));
        const Lane& lane = page.shown()->lanes->lanes()[1];
        QCOMPARE(int(lane.look[0].guessed), 1);
        QCOMPARE(int(lane.look[1].guessed), 0);
        const auto says = [&page](const char* words) {
            const auto labels = page.findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
                return label->isVisible() && label->text().contains(QString::fromLatin1(words));
            });
        };
        QVERIFY(says("Times that were guessed are hatched: 1 of 64."));
        QVERIFY(says("How times are known: host clock 63, guessed 1."));
        // The ground shows through the hatching, and through nothing else.
        const QImage drawn = page.timeline().viewport()->grab().toImage();
        const auto ground = [&](SpanRef span) {
            const QRect box = page.timeline().rectangleOf(span).toRect().adjusted(3, 3, -3, -3);
            int pixels = 0;
            for (int y = box.top(); y <= box.bottom(); ++y)
                for (int x = box.left(); x <= box.right(); ++x)
                    pixels += drawn.pixelColor(x, y) == color(Role::Lane) ? 1 : 0;
            return pixels;
        };
        QVERIFY(ground({1, 0}) > 0);
        QCOMPARE(ground({1, 1}), 0);
        QSignalSpy told(&page, &Page::told);
        QTest::mouseMove(page.timeline().viewport(),
                         page.timeline().rectangleOf({1, 0}).center().toPoint());
        QVERIFY(!told.isEmpty());
        QVERIFY(told.last().at(0).toString().endsWith(QStringLiteral("; time: guessed")));
    }

    void aNewTitleIsTakenOver()
    {
        const test::FamilyRun plan = test::plannedRun("1f1b");
        test::storeRun(m_path, plan, "old", "1f1b");
        RunHistory history(m_path);
        history.refresh();
        RunPage page(history, 1);
        QVERIFY(complete(page));
        QVERIFY(QTest::qWaitFor([&] { return history.run(1) != nullptr; }, test::longest));
        QSignalSpy titled(&page, &Page::titleChanged);
        history.rename(1, QStringLiteral("new"));
        QCOMPARE(titled.count(), 1);
        QCOMPARE(page.title(), QStringLiteral("run 1 · new"));
    }

private:
    QTemporaryDir m_folder;
    QString m_path;
    int m_count = 0;
};

PW_WINDOW_TEST(TestRunPage)
#include "tst_run_page.moc"
