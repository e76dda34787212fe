// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/test_program.h"
#include "ui/document/schedule_document.h"
#include "ui/panels/number_table_view.h"
#include "ui/panels/stage_table.h"
#include "ui/panels/stage_table_dialog.h"
#include "ui/presentation.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <random>

using namespace pw;
using namespace pw::ui;

namespace {

PipelineSpec specOf(const char* family)
{
    return projectOf(family, {}, UniformCosts{}).draft.spec;
}

/// A dialog over equal stages of 1F1B on four devices.
struct Bench
{
    StageTableDialog* dialog;
    NumberTableView* view;
    NumberTable* table;
    std::optional<SetCosts> taken;

    explicit Bench(const Project& project = projectOf("1f1b", {}, UniformCosts{}))
        : dialog(new StageTableDialog(project))
        , view(dialog->findChild<NumberTableView*>())
        , table(dialog->findChild<NumberTable*>())
    {
        QObject::connect(dialog, &CostDialog::applied, dialog,
                         [this](const SetCosts& costs) { taken = costs; });
        dialog->open();
    }

    ~Bench() { delete dialog; }

    void choose(int row, int column) const { view->setCurrentIndex(table->index(row, column)); }

    void choose(int row, int column, int lastRow, int lastColumn) const
    {
        choose(row, column);
        view->selectionModel()->select(
            QItemSelection(table->index(row, column), table->index(lastRow, lastColumn)),
            QItemSelectionModel::ClearAndSelect);
    }

    void paste(const QString& cells) const
    {
        QApplication::clipboard()->setText(cells);
        QTest::keyClick(view, Qt::Key_V, Qt::ControlModifier);
    }

    QPushButton* apply() const
    {
        return dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Apply);
    }

    QString reason() const { return dialog->findChild<QLabel*>(QStringLiteral("reason"))->text(); }

    QPushButton* button(const QString& text) const
    {
        for (auto* one : dialog->findChildren<QPushButton*>())
            if (one->text().remove(QLatin1Char('&')) == text)
                return one;
        return nullptr;
    }
};

} // namespace

