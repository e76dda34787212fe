// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// The ranking of all families under one model's costs.
#include "core/sim/metrics.h"
#include "tests/support/patience.h"
#include "tests/support/run_settings.h"
#include "tests/support/test_program.h"
#include "ui/charts/scatter_chart.h"
#include "ui/document/background.h"
#include "ui/presentation.h"
#include "ui/ranking/ranking_page.h"
#include "ui/ranking/schedule_card.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>
#include <QThreadPool>

#include <algorithm>
#include <numeric>

using namespace pw;
using namespace pw::ui;

namespace {

Project plainProject(int devices = 4, int microBatches = 8)
{
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    return projectOf("1f1b", options, UniformCosts{});
}

const Ranked* rowOf(const std::vector<Ranked>& rows, const std::string& name)
{
    for (const Ranked& row : rows)
        if (row.candidate.name == name)
            return &row;
    return nullptr;
}

bool waitRanked(RankingPage& page)
{
    return QTest::qWaitFor([&] { return !page.busy(); }, test::longest);
}

} // namespace

class TestRankingPage : public QObject
{
    Q_OBJECT

private:
    PrivateFolder m_folder;

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }
    void cleanup() { workers().waitForDone(); }

    void everyFamilyStandsThereWithItsClosedForm()
    {
        RankingPage page(plainProject(), QStringLiteral("plain"));
        page.resize(1000, 700);
        page.show();
        QVERIFY(waitRanked(page));
        for (const Family& family : allFamilies())
            QVERIFY2(rowOf(page.rows(), std::string(family.id)) != nullptr,
                     std::string(family.id).c_str());
        const Ranked* plain = rowOf(page.rows(), "1f1b");
        QCOMPARE(plain->makespan, Ticks(33) * ticksPerMs); // (m + p − 1)(T_F + T_BW)
        QCOMPARE(plain->peakMicroBatches, 4.0);
        QCOMPARE(rowOf(page.rows(), "gpipe")->peakMicroBatches, 8.0);
        // The model's work is the same for all, so no makespan is below one device's part of it.
        for (const Ranked& row : page.rows())
            if (row.made())
                QVERIFY2(row.makespan >= Ticks(24) * ticksPerMs, row.candidate.name.c_str());
        QCOMPARE(page.table().rowCount(), static_cast<int>(page.rows().size()));
    }

    void theParetoLineIsThatOfASlowSearch()
    {
        RankingPage page(plainProject(), QStringLiteral("plain"));
        QVERIFY(waitRanked(page));
        for (const Ranked& row : page.rows()) {
            if (!row.fits())
                continue;
            bool beaten = false;
            for (const Ranked& other : page.rows())
                beaten = beaten ||
                         (other.fits() && other.makespan <= row.makespan &&
                          other.memory() <= row.memory() * (1 - 1e-9)) ||
                         (other.fits() && other.makespan < row.makespan &&
                          other.memory() <= row.memory());
            if (row.pareto)
                QVERIFY2(!beaten, row.candidate.name.c_str());
        }
        QVERIFY(page.rows().front().pareto);
    }

    void aCapMovesWhatIsAboveItDown()
    {
        RankingPage page(plainProject(), QStringLiteral("plain"));
        QVERIFY(waitRanked(page));
        auto* cap = page.findChild<QDoubleSpinBox*>(QStringLiteral("cap"));
        QVERIFY(cap->suffix().contains(QStringLiteral("mb"))); // nothing has a size
        cap->setValue(4);
        QVERIFY(waitRanked(page));
        QVERIFY(!rowOf(page.rows(), "gpipe")->fits());
        QVERIFY(rowOf(page.rows(), "1f1b")->fits());
        bool above = false;
        for (const Ranked& row : page.rows()) {
            QVERIFY(!(above && row.fits())); // none that fits behind one that does not
            above = above || !row.fits();
            if (row.fits())
                QVERIFY(row.peakMicroBatches <= 4 + 1e-9);
        }
    }

    void tablesOfCostsAreCarriedToEveryShape()
    {
        Project project = plainProject();
        Costs costs = costsOf(project);
        costs.forward[3] *= 2;
        costs.fused.clear();
        project.costs = costs;
        RankingPage page(project, QStringLiteral("uneven"));
        QVERIFY(waitRanked(page));
        const Ranked* half = rowOf(page.rows(), "v-half");
        QVERIFY(half != nullptr && half->made());
        const Ticks whole = std::accumulate(costs.forward.begin(), costs.forward.end(), Ticks(0));
        QCOMPARE(std::accumulate(half->costs.forward.begin(), half->costs.forward.end(), Ticks(0)),
                 whole);
    }

    void aModelOnAMachineTakesThePlaceOfTheCosts()
    {
        RankingPage page(plainProject(), QStringLiteral("plain"));
        auto* costs = page.findChild<QComboBox*>(QStringLiteral("costs"));
        QVERIFY(costs->count() > 3);
        costs->setCurrentIndex(costs->findText(QStringLiteral("gpt-22b")));
        QVERIFY(waitRanked(page));
        QVERIFY(page.findChild<QDoubleSpinBox*>(QStringLiteral("cap"))->value() > 10);
        const Ranked* plain = rowOf(page.rows(), "1f1b");
        QVERIFY2(plain->made(), plain->refusal.c_str());
        QVERIFY(plain->peakBytes > (Bytes(1) << 30));
    }

    void enterOpensTheScheduleAsItWasRanked()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        window.openProject(plainProject(4, 12));
        window.commands().action(QStringLiteral("schedule.ranking"))->trigger();
        auto* page = qobject_cast<RankingPage*>(window.page());
        QVERIFY(page != nullptr);
        QVERIFY(waitRanked(*page));
        ScatterChart& chart = page->chart();
        QVERIFY(chart.count() > 20);
        // Hovering shows the schedule small.
        (void)chart.grab(); // places are those of what was painted
        const QPointF place = chart.placeOf(0);
        QTest::mouseMove(&chart, place.toPoint());
        auto* card = page->findChild<ScheduleCard*>();
        QTRY_VERIFY(card->isVisible());
        QVERIFY(card->content().lanes != nullptr);
        QVERIFY(!card->content().figures.isEmpty());
        chart.setFocus();
        QTest::keyClick(&chart, Qt::Key_Right);
        const int current = chart.current();
        QVERIFY(current >= 0);
        const int pages = static_cast<int>(window.pages().size());
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(static_cast<int>(window.pages().size()), pages + 1);
        auto* opened = qobject_cast<SchedulePage*>(window.page());
        QVERIFY(opened != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(!opened->document().computing(), test::longest);
        const Ranked& row = page->rows()[static_cast<std::size_t>(page->table().currentRow())];
        QCOMPARE(opened->document().result().makespan, row.makespan);
    }

    void aSweepIsACurveAFamily()
    {
        RankingPage page(plainProject(), QStringLiteral("plain"));
        page.findChild<QComboBox*>(QStringLiteral("sweep"))->setCurrentIndex(2);
        page.findChild<QSpinBox*>(QStringLiteral("from"))->setValue(4);
        page.findChild<QSpinBox*>(QStringLiteral("to"))->setValue(32);
        QVERIFY(waitRanked(page));
        bool found = false;
        for (const SweepCurve& curve : page.sweep()) {
            if (curve.name != "1f1b")
                continue;
            found = true;
            for (std::size_t i = 0; i < curve.values.size(); ++i)
                QCOMPARE(curve.points[i].makespan,
                         static_cast<Ticks>(curve.values[i] + 3) * 3 * ticksPerMs);
        }
        QVERIFY(found);
        // The devices share one model: with twice as many each has half of it.
        page.findChild<QComboBox*>(QStringLiteral("sweep"))->setCurrentIndex(1);
        page.findChild<QSpinBox*>(QStringLiteral("to"))->setValue(8);
        QVERIFY(waitRanked(page));
        for (const SweepCurve& curve : page.sweep())
            if (curve.name == "1f1b")
                for (std::size_t i = 0; i < curve.values.size(); ++i) {
                    const double expected = (8 + curve.values[i] - 1) * 12 / curve.values[i];
                    QVERIFY(std::abs(msFromTicks(curve.points[i].makespan) - expected) < 1e-3);
                }
    }

    void withJitterTheSpreadDecides()
    {
        RankingPage page(plainProject(), QStringLiteral("plain"));
        QVERIFY(waitRanked(page));
        QCOMPARE(rowOf(page.rows(), "1f1b")->high, Ticks(0));
        page.findChild<QDoubleSpinBox*>(QStringLiteral("jitter"))->setValue(10);
        QVERIFY(waitRanked(page));
        const Ranked* plain = rowOf(page.rows(), "1f1b");
        QCOMPARE(plain->makespan, Ticks(33) * ticksPerMs);
        QVERIFY(plain->low < plain->high);
        // Waiting for the slowest of several makes the mean longer than it is without jitter.
        QVERIFY(plain->high > plain->makespan);
        Ticks before = 0;
        for (const Ranked& row : page.rows()) {
            if (!row.fits())
                break;
            QVERIFY(row.high >= before);
            before = row.high;
        }
    }

    void whatWouldHelpIsWhatARankingOfItSays()
    {
        Project project = plainProject();
        std::get<UniformCosts>(project.costs).hop = 400'000;
        RankingPage page(project, QStringLiteral("linked"));
        QVERIFY(waitRanked(page));
        QTRY_VERIFY_WITH_TIMEOUT(!page.help().empty(), test::longest);
        const auto links =
            std::find_if(page.help().begin(), page.help().end(), [](const RankHelp& help) {
                return help.what.contains(QStringLiteral("links"));
            });
        QVERIFY(links != page.help().end());
        std::get<UniformCosts>(project.costs).hop = 200'000;
        RankingPage faster(project, QStringLiteral("faster"));
        QVERIFY(waitRanked(faster));
        const Ticks saved = page.rows().front().makespan - faster.rows().front().makespan;
        QCOMPARE(links->good, saved * 1000 > page.rows().front().makespan);
    }

    void whatCannotBeIsSaid()
    {
        RankingPage page(plainProject(), QStringLiteral("plain"));
        page.findChild<QSpinBox*>(QStringLiteral("devices"))->setValue(3);
        page.findChild<QSpinBox*>(QStringLiteral("micro-batches"))->setValue(2);
        QVERIFY(waitRanked(page));
        const Ranked& last = page.rows().back();
        QVERIFY(!last.made());
        QVERIFY(!last.refusal.empty());
        QSignalSpy refused(&page, &RankingPage::refused);
        QSignalSpy opened(&page, &RankingPage::openAsked);
        Q_EMIT page.table().cellActivated(page.table().rowCount() - 1, 0);
        QCOMPARE(refused.count(), 1);
        QCOMPARE(refused.first().first().toString(), QString::fromStdString(last.refusal));
        QCOMPARE(opened.count(), 0);
    }

    /// A name has room of its own: it ends before the next point.
    void noNameReachesOverAPoint()
    {
        ScatterChart chart;
        chart.resize(700, 300);
        for (int along = 0; along < 60; ++along) {
            chart.setPoints({{10, 5, QStringLiteral("interleaved-1f1b")},
                             {10.5 + 0.05 * along, 5, {}},
                             {20, 9, {}}});
            const QImage image = chart.grab().toImage();
            const QPoint place = chart.placeOf(1).toPoint();
            for (int x = -5; x <= 5; ++x)
                for (int y = -5; y <= 5; ++y)
                    QVERIFY2(image.pixelColor(place + QPoint(x, y)).lightness() > 110,
                             qPrintable(QString::number(along)));
        }
    }

    /// Variants of one thing that are as good have its name once.
    void aNameStandsOnce()
    {
        const auto reach = [](const std::vector<ScatterPoint>& points) {
            ScatterChart chart;
            chart.resize(700, 300);
            chart.setPoints(points);
            const QImage image = chart.grab().toImage();
            const int middle = static_cast<int>(chart.placeOf(0).y());
            int last = 0;
            for (int x = 0; x < image.width(); ++x)
                for (int y = middle - 6; y <= middle + 6; ++y)
                    if (image.pixelColor(x, y).lightness() < 110)
                        last = x;
            return last;
        };
        const ScatterPoint one{10, 5, QStringLiteral("interleaved-1f1b")};
        const ScatterPoint other{10, 5, QStringLiteral("gpipe")};
        const ScatterPoint far{30, 9, {}};
        QCOMPARE(reach({one, one, far}), reach({one, far}));
        QVERIFY(reach({one, other, far}) > reach({one, far}));
    }

    void closedMeanwhileNothingComes()
    {
        MainWindow window;
        window.show();
        window.openProject(plainProject(16, 256));
        window.commands().action(QStringLiteral("schedule.ranking"))->trigger();
        auto* page = qobject_cast<RankingPage*>(window.page());
        QVERIFY(page != nullptr && page->busy());
        QVERIFY(window.closePage(page));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        // The search ends at once, and not when it would be done.
        QElapsedTimer timer;
        timer.start();
        workers().waitForDone();
        QVERIFY(timer.elapsed() < 20'000);
    }
};

PW_WINDOW_TEST(TestRankingPage)
#include "tst_ranking_page.moc"
