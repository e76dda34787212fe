// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/seed.h"
#include "tests/support/test_program.h"
#include "ui/runs/run_model.h"
#include "ui/timeline/value_text.h"

#include <QAbstractItemModelTester>
#include <QItemSelectionModel>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <random>

using namespace pw;
using namespace pw::ui;

namespace {

StoredRun aRun(RunNumber number, const char* title, Ticks predicted = 0, Ticks measured = 0)
{
    StoredRun run;
    run.number = number;
    run.title = title;
    run.ranks = 4;
    run.environment.backend = "emulated";
    run.environment.host = "node-7";
    run.status = RunStatus::Finished;
    run.startedMs = 1'700'000'000'000 + number;
    run.figures.makespan = measured;
    run.figures.predictedMakespan = predicted;
    return run;
}

QString cell(const QAbstractItemModel& model, int row, int column)
{
    return model.index(row, column).data().toString();
}

} // namespace

class TestRunModel : public QObject
{
    Q_OBJECT

private slots:
    void aRowSaysWhatWasPredictedAndMeasured()
    {
        RunModel model;
        StoredRun run = aRun(17, "ZB-V · 4 × 8", 25'500'000, 25'704'000);
        run.figures.spanBubble = 0.066;
        run.figures.peakActivation = 3 << 20;
        model.setRuns({run, aRun(16, "never ran")});
        QCOMPARE(cell(model, 0, RunModel::Number), QStringLiteral("17"));
        QCOMPARE(cell(model, 0, RunModel::Title), QStringLiteral("ZB-V · 4 × 8"));
        QCOMPARE(cell(model, 0, RunModel::Predicted), QStringLiteral("25.50 ms"));
        QCOMPARE(cell(model, 0, RunModel::Measured), QStringLiteral("25.70 ms"));
        QCOMPARE(cell(model, 0, RunModel::OffBy), QStringLiteral("+0.8 %"));
        QCOMPARE(cell(model, 0, RunModel::Bubble), QStringLiteral("6.6 %"));
        QCOMPARE(cell(model, 0, RunModel::Peak), QStringLiteral("3 MiB"));
        QCOMPARE(cell(model, 0, RunModel::Status), QStringLiteral("finished"));
        QVERIFY(cell(model, 0, RunModel::Backend).startsWith(QStringLiteral("emulated, 4 device")));
        for (const int column : {RunModel::Predicted, RunModel::Measured, RunModel::OffBy,
                                 RunModel::Bubble, RunModel::Peak})
            QCOMPARE(cell(model, 1, column), QStringLiteral("–"));
    }

    void theWholePeakIsShownWhereItIsKnown()
    {
        RunModel model;
        StoredRun run = aRun(3, "1F1B");
        run.figures.peakActivation = 3 << 20;
        run.peakMemory = Bytes{5} << 30;
        StoredRun imported = aRun(2, "a trace");
        imported.peakMemory = Bytes{104} << 30;
        model.setRuns({run, imported});
        QCOMPARE(cell(model, 0, RunModel::Peak), QStringLiteral("5 GiB"));
        QCOMPARE(cell(model, 1, RunModel::Peak), QStringLiteral("104 GiB"));
        QCOMPARE(model.index(0, RunModel::Peak).data(Qt::ToolTipRole).toString(),
                 QStringLiteral("Of it at most 3 MiB of activations."));
        QVERIFY(model.index(0, RunModel::Peak).data(RunModel::SortRole).toLongLong() <
                model.index(1, RunModel::Peak).data(RunModel::SortRole).toLongLong());
    }