class TestStageTable : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void costsComeBackEqual_data()
    {
        QTest::addColumn<QString>("family");
        for (const char* id : {"1f1b", "zb-v", "seq1f1b", "chimera"})
            QTest::newRow(id) << QString::fromLatin1(id);
    }

    void costsComeBackEqual()
    {
        QFETCH(QString, family);
        const PipelineSpec spec = specOf(family.toLatin1().constData());
        constexpr unsigned seed = 11;
        std::mt19937_64 random(seed);
        for (int round = 0; round < 20; ++round) {
            Costs costs = expand({}, spec);
            for (Ticks& time : costs.forward)
                time = static_cast<Ticks>(random() % 100'000'000);
            if (round % 2 == 0) {
                costs.fused = costs.forward;
                costs.weights.assign(static_cast<std::size_t>(spec.stages()), 123'456'789);
            }
            for (ActivationCost& cost : costs.activation)
                cost.activation = cost.keptForWeight = static_cast<Bytes>(random() % 1'000'000'000);
            StageTable table(costs, spec);
            const QAbstractItemModelTester tester(
                &table, QAbstractItemModelTester::FailureReportingMode::QtTest);
            const auto back = table.costs();
            QVERIFY2(back, back ? "" : back.error().message.c_str());
            QVERIFY(*back == costs);
        }
    }

    void aTypedCellChangesOneTime()
    {
        Bench bench;
        bench.choose(2, StageTable::Forward);
        QTest::keyClick(bench.view, Qt::Key_2);
        auto* editor = bench.view->findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        QTest::keyClicks(editor, QStringLiteral(".5"));
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(bench.table->value(2, StageTable::Forward), std::optional(2.5));
        QTest::mouseClick(bench.apply(), Qt::LeftButton);
        QVERIFY(bench.taken);
        const auto& costs = std::get<Costs>(bench.taken->costs);
        QVERIFY((costs.forward ==
                 std::vector<Ticks>{ticksPerMs, ticksPerMs, 5 * ticksPerMs / 2, ticksPerMs}));
        QVERIFY(costs.fused.empty());
    }

    void aSpreadsheetIsPasted_data()
    {
        QTest::addColumn<QString>("cells");
        QTest::newRow("tabs") << QStringLiteral("1.5\t2\t3\n4\t5\t6\n");
        QTest::newRow("commas") << QStringLiteral("1.5,2,3\r\n4,5,6\r\n");
        QTest::newRow("semicolons and decimal commas") << QStringLiteral("1,5;2;3\n4;5;6");
        QTest::newRow("headings") << QStringLiteral("F\tB\tW\n1.5\t2\t3\n4\t5\t6");
        QTest::newRow("stage times")
            << QStringLiteral("stage,forward,backward,weight\n0,1.5,2,3\n1,4,5,6\n");
    }

    void aSpreadsheetIsPasted()
    {
        QFETCH(QString, cells);
        Bench bench;
        bench.choose(0, StageTable::Forward);
        bench.paste(cells);
        QCOMPARE(bench.reason(), QString());
        QTest::mouseClick(bench.apply(), Qt::LeftButton);
        const auto& costs = std::get<Costs>(bench.taken->costs);
        QCOMPARE(costs.forward[0], ticksFromMs(1.5));
        QCOMPARE(costs.backward[0], ticksFromMs(2));
        QCOMPARE(costs.weight[1], ticksFromMs(6));
        QCOMPARE(costs.weight[2], ticksPerMs);
    }

    void everyCellThatCannotBeHasItsReason()
    {
        Bench bench;
        bench.choose(1, StageTable::Forward);
        bench.paste(QStringLiteral("soon\t-1\t2\n3\t\t4"));
        QCOMPARE(bench.table->reason(1, StageTable::Forward),
                 QStringLiteral("the time of F is a number, 0 to 144000 ms, not “soon”"));
        QCOMPARE(bench.table->reason(1, StageTable::Backward),
                 QStringLiteral("the time of B is -1; 0 to 144000 ms"));
        QCOMPARE(bench.table->reason(2, StageTable::Backward),
                 QStringLiteral("the time of B needs a number, 0 to 144000 ms"));
        QCOMPARE(bench.table->index(1, StageTable::Forward).data().toString(),
                 QStringLiteral("soon"));
        QVERIFY(!bench.apply()->isEnabled());
        QVERIFY2(bench.reason().startsWith(QStringLiteral("stage 1: the time of F")),
                 qPrintable(bench.reason()));
        // Put right one after the other.
        for (const auto& [row, column] : {std::pair(1, 0), std::pair(1, 1), std::pair(2, 1)})
            bench.table->setData(bench.table->index(row, column), QStringLiteral("1"));
        QVERIFY(bench.apply()->isEnabled());
        QCOMPARE(bench.reason(), QString());
    }

    void whatFindsNoPlaceIsSaid()
    {
        Bench bench;
        bench.choose(3, StageTable::Optimizer);
        bench.paste(QStringLiteral("1\t2\n3\t4"));
        QCOMPARE(bench.reason(),
                 QStringLiteral("1 line and 1 column of what was pasted found no place in "
                                "the table."));
        QVERIFY(bench.apply()->isEnabled());
    }

    void aColumnIsFilledDownAndEmptied()
    {
        Bench bench;
        bench.choose(0, StageTable::Fused);
        bench.paste(QStringLiteral("1.75"));
        bench.choose(0, StageTable::Fused, 3, StageTable::Fused);
        QTest::keyClick(bench.view, Qt::Key_D, Qt::ControlModifier);
        QTest::keyClick(bench.view, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("1.75\n1.75\n1.75\n1.75"));
        QTest::keyClick(bench.view, Qt::Key_Delete);
        // Empty again, it counts as B + W.
        QCOMPARE(bench.table->index(2, StageTable::Fused).data().toString(), QStringLiteral("2"));
        QVERIFY(!bench.table->value(2, StageTable::Fused));
        // A column that needs numbers stays.
        bench.choose(0, StageTable::Forward, 3, StageTable::Forward);
        QTest::keyClick(bench.view, Qt::Key_Delete);
        QCOMPARE(bench.table->value(2, StageTable::Forward), std::optional(1.0));
    }

    void oneGivenNumberOfAnOptionalColumnKeepsWhatTheOthersCountAs()
    {
        Bench bench;
        bench.choose(1, StageTable::Fused);
        bench.paste(QStringLiteral("5"));
        QTest::mouseClick(bench.apply(), Qt::LeftButton);
        const auto& costs = std::get<Costs>(bench.taken->costs);
        QVERIFY((costs.fused == std::vector<Ticks>{2 * ticksPerMs, 5 * ticksPerMs, 2 * ticksPerMs,
                                                   2 * ticksPerMs}));
    }

    void moreKeptThanThereIsIsRefused()
    {
        Bench bench;
        bench.choose(2, StageTable::Activation);
        bench.paste(QStringLiteral("10\t11"));
        QCOMPARE(bench.reason(),
                 QStringLiteral("stage 2: more is kept for W than the activation has"));
        QVERIFY(!bench.apply()->isEnabled());
    }

    void equalStagesAreTakenAsThatWhereTheyAreEqual()
    {
        Bench bench;
        QPushButton* equal = bench.button(QStringLiteral("Take as equal stages"));
        QVERIFY(equal->isEnabled());
        bench.choose(1, StageTable::Weight);
        bench.paste(QStringLiteral("3"));
        QVERIFY(!equal->isEnabled());
        QVERIFY2(equal->toolTip().contains(QStringLiteral("W of stage 1 is 3 ms")),
                 qPrintable(equal->toolTip()));
        bench.choose(0, StageTable::Weight);
        bench.paste(QStringLiteral("3\n3\n3\n3"));
        QVERIFY(equal->isEnabled());
        QTest::mouseClick(equal, Qt::LeftButton);
        QCOMPARE(std::get<UniformCosts>(bench.taken->costs).weight, 3 * ticksPerMs);
    }

    void aStagesOwnNumbersStandAtItsFirstSegment()
    {
        const PipelineSpec spec = specOf("seq1f1b");
        StageTable table(expand({}, spec), spec);
        QVERIFY(spec.segments() > 1);
        QVERIFY(table.flags(table.index(0, StageTable::Weights)) & Qt::ItemIsEditable);
        QVERIFY(!(table.flags(table.index(1, StageTable::Weights)) & Qt::ItemIsEditable));
        QVERIFY(!table.setData(table.index(1, StageTable::Weights), QStringLiteral("1")));
        QVERIFY(table.setData(table.index(0, StageTable::Weights), QStringLiteral("1")));
        QCOMPARE(table.costs()->weights.size(), static_cast<std::size_t>(spec.stages()));
    }

    void cancelChangesNothing()
    {
        Bench bench;
        bench.choose(0, StageTable::Forward);
        bench.paste(QStringLiteral("7"));
        QTest::keyClick(bench.dialog, Qt::Key_Escape);
        QVERIFY(!bench.taken);
        QVERIFY(!bench.dialog->isVisible());
        bench.dialog->setAttribute(Qt::WA_DeleteOnClose, false);
    }
};

PW_WINDOW_TEST(TestStageTable)
#include "tst_stage_table.moc"
