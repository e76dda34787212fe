// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/job_traces.h"
#include "tests/support/read_traces.h"
#include "tests/support/stored_runs.h"
#include "tests/support/test_program.h"
#include "ui/document/background.h"
#include "ui/job/job_page.h"
#include "ui/job/job_words.h"
#include "ui/job/repairs_table.h"
#include "ui/job/step_strip.h"
#include "ui/job/worker_choice.h"
#include "ui/job/worker_map.h"
#include "ui/job/worker_spread.h"
#include "ui/job/workers_view.h"
#include "ui/panels/details_panel.h"
#include "ui/timeline/find_bar.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/activity_page.h"
#include "ui/window/jobs.h"
#include "ui/window/main_window.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>
#include <QToolButton>

#include <algorithm>
#include <memory>

using namespace pw;
using namespace pw::ui;

namespace {

ShownJobPtr shownOf(const test::MadeJob& made)
{
    Result<Trace> trace = importTraceText(test::megatronText(made), "trace.json");
    if (!trace)
        qFatal("%s", trace.error().message.c_str());
    auto pipelines =
        std::make_shared<const std::vector<AlignedPipeline>>(recoverAllAligned(*trace));
    const std::shared_ptr<ShownJob> job =
        shownJob(*trace, pipelines, analyseJob(*trace, *pipelines));
    if (job != nullptr)
        job->activity = std::make_shared<ShownActivity>(std::move(*trace));
    return job;
}

test::MadeJob slowWorker()
{
    test::MadeJob made;
    made.replicas = 6;
    made.slowReplica = 4;
    made.slowStage = 2;
    return made;
}

/// A page with its first step.
std::unique_ptr<JobPage> pageOf(const test::MadeJob& made)
{
    auto page = std::make_unique<JobPage>(shownOf(made), QStringLiteral("trace"));
    page->resize(1100, 800);
    page->show();
    return page;
}

QStringList groupsOf(const Lanes& lanes)
{
    QStringList groups;
    for (const Lane& lane : lanes.lanes())
        if (groups.isEmpty() || groups.last() != lane.group)
            groups += lane.group;
    return groups;
}

QString wordsOf(const PageDetails& details)
{
    QString words;
    for (const DetailsPart& part : details.parts) {
        words += part.heading + QLatin1Char('\n') + part.none + QLatin1Char('\n');
        for (const NumberRow& row : part.rows)
            words += row.name + QLatin1Char(' ') + row.value + QLatin1Char(' ') + row.note +
                     QLatin1Char('\n');
    }
    return words;
}

} // namespace

class TestJobPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatDiffersIsShownAndTheRestOnce()
    {
        const std::unique_ptr<JobPage> page = pageOf(slowWorker());
        QTRY_VERIFY(page->shown() != nullptr);
        const QStringList groups = groupsOf(*page->shown()->lanes);
        QCOMPARE(groups.size(), 2);
        QVERIFY2(groups[0].startsWith(QStringLiteral("Replica 4 differs")), qPrintable(groups[0]));
        QVERIFY2(groups[1].contains(QStringLiteral("5 replicas alike")), qPrintable(groups[1]));
        QVERIFY2(groups[1].contains(QStringLiteral("0–3, 5")), qPrintable(groups[1]));
        QCOMPARE(page->shown()->lanes->lanes().size(), std::size_t{8});
        QVERIFY(page->shown()->laneOf({4, DeviceId(2)}) >= 0);
        QVERIFY(page->shown()->laneOf({1, DeviceId(2)}) < 0 || page->shown()->alike.typical == 1);
    }

    void passesAreThoseOfTheirReplica()
    {
        const std::unique_ptr<JobPage> page = pageOf(slowWorker());
        QTRY_VERIFY(page->shown() != nullptr);
        const ShownStep& step = *page->shown();
        for (const ShownReplica& replica : step.replicas)
            for (std::size_t d = 0; d < replica.lanes->lanes().size(); ++d) {
                const int lane = replica.firstLane + static_cast<int>(d);
                const Lane& own = replica.lanes->lanes()[d];
                const Lane& shown = step.lanes->lanes()[static_cast<std::size_t>(lane)];
                QCOMPARE(shown.size(), own.size());
                for (std::size_t i = 0; i < own.size(); ++i) {
                    const SpanRef span{lane, static_cast<std::int64_t>(i)};
                    QVERIFY(step.lanes->pass(span) ==
                            replica.lanes->pass(step.ownSpan(replica, span)));
                    QCOMPARE(shown.start[i], own.start[i] + replica.shift);
                }
            }
        QCOMPARE(step.lanes->begin(), Ticks{0});
    }

    void aPassAndAGapAreExplained()
    {
        const std::unique_ptr<JobPage> page = pageOf(slowWorker());
        QTRY_VERIFY(page->shown() != nullptr);
        JobSource source;
        source.setStep(page->shown());
        const int lane = page->shown()->laneOf({4, DeviceId(2)});
        const HoverNews pass = source.describe({lane, 0}, lane, 0);
        QVERIFY2(pass.title.contains(QStringLiteral("replica 4")), qPrintable(pass.title));
        QVERIFY2(pass.lines.last().contains(QStringLiteral("median replica")),
                 qPrintable(pass.lines.last()));
        QVERIFY(!pass.lit.empty());
        // Stage 2 waits for its first forward.
        const Ticks start = page->shown()->lanes->lanes()[static_cast<std::size_t>(lane)].start[0];
        QVERIFY(start > 0);
        const HoverNews gap = source.describe({}, lane, static_cast<double>(start / 2));
        QVERIFY2(gap.title.contains(QStringLiteral("idles")), qPrintable(gap.title));
        QVERIFY(!gap.lines.isEmpty());
        QVERIFY(source.idle(lane, start / 2));
        QVERIFY(!source.linked({lane, 0}, 1).empty());
        QVERIFY(!source.strand({lane, 0}).empty());
        QVERIFY(!source.critical().empty());
    }

    void theMapLeadsToTheLanesAndBack()
    {
        const std::unique_ptr<JobPage> page = pageOf(slowWorker());
        QTRY_VERIFY(page->shown() != nullptr);
        const std::int32_t hidden = page->shown()->alike.typical == 0 ? 1 : 0;
        const Worker wanted{hidden, DeviceId(3)};
        QSignalSpy loaded(page.get(), &JobPage::loaded);
        const QRectF box = page->workers().map().boxOf(wanted);
        QCOMPARE(page->workers().map().workerAt(box.center()), std::optional<Worker>(wanted));
        QTest::mouseClick(page->workers().map().viewport(), Qt::LeftButton, {},
                          box.center().toPoint());
        QTRY_COMPARE(loaded.size(), 1);
        const int lane = page->shown()->laneOf(wanted);
        QVERIFY(lane >= 0);
        QCOMPARE(page->timeline().current().lane, lane);
        QCOMPARE(page->worker(), std::optional<Worker>(wanted));
        QVERIFY(
            wordsOf(page->details()).contains(QStringLiteral("stage 3 of replica %1").arg(hidden)));
        // And from a pass to the map.
        page->timeline().select({page->shown()->laneOf({4, DeviceId(1)}), 2});
        QCOMPARE(page->workers().choice().current(), std::optional<Worker>(Worker{4, DeviceId(1)}));
        QTest::keyClick(&page->workers().map(), Qt::Key_Down);
        QCOMPARE(page->workers().choice().current(), std::optional<Worker>(Worker{4, DeviceId(2)}));
        QTest::keyClick(&page->workers().map(), Qt::Key_Left);
        QCOMPARE(page->worker(), std::optional<Worker>(Worker{3, DeviceId(2)}));
    }

    /// The outlier stands alone at the right end, and is chosen there; keys go by value.
    void theSpreadLeadsToTheOutliers()
    {
        const std::unique_ptr<JobPage> page = pageOf(slowWorker());
        QTRY_VERIFY(page->shown() != nullptr);
        WorkerSpread& spread = page->workers().spread();
        QVERIFY(spread.isHidden() || !spread.isVisibleTo(page.get()));
        for (QToolButton* button : page->findChildren<QToolButton*>())
            if (button->text() == QStringLiteral("Spread"))
                button->click();
        QVERIFY(spread.isVisibleTo(page.get()) && !page->workers().map().isVisibleTo(page.get()));
        QVERIFY(spread.bars() > 4);
        std::size_t workers = 0;
        for (int bar = 0; bar < spread.bars(); ++bar)
            workers += spread.workersOf(bar).size();
        QCOMPARE(workers, std::size_t{24});
        const int last = spread.bars() - 1;
        QCOMPARE(spread.workersOf(last), (std::vector{Worker{4, DeviceId(2)}}));
        QTest::mouseClick(&spread, Qt::LeftButton, {}, spread.placeOf(last).center().toPoint());
        QCOMPARE(page->worker(), std::optional<Worker>(Worker{4, DeviceId(2)}));
        QTest::keyClick(&spread, Qt::Key_Left);
        QVERIFY(page->worker() != std::optional<Worker>(Worker{4, DeviceId(2)}));
        QTest::keyClick(&spread, Qt::Key_Right);
        QCOMPARE(page->worker(), std::optional<Worker>(Worker{4, DeviceId(2)}));
    }

    /// One pass in every replica is a figure like others.
    void aSelectedPassIsComparedOverReplicas()
    {
        const std::unique_ptr<JobPage> page = pageOf(slowWorker());
        QTRY_VERIFY(page->shown() != nullptr);
        auto* measure = page->findChild<QComboBox*>();
        const int before = measure->count();
        page->timeline().select({page->shown()->laneOf({4, DeviceId(2)}), 1});
        QCOMPARE(measure->count(), before + 1);
        measure->setCurrentIndex(before);
        QVERIFY2(measure->currentText().contains(QStringLiteral("on stage 2")),
                 qPrintable(measure->currentText()));
        std::size_t workers = 0;
        for (int bar = 0; bar < page->workers().spread().bars(); ++bar)
            workers += page->workers().spread().workersOf(bar).size();
        QCOMPARE(workers, std::size_t{6});
        QCOMPARE(page->workers().spread().workersOf(page->workers().spread().bars() - 1),
                 (std::vector{Worker{4, DeviceId(2)}}));
        // Another pass takes its place.
        page->timeline().select({page->shown()->laneOf({4, DeviceId(1)}), 0});
        QCOMPARE(measure->count(), before + 1);
        QVERIFY(measure->currentText().contains(QStringLiteral("on stage 1")));
    }

    void theSlowWorkerIsSeenAndSaid()
    {
        const std::unique_ptr<JobPage> page = pageOf(slowWorker());
        QTRY_VERIFY(page->shown() != nullptr);
        const QString said = page->workers().map().textOf({4, DeviceId(2)});
        QVERIFY2(said.contains(QStringLiteral("1.5")) || said.contains(QStringLiteral("1.49")),
                 qPrintable(said));
        const QString words = wordsOf(page->details());
        QVERIFY2(words.contains(QStringLiteral("A slow worker")), qPrintable(words));
        QVERIFY2(words.contains(QStringLiteral("Parallel efficiency")), qPrintable(words));
        QVERIFY(page->figures().contains(QStringLiteral("A slow worker costs")));
        const RepairsTable& repairs = page->repairs();
        QVERIFY(repairs.rowCount() > 2);
        bool listed = false;
        for (int row = 0; row < repairs.rowCount(); ++row)
            listed = listed || repairs.item(row, 0)->text() ==
                                   QStringLiteral("stage 2 of replica 4 is as its replicas");
        QVERIFY(listed);
        // Its pixels differ from those of a usual worker.
        const QImage picture = page->workers().map().viewport()->grab().toImage();
        const auto inkAt = [&](const Worker& worker) {
            return picture.pixelColor(
                (page->workers().map().boxOf(worker).topLeft() + QPointF(2, 2)).toPoint());
        };
        QVERIFY(inkAt({4, DeviceId(2)}) != inkAt({3, DeviceId(2)}));
    }

    void aRepairLeadsToItsWorker()
    {
        const std::unique_ptr<JobPage> page = pageOf(slowWorker());
        QTRY_VERIFY(page->shown() != nullptr);
        RepairsTable& repairs = page->repairs();
        for (int row = 0; row < repairs.rowCount(); ++row)
            if (repairs.item(row, 0)->text().startsWith(QStringLiteral("stage 2 of replica 4")))
                repairs.setCurrentCell(row, 0);
        QCOMPARE(page->worker(), std::optional<Worker>(Worker{4, DeviceId(2)}));
        QSignalSpy everything(page.get(), &JobPage::everythingAsked);
        QTest::keyClick(&page->workers().map(), Qt::Key_Return);
        QCOMPARE(everything.size(), 1);
    }

    void stepsAreWalked()
    {
        test::MadeJob made = slowWorker();
        made.slowReplica = made.slowStage = -1;
        made.slowStep = 4;
        const std::unique_ptr<JobPage> page = pageOf(made);
        QTRY_VERIFY(page->shown() != nullptr);
        QVERIFY(page->shown()->step != 4);
        QCOMPARE(groupsOf(*page->shown()->lanes).size(), 1);
        QSignalSpy loaded(page.get(), &JobPage::loaded);
        StepStrip& strip = page->strip();
        QTest::mouseClick(&strip, Qt::LeftButton, {}, QPoint(strip.width() * 9 / 12, 10));
        QTRY_COMPARE(loaded.size(), 1);
        QCOMPARE(page->shown()->step, std::size_t{4});
        const Ticks slow = page->range().wholeEnd();
        QTest::keyClick(&strip, Qt::Key_Left);
        QTRY_COMPARE(loaded.size(), 2);
        QCOMPARE(page->shown()->step, std::size_t{3});
        QVERIFY(static_cast<double>(slow) > 1.3 * static_cast<double>(page->range().wholeEnd()));
    }

    void aHeadingFoldsItsLanes()
    {
        const std::unique_ptr<JobPage> page = pageOf(slowWorker());
        QTRY_VERIFY(page->shown() != nullptr);
        QVERIFY(QTest::qWaitForWindowExposed(page.get()));
        TimelineView& view = page->timeline();
        const int first = page->shown()->laneOf({4, DeviceId(0)});
        QVERIFY(view.isLaneShown(first));
        // The heading stands above the first lane.
        const QRectF lane = view.laneGeometry().laneArea(first);
        QVERIFY(lane.top() > 10);
        const QPoint heading(20, static_cast<int>(lane.top()) / 2);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, heading);
        QVERIFY(!view.isLaneShown(first));
        QVERIFY(view.isLaneShown(static_cast<int>(page->shown()->lanes->lanes().size()) - 1));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, heading);
        QVERIFY(view.isLaneShown(first));
        // Lanes and headings do not lie over each other.
        double last = 0;
        for (int i = 0; i < static_cast<int>(page->shown()->lanes->lanes().size()); ++i) {
            const QRectF area = view.laneGeometry().laneArea(i);
            QVERIFY(area.top() >= last);
            last = area.bottom();
        }
    }

    void onePipelineHasNothingThatIsAlike()
    {
        test::MadeJob made;
        made.replicas = 1;
        const std::unique_ptr<JobPage> page = pageOf(made);
        QTRY_VERIFY(page->shown() != nullptr);
        QCOMPARE(groupsOf(*page->shown()->lanes).size(), 1);
        QVERIFY(page->workers()
                    .map()
                    .textOf({0, DeviceId(1)})
                    .contains(QStringLiteral("median of the stages")));
    }

    /// A run that was executed here has no trace: its passes are one.
    void aKeptRunHasAJobToo()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("runs.sqlite"));
        const RunNumber run = test::storeRun(path, test::plannedRun("1f1b"), "own run", "1f1b", 5);
        const RunNumber few = test::storeRun(path, test::plannedRun("1f1b"), "short", "1f1b", 1);
        MainWindow window;
        window.show();
        openKeptJob(window, path, run);
        QTRY_VERIFY(qobject_cast<JobPage*>(window.page()) != nullptr);
        auto* page = qobject_cast<JobPage*>(window.page());
        QCOMPARE(page->title(), QStringLiteral("Job · own run"));
        QTRY_VERIFY(page->shown() != nullptr);
        QCOMPARE(page->shown()->lanes->lanes().size(), std::size_t{4});
        QCOMPARE(page->job()->job().counted().size(), std::size_t{5});
        // Enter on a worker shows all of its rank.
        page->showWorker({0, DeviceId(2)});
        QTest::keyClick(&page->workers().map(), Qt::Key_Return);
        QVERIFY(qobject_cast<ActivityPage*>(window.page()) != nullptr);
        const std::size_t pages = window.pages().size();
        openKeptJob(window, path, few);
        workers().waitForDone();
        QCoreApplication::processEvents();
        QCOMPARE(window.pages().size(), pages);
    }

    /// The second time it is what was kept: its passes come step by step, and say the same.
    void aKeptJobShowsWhatItsTraceSays()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("runs.sqlite"));
        const RunNumber run = test::storeRun(path, test::plannedRun("1f1b"), "own run", "1f1b", 5);
        MainWindow window;
        window.show();
        const auto opened = [&window, &path, run] {
            const std::size_t pages = window.pages().size();
            openKeptJob(window, path, run);
            [&window, pages] { QTRY_VERIFY(window.pages().size() > pages); }();
            auto* page = qobject_cast<JobPage*>(window.page());
            [page] { QTRY_VERIFY(page != nullptr && page->shown() != nullptr); }();
            return page;
        };
        JobPage* const first = opened();
        QVERIFY(!first->job()->inStore);
        JobPage* const again = opened();
        QVERIFY(again->job()->inStore);
        QVERIFY(again->job()->activity == nullptr);
        const auto comparePages = [first, again] {
            QCOMPARE(wordsOf(again->details()), wordsOf(first->details()));
            QCOMPARE(again->figures(), first->figures());
            const std::vector<Lane>& lanes = first->shown()->lanes->lanes();
            const std::vector<Lane>& others = again->shown()->lanes->lanes();
            QCOMPARE(others.size(), lanes.size());
            for (std::size_t i = 0; i < lanes.size(); ++i) {
                QCOMPARE(others[i].start, lanes[i].start);
                QCOMPARE(others[i].end, lanes[i].end);
                QCOMPARE(others[i].title, lanes[i].title);
                QCOMPARE(others[i].detail, lanes[i].detail);
            }
        };
        comparePages();
        for (JobPage* page : {first, again}) {
            QSignalSpy loaded(page, &JobPage::loaded);
            page->showStep(page->shown()->step == 1 ? 2 : 1);
            QTRY_COMPARE(loaded.size(), 1);
        }
        comparePages();
        for (int i = 0; i < workerMeasureCount; ++i) {
            const auto measure = static_cast<WorkerMeasure>(i);
            QCOMPARE(again->job()->medians(measure), first->job()->medians(measure));
            QCOMPARE(again->job()->tells(measure), first->job()->tells(measure));
        }
        QCOMPARE(again->job()->balance(), first->job()->balance());
        // All of a rank is read when it is asked for.
        again->showWorker({0, DeviceId(2)});
        const std::size_t pages = window.pages().size();
        Q_EMIT again->everythingAsked({0, DeviceId(2)}, 0);
        QTRY_COMPARE(window.pages().size(), pages + 1);
        QVERIFY(qobject_cast<ActivityPage*>(window.page()) != nullptr);
    }

    /// A rank is found by its number, wherever its replica is.
    void ranksAreFound()
    {
        const std::unique_ptr<JobPage> page = pageOf(slowWorker());
        QTRY_VERIFY(page->shown() != nullptr);
        page->findBar()->open();
        auto* typed = page->findBar()->findChild<QLineEdit*>();
        const auto* state = page->findBar()->findChild<QLabel*>(QStringLiteral("find-state"));
        typed->setText(QStringLiteral("rank 2"));
        QVERIFY2(state->text().contains(QStringLiteral("stage 2")), qPrintable(state->text()));
        QVERIFY(!page->worker());
        QTest::keyClick(typed, Qt::Key_Return);
        QVERIFY(page->worker() && page->worker()->device == DeviceId(2));
        typed->setText(QStringLiteral("rank 99"));
        QVERIFY2(state->text().contains(QStringLiteral("99")), qPrintable(state->text()));
        QTest::keyClick(typed, Qt::Key_Return);
        QVERIFY(page->worker()->device == DeviceId(2));
        typed->setText(QStringLiteral("F3"));
        QVERIFY(page->findBar()->hitCount() > 0);
    }

    /// A click on the heading of a cause leads to its worker.
    void causesLeadToTheirPlace()
    {
        const std::unique_ptr<JobPage> page = pageOf(slowWorker());
        QTRY_VERIFY(page->shown() != nullptr);
        DetailsPanel panel;
        panel.setDetails(page->details());
        QLabel* link = nullptr;
        for (QLabel* label : panel.findChildren<QLabel*>())
            if (label->textFormat() == Qt::RichText && label->text().startsWith("<a "))
                link = label;
        QVERIFY(link != nullptr && link->text().contains(causeWords(JobCause::SlowWorker)));
        QVERIFY(!page->worker());
        Q_EMIT link->linkActivated(QStringLiteral("#"));
        QCOMPARE(page->worker(), std::optional<Worker>(Worker{4, DeviceId(2)}));
    }

    void aSingleStepIsNoJob()
    {
        test::MadeJob made;
        made.replicas = 1;
        made.steps = 1;
        QVERIFY(shownOf(made) == nullptr);
    }
};

PW_WINDOW_TEST(TestJobPage)
#include "tst_job_page.moc"
