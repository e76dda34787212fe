// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/match.h"
#include "tests/support/buttons.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/import_hand.h"
#include "tests/support/patience.h"
#include "tests/support/stored_runs.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/charts/account_chart.h"
#include "ui/panels/figure_table.h"
#include "ui/runs/run_account_view.h"
#include "ui/window/importing.h"
#include "ui/window/run_page.h"
#include "ui/workspace/chart_stack.h"

#include <QClipboard>
#include <QDialog>
#include <QToolButton>

using namespace pw;
using namespace pw::ui;

namespace {

bool accounted(RunPage& page)
{
    return QTest::qWaitFor([&page] { return page.account().account() != nullptr; }, test::longest);
}

/// The sum of the numbers of a row but the first cell and the last, less the last.
double leftOver(const FigureTable& table, int row)
{
    double sum = 0;
    for (int column = 1; column < table.columnCount(); ++column) {
        const double number = table.item(row, column)->text().toDouble();
        sum += column + 1 < table.columnCount() ? number : -number;
    }
    return sum;
}

} // namespace

class TestRunAccount : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_run_account"); }

    void init()
    {
        QSettings().clear();
        m_path = m_home.filePath(QStringLiteral("%1.sqlite").arg(++m_count));
        qputenv("PIPEWRIGHT_STORE", m_path.toLocal8Bit());
    }

    void theTimeOfEveryRankIsShownByCause()
    {
        test::storeRun(m_path, test::plannedRun("1f1b"), "1F1B", "1f1b", 3,
                       [](std::int32_t iteration, const OrderEntry& entry, Ticks costs) {
                           return costs +
                                  (iteration == 1 && entry.pass.microBatch == 3 ? 900'000 : 0);
                       });
        RunHistory history(m_path);
        RunPage page(history, 1);
        page.resize(1200, 900);
        page.show();
        QVERIFY(accounted(page));
        const RunAccount& found = *page.account().account();
        QCOMPARE(found.iterations, 3);
        QVERIFY(!found.transfers.empty() && !found.ofTrace);
        QVERIFY(found.guessed.empty());
        AccountChart& chart = page.account().chart();
        QVERIFY(chart.isVisible());
        // Unexplained stands there, also where it is nothing.
        for (const char* cause : {"computing", "warm-up and cool-down", "unexplained"})
            QVERIFY2(chart.accessibleDescription().contains(QString::fromLatin1(cause)),
                     qPrintable(chart.accessibleDescription()));
        for (const RankAccount& rank : found.account->ranks) {
            Ticks sum = 0;
            for (const LossCause cause : allLossCauses)
                sum += rank.of(cause);
            QCOMPARE(sum, page.shown()->measured.makespan);
        }
        // Every bar says its parts.
        QStringList said;
        for (int y = 0; y < chart.height(); ++y)
            if (const QString part = chart.partAt({chart.width() / 2.0, y + 0.5});
                !part.isEmpty() && !said.contains(part))
                said += part;
        for (int device = 0; device < 4; ++device)
            QVERIFY2(!said.filter(QStringLiteral("device %1, ").arg(device)).isEmpty(),
                     qPrintable(said.join(QLatin1Char('\n'))));
    }

    void guessedTimeIsHatched()
    {
        const test::FamilyRun plan = test::plannedRun("1f1b");
        test::storeChanged(m_path, plan, RunStatus::Finished, [&plan](RunBatch& batch) {
            test::trustHost(batch);
            for (int i = 0; i < 8; ++i)
                test::guess(batch, RankId(1), plan.schedule.begin(DeviceId(1)) + i);
        });
        RunHistory history(m_path);
        RunPage page(history, 1);
        page.resize(1200, 900);
        page.show();
        QVERIFY(accounted(page));
        const RunAccount& found = *page.account().account();
        const auto computing = static_cast<std::size_t>(LossCause::Computing);
        Ticks guessed = 0;
        for (int i = 0; i < 8; ++i) {
            const auto at = static_cast<std::size_t>(plan.schedule.begin(DeviceId(1)) + i);
            guessed += page.shown()->measured.end[at] - page.shown()->measured.start[at];
        }
        QCOMPARE(found.guessed[1][computing], guessed);
        QCOMPARE(found.guessed[0][computing], Ticks{0});
        AccountChart& chart = page.account().chart();
        const QImage drawn = chart.grab().toImage();
        bool said = false, hatched = false;
        for (int y = 0; y < chart.height(); y += 2)
            for (int x = 0; x < chart.width(); x += 3) {
                const QString part = chart.partAt(QPointF(x, y));
                if (chart.partAt(QPointF(x - 3, y - 3)) != part ||
                    chart.partAt(QPointF(x + 3, y + 3)) != part)
                    continue; // an edge
                const bool own = part.startsWith(QStringLiteral("device 1, computing"));
                said = said || (own && part.contains(QStringLiteral("of it guessed")));
                hatched = hatched || (own && drawn.pixelColor(x, y) == color(Role::Lane));
                if (part.startsWith(QStringLiteral("device 0, computing"))) {
                    QVERIFY(!part.contains(QStringLiteral("guessed")));
                    QVERIFY(drawn.pixelColor(x, y) != color(Role::Lane));
                }
            }
        QVERIFY(said && hatched);
    }

    void figuresAreTablesToCopy()
    {
        test::storeRun(m_path, test::plannedRun("zb-h1"), "ZB-H1", "zb-h1");
        RunHistory history(m_path);
        RunPage page(history, 1);
        page.resize(1200, 900);
        page.show();
        QVERIFY(accounted(page));
        auto* open = page.findChild<QToolButton*>(QStringLiteral("accountTables"));
        QVERIFY(open != nullptr && open->isVisible() && open->isEnabled());
        QTest::mouseClick(open, Qt::LeftButton);
        auto* dialog = page.findChild<QDialog*>(QStringLiteral("accountDialog"));
        QVERIFY(dialog != nullptr && dialog->isVisible());
        const auto tables = dialog->findChildren<FigureTable*>();
        QCOMPARE(tables.size(), 2); // messages too
        FigureTable* table = tables[0]->accessibleName().startsWith(QStringLiteral("Lost time"))
                                 ? tables[0]
                                 : tables[1];
        QCOMPARE(table->rowCount(), 5); // all together last
        for (int row = 0; row < table->rowCount(); ++row)
            QVERIFY(std::abs(leftOver(*table, row)) < 1e-9);
        table->setFocus();
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines =
            QApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 6);
        QVERIFY(lines.front().startsWith(QStringLiteral("Rank\tcomputing, ms")));
        QVERIFY(lines[1].startsWith(QStringLiteral("device 0\t")));
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(page.findChild<QDialog*>(QStringLiteral("accountDialog")) == nullptr);
    }

    void whatIsHiddenIsComputedWhenItIsShown()
    {
        test::storeRun(m_path, test::plannedRun("1f1b"), "1F1B", "1f1b");
        RunHistory history(m_path);
        {
            RunPage page(history, 1);
            page.resize(1200, 900);
            page.show();
            QVERIFY(accounted(page));
            QTest::mouseClick(test::buttonOf(page, QStringLiteral("Lost time")), Qt::LeftButton);
            QVERIFY(!page.account().isVisible());
        }
        // It stays as it was.
        RunPage page(history, 1);
        page.resize(1200, 900);
        page.show();
        QVERIFY(QTest::qWaitFor([&page] { return page.records() != nullptr; }, test::longest));
        QVERIFY(!page.account().isVisible());
        QVERIFY(page.account().account() == nullptr);
        QTest::mouseClick(test::buttonOf(page, QStringLiteral("Lost time")), Qt::LeftButton);
        QVERIFY(accounted(page));
    }

    void aKeptImportSaysWhatItSaidWhenItWasRead()
    {
        // The clock of rank 2 is far behind: its messages would come before they are sent.
        const test::FamilyRun run =
            test::runFamily(test::familyOf("1f1b"), test::sized(4, 8),
                            test::equalStages(2'000'000, 1'900'000, 1'700'000));
        const std::vector<SimResult> executions(4, run.result);
        test::Recording recording;
        recording.clocks = {{}, {50'000, 3}, {-9'000'000, -20}, {}};
        const QTemporaryDir traces;
        for (const test::TraceText& file : test::chromeTraces(run.schedule, executions, recording))
            test::writeTrace(traces.filePath(QString::fromStdString(file.name)).toStdString(),
                             file.text);
        MainWindow window;
        window.show();
        importTraces(window, {traces.path()});
        ImportDialog* dialog = test::readDialog(window);
        QVERIFY(dialog != nullptr);
        const ImportedTracePtr read = dialog->imported();
        QCOMPARE(read->clocks().outcome, ClockOutcome::Shifted);
        QVERIFY(test::listOf<FigureTable>(*dialog, "Lost time") != nullptr);
        auto* clocks = test::listOf<QWidget>(*dialog, "Clocks");
        QVERIFY(clocks != nullptr);
        const QString band = clocks->findChild<FigureTable*>()->item(2, 2)->text();
        QVERIFY2(band.contains(QStringLiteral("…")), qPrintable(band));
        test::press(test::button(*dialog, "keep"));
        QTRY_VERIFY(qobject_cast<RunPage*>(window.page()) != nullptr);
        auto& page = *qobject_cast<RunPage*>(window.page());
        QVERIFY(accounted(page));
        const Account& now = *page.account().account()->account;
        QCOMPARE(now.wall, read->account->wall);
        for (std::size_t rank = 0; rank < 4; ++rank)
            QVERIFY(now.ranks[rank].stretches == read->account->ranks[rank].stretches);
        const AlignedClocks& kept = page.records()->imported.clocks;
        QVERIFY(kept.outcome == read->clocks().outcome && kept.ranks == read->clocks().ranks);
        // Nothing was sampled: what is kept is counted from the passes.
        auto* charts = page.findChild<ChartStack*>();
        QVERIFY(charts != nullptr && charts->shown(memoryChart));
        QCOMPARE(charts->memory().legend().size(), 1);
        page.account().showTables();
        const auto* tables = page.findChild<QDialog*>(QStringLiteral("accountDialog"));
        const auto all = tables->findChildren<FigureTable*>();
        QVERIFY(std::any_of(all.begin(), all.end(), [&band](const FigureTable* table) {
            return table->columnCount() == 6 && table->item(2, 2)->text() == band;
        }));
        QVERIFY(test::closeQuietly(window));
    }

private:
    QTemporaryDir m_home;
    QString m_path;
    int m_count = 0;
};

PW_WINDOW_TEST(TestRunAccount)
#include "tst_run_account.moc"
