// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cpu/cpu_ops.h"
#include "executor/model/muon.h"
#include "executor/model/optimizer_step.h"
#include "executor/model/random.h"
#include "executor/model/reference_muon.h"
#include "tests/support/run_plans.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <cstdlib>
#include <fstream>

using namespace pw;
using namespace pw::exec;

namespace {

std::vector<float> drawn(std::uint64_t key, std::int64_t count)
{
    std::vector<float> out(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = bell(scramble(key + i));
    return out;
}

double norm(const std::vector<float>& of)
{
    double squares = 0;
    for (const float one : of)
        squares += static_cast<double>(one) * static_cast<double>(one);
    return std::sqrt(squares);
}

/// ‖a − b‖ ⁄ ‖b‖
double apart(const std::vector<float>& a, const std::vector<float>& b)
{
    std::vector<float> difference = a;
    for (std::size_t i = 0; i < a.size(); ++i)
        difference[i] -= b[i];
    return norm(difference) / norm(b);
}

} // namespace

/// Muon on the CPU, and the correction of a delay.
class TestMuon : public QObject
{
    Q_OBJECT

private:
    RunClock m_clock;
    std::unique_ptr<Ops> m_ops = makeCpuOps(m_clock);

private slots:
    void singularValuesComeNearOne_data()
    {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::newRow("square") << 24 << 24;
        QTest::newRow("wide") << 12 << 40;
        QTest::newRow("tall") << 40 << 12;
        QTest::newRow("a row") << 1 << 9;
    }
    void singularValuesComeNearOne();
    void stepsAreThoseOfTheReference_data() { singularValuesComeNearOne_data(); }
    void stepsAreThoseOfTheReference();
    void aStepIsAsLongAsOneOfAdamW();
    void anOldGradientIsMadeGood_data();
    void anOldGradientIsMadeGood();
    void statesAreCounted();
    void whatMeansNothingIsRefused();
};

/// Whatever they were: here from 1 to 1 ⁄ 20, along directions that are known.
void TestMuon::singularValuesComeNearOne()
{
    QFETCH(int, rows);
    QFETCH(int, columns);
    // A sum of outer products of unit vectors along the axes has its weights as singular values.
    const int rank = std::min(rows, columns);
    std::vector<float> x(static_cast<std::size_t>(rows * columns));
    const auto place = [&](int i) {
        return static_cast<std::size_t>(i * columns + columns - 1 - i);
    };
    for (int i = 0; i < rank; ++i)
        x[place(i)] = 1.0F - 0.95F * static_cast<float>(i) / static_cast<float>(rank);
    orthogonalize(*m_ops, {x.data(), rows, columns});
    for (int i = 0; i < rank; ++i) {
        QVERIFY2(x[place(i)] > 0.65F && x[place(i)] < 1.25F,
                 qPrintable(QString::number(x[place(i)])));
        x[place(i)] = 0;
    }
    QVERIFY(norm(x) < 1e-5); // and nothing else came
}

/// With PW_MUON_NUMBERS=FOLDER the numbers are written there, for tests/torch/muon.sh.
void TestMuon::stepsAreThoseOfTheReference()
{
    QFETCH(int, rows);
    QFETCH(int, columns);
    Optimizer optimizer;
    optimizer.kind = OptimizerKind::Muon;
    optimizer.momentum = usualMomentum(optimizer.kind);
    optimizer.learningRate = 0.02;
    optimizer.weightDecay = 0.1;
    MuonNumbers truth{rows,
                      columns,
                      drawn(7, rows * columns),
                      {},
                      std::vector<float>(static_cast<std::size_t>(rows * columns))};
    std::vector<float> values = truth.values;
    std::vector<float> momentum = truth.momentum;
    std::ofstream told;
    if (const char* folder = std::getenv("PW_MUON_NUMBERS"); folder != nullptr)
        told.open(std::string(folder) + "/" + std::to_string(rows) + "x" + std::to_string(columns));
    told.precision(9);
    const auto tell = [&told](const std::vector<float>& numbers) {
        for (const float number : numbers)
            told << number << ' ';
        told << '\n';
    };
    tell(values);
    for (std::uint64_t step = 1; step <= 4; ++step) {
        truth.gradient = drawn(1000 * step, rows * columns);
        muonStep(*m_ops, optimizer, {values.data(), rows, columns}, truth.gradient.data(),
                 momentum.data());
        referenceMuonStep(optimizer, truth);
        tell(truth.gradient);
        tell(values);
        QVERIFY2(apart(values, truth.values) < 1e-5,
                 qPrintable(QString::number(apart(values, truth.values))));
        QVERIFY(apart(momentum, truth.momentum) < 1e-6);
    }
}

/// So that one learning rate serves both: 0.2 in the mean, where AdamW's is between 0.2 and 0.4.
void TestMuon::aStepIsAsLongAsOneOfAdamW()
{
    constexpr std::int64_t rows = 32, columns = 48;
    Optimizer optimizer;
    optimizer.kind = OptimizerKind::Muon;
    optimizer.weightDecay = 0;
    optimizer.learningRate = 1;
    std::vector<float> values(rows * columns), momentum(rows * columns);
    const std::vector<float> gradient = drawn(3, rows * columns);
    muonStep(*m_ops, optimizer, {values.data(), rows, columns}, gradient.data(), momentum.data());
    const double mean = norm(values) / std::sqrt(static_cast<double>(values.size()));
    QVERIFY2(mean > 0.14 && mean < 0.25, qPrintable(QString::number(mean)));
}

void TestMuon::anOldGradientIsMadeGood_data()
{
    QTest::addColumn<OptimizerKind>("kind");
    QTest::newRow("sgd") << OptimizerKind::Sgd;
    QTest::newRow("adamw") << OptimizerKind::AdamW;
    QTest::newRow("muon") << OptimizerKind::Muon;
}

/// What is taken is s + c · (s − the one before), whatever the optimizer; where no gradient is old,
/// what it is without.
void TestMuon::anOldGradientIsMadeGood()
{
    QFETCH(OptimizerKind, kind);
    constexpr int rows = 6, columns = 5, count = rows * columns + 4;
    constexpr double c = 0.5;
    std::vector<ParameterInfo> parameters(2);
    parameters[0].rows = rows;
    parameters[0].columns = columns;
    parameters[0].matrix = parameters[0].ofLayer = true;
    parameters[1].columns = 4;
    parameters[1].offset = rows * columns;
    const std::vector<ParameterStretch> stretches = stretchesOf(parameters);
    Optimizer plain;
    plain.kind = kind;
    plain.weightDecay = 0;
    Optimizer corrected = plain;
    corrected.delayCorrection = c;
    std::vector<float> a = drawn(1, count);
    std::vector<float> b = a;
    std::vector<float> statesA(static_cast<std::size_t>(count * stateCount(plain)));
    std::vector<float> statesB(static_cast<std::size_t>(count * stateCount(corrected)));
    std::vector<double> before(count), expected(a.begin(), a.end());
    for (int step = 1; step <= 3; ++step) {
        const std::vector<float> gradients = drawn(static_cast<std::uint64_t>(100 * step), count);
        const std::vector<float> old = a;
        const auto take = [&](const Optimizer& optimizer, std::vector<float>& of,
                              std::vector<float>& states) {
            takeStep(*m_ops, {optimizer, step, step > 1, parameters, stretches, 0, count},
                     of.data(), gradients.data(), states.data());
        };
        take(plain, a, statesA);
        take(corrected, b, statesB);
        for (std::size_t i = 0; i < a.size(); ++i) {
            const double s = static_cast<double>(a[i]) - static_cast<double>(old[i]);
            expected[i] += s + (step > 1 ? c * (s - before[i]) : 0);
            before[i] = s;
            QVERIFY(std::abs(static_cast<double>(b[i]) - expected[i]) < 2e-6);
        }
    }
    QVERIFY(apart(a, b) > 1e-4);
}

void TestMuon::statesAreCounted()
{
    Optimizer optimizer;
    optimizer.kind = OptimizerKind::Muon;
    QCOMPARE(stateCount(optimizer), 2);
    optimizer.delayCorrection = 1;
    QCOMPARE(stateCount(optimizer), 3);
}

void TestMuon::whatMeansNothingIsRefused()
{
    const auto planOfSteps = [](const char* family) {
        const test::FamilyRun run =
            test::runFamily(test::familyOf(family), test::sized(2, 4), UniformCosts{});
        return *test::planOf(run.schedule, run.costs);
    };
    const auto said = [](const Result<void>& result) {
        return result ? QString() : QString::fromStdString(result.error().message.english());
    };
    QCOMPARE(said(checkDelayCorrection(planOfSteps("pipedream-2bw"))), QString());
    QVERIFY(said(checkDelayCorrection(planOfSteps("1f1b"))).contains(QLatin1String("no gradient")));
    QVERIFY(said(checkDelayCorrection(planOfSteps("pipedream")))
                .contains(QLatin1String("older on the first stages")));
    RunPlan plan = planOfSteps("pipedream-2bw");
    plan.optimizer.kind = OptimizerKind::Muon;
    QCOMPARE(said(checkBackend(plan, "cpu")), QString());
    QVERIFY(said(checkBackend(plan, "cuda")).contains(QLatin1String("does not have Muon")));
    plan.optimizer.kind = OptimizerKind::AdamW;
    QCOMPARE(said(checkBackend(plan, "cuda")), QString());
    plan.optimizer.delayCorrection = 1;
    QCOMPARE(said(checkBackend(plan, "cpu")), QString());
    QVERIFY(said(checkBackend(plan, "cuda")).contains(QLatin1String("correct the delay")));
    RunPlan shared = planOfSteps("chimera");
    shared.optimizer.kind = OptimizerKind::Muon;
    QVERIFY(said(shardOptimizer(shared)).contains(QLatin1String("whole matrices")));
}

PW_TEST(TestMuon)
#include "tst_muon.moc"
