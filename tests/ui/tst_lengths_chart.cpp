// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/compared.h"
#include "tests/support/patience.h"
#include "tests/support/stored_runs.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/charts/lengths_chart.h"
#include "ui/compare/lengths_view.h"
#include "ui/compare/stacked_timelines.h"
#include "ui/document/schedule_document.h"
#include "ui/presentation.h"
#include "ui/runs/runs_panel.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QImage>
#include <QLabel>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <numeric>

using namespace pw;
using namespace pw::ui;

namespace {

const LengthsView& viewOf(const StackedTimelines& page)
{
    return *page.findChild<LengthsView*>();
}

QString whatOf(const StackedTimelines& page)
{
    return page.findChild<QLabel*>(QStringLiteral("lengthsOf"))->text();
}

std::int64_t allOf(const std::vector<std::int64_t>& counts)
{
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

int pixelsOf(const QImage& image, const QColor& wanted)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += image.pixelColor(x, y) == wanted ? 1 : 0;
    return count;
}

std::vector<PassHistogram> someHistograms()
{
    PassLengths before, after;
    for (int i = 0; i < 40; ++i) {
        before[PassKind::F].push_back(2'000'000 + i * 1000);
        after[PassKind::F].push_back(2'500'000 + i * 1000);
        before[PassKind::BW].push_back(4'000'000 + i * 3000);
        after[PassKind::W].push_back(1'000'000 + i * 500);
    }
    return passHistograms(before, after);
}

} // namespace

