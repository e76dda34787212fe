// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// All families under one model's costs, beside what-ifs, found orders, schedules and runs.
#include "core/sim/metrics.h"
#include "tests/support/patience.h"
#include "tests/support/run_settings.h"
#include "tests/support/test_program.h"
#include "ui/alternatives/alternatives_chart.h"
#include "ui/alternatives/alternatives_page.h"
#include "ui/alternatives/alternatives_table.h"
#include "ui/alternatives/schedule_card.h"
#include "ui/alternatives/sweep_part.h"
#include "ui/charts/scatter_chart.h"
#include "ui/compare/stacked_timelines.h"
#include "ui/document/background.h"
#include "ui/presentation.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabBar>
#include <QTableView>
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

const Alternative* rowOf(const std::vector<Alternative>& rows, const std::string& name)
{
    for (const Alternative& row : rows)
        if (row.name.toStdString() == name)
            return &row;
    return nullptr;
}

bool waitRanked(AlternativesPage& page)
{
    return QTest::qWaitFor([&] { return !page.busy(); }, test::longest);
}

} // namespace

class TestAlternatives : public QObject
{
    Q_OBJECT

private:
    PrivateFolder m_folder;

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }
    void init() { QSettings().clear(); }
    void cleanup() { workers().waitForDone(); }

    void everyFamilyStandsThereWithItsClosedForm()
    {
        AlternativesPage page(plainProject(), QStringLiteral("plain"));
        page.resize(1000, 700);
        page.show();
        QVERIFY(waitRanked(page));
        for (const Family& family : allFamilies())
            QVERIFY2(rowOf(page.rows(), std::string(family.id)) != nullptr,
                     std::string(family.id).c_str());
        const Alternative* plain = rowOf(page.rows(), "1f1b");
        QCOMPARE(plain->makespan, Ticks(33) * ticksPerMs); // (m + p − 1)(T_F + T_BW)
        QCOMPARE(plain->peakMicroBatches, 4.0);
        QCOMPARE(rowOf(page.rows(), "gpipe")->peakMicroBatches, 8.0);
        // The model's work is the same for all, so no makespan is below one device's part of it.
        for (const Alternative& row : page.rows())
            if (row.made())
                QVERIFY2(row.makespan >= Ticks(24) * ticksPerMs, qPrintable(row.name));
        QCOMPARE(page.table().view().model()->rowCount(), static_cast<int>(page.rows().size()));
    }

    void theParetoLineIsThatOfASlowSearch()
    {
        AlternativesPage page(plainProject(), QStringLiteral("plain"));
        QVERIFY(waitRanked(page));
        for (const Alternative& row : page.rows()) {
            if (!row.fits())
                continue;
            bool beaten = false;
            for (const Alternative& other : page.rows())
                beaten = beaten ||
                         (other.fits() && other.makespan <= row.makespan &&
                          other.memory() <= row.memory() * (1 - 1e-9)) ||
                         (other.fits() && other.makespan < row.makespan &&
                          other.memory() <= row.memory());
            // Of rows that are as good in both numbers the first one has the mark.
            const bool twin = std::any_of(
                page.rows().begin(), page.rows().end(), [&row](const Alternative& other) {
                    return other.id != row.id && other.fits() && other.makespan == row.makespan &&
                           std::abs(other.memory() - row.memory()) <= 1e-9 * row.memory();
                });
            QVERIFY2(row.pareto == !beaten || (twin && !beaten), qPrintable(row.name));
        }
        QVERIFY(page.rows().front().pareto);
    }

    void aCapMovesWhatIsAboveItDown()
    {
        AlternativesPage page(plainProject(), QStringLiteral("plain"));
        QVERIFY(waitRanked(page));
        auto* cap = page.findChild<QDoubleSpinBox*>(QStringLiteral("cap"));
        QVERIFY(cap->suffix().contains(QStringLiteral("mb"))); // nothing has a size
        cap->setValue(4);
        QVERIFY(waitRanked(page));
        QVERIFY(!rowOf(page.rows(), "gpipe")->fits());
        QVERIFY(rowOf(page.rows(), "1f1b")->fits());
        bool above = false;
        for (const Alternative& row : page.rows()) {
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
        AlternativesPage page(project, QStringLiteral("uneven"));
        QVERIFY(waitRanked(page));
        const Alternative* half = rowOf(page.rows(), "v-half");
        QVERIFY(half != nullptr && half->made());
        const Ticks whole = std::accumulate(costs.forward.begin(), costs.forward.end(), Ticks(0));
        QCOMPARE(std::accumulate(half->ranked->costs.forward.begin(),
                                 half->ranked->costs.forward.end(), Ticks(0)),
                 whole);
    }

    void aModelOnAMachineTakesThePlaceOfTheCosts()
    {
        AlternativesPage page(plainProject(), QStringLiteral("plain"));
        auto* costs = page.findChild<QComboBox*>(QStringLiteral("costs"));
        QVERIFY(costs->count() > 3);
        costs->setCurrentIndex(costs->findText(QStringLiteral("gpt-22b")));
        QVERIFY(waitRanked(page));
        QVERIFY(page.findChild<QDoubleSpinBox*>(QStringLiteral("cap"))->value() > 10);
        const Alternative* plain = rowOf(page.rows(), "1f1b");
        QVERIFY2(plain->made(), qPrintable(plain->problem));
        QVERIFY(plain->peakBytes > (Bytes(1) << 30));
    }

    void enterOpensTheScheduleAsItWasRanked()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        window.openProject(plainProject(4, 12));
        window.commands().action(QStringLiteral("schedule.alternatives"))->trigger();
        auto* page = qobject_cast<AlternativesPage*>(window.page());
        QVERIFY(page != nullptr);
        QVERIFY(waitRanked(*page));
        ScatterChart& chart = page->chart().scatter();
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
        const Alternative* row = page->table().row(page->table().current());
        QCOMPARE(opened->document().result().makespan, row->makespan);
    }

    void aSweepIsACurveAFamily()
    {
        AlternativesPage page(plainProject(), QStringLiteral("plain"));
        page.findChild<QComboBox*>(QStringLiteral("sweep"))->setCurrentIndex(2);
        page.findChild<QSpinBox*>(QStringLiteral("from"))->setValue(4);
        page.findChild<QSpinBox*>(QStringLiteral("to"))->setValue(32);
        QVERIFY(waitRanked(page));
        bool found = false;
        for (const SweepCurve& curve : page.sweep().curves()) {
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
        for (const SweepCurve& curve : page.sweep().curves())
            if (curve.name == "1f1b")
                for (std::size_t i = 0; i < curve.values.size(); ++i) {
                    const double expected = (8 + curve.values[i] - 1) * 12 / curve.values[i];
                    QVERIFY(std::abs(msFromTicks(curve.points[i].makespan) - expected) < 1e-3);
                }
    }

    void withNoiseTheSpreadDecides()
    {
        AlternativesPage page(plainProject(), QStringLiteral("plain"));
        QVERIFY(waitRanked(page));
        QCOMPARE(rowOf(page.rows(), "1f1b")->high, Ticks(0));
        page.findChild<QDoubleSpinBox*>(QStringLiteral("noise-passes"))->setValue(10);
        page.findChild<QDoubleSpinBox*>(QStringLiteral("noise-messages"))->setValue(10);
        page.findChild<QCheckBox*>(QStringLiteral("with-noise"))->setChecked(true);
        QVERIFY(waitRanked(page));
        const Alternative* plain = rowOf(page.rows(), "1f1b");
        QCOMPARE(plain->makespan, Ticks(33) * ticksPerMs);
        QVERIFY(plain->low < plain->high);
        // Waiting for the slowest of several makes the mean longer than it is without noise.
        QVERIFY(plain->high > plain->makespan);
        Ticks before = 0;
        for (const Alternative& row : page.rows()) {
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
        AlternativesPage page(project, QStringLiteral("linked"));
        QVERIFY(waitRanked(page));
        QTRY_VERIFY_WITH_TIMEOUT(!page.help().empty(), test::longest);
        const auto links =
            std::find_if(page.help().begin(), page.help().end(), [](const RankHelp& help) {
                return help.what.contains(QStringLiteral("links"));
            });
        QVERIFY(links != page.help().end());
        std::get<UniformCosts>(project.costs).hop = 200'000;
        AlternativesPage faster(project, QStringLiteral("faster"));
        QVERIFY(waitRanked(faster));
        const Ticks saved = page.rows().front().makespan - faster.rows().front().makespan;
        QCOMPARE(links->good, saved * 1000 > page.rows().front().makespan);
    }

    void whatCannotBeIsSaid()
    {
        AlternativesPage page(plainProject(), QStringLiteral("plain"));
        page.findChild<QSpinBox*>(QStringLiteral("devices"))->setValue(3);
        page.findChild<QSpinBox*>(QStringLiteral("micro-batches"))->setValue(2);
        QVERIFY(waitRanked(page));
        const Alternative& last = page.rows().back();
        QVERIFY(!last.made());
        QVERIFY(!last.problem.isEmpty());
        QSignalSpy refused(&page, &AlternativesPage::refused);
        QSignalSpy opened(&page, &AlternativesPage::openRequested);
        QTableView& table = page.table().view();
        Q_EMIT table.activated(table.model()->index(table.model()->rowCount() - 1, 0));
        QCOMPARE(refused.count(), 1);
        QCOMPARE(refused.first().first().toString(), last.problem);
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

    /// Rows of all kinds stand in one table, sorted by its headings and filtered by words.
    void theTableIsSortedAndFiltered()
    {
        AlternativesPage page(plainProject(), QStringLiteral("plain"));
        QVERIFY(waitRanked(page));
        QTableView& view = page.table().view();
        const auto nameAt = [&view](int row) {
            return view.model()->index(row, AlternativesModel::Name).data().toString();
        };
        QCOMPARE(nameAt(0), page.rows().front().name);
        view.sortByColumn(AlternativesModel::Peak, Qt::AscendingOrder);
        double before = 0;
        for (int row = 0; row < view.model()->rowCount(); ++row) {
            const double peak = view.model()
                                    ->index(row, AlternativesModel::Peak)
                                    .data(AlternativesModel::sortRole)
                                    .toDouble();
            QVERIFY(peak >= before); // by number, not by digits
            before = peak;
        }
        page.table().filter().setText(QStringLiteral("SEQ1f1b chunks"));
        QVERIFY(view.model()->rowCount() >= 1);
        for (int row = 0; row < view.model()->rowCount(); ++row)
            QVERIFY2(nameAt(row).startsWith(QStringLiteral("seq1f1b")) &&
                         nameAt(row).contains(QStringLiteral("chunks")),
                     qPrintable(nameAt(row)));
        page.table().filter().clear();
        page.table().order().setShown(AlternativeKind::Family, false);
        QCOMPARE(view.model()->rowCount(), 0);
    }

    /// What is chosen in the table is shown on one axis, as often as it is chosen anew.
    void chosenRowsStandBelowEachOther()
    {
        AlternativesPage page(plainProject(), QStringLiteral("plain"));
        page.resize(1200, 900);
        page.show();
        QVERIFY(waitRanked(page));
        const int one = rowOf(page.rows(), "1f1b")->id;
        const int two = rowOf(page.rows(), "zb-h1")->id;
        const int three = rowOf(page.rows(), "gpipe")->id;
        page.table().select({one, two});
        page.setTab(AlternativesPage::Tab::SideBySide);
        QCOMPARE(page.pictures().rowCount(), 2);
        QCOMPARE(page.pictures().title(), QStringLiteral("1f1b ↔ zb-h1"));
        QCOMPARE(page.pictures().compared(0)->times.makespan, Ticks(33) * ticksPerMs);
        QTRY_VERIFY_WITH_TIMEOUT(page.pictures().difference(1) != nullptr, test::longest);
        page.table().select({two, three});
        QCOMPARE(page.pictures().title(), QStringLiteral("zb-h1 ↔ gpipe"));
        // Other costs: other pictures of the same rows.
        page.setTab(AlternativesPage::Tab::Families);
        page.findChild<QSpinBox*>(QStringLiteral("micro-batches"))->setValue(12);
        QVERIFY(waitRanked(page));
        page.setTab(AlternativesPage::Tab::SideBySide);
        QCOMPARE(page.pictures().rowCount(), 2);
        QCOMPARE(page.pictures().compared(1)->schedule->spec().microBatches, 12);
    }

    /// What is open is a row among the families, and follows what is edited.
    void whatIsOpenIsARow()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        SchedulePage& schedule = window.openProject(plainProject(4, 12));
        window.commands().action(QStringLiteral("schedule.alternatives"))->trigger();
        auto* page = qobject_cast<AlternativesPage*>(window.page());
        QVERIFY(page != nullptr && waitRanked(*page));
        const auto own = [page] {
            for (const Alternative& row : page->rows())
                if (row.kind == AlternativeKind::Schedule)
                    return row;
            return Alternative();
        };
        QCOMPARE(own().makespan, schedule.document().result().makespan);
        // Before anybody has chosen it stands beside the first row.
        page->setTab(AlternativesPage::Tab::SideBySide);
        QCOMPARE(page->table().selected(), (std::vector<int>{own().id, page->rows().front().id}));
        QCOMPARE(page->pictures().rowCount(), 2);
        page->setTab(AlternativesPage::Tab::Families);
        Project next = schedule.document().project();
        next.family->options.microBatches += 4;
        QVERIFY(schedule.document().change(std::move(next), QStringLiteral("more")));
        QCOMPARE(own().makespan, schedule.document().result().makespan);
        // Opening it brings its tab.
        Q_EMIT page->table().activated(own().id);
        QCOMPARE(window.page(), &schedule);
    }

    /// All tabs of the page, each with what it is about.
    void everyTabShowsItself()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        window.openProject(plainProject());
        window.commands().action(QStringLiteral("schedule.alternatives"))->trigger();
        auto* page = qobject_cast<AlternativesPage*>(window.page());
        QVERIFY(page != nullptr && waitRanked(*page));
        auto* tabs = page->findChild<QTabBar*>(QStringLiteral("alternatives-tabs"));
        QCOMPARE(tabs->count(), 6);
        const std::pair<AlternativesPage::Tab, const char*> parts[] = {
            {AlternativesPage::Tab::Families, "costs"},
            {AlternativesPage::Tab::WhatIf, "link"},
            {AlternativesPage::Tab::Sweep, "sweep"},
            {AlternativesPage::Tab::Noise, "noise-passes"},
            {AlternativesPage::Tab::Improve, "seconds"}};
        for (const auto& [tab, name] : parts) {
            page->setTab(tab);
            for (const auto& [other, field] : parts) {
                const auto* widget = page->findChild<QWidget*>(QString::fromLatin1(field));
                QVERIFY2(widget != nullptr, field);
                // The question is that of the sweep, too.
                const bool both =
                    tab == AlternativesPage::Tab::Sweep && other == AlternativesPage::Tab::Families;
                QVERIFY2(widget->isVisible() == (tab == other || both), field);
            }
            QVERIFY(page->table().isVisible());
        }
    }

    void closedMeanwhileNothingComes()
    {
        MainWindow window;
        window.show();
        window.openProject(plainProject(16, 256));
        window.commands().action(QStringLiteral("schedule.alternatives"))->trigger();
        auto* page = qobject_cast<AlternativesPage*>(window.page());
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

PW_WINDOW_TEST(TestAlternatives)
#include "tst_alternatives.moc"
