// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/plan_text.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>

using namespace pw;
using namespace pw::exec;

namespace {

const char* text(const std::string& message)
{
    return message.c_str();
}

/// Compares all that ranks must agree on; names the first part that differs.
std::string difference(const RunPlan& a, const RunPlan& b)
{
    if (a.title != b.title)
        return "title";
    if (a.schedule.spec() != b.schedule.spec())
        return "spec";
    if (a.schedule.orders() != b.schedule.orders())
        return "orders";
    if (a.program != b.program)
        return "program";
    if (a.costs != b.costs)
        return "costs";
    if (a.model != b.model)
        return "model";
    if (a.split != b.split)
        return "split";
    if (a.optimizer != b.optimizer)
        return "optimizer";
    if (a.faults != b.faults)
        return "faults";
    if (a.seed != b.seed || a.warmup != b.warmup || a.iterations != b.iterations ||
        a.modelledLinks != b.modelledLinks || a.patience != b.patience)
        return "numbers";
    return {};
}

RunPlan planOf(std::string_view family, int devices, int microBatches)
{
    const test::FamilyRun run =
        test::runFamily(test::familyOf(family), test::sized(devices, microBatches), UniformCosts{});
    const int stages = run.schedule.spec().stages();
    GptModel model;
    model.layers = stages;
    model.flashAttention = true;
    model.tf32 = true;
    return *makePlan(run.schedule, run.costs, model, *evenSplit(stages, stages));
}

} // namespace

class TestPlanText : public QObject
{
    Q_OBJECT

private slots:
    void everyFamilysPlanComesBackEqual_data()
    {
        QTest::addColumn<QString>("family");
        for (const Family& family : allFamilies()) {
            const std::string id(family.id);
            QTest::newRow(id.c_str()) << QString::fromStdString(id);
        }
    }
    void everyFamilysPlanComesBackEqual()
    {
        QFETCH(QString, family);
        const RunPlan plan = planOf(family.toStdString(), 4, 8);
        const Result<std::string> written = writePlan(plan);
        QVERIFY2(written, written ? "" : text(written.error().message));
        const Result<RunPlan> read = readPlan(*written);
        QVERIFY2(read, read ? "" : text(read.error().message));
        QCOMPARE(difference(plan, *read), std::string());
        QCOMPARE(*writePlan(*read), *written);
    }

    void everyFieldTravels()
    {
        RunPlan plan = planOf("1f1b", 2, 3);
        plan.title = "a \"plan\" of\nµ";
        plan.model = {7, 96, 3, 100, 33, 77, 5, Element::BFloat16};
        plan.split = *givenSplit({3, 4});
        plan.split[1].multiToken = 2;
        plan.optimizer = {OptimizerKind::Sgd, 0.1, 1.0 / 3, 0.7, 0.6, 1e-300, 5e-324};
        plan.optimizer.delayCorrection = 1.0 / 7;
        plan.seed = std::numeric_limits<std::uint64_t>::max();
        plan.warmup = 2;
        plan.iterations = 9;
        plan.modelledLinks = true;
        plan.patience = std::numeric_limits<Ticks>::max();
        plan.costs.link = {1234, 1e9 / 3};
        plan.costs.linkTrace = {{0, 1}, {5, 1.1}};
        plan.costs.single = {{Pass{PassKind::F, 0, StageId(1), 2, 0}, 99}};
        plan.faults = {{FaultKind::SkipWeight, Pass{PassKind::BW, 0, StageId(1), 2, 0}, -2},
                       {FaultKind::Stall, Pass{PassKind::F, 1, StageId(0), 1, 3}, 4}};
        const Result<RunPlan> read = readPlan(*writePlan(plan));
        QVERIFY2(read, read ? "" : text(read.error().message));
        QCOMPARE(difference(plan, *read), std::string());
    }

    void aProgramOfItsOwnTravels()
    {
        RunPlan plan = planOf("dualpipe", 4, 8);
        plan.program = *lower(plan.schedule, ReceivePlacement::BeforeUse);
        QVERIFY(plan.program != *lower(plan.schedule));
        QVERIFY(!plan.program.reductions.empty());
        const Result<RunPlan> read = readPlan(*writePlan(plan));
        QVERIFY2(read, read ? "" : text(read.error().message));
        QCOMPARE(difference(plan, *read), std::string());
    }

    void aProgramThatWouldWaitForEverIsRefused()
    {
        RunPlan plan = planOf("1f1b", 2, 2);
        std::erase_if(plan.program.ranks[0], [](const Instruction& instruction) {
            return instruction.kind == InstructionKind::Send;
        });
        const Result<RunPlan> read = readPlan(*writePlan(plan));
        QVERIFY(!read);
        QCOMPARE(read.error().code, ErrorCode::BadSchedule);
    }

    void whatMeansNothingIsNamed_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QByteArray>("error");
        QTest::newRow("another version") << QByteArray("\"plan\": 1") << QByteArray("\"plan\": 3")
                                         << QByteArray("plan is 3; it can be 1 to 2");
        QTest::newRow("a field too many")
            << QByteArray("\"plan\": 1") << QByteArray("\"plan\": 1, \"new\": 1")
            << QByteArray("new is unknown");
        QTest::newRow("a seed that is not a number")
            << QByteArray("\"seed\": \"1\"") << QByteArray("\"seed\": \"1x\"")
            << QByteArray("seed is not a whole number");
        QTest::newRow("half a fault")
            << QByteArray("\"faults\": []") << QByteArray("\"faults\": [1]")
            << QByteArray("faults has 1 numbers, which do not come in groups of 7");
        QTest::newRow("a fault of no kind")
            << QByteArray("\"faults\": []") << QByteArray("\"faults\": [99, 0, 0, 0, 0, 0, 0]")
            << QByteArray("faults has a fault of no kind");
    }
    void whatMeansNothingIsNamed()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QByteArray, error);
        QByteArray written = QByteArray::fromStdString(*writePlan(planOf("1f1b", 2, 2)));
        QVERIFY(written.contains(from));
        written.replace(from, to);
        const Result<RunPlan> read = readPlan(written.toStdString());
        QVERIFY(!read);
        QCOMPARE(QByteArray::fromStdString(read.error().message), error);
    }
};

PW_TEST(TestPlanText)
#include "tst_plan_text.moc"