class TestLengthsChart : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_lengths_chart"); }

    void eachKindHasColumnsOfBothInItsColour_data()
    {
        QTest::addColumn<bool>("light");
        QTest::newRow("light") << true;
        QTest::newRow("dark") << false;
    }

    void eachKindHasColumnsOfBothInItsColour()
    {
        QFETCH(bool, light);
        applyGround(*qApp, light ? Ground::Light : Ground::Dark);
        LengthsChart chart;
        chart.resize(900, 200);
        chart.setHistograms(someHistograms(), QStringLiteral("one"), QStringLiteral("two"));
        chart.show();
        const QImage image = chart.grab().toImage();
        for (const PassKind kind : {PassKind::F, PassKind::BW, PassKind::W})
            QVERIFY2(pixelsOf(image, color(roleOf(kind, false))) > 100, name(kind).data());
        QVERIFY(pixelsOf(image, color(Role::Lane)) > 1000);
        QCOMPARE(chart.sentences().size(), qsizetype{3});
        QCOMPARE(chart.sentences().constFirst(),
                 QStringLiteral("F: median 2.019 ms → 2.519 ms (+24.8 %)"));
        QVERIFY(chart.sentences().constLast().contains(QStringLiteral("ms → none")) ||
                chart.sentences().constLast().contains(QStringLiteral("none → 1.0")));
        applyGround(*qApp, Ground::Light);
    }

    void aBinSaysItsNumbers()
    {
        LengthsChart chart;
        chart.resize(900, 200);
        chart.setHistograms(someHistograms(), QStringLiteral("one"), QStringLiteral("two"));
        chart.show();
        QStringList seen;
        for (int x = 0; x < 300; x += 2)
            if (const QString words = chart.binAt({static_cast<double>(x), 60.0});
                !words.isEmpty() && !seen.contains(words))
                seen += words;
        QCOMPARE(seen.size(), static_cast<qsizetype>(chart.histograms().front().before.size()));
        QVERIFY2(seen.constFirst().startsWith(QStringLiteral("F of 2 – ")) ||
                     seen.constFirst().startsWith(QStringLiteral("F of 2")),
                 qPrintable(seen.constFirst()));
        QVERIFY2(seen.constFirst().contains(QStringLiteral("one: 40 of 40")),
                 qPrintable(seen.constFirst()));
        QVERIFY2(seen.constLast().contains(QStringLiteral("two: 40 of 40")),
                 qPrintable(seen.constLast()));
    }

    void nothingIsCutHoweverNarrow()
    {
        LengthsChart chart;
        chart.setHistograms(someHistograms(), QStringLiteral("one"), QStringLiteral("two"));
        for (const int width : {260, 400, 800, 1600}) {
            chart.resize(width, 10);
            QVERIFY(chart.minimumSizeHint().height() >= chart.heightForWidth(width));
            // Narrower charts stand below each other.
            QVERIFY(chart.heightForWidth(260) >= chart.heightForWidth(width));
        }
        QVERIFY(chart.heightForWidth(260) > 2 * chart.heightForWidth(1600));
    }

    void twoTimelinesAreCompared()
    {
        StackedTimelines page;
        page.resize(1200, 900);
        page.show();
        const test::FamilyRun plan = test::plannedRun("1f1b");
        page.set(page.add({}), test::comparedOf(plan, QStringLiteral("one")));
        page.set(page.add({}), test::comparedOf(test::plannedRun("zb-h1"), QStringLiteral("two")));
        const auto& chart = viewOf(page).chart();
        QTRY_VERIFY_WITH_TIMEOUT(!chart.histograms().empty(), test::longest);
        std::int64_t before = 0, after = 0;
        for (const PassHistogram& one : chart.histograms()) {
            before += allOf(one.before);
            after += allOf(one.after);
            QCOMPARE(one.kind == PassKind::BW, allOf(one.after) == 0);
        }
        QCOMPARE(before, std::int64_t{plan.schedule.entryCount()});
        QCOMPARE(after, std::int64_t{page.compared(1)->schedule->entryCount()});
        QVERIFY(whatOf(page).contains(QStringLiteral("one (hatched")));
    }

    void pairsCountForBothOfTheirKinds()
    {
        const test::FamilyRun run = test::plannedRun("dualpipe");
        const PassLengths lengths = lengthsOf(*test::comparedOf(run, {}));
        std::size_t passes = 0, expected = 0;
        for (const auto& [kind, all] : lengths)
            passes += all.size();
        for (const EntryId entry : run.schedule.entries())
            expected += run.schedule.entry(entry).paired ? 2 : 1;
        QCOMPARE(passes, expected);
    }

    void runsAreComparedOverAllTheirIterations()
    {
        qputenv("PIPEWRIGHT_STORE", m_home.filePath(QStringLiteral("runs.sqlite")).toUtf8());
        const std::string store = m_home.filePath(QStringLiteral("runs.sqlite")).toStdString();
        const test::FamilyRun plan = test::plannedRun("1f1b");
        test::storeRun(QString::fromStdString(store), plan, "first", "1f1b");
        test::storeRun(QString::fromStdString(store), plan, "second", "1f1b", 3,
                       [](std::int32_t, const OrderEntry&, Ticks costs) { return costs + 10'000; });
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        auto* panel = window.findChild<RunsPanel*>();
        QTRY_COMPARE_WITH_TIMEOUT(panel->table()->model()->rowCount(), 2, test::longest);
        panel->table()->selectAll();
        panel->compareSelected();
        auto* page = test::picturesOf(window.page());
        QVERIFY(page != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(whatOf(*page).contains(QStringLiteral("3 iteration")),
                                 test::longest);
        const auto& chart = viewOf(*page).chart();
        QTRY_VERIFY_WITH_TIMEOUT(!chart.histograms().empty(), test::longest);
        std::int64_t after = 0;
        for (const PassHistogram& one : chart.histograms()) {
            after += allOf(one.after);
            QCOMPARE(one.medianAfter - one.medianBefore, Ticks{10'000});
        }
        QCOMPARE(after, std::int64_t{3} * plan.schedule.entryCount());
        window.close();
    }

private:
    QTemporaryDir m_home;
};

PW_WINDOW_TEST(TestLengthsChart)
#include "tst_lengths_chart.moc"