    void timesOfAColumnHaveFourDigits_data()
    {
        QTest::addColumn<qint64>("time");
        QTest::addColumn<QString>("expected");
        QTest::newRow("nothing") << qint64{0} << QStringLiteral("–");
        QTest::newRow("whole") << qint64{33'000'000} << QStringLiteral("33.00 ms");
        QTest::newRow("one decimal") << qint64{25'500'000} << QStringLiteral("25.50 ms");
        QTest::newRow("hundreds") << qint64{250'000'000} << QStringLiteral("250.0 ms");
        QTest::newRow("thousands") << qint64{2'500'000'000} << QStringLiteral("2500 ms");
        QTest::newRow("seconds") << qint64{12'000'000'000} << QStringLiteral("12.00 s");
    }
    void timesOfAColumnHaveFourDigits()
    {
        QFETCH(qint64, time);
        QFETCH(QString, expected);
        QCOMPARE(columnTimeText(time), expected);
    }

    void aDifferenceHasItsSign()
    {
        QCOMPARE(shiftText(250'000), QStringLiteral("+0.25 ms"));
        QCOMPARE(shiftText(-1'200'000), QStringLiteral("−1.2 ms"));
        QCOMPARE(shiftText(0), QStringLiteral("0 ms"));
        QCOMPARE(offText(99, 100), QStringLiteral("−1.0 %"));
        QCOMPARE(offText(100, 100), QStringLiteral("0.0 %"));
    }

    void aMomentIsSaidAsPeopleSayIt()
    {
        const QDateTime now(QDate(2026, 11, 21), QTime(14, 30));
        QCOMPARE(whenText(now.addSecs(-20), now), QStringLiteral("just now"));
        QCOMPARE(whenText(now.addSecs(-180), now), QStringLiteral("3 min ago"));
        QCOMPARE(whenText(now.addSecs(-7200), now), QStringLiteral("today 12:30"));
        QCOMPARE(whenText(now.addDays(-1), now), QStringLiteral("yesterday 14:30"));
        QVERIFY(whenText(now.addDays(-400), now).contains(QStringLiteral("2025")));
    }

    void wordsFindRunsAndColumnsSortThem()
    {
        RunModel model;
        RunFilter filter;
        filter.setSourceModel(&model);
        std::vector<StoredRun> runs = {aRun(9, "ZB-V · 4 × 8", 100, 250),
                                       aRun(5, "1F1B · 4 × 8", 100, 300),
                                       aRun(2, "GPipe", 100, 1000)};
        runs[2].notes = "after the driver update";
        model.setRuns(runs);
        filter.setWords(QStringLiteral("DRIVER gpipe"));
        QCOMPARE(filter.rowCount(), 1);
        QCOMPARE(cell(filter, 0, RunModel::Number), QStringLiteral("2"));
        filter.setWords(QStringLiteral("emulated node-7"));
        QCOMPARE(filter.rowCount(), 3);
        filter.sort(RunModel::Measured, Qt::AscendingOrder);
        QCOMPARE(cell(filter, 0, RunModel::Number), QStringLiteral("9"));
        QCOMPARE(cell(filter, 2, RunModel::Number), QStringLiteral("2"));
        filter.sort(RunModel::Title, Qt::AscendingOrder);
        QCOMPARE(cell(filter, 0, RunModel::Number), QStringLiteral("5"));
    }

    void theTitleAloneIsEdited()
    {
        RunModel model;
        model.setRuns({aRun(3, "old")});
        QSignalSpy asked(&model, &RunModel::renameAsked);
        for (int column = 0; column < model.columnCount(); ++column)
            QCOMPARE((model.flags(model.index(0, column)) & Qt::ItemIsEditable) != 0,
                     column == RunModel::Title);
        QVERIFY(
            !model.setData(model.index(0, RunModel::Title), QStringLiteral("old"), Qt::EditRole));
        QVERIFY(model.setData(model.index(0, RunModel::Title), QStringLiteral("  new  name "),
                              Qt::EditRole));
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.at(0).at(0).toLongLong(), 3);
        QCOMPARE(asked.at(0).at(1).toString(), QStringLiteral("new name"));
    }

    void anotherListKeepsTheSelectionOfWhatStays()
    {
        RunModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QItemSelectionModel selection(&model);
        const std::uint32_t seed = test::randomSeed();
        std::mt19937 random(seed);
        model.setRuns({aRun(50, "kept")});
        selection.select(model.index(0, 0), QItemSelectionModel::Select);
        for (int round = 0; round < 100; ++round) {
            std::vector<StoredRun> runs;
            for (RunNumber number = 100; number > 0; --number)
                if (number == 50 || random() % 3 == 0)
                    runs.push_back(aRun(number, "one"));
            model.setRuns(runs);
            QCOMPARE(model.rowCount(), static_cast<int>(runs.size()));
            for (int row = 0; row < model.rowCount(); ++row)
                QCOMPARE(model.run(row).number, runs[static_cast<std::size_t>(row)].number);
            QCOMPARE(selection.selectedIndexes().size(), 1);
            QCOMPARE(selection.selectedIndexes().front().data().toString(), QStringLiteral("50"));
        }
        model.setRuns({});
        QCOMPARE(model.rowCount(), 0);
    }
};

PW_TEST(TestRunModel)
#include "tst_run_model.moc"
